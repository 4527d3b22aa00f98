"""What Jolt Physics makes of joints through its own constraints.

This is what the engine can do with a file, not what Godot's importer does with Jolt.
"""

from collections import Counter

from ...model.joint import JointSettings
from .. import names
from ..animated import NOT_KNOWN
from ..engine import Engine
from .constraints import constraints_of
from .report import check_settings


def _becomes(settings: JointSettings) -> str:
    counts = Counter(constraint.kind.class_name for constraint in constraints_of(settings))
    names = [f"{count} {name}s" if count > 1 else name for name, count in counts.items()]
    return " + ".join(names) or "no constraint"


JOLT = Engine(
    **names.JOLT._asdict(),
    becomes=_becomes,
    check_settings=check_settings,
    animated=(NOT_KNOWN,),
)

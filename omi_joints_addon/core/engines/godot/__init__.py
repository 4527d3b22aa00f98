"""What Godot 4 with the OMI importer makes of joints, bodies and shapes."""

from collections.abc import Iterator

from ...findings.finding import Finding
from ...model.joint import JointSettings
from .. import names
from ..animated import STAYS_IN_GODOT
from ..engine import Engine
from .drives import check_drives
from .importer import godot_class
from .limits import check_limits
from .rewriting import best_axis, rewritten
from .scene import check_scene


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    yield from check_limits(settings)
    yield from check_drives(settings)


GODOT = Engine(
    **names.GODOT._asdict(),
    becomes=godot_class,
    check_settings=_check_settings,
    check_scene=check_scene,
    best_axis=best_axis,
    rewritten=rewritten,
    animated=(STAYS_IN_GODOT,),
)

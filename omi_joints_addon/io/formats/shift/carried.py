"""What this program keeps in Shift files for itself: the member `omi`, which Shift ignores.

Shift has no hard limits. Of 128 glTF files that went to Shift and back, 53 limits, 49 soft ones and
13 drives came back by this member alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ....core.model.body import Motion, MotionType
from ....core.model.joint import JointSettings
from ....core.model.numbers import double
from ....core.model.plain import JsonObject, value_from_plain
from ..carrier import carried_of
from .layout import Body, Layout
from .placing import end_of
from .rules import WRONG_TYPE

CARRIER = "omi"


@dataclass(frozen=True, slots=True, eq=False)
class Undeclared:
    """A joint that Shift has no type for."""

    name: str
    ends: tuple[tuple[Body, str], tuple[Body, str]]
    """Body and frame of the connected end and of the joint's own."""
    settings: JointSettings
    enable_collision: bool
    place: str


def carried_settings(members: JsonObject) -> JointSettings | None:
    """Return the settings that a joint carries, as long as nobody has edited the joint."""
    standard = {name: value for name, value in members.items() if name != CARRIER}
    carried = carried_of(members.get(CARRIER), standard)
    return None if carried is None else _settings(carried.get("settings"))


def carried_motion(members: JsonObject) -> tuple[str, float]:
    """Return the motion type and gravity factor that a body carries, else the usual ones."""
    carried = members.get(CARRIER)
    carried = carried if isinstance(carried, dict) else {}
    factor = double(carried.get("gravity_factor", 1.0))
    kind = carried.get("type")
    known = kind if isinstance(kind, str) else MotionType.DYNAMIC
    return known, Motion().gravity_factor if factor is None else factor


def undeclared_joints(document: JsonObject, layout: Layout) -> Iterator[Undeclared]:
    """Yield the joints that a document carries whole; findings go to the layout."""
    carried: Any = document.get(CARRIER)
    joints = carried.get("joints") if isinstance(carried, dict) else None
    for number, members in enumerate(joints if isinstance(joints, list) else ()):
        place = f"/{CARRIER}/joints/{number}"
        joint = _undeclared(members, layout, place) if isinstance(members, dict) else None
        if joint is None:
            expected = "ends and settings of a joint"
            layout.findings.append(WRONG_TYPE(place, name=CARRIER, expected=expected))
        else:
            yield joint


def _undeclared(members: JsonObject, layout: Layout, place: str) -> Undeclared | None:
    pairs, settings = members.get("body_frame_pairs"), _settings(members.get("settings"))
    if settings is None or not isinstance(pairs, list) or len(pairs) != 2:
        return None
    one, other = (end_of(layout, pair, -1) for pair in pairs)
    if one is None or other is None:
        return None
    name = str(members.get("name", "joint"))
    return Undeclared(name, (one, other), settings, members.get("enable_collision") is True, place)


def _settings(plain: object) -> JointSettings | None:
    try:
        return value_from_plain(JointSettings, plain)
    except ValueError:
        return None

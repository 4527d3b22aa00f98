"""Restraints of a Shift document: what they add to joints, and those between two frames."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ....core.model.joint import JointDrive, JointLimit, JointSettings
from ....core.model.plain import JsonObject
from .layout import Body, Layout
from .placing import ShiftJoint, end_of
from .restraints import Law, law_of_joint, law_of_restraint
from .rules import CARRIED_MEMBER, MISSING_END

ALONG = {"Tx": 0, "Ty": 1, "Tz": 2}
"""Distances along an axis of the parent's frame."""
HINGE_AXIS, SLIDER_AXIS = 2, 0
"""Axes of the attachment frames that joints of one axis turn about and move along."""


@dataclass(slots=True)
class Added:
    """What restraints add to the settings of a joint."""

    limits: list[JointLimit] = field(default_factory=list)
    drives: list[JointDrive] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Tie:
    """A restraint between two frames, which is a joint of its own here."""

    name: str
    place: str
    ends: tuple[tuple[Body, str], tuple[Body, str]]
    """Body and frame: the first, whose axes it measures in, and the second."""
    settings: JointSettings


def restrained(
    layout: Layout, joints: list[ShiftJoint]
) -> tuple[dict[ShiftJoint, Added], list[Tie], dict[int, list[JsonObject]]]:
    """Return what restraints add to joints, the ties between frames, and what is neither.

    The last by the number of the assembly.
    """
    added = _own_springs(layout, joints)
    by_name: dict[tuple[int, str], ShiftJoint] = {}
    for joint in joints:
        by_name.setdefault((joint.source.assembly, joint.name), joint)
    ties: list[Tie] = []
    unread: dict[int, list[JsonObject]] = {}
    for assembly, members, place in _restraints(layout):
        law = law_of_restraint(members)
        held = by_name.get((assembly, str(members.get("joint"))))
        if law is not None and held is not None and held.kind in ("revolute", "prismatic"):
            _add(added[held], held, law.in_si(layout.units, is_angular=is_angular(held)))
            continue
        tie = _tie(layout, assembly, members, place, law)
        if tie is None:
            name = f"restraint {str(members.get('name', ''))[:40]!r}"
            layout.findings.append(CARRIED_MEMBER(place, name=name))
            unread.setdefault(assembly, []).append(members)
        else:
            ties.append(tie)
    return added, ties, unread


def _own_springs(layout: Layout, joints: list[ShiftJoint]) -> dict[ShiftJoint, Added]:
    """Return what joints have of stiffness and damping themselves."""
    added = {joint: Added() for joint in joints}
    for joint in joints:
        law, is_whole = law_of_joint(joint.source.members)
        if law is not None:
            _add(added[joint], joint, law.in_si(layout.units, is_angular=is_angular(joint)))
        if not is_whole:
            layout.findings.append(CARRIED_MEMBER(joint.source.place, name="nonlinear stiffness"))
    return added


def is_angular(joint: ShiftJoint) -> bool:
    """Return whether the position of a joint is an angle."""
    return joint.kind == "revolute"


def _add(added: Added, joint: ShiftJoint, law: Law) -> None:
    turns = is_angular(joint)
    axis = HINGE_AXIS if turns else SLIDER_AXIS
    drive = law.drive(is_angular=turns, axis=axis)
    if drive is not None:
        added.drives.append(drive)
    else:
        added.limits.append(law.limit(angular=(axis,)) if turns else law.limit(linear=(axis,)))


def _restraints(layout: Layout) -> Iterator[tuple[int, JsonObject, str]]:
    for index, assembly in enumerate(layout.assemblies):
        for name in ("restraints", "restraint"):
            value: object = assembly.members.get(name)
            listed = value if isinstance(value, list) else [value]
            for number, element in enumerate(listed):
                if isinstance(element, dict):
                    yield index, element, f"{assembly.place}/{name}/{number}"


def _tie(
    layout: Layout, assembly: int, members: JsonObject, place: str, law: Law | None
) -> Tie | None:
    """Return the joint that a restraint between two frames is; None where it can be none."""
    pair = members.get("body_frame_pair", members.get("body_frame_pairs"))
    if law is None or not isinstance(pair, list) or len(pair) != 2:
        return None
    ends = [end_of(layout, each, assembly) for each in pair]
    if ends[0] is None or ends[1] is None:
        layout.findings.append(MISSING_END(place, path=str(pair)[:80]))
        return None
    distance = members.get("distance_type")
    settings = _tie_settings(law.in_si(layout.units, is_angular=False), distance)
    if settings is None:
        return None
    return Tie(str(members.get("name", "restraint")), place, (ends[0], ends[1]), settings)


def _tie_settings(law: Law, distance: object) -> JointSettings | None:
    if distance in ALONG:
        drive = law.drive(is_angular=False, axis=ALONG[distance])
        if drive is not None:
            return JointSettings(drives=(drive,))
        return JointSettings(limits=(law.limit(linear=(ALONG[distance],)),))
    if not law.stiffness:
        # A damper of the distance between two points has no axis.
        return None
    return JointSettings(limits=(law.limit(linear=(0, 1, 2)),))

"""Keyframes of a document: controls of its actuators, and the keyframe that it starts with."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.velocities import Velocity
from ....core.model.actuator import Actuator
from ....core.model.pose import Array
from ....core.model.settled import settled
from .actuators import TARGETS
from .attributes import Values
from .printing import Attributes, numbers, texts
from .skeleton import Skeleton
from .speeds import speeds_of

_COORDINATES = frozenset(("qpos", "qvel"))
"""Attributes of keyframes that hold numbers of all joints."""
_LOADED = "{what} are in the keyframe {name!r}; load it to start with them"


def set_controls(root: ET.Element, actuators: Sequence[Actuator]) -> None:
    """Have the keyframes of a document hold the controls of these actuators, in their order."""
    for key in root.iterfind("keyframe/key"):
        old = key.attrib.pop("ctrl", "").split()
        if old and actuators:
            found = (
                old[each.order] if each.order < len(old) else repr(each.control)
                for each in actuators
            )
            key.set("ctrl", " ".join(found))


def drop_coordinates(root: ET.Element, joints: Sequence[str], losses: Losses) -> None:
    """Take coordinates out of keyframes that were of other joints, in this order, and report it."""
    keys = [key for key in root.iterfind("keyframe/key") if _COORDINATES & key.attrib.keys()]
    if not (keys and joints) or joints == Skeleton(root, Values(root, [])).joint_names():
        return
    for key in keys:
        found = _COORDINATES & key.attrib.keys()
        for name in found:
            del key.attrib[name]
        why = Sentence(
            "its {names} is of joints that have changed", names=" and ".join(sorted(found))
        )
        losses.lost(key.get("name", "key"), Noun.CARRIED, why)


def add_start(
    root: ET.Element,
    actuators: Sequence[Actuator],
    velocities: Mapping[str, Velocity],
    losses: Losses,
) -> None:
    """Add the keyframe with targets, and with the velocities of bodies by the names of these."""
    attributes: Attributes = {}
    if velocities and (speeds := _speeds(root, velocities, losses)).any():
        attributes["qvel"] = numbers(speeds)
    if any(actuator.control for actuator in actuators):
        attributes["ctrl"] = texts([actuator.control for actuator in actuators])
        losses.carried("", "targets", Sentence(_LOADED, what="targets of drives", name=TARGETS))
        losses.same("", Noun.POSITION_TARGET)
        losses.same("", Noun.VELOCITY_TARGET)
    if attributes:
        keys = ET.SubElement(root, "keyframe")
        ET.SubElement(keys, "key", {"name": TARGETS, **attributes})


def _speeds(root: ET.Element, velocities: Mapping[str, Velocity], losses: Losses) -> Array:
    """Return the speeds of all joints, and report what they do not allow."""
    values = Values(root, [])
    speeds, others = speeds_of(Skeleton(root, values), values, velocities)
    if speeds.any():
        losses.carried("", "speeds", Sentence(_LOADED, what="initial velocities", name=TARGETS))
        losses.same("", Noun.VELOCITY)
    for body in others:
        text = Sentence("its joints do not allow all of it; the nearest speeds are written")
        losses.converted(body, Noun.VELOCITY, text)
    return settled(speeds)

"""Keyframes of a document: controls of its actuators, and the keyframe that it starts with."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.velocities import Velocity
from ....core.model.actuator import Actuator
from ....core.model.named_pose import NamedPose
from ....core.model.pose import Array, pose_from_matrix
from ....core.model.settled import settled
from .actuators import TARGETS
from .attributes import Values
from .printing import Attributes, numbers, texts
from .skeleton import Skeleton
from .speeds import speeds_of

_COORDINATES = frozenset(("qpos", "qvel"))
"""Attributes of keyframes that hold numbers of all joints."""
_LOADED = "{what} are in the keyframe {name!r}; load it to start with them"


def named_poses(root: ET.Element, values: Values, skeleton: Skeleton) -> tuple[NamedPose, ...]:
    """Return the positions of hinges and slides in the keyframes of a document."""
    found, places = [], list(_places(values, skeleton))
    for number, key in enumerate(root.iterfind("keyframe/key")):
        name = key.get("name", f"key {number}")
        numbers = values.list_of(name, key.attrib, "qpos")
        if len(numbers) == sum(len(rest) for _, rest in places):
            starts = accumulate((len(rest) for _, rest in places), initial=0)
            pairs = zip(starts, places, strict=False)
            positions = [(joint, numbers[at]) for at, (joint, _) in pairs if joint]
            found.append(NamedPose(name=name, positions=tuple(positions)))
    return tuple(found)


def joint_names(skeleton: Skeleton) -> list[str]:
    """Return the names of joints, free ones by their bodies, in the order of coordinates."""
    return [each.name for each in skeleton.coordinates()]


def add_poses(root: ET.Element, poses: Sequence[NamedPose]) -> None:
    """Add keyframes for poses that the document does not have yet."""
    known = {key.get("name") for key in root.iterfind("keyframe/key")}
    new = [pose for pose in poses if pose.name not in known]
    if not new:
        return
    values, keys = Values(root, []), root.find("keyframe")
    keys = ET.SubElement(root, "keyframe") if keys is None else keys
    places = list(_places(values, Skeleton(root, values)))
    for pose in new:
        at = dict(pose.positions)
        parts = [[at[joint]] if joint in at else rest for joint, rest in places]
        coordinates = [number for part in parts for number in part]
        ET.SubElement(keys, "key", {"name": pose.name, "qpos": texts(coordinates)})


def _places(values: Values, skeleton: Skeleton) -> Iterator[tuple[str, list[float]]]:
    """Yield hinges and slides, "" for others, and their coordinates at rest, in MuJoCo's order."""
    for body in skeleton.numbered:
        if body.is_free:
            pose = pose_from_matrix(body.world)
            x, y, z, w = pose.rotation.tolist()
            yield "", [*pose.position.tolist(), w, x, y, z]
        for joint in body.joints:
            kind = joint.attributes.get("type", "hinge")
            if kind == "ball":
                yield "", [1.0, 0.0, 0.0, 0.0]
            else:
                factor = values.compiler.angle if kind == "hinge" else 1.0
                rest = values.number(joint.name, joint.attributes, "ref")
                yield joint.name, [factor * rest]


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
    if not (keys and joints) or joints == joint_names(Skeleton(root, Values(root, []))):
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

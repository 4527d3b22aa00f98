"""Drives that have a ragdoll hold its pose and follow the animation of its armature."""

from collections.abc import Iterator, Mapping, Sequence

import bpy
import numpy as np

from ..core.meaning.metric import angular_metric, linear_metric
from ..core.model.joint import DriveType
from ..core.model.pose import Array, Pose
from ..core.model.scene import PhysicsScene
from ..core.ragdoll.stiffness import held_joints
from ..properties.active_ragdoll import active_ragdoll
from ..properties.body import body_data, motion_type_of
from ..properties.bones import BodyBone, Node
from ..properties.joint import joint_data
from ..scene.reading import nodes_of, scene_to_core
from .conditions import uneditable
from .context import present
from .joint_curves import JointCurves
from .joint_tracks import key_target
from .ragdoll_parts import is_body_unedited, mark_body

FREQUENCY = 4.0
"""Frequency [Hz] at which the bodies below a joint swing about it."""


def add_drives(
    context: bpy.types.Context,
    armature: bpy.types.Object,
    *,
    frequency: float = FREQUENCY,
    damping_ratio: float = 1.0,
    is_root_animated: bool = True,
) -> list[bpy.types.Object]:
    """Have drives hold the joints between bones of an armature in its pose; return the joints.

    `frequency` [Hz] is that at which all bodies below a joint would swing; 0 removes the
    drives. The root body follows the animation itself, or falls.
    """
    present(context.view_layer).update()
    scene = present(context.scene)
    objects, (core, _) = nodes_of(scene), scene_to_core(scene)
    found = own_joints(objects, core, armature)
    moved = {number: body for number, body in found.items() if core.is_dynamic(body)}
    held = held_joints(core, moved, frequency=frequency, damping_ratio=damping_ratio)
    joints, curves = [], JointCurves()
    for number, settings in held.items():
        joint = objects[core.joints[number].node]
        if isinstance(joint, BodyBone) or uneditable(joint) is not None:
            continue
        curves.replace(joint, settings)
        joints.append(joint)
    if joints:
        active_ragdoll(armature).is_on = frequency > 0.0
        _set_roots(objects, core, found, is_animated=is_root_animated and frequency > 0.0)
    return joints


def own_joints(
    objects: Sequence[Node], scene: PhysicsScene, armature: bpy.types.Object
) -> dict[int, int]:
    """Return the joints between two bones of an armature, with the body that each moves.

    That is the body that the joint is on, where it can move. Joints that use the settings of
    another one are not among them.
    """
    owner = scene.bodies()
    found = {}
    for number, joint in enumerate(scene.joints):
        ends = [objects[int(owner[node])] for node in (joint.node, joint.other) if owner[node] >= 0]
        bones = {end for end in ends if isinstance(end, BodyBone) and end.armature == armature}
        if len(bones) == len(ends) == 2 and joint.place == joint.settings_place:
            own, other = int(owner[joint.node]), int(owner[joint.other])
            found[number] = own if scene.is_dynamic(own) else other
    return found


def key_targets(
    joints: Mapping[bpy.types.Object, Pose], frames: Sequence[float]
) -> dict[bpy.types.Object, int]:
    """Key the position targets of joints so that they follow poses at frames.

    Poses are those of the connected frames in the joints' frames, (f, 3) and (f, 4). Returns how
    many drives were keyed of each joint that has position drives.
    """
    found = {}
    for joint, poses in joints.items():
        targets = list(_targets(joint, poses))
        for drive, values in targets:
            key_target(joint, drive, np.asarray(frames, float), values)
        if targets:
            found[joint] = len(targets)
    return found


def _targets(joint: bpy.types.Object, poses: Pose) -> Iterator[tuple[int, Array]]:
    """Yield the number of each drive with a position target and the values of that, (f,)."""
    for number, drive in enumerate(joint_data(joint).settings_to_core().drives):
        if drive.position_target is None or not drive.has_known_type:
            continue
        if drive.type == DriveType.ANGULAR:
            yield number, np.unwrap(angular_metric((drive.axis,), poses.rotation))
        else:
            yield number, linear_metric((drive.axis,), poses.position)


def _set_roots(
    objects: Sequence[Node], scene: PhysicsScene, joints: Mapping[int, int], *, is_animated: bool
) -> None:
    """Have the bodies that no joint moves follow the animation, or move freely again."""
    owner, moved = scene.bodies(), set(joints.values())
    ends = {int(owner[node]) for n in joints for node in scene.joints[n].ends}
    wanted, others = ("KINEMATIC", "DYNAMIC") if is_animated else ("DYNAMIC", "KINEMATIC")
    for body in ends - moved:
        if motion_type_of(objects[body]) == others.lower():
            is_unedited = is_body_unedited(objects[body])
            body_data(objects[body]).motion_type = wanted
            if is_unedited:
                mark_body(objects[body])

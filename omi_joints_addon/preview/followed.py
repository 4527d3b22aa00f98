"""Active ragdolls: drives between bones are aimed at the pose of the animation at each frame."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..authoring.active_ragdoll import own_joints
from ..core.model.graph import Indices
from ..core.model.pose import Array, Pose, pose_from_matrix, relative_pose
from ..core.model.scene import PhysicsScene
from ..properties.active_ragdoll import active_ragdoll
from ..properties.bones import BodyBone, Node, object_of, world_matrix
from ..scene.animation import animated_paths
from ..scene.reading import nodes_of, scene_to_core
from .frames import visited

if TYPE_CHECKING:
    from ..core.solver import Simulator

_STRENGTH = "omi_active_ragdoll.strength"


class AnimatedBodies:
    """World matrices of some bodies at frames of a scene, and strengths of active ragdolls."""

    def __init__(
        self,
        scene: bpy.types.Scene,
        objects: Sequence[Node],
        nodes: Sequence[int],
        frames: range,
    ) -> None:
        """Look at the frames; node i is `objects[i]`. Leaves the scene as it was."""
        rigs = active_rigs([objects[node] for node in nodes])
        matrices: list[list[Array]] = []
        strengths: list[list[float]] = []
        for _ in visited(scene, frames) if nodes else ():
            matrices.append([np.array(world_matrix(objects[node])) for node in nodes])
            strengths.append([active_ragdoll(rig).strength for rig in rigs])
        found = np.array(matrices).reshape(len(matrices), len(nodes), 4, 4)
        self.paths = {node: found[:, number] for number, node in enumerate(nodes)}
        """World matrices (f, 4, 4) by node."""
        self.strengths = {
            rig: [row[number] for row in strengths]
            for number, rig in enumerate(rigs)
            if _STRENGTH in animated_paths(rig)
        }
        """Strengths that are keyed, at each frame."""


class FollowedJoints:
    """Joints between two bones of an active ragdoll, and their poses at each frame."""

    def __init__(
        self, objects: Sequence[Node], scene: PhysicsScene, animated: AnimatedBodies
    ) -> None:
        """Find the joints whose two bodies are animated bones of one armature."""
        owner = scene.bodies()
        self._animated = animated
        self._rigs: list[bpy.types.Object] = []
        self.joints: list[int] = []
        """Their numbers in the scene."""
        for number, joint in enumerate(scene.joints):
            ends = [int(owner[joint.node]), int(owner[joint.other])]
            bones = [objects[end] for end in ends if end in animated.paths]
            rigs = {bone.armature for bone in bones if isinstance(bone, BodyBone)}
            if len(bones) == len(rigs) + 1 == len(set(ends)):
                self.joints.append(number)
                self._rigs.append(rigs.pop())
        self.poses = _poses(scene, self.joints, animated.paths)
        """Connected frames in the joints' frames at each frame, (f, k, 3) and (f, k, 4)."""

    def aim(self, simulation: "Simulator", frame: int) -> None:
        """Aim drives at the poses of the n-th frame that was looked at, or of the last one."""
        if not self.joints:
            return
        frame = min(frame, len(self.poses.position) - 1)
        on = {rig for rig in set(self._rigs) if active_ragdoll(rig).is_on}
        chosen: Indices = np.flatnonzero([rig in on for rig in self._rigs])
        strengths = {rig: self._strength(rig, frame) for rig in on}
        simulation.aim(
            [self.joints[number] for number in chosen.tolist()],
            Pose(self.poses.position[frame, chosen], self.poses.rotation[frame, chosen]),
            np.array([strengths[self._rigs[number]] for number in chosen.tolist()]),
        )

    def _strength(self, rig: bpy.types.Object, frame: int) -> float:
        keyed = self._animated.strengths.get(rig)
        return active_ragdoll(rig).strength if keyed is None else keyed[frame]


def joint_paths(
    scene: bpy.types.Scene, armature: bpy.types.Object, frames: range
) -> dict[bpy.types.Object, Pose]:
    """Return the joints between bones of an armature with their poses at frames."""
    objects, (core, _) = nodes_of(scene), scene_to_core(scene)
    own, owner = own_joints(objects, core, armature), core.bodies()
    bodies = {int(owner[end]) for n in own for end in (core.joint_nodes[n], core.other_nodes[n])}
    animated = AnimatedBodies(scene, objects, sorted(bodies), frames)
    followed = FollowedJoints(objects, core, animated)
    return {
        object_of(objects[core.joints[number].node]): Pose(
            followed.poses.position[:, column], followed.poses.rotation[:, column]
        )
        for column, number in enumerate(followed.joints)
        if number in own
    }


def active_rigs(nodes: Sequence[Node]) -> list[bpy.types.Object]:
    """Return the armatures of bones among some nodes that follow their animation."""
    rigs = dict.fromkeys(node.armature for node in nodes if isinstance(node, BodyBone))
    return [rig for rig in rigs if active_ragdoll(rig).is_on]


def _poses(scene: PhysicsScene, joints: Sequence[int], paths: Mapping[int, Array]) -> Pose:
    """Return the connected frames in the joints' frames along the paths of their bodies."""
    if not joints:
        return Pose(np.empty((0, 0, 3)), np.empty((0, 0, 4)))
    owner, inverse = scene.bodies(), np.linalg.inv(scene.matrices)
    frames = []
    for ends in (scene.joint_nodes[joints], scene.other_nodes[joints]):
        local = inverse[owner[ends]] @ scene.matrices[ends]
        bodies = np.stack([paths[int(owner[end])] for end in ends], axis=1)
        frames.append(pose_from_matrix(bodies @ local))
    return relative_pose(*frames)

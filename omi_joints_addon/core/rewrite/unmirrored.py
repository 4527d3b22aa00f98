"""A scene whose bodies and joints are not mirrored, as formats without scale need them.

The axes of a mirrored node are left-handed: one of them is turned round, and what is given in the
axes of the node with it. A joint in mirrored frames bends as its picture in a mirror does.
"""

from collections.abc import Set
from dataclasses import replace

import numpy as np

from ..model.body import Motion
from ..model.pose import Array, pose_from_matrix, rotation_from_matrix, rotation_matrix
from ..model.scene import Joint, PhysicsScene
from .mirror import best_flip, mirrored_settings
from .scale import has_mesh
from .tree import with_parts_apart


def without_mirroring(scene: PhysicsScene) -> PhysicsScene:
    """Return a scene of which only nodes of meshes and triggers are mirrored."""
    mirrored = _mirrored(scene)
    if not mirrored:
        return scene
    if any(has_mesh(scene, node) for node in mirrored & scene.motions.keys()):
        scene = with_parts_apart(scene).scene
        mirrored = _mirrored(scene)
    ends = {end for joint in scene.joints for end in (joint.node, joint.other)}
    turned = with_frames_turned(scene)
    matrices, motions = turned.matrices.copy(), dict(scene.motions)
    for node in mirrored:
        if node not in ends and not has_mesh(scene, node):
            matrices[node] = matrices[node] @ _flipped(0)
    for node in mirrored & motions.keys():
        motions[node] = _turned(scene, node, matrices[node])
    return replace(turned, matrices=matrices, motions=motions)


def _mirrored(scene: PhysicsScene) -> set[int]:
    return {*np.flatnonzero(np.linalg.det(scene.matrices[:, :3, :3]) < 0.0).tolist()}


def with_frames_turned(scene: PhysicsScene, *, keep: Set[int] = frozenset()) -> PhysicsScene:
    """Return a scene whose joints are in frames that are not mirrored.

    Where the frame of a joint is a node to `keep`, both frames stay as they are, and count as
    turned round: along their axes it has the opposite numbers.
    """
    mirrored = _mirrored(scene)
    matrices, joints = scene.matrices.copy(), list(scene.joints)
    for number, joint in enumerate(joints):
        own = [end for end in (joint.node, joint.other) if end in mirrored]
        if not own:
            continue
        if not keep.isdisjoint(own):
            settings = joint.settings
            for axis in range(3) if len(own) == 2 else ():
                settings = mirrored_settings(settings, axis)
            joints[number] = replace(joint, settings=settings)
            continue
        flip = best_flip(joint.settings) if len(own) == 2 else _nearest_flip(scene, joint)
        if len(own) == 2:
            settings = mirrored_settings(joint.settings, flip)
            joints[number] = replace(joint, settings=settings)
        for end in own:
            matrices[end] = scene.matrices[end] @ _flipped(flip)
    return replace(scene, matrices=matrices, joints=tuple(joints))


def _flipped(axis: int) -> Array:
    """Return what turns an axis round (4, 4)."""
    matrix = np.eye(4)
    matrix[axis, axis] = -1.0
    return matrix


def _nearest_flip(scene: PhysicsScene, joint: Joint) -> int:
    """Return the axis that brings a mirrored frame nearest to the other one of a joint."""
    one, other = (
        scene.matrices[end][:3, :3] / np.linalg.norm(scene.matrices[end][:3, :3], axis=0)
        for end in (joint.node, joint.other)
    )
    return int(np.sum(one * other, axis=0).argmin())


def _turned(scene: PhysicsScene, node: int, matrix: Array) -> Motion:
    """Return a motion in the axes of a new matrix (4, 4), of which one is turned round."""
    motion = scene.motions[node]
    flip = np.rint(np.linalg.inv(matrix[:3, :3]) @ scene.matrices[node][:3, :3])
    turn = flip @ rotation_matrix(np.array(motion.inertia_orientation)) @ flip
    axes = [
        rotation_matrix(pose_from_matrix(each).rotation) for each in (scene.matrices[node], matrix)
    ]
    moved = axes[1].T @ axes[0]
    center, linear, angular = (
        _vector(turned @ np.array(vector))
        for turned, vector in (
            (flip, motion.center_of_mass),
            (moved, motion.linear_velocity),
            (moved, motion.angular_velocity),
        )
    )
    x, y, z, w = rotation_from_matrix(turn).tolist()
    return replace(
        motion,
        center_of_mass=center,
        inertia_orientation=(x, y, z, w),
        linear_velocity=linear,
        angular_velocity=angular,
    )


def _vector(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x + 0.0, y + 0.0, z + 0.0

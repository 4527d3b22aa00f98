"""A scene without scale, as formats whose bodies cannot be scaled have it."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..meaning.velocities import center_in_meters
from ..model.pose import matrix_from_pose, pose_from_matrix
from ..model.scene import PhysicsScene
from ..model.shape import MeshShape, enclosing_scaled_shape

_SAME = 1e-5
"""Difference of scales from 1 that does not count."""


def without_scale(scene: PhysicsScene) -> PhysicsScene:
    """Return a scene of which only nodes of meshes, of triggers and mirrored ones are scaled.

    Sizes of shapes and centers of mass take up the scale of the others.
    """
    scales = np.linalg.norm(scene.matrices[:, :3, :3], axis=1)
    is_scaled = (np.abs(scales - 1.0) > _SAME).any(axis=1)
    is_scaled &= np.linalg.det(scene.matrices[:, :3, :3]) > 0.0
    nodes = [node for node in np.flatnonzero(is_scaled).tolist() if not has_mesh(scene, node)]
    if not nodes:
        return scene
    matrices, motions = scene.matrices.copy(), dict(scene.motions)
    matrices[nodes] = matrix_from_pose(pose_from_matrix(matrices[nodes]))
    colliders, visuals = dict(scene.colliders), dict(scene.visuals)
    parts: tuple[dict[int, Any], ...] = (colliders, visuals)
    for node in nodes:
        # Seven digits are what single precision holds.
        x, y, z = (float(f"{factor:.7g}") for factor in scales[node].tolist())
        for table in parts:
            part = table.get(node)
            if part is not None and part.shape is not None:
                table[node] = replace(part, shape=enclosing_scaled_shape(part.shape, (x, y, z)))
        if node in motions:
            center = center_in_meters(scene, node)
            motions[node] = replace(motions[node], center_of_mass=center)
    return replace(scene, matrices=matrices, motions=motions, colliders=colliders, visuals=visuals)


def has_mesh(scene: PhysicsScene, node: int) -> bool:
    """Return whether points of a mesh or of a trigger are in the axes of a node."""
    collider, visual = scene.colliders.get(node), scene.visuals.get(node)
    is_seen = visual is not None and visual.mesh is not None
    is_touched = collider is not None and isinstance(collider.shape, MeshShape)
    return is_seen or is_touched or node in scene.triggers

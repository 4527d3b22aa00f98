"""What is wrong with frames of joints as Blender places them below scaled objects."""

from collections.abc import Iterator

import numpy as np

from ..core.findings.finding import Finding
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from .rules import OBLIQUE_FRAME

_RIGHT = 1e-3
"""Cosine between axes that is rounding."""


def frame_findings(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the frames that stand oblique on an unevenly scaled object above them.

    Blender's objects can be placed so, nodes of files cannot.
    """
    for joint in scene.joints:
        for node in (joint.node, joint.connected):
            above = -1 if node is None else int(scene.parents[node])
            if node is None or above < 0 or not _is_uneven(scene.matrices[above]):
                continue
            if _is_sheared(scene.matrices[above], scene.matrices[node]):
                words = {"frame": scene.names[node], "body": scene.names[above]}
                yield OBLIQUE_FRAME(scene.names[joint.node], **words)
                break


def _is_uneven(matrix: Array) -> bool:
    sizes = np.linalg.norm(matrix[:3, :3], axis=0)
    return bool(np.ptp(sizes) > _RIGHT * sizes.max())


def _is_sheared(above: Array, matrix: Array) -> bool:
    """Return whether the axes of a node are not at right angles, seen from the one above."""
    if abs(np.linalg.det(above[:3, :3])) < np.finfo(float).tiny:
        return False
    local = np.linalg.solve(above[:3, :3], matrix[:3, :3])
    axes = local / np.linalg.norm(local, axis=0)
    return bool(np.abs(axes.T @ axes - np.eye(3)).max() > _RIGHT)

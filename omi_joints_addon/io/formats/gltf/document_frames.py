"""Attachment frames of a document in Blender's space.

The axes of a frame keep their names, those of other nodes are renamed from Y up to Z up. So a node
that is a frame and more, such as a body or a mesh, gets a node below it that is the frame.
"""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from ....core.model.pose import Array
from ....core.model.scene import Joint

FRAME_NAME = "{} Joint Frame"
"""Name of a node that stands for the frame of the one above it."""
_ORDER = [0, 2, 1, 3]


def ends_of(joints: Iterable[Joint]) -> set[int]:
    """Return the nodes that are attachment frames."""
    return {end for joint in joints for end in (joint.node, joint.other)}


def in_blender(matrices: Array, frames: Mapping[int, int], kept: Collection[int]) -> Array:
    """Return world matrices of a document in Blender's space, those of new `frames` behind them.

    The axes of the nodes `kept` keep their names.
    """
    matrices = np.concatenate((matrices, matrices[list(frames.values())]))
    return _renamed(matrices, kept, negated=1)


def in_gltf(matrices: Array, kept: Collection[int]) -> Array:
    """Return world matrices of a scene in the space of documents, the way back of `in_blender`."""
    return _renamed(matrices, kept, negated=2)


def _renamed(matrices: Array, kept: Collection[int], *, negated: int) -> Array:
    """Return matrices with Y and Z exchanged, one of which changes its sign."""
    is_kept = np.zeros(len(matrices), dtype=np.bool_)
    is_kept[list(kept)] = True
    with np.errstate(invalid="ignore"):
        world = matrices[:, _ORDER]
        world[:, negated] = 0.0 - world[:, negated]
        renamed = world[~is_kept][:, :, _ORDER]
        renamed[:, :, negated] = 0.0 - renamed[:, :, negated]
    world[~is_kept] = renamed
    return np.asarray(world)

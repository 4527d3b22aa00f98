"""Marks of handles: the shape that the viewport's handles have, and its vertices for pictures."""

import numpy as np

from ..core.model.pose import Array, pose_from_matrix, rotate
from ..core.outline.handles import handles
from .colors import Colors
from .geometry import Vertices
from .joint_arrays import JointArrays
from .paint import color_bytes

OCTAHEDRON = np.array(
    [
        corner
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (-1, 1)
        for corner in ((x, 0, 0), (0, y, 0), (0, 0, z))
    ],
    float,
)
"""Triangles of a handle of radius 1."""


def handle_faces(joints: JointArrays, sizes: Array, radius: Array, color: Colors) -> Vertices:
    """Return the faces of all handles of all joints; `sizes` and `radius` [m] have shape (n,)."""
    places: list[tuple[int, Array]] = []
    sizes = sizes * joints.handedness()
    for number, settings in enumerate(joints.settings):
        frame = pose_from_matrix(joints.frames[number, 0])
        for handle in handles(settings):
            anchor, offset = handle.place(handle.value)
            local = anchor + sizes[number] * offset
            places.append((number, frame.position + rotate(frame.rotation, local)))
    points = [place + radius[number] * OCTAHEDRON for number, place in places]
    position = np.concatenate([np.empty((0, 3)), *points]).astype(np.float32)
    return Vertices(position, np.tile(color_bytes(color), (len(position), 1)))

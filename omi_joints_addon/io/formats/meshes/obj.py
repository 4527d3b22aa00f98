"""Wavefront OBJ: points and faces, everything else is left out. Double precision."""

from itertools import pairwise

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.numbers import all_usable


def mesh_from_obj(data: bytes) -> MeshData:
    """Return points and triangles; faces are taken apart as fans; raises `ValueError`."""
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in data.replace(b"\\\n", b" ").splitlines():
        words = line.split()
        if not words or words[0] not in (b"v", b"f"):
            continue
        if words[0] == b"v":
            if len(words) < 4:
                raise ValueError("a point has fewer than three numbers")
            points.append((float(words[1]), float(words[2]), float(words[3])))
        else:
            corners = [_index(word, len(points)) for word in words[1:]]
            triangles += [(corners[0], one, other) for one, other in pairwise(corners[1:])]
    array = np.array(points, float).reshape(-1, 3)
    if not triangles or not all_usable(array):
        raise ValueError("holds no faces" if not triangles else "a point is not finite")
    return MeshData(points=array, triangles=np.array(triangles, np.intp))


def obj_from_mesh(mesh: MeshData) -> bytes:
    """Return an OBJ file with every digit of the points."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.points.astype(float).tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles.tolist()]
    return "\n".join((*lines, "")).encode("ascii")


def _index(word: bytes, count: int) -> int:
    """Return the point of a corner, counted from 0; negative ones count from the last point."""
    number = int(word.partition(b"/")[0])
    index = number - 1 if number > 0 else count + number
    if not 0 <= index < count:
        raise ValueError(f"a face refers to the missing point {number}")
    return index

"""STL, binary and text. Equal corners become one point."""

import re

import numpy as np

from ....core.model.mesh import MeshData
from ....core.model.numbers import all_usable

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEAD = 84
_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def mesh_from_stl(data: bytes) -> MeshData:
    """Return points and triangles; raises `ValueError`."""
    count = int.from_bytes(data[80:_HEAD], "little") if len(data) >= _HEAD else -1
    if count >= 0 and len(data) >= _HEAD + count * _RECORD.itemsize and not _is_text(data, count):
        records = np.frombuffer(data, _RECORD, count, _HEAD)
        corners = records["corners"].reshape(-1, 3).astype(float)
    else:
        corners = _text_corners(data)
    if not all_usable(corners):
        raise ValueError("a point is not finite")
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return MeshData(points=points, triangles=index.reshape(-1, 3).astype(np.intp))


def stl_from_mesh(mesh: MeshData) -> bytes:
    """Return a binary STL file, single precision."""
    records = np.zeros(len(mesh.triangles), _RECORD)
    # Normals of what is written: of points with more digits they would differ when read again.
    corners = mesh.points.astype(np.float32).astype(float)[mesh.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    records["normal"] = normals / np.where(lengths > 0.0, lengths, 1.0)
    records["corners"] = corners
    head = b"points and triangles in meters".ljust(80)
    return head + len(records).to_bytes(4, "little") + records.tobytes()


def _is_text(data: bytes, count: int) -> bool:
    """Return whether this is a text whose 81st to 84th characters happen to be a small number."""
    is_exact = len(data) == _HEAD + count * _RECORD.itemsize
    return not is_exact and data.lstrip()[:5] == b"solid" and b"vertex" in data[:4096]


def _text_corners(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    found = [tuple(map(float, match)) for match in _VERTEX.findall(data)]
    if not data.lstrip().startswith(b"solid") or len(found) % 3 or not found:
        raise ValueError("is not an STL file, or is cut off")
    return np.array(found)

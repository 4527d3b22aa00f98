"""Collada: points and triangles of all geometries of the scene, in meters.

The unit of the file counts; its up axis does not, as in the viewers of ROS, whose robots are drawn
with Z up whatever their files say.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ....core.model.mesh import MeshData
from ....core.model.numbers import all_usable, is_usable
from ....core.model.pose import Array

Indices = NDArray[np.intp]

_DEEPEST = 200
_MOST = 10_000
"""Instances that are read at most."""


def mesh_from_collada(data: bytes) -> MeshData:
    """Return points and triangles; raises `ValueError`."""
    root = _root(data)
    geometries = {
        element.get("id", ""): element for element in root.iterfind("library_geometries/geometry")
    }
    unit = _float(_attribute(root, "asset/unit", "meter", "1"))
    points: list[Array] = []
    triangles: list[Indices] = []
    count = 0
    for matrix, identifier in _instances(root):
        if identifier not in geometries:
            continue
        for corners, faces in _pieces(geometries[identifier]):
            points.append((corners @ matrix[:3, :3].T + matrix[:3, 3]) * unit)
            triangles.append(faces + count)
            count += len(corners)
    if not points:
        raise ValueError("holds no triangles")
    everything = np.concatenate(points)
    if not all_usable(everything):
        raise ValueError("a point is not finite")
    return MeshData(points=everything, triangles=np.concatenate(triangles).astype(np.intp))


class _Target(ET.TreeBuilder):
    """Builder that refuses a DOCTYPE and forgets namespaces."""

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse the document."""
        raise ValueError("has a DOCTYPE")

    def start(self, tag: str, attrs: dict[str, str], /) -> ET.Element:
        """Open an element."""
        return super().start(tag.rpartition("}")[2], attrs)

    def end(self, tag: str, /) -> ET.Element:
        """Close an element."""
        return super().end(tag.rpartition("}")[2])


def _root(data: bytes) -> ET.Element:
    try:
        root = ET.fromstring(data, parser=ET.XMLParser(target=_Target()))
    except (ET.ParseError, LookupError) as error:
        raise ValueError(f"is not valid XML: {error}") from error
    if root.tag != "COLLADA":
        raise ValueError(f"has the root {root.tag!r}, not 'COLLADA'")
    return root


def _instances(root: ET.Element) -> Iterator[tuple[Array, str]]:
    """Yield the matrix (4, 4) and the name of each geometry in the first scene."""
    scenes = root.findall("library_visual_scenes/visual_scene")
    wanted = _attribute(root, "scene/instance_visual_scene", "url", "#").removeprefix("#")
    scene = next((found for found in scenes if found.get("id") == wanted), None)
    if scene is None:
        scene = scenes[0] if scenes else root
    front = [(np.eye(4), node, 0) for node in reversed(scene.findall("node"))]
    left = _MOST
    while front and left:
        above, node, depth = front.pop()
        left -= 1
        matrix = above @ _transform(node)
        for tag in ("instance_geometry", "instance_controller"):
            yield from (
                (matrix, found.get("url", "").removeprefix("#")) for found in node.findall(tag)
            )
        if depth < _DEEPEST:
            front += [(matrix, child, depth + 1) for child in reversed(node.findall("node"))]


def _transform(node: ET.Element) -> Array:
    """Return the product of a node's transforms in their order."""
    matrix = np.eye(4)
    for element in node:
        values = _floats(element.text) if element.tag in _SIZES else np.zeros(0)
        if len(values) != _SIZES.get(element.tag):
            continue
        step = np.eye(4)
        if element.tag == "matrix":
            step = values.reshape(4, 4)
        elif element.tag == "translate":
            step[:3, 3] = values
        elif element.tag == "scale":
            step[:3, :3] = np.diag(values)
        else:
            step[:3, :3] = _turn(values)
        matrix = matrix @ step
    return matrix


_SIZES = {"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}


def _turn(values: Array) -> Array:
    """Return the rotation (3, 3) about an axis by degrees."""
    length = float(np.linalg.norm(values[:3]))
    if length == 0.0:
        return np.eye(3)
    x, y, z = values[:3] / length
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    angle = math.radians(values[3])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross)


def _pieces(geometry: ET.Element) -> Iterator[tuple[Array, Indices]]:
    """Yield points (n, 3) and triangles (t, 3) of each list of faces."""
    mesh = geometry.find("mesh")
    if mesh is None:
        return
    sources = {found.get("id", ""): found for found in mesh.findall("source")}
    positions = {
        found.get("id", ""): _attribute(found, "input[@semantic='POSITION']", "source", "")
        for found in mesh.findall("vertices")
    }
    for faces in mesh:
        if faces.tag not in ("triangles", "polylist", "polygons"):
            continue
        offset, stride, vertices = _layout(faces)
        source = sources.get(positions.get(vertices, "").removeprefix("#"))
        array = None if source is None else source.find("float_array")
        if array is None or vertices not in positions:
            continue
        points = _floats(array.text)
        corners = points[: len(points) // 3 * 3].reshape(-1, 3)
        triangles = _triangles(faces, offset, stride)
        if len(triangles) and triangles.min() >= 0 and triangles.max() < len(corners):
            yield corners, triangles
        elif len(triangles):
            raise ValueError("a face refers to a missing point")


def _layout(faces: ET.Element) -> tuple[int, int, str]:
    """Return the offset of the points among the indices, their stride, and who has the points."""
    offset, stride, vertices = 0, 1, ""
    for found in faces.findall("input"):
        place = int(_float(found.get("offset", "0")))
        stride = max(stride, place + 1)
        if found.get("semantic") == "VERTEX":
            offset, vertices = place, found.get("source", "").removeprefix("#")
    return offset, stride, vertices


def _triangles(faces: ET.Element, offset: int, stride: int) -> Indices:
    """Return the triangles (t, 3) of faces, taken apart as fans."""
    lists = [_floats(found.text).astype(np.intp) for found in faces.findall("p")]
    if faces.tag == "triangles":
        index = np.concatenate(lists)[offset::stride] if lists else np.zeros(0, np.intp)
        return index[: len(index) // 3 * 3].reshape(-1, 3)
    if faces.tag == "polygons":
        index = (
            np.concatenate([found[offset::stride] for found in lists])
            if lists
            else np.zeros(0, np.intp)
        )
        counts = np.array([len(found[offset::stride]) for found in lists])
    else:
        counts = _floats(getattr(faces.find("vcount"), "text", "")).astype(np.intp)
        index = lists[0][offset::stride] if lists else np.zeros(0, np.intp)
    if (counts < 0).any() or counts.sum() > len(index):
        raise ValueError("a list of faces is cut off")
    return _fans(index, counts.astype(np.intp))


def _fans(index: Indices, counts: Indices) -> Indices:
    """Return the triangles of polygons of `counts` corners."""
    starts = np.cumsum(counts) - counts
    sizes = np.maximum(counts - 2, 0)
    first = np.repeat(starts, sizes)
    step = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(index[np.stack((first, first + step + 1, first + step + 2), axis=1)])


def _attribute(element: ET.Element, path: str, name: str, default: str) -> str:
    found = element.find(path)
    return default if found is None else found.get(name, default)


def _floats(text: str | None) -> Array:
    """Return the numbers of a text; raises `ValueError`."""
    return np.array((text or "").split(), dtype=float)


def _float(text: str) -> float:
    number = float(text)
    if not is_usable(number):
        raise ValueError(f"{text} is not finite, or too large")
    return number

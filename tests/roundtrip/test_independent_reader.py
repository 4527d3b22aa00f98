"""What Blender's exporter writes with our hooks, read by `pygltflib` and by the container's sizes.

Expected values are those that the scene is authored with, turned by hand into glTF's axes.
"""

import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from tests.roundtrip.documents import HINGE, JOINT, add, add_door, triangle

pygltflib = pytest.importorskip("pygltflib")
BODY, SHAPE = "OMI_physics_body", "OMI_physics_shape"
KHR, KHR_SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_FORMATS = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


def author() -> None:
    """Add a door with a box, and a shown mesh whose shape is another mesh that nothing shows."""
    _, door, _, _ = add_door()
    collider = door.omi_body.collider
    collider.source, collider.shape.type = "CUSTOM", "BOX"
    collider.shape.size = (1.0, 0.25, 2.0)
    cube = bpy.data.meshes.new("Cube")
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    cube.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5)])
    stone = add("Stone", cube, location=(0, 0, 4))
    collider = stone.omi_body.collider
    collider.source, collider.shape.type = "CUSTOM", "CONVEX"
    collider.shape.mesh = triangle("Hull")


def exported(path: Path) -> Any:
    """Export all in both dialects and return the document as `pygltflib` has it."""
    bpy.context.view_layer.update()
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    kind = "GLB" if path.suffix == ".glb" else "GLTF_SEPARATE"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format=kind)
    return pygltflib.GLTF2().load(str(path))


def elements(document: Any, blob: bytes, index: int) -> np.ndarray:
    """Return an accessor's elements, all of it within its view and that within the buffer."""
    accessor = document.accessors[index]
    view = document.bufferViews[accessor.bufferView]
    width, kind = _WIDTHS[accessor.type], np.dtype(_FORMATS[accessor.componentType])
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
    length = accessor.count * width * kind.itemsize
    assert start % kind.itemsize == 0
    assert (accessor.byteOffset or 0) + length <= view.byteLength
    assert (view.byteOffset or 0) + view.byteLength <= document.buffers[view.buffer].byteLength
    found = np.frombuffer(blob[start : start + length], kind).reshape(-1, width)
    if accessor.min:
        np.testing.assert_allclose(found.min(axis=0), accessor.min, atol=1e-6)
        np.testing.assert_allclose(found.max(axis=0), accessor.max, atol=1e-6)
    return found


def node_named(document: Any, name: str) -> Any:
    (node,) = [node for node in document.nodes if node.name == name]
    return node


def test_chunks_of_a_binary_file_have_the_sizes_that_they_say(tmp_path: Path) -> None:
    author()
    document = exported(tmp_path / "door.glb")
    data = (tmp_path / "door.glb").read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert (kind, size % 4) == (b"JSON", 0)
    binary, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert (kind, binary % 4) == (b"BIN\0", 0)
    assert 28 + size + binary == len(data)
    (buffer,) = document.buffers
    assert binary - 3 <= buffer.byteLength <= binary


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_another_reader_finds_joints_bodies_and_meshes(tmp_path: Path, suffix: str) -> None:
    author()
    document = exported(tmp_path / f"door{suffix}")
    blob = document.binary_blob() or (tmp_path / "door.bin").read_bytes()
    for index in range(len(document.accessors)):
        elements(document, blob, index)
    assert {JOINT, BODY, SHAPE, KHR, KHR_SHAPES} <= set(document.extensionsUsed)
    assert not document.extensionsRequired
    joint = node_named(document, "Joint").extensions
    assert document.nodes[joint[JOINT]["connectedNode"]].name == "Connected"
    assert joint[KHR]["joint"]["connectedNode"] == joint[JOINT]["connectedNode"]
    for name, value in ((JOINT, joint[JOINT]), (KHR, joint[KHR]["joint"])):
        assert document.extensions[name]["physicsJoints"][value["joint"]] == HINGE
    door = node_named(document, "Door").extensions
    shapes = document.extensions[SHAPE]["shapes"]
    # Width, depth and height are x, -z and y in glTF.
    assert shapes[door[BODY]["collider"]["shape"]]["box"]["size"] == [1, 2, 0.25]
    assert door[BODY]["motion"]["type"] == "dynamic"
    box = document.extensions[KHR_SHAPES]["shapes"][door[KHR]["collider"]["geometry"]["shape"]]
    assert box == {"type": "box", "box": {"size": [1, 2, 0.25]}}
    stone = node_named(document, "Stone").extensions
    hull = shapes[stone[BODY]["collider"]["shape"]]["convex"]["mesh"]
    geometry = stone[KHR]["collider"]["geometry"]
    assert geometry["convexHull"]
    assert document.nodes[geometry["node"]].mesh == geometry["mesh"] == hull
    (primitive,) = document.meshes[hull].primitives
    points = elements(document, blob, primitive.attributes.POSITION)
    corners = elements(document, blob, primitive.indices)[:, 0]
    assert points[corners].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, -1]]

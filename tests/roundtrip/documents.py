"""Scenes authored in Blender, and files read without it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np

JOINT = "OMI_physics_joint"
BODY = "OMI_physics_body"
Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=float)
"""Blender's world in the axes of glTF."""


def add(name: str, data: Any = None, *, parent: Any = None, **values: Any) -> Any:
    """Return a new object of the scene."""
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    obj.parent = parent
    for key, value in values.items():
        setattr(obj, key, value)
    return obj


def triangle(name: str = "Triangle") -> Any:
    """Return a new mesh."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    return mesh


def add_body(name: str, motion_type: str, *, data: Any = None, **values: Any) -> Any:
    """Return a new body."""
    body = add(name, data, **values)
    body.omi_body.motion_type = motion_type
    return body


def make_hinge(joint: Any, connected: Any) -> Any:
    """Make an object a joint that turns about its local Z by -0.25 to 1.5 rad."""
    data = joint.omi_joint
    data.enabled, data.connected_object = True, connected
    data.limits.add().linear_axes = (True, True, True)
    data.limits.add().angular_axes = (True, True, False)
    turn = data.limits.add()
    turn.angular_axes, turn.min, turn.max = (False, False, True), -0.25, 1.5
    return joint


HINGE = {
    "limits": [
        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 1], "min": 0, "max": 0},
        {"angularAxes": [2], "min": -0.25, "max": 1.5},
    ]
}
"""What `make_hinge` looks like in a file."""


def add_door() -> tuple[Any, Any, Any, Any]:
    """Return wall, door, joint and connected frame, all at places and angles of their own."""
    wall = add_body("Wall", "STATIC", location=(1, 2, 3), rotation_euler=(0.3, -0.2, 0.5))
    door = add_body("Door", "DYNAMIC", location=(2, 2.5, 3), rotation_euler=(-0.4, 0.1, 0.9))
    joint = add("Joint", parent=door, location=(-1, 0.25, 0), rotation_euler=(0.2, 0.7, -0.3))
    connected = add("Connected", parent=wall, location=(0, 0.5, 1), rotation_euler=(1, 2, 0.1))
    make_hinge(joint, connected)
    return wall, door, joint, connected


def export(folder: Path, name: str = "file.gltf", **options: Any) -> dict[str, Any]:
    """Export all and return the document as it was written."""
    target = folder / name
    assert bpy.ops.export_scene.gltf(
        filepath=str(target), export_format="GLTF_SEPARATE", **options
    ) == {"FINISHED"}
    return json.loads(target.read_text())


def import_file(path: Path, **options: Any) -> None:
    """Import a file into an empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.import_scene.gltf(filepath=str(path), **options) == {"FINISHED"}
    bpy.context.view_layer.update()


def write(folder: Path, document: dict[str, Any], name: str = "made.gltf") -> Path:
    """Write a document as a file."""
    path = folder / name
    path.write_text(json.dumps({"asset": {"version": "2.0"}} | document))
    return path


def node_named(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the one node of a name."""
    (node,) = [node for node in document["nodes"] if node["name"] == name]
    return node


def joint_nodes(document: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield index and extension object of each node that is a joint."""
    for index, node in enumerate(document["nodes"]):
        if JOINT in node.get("extensions", {}):
            yield index, node["extensions"][JOINT]


def joints(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each joint by the name of its node, its references resolved."""
    settings = document["extensions"][JOINT]["physicsJoints"]
    names = [node["name"] for node in document["nodes"]]
    return {
        names[index]: joint
        | {"joint": settings[joint["joint"]], "connectedNode": names[joint["connectedNode"]]}
        for index, joint in joint_nodes(document)
    }


def parents(document: dict[str, Any]) -> dict[int, int]:
    """Return the parent of each node that has one."""
    return {
        child: index
        for index, node in enumerate(document["nodes"])
        for child in node.get("children", ())
    }


def world(document: dict[str, Any], index: int) -> np.ndarray:
    """Return the world matrix of a node, by the definition of glTF."""
    above = parents(document)
    matrix = local_matrix(document["nodes"][index])
    while (index := above.get(index, -1)) >= 0:
        matrix = local_matrix(document["nodes"][index]) @ matrix
    return matrix


def world_of(obj: Any) -> np.ndarray:
    """Return the world matrix of an object, in Blender's axes."""
    bpy.context.view_layer.update()
    return np.array([list(row) for row in obj.matrix_world])


def axes_and_place(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix without its scale."""
    matrix = matrix.copy()
    matrix[:3, :3] /= np.linalg.norm(matrix[:3, :3], axis=0)
    return matrix


def assert_same_frame(found: np.ndarray, expected: np.ndarray) -> None:
    """Assert that two frames have the same place and axes to 1e-5 of the scene's size."""
    difference = np.abs(axes_and_place(found) - axes_and_place(expected)).max()
    assert difference < 1e-5 * max(1.0, np.abs(expected[:3, 3]).max())


def popups(capsys: Any) -> list[str]:
    """Return the warnings that a person sees after an operator, and that are in the log as well.

    `bpy.ops` prints what it reports.
    """
    lines = capsys.readouterr().out.splitlines()
    seen = [line.removeprefix("Warning: ") for line in lines if line.startswith("Warning: ")]
    logged = [line.partition("| WARNING: ")[2] for line in lines]
    assert set(seen) <= set(logged)
    return seen


def local_matrix(node: dict[str, Any]) -> np.ndarray:
    """Return where a node is in its parent, by its translation, rotation and scale."""
    assert "matrix" not in node
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)))
    matrix[:3, 3] = node.get("translation", (0, 0, 0))
    return matrix

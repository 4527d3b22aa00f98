"""Small objects of bodies, made without operators, and their export."""

import json
from pathlib import Path
from typing import Any

import bpy

from tests.roundtrip.body_meaning import nodes_by_name
from tests.roundtrip.documents import add

CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def block(
    name: str,
    *,
    low: tuple[float, float, float] = (-1.0, -1.0, -1.0),
    high: tuple[float, float, float] = (1.0, 1.0, 1.0),
    parent: Any = None,
    **attributes: Any,
) -> Any:
    """Return a new object with a box from `low` to `high` as its mesh."""
    corners = [
        (x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])
    ]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], CUBE_FACES)
    return add(name, mesh, parent=parent, **attributes)


def make_rigid(*objects: Any, **attributes: Any) -> None:
    """Make objects Rigid Bodies of Blender."""
    scene = bpy.context.scene
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
        scene.rigidbody_world.collection = bpy.data.collections.new("Rigid")
    for obj in objects:
        scene.rigidbody_world.collection.objects.link(obj)
        for attribute, value in attributes.items():
            setattr(obj.rigid_body, attribute, value)


def collide(obj: Any, shape: str, **sizes: Any) -> Any:
    """Give an object a collider of its own; return its shape."""
    obj.omi_body.collider.source = "CUSTOM"
    group = obj.omi_body.collider.shape
    group.type = shape
    for name, value in sizes.items():
        setattr(group, name, value)
    return group


def export(folder: Path, name: str = "file.gltf", **options: Any) -> dict[str, Any]:
    """Return the document that Blender writes."""
    bpy.context.view_layer.update()
    target = folder / name
    bpy.ops.export_scene.gltf(filepath=str(target), export_format="GLTF_SEPARATE", **options)
    document: dict[str, Any] = json.loads(target.read_text())
    return document


def export_again(
    folder: Path, name: str = "file.gltf", *, rigid_bodies: bool = False
) -> dict[str, Any]:
    """Return the document that Blender writes after reading the file that it wrote."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_rigid_bodies = rigid_bodies
    bpy.ops.import_scene.gltf(filepath=str(folder / name))
    return export(folder, "again.gltf")


def import_document(folder: Path, document: dict[str, Any]) -> None:
    """Import a document."""
    file = folder / "made.gltf"
    file.write_text(json.dumps({"asset": {"version": "2.0"}} | document))
    bpy.ops.import_scene.gltf(filepath=str(file))


def child_names(document: dict[str, Any], name: str) -> list[str]:
    """Return the names of the nodes right below a node."""
    children = nodes_by_name(document)[name].get("children", ())
    return [document["nodes"][index]["name"] for index in children]

"""Meshes and materials of a physics scene as Blender data, each made once."""

import math
from typing import Any

import bpy
import numpy as np

from ..core.model.mesh import MeshData, Visual
from ..core.model.scene import PhysicsScene
from ..core.model.shape import Box, Shape, Sphere
from ..core.shapes.surface import shape_surface
from ..properties.appearance import COLOR

Color = tuple[float, float, float, float]
SHARP = math.radians(30.0)
"""Angle between faces from which on their edge is sharp: cylinders look round, boxes do not."""


class Meshes:
    """Meshes and materials that the objects of one scene share."""

    def __init__(self, data: bpy.types.BlendData, scene: PhysicsScene, problems: list[str]) -> None:
        self._data = data
        self._scene = scene
        self._problems = problems
        self._of_index: dict[int, bpy.types.Mesh | None] = {}
        self._of_shape: dict[Shape, bpy.types.Mesh | None] = {}
        self._materials: dict[tuple[Color, str], bpy.types.Material] = {}

    def of_visual(self, visual: Visual, name: str) -> bpy.types.Mesh | None:
        """Return what a node shows, None where it cannot be had."""
        if visual.mesh is not None:
            return self.of_index(visual.mesh)
        if visual.shape is None:
            return None
        if visual.shape not in self._of_shape:
            surface = shape_surface(visual.shape)
            mesh = None if surface is None else new_mesh(self._data, name, surface)
            self._of_shape[visual.shape] = mesh
        return self._of_shape[visual.shape]

    def of_index(self, index: int) -> bpy.types.Mesh | None:
        """Return a mesh of the scene, None where it cannot be read."""
        if index not in self._of_index:
            self._of_index[index] = self._read(index)
        return self._of_index[index]

    def material(self, visual: Visual) -> bpy.types.Material:
        """Return the material of a color and a name."""
        color = visual.color or (1.0, 1.0, 1.0, 1.0)
        look = (color, visual.material)
        if look not in self._materials:
            self._materials[look] = _new_material(self._data, color, visual.material or COLOR)
        return self._materials[look]

    def _read(self, index: int) -> bpy.types.Mesh | None:
        if not 0 <= index < len(self._scene.meshes):
            self._problems.append(f"mesh {index} does not exist")
            return None
        mesh = self._scene.meshes[index]
        try:
            return new_mesh(self._data, mesh.name or "Mesh", mesh.read())
        except ValueError as error:
            self._problems.append(f"{mesh.name or mesh.uri}: {error}")
            return None


def new_mesh(data: bpy.types.BlendData, name: str, surface: MeshData) -> bpy.types.Mesh:
    """Return a new mesh of points and triangles, smooth but at its edges."""
    mesh = data.meshes.new(name)
    count = len(surface.triangles)
    mesh.vertices.add(len(surface.points))
    mesh.vertices.foreach_set("co", surface.points.astype(np.float32).ravel())
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", surface.triangles.astype(np.int32).ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.validate()
    mesh.set_sharp_from_angle(angle=SHARP)
    return mesh


def colored(obj: bpy.types.Object, material: bpy.types.Material) -> None:
    """Give an object a material of its own, whatever shares its mesh."""
    mesh: Any = obj.data
    if not mesh.materials:
        mesh.materials.append(None)
    obj.material_slots[0].link = "OBJECT"
    obj.material_slots[0].material = material


def show_shape(empty: bpy.types.Object, shape: Shape) -> None:
    """Show a shape by the display of its empty, where one looks like it."""
    if isinstance(shape, Sphere):
        empty.empty_display_type = "SPHERE"
        empty.empty_display_size = shape.radius
    elif isinstance(shape, Box):
        is_cube = len(set(shape.size)) == 1
        empty.empty_display_type = "CUBE" if is_cube else "PLAIN_AXES"
        empty.empty_display_size = min(shape.size) / 2.0


def _new_material(data: bpy.types.BlendData, color: Color, name: str) -> bpy.types.Material:
    material = data.materials.new(name)
    material.diffuse_color = color
    if material.node_tree is None:
        material.use_nodes = True
    tree = material.node_tree
    shader: Any = None if tree is None else tree.nodes.get("Principled BSDF")
    if shader is not None:
        shader.inputs["Base Color"].default_value = color
        shader.inputs["Alpha"].default_value = color[3]
    return material

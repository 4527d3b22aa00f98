"""The color that an object is shown in."""

from typing import Any

import bpy

COLOR = "Color"
"""Name of the materials that are made of colors without a name."""


def color_of(obj: bpy.types.Object) -> tuple[float, float, float, float] | None:
    """Return linear red, green, blue and alpha of an object's first material, None without one."""
    material = obj.material_slots[0].material if obj.material_slots else None
    if material is None:
        return None
    color = _shader_color(material) or tuple(material.diffuse_color)
    red, green, blue, alpha = (round(part, 6) for part in color)
    return red, green, blue, alpha


def material_of(obj: bpy.types.Object) -> str:
    """Return the name of an object's first material, empty for one that stands for a color."""
    material = obj.material_slots[0].material if obj.material_slots else None
    name = "" if material is None else material.name
    return "" if name.partition(".")[0] == COLOR else name


def _shader_color(material: bpy.types.Material) -> tuple[float, ...] | None:
    """Return the base color of a material's principled shader, where it is one color."""
    nodes: Any = material.node_tree.nodes if material.node_tree is not None else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None or shader.inputs["Base Color"].is_linked:
        return None
    red, green, blue, _ = shader.inputs["Base Color"].default_value
    return red, green, blue, shader.inputs["Alpha"].default_value

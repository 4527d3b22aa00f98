"""Objects that the examples are made of, added through Blender's own operators."""

import math
from collections.abc import Sequence

import bpy
from mathutils import Vector


def box(name: str, *, size: Sequence[float], location: Sequence[float]) -> bpy.types.Object:
    """Add a box with applied scale; metres."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=location)
    obj = bpy.context.object
    obj.name = obj.data.name = name
    for vertex in obj.data.vertices:
        vertex.co *= Vector(size)
    return obj


def capsule(name: str, *, radius: float, length: float, top: Sequence[float]) -> bpy.types.Object:
    """Add an upright rod with round ends; metres, `length` between the caps, upper end at `top`."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=10, radius=radius)
    obj = bpy.context.object
    obj.name = obj.data.name = name
    for vertex in obj.data.vertices:
        vertex.co.z += math.copysign(length / 2.0, vertex.co.z)
    obj.location = Vector(top) - Vector((0.0, 0.0, length / 2.0 + radius))
    return obj


def cylinder(
    name: str, *, radius: float, width: float, location: Sequence[float]
) -> bpy.types.Object:
    """Add a wheel with its axle along world X; metres."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=radius, depth=width, location=location, rotation=(0.0, math.pi / 2.0, 0.0)
    )
    obj = bpy.context.object
    obj.name = obj.data.name = name
    return obj


def make_body(obj: bpy.types.Object, *, mass: float, motion_type: str = "DYNAMIC") -> None:
    """Make an object a body with the shape that fits it best."""
    select(obj)
    bpy.ops.omi.body_add(motion_type=motion_type)
    obj.omi_body.mass = mass


def select(*objects: bpy.types.Object, onto: str | None = None) -> None:
    """Select objects only; the one named `onto` too, as the active one."""
    bpy.ops.object.select_all(action="DESELECT")
    chosen = [*objects, *([bpy.data.objects[onto]] if onto else [])]
    for obj in chosen:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = chosen[-1]

"""Objects made physics bodies: motion types, fitted shapes, mass and inertia."""

from dataclasses import replace

import bpy
import numpy as np

from ..core.model.pose import Array
from ..core.shapes.fit import Fit, Points, fit_shape, guess_fit
from ..core.shapes.inertia import Solid, inertia_at, principal_axes
from ..properties.body import body_data, fittable_shapes, motion_from_core, motion_of
from ..properties.exact import single
from ..properties.mesh_points import MeshReader
from ..properties.shape import GUESS, NONE, fit_type
from ..scene.solids import Children
from .context import present
from .frames import new_empty


class Fits:
    """Shapes fitted to meshes; objects that share a mesh have it fitted once."""

    def __init__(self, reader: MeshReader) -> None:
        self._reader = reader
        self._found: dict[tuple[str, bpy.types.ID], Fit | None] = {}

    def of(self, shape: str, obj: bpy.types.Object) -> Fit | None:
        """Return what `fitted` returns for the mesh of an object."""
        key = shape, self._reader.source_of(obj)
        if key not in self._found:
            self._found[key] = fitted(shape, self._reader.points(obj))
        return self._found[key]


def make_body(
    obj: bpy.types.Object,
    reader: MeshReader,
    *,
    motion_type: str = "DYNAMIC",
    shape: str = GUESS,
    fits: Fits | None = None,
) -> None:
    """Make an object a STATIC, KINEMATIC or DYNAMIC body with a collision shape.

    `shape` is a type of `OMI_PG_shape`, `GUESS`, or NONE. Blender's Rigid Body keeps its own shape.
    `fits` are shared by the objects of one operation.
    """
    if obj.rigid_body is not None:
        obj.rigid_body.type = "ACTIVE" if motion_type == "DYNAMIC" else "PASSIVE"
        obj.rigid_body.kinematic = motion_type == "KINEMATIC"
        return
    body_data(obj).motion_type = motion_type
    collider = body_data(obj).collider
    if shape == NONE:
        collider.source = NONE
        return
    fit = (fits or Fits(reader)).of(shape, obj)
    if fit is not None:
        collider.source = "CUSTOM"
        collider.shape.from_fit(fit)
        collider.shape.mesh = None


def set_motion_type(obj: bpy.types.Object, motion_type: str) -> None:
    """Make an object a body where it is none; a body keeps its motion type."""
    if motion_of(obj) is None:
        body_data(obj).motion_type = motion_type


def fit_shapes(
    obj: bpy.types.Object, children: Children, reader: MeshReader, *, shape: str = "SAME"
) -> bool:
    """Fit the shapes of an object to its mesh or those around; return whether there was a mesh.

    `shape` is a type of `OMI_PG_shape`, `GUESS`, or SAME for the type that each shape has.
    """
    points = _points_around(obj, children, reader)
    for own in fittable_shapes(obj):
        fit = fitted(own.type if shape == "SAME" else shape, points)
        if fit is None:
            return False
        own.from_fit(fit)
    return True


def fitted(type_: str, points: Points) -> Fit | None:
    """Return the shape of an enum identifier fitted to points; None where they have no extent."""
    return guess_fit(points) if type_ == GUESS else fit_shape(fit_type(type_), points)


def add_anchor(context: bpy.types.Context) -> bpy.types.Object:
    """Return a new static body at the 3D cursor that represents the world."""
    anchor = new_empty(context, "World Anchor", display="CUBE", size=0.1)
    present(context.collection).objects.link(anchor)
    anchor.matrix_world = present(context.scene).cursor.matrix
    body_data(anchor).motion_type = "STATIC"
    return anchor


def set_mass(body: bpy.types.Object, mass: float) -> None:
    """Set the mass [kg] of a body where it is kept."""
    if body.rigid_body is not None:
        body.rigid_body.mass = mass
    body_data(body).mass = mass


def set_inertia(body: bpy.types.Object, solid: Solid) -> tuple[float, ...]:
    """Set inertia and center of mass of a body from its solid; return the moments [kg·m²]."""
    motion = motion_of(body)
    assert motion is not None
    moments, rotation = principal_axes(inertia_at(solid, motion.mass))
    # The center is in the space of the node, which the body's scale is part of.
    scale = np.array(body.matrix_world.to_scale())
    center = np.where(scale == 0.0, 0.0, solid.center / np.where(scale == 0.0, 1.0, scale))
    data = body_data(body)
    motion_type = data.motion_type
    found = replace(
        motion,
        center_of_mass=_vector(center),
        inertia_diagonal=_vector(moments),
        inertia_orientation=(*_vector(rotation[:3]), float(rotation[3])),
    )
    motion_from_core(data, found)
    data.motion_type = motion_type
    return _vector(moments)


def _points_around(obj: bpy.types.Object, children: Children, reader: MeshReader) -> Points:
    """Return the vertices (n, 3) that a shape of the object is to hold, in the object's axes."""
    own = reader.points(obj)
    if len(own):
        return own
    below, waiting = [], list(children.get(obj, ()))
    while waiting:
        child = waiting.pop()
        if motion_of(child) is None:
            below.append(child)
            waiting += children.get(child, ())
    around = [other for other in below if len(reader.points(other))]
    if not around and obj.parent is not None:
        around = [obj.parent]
    world = np.linalg.inv(np.array(obj.matrix_world, float))
    clouds = [
        _moved(reader.points(other), world @ np.array(other.matrix_world)) for other in around
    ]
    return np.concatenate([np.empty((0, 3)), *clouds])


def _moved(points: Points, matrix: Points) -> Points:
    moved: Points = points @ matrix[:3, :3].T + matrix[:3, 3]
    return moved


def _vector(values: Array) -> tuple[float, float, float]:
    # Rounding to what Blender's properties hold keeps noise of the last bits out of files.
    x, y, z = (single(value) for value in values)
    return (x, y, z)

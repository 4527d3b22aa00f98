"""Objects made physics bodies: motion types, fitted shapes, mass and inertia."""

from dataclasses import replace
from functools import cached_property

import bpy
import numpy as np

from ..core.model.pose import Array
from ..core.shapes.anchor import anchor_of
from ..core.shapes.fit import Fit, Points, fit_shape, guess_fit, static_fit
from ..core.shapes.inertia import Solid, inertia_at, principal_axes
from ..properties.body import body_data, fittable_shapes, motion_from_core, motion_of
from ..properties.bones import BodyBone, Node, world_matrix
from ..properties.collider import has_collider
from ..properties.exact import single
from ..properties.mesh_points import MeshReader
from ..properties.overridable import make_groups
from ..properties.shape import GUESS, NONE, fit_type
from ..scene.solids import Children, body_solid, children_of
from ..scene.structure import parent_of
from .context import present
from .frames import new_empty


class Fits:
    """Shapes fitted to meshes; objects that share a mesh have it fitted once."""

    def __init__(self, reader: MeshReader) -> None:
        self._reader = reader
        self._fits: dict[tuple[str, bool, bpy.types.ID | BodyBone], Fit | None] = {}
        self._anchors: dict[bpy.types.ID | BodyBone, str] = {}

    def of(self, shape: str, obj: Node, *, is_static: bool = False) -> Fit | None:
        """Return what `fitted` returns for the mesh of an object.

        The best fit of a body that never moves is `static_fit`.
        """
        is_static = is_static and shape == GUESS
        key = shape, is_static, self._reader.source_of(obj)
        if key not in self._fits:
            points = self._reader.points(obj)
            self._fits[key] = (
                static_fit(points, self._reader.triangles(obj))
                if is_static and len(points)
                else fitted(shape, points)
            )
        return self._fits[key]

    def anchor(self, obj: Node) -> str:
        """Return what a body remembers of the object's mesh (`OMI_PG_body.anchor`)."""
        source = self._reader.source_of(obj)
        if source not in self._anchors:
            found = anchor_of(self._reader.points(obj))
            self._anchors[source] = "" if found is None else found.text()
        return self._anchors[source]


class BodyMaker:
    """Makes objects bodies that collide; one for all objects of one operation.

    `shape` is a type of `OMI_PG_shape`, `GUESS`, or NONE. With a density [kg/m³], dynamic bodies
    get their mass from the volume of their shapes.
    """

    def __init__(
        self, context: bpy.types.Context, *, shape: str = GUESS, density: float | None = None
    ) -> None:
        self._scene = present(context.scene)
        self._shape, self._density = shape, density
        self._reader = MeshReader(context.evaluated_depsgraph_get())
        self._fits = Fits(self._reader)

    def make(self, obj: Node, motion_type: str) -> None:
        """Make an object a body; one that is a body already keeps motion type, shapes and mass.

        An object without a mesh has its shapes on the meshes below it. Shapes that are there stay.
        """
        if motion_of(obj) is not None:
            return
        body_data(obj).motion_type = motion_type
        make_groups(body_data(obj))
        if self._shape != NONE:
            self.add_shapes(obj, is_static=motion_type == "STATIC")
        if self._density is not None and motion_type == "DYNAMIC":
            solid = body_solid(obj, self._children, self._reader)
            if solid is not None:
                set_mass(obj, self._density * solid.volume)

    def add_shapes(self, obj: Node, *, is_static: bool = False) -> int:
        """Give a body without shapes those that fit its meshes; return how many."""
        parts = [
            (part, self._fits.of(self._shape, part, is_static=is_static))
            for part in self._meshes(obj)
        ]
        fits = [(part, fit) for part, fit in parts if fit is not None]
        for part, fit in fits:
            _set_collider(part, fit, self._fits)
        return len(fits)

    @cached_property
    def _children(self) -> Children:
        return children_of(self._scene.objects)

    def _meshes(self, obj: Node) -> list[Node]:
        """Return which objects of a body are to have shapes."""
        if has_collider(obj):
            return []
        if len(self._reader.points(obj)):
            return [obj]
        below = _parts_below(obj, self._children)
        if any(map(has_collider, below)):
            return []
        return [part for part in below if len(self._reader.points(part))]


def make_body(
    obj: bpy.types.Object,
    reader: MeshReader,
    *,
    motion_type: str = "DYNAMIC",
    shape: str = GUESS,
    fits: Fits | None = None,
    children: Children | None = None,
) -> None:
    """Make an object a STATIC, KINEMATIC or DYNAMIC body with a collision shape.

    `shape` is a type of `OMI_PG_shape`, `GUESS`, or NONE. Blender's Rigid Body keeps its own shape,
    and so do objects below a body that are its shapes; without a mesh of its own, the meshes below
    get some. `fits` and `children` are shared by the objects of one operation.
    """
    if (rigid_body := obj.rigid_body) is not None:
        rigid_body.type = "ACTIVE" if motion_type == "DYNAMIC" else "PASSIVE"
        rigid_body.kinematic = motion_type == "KINEMATIC"
        return
    body_data(obj).motion_type = motion_type
    collider = body_data(obj).collider
    if shape == NONE:
        collider.source = NONE
        return
    fits = fits or Fits(reader)
    below = _parts_below(obj, children_of(obj.children_recursive) if children is None else children)
    if any(map(has_collider, below)) and not has_collider(obj):
        return
    parts = [obj] if len(reader.points(obj)) else below
    for part in parts:
        fit = fits.of(shape, part, is_static=motion_type == "STATIC")
        if fit is not None:
            _set_collider(part, fit, fits)


def _set_collider(obj: Node, fit: Fit, fits: Fits) -> None:
    """Give an object a collision shape of its own, which follows its mesh."""
    body_data(obj).anchor = fits.anchor(obj)
    collider = body_data(obj).collider
    collider.source = "CUSTOM"
    collider.shape.from_fit(fit)
    collider.shape.mesh = None
    collider.shape.mark_fitted()


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
        if len(reader.points(obj)):
            own.mark_fitted()
    body_data(obj).anchor = Fits(reader).anchor(obj)
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


def set_mass(body: Node, mass: float) -> None:
    """Set the mass [kg] of a body where it is kept."""
    if body.rigid_body is not None:
        body.rigid_body.mass = mass
    body_data(body).mass = mass


def set_inertia(body: Node, solid: Solid) -> tuple[float, ...]:
    """Set inertia and center of mass of a body from its solid; return the moments [kg·m²]."""
    motion = motion_of(body)
    assert motion is not None
    moments, rotation = principal_axes(inertia_at(solid, motion.mass))
    # The center is in the space of the node, which the body's scale is part of.
    scale = np.array(world_matrix(body).to_scale())
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
    around = [other for other in _parts_below(obj, children) if len(reader.points(other))]
    if not around and (parent := parent_of(obj)) is not None:
        around = [parent]
    world = np.linalg.inv(np.array(world_matrix(obj), float))
    clouds = [
        _moved(reader.points(other), world @ np.array(world_matrix(other))) for other in around
    ]
    return np.concatenate([np.empty((0, 3)), *clouds])


def _parts_below(obj: Node, children: Children) -> list[Node]:
    """Return the objects below a body that move with it."""
    below: list[Node] = []
    waiting = list(children.get(obj, ()))
    while waiting:
        child = waiting.pop()
        if motion_of(child) is None:
            below.append(child)
            waiting += children.get(child, ())
    return below


def _moved(points: Points, matrix: Points) -> Points:
    moved: Points = points @ matrix[:3, :3].T + matrix[:3, 3]
    return moved


def _vector(values: Array) -> tuple[float, float, float]:
    # Rounding to what Blender's properties hold keeps noise of the last bits out of files.
    x, y, z = (single(value) for value in values)
    return (x, y, z)

"""Bodies that follow their mesh when it is edited, or when its object gets other axes.

Apply, Set Origin and edits of a mesh change what the object's axes are to it. Shapes that were
fitted to the mesh are fitted again; shapes edited by hand, centers of mass, inertia and velocities
stay where they are to the mesh as long as it was only moved as a whole. Shapes on bones follow the
bone's length.

What a body was made for is kept with it (`OMI_PG_body.anchor`), so that undo needs no history.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..core.model.axes import AXIS_LETTERS
from ..core.model.pose import Array
from ..core.shapes.anchor import anchor_from_text, anchor_of, is_at, map_to
from ..core.shapes.fit import Fit, Points, fit_shape
from ..properties.body import (
    OMI_PG_body,
    body_data,
    body_data_of,
    fittable_shapes,
)
from ..properties.bones import BodyBone, Node, world_matrix
from ..properties.mesh_points import MeshReader, has_surface, is_edited
from ..properties.shape import MESH_TYPES, NONE, OMI_PG_shape, fit_type
from ..scene.structure import body_bones_of
from .beside import release_copies
from .ragdoll_parts import is_body_unedited, mark_body

POSED = frozenset(
    (
        *("ARMATURE", "HOOK", "LATTICE", "MESH_DEFORM", "SURFACE_DEFORM", "CLOTH", "SOFT_BODY"),
        *("MESH_CACHE", "MESH_SEQUENCE_CACHE", "OCEAN", "WAVE", "DYNAMIC_PAINT", "FLUID"),
    )
)
"""Modifiers that move a mesh over time, which its shape does not follow."""
_CLOSE = 1e-4
"""Difference of a shape from one that fits, in extents, that is rounding."""
_STRAIGHT = 1e-4
"""Part of a map beside its scale along the axes that is rounding."""


def follow_meshes(objects: Iterable[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> None:
    """Let bodies follow their meshes, where these are not what the bodies were made for."""
    reader, meshes = MeshReader(depsgraph), dict[Any, _Mesh]()
    for obj in objects:
        data = body_data_of(obj)
        if data is not None and _is_followed(obj, data):
            source = reader.source_of(obj)
            if source not in meshes:
                meshes[source] = _Mesh(reader.points(obj))
            _follow_mesh(obj, data, meshes[source])
        if obj.type == "ARMATURE" and obj.is_editable and not is_edited(obj):
            for bone in body_bones_of(obj):
                _follow_bone(bone)
            for body in release_copies(obj):
                _follow_rig(body, obj)


class _Mesh:
    """What bodies ask of a mesh; objects that share one ask once."""

    def __init__(self, points: Points) -> None:
        self._points = points
        self._known: dict[tuple[Any, ...], Any] = {}

    def is_at(self, text: str) -> bool:
        """Return whether the mesh is the one that an anchor was made of."""
        return bool(self._once(("is_at", text), lambda: self._is_at(text)))

    def anchor(self) -> str:
        """Return the anchor of the mesh as it is."""
        return str(self._once(("anchor",), self._anchor))

    def map(self, text: str) -> Array | None:
        """Return how the mesh lies now, compared with an anchor."""
        found: Array | None = self._once(("map", text), lambda: self._map(text))
        return found

    def fit(self, shape: OMI_PG_shape) -> Fit | None:
        """Return a shape of the same type fitted to the mesh, None for one of meshes."""
        if shape.type in MESH_TYPES:
            return None
        kind, up = shape.type, shape.up if shape.type in {"CAPSULE", "CYLINDER"} else None
        number = None if up is None else AXIS_LETTERS.index(up)
        found: Fit | None = self._once(
            ("fit", kind, up), lambda: fit_shape(fit_type(kind), self._points, up=number)
        )
        return found

    def is_fit(self, shape: OMI_PG_shape) -> bool:
        """Return whether a shape is, but for rounding, what would be fitted."""
        return bool(self._once(("is_fit", shape.sizes), lambda: self._is_fit(shape)))

    def _is_at(self, text: str) -> bool:
        known = anchor_from_text(text)
        return known is not None and is_at(known, self._points)

    def _anchor(self) -> str:
        now = anchor_of(self._points)
        return "" if now is None else now.text()

    def _map(self, text: str) -> Array | None:
        known = anchor_from_text(text)
        return None if known is None else map_to(known, self._points)

    def _is_fit(self, shape: OMI_PG_shape) -> bool:
        fit = self.fit(shape)
        return fit is not None and _is_close(shape, fit)

    def _once(self, key: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = find()
        return self._known[key]


def _follow_mesh(obj: bpy.types.Object, data: OMI_PG_body, mesh: _Mesh) -> None:
    """Let a body follow its mesh; one that nobody followed so far is remembered for its mesh."""
    text = data.anchor
    if text and mesh.is_at(text):
        return
    if not text or anchor_from_text(text) is None:
        for shape in fittable_shapes(obj):
            if mesh.is_fit(shape):
                shape.mark_fitted()
    else:
        found = mesh.map(text)
        moved = None if found is None else _Moved(found, obj)
        for shape in fittable_shapes(obj):
            _follow_shape(shape, mesh.fit(shape), moved)
        if moved is not None:
            moved.carry(data)
    data.anchor = mesh.anchor()


def _is_followed(obj: bpy.types.Object, data: OMI_PG_body) -> bool:
    """Return whether an object is a body or a shape whose mesh can be edited in place."""
    # Objects that share a mesh are edited with it, though only one is in Edit Mode.
    if not has_surface(obj) or not obj.is_editable or is_edited(obj):
        return False
    is_body = data.motion_type != NONE or obj.rigid_body is not None
    return (is_body or bool(fittable_shapes(obj))) and POSED.isdisjoint(
        each.type for each in obj.modifiers
    )


@dataclass(frozen=True, slots=True)
class _Moved:
    """How a mesh lies in the axes of its object, compared with before."""

    map: Array
    """(4, 4): from the place of a point before to that now."""
    obj: bpy.types.Object

    @property
    def turn(self) -> Quaternion:
        """Rotation from what the axes were to what they are, with the mesh at rest in the world."""
        now = world_matrix(self.obj)
        before = now @ Matrix(self.map.tolist())
        return now.decompose()[1].inverted() @ before.decompose()[1]

    @property
    def scale(self) -> Array | None:
        """Factors along the axes, None where the mesh was turned, too."""
        linear = self.map[:3, :3]
        factors = np.diag(linear)
        rest = np.abs(linear - np.diag(factors)).max()
        return factors if rest <= _STRAIGHT * np.abs(factors).max() and min(factors) > 0.0 else None

    def place(self, point: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return where a point is now."""
        x, y, z = (self.map @ [*point, 1.0])[:3].tolist()
        return (x, y, z)

    def carry(self, data: OMI_PG_body) -> None:
        """Keep center of mass, inertia and velocities where they are to the mesh."""
        if data.is_property_set("center_of_mass"):
            data.center_of_mass = self.place(data.center_of_mass)
        turn = self.turn
        for name in ("linear_velocity", "angular_velocity"):
            if data.is_property_set(name):
                setattr(data, name, turn @ Vector(getattr(data, name)))
        if any(data.inertia_diagonal):
            turned = turn @ Quaternion(data.inertia_orientation)
            data.inertia_orientation = (turned.w, turned.x, turned.y, turned.z)


def _is_close(shape: OMI_PG_shape, fit: Fit) -> bool:
    """Return whether a shape is, but for rounding, what was fitted."""
    fitted: Any = fit.shape
    names = {"BOX": (), "SPHERE": ("radius",)}.get(
        shape.type, ("height", "radius_bottom", "radius_top")
    )
    pairs = [(getattr(shape, name), getattr(fitted, name)) for name in names]
    if shape.type == "BOX":
        pairs += zip(shape.size, fitted.size, strict=True)
    pairs += zip(shape.offset, fit.center, strict=True)
    largest = max(abs(value) for pair in pairs for value in pair)
    return all(abs(one - other) <= _CLOSE * largest for one, other in pairs)


def _follow_shape(shape: OMI_PG_shape, fit: Fit | None, moved: _Moved | None) -> None:
    if shape.is_fitted:
        if fit is not None:
            shape.from_fit(fit)
            shape.mark_fitted()
    elif moved is not None and (scale := moved.scale) is not None and shape.mesh is None:
        _carry_shape(shape, scale, moved)


def _carry_shape(shape: OMI_PG_shape, scale: Array, moved: _Moved) -> None:
    """Keep a shape edited by hand where it is to the mesh, if it can be of that size."""
    is_even = float(np.ptp(scale)) <= _STRAIGHT * float(scale.max())
    if shape.type in MESH_TYPES or not (is_even or shape.type == "BOX"):
        return
    shape.offset = moved.place(shape.offset)
    _resize(shape, scale)


def _resize(shape: OMI_PG_shape, scale: Array) -> None:
    """Scale the sizes of a shape, those of a round one evenly."""
    if np.abs(scale - 1.0).max() <= _STRAIGHT:
        return
    x, y, z = (np.array(shape.size) * scale).tolist()
    shape.size = (x, y, z)
    for name in ("radius", "height", "radius_bottom", "radius_top"):
        setattr(shape, name, getattr(shape, name) * float(scale[0]))


def remember_length(body: Node) -> None:
    """Have the shapes of a bone follow its length from now on; other bodies have none."""
    if isinstance(body, BodyBone):
        body_data(body).anchor = repr(body.pose_bone.bone.length)


def _follow_bone(bone: BodyBone) -> None:
    """Let the shapes and the center of mass of a bone follow its length."""
    data, length = body_data(bone), bone.pose_bone.bone.length
    try:
        known = float(data.anchor or length)
    except ValueError:
        known = length
    factor = length / known if known > 0.0 and length > 0.0 else 1.0
    if abs(factor - 1.0) > _CLOSE:
        scale_body(bone, factor)
        remember_length(bone)
    elif not data.anchor:
        remember_length(bone)


def _follow_rig(body: bpy.types.Object, rig: bpy.types.Object) -> None:
    """Give a body beside the skeleton the scale of its armature, its shapes staying in the world.

    Bones copy it from the body, and with it the skin.
    """
    place, rotation, sizes = world_matrix(body).decompose()
    wanted = world_matrix(rig).to_scale()
    factor = sizes.x / wanted.x if wanted.x > 0.0 and sizes.x > 0.0 else 1.0
    if abs(factor - 1.0) <= _CLOSE or body.parent != rig or not body.is_editable:
        return
    above = world_matrix(rig) @ body.matrix_parent_inverse
    now = Matrix.LocRotScale(place, rotation, wanted)
    is_unedited = is_body_unedited(body)
    body.matrix_basis = above.inverted_safe() @ now
    for child in body.children:
        inverse = now.inverted_safe() @ world_matrix(child) @ child.matrix_basis.inverted_safe()
        child.matrix_parent_inverse = inverse
    _resize_body(body, factor)
    if is_unedited:
        mark_body(body)


def scale_body(node: Node, factor: float) -> None:
    """Scale the shapes and the center of mass of a body, which is no edit of a ragdoll."""
    if body_data_of(node) is None or abs(factor - 1.0) <= _CLOSE:
        return
    is_unedited = is_body_unedited(node)
    _resize_body(node, factor)
    if is_unedited:
        mark_body(node)


def _resize_body(node: Node, factor: float) -> None:
    data, scale = body_data(node), np.full(3, factor)
    data.center_of_mass = _scaled(data.center_of_mass, factor)
    for shape in fittable_shapes(node):
        shape.offset = _scaled(shape.offset, factor)
        if shape.type not in MESH_TYPES:
            _resize(shape, scale)
        elif shape.mesh is not None and shape.mesh.is_editable:
            shape.mesh.transform(Matrix.Scale(factor, 4))
            shape.mesh.update()


def _scaled(vector: tuple[float, float, float], factor: float) -> tuple[float, float, float]:
    x, y, z = vector
    return (factor * x, factor * y, factor * z)

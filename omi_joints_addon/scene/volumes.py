"""Colliders, triggers and meshes of Blender objects as core values.

A shape that is not centered on its object, stands on another axis, or belongs to a scaled object is
on a node of its own below the object's, as in a glTF file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import bpy
import numpy as np

from ..core.model.body import Collider, CollisionFilter, PhysicsMaterial, Trigger
from ..core.model.mesh import Mesh, MeshData, Visual
from ..core.model.scene_builder import SceneBuilder
from ..core.model.shape import MeshShape, Shape
from ..core.shapes.placement import PlacedShape, placed_shape
from ..properties.appearance import color_of, material_of
from ..properties.body_reading import AUTO, ObjectBody
from ..properties.bones import Node, world_matrix
from ..properties.collider import (
    ObjectShape,
    collider_shape_in,
    material_in,
    read_collider,
    trigger_shape_in,
    uses_collision_collections,
)
from ..properties.mesh_points import MeshReader, has_surface, mesh_points, mesh_triangles
from ..properties.shape import rounded_shape
from .structure import parent_of

Nodes = Mapping[Node, int]
Bodies = Mapping[Node, ObjectBody]
"""The bodies of objects that have properties of one."""


def volumes_of(
    scene: bpy.types.Scene, nodes: Nodes, bodies: Bodies, reader: MeshReader
) -> SceneBuilder:
    """Return the colliders, triggers and meshes of the objects `nodes`, which number from 0.

    The nodes that shapes need are behind those. Meshes are read when they are asked for, by
    `reader`.
    """
    return _VolumeReader(scene, nodes, bodies, reader).read()


@dataclass(frozen=True, slots=True)
class Volume:
    """A collider or trigger of one object."""

    is_trigger: bool
    shape: Shape | None
    own_name: str = ""
    """Name of the node that it is on where that is not the object's."""
    material: PhysicsMaterial | None = None
    collision_filter: CollisionFilter | None = None
    """What the object names; that of rigid body collections is left to exports."""


def volumes_on(body: ObjectBody, reader: MeshReader) -> Iterator[Volume]:
    """Yield the collider and the trigger of a body; meshes of shapes are not looked up."""
    if body.is_solid:
        volume = _volume(body.obj, collider_shape_in(body, reader), is_trigger=False)
        named = body.values.collider.collision_filter
        yield replace(volume, material=material_in(body), collision_filter=named)
    if body.is_trigger:
        volume = _volume(body.obj, trigger_shape_in(body), is_trigger=True)
        yield replace(volume, collision_filter=body.values.trigger.collision_filter)


def decided_by(body: ObjectBody) -> tuple[object, ...]:
    """Return what decides the volumes on a body beside its pose; equal ones have equal volumes."""
    obj, values, rigid = body.obj, body.values, body.rigid
    found: tuple[object, ...] = ()
    if body.is_trigger:
        found = (values.trigger,)
    if body.is_solid:
        found += (values.collider, material_in(body))
    is_rigid = body.is_solid and values.collider.source == AUTO
    if rigid is not None and is_rigid and isinstance(obj, bpy.types.Object):
        corners = obj.bound_box
        found += (rigid.collision_shape, rigid.mesh_source, corners[0][:], corners[6][:])
    return found


def _volume(obj: Node, shape: ObjectShape | None, *, is_trigger: bool) -> Volume:
    if shape is None:
        return Volume(is_trigger, None)
    placed = _placed(obj, shape)
    if placed.matrix is None or isinstance(placed.shape, MeshShape):
        return Volume(is_trigger, placed.shape)
    return Volume(is_trigger, rounded_shape(placed.shape), _own_name(obj, is_trigger=is_trigger))


def _own_name(obj: Node, *, is_trigger: bool) -> str:
    return f"{obj.name} {'Trigger' if is_trigger else 'Shape'}"


def has_own_node(obj: Node, shape: ObjectShape | None) -> bool:
    """Return whether a shape of an object is on a node of its own."""
    return shape is not None and _placed(obj, shape).matrix is not None


class _VolumeReader:
    """Reads the volumes of one scene."""

    def __init__(
        self, scene: bpy.types.Scene, nodes: Nodes, bodies: Bodies, reader: MeshReader
    ) -> None:
        self._scene = scene
        self._nodes = nodes
        self._bodies = bodies
        self._reader = reader
        self._build = SceneBuilder(first=len(nodes))
        self._meshes: dict[Any, int] = {}
        self._trigger_nodes: dict[Node, int] = {}
        self._use_collections = uses_collision_collections(nodes)

    def read(self) -> SceneBuilder:
        """Return all volumes."""
        for obj, node in self._nodes.items():
            body = self._bodies.get(obj)
            is_solid = body is not None and body.is_solid
            if has_surface(obj) and not (body and is_solid and body.values.collider.is_hidden):
                self._build.visuals[node] = Visual(
                    mesh=self._mesh(obj), color=color_of(obj), material=material_of(obj)
                )
            if body is not None and is_solid:
                self._add_collider(body)
            if body is not None and body.is_trigger:
                self._add_trigger(body)
        for obj, node in self._trigger_nodes.items():
            self._join_triggers(self._bodies[obj], node)
        return self._build

    def _add_collider(self, body: ObjectBody) -> None:
        collider = read_collider(
            body, self._reader, self._scene, use_collections=self._use_collections
        )
        node, shape = self._place(body.obj, collider.shape, is_trigger=False)
        self._build.colliders[node] = Collider(
            shape=shape,
            material=collider.material,
            collision_filter=collider.collision_filter,
            carried=collider.carried,
        )

    def _add_trigger(self, body: ObjectBody) -> None:
        trigger = body.values.trigger
        node, shape = self._place(body.obj, trigger_shape_in(body), is_trigger=True)
        self._trigger_nodes[body.obj] = node
        self._build.triggers[node] = Trigger(
            shape=shape, collision_filter=trigger.collision_filter, carried=trigger.carried
        )

    def _join_triggers(self, body: ObjectBody, node: int) -> None:
        """Set which triggers form the one of an object; of a compound nothing else counts."""
        found = [
            self._trigger_nodes[part]
            for part in dict.fromkeys(body.trigger_nodes)
            if part is not None and part in self._trigger_nodes and is_below(part, body.obj)
        ]
        if found:
            trigger = self._build.triggers[node]
            compound = replace(trigger, shape=None, collision_filter=None, nodes=tuple(found))
            self._build.triggers[node] = compound

    def _place(
        self, obj: Node, shape: ObjectShape | None, *, is_trigger: bool
    ) -> tuple[int, Shape | None]:
        """Return the node that a shape of an object is on, and the shape there."""
        node = self._nodes[obj]
        if shape is None:
            return node, None
        placed = _placed(obj, shape)
        if isinstance(placed.shape, MeshShape):
            return node, replace(placed.shape, mesh=self._mesh_of(obj, shape))
        if placed.matrix is None:
            return node, placed.shape
        own = self._build.add(_own_name(obj, is_trigger=is_trigger), node, placed.matrix)
        return own, rounded_shape(placed.shape)

    def _mesh_of(self, obj: Node, shape: ObjectShape) -> int | None:
        """Return the index of the mesh of a shape."""
        reader = self._reader.simulated
        if not shape.is_simulated or reader is self._reader:
            return self._mesh(obj, shape.mesh)
        key = obj, "simulated"
        if key not in self._meshes:
            self._meshes[key] = len(self._build.meshes)
            self._build.meshes.append(Mesh(name=obj.name, read=partial(_read_own, obj, reader)))
        return self._meshes[key]

    def _mesh(self, obj: Node, mesh: bpy.types.Mesh | None = None) -> int | None:
        """Return the index of a mesh, the object's own where none is given; None without any."""
        if mesh is None and not has_surface(obj):
            return None
        key: Any = mesh or self._reader.source_of(obj)
        if key not in self._meshes:
            self._meshes[key] = len(self._build.meshes)
            read = partial(_read_mesh, mesh) if mesh else partial(_read_own, obj, self._reader)
            self._build.meshes.append(Mesh(name=key.name, read=read))
        return self._meshes[key]


def is_below(obj: Node, top: Node) -> bool:
    """Return whether a node is below another one."""
    above = parent_of(obj)
    while above is not None and above != top:
        above = parent_of(above)
    return above is not None


def _placed(obj: Node, shape: ObjectShape) -> PlacedShape:
    matrix = np.array(world_matrix(obj), float)
    return placed_shape(matrix if np.isfinite(matrix).all() else np.eye(4), shape.fit)


def _read_mesh(mesh: bpy.types.Mesh) -> MeshData:
    """Return a mesh of the file; raises `ValueError` where it was removed."""
    try:
        return MeshData(mesh_points(mesh).astype(float), mesh_triangles(mesh))
    except ReferenceError as error:
        raise ValueError("the mesh was removed") from error


def _read_own(obj: Node, reader: MeshReader) -> MeshData:
    """Return the mesh of an object in its axes; raises `ValueError` where it was removed."""
    try:
        return MeshData(reader.points(obj).astype(float), reader.triangles(obj))
    except ReferenceError as error:
        raise ValueError("the object was removed") from error

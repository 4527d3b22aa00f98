"""Bodies from a glTF file: OMI_physics_body and OMI_physics_shape to `Object.omi_body`.

A mesh object with a motion also becomes a Rigid Body of Blender where the options say so.
"""

import json
from dataclasses import replace
from typing import Any

import bpy

from ...authoring.build_meshes import show_shape
from ...authoring.rigid_body_world import rigid_bodies_of
from ...core.findings.finding import Finding
from ...core.model.axes import motion_from_gltf, size_from_gltf
from ...core.model.body import Motion
from ...core.model.shape import Box, MeshShape, Shape, Upright, enclosing_scaled_shape
from ...core.shapes.fit import Fit
from ...properties.body import MOTION_TYPES, body_data, motion_from_core
from ...properties.collider import ObjectShape, collider_shape_of, material_of
from ...properties.gltf_options import options_of
from ...properties.mesh_points import MeshReader
from ...properties.rigid_body import (
    collections_from_core,
    rigid_body_from_core,
    shape_from_core,
    surface_from_core,
)
from ...properties.shape import NONE, OMI_PG_shape
from ...properties.surface import physics_scene
from ..formats.gltf.members import CodecError
from ..formats.gltf.omi.body import (
    EXTENSION,
    NodeBody,
    NodeCollider,
    NodeTrigger,
    node_body_from_json,
)
from .body_document import BodyDocument
from .meshes import ImportedMeshes
from .report import Report
from .rules import BODY_ON_BONE
from .upstream import import_scene, imported_object, is_bone, node_extension, nodes_of

_TURNED = frozenset(("CAMERA", "LIGHT"))
"""Types of objects whose axes keep the names that the node's have in the file."""


def has_body_part(node: Any) -> bool:
    """Return whether a node of the file says something of physics in its own axes."""
    return node_extension(node, EXTENSION) is not None


class BodyImport:
    """The bodies of one file."""

    def __init__(self) -> None:
        self._bodies: dict[int, NodeBody] = {}
        self._document = BodyDocument()
        self._sound: dict[str, NodeBody] = {}
        """Bodies without findings by their JSON text: most nodes say what others say."""

    def read(self, importer: Any, report: Report) -> None:
        """Read document and nodes before anything is created."""
        nodes = nodes_of(importer)
        if not any(map(has_body_part, nodes)):
            return
        report.add(self._document.read(importer))
        for index, node in enumerate(nodes):
            if (value := node_extension(node, EXTENSION)) is None:
                continue
            with report.guard(_place(index, node)):
                report.add(self._read_node(index, value), f"{_place(index, node)}: ")
        for index, found in self._document.drop_unfit_parts(self._bodies, nodes):
            report.add([found], f"{_place(index, nodes[index])}: ")
        bodies = [index for index, body in self._bodies.items() if body.motion is not None]
        options = options_of(import_scene(importer))
        if options.import_rigid_bodies and any(nodes[i].mesh is not None for i in bodies):
            # The operator behind evaluates the scene, which is quick only while it is empty.
            rigid_bodies_of(import_scene(importer))

    def finish(self, importer: Any, report: Report) -> None:
        """Set the bodies once all objects exist."""
        if not self._bodies:
            return
        scene = import_scene(importer)
        self._document.keep_rest(physics_scene(scene))
        writer = _BodyWriter(importer, scene, self._document)
        nodes = nodes_of(importer)
        for index, body in self._bodies.items():
            with report.guard(_place(index, nodes[index])):
                if is_bone(importer, index):
                    report.add([BODY_ON_BONE(_place(index, nodes[index]))])
                    continue
                writer.write(imported_object(importer, index), body)
        with report.guard(importer.filename):
            writer.join()

    def _read_node(self, index: int, value: Any) -> list[Finding]:
        """Read the body of a node; return what is wrong with it."""
        pointer = f"/nodes/{index}/extensions/{EXTENSION}"
        text = json.dumps(value, sort_keys=True)
        if (known := self._sound.get(text)) is not None:
            self._bodies[index] = known
            return []
        try:
            body, findings = node_body_from_json(value, pointer)
        except CodecError as error:
            return [error.finding]
        self._bodies[index], more = self._document.resolved(body, pointer)
        if not findings and not more:
            self._sound[text] = self._bodies[index]
        return [*findings, *more]


class _BodyWriter:
    """Sets the bodies of objects of one file."""

    def __init__(self, importer: Any, scene: bpy.types.Scene, document: BodyDocument) -> None:
        self._importer = importer
        self._scene = scene
        self._document = document
        self._reader = MeshReader(None)
        self._meshes = ImportedMeshes(importer)
        self._factor = 1.0 / scene.unit_settings.scale_length
        """Blender's lengths in meters of the file, as the importer places nodes."""
        self._makes_rigid_bodies = options_of(scene).import_rigid_bodies
        self._rigid_bodies: bpy.types.Collection | None = None
        self._shapeless: dict[bpy.types.Object, bpy.types.RigidBodyObject] = {}
        """Rigid Bodies whose shapes are those of the nodes below."""
        self._parts: list[tuple[bpy.types.Object, Shape]] = []
        """Objects that are shapes only."""

    def write(self, obj: bpy.types.Object, body: NodeBody) -> None:
        """Set the body of an object."""
        if body.carried:
            body_data(obj).carried = body.carried
        collider, rigid = body.collider, None
        shape = None if collider is None else self._shape(obj, collider.shape)
        if body.motion is not None:
            motion = self._motion(obj, body.motion)
            motion_from_core(body_data(obj), motion)
            rigid = self._rigid_body(obj, motion, shape)
            if rigid is not None and collider is None:
                self._shapeless[obj] = rigid
        if collider is not None:
            self._write_collider(obj, rigid, collider, shape)
            if shape is not None and body.motion is None:
                self._parts.append((obj, shape))
        if body.trigger is not None:
            self._set_trigger(obj, body.trigger)

    def _write_collider(
        self,
        obj: bpy.types.Object,
        rigid: bpy.types.RigidBodyObject | None,
        collider: NodeCollider,
        shape: Shape | None,
    ) -> None:
        """Set a collider, by the Rigid Body alone where that says all."""
        if rigid is None or not self._describe(obj, rigid, collider, shape):
            self._set_collider(obj, collider, shape)
        if obj.type == "EMPTY" and shape is not None:
            show_shape(obj, shape)

    def join(self) -> None:
        """Give Rigid Bodies whose shapes are other objects something to collide with in Blender.

        Meshes right below become parts of a compound. A body that has none takes the kind of a
        shape below it, for Blender's playback only.
        """
        joined = set()
        for part, shape in self._parts:
            if part.type == "MESH" and part.parent in self._shapeless:
                assert self._rigid_bodies is not None
                rigid_body_from_core(part, self._rigid_bodies, Motion(), shape)
                joined.add(part.parent)
        for part, shape in self._parts:
            body = part.parent
            if body in self._shapeless and body not in joined:
                assert body is not None
                shape_from_core(self._shapeless[body], shape)
                body_data(body).collider.source = NONE
                joined.add(body)

    def _rigid_body(
        self, obj: bpy.types.Object, motion: Motion, shape: Shape | None
    ) -> bpy.types.RigidBodyObject | None:
        """Return the new Rigid Body of a mesh object; None where none is wanted or possible."""
        if not self._makes_rigid_bodies or obj.type != "MESH" or motion.type not in MOTION_TYPES:
            return None
        if self._rigid_bodies is None:
            self._rigid_bodies = rigid_bodies_of(self._scene)
        return rigid_body_from_core(obj, self._rigid_bodies, motion, shape)

    def _describe(
        self,
        obj: bpy.types.Object,
        rigid: bpy.types.RigidBodyObject,
        collider: NodeCollider,
        shape: Shape | None,
    ) -> bool:
        """Set a Rigid Body's collider; return whether it says all, and to the last digit."""
        material = self._document.material(collider.physics_material)
        collision_filter = self._document.filter(collider.collision_filter)
        surface_from_core(rigid, material)
        collections_from_core(rigid, self._scene, collision_filter)
        if collider.carried or collision_filter is not None or material_of(obj) != material:
            return False
        found = collider_shape_of(obj, self._reader)
        return found is not None and found == self._own_shape(obj, shape)

    def _own_shape(self, obj: bpy.types.Object, shape: Shape | None) -> ObjectShape | None:
        """Return a shape as one of the object itself."""
        if isinstance(shape, MeshShape) and shape.mesh is not None:
            is_own = self._meshes.mesh(shape.mesh) == obj.data
            shape = replace(shape, mesh=None) if is_own else None
        return None if shape is None else ObjectShape(Fit(shape=shape))

    def _motion(self, obj: bpy.types.Object, motion: Motion) -> Motion:
        """Return a motion in the object's axes and Blender's lengths."""
        if obj.type not in _TURNED:
            motion = motion_from_gltf(motion)
        if self._factor == 1.0:
            return motion
        x, y, z = (self._factor * number for number in motion.center_of_mass)
        u, v, w = (self._factor * number for number in motion.linear_velocity)
        return replace(motion, center_of_mass=(x, y, z), linear_velocity=(u, v, w))

    def _shape(self, obj: bpy.types.Object, index: int | None) -> Shape | None:
        """Return a shape along the object's axes; upright ones stand on Z or, if turned, on Y."""
        shape = self._document.shape(index)
        if shape is None:
            return None
        if self._factor != 1.0:
            shape = enclosing_scaled_shape(shape, (self._factor,) * 3)
        if isinstance(shape, Box) and obj.type not in _TURNED:
            return replace(shape, size=size_from_gltf(shape.size))
        return shape

    def _set_shape(self, obj: bpy.types.Object, group: OMI_PG_shape, shape: Shape | None) -> None:
        group.from_core(shape)
        if isinstance(shape, Upright) and obj.type in _TURNED:
            group.up = "Y"
        if isinstance(shape, MeshShape) and shape.mesh is not None:
            mesh = self._meshes.mesh(shape.mesh)
            group.mesh = None if mesh == obj.data else mesh

    def _set_collider(
        self, obj: bpy.types.Object, collider: NodeCollider, shape: Shape | None
    ) -> None:
        group = body_data(obj).collider
        group.source = "CUSTOM"
        self._set_shape(obj, group.shape, shape)
        group.material.from_core(self._document.material(collider.physics_material))
        group.collision_filter.from_core(self._document.filter(collider.collision_filter))
        group.carried = collider.carried

    def _set_trigger(self, obj: bpy.types.Object, trigger: NodeTrigger) -> None:
        group = body_data(obj).trigger
        group.enabled = True
        shape = self._shape(obj, trigger.shape)
        self._set_shape(obj, group.shape, shape)
        group.collision_filter.from_core(self._document.filter(trigger.collision_filter))
        group.carried = trigger.carried
        for node in trigger.nodes:
            group.nodes.add().node = imported_object(self._importer, node)
        if obj.type == "EMPTY" and shape is not None:
            show_shape(obj, shape)


def _place(index: int, node: Any) -> str:
    return node.name or f"node {index}"

"""Bodies from a glTF file, as the format reads them, to `Object.omi_body`.

A mesh object with a motion also becomes a Rigid Body of Blender where the options say so.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import bpy
import numpy as np
from mathutils import Quaternion

from ...authoring.build_meshes import show_shape
from ...authoring.frames import new_frame_below
from ...authoring.rigid_body_world import rigid_bodies_of
from ...core.model.axes import motion_to_gltf, shape_to_gltf
from ...core.model.body import Collider, Motion, Trigger
from ...core.model.pose import quaternion_product, rotate
from ...core.model.shape import MeshShape, Shape, Upright, enclosing_scaled_shape
from ...core.shapes.fit import Fit
from ...properties.body import (
    MOTION_TYPES,
    articulation_from_core,
    body_data,
    body_data_of,
    exclude_pair,
    motion_from_core,
)
from ...properties.bones import BodyBone
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
from ..formats.gltf.document import DocumentScene
from .document_import import node_name
from .meshes import ImportedMeshes
from .report import Report
from .upstream import (
    bone_of,
    bone_rotation,
    frame_rotation,
    import_scene,
    imported_bone,
    imported_object,
    nodes_of,
)

_SAME_AXES = 1e-5
"""Angle between axes that is rounding [rad]."""
_TURNED = frozenset(("CAMERA", "LIGHT"))
"""Types of objects whose axes keep the names that the node's have in the file."""


class BodyImport:
    """The bodies of one file."""

    def __init__(self, read: DocumentScene) -> None:
        self._scene = read.scene
        self._carried: dict[int, str] = {}
        for physics in reversed(read.physics):
            for node, declared in physics.nodes.items():
                if declared.body.carried:
                    self._carried[node] = declared.body.carried

    def prepare(self, importer: Any) -> None:
        """Make what is to be there before any object is."""
        nodes, scene = nodes_of(importer), import_scene(importer)
        is_wanted = options_of(scene).import_rigid_bodies
        if is_wanted and any(nodes[index].mesh is not None for index in self._scene.motions):
            # The operator behind evaluates the scene, which is quick only while it is empty.
            rigid_bodies_of(scene)

    def finish(self, importer: Any, report: Report) -> None:
        """Set the bodies once all objects exist."""
        scene = self._scene
        writer = _BodyWriter(importer, import_scene(importer))
        for index in sorted({*scene.motions, *scene.colliders, *scene.triggers, *self._carried}):
            with report.guard(partial(node_name, importer, index)):
                node = imported_bone(importer, index) or imported_object(importer, index)
                if index in self._carried:
                    body_data(node).carried = self._carried[index]
                collider, motion = scene.colliders.get(index), scene.motions.get(index)
                if isinstance(node, BodyBone):
                    if motion is not None:
                        writer.write_bone(node, index, motion)
                    if collider is None and index not in scene.triggers:
                        continue
                    node, motion = writer.part_below(node, index), None
                writer.write(node, motion, collider)
                if index in scene.triggers:
                    writer.set_trigger(node, scene.triggers[index])
        self._set_rest(importer)
        with report.guard(importer.filename):
            writer.join()

    def _set_rest(self, importer: Any) -> None:
        """Set the roots of articulations and the pairs of bodies that do not collide."""
        scene = self._scene
        for root in scene.articulations:
            node = imported_bone(importer, root.root) or imported_object(importer, root.root)
            articulation_from_core(body_data(node), root)
        for pair in scene.excluded_pairs:
            if not any(imported_bone(importer, each) for each in pair):
                one, other = (imported_object(importer, each) for each in pair)
                exclude_pair(one, other)


class _BodyWriter:
    """Sets the bodies of objects of one file."""

    def __init__(self, importer: Any, scene: bpy.types.Scene) -> None:
        self._importer = importer
        self._scene = scene
        self._reader = MeshReader(None)
        self._meshes = ImportedMeshes(importer)
        self._factor = 1.0 / scene.unit_settings.scale_length
        """Blender's lengths in meters of the file, as the importer places nodes."""
        self._makes_rigid_bodies = options_of(scene).import_rigid_bodies
        self._rigid_bodies: bpy.types.Collection | None = None
        self._shapeless: dict[bpy.types.Object, bpy.types.RigidBodyObject] = {}
        """Rigid Bodies whose shapes are those of the nodes below."""
        self._bone_parts: dict[int, bpy.types.Object] = {}
        """Empties that hold the shapes of bones, by the bones' nodes."""
        self._parts: list[tuple[bpy.types.Object, Shape]] = []
        """Objects that are shapes only."""

    def write(
        self, obj: bpy.types.Object, motion: Motion | None, collider: Collider | None
    ) -> None:
        """Set motion and collider of an object."""
        rigid = None
        shape = None if collider is None else self._shape(obj, collider.shape)
        if motion is not None:
            motion = self._motion(motion)
            is_new = body_data_of(obj) is None
            motion_from_core(body_data(obj), motion, is_new=is_new)
            rigid = self._rigid_body(obj, motion, shape)
            if rigid is not None and collider is None:
                self._shapeless[obj] = rigid
        if collider is not None:
            self._write_collider(obj, rigid, collider, shape)
            if shape is not None and motion is None:
                self._parts.append((obj, shape))

    def write_bone(self, bone: BodyBone, index: int, motion: Motion) -> None:
        """Set the motion of a bone."""
        turn = frame_rotation(self._importer, index)
        motion_from_core(body_data(bone), _along_bone(self._motion(motion), turn))

    def part_below(self, bone: BodyBone, index: int) -> bpy.types.Object:
        """Return an empty at a bone, with the axes that an object of its node would have.

        It holds the shapes of the node: meshes are in these axes, and boxes may not be along the
        bone's.
        """
        if index not in self._bone_parts:
            turn = bone_rotation(self._importer, index)
            place = bone_of(self._importer, index)
            name = f"{bone.name} Shape"
            self._bone_parts[index] = new_frame_below(bone.armature, name, turn, place)
        return self._bone_parts[index]

    def _write_collider(
        self,
        obj: bpy.types.Object,
        rigid: bpy.types.RigidBodyObject | None,
        collider: Collider,
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
        collider: Collider,
        shape: Shape | None,
    ) -> bool:
        """Set a Rigid Body's collider; return whether it says all, and to the last digit."""
        material, collision_filter = collider.material, collider.collision_filter
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

    def _motion(self, motion: Motion) -> Motion:
        """Return a motion in Blender's lengths."""
        if self._factor == 1.0:
            return motion
        x, y, z = (self._factor * number for number in motion.center_of_mass)
        u, v, w = (self._factor * number for number in motion.linear_velocity)
        return replace(motion, center_of_mass=(x, y, z), linear_velocity=(u, v, w))

    def _shape(self, obj: bpy.types.Object, shape: Shape | None) -> Shape | None:
        """Return a shape along the object's axes; upright ones stand on Z or, if turned, on Y."""
        if shape is None:
            return None
        if self._factor != 1.0:
            shape = enclosing_scaled_shape(shape, (self._factor,) * 3)
        return shape_to_gltf(shape) if obj.type in _TURNED else shape

    def _set_shape(self, obj: bpy.types.Object, group: OMI_PG_shape, shape: Shape | None) -> None:
        group.from_core(shape)
        if isinstance(shape, Upright) and obj.type in _TURNED:
            group.up = "Y"
        if isinstance(shape, MeshShape) and shape.mesh is not None:
            mesh = self._meshes.mesh(shape.mesh)
            group.mesh = None if mesh == obj.data else mesh

    def _set_collider(self, obj: bpy.types.Object, collider: Collider, shape: Shape | None) -> None:
        group = body_data(obj).collider
        group.from_core(collider)
        self._set_shape(obj, group.shape, shape)

    def set_trigger(self, obj: bpy.types.Object, trigger: Trigger) -> None:
        """Set the trigger of an object."""
        group = body_data(obj).trigger
        group.from_core(trigger)
        shape = self._shape(obj, trigger.shape)
        self._set_shape(obj, group.shape, shape)
        for node in trigger.nodes:
            bone = imported_bone(self._importer, node)
            part = self.part_below(bone, node) if bone else imported_object(self._importer, node)
            group.nodes.add().node = part
        if obj.type == "EMPTY" and shape is not None:
            show_shape(obj, shape)


def _along_bone(motion: Motion, turn: Quaternion) -> Motion:
    """Return a motion given in Blender's axes in those of a bone.

    `turn` leads from the axes of the bone's node in the file, which are the same by default.
    """
    motion = motion_to_gltf(motion)
    if turn.angle < _SAME_AXES:
        return motion
    rotation = np.array((turn.x, turn.y, turn.z, turn.w))
    x, y, z, w = quaternion_product(rotation, motion.inertia_orientation).tolist()
    return replace(
        motion,
        center_of_mass=tuple(rotate(rotation, motion.center_of_mass).tolist()),
        linear_velocity=tuple(rotate(rotation, motion.linear_velocity).tolist()),
        angular_velocity=tuple(rotate(rotation, motion.angular_velocity).tolist()),
        inertia_orientation=(x, y, z, w) if any(motion.inertia_diagonal) else (0.0, 0.0, 0.0, 1.0),
    )

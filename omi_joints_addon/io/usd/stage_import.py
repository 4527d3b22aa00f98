"""Physics of a stage onto the objects that Blender's importer has made of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...authoring.frames import display_size, place_under
from ...authoring.joint_tracks import key_tracks
from ...authoring.rigid_body_world import rigid_bodies_of
from ...core.model.body import Collider, Trigger
from ...core.model.pose import Array
from ...core.model.scene import Joint
from ...core.model.shape import MeshShape, Shape
from ...core.shapes.fit import Fit
from ...properties.body import (
    MOTION_TYPES,
    articulation_from_core,
    body_data,
    exclude_pair,
    motion_from_core,
)
from ...properties.joint import joint_data
from ...properties.rigid_body import rigid_body_from_core, surface_from_core
from ...properties.shape import OMI_PG_shape
from ...properties.usd_options import usd_options
from ..formats.usd.pxr_access import usd
from ..formats.usd.reading import StageRead, read_stage
from .origins import keep_origins
from .report import UsdReport

Object = bpy.types.Object
_FRAME_SIZE = 0.2
_SAME = 1e-6
"""Difference of matrices that single precision makes."""


def import_physics(context: Any, scene: bpy.types.Scene, report: UsdReport) -> None:
    """Read bodies, colliders, joints and all that goes with them."""
    if not usd_options(scene).import_physics:
        return
    stage = context.get_stage()
    objects = _objects(context.get_prim_map())
    if not objects:
        return
    worlds = _Worlds()
    read = read_stage(stage, meters=_length_of_unit(stage, objects, worlds), is_local=True)
    report.add(read.findings)
    if read.scene.motions or read.scene.joints or read.scene.colliders:
        made = _StageImport(read, objects, scene, worlds)
        made.write()
        keep_origins(scene, Path(stage.GetRootLayer().realPath), read, made.objects)


def _objects(prim_map: Any) -> dict[str, Object]:
    """Return the object of each prim; one of a mesh that was merged with its Xform is of both."""
    found = {}
    for path, made in prim_map.items():
        for item in made:
            if isinstance(item, Object):
                found[str(path)] = item
    return found


class _Worlds:
    """World matrices of objects that Blender has not evaluated yet."""

    def __init__(self) -> None:
        self._known: dict[Object, Matrix] = {}

    def of(self, obj: Object) -> Matrix:
        """Return the world matrix of an object, from those above it."""
        chain: list[Object] = []
        above: Object | None = obj
        while above is not None and above not in self._known:
            chain.append(above)
            above = above.parent
        for each in reversed(chain):
            self._known[each] = self._composed(each)
        return self._known[obj]

    def _composed(self, obj: Object) -> Matrix:
        if obj.parent is None:
            return obj.matrix_basis.copy()
        return self._known[obj.parent] @ obj.matrix_parent_inverse @ obj.matrix_basis

    def place(self, obj: Object, world: Matrix) -> None:
        """Give an object a world matrix; those below have moved along then."""
        above = Matrix() if obj.parent is None else self.of(obj.parent)
        obj.matrix_parent_inverse = Matrix() if obj.parent is None else above.inverted_safe()
        obj.matrix_basis = world
        self._known = {}


def _length_of_unit(stage: Any, objects: dict[str, Object], worlds: _Worlds) -> float:
    """Return what a unit of the stage measures in Blender, as its importer has scaled it."""
    pxr = usd()
    cache = pxr.UsdGeom.XformCache(pxr.Usd.TimeCode.EarliestTime())
    for path, obj in objects.items():
        prim = stage.GetPrimAtPath(path)
        # A prototype is not where its instances are.
        if not prim or prim.IsInPrototype():
            continue
        if pxr.UsdGeom.Xformable(prim).GetResetXformStack() or _is_placed_otherwise(prim):
            continue
        try:
            there = np.array(cache.GetLocalToWorldTransform(prim), dtype=float)
        except pxr.Tf.ErrorException:
            continue
        size = abs(np.linalg.det(there[:3, :3]))
        if size > 1e-18:
            here = abs(np.linalg.det(np.array(worlds.of(obj))[:3, :3]))
            return float(f"{np.cbrt(here / size):.6g}")
    return float(pxr.UsdGeom.GetStageMetersPerUnit(stage))


def _is_placed_otherwise(prim: Any) -> bool:
    """Return whether a prim is below one that resets transforms, or that places copies of it."""
    pxr = usd()
    while prim := prim.GetParent():
        if prim.GetTypeName() == "PointInstancer":
            return True
        xform = pxr.UsdGeom.Xformable(prim)
        if xform and xform.GetResetXformStack():
            return True
    return False


class _StageImport:
    """Sets what was read of one stage."""

    def __init__(
        self,
        read: StageRead,
        objects: dict[str, Object],
        scene: bpy.types.Scene,
        worlds: _Worlds,
    ) -> None:
        self._read = read
        self._core = read.scene
        self._scene = scene
        self._worlds = worlds
        self._made = objects
        self._objects = {
            node: objects[path] for node, path in enumerate(read.paths) if path in objects
        }
        self._rigid_bodies: bpy.types.Collection | None = None

    @property
    def objects(self) -> Mapping[int, Object]:
        """Object of each node that has one."""
        return self._objects

    def write(self) -> None:
        """Set everything; bodies come before the joints between them."""
        self._place_resets()
        for node in self._core.motions:
            self._set_body(node)
        for node, collider in self._core.colliders.items():
            self._set_collider(node, collider)
        for node, trigger in self._core.triggers.items():
            self._set_trigger(node, trigger)
        self._place_frames()
        for joint in self._core.joints:
            self._set_joint(joint)
        joints = {n: self._object(joint.node) for n, joint in enumerate(self._core.joints)}
        # As Blender's importer has it, a time code is a frame whatever the rate of the scene is.
        key_tracks(joints, self._core.tracks, rate=self._read.rate)
        self._set_rest()

    def _set_rest(self) -> None:
        """Set articulations, gravity, and what bodies carry for other programs."""
        for articulation in self._core.articulations:
            articulation_from_core(body_data(self._object(articulation.root)), articulation)
        for one, two in self._core.excluded_pairs:
            exclude_pair(self._object(one), self._object(two))
        for node, text in self._core.carried.get("usd", {}).get("bodies", {}).items():
            body_data(self._object(node)).usd_carried = text
        for coupling in self._core.couplings:
            one, other = (self._core.joints[n].node for n in (coupling.joint, coupling.source))
            group = joint_data(self._object(one)).coupling
            group.from_core(self._object(other), coupling.coefficients)
        if self._core.motions:
            self._scene.gravity = self._core.gravity

    def _place_resets(self) -> None:
        """Place prims that take no transform from above: Blender's importer has added it."""
        by_path = {path: node for node, path in enumerate(self._read.paths) if path}
        for path in self._read.resets:
            node = by_path.get(path)
            if node in self._objects and node is not None:
                self._worlds.place(self._objects[node], Matrix(self._world(node).tolist()))

    def _world(self, node: int) -> Array:
        """Return the world matrix (4, 4) of a node with its scale."""
        matrix = np.array(self._core.matrices[node])
        if node < len(self._read.scales):
            matrix[:3, :3] = matrix[:3, :3] @ self._read.scales[node]
        return matrix

    def _object(self, node: int) -> Object:
        """Return the object of a node; one that Blender made none for becomes an empty."""
        waiting = [node]
        while waiting:
            parent = int(self._core.parents[waiting[-1]])
            if waiting[-1] in self._objects:
                waiting.pop()
            elif parent < 0 or parent in self._objects:
                child = waiting.pop()
                self._objects[child] = self._empty(child, self._objects.get(parent))
            else:
                waiting.append(parent)
        return self._objects[node]

    def _empty(self, node: int, parent: Object | None) -> Object:
        empty = bpy.data.objects.new(self._core.names[node], None)
        empty.empty_display_type = "PLAIN_AXES"
        empty.empty_display_size = _FRAME_SIZE * (display_size(parent) if parent else 1.0)
        for collection in parent.users_collection if parent else (self._scene.collection,):
            collection.objects.link(empty)
        # Blender merges a prim with the only one below it, whose shape has a scale of its own.
        has_shape = node in self._read.fits
        self._hang(empty, parent, self._world(node) if has_shape else self._core.matrices[node])
        return empty

    def _hang(self, obj: Object, parent: Object | None, matrix: Array) -> None:
        world = Matrix(matrix.tolist())
        if parent is None:
            obj.matrix_basis = world
        else:
            place_under(obj, parent, world, above=self._worlds.of(parent))

    def _set_body(self, node: int) -> None:
        obj, motion = self._object(node), self._core.motions[node]
        is_new = not obj.is_property_set("omi_body")
        motion_from_core(body_data(obj), motion, is_new=is_new)
        if obj.type == "MESH" and motion.type in MOTION_TYPES:
            if self._rigid_bodies is None:
                self._rigid_bodies = rigid_bodies_of(self._scene)
            collider = self._core.colliders.get(node)
            shape = None if collider is None else collider.shape
            rigid = rigid_body_from_core(obj, self._rigid_bodies, motion, shape)
            if collider is not None and rigid is not None:
                surface_from_core(rigid, collider.material)

    def _set_collider(self, node: int, collider: Collider) -> None:
        group = body_data(self._object(node)).collider
        group.source = "CUSTOM"
        self._set_shape(node, group.shape, collider.shape)
        group.material.from_core(collider.material)
        group.collision_filter.from_core(collider.collision_filter)
        group.carried = collider.carried

    def _set_trigger(self, node: int, trigger: Trigger) -> None:
        group = body_data(self._object(node)).trigger
        group.enabled = True
        self._set_shape(node, group.shape, trigger.shape)
        group.collision_filter.from_core(trigger.collision_filter)
        group.carried = trigger.carried

    def _set_shape(self, node: int, group: OMI_PG_shape, shape: Shape | None) -> None:
        """Set a shape where it stands on its object."""
        fit = self._read.fits.get(node)
        if shape is not None and fit is not None and not isinstance(shape, MeshShape):
            group.from_fit(Fit(shape=shape, center=fit.center, up=fit.up))
        group.from_core(shape)
        if isinstance(shape, MeshShape) and shape.mesh is not None:
            self._set_mesh(node, group, shape.mesh)

    def _set_mesh(self, node: int, group: OMI_PG_shape, mesh: int) -> None:
        """Name the mesh of a shape where it is not the object's own."""
        obj = self._objects[node]
        if obj.type == "MESH":
            return
        data = next(self._meshes_below(node), None)
        if data is None:
            try:
                read = self._core.meshes[mesh].read()
            except ValueError:
                return
            data = bpy.data.meshes.new(self._core.meshes[mesh].name)
            data.from_pydata(read.points.tolist(), [], read.triangles.tolist())
        group.mesh = data

    def _meshes_below(self, node: int) -> Iterator[bpy.types.Mesh]:
        """Yield the meshes of objects that Blender made of mesh prims right below a node's."""
        path = self._read.paths[node]
        for other, obj in self._made.items():
            if other.rpartition("/")[0] == path and isinstance(obj.data, bpy.types.Mesh):
                yield obj.data

    def _place_frames(self) -> None:
        """Place the empties of frames that are there exactly where the joints say."""
        ends = [node for joint in self._core.joints for node in (joint.node, joint.other)]
        there = [node for node in ends if (obj := self._objects.get(node)) and _is_frame(obj)]
        if not there:
            return
        worlds = np.array([self._worlds.of(self._objects[node]) for node in there])
        gaps = np.abs(worlds - self._core.matrices[there]).max(axis=(1, 2))
        for at in np.flatnonzero(gaps > _SAME):
            obj = self._objects[there[at]]
            self._hang(obj, obj.parent, self._core.matrices[there[at]])

    def _set_joint(self, joint: Joint) -> None:
        obj, connected = self._object(joint.node), self._object(joint.other)
        joint_data(obj).from_core(joint, connected=connected)


def _is_frame(obj: Object) -> bool:
    """Return whether an object can be moved below its parent without moving what is seen."""
    return obj.parent is not None and obj.type == "EMPTY"

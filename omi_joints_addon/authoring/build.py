"""A physics scene as Blender objects, in a collection of its own. Meters, world matrices.

Every node becomes one object: what shows a mesh is a mesh object, all else an empty. Nothing that
is there already changes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.body import Collider, Trigger
from ..core.model.pose import Array
from ..core.model.scene import Joint, PhysicsScene
from ..core.model.shape import MeshShape, Shape
from ..core.rewrite.tree import depth_first
from ..properties.body import (
    articulation_from_core,
    body_data,
    exclude_pair,
    motion_from_core,
)
from ..properties.carried import keep_carried
from ..properties.document import is_as_imported
from ..properties.joint import joint_data
from ..properties.light import new_light
from ..properties.named_poses import poses_of
from ..properties.shape import OMI_PG_shape
from .build_meshes import Meshes, colored, show_shape
from .context import present
from .frames import show_empty
from .joint_tracks import key_tracks

_FRAME_SIZE = 0.04
"""Size of the frames, as part of the size of the model."""
_EMPTY_PART = 0.2
"""Size of the empties, as part of the size that the overlay draws frames at."""
_SMALLEST, _LARGEST = 0.005, 0.35
_RIGID = 1e-9
_KEPT = ("urdf", "mjcf", "shift", "sdf")
"""Formats that keep what is theirs by the names of nodes, not by their numbers."""


@dataclass(slots=True, eq=False)
class Built:
    """What was made of a scene."""

    collection: bpy.types.Collection
    objects: list[bpy.types.Object] = field(default_factory=list)
    """Object of each node."""
    problems: list[str] = field(default_factory=list)
    """What could not be made, one line each."""


def build_scene(
    context: bpy.types.Context, scene: PhysicsScene, *, name: str, sets_gravity: bool = False
) -> Built:
    """Make the objects of a scene in a new collection below the active one and select them.

    `sets_gravity` gives the Blender scene the gravity of the scene.
    """
    data = present(context.blend_data)
    built = Built(data.collections.new(name))
    present(context.collection).children.link(built.collection)
    _Builder(context, scene, built).build()
    if sets_gravity:
        present(context.scene).gravity = scene.gravity
    present(context.view_layer).update()
    _select(context, scene, built.objects)
    return built


def update_scene(
    context: bpy.types.Context,
    scene: PhysicsScene,
    collection: bpy.types.Collection,
    objects: Mapping[int, bpy.types.Object],
) -> Built:
    """Make the objects of a scene in a collection that has some already, by their nodes."""
    built = Built(collection)
    _Builder(context, scene, built, objects).build()
    present(context.view_layer).update()
    _select(context, scene, built.objects)
    return built


class _Builder:
    """Makes the objects of one scene, those of some nodes out of others."""

    def __init__(
        self,
        context: bpy.types.Context,
        scene: PhysicsScene,
        built: Built,
        objects: Mapping[int, bpy.types.Object] = MappingProxyType({}),
    ) -> None:
        self._given = objects
        self._context = context
        self._data = present(context.blend_data)
        self._scene = scene
        self._built = built
        self._meshes = Meshes(self._data, scene, built.problems)
        self._size = _frame_size(scene)
        self._owners: dict[tuple[str, int], bpy.types.Object] = {}

    def build(self) -> None:
        scene = self._scene
        self._make_objects()
        for node, motion in scene.motions.items():
            motion_from_core(body_data(self._built.objects[node]), motion)
        for node, collider in scene.colliders.items():
            self._set_collider(self._built.objects[node], collider)
        owner = scene.bodies()
        below = Counter(
            int(owner[node]) for node in scene.colliders if owner[node] not in (-1, node)
        )
        for body, count in below.items():
            body_data(self._built.objects[body]).shapes_below = count
        for node, trigger in scene.triggers.items():
            self._set_trigger(self._built.objects[node], trigger)
        for joint in scene.joints:
            self._set_joint(joint)
        for coupling in scene.couplings:
            one, other = (scene.joints[n].node for n in (coupling.joint, coupling.source))
            group = joint_data(self._built.objects[one]).coupling
            group.from_core(self._built.objects[other], coupling.coefficients)
        self._set_carried()
        self._key()

    def _key(self) -> None:
        """Key what changes over time, in frames of the Blender scene."""
        render = present(self._context.scene).render
        joints = {
            number: self._built.objects[joint.node]
            for number, joint in enumerate(self._scene.joints)
        }
        key_tracks(joints, self._scene.tracks, rate=render.fps / render.fps_base)

    def _make_objects(self) -> None:
        """Make the object of each node, and place and link it."""
        scene, objects = self._scene, self._built.objects
        frames = {end for joint in scene.joints for end in (joint.node, joint.other)}
        for node, name in enumerate(scene.names):
            obj = self._object(node, name, is_frame=node in frames)
            # Euler angles in single precision lose up to 2e-4 near their gimbal lock.
            obj.rotation_mode = "QUATERNION"
            objects.append(obj)
        self._place()
        for node, obj in enumerate(objects):
            if self._given.get(node) != obj:
                self._built.collection.objects.link(obj)

    def _set_carried(self) -> None:
        """Set articulations, named poses, and what formats keep for themselves."""
        scene, objects = self._scene, self._built.objects
        for articulation in scene.articulations:
            articulation_from_core(body_data(objects[articulation.root]), articulation)
        for one, other in scene.excluded_pairs:
            exclude_pair(objects[one], objects[other])
        joints = {scene.names[joint.node]: objects[joint.node] for joint in scene.joints}
        for pose in scene.poses:
            positions = {joints[name]: at for name, at in pose.positions if name in joints}
            poses_of(present(self._context.scene)).add(pose.name, positions)
        for node, text in scene.carried.get("usd", {}).get("bodies", {}).items():
            body_data(objects[node]).usd_carried = text
        for node, text in scene.carried.get("gltf", {}).get("node_bodies", {}).items():
            body_data(objects[node]).carried = text
        kept = {name: scene.carried[name] for name in _KEPT if scene.carried.get(name)}
        if kept:
            keep_carried(self._built.collection, kept)

    def _object(self, node: int, name: str, *, is_frame: bool) -> bpy.types.Object:
        visual = self._scene.visuals.get(node)
        mesh = None if visual is None else self._meshes.of_visual(visual, name)
        given = self._given.get(node)
        if given is not None and (mesh is None) == (given.type != "MESH"):
            if isinstance(given.data, bpy.types.Mesh) and is_as_imported(given.data):
                given.data = mesh
            return given
        if mesh is None and node in self._scene.lights:
            return self._light(node, name)
        obj = self._data.objects.new(name or "Node", mesh)
        if mesh is None:
            show_empty(obj, display="PLAIN_AXES", size=_EMPTY_PART * self._size)
            obj.show_in_front = is_frame
        elif visual is not None and visual.color is not None:
            colored(obj, self._meshes.material(visual))
        return obj

    def _light(self, node: int, name: str) -> bpy.types.Object:
        scene = self._scene
        places = scene.matrices[list(scene.motions), :3, 3]
        middle = places.mean(axis=0) if len(places) else np.zeros(3)
        distance = float(np.linalg.norm(scene.matrices[node][:3, 3] - middle))
        light = new_light(self._data, name, scene.lights[node], distance=distance)
        return self._data.objects.new(name or "Light", light)

    def _place(self) -> None:
        """Give all objects parents and transforms; a parent that forms a loop goes."""
        scene, objects = self._scene, self._built.objects
        rigid = scene.rigid_matrices
        is_rigid = np.abs(rigid - scene.matrices).max(axis=(1, 2), initial=0.0) < _RIGID
        inverse = np.linalg.inv(rigid) if len(rigid) else rigid
        placed: set[int] = set()
        for node in depth_first(scene):
            above, matrix = int(scene.parents[node]), scene.matrices[node]
            placed.add(node)
            if above < 0 or above not in placed:
                objects[node].matrix_basis = _matrix(matrix)
                continue
            objects[node].parent = objects[above]
            objects[node].matrix_basis = _matrix(inverse[above] @ matrix)
            if not is_rigid[above]:
                scale = np.linalg.lstsq(scene.matrices[above], rigid[above], rcond=None)[0]
                objects[node].matrix_parent_inverse = _matrix(scale)

    def _set_collider(self, obj: bpy.types.Object, collider: Collider) -> None:
        group = body_data(obj).collider
        group.from_core(collider)
        self._set_shape(obj, group.shape, collider.shape)

    def _set_trigger(self, obj: bpy.types.Object, trigger: Trigger) -> None:
        group = body_data(obj).trigger
        group.from_core(trigger)
        self._set_shape(obj, group.shape, trigger.shape)
        for node in trigger.nodes:
            group.nodes.add().node = self._built.objects[node]

    def _set_shape(self, obj: bpy.types.Object, group: OMI_PG_shape, shape: Shape | None) -> None:
        group.from_core(shape)
        if isinstance(shape, MeshShape) and shape.mesh is not None:
            mesh = self._meshes.of_index(shape.mesh)
            group.mesh = None if mesh == obj.data else mesh
        if obj.type == "EMPTY" and shape is not None:
            show_shape(obj, shape)

    def _set_joint(self, joint: Joint) -> None:
        """Set a joint; joints whose settings are one value at one place share them."""
        objects = self._built.objects
        obj = objects[joint.node]
        owner = obj
        if joint.settings_place and joint.settings_place != joint.place:
            owner = self._owners.setdefault((joint.settings_place, id(joint.settings)), obj)
        data = joint_data(obj)
        data.display_size = self._size
        data.from_core(
            joint,
            connected=None if joint.connected is None else objects[joint.connected],
            owner=None if owner is obj else owner,
        )


def _frame_size(scene: PhysicsScene) -> float:
    """Return a size [m] of joints that can be seen and does not cover the model."""
    places = scene.matrices[list(scene.motions), :3, 3] if scene.motions else np.zeros((1, 3))
    places = places[np.isfinite(places).all(axis=1)]
    reach = float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0
    return min(max(_FRAME_SIZE * reach, _SMALLEST), _LARGEST)


def _matrix(matrix: Array) -> Matrix:
    return Matrix(matrix.tolist())


def _select(
    context: bpy.types.Context, scene: PhysicsScene, objects: Sequence[bpy.types.Object]
) -> None:
    """Select the new objects alone, the first body being active."""
    layer = present(context.view_layer)
    visible = set(layer.objects)
    for obj in present(context.selected_objects):
        obj.select_set(False)
    for obj in objects:
        if obj in visible:
            obj.select_set(True)
    first = next((objects[body] for body in sorted(scene.motions)), None)
    if first is not None and first in visible:
        layer.objects.active = first

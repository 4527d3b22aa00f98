"""Joints mirrored across a plane, with the bodies that they hold.

A body is mirrored into the one with the flipped name (.L/.R, Left/Right), on the bone with the
flipped name, or of the same size at the mirrored place, stays the same where it lies in the plane,
and is duplicated otherwise, its mesh turned inside out and back. A duplicate is put on the other
side's bone or object where its original is on one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.joint import JointSettings
from ..core.model.pose import Array
from ..core.rewrite.followed import by_rewriting
from ..core.rewrite.mirror import best_flip, mirrored_frame, mirrored_settings
from ..properties.body import body_data, copy_body, motion_of
from ..properties.bones import BodyBone, Node, world_matrix
from ..properties.exact import change
from ..properties.joint import joint_data, joint_of, settings_owner
from ..properties.shape import OMI_PG_shape
from ..scene.structure import joint_bodies, joint_objects
from .context import present
from .frames import CollectionMap, new_empty, place_under, rigid_matrix
from .joint_curves import JointCurves
from .profiles import profiles_of, put_profiles
from .rigid_body_world import rigid_bodies_of

Object = bpy.types.Object
IN_PLANE = 1e-4
"""Distance from the plane [m] at which a body counts as lying in it."""
_CLOSE = 0.01
"""Part of a body's size by which another may be off and still be its counterpart."""
_FLIP_X = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))


class Mirror:
    """Mirrors joints; one for all joints of one operation, which keep their sharing."""

    def __init__(
        self, context: bpy.types.Context, reflection: Array, *, use_names: bool = True
    ) -> None:
        """Mirror by a `core.rewrite.mirror.reflection_across`; names decide where they may."""
        self._context = context
        self._reflection = reflection
        self._use_names = use_names
        self._collections = CollectionMap(context)
        self._curves = JointCurves()
        objects = list(present(context.blend_data).objects)
        self._by_name: dict[str, Object] = {}
        """Objects of the file; of several of one name, linked ones, the first."""
        self._mirrored: dict[Node, Node] = {}
        self._owners: dict[Object, Object] = {}
        joints = joint_objects(objects)
        self._frames = {joint_data(joint).connected_object for joint in joints} | set(joints)
        self._sharing: defaultdict[Object, int] = defaultdict(int)
        for joint in joints:
            self._sharing[settings_owner(joint)] += 1
        self._children: defaultdict[Object | None, list[Object]] = defaultdict(list)
        self._on_bones: defaultdict[tuple[Object | None, str], list[Object]] = defaultdict(list)
        for obj in objects:
            self._by_name.setdefault(obj.name, obj)
            self._children[obj.parent].append(obj)
            if obj.parent_type == "BONE":
                self._on_bones[obj.parent, obj.parent_bone].append(obj)

    def joints(self, joints: Iterable[Object]) -> list[Object]:
        """Return the mirrored joints; raises `SettingsCycleError`."""
        # Owners first, so that the others can share the settings of their counterparts.
        ordered = sorted(joints, key=lambda joint: joint_data(joint).settings_source is not None)
        return [self._joint(joint) for joint in ordered]

    def _joint(self, joint: Object) -> Object:
        data, owner = joint_data(joint), settings_owner(joint)
        settings = joint_data(owner).settings_to_core()
        flip = best_flip(settings)
        own, other = (None if body is None else self._body(body) for body in joint_bodies(joint))
        found = self._named(joint)
        is_found = found is not None and joint_of(found) is not None
        new = found if found is not None and is_found else self._frame(joint, own, joint)
        self._place(new, joint, own, flip)
        connected = data.connected_object
        if connected is not None:
            end = joint_data(new).connected_object
            if end is None or motion_of(end) is not None or end == connected:
                end = self._frame(connected, other, joint)
            self._place(end, connected, other, flip)
            joint_data(new).connect(end)
        after = joint_data(new)
        after.enabled = True
        after.enable_collision = data.enable_collision
        after.carried, after.display_size = data.carried, data.display_size
        self._settle(new, owner, settings, flip)
        for name, each in profiles_of(owner).items():
            put_profiles(after, {name: mirrored_settings(each, flip)})
        return new

    def _settle(self, new: Object, owner: Object, before: JointSettings, flip: int) -> None:
        """Give a mirrored joint its settings, over time too, shared where the originals are."""
        data, after = joint_data(new), mirrored_settings(before, flip)
        data.settings_from_core(after)
        is_shared = self._sharing[owner] > 1
        source = owner if before == after else self._owners.setdefault(owner, new)
        data.settings_source = source if is_shared and source != new else None
        follow = by_rewriting(before, partial(mirrored_settings, flip=flip))
        if data.settings_source is None:
            self._curves.copy(owner, new, follow)
        else:
            self._curves.remove(new)

    def _body(self, body: Node) -> Node:
        """Return the counterpart of a body."""
        if isinstance(body, BodyBone):
            return self._mirrored.get(body) or self._mirrored.setdefault(body, self._bone(body))
        if body not in self._mirrored:
            found = self._named(body) or self._at_place(body)
            if found is not None:
                self._mirrored[body] = found
            elif self._is_in_plane(body):
                self._mirrored[body] = body
            else:
                new = self._mirrored[body] = self._duplicate(body)
                self._hang(new, body)
        return self._mirrored[body]

    def _bone(self, body: BodyBone) -> BodyBone:
        """Return the bone of the other side, made a body like a bone, or the bone itself."""
        name = bpy.utils.flip_name(body.name)
        pose: Any = body.armature.pose
        if not self._use_names or name not in pose.bones:
            return body
        other = BodyBone(body.armature, name)
        if name != body.name and motion_of(other) is None:
            copy_body(body, other)
            _mirror_body_data(other)
        return other

    def _named(self, obj: Object) -> Object | None:
        """Return the other object that has the flipped name."""
        if not self._use_names:
            return None
        found = self._by_name.get(bpy.utils.flip_name(obj.name))
        if found is not None and found != obj:
            return found
        return self._on_flipped_bone(obj)

    def _at_place(self, body: Object) -> Object | None:
        """Return the other object whose box is where that of the body is mirrored to."""
        if not self._use_names or body.type != "MESH" or self._is_in_plane(body):
            return None
        objects, middles, sizes = self._boxes
        size, middle = (part[0] for part in _boxes_of([body])[::-1])
        place = (self._reflection @ np.append(middle, 1.0))[:3]
        near = _CLOSE * max(float(size.max()), 1e-9)
        is_there = (np.abs(middles - place) < near).all(axis=1)
        is_alike = (np.abs(np.sort(sizes, axis=1) - np.sort(size)) < near).all(axis=1)
        found = [objects[n] for n in np.flatnonzero(is_there & is_alike)]
        return next((obj for obj in found if obj != body), None)

    @cached_property
    def _boxes(self) -> tuple[list[Object], Array, Array]:
        """The objects with a mesh in the scene, the middles of their boxes and their sizes."""
        layer = present(self._context.view_layer).objects
        objects = [obj for obj in layer if obj.type == "MESH" and joint_of(obj) is None]
        return (objects, *_boxes_of(objects))

    def _on_flipped_bone(self, body: Object) -> Object | None:
        """Return the body on the bone of the other side."""
        rig, bone = self._other_bone(body)
        if bone == body.parent_bone or motion_of(body) is None:
            return None
        return next(filter(motion_of, self._on_bones[rig, bone]), None)

    def _other_bone(self, body: Object) -> tuple[Object | None, str]:
        """Return the armature and bone of the other side, the same where there is no other."""
        rig: Any = body.parent
        if rig is None or rig.type != "ARMATURE" or body.parent_type != "BONE":
            return rig, body.parent_bone
        other: Any = self._by_name.get(bpy.utils.flip_name(rig.name)) if self._use_names else None
        if other is None or other.type != "ARMATURE":
            other = rig
        bone = bpy.utils.flip_name(body.parent_bone)
        return other, bone if bone in other.data.bones else body.parent_bone

    def _hang(self, new: Object, body: Object) -> None:
        """Parent a duplicate, in place, to the counterpart of what its original is parented to."""
        if body.parent is None:
            return
        place = world_matrix(new).copy()
        if body.parent_type == "BONE":
            rig, bone = self._other_bone(body)
            new.parent, new.parent_type, new.parent_bone = rig, "BONE", bone
        else:
            new.parent, new.parent_type = self._named(body.parent) or body.parent, "OBJECT"
        _put(new, place)

    def _is_in_plane(self, body: Object) -> bool:
        place = np.append(np.array(world_matrix(body).translation), 1.0)
        return float(np.abs(self._reflection @ place - place).max()) <= 2.0 * IN_PLANE

    def _duplicate(self, obj: Object, parent: Object | None = None) -> Object:
        """Return a mirrored copy of an object and of what is below it without a body of its own."""
        new = obj.copy()
        new.name = bpy.utils.flip_name(obj.name)
        self._by_name.setdefault(new.name, new)
        new.animation_data_clear()
        data: Any = obj.data
        if hasattr(data, "transform"):
            new.data = data.copy()
            _turn_inside_out(new.data)
        if new.rigid_body is not None or obj.rigid_body is not None:
            bodies = rigid_bodies_of(present(self._context.scene)).objects
            # Newer Blenders have put the copy there.
            if new.name not in bodies:
                bodies.link(new)
        self._collections.link(new, obj)
        joint_data(new).enabled = False
        _mirror_body_data(new)
        new.parent = parent
        new.matrix_parent_inverse = Matrix()
        reflection = Matrix(self._reflection.tolist())
        _put(new, reflection @ world_matrix(obj) @ _FLIP_X)
        for child in self._children[obj]:
            if motion_of(child) is None and child not in self._frames:
                self._duplicate(child, new)
        return new

    def _frame(self, frame: Object, body: Node | None, joint: Object) -> Object:
        """Return a new empty for the counterpart of a frame, named after the joint's bodies."""
        bodies = [body for body in joint_bodies(joint) if body is not None]
        names = {each.name: self._body(each).name for each in bodies}
        name = _renamed(bpy.utils.flip_name(frame.name), names)
        size = frame.empty_display_size if frame.type == "EMPTY" else joint.empty_display_size
        new = new_empty(self._context, name, display="PLAIN_AXES", size=size)
        self._by_name.setdefault(new.name, new)
        self._collections.link(new, body or frame)
        return new

    def _place(self, new: Object, frame: Object, body: Node | None, flip: int) -> None:
        """Put a frame where the mirrored one is, below the mirrored body."""
        world = np.array(rigid_matrix(world_matrix(frame)))
        matrix = Matrix(mirrored_frame(world, self._reflection, flip).tolist())
        if body is None:
            new.parent = None
            new.matrix_world = matrix
        else:
            place_under(new, body, matrix)


def _boxes_of(objects: list[Object]) -> tuple[Array, Array]:
    """Return middles (n, 3) and sizes (n, 3) of the boxes of objects along the world's axes."""
    corners = np.array([obj.bound_box for obj in objects], float).reshape(-1, 8, 3)
    matrices = np.array([world_matrix(obj) for obj in objects], float).reshape(-1, 4, 4)
    world = corners @ matrices[:, :3, :3].swapaxes(1, 2) + matrices[:, None, :3, 3]
    low, high = world.min(axis=1), world.max(axis=1)
    return (low + high) / 2.0, high - low


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with names in it replaced by others; the longest name counts."""
    some = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(some, lambda found: names[found[0]], text) if some else text


def _put(obj: Object, world: Matrix) -> None:
    """Give an object a world matrix, less what it cannot hold, without an update of the scene."""
    obj.matrix_world = world
    if obj.parent is None:
        obj.matrix_world = obj.matrix_basis
    elif obj.parent_type == "OBJECT":
        obj.matrix_world = world_matrix(obj.parent) @ obj.matrix_parent_inverse @ obj.matrix_basis


def _turn_inside_out(mesh: Any) -> None:
    """Mirror the points of a mesh or curve along its X axis; faces keep their outer side."""
    mesh.transform(_FLIP_X)
    if hasattr(mesh, "flip_normals"):
        mesh.flip_normals()


def _mirror_body_data(obj: Node) -> None:
    """Mirror vectors of body and shapes along the object's X axis."""
    body = body_data(obj)
    for name, signs in _SIGNS.items():
        if body.is_property_set(name):
            values = getattr(body, name)
            setattr(body, name, [s * v for s, v in zip(signs, values, strict=True)])
    change(body, "anchor", "")
    for shape in (body.collider.shape, body.trigger.shape):
        _mirror_shape(shape)


def _mirror_shape(shape: OMI_PG_shape) -> None:
    if shape.is_property_set("offset"):
        x, y, z = shape.offset
        shape.offset = (-x, y, z)
    if shape.up == "X":
        shape.radius_bottom, shape.radius_top = shape.radius_top, shape.radius_bottom


_SIGNS = {
    "center_of_mass": (-1.0, 1.0, 1.0),
    "linear_velocity": (-1.0, 1.0, 1.0),
    "angular_velocity": (1.0, -1.0, -1.0),
    "inertia_orientation": (1.0, 1.0, -1.0, -1.0),
}
"""Signs after mirroring along X: of vectors, of what turns, and of a rotation w x y z."""

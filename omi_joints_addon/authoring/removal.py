"""Removing joints with what was made for them."""

from collections import Counter
from collections.abc import Iterable

import bpy

from ..properties.body import body_data, motion_of
from ..properties.bones import world_matrix
from ..properties.joint import joint_data
from ..scene.structure import joint_bodies, joint_objects
from .conditions import locked
from .sharing import Sharing


def remove_joints(data: bpy.types.BlendData, joints: Iterable[bpy.types.Object]) -> None:
    """Remove joints and their frames, unless used otherwise; the bodies stay."""
    _with_joints(data, joints).execute()


def remove_bodies(data: bpy.types.BlendData, bodies: Iterable[bpy.types.Object]) -> None:
    """Delete bodies with their joints and the frames of these; children of the bodies stay."""
    held = set(bodies)
    joints = [
        joint for joint in joint_objects(data.objects) if held.intersection(joint_bodies(joint))
    ]
    removal = _with_joints(data, joints)
    removal.add_bodies(held)
    removal.execute()


def _with_joints(data: bpy.types.BlendData, joints: Iterable[bpy.types.Object]) -> "Removal":
    joints = list(joints)
    Sharing(data).end(joints)
    removal = Removal(data)
    for joint in joints:
        removal.add_joint(joint)
    return removal


def remove_frame(data: bpy.types.BlendData, frame: bpy.types.Object) -> bool:
    """Remove a connected frame that no joint uses; return False if something else uses it."""
    removal = Removal(data)
    is_added = removal.add_frame(frame)
    removal.execute()
    return is_added


class Removal:
    """Objects to remove, and what else uses each object, looked up once for many joints."""

    def __init__(self, data: bpy.types.BlendData) -> None:
        self._data = data
        self._removed: set[bpy.types.Object] = set()
        self._children = Counter(obj.parent for obj in data.objects)
        self._connected = Counter(
            joint_data(joint).connected_object for joint in joint_objects(data.objects)
        )

    def add_joint(self, joint: bpy.types.Object) -> None:
        """Add the joint, its connected frame and its body in the world unless used otherwise."""
        own = joint_data(joint)
        connected = own.connected_object
        own.enabled = False
        own.connected_object = None
        if motion_of(joint) is None:
            self._add_unused(joint)
        if connected is not None:
            self._connected[connected] -= 1
            self.add_frame(connected)

    def add_frame(self, frame: bpy.types.Object) -> bool:
        """Add a connected frame and its body in the world; return False if it is used otherwise."""
        anchor = frame.parent
        if motion_of(frame) is not None or not self._add_unused(frame):
            return False
        if anchor is not None and _is_bare_body(anchor):
            self._add_unused(anchor)
        return True

    def add_bodies(self, bodies: set[bpy.types.Object]) -> None:
        """Add bodies, among them what joints had for the world; their other children stay."""
        self._removed |= bodies
        # `Object.children` would search the whole file for each of the bodies.
        left = [obj for obj in self._data.objects if obj.parent in bodies]
        for child in left:
            if child not in self._removed:
                world = world_matrix(child).copy()
                child.parent = None
                child.matrix_world = world

    def execute(self) -> None:
        """Remove the objects, all at once: what is gone may not be looked at."""
        self._data.batch_remove(self._removed)

    def _add_unused(self, obj: bpy.types.Object) -> bool:
        """Add an empty unless something else uses it; return whether it was added."""
        is_used = self._children[obj] or self._connected[obj] or joint_data(obj).enabled
        if obj.type != "EMPTY" or is_used or obj.instance_collection or locked(obj):
            return False
        self._children[obj.parent] -= 1
        self._removed.add(obj)
        return True


def _is_bare_body(obj: bpy.types.Object) -> bool:
    """Return whether the object is a static body and nothing about it was ever set but that."""
    if obj.rigid_body is not None:
        return False
    body = body_data(obj)
    if body.motion_type != "STATIC":
        return False
    names = set(body.bl_rna.properties.keys()) - {"rna_type", "name", "motion_type"}
    return not any(body.is_property_set(name) for name in names)

"""Joints for copies of bodies that were duplicated without the empties of their joints."""

import bpy
import numpy as np
from mathutils import Matrix

from ..properties.body import motion_type_of
from ..properties.bones import BodyBone, world_matrix
from ..properties.joint import joint_data
from ..scene.copied import base_name
from ..scene.structure import joint_bodies, joint_objects
from .context import present
from .frames import CollectionMap, place_under, rigid_matrix

Object = bpy.types.Object
_CLOSE = 1e-3
"""Difference of matrices up to which a body is where the copy of another one would be."""


def copy_joints(context: bpy.types.Context, body: Object) -> list[Object]:
    """Give a copy of a body the joints of its original; return the new joints.

    A joint leads to the copy of the other body where that was duplicated along, else to the other
    body itself.
    """
    objects = list(present(context.scene).objects)
    joints = joint_objects(objects)
    pairs = [(joint, joint_bodies(joint)) for joint in joints]
    original = next((each for _, ends in pairs for each in ends if _is_original(each, body)), None)
    if original is None or isinstance(original, BodyBone):
        return []
    copier = _Copier(context, world_matrix(body) @ world_matrix(original).inverted_safe(), objects)
    copier.bodies[original] = body
    return [copier.copy(joint) for joint, ends in pairs if original in ends]


def _is_original(node: Object | BodyBone | None, body: Object) -> bool:
    if node is None or isinstance(node, BodyBone) or node == body:
        return False
    return base_name(node.name) == base_name(body.name)


class _Copier:
    """Copies joints to where copies of their bodies are."""

    def __init__(self, context: bpy.types.Context, motion: Matrix, objects: list[Object]) -> None:
        self._collections = CollectionMap(context)
        self._motion, self._objects = motion, objects
        self.bodies: dict[Object, Object] = {}
        """Copies by their originals; what has no copy is under itself."""

    def copy(self, joint: Object) -> Object:
        """Return a copy of a joint between the copies of its bodies."""
        own, other = joint_bodies(joint)
        new = self._frame(joint, own)
        connected = joint_data(joint).connected_object
        if connected is not None:
            is_frame = connected.type == "EMPTY" and motion_type_of(connected) is None
            joint_data(new).connect(
                self._frame(connected, other) if is_frame else self._body(connected)
            )
        return new

    def _frame(self, frame: Object, body: Object | BodyBone | None) -> Object:
        new = frame.copy()
        self._collections.link(new, frame)
        world = rigid_matrix(self._motion @ world_matrix(frame))
        if body is None or isinstance(body, BodyBone):
            new.matrix_world = world
        else:
            place_under(new, self._body(body), world)
        return new

    def _body(self, body: Object) -> Object:
        if body not in self.bodies:
            place = np.array(self._motion @ world_matrix(body))
            same = (
                each
                for each in self._objects
                if each != body
                and base_name(each.name) == base_name(body.name)
                and np.allclose(np.array(world_matrix(each)), place, atol=_CLOSE)
            )
            self.bodies[body] = next(same, body)
        return self.bodies[body]

"""Both frames of a joint moved together, as its pivot, while one of them is dragged."""

from collections.abc import Iterable, Iterator
from typing import Any

import bpy
from mathutils import Matrix

from ..properties.body import motion_type_of
from ..properties.bones import world_matrix
from ..properties.joint import has_joint_data, joint_data
from .frames import move_to, rigid_matrix

Object = bpy.types.Object


class DraggedPivots:
    """Moves the other frames of joints along with those that are dragged."""

    def __init__(self) -> None:
        self._places: dict[int, Matrix] = {}
        """Where dragged frames were seen last, by `session_uid`."""

    @property
    def is_dragging(self) -> bool:
        """Whether frames are known to have been dragged."""
        return bool(self._places)

    def end(self) -> None:
        """Forget what was dragged."""
        self._places.clear()

    def follow(self, scene: bpy.types.Scene, frames: Iterable[tuple[Object, Any]]) -> None:
        """Move the other ends of joints as their `frames` have moved.

        Each comes with its world matrix (4, 4) before it was dragged, None where it is not known.
        """
        for frame, before in frames:
            known = self._places.get(frame.session_uid)
            now = rigid_matrix(world_matrix(frame))
            self._places[frame.session_uid] = now
            was = known or (None if before is None else rigid_matrix(Matrix(before.tolist())))
            if was is None or was == now:
                continue
            motion = now @ was.inverted_safe()
            for other in _others(scene, frame):
                move_to(other, rigid_matrix(motion @ world_matrix(other)))


def pivots_among(objects: Iterable[Object]) -> Iterator[Object]:
    """Yield the selected frames of joints whose body is not dragged along."""
    for obj in objects:
        if obj.type != "EMPTY" or not has_joint_data(obj) or not obj.select_get():
            continue
        data = joint_data(obj)
        is_frame = data.enabled or data.is_connected_frame
        if is_frame and not (obj.parent is not None and obj.parent.select_get()):
            yield obj


def _others(scene: bpy.types.Scene, frame: Object) -> Iterator[Object]:
    """Yield the frames at the other ends of a frame's joints, not shared and not dragged."""
    ends = [
        (obj, joint_data(obj).connected_object)
        for obj in scene.objects
        if has_joint_data(obj) and joint_data(obj).enabled
    ]
    for joint, end in ends:
        if end is None or frame not in (joint, end):
            continue
        other = end if joint == frame else joint
        is_shared = sum(other in pair for pair in ends) > 1
        is_plain = other.type == "EMPTY" and motion_type_of(other) is None
        if is_plain and other.is_editable and not (is_shared or other.select_get()):
            yield other

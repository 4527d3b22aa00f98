"""Turning both frames of a joint alike, in place."""

from collections import defaultdict
from typing import Any

import bpy
from mathutils import Quaternion, Vector

from ..core.findings.sentence import Sentence
from ..core.meaning.recognition import main_axis_of
from ..core.meaning.sides import End
from ..core.model.body import Quaternion as Rotation
from ..properties.body import motion_of
from ..properties.bones import world_matrix
from ..properties.joint import has_joint_data, joint_data, shared_settings
from ..scene.structure import MovingEnds
from .conditions import uneditable
from .context import present
from .frames import CollectionMap, connected_frame, move_to, rigid_matrix
from .joints import axis_sign, joint_frame


class Uses:
    """What is attached to objects and which joints end at them, looked up once for many joints."""

    def __init__(self, data: bpy.types.BlendData) -> None:
        self._data = data
        self._parents: set[int] = set()
        self._collections: CollectionMap | None = None
        self._joints: defaultdict[int, set[int]] = defaultdict(set)
        self._ends: MovingEnds | None = None
        for obj in data.objects:
            if (parent := obj.parent) is not None:
                self._parents.add(parent.session_uid)
            if has_joint_data(obj) and (end := joint_data(obj).connected_object) is not None:
                self._joints[end.session_uid].add(obj.session_uid)

    def has_children(self, obj: bpy.types.Object) -> bool:
        """Return whether objects are attached to an object."""
        return obj.session_uid in self._parents

    def is_shared(self, obj: bpy.types.Object, joint: bpy.types.Object) -> bool:
        """Return whether other joints than one end at an object."""
        return bool(self._joints[obj.session_uid] - {joint.session_uid})

    def moving_end(self, joint: bpy.types.Object) -> End:
        """Return the end of a joint that moves, looked up for all when it is first asked for."""
        self._ends = self._ends or MovingEnds(self._data.objects)
        return self._ends.of(joint)

    def collections(self, context: bpy.types.Context) -> CollectionMap:
        """Return which collections objects are in, looked up when it is first asked for."""
        self._collections = self._collections or CollectionMap(context)
        return self._collections

    def give(self, joint: bpy.types.Object, frame: bpy.types.Object) -> None:
        """Let a joint end at a new frame below the object that it ends at."""
        before: Any = frame.parent
        self._joints[before.session_uid].discard(joint.session_uid)
        self._joints[frame.session_uid].add(joint.session_uid)
        self._parents.add(before.session_uid)
        joint_data(joint).connect(frame)


def turn_problem(obj: bpy.types.Object, uses: Uses) -> str | None:
    """Return why the frames of a joint cannot be turned."""
    if obj.type != "EMPTY" or motion_of(obj) is not None or uses.has_children(obj):
        return Sentence("{object} is not only the frame of a joint", object=obj.name)
    return uneditable(obj)


def turn_frames(
    context: bpy.types.Context, obj: bpy.types.Object, turn: Rotation, uses: Uses | None = None
) -> None:
    """Turn joint and connected frame by `turn` (x y z w), each in its own axes.

    A connected object that is more than a frame of this joint gets a new frame below it.
    """
    x, y, z, w = turn
    rotation = Quaternion((w, x, y, z)).to_matrix().to_4x4()
    connected = joint_data(obj).connected_object
    if connected is not None:
        uses = uses or Uses(present(context.blend_data))
        world = rigid_matrix(world_matrix(connected)) @ rotation
        if _is_frame_of(obj, connected, uses):
            move_to(connected, world)
        else:
            collections = uses.collections(context)
            frame = connected_frame(context, collections, obj, world, below=connected)
            uses.give(obj, frame)
    move_to(obj, rigid_matrix(world_matrix(obj)) @ rotation)


def set_axis(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    direction: Vector,
    uses: Uses | None = None,
) -> None:
    """Turn both frames of a joint in place, so that its moving body moves along or about a way.

    `direction` is in world space. Joints without an axis that stands out stay. Raises
    `SettingsCycleError`.
    """
    uses = uses or Uses(present(context.blend_data))
    world = rigid_matrix(world_matrix(obj))
    frame = joint_frame(
        shared_settings(obj),
        world.translation,
        direction,
        space=world.to_3x3(),
        moving=uses.moving_end(obj),
    )
    turn = (world.inverted() @ frame).to_quaternion()
    turn_frames(context, obj, (turn.x, turn.y, turn.z, turn.w), uses)


def motion_axis(obj: bpy.types.Object, uses: Uses) -> Vector:
    """Return the way in world space that the motion of a joint with an axis counts along."""
    settings = shared_settings(obj)
    axis = main_axis_of(settings)
    assert axis is not None
    along = Vector(rigid_matrix(world_matrix(obj)).col[axis][:3])
    return along * axis_sign(settings, uses.moving_end(obj))


def _is_frame_of(obj: bpy.types.Object, connected: bpy.types.Object, uses: Uses) -> bool:
    """Return whether the connected object is a plain frame that this joint alone uses."""
    if connected.type != "EMPTY" or motion_of(connected) or uneditable(connected):
        return False
    is_used = uses.has_children(connected) or uses.is_shared(connected, obj)
    return not (is_used or joint_data(connected).enabled)

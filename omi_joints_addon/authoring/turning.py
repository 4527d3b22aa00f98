"""Turning both frames of a joint alike, in place."""

import bpy
from mathutils import Matrix, Quaternion, Vector

from ..core.findings.sentence import Sentence
from ..core.meaning.recognition import main_axis_of
from ..core.model.body import Quaternion as Rotation
from ..properties.body import motion_of
from ..properties.joint import joint_data, shared_settings
from ..scene.structure import moving_end_of
from .conditions import locked
from .context import present
from .frames import CollectionMap, display_size, move_to, new_empty, place_under, rigid_matrix
from .joints import axis_sign, joint_frame


def turn_problem(obj: bpy.types.Object) -> str | None:
    """Return why the frames of a joint cannot be turned."""
    if obj.type != "EMPTY" or motion_of(obj) is not None or obj.children:
        return Sentence("{object} is not only the frame of a joint", object=obj.name)
    return locked(obj)


def turn_frames(context: bpy.types.Context, obj: bpy.types.Object, turn: Rotation) -> None:
    """Turn joint and connected frame by `turn` (x y z w), each in its own axes.

    A connected object that is more than a frame of this joint gets a new frame below it.
    """
    x, y, z, w = turn
    rotation = Quaternion((w, x, y, z)).to_matrix().to_4x4()
    data = joint_data(obj)
    connected = data.connected_object
    if connected is not None:
        world = rigid_matrix(connected.matrix_world) @ rotation
        if _is_frame_of(obj, connected, context):
            move_to(connected, world)
        else:
            data.connected_object = _new_frame(context, connected, obj.name, world)
    move_to(obj, rigid_matrix(obj.matrix_world) @ rotation)


def set_axis(context: bpy.types.Context, obj: bpy.types.Object, direction: Vector) -> None:
    """Turn both frames of a joint in place, so that its moving body moves along or about a way.

    `direction` is in world space. Joints without an axis that stands out stay. Raises
    `SettingsCycleError`.
    """
    world = rigid_matrix(obj.matrix_world)
    frame = joint_frame(
        shared_settings(obj),
        world.translation,
        direction,
        space=world.to_3x3(),
        moving=moving_end_of(obj),
    )
    turn = (world.inverted() @ frame).to_quaternion()
    turn_frames(context, obj, (turn.x, turn.y, turn.z, turn.w))


def motion_axis(obj: bpy.types.Object) -> Vector:
    """Return the way in world space that the motion of a joint with an axis counts along."""
    settings = shared_settings(obj)
    axis = main_axis_of(settings)
    assert axis is not None
    along = Vector(rigid_matrix(obj.matrix_world).col[axis][:3])
    return along * axis_sign(settings, moving_end_of(obj))


def _is_frame_of(
    obj: bpy.types.Object, connected: bpy.types.Object, context: bpy.types.Context
) -> bool:
    """Return whether the connected object is a plain frame that this joint alone uses."""
    if connected.type != "EMPTY" or motion_of(connected) or locked(connected) or connected.children:
        return False
    if joint_data(connected).enabled:
        return False
    others = (other for other in present(context.blend_data).objects if other != obj)
    return not any(joint_data(other).connected_object == connected for other in others)


def _new_frame(
    context: bpy.types.Context, below: bpy.types.Object, name: str, world: Matrix
) -> bpy.types.Object:
    frame = new_empty(context, f"{name} Connected", display="PLAIN_AXES", size=display_size(below))
    CollectionMap(context).link(frame, beside=below)
    place_under(frame, below, world)
    return frame

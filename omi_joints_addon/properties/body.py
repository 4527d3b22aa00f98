"""Body data on Blender objects: `Object.omi_body`, beside Blender's own Rigid Body."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatProperty, StringProperty

from ..core.body import Motion, MotionType
from .exact import recall, remember, remembered, shortest_decimal

NONE = "NONE"


class OMI_PG_body(bpy.types.PropertyGroup):
    """Motion of a physics body, for what Blender's Rigid Body does not say."""

    if TYPE_CHECKING:
        motion_type: str
        mass: float
        exact: str
        motion_carried: str
    else:
        motion_type: EnumProperty(
            name="Motion Type",
            description="How the body moves in a physics engine",
            items=(
                (NONE, "None", "Not a body"),
                ("STATIC", "Static", "Never moves"),
                ("KINEMATIC", "Kinematic", "Moved by animation or scripts, pushes dynamic bodies"),
                ("DYNAMIC", "Dynamic", "Moved by forces, collisions and joints"),
            ),
        )
        mass: FloatProperty(
            name="Mass", description="Mass of the body", default=1.0, min=0.0, unit="MASS"
        )
        exact: StringProperty(options={"HIDDEN"})
        motion_carried: StringProperty(options={"HIDDEN"})


def body_data(obj: bpy.types.Object) -> OMI_PG_body:
    """Return the body data of any object, be it a body or not."""
    data: OMI_PG_body = obj.omi_body  # type: ignore[attr-defined]
    return data


def motion_of(obj: bpy.types.Object | None) -> Motion | None:
    """Return the motion of a body, None where the object is none.

    Blender's Rigid Body, where the object has one, decides type and mass: active is dynamic, animated is
    kinematic, passive is static.
    """
    if obj is None:
        return None
    body = body_data(obj)
    rigid = obj.rigid_body
    if rigid is None and body.motion_type == NONE:
        return None
    mass = recall(body, "mass", remembered(body)) if rigid is None else shortest_decimal(rigid.mass)
    motion_type = body.motion_type.lower() if rigid is None else _rigid_motion_type(rigid)
    return Motion(type=motion_type, mass=mass, carried=body.motion_carried)


def motion_from_core(body: OMI_PG_body, motion: Motion) -> None:
    """Set the properties to a core value."""
    body.motion_type = motion.type.upper()
    remember(body, {"mass": motion.mass})
    body.motion_carried = motion.carried


def _rigid_motion_type(rigid: bpy.types.RigidBodyObject) -> MotionType:
    """Return the motion type that Blender's Rigid Body means."""
    if rigid.kinematic:
        return MotionType.KINEMATIC
    is_moving = rigid.type == "ACTIVE" and rigid.enabled
    return MotionType.DYNAMIC if is_moving else MotionType.STATIC


CLASSES = (OMI_PG_body,)

"""A hand: a palm with four fingers, each finger a chain of hinges on a cone.

The palm is kinematic, moved by an animation or a controller, and the fingers follow it. Run as a
script it saves the hand as build/hand.blend.
"""

import math

import bpy
from parts import box, make_body, select
from session import BUILD, blender

FINGERS = {"Index": 0.035, "Middle": 0.012, "Ring": -0.012, "Little": -0.035}
"""Fingers and how far beside the middle of the palm they stand [m]."""
LENGTHS = (0.045, 0.028, 0.022)
"""Lengths of a finger's segments [m], from the knuckle on."""
THICKNESS = 0.016


def build() -> None:
    """Add the hand to the current scene, fingers along +Y, palm towards -Z."""
    palm = box("Palm", size=(0.09, 0.09, 0.025), location=(0.0, 0.0, 0.0))
    make_body(palm, mass=0.4, motion_type="KINEMATIC")
    for finger, beside in FINGERS.items():
        add_finger(finger, palm, beside=beside)


def add_finger(finger: str, palm: bpy.types.Object, *, beside: float) -> None:
    """Add the segments of one finger: the knuckle swings in a cone, the others bend one way."""
    below, start = palm, 0.045
    for index, length in enumerate(LENGTHS):
        segment = box(
            f"{finger} {index + 1}",
            size=(THICKNESS, length - 0.002, THICKNESS),
            location=(beside, start + length / 2.0, 0.0),
        )
        make_body(segment, mass=0.02 * length / LENGTHS[0])
        bpy.context.scene.cursor.location = (beside, start, 0.0)
        select(segment, onto=below.name)
        if index == 0:
            add_knuckle()
        else:
            add_bend()
        below, start = segment, start + length


def add_knuckle() -> None:
    """Joint the selected segment so that it swings in a cone about its length, hardly twisting."""
    bpy.ops.omi.joint_add(
        preset="BALL_WITH_CONE",
        axis="Y",
        pivot="CURSOR",
        cone=math.radians(35.0),
        twist=math.radians(5.0),
    )


def add_bend() -> None:
    """Joint the selected segment so that it bends towards the palm only: clockwise about X."""
    bpy.ops.omi.joint_add(
        preset="HINGE",
        axis="X",
        use_reverse=True,
        pivot="CURSOR",
        min_angle=0.0,
        max_angle=math.radians(100.0),
    )


if __name__ == "__main__":
    with blender():
        build()
        bpy.ops.wm.save_as_mainfile(filepath=str(BUILD / "hand.blend"))

"""A room with a hinged door, a rope, a sliding drawer and a motorised fan, authored by operators.

`build()` makes it in the current scene, as an artist would: add objects, select the moving body,
then the one to hold it, and add a joint. Run as a script it saves the room as build/room.blend.
"""

import math

import bpy
from parts import box, capsule, make_body, select
from session import BUILD, blender

ROPE_SEGMENTS = 12


def build() -> None:
    """Add the room to the current scene."""
    structure()
    door()
    rope()
    drawer()
    fan()


def structure() -> None:
    """Add what never moves: floor, door frame, beam and cabinet."""
    static = (
        box("Floor", size=(6.0, 5.0, 0.2), location=(0.0, 0.0, -0.1)),
        box("Door Frame Left", size=(0.1, 0.2, 2.1), location=(-2.55, 2.0, 1.05)),
        box("Door Frame Right", size=(0.1, 0.2, 2.1), location=(-1.45, 2.0, 1.05)),
        box("Beam", size=(3.0, 0.2, 0.2), location=(1.0, 0.0, 3.1)),
        box("Cabinet", size=(0.8, 0.6, 0.8), location=(2.2, 1.5, 0.4)),
    )
    select(*static)
    bpy.ops.omi.body_add(motion_type="STATIC")
    surface = static[0].omi_body.collider.material
    surface.use_material = True
    surface.static_friction, surface.dynamic_friction = 0.8, 0.7


def door() -> None:
    """Add a door that opens to one side only."""
    leaf = box("Door", size=(0.98, 0.06, 2.0), location=(-2.0, 2.0, 1.02))
    make_body(leaf, mass=25.0)
    bpy.context.scene.cursor.location = (-2.5, 2.0, 1.02)
    select(leaf, onto="Door Frame Left")
    bpy.ops.omi.joint_add(
        preset="HINGE", axis="Z", pivot="CURSOR", min_angle=0.0, max_angle=math.radians(110.0)
    )


def rope() -> None:
    """Add a rope of segments that share one settings object, like beads of one string."""
    segments = [
        capsule(f"Rope {index + 1:02}", radius=0.03, length=0.14, top=(0.2, 0.0, 3.0 - 0.2 * index))
        for index in range(ROPE_SEGMENTS)
    ]
    for segment in segments:
        make_body(segment, mass=0.15)
    select(*segments, onto="Beam")
    bpy.ops.omi.joint_add(
        preset="PIN", pattern="CHAIN", chain_order="NAME", pivot="CLOSEST", share_settings=True
    )


def drawer() -> None:
    """Add a drawer that slides out, the way it fits the cabinet, and gives way at its ends."""
    drawer_box = box("Drawer", size=(0.7, 0.5, 0.2), location=(2.2, 1.4, 0.55))
    make_body(drawer_box, mass=4.0)
    select(drawer_box, onto="Cabinet")
    bpy.ops.omi.joint_add(preset="SLIDER", pivot="SELECTED", min_distance=0.0, max_distance=0.4)
    ends = bpy.context.object.omi_joint.limits[-1]
    ends.use_stiffness, ends.stiffness, ends.damping = True, 2000.0, 60.0


def fan() -> None:
    """Add a fan that a motor turns."""
    blades = box("Fan Blades", size=(1.4, 0.16, 0.03), location=(1.8, 0.0, 2.8))
    make_body(blades, mass=1.5)
    select(blades, onto="Beam")
    bpy.ops.omi.joint_add(
        preset="HINGE_MOTOR",
        axis="Z",
        pivot="SELECTED",
        velocity_target=math.radians(360.0),
        damping=2.0,
        max_force=10.0,
    )


if __name__ == "__main__":
    with blender():
        build()
        bpy.ops.wm.save_as_mainfile(filepath=str(BUILD / "room.blend"))

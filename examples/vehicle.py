"""A buggy on springs: each wheel turns in a hub that a suspension spring holds below the chassis.

A weld holds it on a stand, so that a preview without collisions shows the springs: without the weld
it drives. Run as a script it saves the car as build/vehicle.blend, and as build/buggy.glb, which
`omi_joints_addon/examples/buggy.glb` is a copy of.
"""

import itertools
import math

import bpy
from parts import box, cylinder, make_body, select
from session import BUILD, blender

TRACK, WHEELBASE = 1.5, 2.6
"""Distances of the wheels, sideways and lengthwise [m]."""
MASS_PER_WHEEL = 100.0
"""Share of the chassis that each spring carries [kg]."""
SAG = 0.05
"""How far the springs give way under the chassis at rest [m]."""


def build() -> None:
    """Add the car to the current scene, its front towards -Y."""
    chassis = box("Chassis", size=(1.4, 4.0, 0.5), location=(0.0, 0.0, 0.7))
    make_body(chassis, mass=4.0 * MASS_PER_WHEEL)
    stand = box("Stand", size=(0.4, 0.4, 0.45), location=(0.0, 0.0, 0.225))
    make_body(stand, mass=100.0, motion_type="STATIC")
    select(chassis, onto="Stand")
    bpy.ops.omi.joint_add(preset="FIXED")
    for side, end in itertools.product((-1, 1), (-1, 1)):
        name = f"{'Front' if end < 0 else 'Rear'} {'Right' if side < 0 else 'Left'}"
        add_wheel(name, x=side * TRACK / 2.0, y=end * WHEELBASE / 2.0)


def add_wheel(name: str, *, x: float, y: float) -> None:
    """Add hub and wheel: the hub slides up and down on a spring, the wheel turns on the hub."""
    hub = box(f"{name} Hub", size=(0.12, 0.2, 0.2), location=(0.85 * x, y, 0.35))
    make_body(hub, mass=40.0)
    select(hub, onto="Chassis")
    stiffness = MASS_PER_WHEEL * 9.81 / SAG
    bpy.ops.omi.joint_add(
        preset="SUSPENSION_SPRING",
        axis="Z",
        pivot="SELECTED",
        travel=0.12,
        stiffness=stiffness,
        damping=0.6 * math.sqrt(stiffness * MASS_PER_WHEEL),
    )
    wheel = cylinder(f"{name} Wheel", radius=0.35, width=0.2, location=(1.1 * x, y, 0.35))
    make_body(wheel, mass=20.0)
    select(wheel, onto=hub.name)
    bpy.ops.omi.joint_add(preset="HINGE", axis="X", pivot="SELECTED", use_range=False)


if __name__ == "__main__":
    with blender():
        build()
        bpy.ops.wm.save_as_mainfile(filepath=str(BUILD / "vehicle.blend"))
        bpy.ops.export_scene.gltf(filepath=str(BUILD / "buggy.glb"))

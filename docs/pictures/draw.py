"""Draw the pictures of docs/limits.md and of the README: `make pictures`.

With a file, a width and a height [pixels] it draws the first picture of the README there.
"""

import sys
from pathlib import Path
from typing import Any

import bpy
from mathutils import Euler, Matrix

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "examples")]

import lit  # noqa: E402 - beside this file
import panel_names  # noqa: E402 - beside this file
import workshop  # noqa: E402 - an example
from session import blender  # noqa: E402 - makes the add-on importable

from omi_joints_addon.core.model.joint import (  # noqa: E402
    DriveType,
    JointDrive,
    JointLimit,
    JointSettings,
)
from omi_joints_addon.pictures.picture import draw_picture  # noqa: E402
from omi_joints_addon.properties.overlay import overlay_options  # noqa: E402

SIZE = (480, 360)
WORKSHOP_SIZE = (960, 600)
WORKSHOP_ANGLES = (1.22, -0.42)
ROBOT_SIZE = (960, 960)
ROBOT_ANGLES = (1.19, -0.7)
ANGLES = (0.8, -0.55)
"""Where the camera stands: from straight above downwards, and around [rad]."""
POINT = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
DIRECTION = JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0)
UPRIGHT = JointLimit(angular_axes=(0, 1), min=0.0, max=0.0)
ON_LINE = JointLimit(linear_axes=(1, 2), min=0.0, max=0.0)


def swing(low: float = -0.6, high: float = 1.4, stiffness: float = float("inf")) -> JointLimit:
    """Return a limit about Z."""
    return JointLimit(angular_axes=(2,), min=low, max=high, stiffness=stiffness)


def slide(low: float = -0.4, high: float = 0.8) -> JointLimit:
    """Return a limit along X."""
    return JointLimit(linear_axes=(0,), min=low, max=high)


def turned(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """Return a rotation by Euler angles [rad]."""
    return Euler((x, y, z)).to_matrix().to_4x4()


LIMITS: dict[str, tuple[tuple[JointLimit, ...], Matrix]] = {
    "angular-one": ((POINT, UPRIGHT, swing()), turned(z=0.5)),
    "angular-two": (
        (POINT, JointLimit(angular_axes=(0, 1), max=0.7)),
        turned(x=0.4),
    ),
    "angular-two-hole": (
        (POINT, JointLimit(angular_axes=(0, 1), min=0.3, max=0.8)),
        turned(x=0.5),
    ),
    "angular-combined": (
        (
            POINT,
            JointLimit(angular_axes=(0,), min=-0.3, max=0.9),
            JointLimit(angular_axes=(1,), min=-0.5, max=0.6),
        ),
        turned(x=0.3),
    ),
    "angular-combined-cone": (
        (
            POINT,
            JointLimit(angular_axes=(0, 1), max=0.9),
            JointLimit(angular_axes=(0,), min=-0.3, max=1.2),
        ),
        turned(x=0.3),
    ),
    "angular-three": ((POINT, JointLimit(angular_axes=(0, 1, 2), max=0.5)), turned(x=0.3)),
    "angular-free": ((POINT,), turned(z=0.4)),
    "locked": ((POINT, DIRECTION), Matrix()),
    "linear-one": ((slide(), ON_LINE, DIRECTION), Matrix.Translation((0.3, 0.0, 0.0))),
    "linear-unbounded": (
        (JointLimit(linear_axes=(0,), min=-0.4), ON_LINE, DIRECTION),
        Matrix.Translation((0.3, 0.0, 0.0)),
    ),
    "linear-two": (
        (JointLimit(linear_axes=(0, 1), min=0.2, max=0.6), DIRECTION),
        Matrix.Translation((0.3, 0.2, 0.0)),
    ),
    "linear-two-bounded": (
        (
            JointLimit(linear_axes=(0, 1), max=0.4),
            JointLimit(linear_axes=(2,), min=-0.2, max=0.9),
            DIRECTION,
        ),
        Matrix.Translation((0.2, 0.0, 0.3)),
    ),
    "linear-three": (
        (JointLimit(linear_axes=(0, 1, 2), min=0.25, max=0.6), DIRECTION),
        Matrix.Translation((0.3, 0.2, 0.1)),
    ),
    "linear-box": (
        (
            slide(),
            JointLimit(linear_axes=(1,), min=-0.3, max=0.4),
            JointLimit(linear_axes=(2,), min=0.0, max=0.5),
            DIRECTION,
        ),
        Matrix.Translation((0.3, 0.1, 0.2)),
    ),
    "soft": ((POINT, UPRIGHT, swing(stiffness=50.0)), turned(z=0.5)),
    "intersection": ((POINT, UPRIGHT, swing(), swing(-0.2, 2.2)), turned(z=0.5)),
    "state-at-limit": ((POINT, UPRIGHT, swing()), turned(z=1.4)),
    "state-violated": (
        (POINT, UPRIGHT, swing()),
        Matrix.Translation((0.2, 0.1, 0.0)) @ turned(z=2.2),
    ),
    "state-empty": ((POINT, UPRIGHT, swing(0.6, 0.2)), turned(z=0.4)),
}
DRIVES = {
    "drive-position": JointDrive(
        type=DriveType.ANGULAR, axis=2, position_target=1.1, stiffness=20.0
    ),
    "drive-velocity": JointDrive(type=DriveType.ANGULAR, axis=2, velocity_target=2.0, damping=1.0),
    "drive-linear": JointDrive(type=DriveType.LINEAR, axis=0, position_target=0.7, stiffness=20.0),
}
HANDLES = ("angular-one", "angular-two-hole", "linear-one", "linear-two", "linear-three")


def add_joint(
    limits: tuple[JointLimit, ...], pose: Matrix, drives: tuple[JointDrive, ...] = ()
) -> bpy.types.Object:
    """Put one joint into an empty file; `pose` is the connected frame's in the joint's."""
    bpy.ops.wm.read_homefile(use_empty=True)
    joint, connected = (bpy.data.objects.new(name, None) for name in ("Joint", "Connected"))
    for obj in (joint, connected):
        bpy.context.scene.collection.objects.link(obj)
    connected.matrix_world = pose
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = connected
    joint.omi_joint.settings_from_core(JointSettings(limits=limits, drives=drives))
    bpy.context.view_layer.update()
    return joint


def add_bodies(joint: bpy.types.Object) -> None:
    """Hang both frames of a joint on boxes."""
    connected = joint.omi_joint.connected_object
    for frame, place, motion in (
        (joint, (-0.9, 0, 0.2), "DYNAMIC"),
        (connected, (1, 0, -0.3), "STATIC"),
    ):
        bpy.ops.mesh.primitive_cube_add(size=0.6, location=place)
        body = bpy.context.object
        body.omi_body.motion_type = motion
        bpy.context.view_layer.update()
        world = frame.matrix_world.copy()
        frame.parent = body
        frame.matrix_parent_inverse = body.matrix_world.inverted()
        frame.matrix_world = world
    bpy.context.view_layer.update()


def draw(name: str, **options: Any) -> None:
    """Write one picture."""
    draw_picture(bpy.context, HERE / f"{name}.png", size=SIZE, angles=ANGLES, **options)
    print(name)


def draw_workshop(target: Path, light: lit.Light, size: tuple[int, int] = WORKSHOP_SIZE) -> None:
    """Draw the scene of the README's first picture."""
    bpy.ops.wm.read_homefile(use_empty=True)
    workshop.build()
    overlay_options(bpy.context).size = 1.5
    lit.set_light(light)
    draw_picture(
        bpy.context,
        target,
        size=size,
        angles=WORKSHOP_ANGLES,
        render=lit.lit,
        text_color=light.text,
    )
    print(target.stem)


def main() -> None:
    """Draw them all."""
    for name, (limits, pose) in LIMITS.items():
        add_joint(limits, pose)
        draw(name)
    for name in HANDLES:
        limits, pose = LIMITS[name]
        add_joint(limits, pose)
        draw(f"handles-{name}", show_handles=True)
    for name, drive in DRIVES.items():
        is_linear = drive.type == DriveType.LINEAR
        limits = (slide(), ON_LINE, DIRECTION) if is_linear else (POINT, UPRIGHT, swing())
        add_joint(limits, Matrix(), (drive,))
        draw(name)
    joint = add_joint(
        (POINT, UPRIGHT, swing()), Matrix.Translation((0.35, 0.1, 0.0)) @ turned(z=0.3)
    )
    add_bodies(joint)
    draw("frames")
    for name, light in (("light", lit.LIGHT), ("dark", lit.DARK)):
        draw_workshop(HERE / f"workshop-{name}.png", light)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.omi.example_add(example="arm.urdf")
    draw_picture(bpy.context, HERE / "robot.png", size=ROBOT_SIZE, angles=ROBOT_ANGLES)
    print("robot")
    # `make pictures` takes those of the window next.
    panel_names.FILE.write_text(panel_names.panel_names(), encoding="utf-8")


if __name__ == "__main__":
    with blender():
        if len(sys.argv) > 1:
            target, width, height = sys.argv[1:]
            draw_workshop(Path(target), lit.LIGHT, (int(width), int(height)))
        else:
            main()

"""What artists make by clicks in the window, read in the file that a game gets.

Bodies are as they model them: scaled, off center, wheels off their axles and turned either way.
"""

import math
from collections.abc import Sequence

import bpy
from glb import exported, is_close
from harness import Gui, Steps
from mathutils import Matrix

SIZE = "1600x1100"
LONGEST = 400.0
VIEW = (1.0, 0.0, 0.5)
WOOD = 600.0


def door_opens_in_its_file(gui: Gui) -> Steps:
    """A door whose size is its scale, with its handle's side half a meter from its origin."""
    _box("Frame", (0.1, 0.1, 2.0), (-0.06, 0.0, 1.0))
    _box("Door", (0.9, 0.04, 2.0), (0.45, 0.0, 1.0), is_scaled=True)
    yield from _joined(gui, "HINGE", "Door", "Frame")
    yield from gui.redo(min_angle=0.0, max_angle=math.radians(110.0))
    yield from gui.redo(use_density=True, density=WOOD)
    file = yield from exported(gui, "door")
    assert is_close(file.size("Door"), (0.9, 2.0, 0.04))
    assert is_close(file.mass("Door"), 0.9 * 2.0 * 0.04 * WOOD)
    assert is_close(file.size("Frame"), (0.1, 2.0, 0.1))
    assert not file.is_dynamic("Frame")
    (joint,) = file.joints()
    assert is_close(joint.axis, (0.0, -1.0, 0.0)), (
        "joints point backward, so that numbers are the door's"
    )
    assert is_close(joint.place.x, 0.0, 0.02), "not between door and frame"
    # Godot's importer measures angles the other way round.
    assert is_close(joint.angular[2], (math.radians(-110.0), 0.0))


def drawer_comes_out_in_its_file(gui: Gui) -> Steps:
    """A drawer that is off center and half out of its cabinet."""
    _box("Cabinet", (0.8, 0.8, 0.8), (0.0, 0.0, 0.4))
    _box("Drawer", (0.7, 0.6, 0.2), (0.45, 0.05, 0.55))
    yield from _joined(gui, "SLIDER", "Drawer", "Cabinet")
    yield from gui.redo(min_distance=0.0, max_distance=0.3)
    yield from gui.redo(shape="BOX")
    file = yield from exported(gui, "drawer")
    assert is_close(file.size("Drawer"), (0.7, 0.2, 0.6))
    (joint,) = file.joints()
    (axis,) = joint.linear
    way = joint.rotation @ Matrix.Identity(3).col[axis]
    low, high = joint.linear[axis]
    far = way * (low if abs(low) > abs(high) else high)
    # The connected frame goes the other way as seen from the drawer.
    assert is_close((abs(far.x), far.y, far.z), (0.3, 0.0, 0.0)), far
    assert is_close(min(abs(low), abs(high)), 0.0)


def wheels_turn_about_their_own_axes_the_same_way(gui: Gui) -> Steps:
    """Wheels left and right of a chassis that is higher, turned by +90 and -90 degrees."""
    _box("Chassis", (2.0, 0.6, 0.3), (0.0, 0.0, 0.6))
    for name, side in (("Left", 1.0), ("Right", -1.0)):
        bpy.ops.mesh.primitive_cylinder_add(
            radius=0.35,
            depth=0.2,
            location=(0.7, 0.45 * side, 0.35),
            rotation=(math.pi / 2 * side, 0.0, 0.0),
        )
        bpy.context.object.name = name
    yield from _joined(gui, "HINGE_MOTOR", "Left", "Right", "Chassis")
    yield from gui.redo(velocity_target=6.0)
    file = yield from exported(gui, "wheels")
    left, right = file.joints()
    spins = []
    for joint in (left, right):
        assert is_close(joint.place.xy, (0.7, 0.35)), "not on the wheel's axle"
        # For Godot a motor with a largest torque turns about X.
        (drive,) = joint.drives
        axle = joint.rotation.col[drive["axis"]]
        assert is_close(abs(axle[2]), 1.0)
        spins.append(axle * drive["velocityTarget"])
    assert is_close(spins[0], spins[1]), "the car turns on the spot"
    for name in ("Left", "Right"):
        shape = file.shape(name)
        assert shape["type"] == "cylinder", shape
        assert is_close(shape["cylinder"]["height"], 0.2)


def rope_hangs_in_its_file(gui: Gui) -> Steps:
    """Five links below a beam, all selected by hand, and Chain."""
    _box("Beam", (0.4, 0.2, 0.2), (0.0, 0.0, 2.2))
    names = [f"Link.{number}" for number in range(5)]
    for number, name in enumerate(names):
        _box(name, (0.08, 0.08, 0.38), (0.0, 0.0, 1.9 - 0.4 * number))
    gui.look((0.0, 0.0, 1.2), rotation=VIEW, distance=5.0)
    yield from gui.show_sidebar("Joints")
    yield from gui.pick(*names, "Beam")
    gui.remember()
    yield from gui.press_button("omi.joint_add", "CHAIN")
    yield from gui.redo(preset="BALL_WITH_CONE", cone=math.radians(40.0), twist=math.radians(20.0))
    file = yield from exported(gui, "rope")
    joints = file.joints()
    assert len(joints) == 5
    heights = sorted(joint.place.y for joint in joints)
    assert is_close(heights, [0.5, 0.9, 1.3, 1.7, 2.1], 0.011)
    for name in names:
        assert file.is_dynamic(name)
        assert file.shape(name)["type"] in {"box", "capsule", "cylinder"}


def arm_has_a_shoulder_and_an_elbow_in_its_file(gui: Gui) -> Steps:
    """A cone at the shoulder, a hinge at the elbow, both along the arm."""
    _box("Torso", (0.4, 0.25, 0.6), (0.0, 0.0, 1.2))
    _box("Upper Arm", (0.34, 0.09, 0.09), (0.39, 0.0, 1.42))
    _box("Forearm", (0.3, 0.08, 0.08), (0.73, 0.0, 1.42))
    yield from _joined(gui, "BALL_WITH_CONE", "Upper Arm", "Torso")
    yield from gui.redo(cone=math.radians(45.0), twist=math.radians(30.0))
    yield from _joined(gui, "HINGE", "Forearm", "Upper Arm")
    yield from gui.redo(axis="Z", min_angle=0.0, max_angle=math.radians(140.0))
    yield from gui.redo(use_density=True, density=1000.0)
    file = yield from exported(gui, "arm")
    assert is_close(file.size("Upper Arm"), (0.34, 0.09, 0.09))
    assert is_close(file.mass("Forearm"), 0.3 * 0.08 * 0.08 * 1000.0)
    elbow, shoulder = sorted(file.joints(), key=lambda joint: -joint.place.x)
    assert is_close(elbow.place, (0.57, 1.42, 0.0), 0.011)
    assert is_close(elbow.axis, (0.0, -1.0, 0.0))
    assert is_close(elbow.angular[2], (math.radians(-140.0), 0.0))
    assert is_close(shoulder.place, (0.21, 1.42, 0.0), 0.011)
    (cone,) = [each for each in shoulder.limits if len(each.get("angularAxes", ())) == 2]
    assert is_close(cone["max"], math.radians(45.0))
    (twist,) = [each for each in shoulder.limits if len(each.get("angularAxes", ())) == 1]
    assert is_close((twist["min"], twist["max"]), (math.radians(-30.0), math.radians(30.0)))
    (along,) = twist["angularAxes"]
    assert is_close(abs((shoulder.rotation.col[along]).x), 1.0), "the cone is not along the arm"


def _joined(gui: Gui, preset: str, *names: str) -> Steps:
    """Select bodies by clicks, the one that holds last, and click the button of a preset."""
    gui.look((0.2, 0.0, 0.9), rotation=VIEW, distance=5.0)
    yield from gui.show_sidebar("Joints")
    yield from gui.pick(*names)
    gui.remember()
    yield from gui.press_button("omi.joint_add", f"'{preset}'")


def _box(
    name: str, size: Sequence[float], place: Sequence[float], *, is_scaled: bool = False
) -> None:
    """Add a cube of some size, as its scale or as its mesh."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    obj = bpy.context.object
    obj.name, obj.scale = name, size
    if not is_scaled:
        obj.data.transform(Matrix.Diagonal((*size, 1.0)))
        obj.scale = (1.0, 1.0, 1.0)
    bpy.context.view_layer.update()

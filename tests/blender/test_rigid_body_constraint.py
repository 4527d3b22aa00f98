"""Blender's Rigid Body Constraints become joints that mean what Blender's simulation does."""

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_joints_addon.core.model.pose import pose_from_matrix, relative_pose
from omi_joints_addon.properties.rigid_body_constraint import constraint_joint
from tests.blender.scenes import add_cube, rows, select, snapshot
from tests.limit_excess import is_within

ANGLES = tuple(f"use_limit_ang_{axis}" for axis in "xyz")


def add_constraint(type_: str, *, at: Any = (0.0, 0.0, 0.0), **values: Any) -> Any:
    """Return a constraint between a fixed cube, its first object, and a free one."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("Bodies")
    world.constraints = bpy.data.collections.new("Constraints")
    world.substeps_per_frame, world.solver_iterations = 20, 50
    fixed, free = add_cube("Fixed", (0.0, 0.0, 0.0)), add_cube("Free", at)
    for body in (fixed, free):
        world.collection.objects.link(body)
        body.rigid_body.linear_damping = body.rigid_body.angular_damping = 0.0
        body.rigid_body.use_deactivation = False
    fixed.rigid_body.type = "PASSIVE"
    holder = bpy.data.objects.new("Constraint", None)
    scene.collection.objects.link(holder)
    world.constraints.objects.link(holder)
    data = holder.rigid_body_constraint
    data.type, data.object1, data.object2 = type_, fixed, free
    for name, value in values.items():
        setattr(data, name, value)
    bpy.context.view_layer.update()
    return holder


def bounded(kind: str, axis: str, lower: float, upper: float) -> dict[str, Any]:
    """Return values of a constraint that is locked but for one range."""
    values: dict[str, Any] = {}
    for name in (f"{k}_{a}" for k in ("lin", "ang") for a in "xyz"):
        values |= {f"use_limit_{name}": True}
        values |= {f"limit_{name}_lower": 0.0, f"limit_{name}_upper": 0.0}
    name = f"{kind}_{axis}"
    return values | {f"limit_{name}_lower": lower, f"limit_{name}_upper": upper}


def simulate(frames: int) -> Matrix:
    """Return how the free cube has moved after some frames of Blender's simulation."""
    start = bpy.data.objects["Free"].matrix_world.copy()
    for frame in range(1, frames + 1):
        bpy.context.scene.frame_set(frame)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return bpy.data.objects["Free"].evaluated_get(depsgraph).matrix_world @ start.inverted()


def relative_to_joint(holder: Any, motion: Matrix) -> Any:
    """Return the connected frame in the joint's once the free cube has moved."""
    joint, _ = constraint_joint(holder)
    frames = {"Fixed": holder.matrix_world, "Free": motion @ holder.matrix_world}
    poses = [
        pose_from_matrix(np.array(frames[body.name])) for body in (joint.body, joint.connected_body)
    ]
    return relative_pose(*poses)


CASES = [
    ("SLIDER", "lin", "x"),
    ("PISTON", "lin", "x"),
    ("PISTON", "ang", "x"),
    ("HINGE", "ang", "z"),
    *(("GENERIC", kind, axis) for kind in ("lin", "ang") for axis in "xyz"),
    ("GENERIC_SPRING", "lin", "y"),
    ("GENERIC_SPRING", "ang", "z"),
]


@pytest.mark.parametrize("pull", [1.0, -1.0])
@pytest.mark.parametrize(("type_", "kind", "axis"), CASES)
def test_simulation_comes_to_rest_at_the_bound_of_the_joint(type_, kind, axis, pull):
    index = "xyz".index(axis)
    at, gravity = Vector(), Vector()
    gravity[index if kind == "lin" else index - 1] = 9.8 * pull
    if kind == "ang":
        at[index - 2] = 1.0
    holder = add_constraint(type_, at=at, **bounded(kind, axis, -0.5, 1.0))
    bpy.context.scene.gravity = gravity
    joint, findings = constraint_joint(holder)
    assert (joint.body.name, findings) == ("Free", [])
    (limit,) = [limit for limit in joint.settings.limits if limit.min != limit.max]
    pose = relative_to_joint(holder, simulate(90))
    assert is_within(limit, pose, tolerance=0.01)
    # At a bound and not between: moved on by a hundredth it is outside.
    value = pose.position[index]
    if kind == "ang":
        value = 2.0 * math.atan2(pose.rotation[index], pose.rotation[3])
    assert min(abs(value - limit.min), abs(value - limit.max)) < 0.01


@pytest.mark.parametrize("kind", ["lin", "ang"])
def test_simulated_motor_has_the_velocity_of_the_drive(kind):
    values = {f"use_motor_{kind}": True, f"motor_{kind}_target_velocity": 1.0}
    holder = add_constraint("MOTOR", **values, **{f"motor_{kind}_max_impulse": 100.0})
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    joint, _ = constraint_joint(holder)
    (drive,) = joint.settings.drives
    pose = relative_to_joint(holder, simulate(25))
    value = pose.position[0]
    if kind == "ang":
        value = 2.0 * math.atan2(pose.rotation[0], pose.rotation[3])
    # 24 frames of a second, and a moment to get going.
    assert value == pytest.approx(drive.velocity_target, abs=0.02)


def test_joint_stays_with_the_first_object_where_its_axes_are_not_parallel():
    # Sliding along an axis of the first object while turning freely: no settings say the same
    # from the other end.
    values = bounded("lin", "x", -1.0, 1.0) | dict.fromkeys(ANGLES, False)
    joint, findings = constraint_joint(add_constraint("GENERIC", **values))
    assert (joint.body.name, joint.connected_body.name, findings) == ("Fixed", "Free", [])


def convert(holder: Any, **options: Any) -> Any:
    select(holder)
    assert bpy.ops.omi.rigid_body_constraint_convert(**options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def test_conversion_makes_two_frames_where_the_constraint_was():
    holder = add_constraint("HINGE", at=(3.0, 0.0, 0.0), disable_collisions=False)
    holder.location, holder.rotation_euler = (1.5, 0.5, 0.25), (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    place = np.array(rows(holder.matrix_world))
    joint = convert(holder)
    data = joint.omi_joint
    assert (joint.name, joint.parent.name) == ("Constraint Joint", "Free")
    assert data.connected_object.parent.name == "Fixed"
    assert data.enable_collision
    for frame in (joint, data.connected_object):
        assert np.array(rows(frame.matrix_world)) == pytest.approx(place, abs=1e-6)
    assert "Constraint" not in bpy.data.objects


def test_constraints_can_be_kept():
    joint = convert(add_constraint("FIXED"), keep_constraints=True)
    assert bpy.data.objects["Constraint"].rigid_body_constraint.enabled
    assert joint.omi_joint.enabled


def test_constraint_of_a_body_is_switched_off():
    holder = add_constraint("FIXED")
    free = bpy.data.objects["Free"]
    bpy.context.scene.rigidbody_world.constraints.objects.link(free)
    data = free.rigid_body_constraint
    data.object1, data.object2 = bpy.data.objects["Fixed"], free
    joint = convert(free)
    assert joint.name == "Free Joint"
    assert not free.rigid_body_constraint.enabled
    assert holder.rigid_body_constraint.enabled


@pytest.mark.parametrize("values", [{"enabled": False}, {"object2": None}])
def test_constraint_that_does_nothing_makes_no_joint(values):
    holder = add_constraint("FIXED", **values)
    select(holder)
    before = snapshot()
    # The warning names the object and makes the scripted call raise nothing.
    assert bpy.ops.omi.rigid_body_constraint_convert() == {"CANCELLED"}
    assert snapshot() == before


@pytest.mark.parametrize(("frame", "is_warned"), [(1, False), (5, True)])
def test_conversion_in_the_middle_of_the_simulation_is_warned_of(capsys, frame, is_warned):
    holder = add_constraint("FIXED")
    bpy.context.scene.frame_set(frame)
    convert(holder)
    assert ("The simulation has started" in capsys.readouterr().out) == is_warned


def test_conversion_needs_a_constraint():
    select(add_cube("Cube", (0.0, 0.0, 0.0)))
    with pytest.raises(RuntimeError, match="No selected object has a Rigid Body Constraint"):
        bpy.ops.omi.rigid_body_constraint_convert()


def test_conversion_is_undone_in_one_step():
    holder = add_constraint("HINGE")
    select(holder)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.omi.rigid_body_constraint_convert("EXEC_DEFAULT", True)
    assert "Constraint" not in bpy.data.objects
    bpy.ops.ed.undo()
    assert "Constraint Joint" not in bpy.data.objects
    assert bpy.data.objects["Constraint"].rigid_body_constraint.type == "HINGE"

"""Contacts in previews: bodies rest on and push each other, by the shapes that they have."""

import sys

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.solver import contacts as solver_contacts
from omi_joints_addon.core.solver.contacts import collision
from omi_joints_addon.preview.forces import force_lines
from omi_joints_addon.preview.session import Command, begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from tests.blender.scenes import add_cube, add_joint, select
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("empty_scene")


@pytest.fixture(autouse=True)
def _defaults():
    yield
    stop()
    options = preview_options(bpy.context)
    for name in ("contacts", "floor", "hold_root", "show_forces"):
        options.property_unset(name)


def make_body(obj, motion="DYNAMIC", shape="GUESS"):
    select(obj)
    assert bpy.ops.omi.body_add(motion_type=motion, shape=shape) == {"FINISHED"}
    return obj


def simulated(seconds):
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    for _ in range(round(seconds * 24)):
        preview.next_frame()
    return preview


def height(preview, name):
    return float(preview.record[-1][[obj.name for obj in preview.objects].index(name)][2, 3])


def add_ground(z=0.0):
    ground = add_cube("Ground", (0.0, 0.0, z - 1.0))
    ground.scale = (10.0, 10.0, 1.0)
    return make_body(ground, "STATIC", shape="BOX")


def test_a_scaled_box_off_its_origin_rests_on_the_ground():
    add_ground()
    crate = add_cube("Crate", (0.0, 0.0, 2.0))
    for vertex in crate.data.vertices:
        vertex.co.z += 1.0
    crate.scale = (1.0, 1.0, 0.5)
    make_body(crate, shape="BOX")
    preview = simulated(2.0)
    # Its lowest point is its origin.
    assert height(preview, "Crate") == pytest.approx(0.0, abs=1e-3)
    (kilograms,) = (obj.omi_body.mass for obj in preview.objects if obj.name == "Crate")
    contacts = preview.contacts()
    weight = np.abs(contacts[:, 3:6].sum(axis=0))
    np.testing.assert_allclose(weight, (0.0, 0.0, 9.81 * kilograms), atol=0.05 * kilograms)
    assert all(matrices.shape == preview.record[0].shape for matrices in preview.record)


def test_without_contacts_it_falls_as_before():
    add_ground()
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    preview_options(bpy.context).contacts = False
    preview = simulated(1.0)
    assert height(preview, "Crate") == pytest.approx(2.0 - 9.81 / 2.0, abs=0.05)
    assert preview.without_contacts is None
    assert not len(preview.contacts())


def test_a_floor_holds_what_has_none_and_is_not_part_of_the_scene():
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    preview_options(bpy.context).floor = "ON"
    preview = simulated(2.0)
    assert height(preview, "Crate") == pytest.approx(1.0, abs=1e-3)
    assert [obj.name for obj in bpy.data.objects] == ["Crate"]
    assert preview.record[-1].shape == (1, 4, 4)


def test_a_floor_is_there_by_itself_where_nothing_could_hold():
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    assert height(simulated(2.0), "Crate") == pytest.approx(1.0, abs=1e-3)
    preview_options(bpy.context).floor = "OFF"
    assert height(simulated(2.0), "Crate") < -5.0


def test_no_floor_comes_by_itself_where_something_holds():
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    anchor = bpy.data.objects.new("Anchor", None)
    bpy.context.scene.collection.objects.link(anchor)
    anchor.omi_body.motion_type = "STATIC"
    assert height(simulated(1.0), "Crate") < -2.0


def running_pair():
    """Return a simulation of two boxes on a ball joint that have fallen for half a second."""
    upper = make_body(add_cube("Upper", (0.0, 0.0, 9.0)), shape="BOX")
    make_body(add_cube("Lower", (3.0, 0.0, 9.0)), shape="BOX")
    upper.omi_body.mass = 5.0
    add_joint(upper, bpy.data.objects["Lower"], preset="PIN")
    preview = simulated(0.5)
    begin(preview)
    return preview


def go_on(preview, seconds):
    for _ in range(round(24 * seconds)):
        preview.obey(Command.STEP)
        preview.tick(bpy.context)


def test_a_root_is_held_where_it_is_and_let_go_again():
    preview_options(bpy.context).floor = "OFF"
    preview = running_pair()
    number = [obj.name for obj in preview.objects].index("Upper")
    start = height(preview, "Upper")
    assert start == pytest.approx(9.0 - 9.81 / 8.0, abs=0.1)
    preview_options(bpy.context).hold_root = True
    go_on(preview, 1.0)
    held = preview.record[-1][number]
    assert held[2, 3] == pytest.approx(start, abs=0.05), "held where it was, not at rest"
    lowest = min(float(matrices[1 - number, 2, 3]) for matrices in preview.record)
    assert lowest < start - 1.0, "the other one hangs and swings"
    preview_options(bpy.context).hold_root = False
    go_on(preview, 0.5)
    assert height(preview, "Upper") < start - 0.5
    preview.obey(Command.RESET)
    np.testing.assert_allclose(preview.record[-1], preview.scene.matrices)
    assert height(preview, "Upper") == pytest.approx(9.0)


def test_a_floor_comes_and_goes_while_it_runs():
    preview_options(bpy.context).floor = "OFF"
    make_body(add_cube("Crate", (0.0, 0.0, 2.5)), shape="BOX")
    preview = simulated(0.3)
    begin(preview)
    preview_options(bpy.context).floor = "ON"
    go_on(preview, 2.0)
    assert height(preview, "Crate") == pytest.approx(1.0, abs=2e-3)
    preview_options(bpy.context).floor = "OFF"
    go_on(preview, 0.5)
    assert height(preview, "Crate") < 0.5


def test_a_floor_that_comes_late_is_below_what_has_fallen():
    preview_options(bpy.context).floor = "OFF"
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    preview = simulated(1.5)
    begin(preview)
    fallen = height(preview, "Crate")
    assert fallen < -5.0
    preview_options(bpy.context).floor = "ON"
    go_on(preview, 1.0)
    assert height(preview, "Crate") == pytest.approx(fallen, abs=0.05)


def test_a_ragdoll_falls_on_the_ground():
    add_ground()
    rig = add_rig("Rig", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    preview = simulated(3.0)
    bodies = sorted(preview.simulation.moving_nodes)
    assert len(bodies) >= 2
    assert preview.record[-1][bodies, 2, 3].min() > -0.01
    sunk = preview.record[-1][bodies, 2, 3] - preview.record[-6][bodies, 2, 3]
    assert np.abs(sunk).max() < 0.02


def test_an_animated_box_pushes_another():
    add_ground()
    make_body(add_cube("Crate", (3.0, 0.0, 1.0)), shape="BOX")
    pusher = make_body(add_cube("Pusher", (0.0, 0.0, 1.1)), "KINEMATIC", shape="BOX")
    pusher.keyframe_insert("location", index=0, frame=1)
    pusher.location.x = 2.0
    pusher.keyframe_insert("location", index=0, frame=49)
    bpy.context.scene.frame_set(1)
    preview = simulated(2.0)
    crate = [obj.name for obj in preview.objects].index("Crate")
    assert preview.record[-1][crate, 0, 3] > 3.95


def test_a_pulled_crate_beside_a_door_that_touches_nothing():
    """The crate is stepped by what it touches, the door by its joint alone."""
    add_ground()
    crate = make_body(add_cube("Crate", (0.0, 0.0, 1.0)), shape="BOX")
    frame, door = (add_cube(name, (x, 0.0, 5.0)) for name, x in (("Frame", 6.0), ("Door", 8.1)))
    add_joint(door, frame, preset="HINGE")
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    names = [obj.name for obj in preview.objects]
    for _ in range(10):
        preview.next_frame()
    preview.grab(names.index("Crate"), (0.0, -1.0, 1.3))
    preview.pull(bpy.context, (-1.5, -1.0, 1.6), (0.0, 1.0, 0.0))
    for _ in range(24):
        preview.next_frame()
    assert preview.record[-1][names.index("Crate"), 0, 3] < -0.7
    assert crate.location.x == 0.0
    gap = preview.record[-1][names.index("Door"), :3, 3] - door.location
    np.testing.assert_allclose(gap, 0.0, atol=1e-3)


def test_pulling_a_body_pushes_another():
    add_ground()
    make_body(add_cube("Pushed", (2.5, 0.0, 1.0)), shape="BOX")
    make_body(add_cube("Pulled", (0.0, 0.0, 1.0)), shape="BOX")
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    nodes = {obj.name: node for node, obj in enumerate(preview.objects)}
    preview.grab(nodes["Pulled"], (0.0, 0.0, 1.0))
    preview.pull(bpy.context, (3.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    for _ in range(48):
        preview.next_frame()
    assert preview.record[-1][nodes["Pushed"], 0, 3] > 3.5


def test_the_ground_can_be_moved_meanwhile():
    ground = add_ground()
    make_body(add_cube("Crate", (0.0, 0.0, 1.0)), shape="BOX")
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context, 0.04)
    ground.location.z = -3.0
    for _ in range(48):
        preview.tick(bpy.context, 1.0 / 24.0)
    assert height(preview, "Crate") == pytest.approx(-1.0, abs=2e-3)


def test_shapes_are_built_anew_only_where_they_changed(monkeypatch):
    """Of an edited limit nothing is, of a corner of a mesh that collides all, once."""
    add_ground()
    crate = make_body(add_cube("Crate", (0.0, 0.0, 3.0)), shape="CONVEX")
    make_body(add_cube("Lid", (0.0, 0.0, 5.0)), shape="BOX")
    select(crate, bpy.data.objects["Lid"])
    bpy.ops.omi.joint_add(preset="HINGE")
    (joint,) = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context, 0.04)
    built = []
    finder = collision.ContactFinder
    monkeypatch.setattr(collision, "ContactFinder", lambda *a: built.append(a) or finder(*a))

    def edit_limit():
        joint.omi_joint.limits[-1].max += 0.1
        bpy.context.view_layer.update()
        before = preview.simulation.scene
        preview.tick(bpy.context, 0.04)
        assert preview.simulation.scene is not before

    edit_limit()
    assert not built
    crate.data.vertices[0].co.x -= 0.25
    crate.data.update()
    edit_limit()
    assert len(built) == 1
    edit_limit()
    assert len(built) == 1


def test_without_mujoco_the_reason_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    solver_contacts.unavailable.cache_clear()
    add_ground()
    make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    preview = simulated(0.5)
    solver_contacts.unavailable.cache_clear()
    assert height(preview, "Crate") < 1.5
    assert "MuJoCo is not installed" in preview.without_contacts.message
    assert preview.clock.endswith(" s, no contacts")


def test_the_largest_force_of_joints_and_contacts_is_half_a_meter():
    points, forces = np.zeros((2, 3)), np.array([(0.0, 0.0, 3.0), (0.0, 4.0, 0.0)])
    lines = force_lines(points, forces)
    assert lines[1::2].tolist() == [[0.0, 0.0, 0.375], [0.0, 0.5, 0.0]]


def test_a_baked_fall_ends_on_the_ground():
    add_ground()
    crate = make_body(add_cube("Crate", (0.0, 0.0, 2.0)), shape="BOX")
    assert bpy.ops.omi.preview_bake(frames=36) == {"FINISHED"}
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 36)
    assert crate.location.z == pytest.approx(1.0, abs=1e-3)

"""Shift JSON read: every noun in files made here, against positions by hand."""

import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.meaning.recognition import joint_kind
from omi_joints_addon.core.model.graph import spanning_tree
from omi_joints_addon.core.model.shape import Convex
from omi_joints_addon.core.solver import Simulation
from tests.core.shift_models import (
    QUARTER,
    QUARTER_ABOUT_Z,
    arm,
    body,
    codes,
    joint,
    measured,
    model,
    place,
    read,
    restraint,
    write,
)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("value", [0.0, 0.4, -1.2])
def test_hinge_keeps_number_and_sign(axis: int, value: float, tmp_path: Path) -> None:
    scene = read(arm("R" + "xyz"[axis], initial_displacement=value), tmp_path).scene
    turn = np.array(
        [[1, 0, 0], [0, math.cos(value), -math.sin(value)], [0, math.sin(value), math.cos(value)]]
    )
    turn = np.roll(np.roll(turn, axis, axis=0), axis, axis=1)
    # The frame of the link is at the post; the link's origin lies half a meter back along its X.
    assert np.allclose(place(scene, "link")[:3, :3], turn)
    assert np.allclose(place(scene, "link")[:3, 3], (0, 0, 1) - turn @ (0.5, 0, 0))
    assert joint_kind(scene.joints[0].settings).label == "Hinge"
    assert measured(scene)[5] == pytest.approx(value)
    assert scene.names[scene.bodies()[scene.joints[0].node]] == "link"


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_slider_keeps_number_and_sign(axis: int, tmp_path: Path) -> None:
    scene = read(arm("T" + "xyz"[axis], initial_displacement=0.3), tmp_path).scene
    expected = np.array((-0.5, 0.0, 1.0)) + 0.3 * np.eye(3)[axis]
    assert np.allclose(place(scene, "link")[:3, 3], expected)
    assert joint_kind(scene.joints[0].settings).label == "Slider"
    assert measured(scene)[0] == pytest.approx(0.3)


@pytest.mark.parametrize("axis", ["z", [0, 0, 2.0]])
def test_axis_by_letter_or_vector(axis: Any, tmp_path: Path) -> None:
    scene = read(arm("revolute", axis=axis, initial_displacement=0.7), tmp_path).scene
    assert place(scene, "link")[:3, 0] == pytest.approx((math.cos(0.7), math.sin(0.7), 0.0))
    assert measured(scene)[5] == pytest.approx(0.7)


def test_rigid_and_spherical_take_a_rotation_and_a_translation(tmp_path: Path) -> None:
    rest = {"R": QUARTER_ABOUT_Z, "T": [0.0, 0.0, 0.25]}
    welded = read(arm("rigid", initial_displacement=rest), tmp_path).scene
    assert place(welded, "link")[:3, 3] == pytest.approx((0.0, -0.5, 1.25))
    assert joint_kind(welded.joints[0].settings).label == "Fixed (Weld)"
    assert np.abs(measured(welded)).max() < 1e-12
    ball = read(arm("spherical", initial_displacement={"R": QUARTER_ABOUT_Z}), tmp_path).scene
    assert place(ball, "link")[:3, 3] == pytest.approx((0.0, -0.5, 1.0))
    assert joint_kind(ball.joints[0].settings).label == "Pin"


def test_float_places_a_body_without_a_joint_and_only_where_no_other_does(tmp_path: Path) -> None:
    free = joint(
        "float", ["fixed", "origin"], ["link", "origin"], initial_displacement={"T": [1, 2, 3]}
    )
    found = read(model([body("link")], [free]), tmp_path)
    assert place(found.scene, "link")[:3, 3] == pytest.approx((1, 2, 3))
    assert not found.scene.joints
    document = arm("Rz")
    document["assemblies"][0]["joints"].insert(0, free)
    assert place(read(document, tmp_path).scene, "link")[:3, 3] == pytest.approx((-0.5, 0, 1))


def test_joint_against_the_tree_sits_on_the_body_that_moves(tmp_path: Path) -> None:
    document = arm("Rz")
    document["assemblies"][0]["joints"] = [
        joint("Rz", ["link", "end"], ["fixed", "post"], initial_displacement=0.4)
    ]
    scene = read(document, tmp_path).scene
    # The post turns by +0.4 in the link, so the link by -0.4 about the post.
    assert place(scene, "link")[:3, 0] == pytest.approx((math.cos(0.4), -math.sin(0.4), 0.0))
    assert scene.names[scene.bodies()[scene.joints[0].node]] == "link"
    assert measured(scene)[5] == pytest.approx(0.4)


def test_both_dialects_and_frames_at_the_root(tmp_path: Path) -> None:
    old = arm("Rz", initial_displacement=0.3)
    new = copy.deepcopy(old)
    new["model_parameters"]["version"] = "2.0.0"
    new["frames"] = new.pop("fixed")["frames"]
    members = new["assemblies"][0]
    del members["joints"][0]["body_frame_pairs"]
    members["joints"][0] |= {"parent": [["fixed"], "post"], "child": [["link"], "end"]}
    members["joints"][0] |= {"type": "revolute", "axis": [0, 0, 1]}
    link = members["bodies"][0]
    link["inertia"] = link.pop("moment_of_inertia") | {"mass": link.pop("mass")}
    one, other = read(old, tmp_path).scene, read(new, tmp_path).scene
    assert one.names == other.names
    assert np.array_equal(one.matrices, other.matrices)
    assert one.motions == other.motions
    assert one.joints[0].settings == other.joints[0].settings


def test_paths_lead_into_assemblies_and_out_of_them(tmp_path: Path) -> None:
    inner = {
        "name": "inner",
        "bodies": [body("x")],
        "joints": [joint("Rz", ["base", "origin"], ["x", "origin"])],
    }
    outer = {
        "name": "outer",
        "bodies": [body("base"), body("y")],
        "joints": [
            joint("rigid", ["fixed", "origin"], ["base", "origin"]),
            joint("Rz", ["outer:inner:x", "origin"], ["y", "origin"]),
        ],
        "assemblies": [inner],
    }
    found = read(model([], []) | {"assemblies": [outer]}, tmp_path)
    scene, owner = found.scene, found.scene.bodies()
    pairs = [(scene.names[owner[j.connected]], scene.names[owner[j.node]]) for j in scene.joints]
    assert pairs == [("fixed", "base"), ("x", "y"), ("base", "x")]
    assert [scene.names[p] for p in scene.parents[[scene.names.index("x")]]] == ["inner"]
    assert not codes(found)


def test_loop_is_found_and_its_gap_reported(tmp_path: Path) -> None:
    def four_bar(length: float) -> dict[str, Any]:
        far = [{"name": "far", "T": [1.0, 0.0, 0.0]}]
        fixed = {"frames": [{"name": "right", "T": [length, 0.0, 0.0]}]}
        return model(
            [body("a", frames=far), body("b", frames=far)],
            [
                joint("Rz", ["fixed", "origin"], ["a", "origin"]),
                joint("Rz", ["a", "far"], ["b", "origin"]),
                joint("Rz", ["b", "far"], ["fixed", "right"]),
            ],
            fixed=fixed,
        )

    closed, apart = read(four_bar(2.0), tmp_path), read(four_bar(2.25), tmp_path)
    assert codes(closed) == []
    assert len(spanning_tree(closed.scene).loops) == 1
    assert [j.attributes.in_articulation for j in closed.scene.joints].count(False) == 1
    (gap,) = (item for item in apart.findings if item.code == "OMI-H006")
    assert "0.25 m" in gap.message


def test_gravity_is_turned_down_unless_asked_not_to(tmp_path: Path) -> None:
    document = arm("Rz")
    document["model_parameters"]["gravity"] = [0.0, 0.0, 9.81]
    turned = read(document, tmp_path)
    assert turned.scene.gravity == pytest.approx((0.0, 0.0, -9.81))
    assert place(turned.scene, "link")[:3, 3] == pytest.approx((-0.5, 0.0, -1.0))
    assert codes(turned) == ["OMI-H008"]
    kept = read(document, tmp_path, turn="keep")
    assert kept.scene.gravity == (0.0, 0.0, 9.81)
    assert place(kept.scene, "link")[:3, 3] == pytest.approx((-0.5, 0.0, 1.0))


def test_mass_and_inertia(tmp_path: Path) -> None:
    moments = {"Ixx": 2.0, "Iyy": 2.0, "Izz": 3.0, "Ixy": 0.5, "Iyz": 0.0, "Izx": 0.0}
    document = arm("Rz")
    document["assemblies"][0]["bodies"][0] |= {
        "center_of_mass": [0, 0, 1],
        "moment_of_inertia": moments,
    }
    motion = next(m for m in read(document, tmp_path).scene.motions.values() if m.mass == 2.0)
    assert motion.center_of_mass == (0.0, 0.0, 1.0)
    assert sorted(motion.inertia_diagonal) == pytest.approx([1.5, 2.5, 3.0])
    _, _, z, w = motion.inertia_orientation
    assert (abs(z), w) == pytest.approx((math.sin(math.pi / 8), math.cos(math.pi / 8)))


def test_units_other_than_si(tmp_path: Path) -> None:
    document = arm("Rz", initial_displacement=90.0)
    units = {"angle": "degrees", "length": "millimeters", "mass": "grams"}
    document["model_parameters"]["units"] = units
    scene = read(document, tmp_path).scene
    assert measured(scene)[5] == pytest.approx(QUARTER)
    assert place(scene, "link")[:3, 3] == pytest.approx((0.0, -0.0005, 0.001))
    assert max(m.mass for m in scene.motions.values() if m.type == "dynamic") == pytest.approx(
        0.002
    )


def test_units_of_what_is_kept_are_told(tmp_path: Path) -> None:
    document = arm("Rz") | {"force_modules": [{"gain": 1000.0}]}
    assert "OMI-H014" not in {found.code for found in read(document, tmp_path).findings}
    document["model_parameters"]["units"] = {"length": "millimeters"}
    assert "OMI-H014" in {found.code for found in read(document, tmp_path).findings}


def test_initial_velocity_moves_the_center_of_mass(tmp_path: Path) -> None:
    document = arm("Rz", initial_velocity=2.0)
    document["assemblies"][0]["bodies"][0]["center_of_mass"] = [-0.5, 0.0, 0.0]
    scene = read(document, tmp_path).scene
    motion = scene.motions[scene.names.index("link")]
    # The center is one meter behind the hinge: 2 rad/s x 1 m.
    assert motion.angular_velocity == pytest.approx((0.0, 0.0, 2.0))
    assert motion.linear_velocity == pytest.approx((0.0, -2.0, 0.0))


def test_springs_of_joints_are_lowest_power_first(tmp_path: Path) -> None:
    found = read(arm("Tz", stiffness=[-100.0, 1000.0], damping=[0.0, 20.0]), tmp_path)
    (drive,) = found.scene.joints[0].settings.drives
    assert (drive.type, drive.axis) == ("linear", 0)
    assert (drive.stiffness, drive.position_target) == (1000.0, 0.1)
    assert (drive.damping, drive.velocity_target) == (20.0, 0.0)


def test_piecewise_spring_is_a_soft_limit(tmp_path: Path) -> None:
    document = arm("Ry")
    soft = restraint([[50.0, 10.0], [0.0], [50.0, -25.0]], [-0.2, 0.5], joint="J")
    document["assemblies"][0]["restraints"] = [soft]
    settings = read(document, tmp_path).scene.joints[0].settings
    (limit,) = (limit for limit in settings.limits if limit.angular_axes == (2,))
    assert (limit.min, limit.max, limit.stiffness) == (-0.2, 0.5, 50.0)


def test_restraint_between_frames_is_a_joint_of_its_own(tmp_path: Path) -> None:
    document = model([body("link")], [])
    pair = {"body_frame_pair": [["fixed", "origin"], ["link", "origin"]]}
    rope = restraint([[0.0], [80.0, -160.0]], [2.0], **pair)
    spring = restraint([[2.0, 0.5]], [], **pair, distance_type="Tz")
    bent = restraint([[2.0, 0.5, 0.0], [0.0]], [0.0], **pair)
    document["assemblies"][0]["restraints"] = [rope, spring, bent]
    found = read(document, tmp_path)
    (limit,) = found.scene.joints[0].settings.limits
    assert (limit.linear_axes, limit.max, limit.stiffness) == ((0, 1, 2), 2.0, 80.0)
    (drive,) = found.scene.joints[1].settings.drives
    assert (drive.axis, drive.stiffness, drive.position_target) == (2, 2.0, -0.25)
    assert len(found.scene.joints) == 2
    assert "OMI-H010" in codes(found)


def test_inactive_joints_are_disabled(tmp_path: Path) -> None:
    scene = read(arm("Rz", active=False), tmp_path).scene
    assert not scene.joints[0].attributes.enabled


def test_hull_of_what_a_body_shows_is_its_collider(tmp_path: Path) -> None:
    tmp_path.joinpath("link.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    document = arm("Rz")
    members = {"definition": ["link.obj"], "collision_geometry": "convex_hull"}
    document["assemblies"][0]["bodies"][0] |= members
    scene = read(document, tmp_path).scene
    node = scene.names.index("link")
    assert scene.colliders[node].shape == Convex(mesh=scene.visuals[node].mesh)
    again, written = write(scene, tmp_path)
    assert members.items() <= again["assemblies"][0]["bodies"][0].items()
    assert not [loss for loss in written.losses if loss.how == "lost"]


def test_double_pendulum_moves_by_its_equations(tmp_path: Path) -> None:
    """Two links of 1 m that hang aside, the inner one thrown; angles by Lagrange's equations."""
    integrate = pytest.importorskip("scipy.integrate")
    links = [
        body(name, center_of_mass=[0, 0, -0.5], frames=[{"name": "end", "T": [0.1, 0, -1]}])
        for name in ("one", "two")
    ]
    joints = [
        joint(
            "Rx",
            ["fixed", "origin"],
            ["one", "origin"],
            initial_displacement=0.8,
            initial_velocity=2.0,
        ),
        joint("Rx", ["one", "end"], ["two", "origin"], name="K", initial_displacement=-0.3),
    ]
    mass, moment, half = 2.0, 1.0, 0.5

    def derivative(_time: float, state: np.ndarray) -> np.ndarray:
        a, b, spin, turn = state
        coupled = mass * half * math.cos(a - b)
        inertia = np.array(
            ((moment + mass * (half**2 + 1.0), coupled), (coupled, moment + mass * half**2))
        )
        swirl = mass * half * math.sin(a - b)
        forces = np.array((-swirl * turn**2, swirl * spin**2))
        forces -= 9.81 * mass * np.array(((half + 1.0) * math.sin(a), half * math.sin(b)))
        return np.concatenate((state[2:], np.linalg.solve(inertia, forces)))

    # Both angles from the vertical; the second link is carried along by the first.
    start = (0.8, 0.5, 2.0, 2.0)
    a, b, *_ = integrate.solve_ivp(derivative, (0, 1), start, rtol=1e-9, atol=1e-10).y[:, -1]
    scene = read(model(links, joints), tmp_path).scene
    simulation = Simulation(scene)
    for _ in range(60):
        simulation.advance(1.0 / 60.0)
    two = simulation.matrices()[scene.names.index("two")]
    assert two[:3, 3] == pytest.approx([0.1, math.sin(a), -math.cos(a)], abs=1e-3)
    assert two[:3, 2] == pytest.approx([0.0, -math.sin(b), math.cos(b)], abs=1e-3)

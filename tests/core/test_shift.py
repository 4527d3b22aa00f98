"""Shift JSON read and written: every noun in files made here, against positions by hand."""

import copy
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.freedom import values_of_pose
from omi_joints_addon.core.meaning.recognition import joint_kind
from omi_joints_addon.core.model.graph import spanning_tree
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Convex
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Read, Source, Target, UnreadableError, Written
from omi_joints_addon.io.formats.shift import SHIFT
from tests.cases import cases
from tests.core.solver_scenes import SceneBuilder
from tests.mutation import damage

CASES = cases(50)
QUARTER = math.pi / 2.0
QUARTER_ABOUT_Z = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def body(name: str, **members: Any) -> dict[str, Any]:
    moments = {"Ixx": 1.0, "Iyy": 1.0, "Izz": 1.0, "Ixy": 0.0, "Iyz": 0.0, "Izx": 0.0}
    return {"name": name, "mass": 2.0, "moment_of_inertia": moments} | members


def joint(kind: str, first: list[Any], second: list[Any], **members: Any) -> dict[str, Any]:
    return {"name": "J", "type": kind, "body_frame_pairs": [first, second]} | members


def model(bodies: list[Any], joints: list[Any], **members: Any) -> dict[str, Any]:
    return {
        "model_parameters": {"version": "0.2", "gravity": [0.0, 0.0, -9.81]},
        "assemblies": [{"name": "A", "bodies": bodies, "joints": joints}],
    } | members


def arm(kind: str, **members: Any) -> dict[str, Any]:
    """A link one meter up from the ground, by its frame half a meter along X."""
    link = body("link", frames=[{"name": "end", "T": [0.5, 0.0, 0.0]}])
    fixed = {"frames": [{"name": "post", "T": [0.0, 0.0, 1.0]}]}
    return model([link], [joint(kind, ["fixed", "post"], ["link", "end"], **members)], fixed=fixed)


def read(document: Any, folder: Path, **options: Any) -> Read:
    path = folder / "model.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    (found,) = SHIFT.read(Source(path=path, options=options))
    return found


def write(scene: PhysicsScene, folder: Path, **options: Any) -> tuple[dict[str, Any], Written]:
    written = SHIFT.write(scene, Target(path=folder / "out.json", options=options))
    return json.loads(written.files["out.json"]), written


def place(scene: PhysicsScene, name: str) -> np.ndarray:
    return scene.matrices[scene.names.index(name)]


def measured(scene: PhysicsScene, number: int = 0) -> np.ndarray:
    poses = scene.relative_poses()
    pose = Pose(poses.position[number], poses.rotation[number])
    return values_of_pose(scene.joints[number].settings, pose)


def codes(found: Read) -> list[str]:
    return [item.code for item in found.findings]


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


def restraint(pieces: list[list[float]], knots: list[float], **members: Any) -> dict[str, Any]:
    return {"type": "spring", "knot_points": knots, "coefficients": pieces} | members


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


def test_text_may_have_comments_and_trailing_commas(tmp_path: Path) -> None:
    text = json.dumps(arm("Rz"), indent=1).replace(
        '"name": "A",', '"name": "A // B", // kept\n /* , */'
    )
    text = text.replace("]\n}", "],\n}")
    assert "A // B" in read(text, tmp_path).scene.names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("[]", "not an object"),
        ("{}", "no list of assemblies"),
        ('{"assemblies": []', "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_unreadable_files_say_why_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=said) as caught:
        read(text, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"type": "gear"}, "OMI-H002"),
        ({"body_frame_pairs": [["nobody", "origin"], ["link", "end"]]}, "OMI-H003"),
        ({"body_frame_pairs": [["fixed", "nowhere"], ["link", "end"]]}, "OMI-H003"),
        ({"type": "revolute", "axis": [0, 0, 0]}, "OMI-H001"),
        ({"initial_displacement": "far"}, "OMI-H001"),
    ],
)
def test_faults_cost_only_themselves(members: dict[str, Any], code: str, tmp_path: Path) -> None:
    document = arm("Rz")
    members_of = document["assemblies"][0]
    members_of["bodies"].append(body("neighbor"))
    neighbor = joint("Rz", ["link", "origin"], ["neighbor", "origin"], name="sound")
    members_of["joints"] = [members_of["joints"][0] | members, neighbor]
    found = read(document, tmp_path)
    assert code in codes(found)
    assert "sound" in [found.scene.names[j.node] for j in found.scene.joints]


def rich() -> dict[str, Any]:
    """A model with one of everything that both ways can say."""
    far = [{"name": "far", "T": [0.3, -0.1, 0.2], "R": QUARTER_ABOUT_Z}]
    bodies = [body(name, frames=far, center_of_mass=[0.1, 0, 0]) for name in "abcde"]
    joints = [
        joint("Rx", ["fixed", "origin"], ["a", "origin"], name="1", initial_displacement=0.3),
        joint("Ty", ["a", "far"], ["b", "origin"], name="2", initial_displacement=-0.2),
        joint(
            "Rz",
            ["b", "far"],
            ["c", "far"],
            name="3",
            initial_displacement=2.9,
            stiffness=[1.0, 5.0],
        ),
        joint(
            "rigid", ["c", "origin"], ["d", "far"], name="4", initial_displacement={"T": [0, 0, 1]}
        ),
        joint("Rz", ["e", "far"], ["d", "origin"], name="5", comment="kept", active=False),
    ]
    document = model(bodies, joints)
    soft = restraint([[50.0, 10.0], [0.0], [50.0, -25.0]], [-0.2, 0.5], joint="1")
    document["assemblies"][0]["restraints"] = [soft]
    return document


@pytest.mark.parametrize("version", ["0.2", "2.0.0"])
def test_written_model_reads_the_same(version: str, tmp_path: Path) -> None:
    one = read(rich(), tmp_path).scene
    document, written = write(one, tmp_path, version=version)
    other = read(document, tmp_path).scene
    assert sorted(one.names) == sorted(other.names)
    for node in one.motions:
        name = one.names[node]
        assert np.allclose(place(one, name), place(other, name), atol=1e-12)
        assert one.motions[node] == other.motions[other.names.index(name)]
    again = {other.names[j.node]: j for j in other.joints}
    for number, j in enumerate(one.joints):
        twin = again[one.names[j.node]]
        assert twin.settings == j.settings
        # The displacement of a weld becomes part of its first frame, which is another one then.
        assert twin.attributes == j.attributes or one.names[j.node] == "4"
        assert measured(one, number) == pytest.approx(measured(other, other.joints.index(twin)))
    assert not [loss for loss in written.losses if loss.how == "lost"]


def jointed(settings: JointSettings) -> PhysicsScene:
    """A body on a static one."""
    build = SceneBuilder()
    post, arm_ = build.body((0, 0, 0), type="static"), build.body((0, 0, 0), mass=2.0)
    build.joint(settings, arm_, post, (0, 0, 0))
    return build.scene()


def test_what_shift_cannot_say_is_carried_until_it_is_edited(tmp_path: Path) -> None:
    settings = presets.hinge(axis=2, min_angle=-0.5, max_angle=1.0)
    scene = jointed(settings)
    document, written = write(scene, tmp_path)
    assert [(loss.noun, loss.how) for loss in written.losses if loss.noun == "limit"] == [
        ("limit", "carried")
    ]
    assert read(document, tmp_path).scene.joints[0].settings == settings
    document["assemblies"][0]["joints"][0]["stiffness"] = [0.0, 7.0]
    edited = read(document, tmp_path).scene.joints[0].settings
    assert edited.drives[0].stiffness == 7.0


def test_hard_limits_are_stiff_springs_by_option(tmp_path: Path) -> None:
    settings = presets.hinge(axis=2, min_angle=-0.5, max_angle=1.0)
    target = Target(path=tmp_path / "out.json", options={"hard_limits": "springs"})
    written = SHIFT.write(jointed(settings), target)
    document = json.loads(written.files["out.json"])
    assert read(document, tmp_path).scene.joints[0].settings == settings
    (spring,) = document["assemblies"][0]["restraints"]
    assert (spring["type"], spring["knot_points"]) == ("spring", [-0.5, 1.0])
    assert spring["coefficients"] == [[1e6, 5e5], [0.0], [1e6, -1e6]]
    # Shift itself has no more than this.
    for joint in document["assemblies"][0]["joints"]:
        joint.pop("omi", None)
    (limit,) = [
        x for x in read(document, tmp_path).scene.joints[0].settings.limits if not x.is_rigid
    ]
    assert (limit.min, limit.max, limit.stiffness) == (-0.5, 1.0, 1e6)


def test_joint_without_a_type_in_shift_is_carried_whole(tmp_path: Path) -> None:
    settings = presets.ball_with_cone()
    document, written = write(jointed(settings), tmp_path)
    assert [str(loss.how) for loss in written.losses if loss.noun == "joint"] == ["carried"]
    (back,) = read(document, tmp_path).scene.joints
    assert back.settings == settings


LIGHT = {"name": "lamp", "type": "spot", "parent": ["fixed", "post"], "Ka": [0.1, 0.1, 0.1]}


@pytest.mark.parametrize("version", ["0.2", "2.0.0"])
def test_lights_shine_from_their_frames_and_are_written_again(version: str, tmp_path: Path) -> None:
    moving = {"name": "end", "type": "point", "parent": ["link", "end"], "Kd": [1.0, 0.5, 0.25]}
    document = arm("Rz")
    document["fixed"]["lights"] = [LIGHT | {"Kd": [0.5, 0.5, 0.5]}, moving]
    scene = read(document, tmp_path).scene
    lamp, end = (scene.names.index(name) for name in ("lamp", "end"))
    assert (scene.lights[lamp].type, scene.lights[lamp].color) == ("spot", (0.5, 0.5, 0.5))
    assert place(scene, "lamp")[:3, 3] == pytest.approx([0.0, 0.0, 1.0])
    assert scene.lights[end].color == (1.0, 0.5, 0.25)
    assert scene.names[scene.bodies()[end]] == "link"
    again, written = write(scene, tmp_path, version=version)
    holder = again["fixed"] if version == "0.2" else again
    assert holder["lights"][0] == LIGHT | {"Kd": [0.5, 0.5, 0.5]}
    assert holder["lights"][1]["parent"] == ["A:link", "end"]
    other = read(again, tmp_path).scene
    assert [light.color for light in other.lights.values()] == [(0.5, 0.5, 0.5), (1.0, 0.5, 0.25)]
    assert not [loss for loss in written.losses if loss.how == "lost"]


@pytest.mark.parametrize(
    "members", [{"type": "area"}, {"parent": ["fixed", "nowhere"]}, {"parent": 3}, {"type": []}]
)
def test_light_without_frame_or_type_is_left_out(members: dict[str, Any], tmp_path: Path) -> None:
    document = arm("Rz")
    document["fixed"]["lights"] = [LIGHT | members, 7, LIGHT]
    found = read(document, tmp_path)
    assert len(found.scene.lights) == 1
    assert {"OMI-H013", "OMI-H001"} <= set(codes(found))


@pytest.mark.parametrize("version", ["0.2", "2.0.0"])
def test_what_belongs_to_shift_alone_is_written_again(version: str, tmp_path: Path) -> None:
    document = arm("Rz", stiffness=[1.0, 2.0, 3.0], comment="about the post")
    friction = {"name": "F", "type": "friction", "joint": "J", "coefficients": [[0.1]]}
    module = {"name": "pid", "joint": "J", "gain": 3}
    document["assemblies"][0] |= {"restraints": [friction], "force_modules": [module]}
    document["assemblies"][0]["bodies"][0] |= {
        "definition": ["link.obj", "link.mtl"],
        "collision_geometry": "ellipsoid",
    }
    document["fixed"]["terrain"] = {"type": "flat"}
    document["model_parameters"]["solver"] = [{"type": "rnca"}]
    again, _ = write(read(document, tmp_path).scene, tmp_path, version=version)
    (assembly,) = again["assemblies"]
    assert assembly["restraints"] == [friction]
    assert assembly["force_modules"] == [module]
    assert assembly["bodies"][0]["definition"] == ["link.obj", "link.mtl"]
    assert assembly["bodies"][0]["collision_geometry"] == "ellipsoid"
    assert assembly["joints"][0]["stiffness"] == [1.0, 2.0, 3.0]
    assert assembly["joints"][0]["comment"] == "about the post"
    assert (again["fixed"] if version == "0.2" else again)["terrain"] == {"type": "flat"}
    assert again["model_parameters"]["solver"] == [{"type": "rnca"}]


def test_carried_polynomial_goes_with_its_spring(tmp_path: Path) -> None:
    scene = read(arm("Rz", stiffness=[1.0, 2.0, 3.0]), tmp_path).scene
    (held,) = scene.joints
    stronger = replace(held.settings.drives[0], stiffness=5.0)
    settings = replace(held.settings, drives=(stronger,))
    again, _ = write(replace(scene, joints=(replace(held, settings=settings),)), tmp_path)
    assert again["assemblies"][0]["joints"][0]["stiffness"] == [2.5, 5.0]


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


@pytest.mark.parametrize(
    "members",
    [
        restraint([[50.0, 10.0], [0.0], [50.0, -25.0]], [-0.2, 0.5]),
        restraint([[50.0, 10.0], [0.0], [50.0, -25.0]], [-0.2, 0.5], distance_type="Ty"),
        restraint([[50.0, -25.0]], [], distance_type="Tz"),
        restraint([[4.0, 0.0]], [], type="damper", distance_type="Tx"),
    ],
)
def test_restraint_between_frames_is_written_as_one(
    members: dict[str, Any], tmp_path: Path
) -> None:
    document = arm("float")
    pair = [["fixed", "post"], ["link", "end"]]
    document["assemblies"][0]["restraints"] = [members | {"name": "tie", "body_frame_pair": pair}]
    scene = read(document, tmp_path).scene
    again, written = write(scene, tmp_path)
    (said,) = again["assemblies"][0]["restraints"]
    same = ("type", "knot_points", "distance_type")
    assert {key: said.get(key) for key in same} == {key: members.get(key) for key in same}
    for one, other in zip(said["coefficients"], members["coefficients"], strict=True):
        assert one == pytest.approx(other)
    assert read(again, tmp_path).scene.joints[0].settings == scene.joints[0].settings
    assert not [loss for loss in written.losses if loss.noun == "joint"]


@pytest.mark.parametrize("version", ["0.2", "2.0.0"])
@pytest.mark.parametrize(
    ("kind", "value"), [("Rx", 2.0), ("Ty", -0.5), ("float", [1, 2, 3, 4, 5, 6])]
)
def test_initial_velocities_are_written_again(
    version: str, kind: str, value: Any, tmp_path: Path
) -> None:
    outer = body("outer", center_of_mass=[0.1, 0.2, 0.3], frames=[{"name": "f", "T": [1, 0, 0]}])
    document = model(
        [body("inner", frames=[{"name": "f", "T": [0, 1, 0]}]), outer],
        [
            joint("Rz", ["fixed", "origin"], ["inner", "f"], initial_velocity=3.0),
            joint(
                kind,
                ["inner", "origin"],
                ["outer", "f"],
                name="K",
                initial_velocity=value,
                initial_displacement=0.5 if kind != "float" else {"T": [0, 0, 2]},
            ),
        ],
    )
    scene = read(document, tmp_path).scene
    again, _ = write(scene, tmp_path, version=version)
    other = read(again, tmp_path).scene
    for node, motion in scene.motions.items():
        twin = other.motions[other.names.index(scene.names[node])]
        assert motion.linear_velocity == pytest.approx(twin.linear_velocity, abs=1e-12)
        assert motion.angular_velocity == pytest.approx(twin.angular_velocity, abs=1e-12)


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


@pytest.mark.fuzz
def test_damaged_files_end_in_findings_or_one_line(tmp_path: Path) -> None:
    for seed in range(CASES):
        source = random.Random(seed)
        document = rich()
        damage(document, source, source.randint(1, 3))
        text = json.dumps(document)
        try:
            found = read(text, tmp_path)
        except UnreadableError:
            continue
        assert np.isfinite(found.scene.matrices).all()
        write(found.scene, tmp_path)

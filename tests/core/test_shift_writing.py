"""Shift JSON written: what comes back, what is carried and what is told."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.shift import SHIFT
from tests.core.shift_models import (
    LIGHT,
    arm,
    body,
    joint,
    jointed,
    measured,
    model,
    place,
    read,
    restraint,
    rich,
    write,
)


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
    for written in document["assemblies"][0]["joints"]:
        written.pop("omi", None)
    (limit,) = [
        x for x in read(document, tmp_path).scene.joints[0].settings.limits if not x.is_rigid
    ]
    assert (limit.min, limit.max, limit.stiffness) == (-0.5, 1.0, 1e6)


def test_damping_of_a_spring_acts_without_a_velocity_target(tmp_path: Path) -> None:
    drive = JointDrive(
        type=DriveType.ANGULAR, axis=2, position_target=0.5, stiffness=20.0, damping=2.0
    )
    settings = replace(presets.hinge(axis=2), drives=(drive,))
    document, _ = write(jointed(settings), tmp_path)
    (written,) = document["assemblies"][0]["joints"]
    assert (written["stiffness"], written["damping"]) == ([-10.0, 20.0], [0.0, 2.0])


def test_joint_without_a_type_in_shift_is_carried_whole(tmp_path: Path) -> None:
    settings = presets.ball_with_cone()
    document, written = write(jointed(settings), tmp_path)
    assert [str(loss.how) for loss in written.losses if loss.noun == "joint"] == ["carried"]
    (back,) = read(document, tmp_path).scene.joints
    assert back.settings == settings


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

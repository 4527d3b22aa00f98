"""Shift models to test with, and how they are read, written and measured."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from omi_joints_addon.core.meaning.freedom import values_of_pose
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Read, Source, Target, Written
from omi_joints_addon.io.formats.shift import SHIFT
from tests.core.solver_scenes import SceneBuilder

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


def restraint(pieces: list[list[float]], knots: list[float], **members: Any) -> dict[str, Any]:
    return {"type": "spring", "knot_points": knots, "coefficients": pieces} | members


def rich() -> dict[str, Any]:
    """A model with one of everything that both ways can say."""
    far = [{"name": "far", "T": [0.3, -0.1, 0.2], "R": copy.deepcopy(QUARTER_ABOUT_Z)}]
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


def jointed(settings: JointSettings) -> PhysicsScene:
    """A body on a static one."""
    build = SceneBuilder()
    post, arm_ = build.body((0, 0, 0), type="static"), build.body((0, 0, 0), mass=2.0)
    build.joint(settings, arm_, post, (0, 0, 0))
    return build.scene()


LIGHT = {"name": "lamp", "type": "spot", "parent": ["fixed", "post"], "Ka": [0.1, 0.1, 0.1]}

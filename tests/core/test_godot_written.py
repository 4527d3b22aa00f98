"""Files that Godot wrote are read as they move there.

`tests.oracles.godot_importer` is what was measured in Godot; the numbers here are Godot's own.
"""

import json
import math

import pytest

from omi_joints_addon.core.engines.godot.written import meant_by_godot
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.reading import read_file
from tests.oracles.godot_importer import as_godot_reads

GENERATOR = "Godot Engine v4.6.3.stable.official"
LOCK = {"min": 0.0, "max": 0.0, "stiffness": 0.3, "damping": 1.0}
HINGE = [
    LOCK | {"linearAxes": [0, 1, 2]},
    LOCK | {"angularAxes": [0, 1]},
    {"angularAxes": [2], "min": -0.25, "max": 1.5, "stiffness": 0.9, "damping": 1.0},
]


def level(settings, joint=None, *, generator=GENERATOR):
    """Return a document of a block that hangs from a wall, as Godot writes one."""
    body = {"motion": {"type": "dynamic", "mass": 2.5, "inertiaDiagonal": [0.2, 0.3, 0.4]}}
    end = {"joint": 0, "connectedNode": 3} if joint is None else joint
    return {
        "asset": {"version": "2.0", "generator": generator},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint"],
        "extensions": {"OMI_physics_joint": {"physicsJoints": [settings]}},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {
                "name": "Block",
                "translation": [0.5, 0.0, 0.0],
                "children": [1],
                "extensions": {"OMI_physics_body": body},
            },
            {
                "name": "Joint",
                "translation": [-0.5, 0.0, 0.0],
                "extensions": {"OMI_physics_joint": end},
            },
            {
                "name": "Wall",
                "children": [3],
                "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}},
            },
            {"name": "WallJointAttachment"},
        ],
    }


def read(tmp_path, document):
    path = tmp_path / "level.gltf"
    path.write_text(json.dumps(document), encoding="utf-8")
    return read_file(Source(path))


def codes(found):
    return {each.code for each in found.findings}


def test_softness_is_not_stiffness_and_angles_are_mirrored(tmp_path):
    found = read(tmp_path, level({"limits": HINGE}))
    (joint,) = found.scene.joints
    assert joint.settings.limits == (
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(2,), min=-1.5, max=0.25),
    )
    assert codes(found) == {"OMI-J494"}
    assert found.judged == {"godot"}


@pytest.mark.parametrize(
    "generator",
    ["Khronos glTF Blender I/O", "Godot Engine v4.4.dev.custom_build@1855bc0e", "Godot", None, 7],
)
def test_the_same_file_of_another_program_is_read_as_it_says(tmp_path, generator):
    """So are the official examples, which are from development builds."""
    found = read(tmp_path, level({"limits": HINGE}, generator=generator))
    assert found.scene.joints[0].settings.limits[2].max == 1.5
    assert codes(found) == set()


def test_a_rail_stays_where_it_is_and_a_spring_to_the_world_holds(tmp_path):
    spring = {"type": "linear", "axis": 1, "positionTarget": 0.0, "mode": "force"}
    spring |= {"stiffness": 100.0, "damping": 30.0, "maxForce": math.inf}
    limits = [LOCK | {"linearAxes": [0, 2]}, LOCK | {"angularAxes": [0, 1, 2]}]
    found = read(tmp_path, level({"limits": limits, "drives": [spring]}, {"joint": 0}))
    assert codes(found) == {"OMI-J494"}
    scene = found.scene
    motion = simulate(scene, seconds=4.0, fps=10.0)
    block = motion.bodies.index(scene.names.index("Block"))
    x, y, z = motion.positions[-1, block]
    # It hangs 25 mm times 9.81 below, and neither slides nor sags.
    assert (x, y, z) == pytest.approx((0.5, 0.0, -2.5 * 9.81 / 100.0), abs=2e-3)


def test_the_motor_of_a_hinge_turns_it(tmp_path):
    """Godot's exporter writes it along the locked axis."""
    motor = {"type": "linear", "axis": 2, "velocityTarget": 2.0, "maxForce": 50.0, "mode": "force"}
    free = [limit for limit in HINGE if limit.get("angularAxes") != [2]]
    found = read(tmp_path, level({"limits": free, "drives": [motor]}))
    (drive,) = found.scene.joints[0].settings.drives
    assert (drive.type, drive.axis, drive.velocity_target) == ("angular", 2, -2.0)
    assert drive.damping * 2.0 >= 50.0


@pytest.mark.parametrize(
    "settings",
    [
        JointSettings(
            limits=(
                JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=0.5, damping=1.0),
                JointLimit(angular_axes=(0, 1, 2), min=-0.6, max=0.4, stiffness=0.8),
            )
        ),
        JointSettings(
            limits=(
                JointLimit(linear_axes=(0,), min=-0.3, max=0.4, stiffness=1.0, damping=1.0),
                JointLimit(linear_axes=(1, 2), min=0.0, max=0.0),
                JointLimit(angular_axes=(1, 2), min=0.0, max=0.0),
            )
        ),
        JointSettings(
            limits=(JointLimit(linear_axes=(0, 1), min=-0.3, max=0.4),),
            drives=(
                JointDrive(type="angular", axis=1, position_target=0.3, stiffness=5.0, damping=2.0),
            ),
        ),
    ],
)
def test_ranges_are_those_that_were_measured_in_godot(settings):
    def ranges(of):
        return {
            (name, axis): (limit.min, limit.max)
            for limit in of.limits
            for name in ("linear_axes", "angular_axes")
            for axis in getattr(limit, name)
        }

    meant, measured = meant_by_godot(settings), as_godot_reads(settings)
    assert ranges(meant) == ranges(measured)
    assert all(limit.is_rigid for limit in meant.limits)
    assert meant.drives == measured.drives


def test_a_level_goes_back_and_is_not_mirrored_twice(tmp_path):
    found = read(tmp_path, level({"limits": HINGE}))
    path = tmp_path / "again.gltf"
    path.write_bytes(bytes(GLTF.write(found.scene, Target(path=path)).files[path.name]))
    again = read_file(Source(path))
    assert codes(again) == set()
    assert again.scene.joints[0].settings == found.scene.joints[0].settings
    back = Target(path=path, options={"for": "godot"})
    written = json.loads(bytes(GLTF.write(found.scene, back).files[path.name]))
    limits = written["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"]
    (angle,) = [limit for limit in limits if limit.get("angularAxes") == [2]]
    assert (angle["min"], angle["max"]) == (-0.25, 1.5)

"""What writers do so that engines have a scene as it is authored: no probe has ones or zeros."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Collider, Motion
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule
from omi_joints_addon.core.rewrite.articulating import articulated
from omi_joints_addon.core.rewrite.merging import merged_drives
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from omi_joints_addon.io.formats.usd.unknown import unknown_of_bodies
from tests.oracles import mujoco, properties
from tests.oracles.files import Job
from tests.oracles.property_joints import push_drive, sliding
from tests.oracles.property_row import PINNED, Item, Property, scene_of, static, turn_of

KHR = "KHR_physics_rigid_bodies"
NUMBERS = st.floats(-9.0, 9.0)
GAINS = st.floats(0.0, 90.0)
TARGETS = st.none() | NUMBERS
DRIVES = st.builds(
    JointDrive,
    position_target=TARGETS,
    velocity_target=TARGETS,
    stiffness=GAINS,
    damping=GAINS,
)


def row(name: str) -> Property:
    """Return a row of the table of properties."""
    return next(each for each in properties.ROWS if each.name.startswith(name))


def read_back(kind: Format, scene: PhysicsScene, path: Path, **options: str) -> PhysicsScene:
    """Write a scene and read the file."""
    written = kind.write(scene, Target(path=path, options=options))
    write_files(path.parent, written.files)
    return kind.read(Source(path=path))[0].scene


def force(drive: JointDrive, position: float, velocity: float) -> float:
    """Return the force of a drive by the equation of the specification."""
    target, speed = drive.position_target, drive.velocity_target
    pull = 0.0 if target is None else drive.stiffness * (target - position)
    if target is None and speed is None:
        return 0.0
    return pull + drive.damping * ((speed or 0.0) - velocity)


@given(st.lists(DRIVES, min_size=2, max_size=4), NUMBERS, NUMBERS)
def test_merged_drives_have_the_force_of_all(
    drives: list[JointDrive], position: float, velocity: float
) -> None:
    merged = merged_drives(drives)
    assert len(merged) == 1
    total = sum(force(each, position, velocity) for each in drives)
    assert math.isclose(force(merged[0], position, velocity), total, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize(
    "change", [{"max_force": 3.0}, {"mode": "acceleration"}, {"axis": 1}, {"type": "angular"}]
)
def test_drives_that_differ_stay_apart(change: dict[str, object]) -> None:
    drive = push_drive(position_target=0.2, stiffness=70.0, damping=5.0)
    assert len(merged_drives((drive, replace(drive, **change)))) == 2


def test_drives_on_one_axis_are_one_in_khr_and_come_back_as_two(tmp_path: Path) -> None:
    scene, path = row("two springs on one axis").scene, tmp_path / "a.gltf"
    back = read_back(GLTF, scene, path, dialect="khr")
    (settings,) = json.loads(path.read_text())["extensions"][KHR]["physicsJoints"]
    (drive,) = settings["drives"]
    assert (drive["stiffness"], drive["damping"]) == (115.0, 17.0)
    assert drive["positionTarget"] == pytest.approx(9.5 / 115.0)
    assert back.joints[0].settings.drives == scene.joints[0].settings.drives


def test_keyed_drives_stay_apart_in_khr(tmp_path: Path) -> None:
    keyed, path = row("keyed position target").scene, tmp_path / "a.gltf"
    joint = keyed.joints[0]
    two = (*joint.settings.drives, push_drive(velocity_target=0.6, damping=9.0))
    joints = (replace(joint, settings=replace(joint.settings, drives=two)),)
    read_back(GLTF, replace(keyed, joints=joints), path, dialect="khr")
    (settings,) = json.loads(path.read_text())["extensions"][KHR]["physicsJoints"]
    assert len(settings["drives"]) == 2


def test_velocities_for_godot_are_in_world_axes_and_come_back(tmp_path: Path) -> None:
    probe, path = row("initial velocity"), tmp_path / "a.gltf"
    back = read_back(GLTF, probe.scene, path, **{"for": "godot"})
    motion = json.loads(path.read_text())["nodes"][0]["extensions"]["OMI_physics_body"]
    # Up is Y there.
    assert motion["motion"]["linearVelocity"][1] * probe.seconds == pytest.approx(probe.expected)
    assert back.motions[0].linear_velocity == probe.scene.motions[0].linear_velocity


@pytest.mark.parametrize(("name", "is_seen"), [("the same at 47", True), ("sphere", False)])
def test_physx_sees_fast_bodies_between_steps(name: str, is_seen: bool, tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr", reason="usd-core is not installed")
    path, scene = tmp_path / "a.usda", row(name).scene
    back = read_back(USD, scene, path)
    stage = pxr.Usd.Stage.Open(str(path))
    names = ("physxRigidBody:enableCCD", "physxScene:enableCCD")
    found = {name for prim in stage.Traverse() for name in names if prim.GetAttribute(name).Get()}
    assert found == ({*names} if is_seen else set())
    assert next(iter(back.motions.values())).carried == ""
    assert not unknown_of_bodies(back)


def test_each_tree_becomes_an_articulation_that_newton_moves(tmp_path: Path) -> None:
    pytest.importorskip("pxr", reason="usd-core is not installed")
    chain, pair = row("chain of 5").scene, row("two bodies on no base").scene
    assert [(each.root, each.is_fixed) for each in articulated(chain).articulations] == [(0, True)]
    assert [each.is_fixed for each in articulated(pair).articulations] == [False]
    back = read_back(USD, chain, tmp_path / "a.usda", articulations="all")
    assert [each.is_fixed for each in back.articulations] == [True]


def test_moments_of_a_plate_stay_possible_in_single_precision(tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr", reason="usd-core is not installed")
    scene = row("gravity").scene
    for one, other in ((0.02, 0.1), (0.05, 0.07), (0.013, 0.029)):
        # OpenUSD keeps layers by their names.
        path = tmp_path / f"{one}.usda"
        plate = Motion(mass=1.7, inertia_diagonal=(one, other, one + other))
        back = read_back(USD, replace(scene, motions={0: plate}), path)
        stage = pxr.Usd.Stage.Open(str(path))
        (prim,) = [each for each in stage.Traverse() if each.HasAPI(pxr.UsdPhysics.MassAPI)]
        x, y, z = map(np.float32, prim.GetAttribute("physics:diagonalInertia").Get())
        assert x + y >= z
        assert next(iter(back.motions.values())) == plate


def test_newton_has_friction_and_armature_by_its_own_names(tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr", reason="usd-core is not installed")
    attributes = JointAttributes(friction=7.0, armature=0.21, velocity=3.0)
    scene, path = sliding("slider", 0.0, attributes=attributes).scene, tmp_path / "a.usda"
    back = read_back(USD, scene, path)
    stage = pxr.Usd.Stage.Open(str(path))
    (prim,) = [each for each in stage.Traverse() if each.IsA(pxr.UsdPhysics.PrismaticJoint)]
    names = ("friction", "armature", "velocityLimit")
    values = [prim.GetAttribute(f"newton:{name}").Get() for name in names]
    assert values == pytest.approx([7.0, 0.21, 3.0])
    assert back.joints[0].attributes == attributes


@pytest.mark.parametrize("name", ["ball of 23 mm at 7", "the same at 47", "plate"])
def test_mujoco_stops_what_is_fast_or_thin(name: str, tmp_path: Path) -> None:
    pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    probe, path = row(name), tmp_path / "a.xml"
    read_back(MJCF, probe.scene, path)
    ((poses,),) = mujoco.run([Job(path, probe.scene.gravity, (probe.seconds,))])
    assert not probe.differs(probe.value(probe.scene, poses))


def test_what_mujoco_cannot_stop_is_named_and_slow_scenes_keep_its_step(tmp_path: Path) -> None:
    written = MJCF.write(row("the same at 430").scene, Target(path=tmp_path / "a.xml"))
    (text,) = [str(loss.text) for loss in written.losses if loss.noun == "collider"]
    assert "430 m/s" in text
    plain = MJCF.write(row("sphere").scene, Target(path=tmp_path / "b.xml"))
    assert b"timestep" not in bytes(plain.files["b.xml"])


def test_a_rope_over_a_beam_stays_sound_in_mujoco(tmp_path: Path) -> None:
    """Twelve capsules on pins; at Euler's steps of 2 ms they had broken out after 2.9 s."""
    mujoco_ = pytest.importorskip("mujoco", reason="mujoco-core is not installed")
    lying, link = turn_of((0.0, 1.0, 0.0), 90.0), 0.11
    rod = Collider(shape=Capsule(height=0.079, radius_bottom=0.017, radius_top=0.017))
    beam = static("Beam", Box(size=(0.31, 1.1, 0.13)))
    items, joints = [beam], []
    for number in range(12):
        x = (number - 5.3) * link
        motion = Motion(mass=0.13)
        body = Item(name=f"L{number}", position=(x, 0.0, 0.12), rotation=lying, motion=motion,
                    collider=rod)  # fmt: skip
        items.append(body)
        if number:
            at, here = (x - 0.5 * link, 0.0, 0.12), len(items) - 1
            before = 1 if number == 1 else here - 3
            items += [Item(name=f"A{number}", position=at, parent=before),
                      Item(name=f"B{number}", position=at, parent=here)]  # fmt: skip
            settings = JointSettings(limits=(PINNED,))
            joints.append(Joint(node=here + 1, connected=here + 2, settings=settings))
    path = tmp_path / "rope.xml"
    read_back(MJCF, scene_of(*items, joints=joints), path)
    model = mujoco_.MjModel.from_xml_path(str(path))
    data = mujoco_.MjData(model)
    while data.time < 4.0:
        mujoco_.mj_step(model, data)
    assert not any(warning.number for warning in data.warning)

"""USD stages of others: units, scales, nesting, instances and odd ends, read as they are meant."""

from pathlib import Path

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.body import Motion, MotionType
from omi_joints_addon.core.model.pose import pose_from_matrix
from omi_joints_addon.core.model.shape import Box

from .usd_scenes import (
    by_name,
    chain,
    read,
    read_text,
    written,
)

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


BOXES = """(
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "World"
{
    def PhysicsScene "Scene" {}
    def Cube "Wall" (prepend apiSchemas = ["PhysicsCollisionAPI"])
    {
        double size = 100
        quatf xformOp:orient = (1, 0, 0, 0)
        float3 xformOp:scale = (0.1, 1, 0.1)
        double3 xformOp:translate = (0, 0, 1000)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
    }
    def Cube "Door" (
        prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {
        double size = 100
        float physics:mass = 2
        float3 xformOp:scale = (0.1, 1, 0.1)
        double3 xformOp:translate = (0, 120, 1000)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
    }
    %s
}
"""
JOINT = """
    def %s "Joint"%s
    {
        rel physics:body0 = </World/Wall>
        rel physics:body1 = </World/Door>
        point3f physics:localPos0 = (0, 60, 0)
        point3f physics:localPos1 = (0, -60, 0)
        %s
    }
"""


def test_unknown_attributes_of_bodies_are_kept(tmp_path: Path) -> None:
    text = (BOXES % "").replace(
        "float physics:mass = 2",
        "float physics:mass = 2\n float mjc:gravcomp = 0.5\n"
        "float physxRigidBody:angularDamping = 0.05\n double[] mjc:sol = [0.5, 1]\n"
        "float3[] newton:points = [(0.1, 0, 1)]",
    )
    first = read_text(text, tmp_path)
    again = written(first.scene, tmp_path).read_text("utf-8")
    assert "float mjc:gravcomp = 0.5" in again
    assert "float physxRigidBody:angularDamping = 0.05" in again
    assert "double[] mjc:sol = [0.5, 1]" in again
    assert "float3[] newton:points = [(0.1, 0, 1)]" in again


def test_scaled_bodies_of_the_documents_examples(tmp_path: Path) -> None:
    text = BOXES % (JOINT % ("DistancePhysicsJoint", "", "float physics:maxDistance = 50"))
    found = read_text(text, tmp_path)
    scene = found.scene
    (joint,) = scene.joints
    assert [finding.code for finding in found.findings] == ["OMI-U002"]
    frames = scene.matrices[[joint.node, joint.other]]
    assert frames[:, :3, 3] == pytest.approx(np.array([(0.0, 0.6, 10.0), (0.0, 0.6, 10.0)]))
    assert np.abs(frames[:, :3, :3] - np.eye(3)).max() < 1e-12
    assert joint.settings.limits[0].max == pytest.approx(0.5)
    boxes = [scene.colliders[node].shape for node in scene.motions]
    for box in boxes:
        assert isinstance(box, Box)
        assert box.size == pytest.approx((0.1, 1.0, 0.1))
    assert [m.type for m in scene.motions.values()] == ["dynamic", "static"]
    assert scene.motions[scene.names.index("Door")].mass == 2.0


def test_mass_and_centre_follow_from_the_colliders(tmp_path: Path) -> None:
    plain = BOXES % ""
    scene = read_text(plain.replace("float physics:mass = 2", ""), tmp_path).scene
    (motion,) = scene.motions.values()
    assert motion.mass == pytest.approx(0.1 * 1.0 * 0.1 * 1000.0)
    dense = plain.replace("physics:mass = 2", "physics:density = 0.002")
    (motion,) = read_text(dense, tmp_path).scene.motions.values()
    assert motion.mass == pytest.approx(0.1 * 1.0 * 0.1 * 0.002 / 1e-6)


def test_gravity_of_a_stage(tmp_path: Path) -> None:
    said = read_text(BOXES % "", tmp_path)
    assert said.scene.gravity == (0.0, 0.0, -9.81)
    scene = "float physics:gravityMagnitude = 500\n vector3f physics:gravityDirection = (0, -2, 0)"
    text = (BOXES % "").replace('"Scene" {}', f'"Scene" {{\n{scene}\n}}')
    assert read_text(text, tmp_path).scene.gravity == pytest.approx((0.0, -5.0, 0.0))
    y_up = text.replace('upAxis = "Z"', 'upAxis = "Y"')
    assert read_text(y_up, tmp_path).scene.gravity == pytest.approx((0.0, 0.0, -5.0))
    old = (BOXES % "").replace('"Scene" {}', '"Scene" {\nfloat3 gravity = (0, 0, -1000)\n}')
    assert [found.code for found in read_text(old, tmp_path).findings] == ["OMI-U013"]


def test_a_joint_to_the_world_gets_an_anchor(tmp_path: Path) -> None:
    text = BOXES % (JOINT % ("PhysicsFixedJoint", "", ""))
    scene = read_text(text.replace("rel physics:body0 = </World/Wall>", ""), tmp_path).scene
    (joint,) = scene.joints
    anchor = int(scene.bodies()[joint.node])
    assert scene.names[anchor] == "World Anchor"
    assert scene.motions[anchor].type == MotionType.STATIC
    assert scene.matrices[joint.node][:3, 3] == pytest.approx((0.0, 0.6, 0.0))


def test_a_range_beyond_half_a_turn_turns_the_connected_frame(tmp_path: Path) -> None:
    limits = "float physics:lowerLimit = -10\n float physics:upperLimit = 190"
    scene = read_text(BOXES % (JOINT % ("PhysicsRevoluteJoint", "", limits)), tmp_path).scene
    (joint,) = scene.joints
    rotation = pose_from_matrix(scene.matrices[joint.other]).rotation
    assert rotation == pytest.approx((-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    assert [(x.min, x.max) for x in joint.settings.limits[2:]] == [
        (pytest.approx(np.radians(-100.0)), pytest.approx(np.radians(100.0)))
    ]


NESTED = """
def Xform "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"])
{
    def Xform "B" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
    {
        double3 xformOp:translate = (0, 0, 1)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def PhysicsRevoluteJoint "Joint"
        {
            rel physics:body0 = <%s>
            rel physics:body1 = <..>
            point3f physics:localPos0 = (0, 0, 1)
        }
    }
}
"""


def test_relative_paths_of_nested_bodies(tmp_path: Path) -> None:
    found = read_text(NESTED % "../..", tmp_path)
    assert not found.findings
    scene = found.scene
    (joint,) = scene.joints
    assert scene.names[scene.bodies()[joint.node]] == "A"
    assert scene.names[scene.bodies()[joint.other]] == "B"
    assert scene.articulations == (Articulation(root=0),)


@pytest.mark.parametrize("path", ["../../A", "/Nowhere"])
def test_bodies_that_are_not_there_are_found(tmp_path: Path, path: str) -> None:
    found = read_text(NESTED % path, tmp_path)
    assert "OMI-U008" in [finding.code for finding in found.findings]
    assert not found.scene.joints
    assert len(found.scene.motions) == 2


def test_a_reset_body_is_read_where_it_is(tmp_path: Path) -> None:
    scene = chain(3, nested=True)
    path = written(scene, tmp_path, nesting="reset")
    assert "!resetXformStack!" in path.read_text("utf-8")
    found = read(path).scene
    assert np.abs(found.matrices[by_name(scene, found)] - scene.matrices).max() < 1e-11


def test_instances_are_read_each(tmp_path: Path) -> None:
    text = """
def Xform "Proto"
{
    def Sphere "Ball" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
}
def Xform "One" (instanceable = true
    prepend references = </Proto>) {}
def Xform "Two" (instanceable = true
    prepend references = </Proto>) {}
"""
    scene = read_text(text, tmp_path).scene
    assert len(scene.motions) == len(scene.colliders) == 3


def test_motion_of_a_turned_off_body_is_static(tmp_path: Path) -> None:
    text = (BOXES % "").replace(
        "float physics:mass = 2", "float physics:mass = 2\n bool physics:rigidBodyEnabled = 0"
    )
    found = read_text(text, tmp_path)
    assert [finding.code for finding in found.findings] == ["OMI-U018"]
    assert [m.type for m in found.scene.motions.values()] == [MotionType.STATIC]
    assert isinstance(next(iter(found.scene.motions.values())), Motion)


def test_a_mirrored_stage_has_its_center_joints_and_velocity_mirrored(tmp_path: Path) -> None:
    mirrored = """#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "all"
{
    double3 xformOp:scale = (-2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    def Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1.3
        point3f physics:centerOfMass = (0.1, 0.02, 0.03)
        float3 physics:diagonalInertia = (0.1, 0.2, 0.25)
        vector3f physics:velocity = (0.3, 0.5, 0.7)
        double3 xformOp:translate = (0.5, 0.2, 0.1)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
}
"""
    path = tmp_path / "a.usda"
    path.write_text(mirrored)
    mujoco = pytest.importorskip("mujoco")
    omi_joints.convert(path, tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert data.body("a").xipos == pytest.approx((-1.2, 0.44, 0.26))
    body = model.body("a").id
    found = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, found, 0)
    assert found[3:] == pytest.approx((-0.6, 1.0, 1.4))

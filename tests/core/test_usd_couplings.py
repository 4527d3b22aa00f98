"""Joints that follow others in USD files: NewtonMimicAPI, by values worked out by hand."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Read, Source, Target
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import SceneBuilder

pytest.importorskip("pxr")

HEAD = """#usda 1.0
( metersPerUnit = 0.01
  upAxis = "Z" )
def Xform "World" {
  def Xform "base" {}
  def Xform "one" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}
  def Xform "two" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}
"""
LEADER = """  def PhysicsRevoluteJoint "leader" {
    rel physics:body0 = </World/base>
    rel physics:body1 = </World/one>
    float physics:lowerLimit = %s
    float physics:upperLimit = %s
  }
"""
FOLLOWER = """  def %s "follower" (prepend apiSchemas = ["%s"]) {
    rel physics:body0 = </World/base>
    rel physics:body1 = </World/two>
%s
  }
}
"""


def scene(*settings: object, coefficients: tuple[float, ...] = (0.25, -2.0)) -> PhysicsScene:
    """A body on each joint; the second joint follows the first."""
    build = SceneBuilder()
    post = build.body((0, 0, 0), type="static")
    for number, each in enumerate(settings):
        build.joint(each, build.body((number + 1, 0, 0), mass=1.0), post, (0, 0, 0))
    coupling = Coupling(joint=1, source=0, coefficients=coefficients)
    return replace(build.scene(), couplings=(coupling,))


def read(text: str, folder: Path) -> Read:
    path = folder / "scene.usda"
    path.write_text(text)
    (found,) = USD.read(Source(path=path))
    return found


@pytest.mark.parametrize(
    ("settings", "offset"), [(presets.hinge(), math.degrees(0.25)), (presets.slider(), 25.0)]
)
def test_linear_coupling_is_newtons_mimic(settings: object, offset: float, tmp_path: Path) -> None:
    before = scene(settings, settings)
    target = Target(path=tmp_path / "out.usda", options={"meters_per_unit": 0.01})
    written = USD.write(before, target)
    text = written.files["out.usda"].decode()
    assert f"newton:mimicCoef0 = {offset:.6g}"[:27] in text
    assert "newton:mimicCoef1 = -2" in text
    assert not [loss for loss in written.losses if loss.noun == "coupling"]
    (coupling,) = read(text, tmp_path).scene.couplings
    assert (coupling.joint, coupling.source) == (1, 0)
    assert coupling.coefficients == pytest.approx((0.25, -2.0), rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "coefficients"),
    [
        ((presets.hinge(), presets.slider()), (0.0, 1.0)),
        ((presets.hinge(), presets.hinge()), (0.0, 1.0, 0.5)),
        ((presets.hinge(), presets.universal()), (0.0, 1.0)),
    ],
)
def test_other_couplings_are_named_as_lost(
    settings: tuple[object, ...], coefficients: tuple[float, ...], tmp_path: Path
) -> None:
    written = USD.write(
        scene(*settings, coefficients=coefficients), Target(path=tmp_path / "out.usda")
    )
    assert [str(loss.how) for loss in written.losses if loss.noun == "coupling"] == ["lost"]


def test_couplings_are_named_where_no_joint_is_written(tmp_path: Path) -> None:
    build = SceneBuilder()
    body = build.body((0, 0, 0), mass=1.0)
    for _ in range(2):
        build.joint(presets.hinge(), body, body, (0, 0, 0))
    found = replace(build.scene(), couplings=(Coupling(joint=1, source=0),))
    losses = USD.write(found, Target(path=tmp_path / "a.usda")).losses
    assert [str(loss.noun) for loss in losses].count("coupling") == 1


def test_physx_counts_from_the_other_side(tmp_path: Path) -> None:
    members = """    rel physxMimicJoint:rotX:referenceJoint = </World/leader>
    float physxMimicJoint:rotX:gearing = 3
    float physxMimicJoint:rotX:offset = 90"""
    follower = FOLLOWER % ("PhysicsRevoluteJoint", "PhysxMimicJointAPI:rotX", members)
    found = read(HEAD + LEADER % (-10, 10) + follower, tmp_path).scene
    (coupling,) = found.couplings
    assert coupling.coefficients == pytest.approx((-math.pi / 2.0, -3.0))
    assert not found.joints[1].attributes.carried


def test_moved_zeros_move_the_coupling(tmp_path: Path) -> None:
    # The leader's zero moves to 100°, so that 2 · 100° are added to what it says from there.
    members = """    rel newton:mimicJoint = </World/leader>
    float newton:mimicCoef0 = 5
    float newton:mimicCoef1 = 2"""
    follower = FOLLOWER % ("PhysicsRevoluteJoint", "NewtonMimicAPI", members)
    (coupling,) = read(HEAD + LEADER % (0, 200) + follower, tmp_path).scene.couplings
    assert coupling.coefficients == pytest.approx((math.radians(205.0), 2.0))


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("PhysicsRevoluteJoint", "rel newton:mimicJoint = </World/nothing>"),
        ("PhysicsRevoluteJoint", "rel newton:mimicJoint = </World/follower>"),
        ("PhysicsPrismaticJoint", "rel newton:mimicJoint = </World/leader>"),
        ("PhysicsFixedJoint", "rel newton:mimicJoint = </World/leader>"),
        ("PhysicsRevoluteJoint", ""),
    ],
)
def test_faults_cost_only_the_coupling(kind: str, members: str, tmp_path: Path) -> None:
    text = HEAD + LEADER % (-10, 10) + FOLLOWER % (kind, "NewtonMimicAPI", members)
    found = read(text, tmp_path)
    assert not found.scene.couplings
    assert len(found.scene.joints) == 2
    assert [item.code for item in found.findings] == ["OMI-U019"]


def test_a_factor_of_a_wrong_type_is_its_default(tmp_path: Path) -> None:
    members = "rel newton:mimicJoint = </World/leader>\n token newton:mimicCoef1 = 'x'"
    text = (
        HEAD + LEADER % (-10, 10) + FOLLOWER % ("PhysicsRevoluteJoint", "NewtonMimicAPI", members)
    )
    found = read(text, tmp_path)
    assert [coupling.coefficients for coupling in found.scene.couplings] == [(0.0, 1.0)]
    assert [item.code for item in found.findings] == ["OMI-U004"]

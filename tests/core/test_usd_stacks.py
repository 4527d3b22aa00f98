"""Several joints of one axis each between the same bodies: one joint here, several in USD."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Read, Source, Target
from omi_joints_addon.io.formats.usd import USD
from tests.usd_layers import opinions

from .usd_scenes import read, read_text, written

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

BODIES = """
def Xform "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    bool physics:kinematicEnabled = 1
    quatf xformOp:orient = (0.8, 0, 0.6, 0)
    uniform token[] xformOpOrder = ["xformOp:orient"]
}
def Xform "B" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    double3 xformOp:translate = (1, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
"""
TURNED = "(0.9238795, 0.3826834, 0, 0)"
"""An eighth of a turn about X."""


def joint(name: str, axis: str, *lines: str, kind: str = "Revolute", rot: str = "") -> str:
    turns = f"quatf physics:localRot0 = {rot}\nquatf physics:localRot1 = {rot}\n" if rot else ""
    text = "\n".join(lines)
    return f"""
def Physics{kind}Joint "{name}" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
{{
    rel physics:body0 = </W/A>
    rel physics:body1 = </W/B>
    uniform token physics:axis = "{axis}"
    point3f physics:localPos0 = (0.5, 0, 0)
    point3f physics:localPos1 = (-0.5, 0, 0)
    {turns}{text}
}}
"""


def stage(folder: Path, *joints: str) -> Read:
    head = '(\n    defaultPrim = "W"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n'
    return read_text(f'{head}def Xform "W"\n{{\n{BODIES}{"".join(joints)}\n}}\n', folder)


HIP = (
    joint("hip_x", "X", "float physics:lowerLimit = -30", "float physics:upperLimit = 40"),
    joint("hip_y", "Y", "float physics:lowerLimit = -10", "float physics:upperLimit = 20"),
    joint("hip_z", "Z", "float drive:angular:physics:stiffness = 3", "float newton:armature = 0.5"),
)


def values(path: Path) -> dict[str, dict[str, Any]]:
    """Return what OpenUSD reads of each joint by name."""
    from pxr import Usd, UsdPhysics

    open_stage = Usd.Stage.Open(str(path))
    return {
        str(prim.GetName()): {each.GetName(): each.Get() for each in prim.GetAuthoredAttributes()}
        for prim in open_stage.Traverse()
        if UsdPhysics.Joint(prim)
    }


def test_a_stack_of_hinges_is_one_joint_that_turns(tmp_path: Path) -> None:
    found = stage(tmp_path, *HIP)
    (one,) = found.scene.joints
    ranges = {limit.angular_axes: (limit.min, limit.max) for limit in one.settings.limits[1:]}
    assert ranges == {
        (0,): pytest.approx(tuple(map(math.radians, (-30.0, 40.0)))),
        (1,): pytest.approx(tuple(map(math.radians, (-10.0, 20.0)))),
    }
    driven = [drive.axis for drive in one.settings.drives if drive.stiffness]
    assert driven == [2]
    assert "OMI-J018" not in [finding.code for finding in check_scene(found.scene)]


def test_it_comes_apart_again_as_it_was(tmp_path: Path) -> None:
    before = stage(tmp_path, *HIP).scene
    original = values(tmp_path / "text.usda")
    path = written(before, tmp_path)
    found = values(path)
    assert found.keys() == original.keys()
    for name, said in original.items():
        for word, value in said.items():
            if isinstance(value, float):
                assert found[name][word] == pytest.approx(value, rel=1e-5), (name, word)
        assert found[name]["physics:axis"] == said["physics:axis"]
        assert tuple(found[name]["physics:localPos0"]) == pytest.approx((0.5, 0, 0), abs=1e-6)
        assert found[name]["physics:localRot0"].real == pytest.approx(1.0, abs=1e-6)
    again = read(path).scene
    assert [joint.settings for joint in again.joints] == [before.joints[0].settings]


def test_axes_may_be_turned_and_given_in_any_order(tmp_path: Path) -> None:
    joints = (joint("b", "Y", rot=TURNED), joint("a", "X", rot=TURNED), joint("c", "Z", rot=TURNED))
    scene = stage(tmp_path, *joints).scene
    (one,) = scene.joints
    frame = scene.matrices[one.node][:3, :3]
    assert np.linalg.det(frame) == pytest.approx(1.0)
    found = values(written(scene, tmp_path))
    for name in "abc":
        turn = found[name]["physics:localRot0"]
        assert abs(turn.real) == pytest.approx(0.9238795, abs=1e-6)
        assert abs(turn.imaginary[0]) == pytest.approx(0.3826834, abs=1e-6)


def test_sliders_and_a_hinge_of_a_planar_joint(tmp_path: Path) -> None:
    joints = (
        joint("x", "X", "float physics:upperLimit = 2", kind="Prismatic"),
        joint("y", "Y", kind="Prismatic"),
        joint("turn", "Z"),
    )
    (one,) = stage(tmp_path, *joints).scene.joints
    held = [(limit.linear_axes, limit.angular_axes) for limit in one.settings.limits]
    assert held == [((2,), ()), ((), (0, 1)), ((0,), ())]


@pytest.mark.parametrize(
    "joints",
    [
        (joint("a", "X"), joint("b", "X")),
        (joint("a", "X"), joint("b", "Y").replace("(0.5, 0, 0)", "(0.6, 0, 0)")),
        (joint("a", "X"), joint("b", "Z", rot="(0.9238795, 0, 0.3826834, 0)")),
        (joint("a", "X"), joint("b", "Y").replace("</W/A>", "</W>")),
    ],
    ids=["one axis", "two points", "no right angle", "other bodies"],
)
def test_others_stay_apart(joints: tuple[str, ...], tmp_path: Path) -> None:
    assert len(stage(tmp_path, *joints).scene.joints) == 2


def test_stack_of_an_articulation_comes_back(tmp_path: Path) -> None:
    """The root is B, so that the ends of the parts are exchanged in the file."""
    scene = stage(tmp_path, *HIP).scene
    body = scene.names.index("A")
    node = scene.joints[0].node
    end = scene.joints[0].connected
    assert end is not None
    motions = dict(scene.motions) | {body: replace(scene.motions[body], type="dynamic")}
    root = (Articulation(root=scene.names.index("B")),)
    arm = replace(scene, motions=motions, articulations=root)
    again = read(written(arm, tmp_path)).scene
    (one,) = again.joints
    assert one.settings == scene.joints[0].settings
    assert np.allclose(again.matrices[one.node], scene.matrices[node], atol=1e-6)
    assert np.allclose(again.matrices[one.other], scene.matrices[end], atol=1e-6)


def test_an_edit_goes_to_its_own_prim_in_a_layer(tmp_path: Path) -> None:
    found = stage(tmp_path, *HIP)
    assert found.document is not None

    def layer(scene: PhysicsScene) -> dict[str, Any]:
        path = tmp_path / "layer.usda"
        kept = Kept(document=found.document, read=found)  # type: ignore[arg-type]
        target = Target(path=path, options={"layer": "above"}, kept=kept)
        path.write_bytes(USD.write(scene, target).files[path.name])
        return opinions(path)

    assert layer(replace(found.scene)) == {}
    one = found.scene.joints[0]
    limits = tuple(
        replace(limit, max=math.radians(15.0)) if limit.angular_axes == (1,) else limit
        for limit in one.settings.limits
    )
    edited = replace(one, settings=replace(one.settings, limits=limits))
    assert layer(replace(found.scene, joints=(edited,))) == {
        "/W/hip_y.physics:upperLimit": pytest.approx(15.0, rel=1e-6)
    }


def test_a_joint_that_is_none_of_a_stack_any_more_is_written_as_one(tmp_path: Path) -> None:
    scene = stage(tmp_path, *HIP).scene
    one = scene.joints[0]
    free = tuple(limit for limit in one.settings.limits if not limit.linear_axes)
    edited = replace(one, settings=replace(one.settings, limits=free))
    path = written(replace(scene, joints=(edited,)), tmp_path)
    assert len(values(path)) == 1
    assert USD.read(Source(path=path))[0].scene.joints[0].settings == edited.settings

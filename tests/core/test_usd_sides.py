"""Which side of a joint is body0: inside articulations that of the root, as Newton wants it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.keeping import kept_of, written_scene
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import SceneBuilder

from .usd_scenes import read, written

in_openusd = pytest.importorskip("tests.facts.in_openusd", reason="usd-core is not installed")

SERVO = JointDrive(
    type="angular", axis=2, stiffness=2.0, damping=0.5, position_target=0.25, velocity_target=0.1
)
SETTINGS = replace(hinge(min_angle=-0.5, max_angle=1.0), drives=(SERVO,))
FIXED = JointSettings(
    limits=(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
    )
)
ROOT = (Articulation(root=0),)


def arm(
    *settings: JointSettings, root: str = "dynamic", child_first: bool = True, zero: float = 0.0
) -> PhysicsScene:
    """Return bodies in a row, each jointed to the one before by a joint node of its own."""
    build = SceneBuilder()
    bodies = [build.body((0, 0, 0), type=root)]
    for number, each in enumerate(settings, start=1):
        bodies.append(build.body((number, 0, 0)))
        at = (number - 0.5, 0, 0)
        ends = [build.node(at, parent=bodies[n]) for n in (number, number - 1)]
        node, connected = ends if child_first else ends[::-1]
        attributes = JointAttributes(zero=zero)
        joint = Joint(node=node, connected=connected, settings=each, attributes=attributes)
        build.joints.append(joint)
    return replace(build.scene(), articulations=ROOT)


def bodies_of(path: Path) -> list[tuple[str, str]]:
    """Return body0 and body1 of each joint as OpenUSD reads it."""
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    found = []
    for prim in stage.Traverse():
        if joint := UsdPhysics.Joint(prim):
            rels = (joint.GetBody0Rel(), joint.GetBody1Rel())
            found.append(tuple((rel.GetTargets() or [""])[0] for rel in rels))
    return [tuple(str(path).rpartition("/")[2] for path in pair) for pair in found]  # type: ignore[misc]


@pytest.mark.parametrize("zero", [0.0, 1.5])
def test_root_side_is_body0_and_the_author_gets_his_order_back(tmp_path: Path, zero: float) -> None:
    scene = arm(SETTINGS, SETTINGS, zero=zero)
    path = written(scene, tmp_path)
    names = [scene.names[node] for node in scene.motions]
    assert bodies_of(path) == [(names[0], names[1]), (names[1], names[2])]
    again = read(path).scene
    for joint, other in zip(scene.joints, again.joints, strict=True):
        assert other.settings == joint.settings
        assert again.names[other.node] == scene.names[joint.node]
        for end in ("node", "other"):
            place = scene.matrices[getattr(joint, end)]
            assert np.allclose(again.matrices[getattr(other, end)], place, atol=1e-6)


@pytest.mark.parametrize("zero", [0.0, 1.5])
def test_swapped_joint_keeps_its_numbers_and_the_pose_at_each(tmp_path: Path, zero: float) -> None:
    """Seen from the root's side the axis is the other way round, so the frames are turned."""
    scene = arm(SETTINGS, zero=zero)
    plain = in_openusd.facts(written(replace(scene, articulations=()), tmp_path))
    path = written(scene, tmp_path)
    found = in_openusd.facts(path)
    ((name, joint),) = plain.joints.items()
    assert (found.joints[name].parent, found.joints[name].child) == (joint.child, joint.parent)
    for value in (0.0, 0.37):
        ones, twos = (file.poses({name: value + zero}, joint.child) for file in (plain, found))
        for link in plain.links:
            np.testing.assert_allclose(ones[link], twos[link], atol=1e-6)
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    (prim,) = [prim for prim in stage.Traverse() if UsdPhysics.Joint(prim)]
    joint = UsdPhysics.RevoluteJoint(prim)
    low, high = joint.GetLowerLimitAttr().Get(), joint.GetUpperLimitAttr().Get()
    middle = np.degrees(zero)
    assert (low, high) == pytest.approx((np.degrees(-0.5) + middle, np.degrees(1.0) + middle))
    drive = UsdPhysics.DriveAPI(prim, "angular")
    assert drive.GetTargetPositionAttr().Get() == pytest.approx(np.degrees(0.25) + middle)
    assert drive.GetTargetVelocityAttr().Get() == pytest.approx(np.degrees(0.1))


def test_couplings_follow_the_exchanged_sides_and_the_zeros(tmp_path: Path) -> None:
    scene = arm(SETTINGS, SETTINGS, zero=1.5)
    first = scene.joints[0]
    straight = replace(first, node=first.other, connected=first.node)
    coupling = Coupling(joint=1, source=0, coefficients=(0.3, 2.0))
    mixed = replace(scene, joints=(straight, scene.joints[1]), couplings=(coupling,))
    path = written(mixed, tmp_path)
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    (prim,) = [prim for prim in stage.Traverse() if prim.HasAttribute("newton:mimicCoef1")]
    # Both are zero + angle in the file.
    assert prim.GetAttribute("newton:mimicCoef1").Get() == pytest.approx(2.0)
    offset = 0.3 - 2.0 * 1.5 + 1.5
    assert prim.GetAttribute("newton:mimicCoef0").Get() == pytest.approx(np.degrees(offset))
    (again,) = read(path).scene.couplings
    assert again.coefficients == pytest.approx((0.3, 2.0), abs=1e-6)


def test_outside_of_articulations_the_author_says(tmp_path: Path) -> None:
    scene = replace(arm(SETTINGS), articulations=())
    names = [scene.names[node] for node in scene.motions]
    assert bodies_of(written(scene, tmp_path)) == [(names[1], names[0])]


def test_static_root_is_a_fixed_base(tmp_path: Path) -> None:
    from pxr import Usd, UsdPhysics

    scene = arm(SETTINGS, root="static")
    path = written(scene, tmp_path)
    stage = Usd.Stage.Open(str(path))
    roots = [p for p in stage.Traverse() if p.HasAPI(UsdPhysics.ArticulationRootAPI)]
    assert [prim.GetTypeName() for prim in roots] == ["PhysicsFixedJoint"]
    codes = [found.code for found in PHYSX.check(scene)]
    assert "OMI-U054" in codes
    assert "OMI-U054" in [found.code for found in NEWTON.check(scene)]


def test_root_of_nothing_is_reported() -> None:
    assert "OMI-U055" in [found.code for found in NEWTON.check(arm())]


def test_ball_that_cannot_be_swapped_is_reported_and_stays(tmp_path: Path) -> None:
    limit = JointLimit(angular_axes=(1,), min=-0.1, max=0.4)
    drive = replace(SERVO, axis=1)
    pin = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
    scene = arm(JointSettings(limits=(pin, limit), drives=(drive,)))
    assert "OMI-U060" in [found.code for found in NEWTON.check(scene)]
    names = [scene.names[node] for node in scene.motions]
    assert bodies_of(written(scene, tmp_path)) == [(names[1], names[0])]
    assert "OMI-U060" not in [found.code for found in NEWTON.check(arm(SETTINGS))]


def test_loop_of_an_articulation_is_reported() -> None:
    scene = arm(SETTINGS, SETTINGS)
    ends = [len(scene.names) + n for n in (0, 1)]
    bodies = list(scene.motions)
    loop = Joint(node=ends[0], connected=ends[1], settings=FIXED)
    looped = replace(
        scene,
        names=(*scene.names, "Loop", "Loop End"),
        parents=np.append(scene.parents, [bodies[2], bodies[0]]),
        matrices=np.concatenate((scene.matrices, np.array([np.eye(4)] * 2))),
        joints=(*scene.joints, loop),
    )
    assert "OMI-U061" in [found.code for found in NEWTON.check(looped)]
    out = replace(loop, attributes=JointAttributes(in_articulation=False))
    opened = replace(looped, joints=(*scene.joints, out))
    assert "OMI-U061" not in [found.code for found in NEWTON.check(opened)]


CYLINDRICAL = JointSettings(
    limits=(
        JointLimit(linear_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
    )
)


def test_free_axes_of_a_d6_are_named(tmp_path: Path) -> None:
    """Newton locks what has no limit; to OpenUSD both is free."""
    path = written(arm(CYLINDRICAL, child_first=False), tmp_path)
    text = path.read_text()
    for name in ("transZ", "rotZ"):
        assert f"float limit:{name}:physics:low = -inf" in text
        assert f"float limit:{name}:physics:high = inf" in text
    assert read(path).scene.joints[0].settings == CYLINDRICAL


@pytest.mark.needs("newton")
def test_newton_reads_what_is_written(tmp_path: Path) -> None:
    import newton

    path = written(arm(SETTINGS, CYLINDRICAL, root="static"), tmp_path)
    builder = newton.ModelBuilder()
    builder.add_usd(str(path))
    assert builder.joint_dof_count == 3


def test_a_stage_of_before_whose_numbers_have_other_signs_is_read_and_edited(
    tmp_path: Path, repository: Path
) -> None:
    """Written by a release that exchanged the signs with the ends instead of turning the frames."""
    source = tmp_path / "arm.usda"
    source.write_bytes((repository / "tests/data/exchanged_sides.usda").read_bytes())
    read_ = USD.read(Source(path=source))[0]
    (joint,) = read_.scene.joints
    assert (joint.settings, joint.attributes.zero) == (SETTINGS, 1.5)
    limits = [replace(each, max=0.8) if each.max == 1.0 else each for each in SETTINGS.limits]
    edited = replace(joint, settings=replace(SETTINGS, limits=tuple(limits)))
    kept, _ = kept_of(USD, read_, USD, {})
    found = written_scene(
        USD, replace(read_.scene, joints=(edited,)), Target(path=source, kept=kept)
    )
    write_files(tmp_path, found.files)
    ((_, joint_now),) = in_openusd.facts(source).joints.items()
    assert joint_now.range == pytest.approx((-0.8 - 1.5, 0.5 - 1.5), abs=1e-6)
    (again,) = USD.read(Source(path=source))[0].scene.joints
    assert [each.max for each in again.settings.limits] == pytest.approx(
        [each.max for each in limits]
    )
    assert again.attributes.zero == 1.5

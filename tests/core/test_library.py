"""The library's own words: joints and bodies by name, scenes from nothing, poses, edits."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import omi_joints

ARM = Path("omi_joints_addon", "examples", "arm.urdf")


@pytest.fixture
def arm(repository: Path) -> omi_joints.Scene:
    return omi_joints.read(repository / ARM)


def lamp() -> omi_joints.Scene:
    """Return a lamp: an arm on the world that turns about an oblique axis, and a slider."""
    build = omi_joints.SceneBuilder()
    build.add_body("arm", pose=(0.35, 0.1, 1.2), shape=omi_joints.box((0.7, 0.06, 0.05)), mass=1.7)
    tip = omi_joints.capsule(0.07, 0.2)
    build.add_body("tip", pose=(0.7, 0.1, 1.1), shape=tip, density=830.0)
    oblique = (0.3, -0.5, 0.8)
    build.hinge("swing", None, "arm", pivot=(0, 0.1, 1.2), axis=oblique, lower=-0.4, upper=1.9)
    build.slider("drop", "arm", "tip", axis=(0.0, 0.0, -1.0), lower=0.0, upper=0.35)
    return build.scene()


def test_a_joint_says_what_its_file_does(arm: omi_joints.Scene) -> None:
    lift = arm.joint("lift")
    assert (lift.parent.name, lift.child.name) == ("shoulder", "upper_arm")
    assert (lift.lower, lift.upper, lift.effort, lift.velocity) == (-1.2, 1.9, 180.0, 2.3)
    assert lift.kind == omi_joints.JointKind.HINGE
    assert lift.axis == pytest.approx((0.0, 1.0, 0.0))
    follower = arm.joint("grip_right")
    assert follower.mimic == ("grip", 1.0, 0.0)
    assert arm.joint("grip").mimic is None
    assert [joint.name for joint in arm.moving_joints()] == [
        "turn", "lift", "bend", "roll", "nod", "grip", "grip_right",
    ]  # fmt: skip


def test_unknown_and_ambiguous_names_are_explained(arm: omi_joints.Scene) -> None:
    with pytest.raises(KeyError, match="no joint 'lfit'; did you mean 'lift'"):
        arm.joint("lfit")
    build = omi_joints.SceneBuilder()
    build.add_body("a")
    with pytest.raises(ValueError, match="'a' already exists"):
        build.add_body("a")
    with pytest.raises(KeyError, match="no body 'b'"):
        build.hinge("h", "b", "a", pivot=(0.0, 0.0, 0.0))


def test_a_hinge_turns_counterclockwise_in_every_format(tmp_path: Path) -> None:
    """MuJoCo reads the MJCF: the tip goes where the right-hand rule says."""
    scene = lamp()
    assert not [loss for loss in omi_joints.write(scene, tmp_path / "lamp.usda") if loss]
    omi_joints.write(scene, tmp_path / "lamp.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "lamp.xml"))
    data = mujoco.MjData(model)
    data.joint("swing").qpos[0], data.joint("drop").qpos[0] = 0.7, 0.21
    mujoco.mj_kinematics(model, data)
    axis = np.array((0.3, -0.5, 0.8)) / np.linalg.norm((0.3, -0.5, 0.8))
    arm = np.array((0.7, 0.0, -0.1 - 0.21))
    turned = (
        arm * math.cos(0.7)
        + np.cross(axis, arm) * math.sin(0.7)
        + axis * (axis @ arm) * (1.0 - math.cos(0.7))
    )
    expected = np.array((0.0, 0.1, 1.2)) + turned
    assert data.body("tip").xpos == pytest.approx(expected, abs=1e-9)
    ours = scene.posed({"swing": 0.7, "drop": 0.21})
    assert ours.body("tip").pose.position == pytest.approx(expected, abs=1e-12)
    assert ours.positions() == pytest.approx({"swing": 0.7, "drop": 0.21})
    for name in ("lamp.urdf", "lamp.xml", "lamp.usda", "lamp.glb"):
        omi_joints.write(scene, tmp_path / name, overwrite=True)
        joint = omi_joints.read(tmp_path / name).joint("swing")
        assert (joint.lower, joint.upper) == pytest.approx((-0.4, 1.9), abs=1e-6), name
        assert joint.axis == pytest.approx(axis, abs=1e-6), name


def test_a_density_gives_the_mass_of_the_shape() -> None:
    capsule = math.pi * 0.07**2 * 0.2 + 4.0 / 3.0 * math.pi * 0.07**3
    assert lamp().body("tip").mass == pytest.approx(830.0 * capsule, rel=1e-12)
    build = omi_joints.SceneBuilder()
    corners = [(x, y, z) for x in (0.0, 0.2) for y in (0.0, 0.3) for z in (0.0, 0.5)]
    build.add_body("brick", shape=omi_joints.hull(corners), density=1900.0)
    assert build.scene().body("brick").mass == pytest.approx(1900.0 * 0.2 * 0.3 * 0.5)
    with pytest.raises(ValueError, match="a density needs a closed shape"):
        build.add_body("ghost", density=1.0)


def test_a_body_below_another_is_placed_in_it() -> None:
    build = omi_joints.SceneBuilder()
    turned = np.eye(4)
    turned[:2, :2], turned[:3, 3] = ((0.0, -1.0), (1.0, 0.0)), (0.3, 0.2, 0.1)
    build.add_body("cart", pose=turned)
    build.add_body("wheel", pose=(0.5, 0.0, 0.0), parent="cart")
    assert build.scene().body("wheel").pose.position == pytest.approx((0.3, 0.7, 0.1))


def test_a_rope_holds_its_ends_within_its_length(tmp_path: Path) -> None:
    build = omi_joints.SceneBuilder()
    build.add_body("tire", pose=(0.4, 0.0, 1.0), shape=omi_joints.sphere(0.1), mass=3.7)
    build.rope("rope", None, "tire", start=(0.0, 0.0, 1.5), end=(0.4, 0.0, 1.0), length=0.9)
    motion = omi_joints.simulate(build.scene(), seconds=2.0, fps=60.0)
    ends = np.linalg.norm(motion.joint_values[:, 0, :3], axis=1)
    assert 0.899 < ends.max() < 0.901


def test_poses_of_many_configurations_come_at_once(arm: omi_joints.Scene) -> None:
    angles = np.linspace(-0.5, 0.5, 4)
    found = arm.pose_at({"lift": angles, "grip": 0.03})
    assert found.shape == (4, len(arm.names), 4, 4)
    one = arm.posed({"lift": float(angles[2]), "grip": 0.03})
    assert found[2] == pytest.approx(one.matrices)
    # The right finger follows the left one.
    assert one.positions()["grip_right"] == pytest.approx(0.03)


def test_what_closes_a_loop_cannot_be_posed() -> None:
    build = omi_joints.SceneBuilder()
    for name, x in (("a", 0.3), ("b", 0.6)):
        build.add_body(name, pose=(x, 0.0, 0.0), mass=1.3)
        build.hinge(f"to {name}", None, name, pivot=(x - 0.3, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    build.hinge("closing", "a", "b", pivot=(0.45, 0.0, 0.2), axis=(0.0, 1.0, 0.0))
    with pytest.raises(ValueError, match="closing closes a loop"):
        build.scene().pose_at({"closing": 0.1})


def test_an_edit_is_one_line_of_the_file(
    arm: omi_joints.Scene, repository: Path, tmp_path: Path
) -> None:
    edited = arm.with_joint("lift", upper=0.5, effort=95.5)
    assert not omi_joints.write(edited, tmp_path / "arm.urdf", original=repository / ARM)
    before = (repository / ARM).read_text().splitlines()
    after = (tmp_path / "arm.urdf").read_text().splitlines()
    changed = [line for old, line in zip(before, after, strict=True) if old != line]
    assert changed == ['    <limit lower="-1.2" upper="0.5" effort="95.5" velocity="2.3"/>']
    with pytest.raises(TypeError):
        arm.with_joint("lift", speed=1.0)
    with pytest.raises(ValueError, match=r"lower 2\.5 is above upper 1\.9"):
        arm.with_joint("lift", lower=2.5)


def test_errors_are_those_that_python_users_expect(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.urdf"):
        omi_joints.read(tmp_path / "nowhere.urdf")
    with pytest.raises(ValueError, match="unknown engine 'unreal'"):
        omi_joints.check(repository / ARM, engine="unreal")
    (tmp_path / "here.glb").write_bytes(b"")
    with pytest.raises(omi_joints.OutputError, match="overwrite=True"):
        omi_joints.convert(repository / ARM, tmp_path / "here.glb")


def test_a_scene_is_shown_with_its_joints(arm: omi_joints.Scene, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figure = arm.show({"lift": 0.4})
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {"turn", "lift", "grip"} <= texts
    figure.savefig(tmp_path / "arm.png")
    assert (tmp_path / "arm.png").stat().st_size > 20_000


def test_a_file_is_verified_with_itself(repository: Path) -> None:
    path = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    assert omi_joints.verify(path, path).findings == ()

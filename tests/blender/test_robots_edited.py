"""Robots that are changed in Blender and exported: engines place them as the scene has them.

MuJoCo and Pinocchio load URDF, MuJoCo MJCF. `tests/roundtrip/test_robots_in_usd.py` has USD.

The truth is worked out here of the matrices of Blender's objects alone: each joint moves what hangs
from it by M L(v) M⁻¹, M the world matrix of the joint's object, mirrored and scaled as it is.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.io.engine_models import pinocchio_model
from omi_joints_addon.io.engine_models.model import EngineModel
from tests.blender.test_links_in_place import hang, remove

ROBOT = """<robot name="s"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0.02 0.03" rpy=".3 .1 .2"/><mass value="1.3"/>
<inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="0.003" izz="0.04"/></inertial>
<collision><origin xyz=".1 0 0" rpy=".1 .2 .3"/><geometry><box size=".2 .04 .06"/></geometry>
</collision></link>
<joint name="j" type="prismatic"><origin xyz="0.1 0.2 0.3" rpy="0.2 0.3 0.4"/>
<parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-0.1" upper="0.4" effort="5" velocity="2"/></joint>
<link name="b"><inertial><origin xyz="0 0.05 0.03"/><mass value="0.7"/>
<inertia ixx="0.002" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.004"/></inertial></link>
<joint name="k" type="revolute"><origin xyz="0.2 0 0" rpy="0.5 0.3 0.1"/>
<parent link="a"/><child link="b"/><axis xyz="0.6 0 0.8"/>
<limit lower="-0.4" upper="1.2" effort="5" velocity="2"/></joint></robot>"""
LOW, HIGH = np.array((-0.1, -0.4)), np.array((0.4, 1.2))


def under_rig(change: Callable[[bpy.types.Object], None]) -> None:
    """Change an empty above all, as an artist moves, turns or scales a robot."""
    rig = bpy.data.objects.new("rig", None)
    for obj in bpy.data.objects:
        if obj.parent is None and obj != rig:
            obj.parent = rig
    bpy.context.scene.collection.objects.link(rig)
    change(rig)


def scaled(*scale: float) -> None:
    under_rig(lambda rig: setattr(rig, "scale", scale))


def turn_joint() -> None:
    for name in ("k", "k Parent"):
        bpy.data.objects[name].rotation_euler.rotate_axis("X", 0.4)


def add_tool() -> None:
    """Weld a body to the last link."""
    tool, end, other = (bpy.data.objects.new(name, None) for name in ("tool", "grip", "grip end"))
    for obj in (tool, end, other):
        bpy.context.scene.collection.objects.link(obj)
    tool.location = (0.4, 0.3, 0.6)
    tool.omi_body.motion_type, tool.omi_body.mass = "DYNAMIC", 0.37
    tool.omi_body.inertia_diagonal = (0.01, 0.012, 0.013)
    bpy.context.view_layer.update()
    end.parent = tool
    other.parent, other.matrix_world = bpy.data.objects["b"], tool.matrix_world
    end.omi_joint.enabled, end.omi_joint.connected_object = True, other
    limit = end.omi_joint.limits.add()
    limit.linear_axes = limit.angular_axes = (True, True, True)
    limit.min = limit.max = 0.0


NEW_NAMES = {"a": "upper_arm", "j": "lift", "k": "elbow", "b": "hand"}


def rename() -> None:
    for old, new in NEW_NAMES.items():
        bpy.data.objects[old].name = new


def part(name: str) -> bpy.types.Object | None:
    """Return a part of the robot, whatever it is called now; None where it is gone."""
    found = bpy.data.objects.get(name)
    return found if found is not None else bpy.data.objects.get(NEW_NAMES.get(name, name))


EDITS = {
    "as it was": lambda: None,
    "moved": lambda: under_rig(lambda rig: setattr(rig, "location", (0.3, -0.2, 0.5))),
    "turned": lambda: under_rig(lambda rig: setattr(rig, "rotation_euler", (0.3, 0.5, -0.7))),
    "twice as large": lambda: scaled(2.0, 2.0, 2.0),
    "mirrored along X": lambda: scaled(-1.0, 1.0, 1.0),
    "mirrored and larger": lambda: scaled(1.5, -1.5, 1.5),
    "a joint turned": turn_joint,
    "a link turned": lambda: bpy.data.objects["a"].rotation_euler.rotate_axis("X", 0.4),
    "hung on the base": lambda: hang("k Parent", "base"),
    "a tool": add_tool,
    "renamed": rename,
    "renamed, mirrored and larger": lambda: (rename(), scaled(1.5, -1.5, 1.5)),
    "the last link gone": lambda: remove("k", "k Parent", "b"),
}


def motion(name: str, value: float, axis: int) -> np.ndarray:
    """Return how the child of a joint moves in the world, its axis local X or Z."""
    matrix, own = np.array(part(name).matrix_world), np.eye(4)
    if axis == 0:
        own[0, 3] = value / np.linalg.norm(matrix[:3, 0])
    else:
        own[:2, :2] = ((np.cos(value), -np.sin(value)), (np.sin(value), np.cos(value)))
    # The connected frame moves so, as seen from the joint's, which is on the child.
    return np.linalg.inv(matrix @ own @ np.linalg.inv(matrix))


def motions_of(values: dict[str, float], *, is_apart: bool) -> dict[str, np.ndarray]:
    """Return how bodies move; `is_apart` is that the second one hangs on the base."""
    found = {"a": motion("j", values["j"], 0)}
    if part("k") is not None:
        own = motion("k", values["k"], 2)
        found["b"] = own if is_apart else found["a"] @ own
    if "tool" in bpy.data.objects:
        found["tool"] = found["b"]
    return found


def truth(name: str, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return center of mass and tensor of a body in the world, after a motion (4, 4)."""
    obj = part(name)
    matrix, body = np.array(obj.matrix_world), obj.omi_body
    center = moved @ matrix @ (*body.center_of_mass, 1.0)
    axes = matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0)
    w, x, y, z = body.inertia_orientation
    turn = np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )
    turn = moved[:3, :3] @ axes @ turn
    return center[:3], turn @ np.diag(body.inertia_diagonal) @ turn.T


WAYS = [
    pytest.param(edit, target, source, id=f"{name}-{target}-{source}")
    for name, edit in EDITS.items()
    for target, source in (("urdf", "new"), ("urdf", "keep"), ("xml", "new"))
    # A text keeps its origin where a model is moved as a whole.
    if (name, source) not in (("moved", "keep"), ("turned", "keep"))
]


@pytest.mark.parametrize(("edit", "target", "source"), WAYS)
def test_a_robot_is_in_the_file_what_it_is_in_the_scene(
    tmp_path: Path, edit: Callable[[], None], target: str, source: str
) -> None:
    mujoco = pytest.importorskip("mujoco")
    path, out = tmp_path / "s.urdf", tmp_path / f"out.{target}"
    path.write_text(ROBOT)
    bpy.ops.omi.scene_import(filepath=str(path))
    edit()
    bpy.context.view_layer.update()
    bpy.ops.omi.scene_export(filepath=str(out), source=source)
    model = mujoco.MjModel.from_xml_path(str(out))
    data = mujoco.MjData(model)
    names = [name for name in ("j", "k") if part(name) is not None]
    random = np.random.default_rng(7)
    for _ in range(5):
        values = dict(zip(("j", "k"), random.uniform(LOW, HIGH), strict=True))
        for number, name in enumerate(names):
            joint = model.joint(part(name).name)
            assert joint.range == pytest.approx((LOW[number], HIGH[number]), abs=1e-6)
            data.qpos[joint.qposadr[0]] = values[name]
        mujoco.mj_forward(model, data)
        motions = motions_of(values, is_apart=edit is EDITS["hung on the base"])
        for name, moved in motions.items():
            # MuJoCo makes one body of links that are fixed to each other in URDF.
            if name not in ("b", "tool") or "tool" not in motions or target == "xml":
                judge(model, data, name, moved)


def judge(model: Any, data: Any, name: str, moved: np.ndarray) -> None:
    """Compare place, tensor and mass of a body in MuJoCo with the truth."""
    center, tensor = truth(name, moved)
    body, obj = data.body(part(name).name), part(name)
    assert body.xipos == pytest.approx(center, abs=2e-6), name
    turn = body.ximat.reshape(3, 3)
    found = turn @ np.diag(model.body(obj.name).inertia) @ turn.T
    assert found == pytest.approx(tensor, abs=1e-7), name
    assert model.body(obj.name).mass[0] == pytest.approx(obj.omi_body.mass, rel=1e-6)


@pytest.mark.needs("pinocchio")
@pytest.mark.parametrize("source", ["new", "keep"])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_pinocchio_loads_the_robot_of_the_scene(tmp_path, edit, source):
    path, out = tmp_path / "s.urdf", tmp_path / "out.urdf"
    path.write_text(ROBOT)
    bpy.ops.omi.scene_import(filepath=str(path))
    edit()
    bpy.context.view_layer.update()
    bpy.ops.omi.scene_export(filepath=str(out), source=source)
    if (edit, source) not in ((EDITS["moved"], "keep"), (EDITS["turned"], "keep")):
        judge_all(pinocchio_model.loaded(out), edit, close=2e-6)


def judge_all(model: EngineModel, edit: Callable[[], None], *, close: float) -> None:
    """Compare ranges, places, tensors and masses of all bodies with the truth."""
    names = [name for name in ("j", "k") if part(name) is not None]
    for number, name in enumerate(names):
        joint = model.joints[part(name).name]
        assert (joint.lower, joint.upper) == pytest.approx((LOW[number], HIGH[number]), abs=1e-6)
    random = np.random.default_rng(8)
    for _ in range(5):
        values = dict(zip(("j", "k"), random.uniform(LOW, HIGH), strict=True))
        found = model.bodies({part(name).name: values[name] for name in names})
        motions = motions_of(values, is_apart=edit is EDITS["hung on the base"])
        assert {name for body in found for name in body.names} >= {part(n).name for n in motions}
        for body in found:
            parts = [name for name in motions if part(name).name in body.names]
            masses = [part(name).omi_body.mass for name in parts]
            truths = [truth(name, motions[name]) for name in parts]
            assert body.mass == pytest.approx(sum(masses), rel=1e-6)
            center = sum(m * each[0] for m, each in zip(masses, truths, strict=True)) / body.mass
            assert body.center == pytest.approx(center, abs=close)
            tensor = np.zeros((3, 3))
            for mass, (place, own) in zip(masses, truths, strict=True):
                arm = place - center
                tensor += own + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            assert body.tensor == pytest.approx(tensor, abs=close)


def test_a_body_that_is_scaled_keeps_mass_and_inertia_and_the_report_says_so(tmp_path):
    path = tmp_path / "s.urdf"
    path.write_text(ROBOT)
    bpy.ops.omi.scene_import(filepath=str(path))
    scaled(2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "out.xml"))
    lines = bpy.context.scene.omi_report.lines
    texts = {line.place: line.text for line in lines if line.noun == "scale"}
    assert texts.keys() == {"a", "b"}
    assert "2 times as large" in texts["a"]
    assert "8 and 32 times" in texts["a"]

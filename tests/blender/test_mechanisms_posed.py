"""Mechanisms posed by every command: a hand, a walker, a ragdoll, a four-bar, a delta robot."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import omi_joints
from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.authoring.self_collisions import find_pairs
from omi_joints_addon.core.meaning.linkage import loops_with
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.body import MotionType
from omi_joints_addon.core.model.shape import Box, Sphere
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Command, PreviewError, begin, stop
from omi_joints_addon.properties.pose import pose_of
from tests.blender.scenes import select
from tests.core.test_mirrored_poses import walker
from tests.core.test_reaching import delta, four_bars
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("no_preview_left")


def hand() -> omi_joints.Scene:
    """Return a palm and five fingers, 24 joints in all, of which the last of four follow others."""
    build, couplings = omi_joints.SceneBuilder(), list[Coupling]()
    build.add_body("wrist", mass=1.0)
    build.add_body("palm", pose=(0.0, 0.0, 0.06), mass=0.4)
    build.hinge("wrist_bend", "wrist", "palm", pivot=(0, 0, 0.01), axis=(1, 0, 0))
    number = 1
    for finger, count in (("thumb", 4), ("index", 5), ("middle", 5), ("ring", 5), ("little", 4)):
        x, above = 0.021 * (number // 5 - 2), "palm"
        for at in range(count):
            name, z = f"{finger}_{at}", 0.1 + 0.027 * at
            build.add_body(name, pose=(x, 0.0, z + 0.012), mass=0.02)
            axis = (0, 1, 0) if at == 0 else (1, 0, 0)
            build.hinge(
                f"{name}_joint",
                above,
                name,
                pivot=(x, 0, z),
                axis=axis,
                lower=-0.3,
                upper=1.4,
            )
            above, number = name, number + 1
        if count == 5:
            couplings.append(Coupling(joint=number - 1, source=number - 2, coefficients=(0.0, 0.8)))
    return omi_joints.Scene.of(replace(build.scene(), couplings=tuple(couplings)))


def ragdoll() -> None:
    rig = add_rig("Arm", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}


def built(make: Callable[[], omi_joints.Scene]) -> Callable[[], None]:
    def build() -> None:
        build_scene(bpy.context, make(), name="Robot", sets_gravity=False)

    return build


def gap(preview: PosePreview) -> float:
    """Return the largest gap of joints that close loops [m or rad]."""
    tree = preview.kinematics
    assert set(preview.reach.loops) == set(loops_with(tree, tree.children.keys()))
    return float(preview.reach.reach((), preview.values, steps=0).gap)


def inside(preview: PosePreview) -> None:
    for row in preview.rows:
        value = preview.values[row.joint, row.value]
        if row.is_bounded:
            assert row.low - 1e-6 <= value <= row.high + 1e-6, row.label
    tree = preview.kinematics
    np.testing.assert_allclose(tree.with_followers(preview.values), preview.values, atol=1e-9)


MECHANISMS = {
    "hand": (built(hand), 21, False),
    "walker": (built(walker), 5, True),
    "ragdoll": (ragdoll, 3, False),
    "four-bar": (built(four_bars), 3, False),
    "delta": (built(delta), 10, False),
}


@pytest.mark.parametrize(("build", "joints", "has_sides"), MECHANISMS.values(), ids=MECHANISMS)
def test_every_command_keeps_limits_loops_and_followers(
    build: Callable[[], None], joints: int, has_sides: bool
) -> None:
    build()
    bpy.context.view_layer.update()
    begin(preview := PosePreview(bpy.context))
    assert len({row.joint for row in preview.rows}) == joints
    rest = preview.values.copy()
    for _ in range(3):
        preview.obey(Command.RANDOM)
        preview.tick(bpy.context)
        inside(preview)
        assert gap(preview) < 1e-3
    posed = preview.values.copy()
    if has_sides:
        for _ in range(2):
            preview.obey(Command.MIRROR)
            preview.tick(bpy.context)
            inside(preview)
        np.testing.assert_allclose(preview.values, posed, atol=1e-6)
    else:
        with pytest.raises(PreviewError, match="other side"):
            preview.obey(Command.MIRROR)
    preview.obey(Command.RESET)
    preview.tick(bpy.context)
    np.testing.assert_allclose(preview.values, rest, atol=1e-6)
    preview.obey(Command.SWEEP)
    for _ in range(30):
        preview.tick(bpy.context)
        inside(preview)
        assert gap(preview) < 1e-3


@pytest.mark.parametrize(("build", "joints", "has_sides"), MECHANISMS.values(), ids=MECHANISMS)
def test_what_is_pinned_stays(build: Callable[[], None], joints: int, has_sides: bool) -> None:
    build()
    bpy.context.view_layer.update()
    begin(preview := PosePreview(bpy.context))
    rows = pose_of(bpy.context).positions
    rows[0].is_pinned = True
    preview.tick(bpy.context)
    pinned = preview.kinematics.children[preview.rows[0].joint]
    before = preview.kinematics.matrices(preview.values)[pinned]
    for _ in range(3):
        preview.obey(Command.RANDOM)
        preview.tick(bpy.context)
        after = preview.kinematics.matrices(preview.values)[pinned]
        np.testing.assert_allclose(after, before, atol=5e-3)


WIDE = """<robot name="wide"><link name="base"/>
<link name="a"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="wide" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-6.28" upper="6.28" effort="1" velocity="1"/></joint>
<joint name="endless" type="continuous"><parent link="a"/><child link="b"/>
<origin xyz="0.3 0 0.1"/><axis xyz="0 0 1"/></joint></robot>"""


def test_sliders_go_on_beyond_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "wide.urdf"
    path.write_text(WIDE)
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    select(bpy.data.objects["wide"])
    begin(preview := PosePreview(bpy.context))
    rows: dict[str, Any] = {row.name: row for row in pose_of(bpy.context).positions}
    assert (rows["wide"].low, rows["wide"].high) == pytest.approx((-6.28, 6.28), abs=1e-5)
    for wide, endless in ((5.9, 0.0), (5.9, 7.5), (9.0, -40.0)):
        rows["wide"].angle, rows["endless"].angle = wide, endless
        preview.tick(bpy.context)
        assert rows["wide"].angle == pytest.approx(min(wide, 6.28), abs=1e-5)
        assert rows["endless"].angle == pytest.approx(endless, abs=1e-4)
        turned = preview.kinematics.matrices(preview.values)[
            preview.objects.index(bpy.data.objects["b"])
        ]
        angle = math.atan2(turned[1, 0], turned[0, 0])
        wanted = min(wide, 6.28) + endless
        assert math.remainder(angle - wanted, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-4)
    # The slider of the joint's panel goes through the whole range.
    bpy.context.window_manager.omi_joint_parts[5] = 0.75
    preview.tick(bpy.context)
    assert rows["wide"].angle == pytest.approx(3.14, abs=1e-4)


def test_robots_that_are_bolted_to_one_floor_are_posed_and_tuned_each_alone() -> None:
    """Both touch at rest; that a floor holds both does not make their bodies a pair to exclude."""
    build = omi_joints.SceneBuilder()
    build.add_body(
        "floor", pose=(0.0, 0.0, -0.17), motion=MotionType.STATIC, shape=Box(size=(0.9, 0.8, 0.02))
    )
    for name, x in (("left", -0.023), ("right", 0.021)):
        above = "floor"
        for n in range(3):
            body, pivot = f"{name} {n}", (x, 0.0, 0.31 * n - 0.155)
            ball = Sphere(radius=0.05)
            build.add_body(body, pose=(x, 0.0, 0.31 * n), mass=0.37, shape=ball)
            build.hinge(
                f"{body} joint", above, body, pivot=pivot, axis=(0, 1, 0), lower=-1, upper=1
            )
            above = body
    build_scene(bpy.context, omi_joints.Scene.of(build.scene()), name="Two", sets_gravity=False)
    objects = bpy.data.objects
    own = {f"left {n} joint" for n in range(3)}
    for name in ("left 0 joint", "left 2 joint", "left 1"):
        select(objects[name])
        begin(preview := PosePreview(bpy.context))
        joints = [preview.scene.joints[row.joint] for row in preview.rows]
        assert {preview.scene.names[each.node] for each in joints} == own
        stop()
        select(objects[name])
        found = find_pairs(bpy.context, samples=20)
        assert found
        assert not [pair for pair in found if any("right" in each.name for each in pair)]
        assert bpy.ops.omi.joint_connected_select(extend_chain=True) == {"FINISHED"}
        assert {each.name for each in bpy.context.selected_objects} == own
    select(objects["floor"])
    assert bpy.ops.omi.joint_connected_select(extend_chain=True) == {"FINISHED"}
    assert len(bpy.context.selected_objects) == 6

"""MJCF files written into instead of anew, judged by the text and, where it is there, by MuJoCo."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.tree import with_nodes
from omi_joints_addon.io.formats.format import Kept, Read, Source, Target, Written
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.test_mesh_files import TETRAHEDRON

ARM = b"""<mujoco model="arm">
  <!-- degrees, classes, -- and a frame -->
  <compiler angle="degree" eulerseq="zyx"/>
  <default>
    <default class="big">
      <joint range="-90 90" damping="5" armature=".1"/>
      <geom rgba="0.8 0.2 0.2 1"/>
    </default>
  </default>
  <include file="parts/assets.xml"/>
  <worldbody>
    <light name="sun" target="hand" mode="targetbody"/>
    <body name="upper" pos="0 0 1.00" childclass="big">
      <joint name="j1" axis="0 1 0"/>
      <geom name="g1" type="capsule" fromto="0 0 0 0 0 .5" size="0.04"/>
      <frame pos="0 0 0.5" euler="0 0 90">
        <body name="hand" pos="0.1 0 0" euler="30 0 0">
          <inertial pos="0 0 .05" mass="1.50" diaginertia="0.01 0.01 0.01"/>
          <joint name="j2" class="big" range="-45.0 45.0"/>
          <joint name="j3" type="slide" axis="1 0 0" range="0 0.10" pos="0 0 0.01"/>
          <geom name="g2" type="box" size=".05 .05 .1"/>
          <site name="tip" pos="0 0 0.1" size="0.01"/>
        </body>
      </frame>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="loose"/>
      <geom size="0.1" mass="2"/></body>
  </worldbody>
  <tendon>
    <fixed name="both"><joint joint="j1" coef="1"/><joint joint="j3" coef="-1"/></fixed>
  </tendon>
  <actuator>
    <position name="a1" joint="j1" kp="100" inheritrange="1"/>
    <general name="a3" joint="j3" ctrlrange="0 255" gainprm=".05"
      biastype="affine" biasprm="0 -10 -1"/>
    <motor name="at" tendon="both"/>
  </actuator>
  <sensor><jointpos name="s3" joint="j3"/>
    <framepos name="sh" objtype="xbody" objname="hand"/></sensor>
  <keyframe>
    <key name="home" qpos="0.1  0.2 0.3  1 0 1 1 0 0 0" ctrl="0.1 1 2"/>
  </keyframe>
</mujoco>
"""
ASSETS = b'<mujoco><asset>\n  <material name="red" rgba="1 0 0 1"/>\n</asset></mujoco>\n'


@pytest.fixture
def read(tmp_path) -> Read:
    (tmp_path / "parts").mkdir()
    (tmp_path / "arm.xml").write_bytes(ARM)
    (tmp_path / "parts" / "assets.xml").write_bytes(ASSETS)
    return MJCF.read(Source(path=tmp_path / "arm.xml"))[0]


def written(read: Read, scene: PhysicsScene, **kept) -> Written:
    assert read.document is not None
    target = Target(path=read.document.path, kept=Kept(document=read.document, read=read, **kept))
    return written_scene(MJCF, scene, target)


def text_of(read: Read, scene: PhysicsScene, **kept) -> str:
    found = written(read, scene, **kept)
    assert found.files["parts/assets.xml"] == ASSETS
    assert not [loss for loss in found.losses if loss.how == How.LOST]
    return found.files["arm.xml"].decode()


def node(scene: PhysicsScene, name: str) -> int:
    return scene.names.index(name)


def with_joint(scene: PhysicsScene, name: str, change) -> PhysicsScene:
    joints = [change(j) if scene.names[j.node] == name else j for j in scene.joints]
    return replace(scene, joints=tuple(joints))


def with_range(scene: PhysicsScene, name: str, low: float, high: float) -> PhysicsScene:
    def change(joint):
        limits = [
            replace(limit, min=low, max=high)
            if limit.min < limit.max and len(limit.linear_axes + limit.angular_axes) == 1
            else limit
            for limit in joint.settings.limits
        ]
        return replace(joint, settings=replace(joint.settings, limits=tuple(limits)))

    return with_joint(scene, name, change)


def compiled(read: Read, files):
    mujoco = pytest.importorskip("mujoco")
    included = {name: data for name, data in files.items() if name != "arm.xml"}
    return mujoco.MjModel.from_xml_string(files["arm.xml"].decode(), included)


def test_files_that_nobody_edited_are_the_same_to_the_byte(read):
    for scene in (read.scene, replace(read.scene)):
        found = written(read, scene)
        assert dict(found.files) == {"arm.xml": ARM, "parts/assets.xml": ASSETS}
        assert found.losses == ()


def test_a_range_is_written_on_the_joint_in_the_files_angles_and_not_on_its_class(read):
    text = text_of(read, with_range(read.scene, "j1", -0.5, math.radians(60.0)))
    old = '<joint name="j1" axis="0 1 0"/>'
    new = '<joint name="j1" axis="0 1 0" range="-28.64788975654116 60"/>'
    assert text == ARM.decode().replace(old, new)


def test_a_range_of_a_number_of_blender_has_no_noise_of_single_precision(read):
    scene = with_range(read.scene, "j2", -math.radians(45.0), float(np.float32(math.radians(40.0))))
    text = text_of(read, scene, is_single=True)
    assert text == ARM.decode().replace('range="-45.0 45.0"', 'range="-45.0 40"')


def test_a_limit_taken_off_keeps_its_range_which_actuators_may_inherit(read):
    def free(joint):
        limits = [each for each in joint.settings.limits if each.min == each.max]
        return replace(joint, settings=replace(joint.settings, limits=tuple(limits)))

    found = written(read, with_joint(read.scene, "j1", free))
    old = '<joint name="j1" axis="0 1 0"/>'
    new = '<joint name="j1" axis="0 1 0" limited="false"/>'
    assert found.files["arm.xml"].decode() == ARM.decode().replace(old, new)
    assert not compiled(read, found.files).jnt_limited[0]


def test_damping_that_is_gone_is_zero_where_a_class_has_it(read):
    def still(joint):
        return replace(joint, attributes=replace(joint.attributes, armature=0.0))

    text = text_of(read, with_joint(read.scene, "j1", still))
    assert text == ARM.decode().replace('axis="0 1 0"/>', 'axis="0 1 0" armature="0"/>', 1)


def test_a_mass_is_written_where_the_file_has_it_else_with_an_inertial(read):
    hand, ball = node(read.scene, "hand"), node(read.scene, "ball")
    motions = dict(read.scene.motions)
    motions[hand] = replace(motions[hand], mass=3.0)
    text = text_of(read, replace(read.scene, motions=motions))
    assert text == ARM.decode().replace('mass="1.50"', 'mass="3"')
    motions = dict(read.scene.motions)
    motions[ball] = replace(motions[ball], mass=5.0)
    found = written(read, replace(read.scene, motions=motions))
    assert compiled(read, found.files).body("ball").mass == pytest.approx(5.0)


def test_the_mass_of_something_tiny_is_no_rounding(read):
    ball = node(read.scene, "ball")
    motion = replace(read.scene.motions[ball], mass=1e-3, inertia_diagonal=(2e-7, 2e-7, 3e-7))
    scene = replace(read.scene, motions={**read.scene.motions, ball: motion})
    model = compiled(read, written(read, scene, is_single=True).files)
    assert sorted(model.body("ball").inertia) == pytest.approx([2e-7, 2e-7, 3e-7])


def test_a_moved_body_keeps_the_frames_around_it(read):
    model = compiled(read, {"arm.xml": ARM, "parts/assets.xml": ASSETS})
    scene, hand = read.scene, node(read.scene, "hand")
    parts = [n for n in range(len(scene.names)) if scene.bodies()[n] == hand]
    light = [n for n, name in enumerate(scene.names) if name.startswith("hand between")]
    parts += [n for n in range(len(scene.names)) if int(scene.bodies()[n]) in light]
    parts += [node(scene, "j2 parent")]
    shift = np.eye(4)
    shift[:3, 3] = (0.0, 0.0, 0.25)
    matrices = scene.matrices.copy()
    matrices[parts] = shift @ matrices[parts]
    found = written(read, replace(scene, matrices=matrices))
    changed = compiled(read, found.files)
    assert changed.body("hand").pos - model.body("hand").pos == pytest.approx((0, 0, 0.25))
    assert changed.body("hand").quat == pytest.approx(model.body("hand").quat)
    assert b'<frame pos="0 0 0.5" euler="0 0 90">' in found.files["arm.xml"]


def test_renamed_bodies_and_joints_are_renamed_wherever_the_files_name_them(read):
    names = {"hand": "gripper", "j3": "slide"}
    scene = replace(read.scene, names=tuple(names.get(n, n) for n in read.scene.names))
    text = written(read, scene).files["arm.xml"].decode()
    assert text == (
        ARM.decode()
        .replace('"hand"', '"gripper"')
        .replace('name="j3"', 'name="slide"')
        .replace('joint="j3"', 'joint="slide"')
    )


def test_a_deleted_body_takes_along_what_is_about_it_and_its_columns_of_keyframes(read):
    scene = read.scene
    hand = {n for n, name in enumerate(scene.names) if name.startswith("hand")}
    gone = hand | {n for n in range(len(scene.names)) if int(scene.bodies()[n]) in hand}
    gone |= {node(scene, name) for name in ("j2 parent", "j3 parent")}
    left = [n for n in range(len(scene.names)) if n not in gone]
    found = written(
        read, with_nodes(scene, left), origins={i: scene.names[n] for i, n in enumerate(left)}
    )
    model = compiled(read, found.files)
    assert [model.body(n).name for n in range(model.nbody)] == ["world", "upper", "ball"]
    assert [model.actuator(n).name for n in range(model.nu)] == ["a1", "at"]
    assert (model.nsensor, model.ntendon) == (0, 1)
    assert model.key("home").qpos == pytest.approx((0.1, 1, 0, 1, 1, 0, 0, 0))
    assert model.key("home").ctrl == pytest.approx((0.1, 2))
    assert {"removed" in loss.text for loss in found.losses} == {True}


def test_a_moved_geom_of_two_ends_is_written_with_a_place_and_a_size(read):
    scene, geom = read.scene, node(read.scene, "g1")
    matrices = scene.matrices.copy()
    matrices[geom, 0, 3] += 0.1
    model = compiled(read, written(read, replace(scene, matrices=matrices)).files)
    old = compiled(read, {"arm.xml": ARM, "parts/assets.xml": ASSETS})
    assert model.geom("g1").pos - old.geom("g1").pos == pytest.approx((0.1, 0.0, 0.0))
    assert model.geom("g1").size == pytest.approx(old.geom("g1").size)


def test_actuators_are_not_touched_by_what_is_edited_beside_them(read):
    scene = with_range(read.scene, "j3", 0.0, 0.2)
    found = written(read, scene)
    old, new = (
        compiled(read, files)
        for files in ({"arm.xml": ARM, "parts/assets.xml": ASSETS}, found.files)
    )
    for name in ("actuator_gainprm", "actuator_biasprm", "actuator_ctrlrange", "actuator_gear"):
        assert np.array_equal(getattr(old, name), getattr(new, name)), name
    assert new.joint("j3").range == pytest.approx((0.0, 0.2))


def test_what_the_file_has_no_place_for_is_named(read):
    scene = with_nodes(read.scene, range(len(read.scene.names)))
    names, parents = (*scene.names, "new"), np.append(scene.parents, -1)
    matrices = np.concatenate((scene.matrices, np.eye(4)[None]))
    motions = {**scene.motions, len(scene.names): scene.motions[node(scene, "ball")]}
    more = replace(scene, names=names, parents=parents, matrices=matrices, motions=motions)
    found = written(read, more, origins=dict(enumerate(scene.names)))
    assert {loss.place for loss in found.losses} == {"new"}
    assert found.files["arm.xml"] == ARM


@pytest.mark.parametrize(
    ("change", "noun"),
    [
        (
            lambda joint: replace(joint, enable_collision=not joint.enable_collision),
            "bodies collide",
        ),
        *(
            (
                lambda joint, new=new: replace(joint, attributes=replace(joint.attributes, **new)),
                noun,
            )
            for new, noun in (
                ({"enabled": False}, "enabled"),
                ({"break_force": 5.0}, "break force"),
                ({"velocity": 3.0}, "velocity limit"),
            )
        ),
    ],
)
def test_what_joints_of_the_file_cannot_say_is_named(read, change, noun):
    found = written(read, with_joint(read.scene, "j1", change))
    assert [(loss.place, loss.noun) for loss in found.losses] == [("j1", noun)]
    assert found.files["arm.xml"] == ARM


def test_elsewhere_the_included_files_and_the_assets_go_along(tmp_path):
    source = tmp_path / "source"
    for name in ("parts", "stl"):
        (source / name).mkdir(parents=True)
    text = ARM.replace(b'<compiler angle="degree"', b'<compiler meshdir="stl" angle="degree"')
    assets = ASSETS.replace(b"</asset>", b'<mesh name="m" file="m.stl"/></asset>')
    (source / "arm.xml").write_bytes(text)
    (source / "parts" / "assets.xml").write_bytes(assets)
    (source / "stl" / "m.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    (read,) = MJCF.read(Source(path=source / "arm.xml"))
    assert read.document is not None
    target = Target(path=tmp_path / "new.xml", kept=Kept(document=read.document, read=read))
    found = written_scene(MJCF, read.scene, target)
    assert found.files["new.xml"] == text
    assert found.files["parts/assets.xml"] == assets
    assert found.files["stl/m.stl"] == stl_from_mesh(TETRAHEDRON)


def test_damping_that_a_ratio_sets_is_refused_by_name(tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes(
        b"""<mujoco><worldbody><body><joint name="j" damping="1" springdamper=".1 1"/>
        <geom size=".1"/></body></worldbody></mujoco>"""
    )
    (read,) = MJCF.read(Source(path=path))
    (drive,) = read.scene.joints[0].settings.drives
    settings = replace(read.scene.joints[0].settings, drives=(replace(drive, damping=3.0),))
    joint = replace(read.scene.joints[0], settings=settings)
    found = written(read, replace(read.scene, joints=(joint,)))
    assert found.files["m.xml"] == path.read_bytes()
    assert any("springdamper" in str(loss) for loss in found.losses)

"""`--verify`: two files as MuJoCo, Pinocchio and OpenUSD load them, value by value."""

from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.engine_models.comparing import compared, model_of
from omi_joints_addon.io.engine_models.model import LoadError

ARM = """<mujoco><compiler angle="radian"/><worldbody>
<body name="post" pos="0 0 1"><geom type="box" size=".1 .1 .2" mass="3"/></body>
<body name="upper" pos=".2 .1 1.1"><joint name="shoulder" axis="0 .6 .8" range="-.7 1.3"
  actuatorfrcrange="-17 17" damping=".3"/>
<inertial pos=".15 .02 .01" mass="1.7" diaginertia=".011 .012 .013"/>
<geom name="bone" type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
<body name="lower" pos=".3 0 0" euler=".2 0 .4"><joint name="elbow" type="hinge" axis="0 1 0"
  range="-.4 2.2" pos="0 0 .01"/>
<inertial pos=".1 0 0" mass=".6" diaginertia=".002 .003 .004"/>
<geom name="box" type="box" pos=".1 0 0" size=".1 .03 .02"/></body></body>
<body name="free" pos="1 1 1"><freejoint/><geom type="sphere" size=".11" mass=".9"/></body>
</worldbody><actuator><position name="servo" joint="elbow" kp="31" kv="2"/>
<motor name="push" joint="shoulder" gear="3"/></actuator></mujoco>"""
CHANGES = {
    "range": ('range="-.4 2.2"', 'range="-.4 2.1"', "upper bound"),
    "reference": (
        'range="-.4 2.2"',
        'range="-.4 2.2" ref=".3"',
        "center of mass",
    ),
    "zero": ('range="-.4 2.2"', 'range="-.1 2.5" ref=".3"', "zero of the joint"),
    "axis": ('axis="0 .6 .8"', 'axis="0 .8 .6"', "place at the same joint positions"),
    "side": ('axis="0 1 0"', 'axis="0 -1 0"', "place at the same joint positions"),
    "anchor": ('pos="0 0 .01"', 'pos="0 0 .02"', "place at the same joint positions"),
    "kind": ('type="hinge"', 'type="slide"', "kind of joint"),
    "effort": ('"-17 17"', '"-16 16"', "effort"),
    "damping": ('damping=".3"', 'damping=".4"', "damping"),
    "mass": ('mass=".6"', 'mass=".7"', "mass"),
    "center": ('pos=".15 .02 .01"', 'pos=".15 .01 .01"', "center of mass"),
    "tensor": (".002 .003 .004", ".002 .004 .003", "inertia"),
    "shape": ('size=".1 .03 .02"', 'size=".1 .02 .03"', "extent of a collider"),
    "collider": ('<geom name="box"', '<geom name="box" contype="0" conaffinity="0"', "colliders"),
    "stiffness": ('kp="31"', 'kp="30"', "stiffness"),
    "actuator": ('<motor name="push" joint="shoulder" gear="3"/>', "", "actuator"),
    "target": ('joint="shoulder" gear', 'joint="elbow" gear', "actuator"),
}
FIXED = """<robot name="r"><link name="world"/><link name="base"><inertial><mass value="2"/>
<inertia ixx=".1" iyy=".2" izz=".25" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="fix" type="fixed"><parent link="world"/><child link="base"/></joint>
<link name="x"/><joint name="jx" type="revolute"><origin xyz="0 0 .4"/><parent link="base"/>
<child link="x"/><axis xyz="1 0 0"/><limit lower="-.5" upper=".6" effort="7" velocity="2"/></joint>
<link name="tip"><inertial><origin xyz="0 .1 0"/><mass value=".3"/>
<inertia ixx=".01" iyy=".02" izz=".025" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="jy" type="revolute"><parent link="x"/><child link="tip"/><axis xyz="0 1 0"/>
<limit lower="-.8" upper=".9" effort="7" velocity="2"/></joint></robot>"""


def differing(folder: Path, one: str, other: str) -> set[str]:
    """Return what two MJCF texts have otherwise."""
    pytest.importorskip("mujoco")
    models = []
    for number, text in enumerate((one, other)):
        path = folder / f"{number}.xml"
        path.write_text(text)
        models.append(model_of("mjcf", path))
    source, written = models
    assert source is not None
    assert written is not None
    return {str(found.message).partition(":")[0] for found in compared(source, written)[0]}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_value_that_is_another_one_is_found(tmp_path: Path, change: tuple[str, str, str]):
    old, new, what = change
    assert ARM.count(old) == 1
    assert what in differing(tmp_path, ARM, ARM.replace(old, new))


def test_a_moved_zero_is_one_line(tmp_path: Path):
    moved = ARM.replace('range="-.4 2.2"', 'range="-.1 2.5" ref=".3"')
    assert differing(tmp_path, ARM, moved) == {"zero of the joint"}
    assert differing(tmp_path, ARM, ARM) == set()


def test_a_damper_that_is_equal_to_a_servo_is_there_beside_it(tmp_path, capsys):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    equal = ARM.replace('kp="31" kv="2"/>', 'kp="0" kv=".37"/>').replace(
        'range="-.4 2.2"', 'range="-.4 2.2" damping=".37"'
    )
    for target in ("arm.usda", "arm.xml"):
        assert converted(tmp_path, equal, "source.xml", target, "-o", "source=new") == 0, target
        assert "OMI-J495" not in capsys.readouterr().err


HIP = """<mujoco><compiler angle="radian"/><worldbody><body name="base" pos="0 0 1"><freejoint/>
<geom type="box" size=".1 .2 .1" mass="3"/><body name="leg" pos=".1 .2 0" euler=".1 .2 .3">
<joint name="hip" type="ball" pos="0 0 .03"/>
<geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
<body name="shin" pos="0 0 -.4"><joint name="knee" axis="0 1 0" range="-2 .1"/>
<geom type="box" pos="0 .01 -.2" size=".04 .03 .2"/></body></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('pos="0 0 -.4"><joint', 'pos="0 0 -.41"><joint', "center of mass"),
        ('pos="0 .01 -.2"', 'pos="0 -.01 -.2"', "center of mass"),
        ('pos="0 0 .03"', 'pos="0 0 .04"', "axes of the joint"),
        ('axis="0 1 0" range', 'axis="0 .8 .6" range', "place at the same joint positions"),
        ('name="hip" type="ball"', 'name="hip" type="hinge"', "axes of the joint"),
        ('size=".04 .03 .2"', 'size=".03 .04 .2"', "inertia"),
    ],
)
def test_a_joint_of_several_axes_hides_nothing(tmp_path, capsys, old, new, what):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    assert converted(tmp_path, HIP, "hip.xml", "hip.usda") == 0
    shown = capsys.readouterr().err
    assert "OMI-J49" not in shown
    assert "not verified: ranges and drives of joints with several axes (hip)" in shown
    assert HIP.count(old) == 1
    changed = tmp_path / "changed.xml"
    changed.write_text(HIP.replace(old, new))
    source, written = model_of("mjcf", changed), model_of("usd", tmp_path / "hip.usda")
    assert source is not None
    assert written is not None
    found = [found.message for found in compared(source, written)[0]]
    assert any(message.startswith(what) for message in found), found


def test_what_is_not_compared_is_counted_by_strict(tmp_path, capsys):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    assert converted(tmp_path, HIP, "hip.xml", "hip.usda", "--strict") == 1
    assert (tmp_path / "hip.usda").exists()
    hinge = HIP.replace('type="ball"', 'range="-1 1"')
    assert converted(tmp_path, hinge, "hip.xml", "hip.usda", "--strict") == 0


def test_joints_without_a_name_are_those_of_the_same_bodies(tmp_path, capsys):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    bare = ARM.replace('name="shoulder" ', "").replace('name="elbow" ', "")
    bare = bare.partition("<actuator>")[0] + "</mujoco>"
    for target in ("arm.usda", "arm.xml"):
        assert converted(tmp_path, bare, "bare.xml", target, "-o", "source=new") == 0, target
        assert "OMI-J495" not in capsys.readouterr().err
    assert "upper bound" in differing(tmp_path, bare, ARM.replace('"-.7 1.3"', '"-.7 1.4"'))


def test_joints_are_compared_by_name(tmp_path: Path):
    assert "joint" in differing(tmp_path, ARM, ARM.replace("elbow", "knee"))


def converted(folder: Path, text: str, name: str, target: str, *options: str) -> int:
    source = folder / name
    source.write_text(text)
    return main(["convert", str(source), str(folder / target), "--force", "--verify", *options])


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("physics:mass = 0.6", "physics:mass = 0.5", "mass"),
        ("physics:upperLimit = 74.48451", "physics:upperLimit = 75", "upper bound"),
        ('PhysicsRevoluteJoint "elbow"', 'PhysicsPrismaticJoint "elbow"', "kind of joint"),
        ("localPos1 = (0.3, -0.0019866934,", "localPos1 = (0.3, 0.1,", "center of mass"),
    ],
)
def test_stages_are_loaded_joint_by_joint(tmp_path, capsys, old, new, what):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    assert converted(tmp_path, ARM, "arm.xml", "arm.usda") == 0
    assert "OMI-J495" not in capsys.readouterr().err
    stage = tmp_path / "arm.usda"
    text = stage.read_text()
    assert text.count(old) == 1, text
    stage.write_text(text.replace(old, new))
    source, written = model_of("mjcf", tmp_path / "arm.xml"), model_of("usd", stage)
    assert source is not None
    assert written is not None
    assert any(found.message.startswith(what) for found in compared(source, written)[0])


@pytest.mark.needs("pinocchio")
@pytest.mark.parametrize("target", ["arm.xml", "arm.usda", "again.urdf"])
def test_a_base_that_is_fixed_and_links_without_mass_are_no_difference(tmp_path, capfd, target):
    pytest.importorskip("mujoco")
    assert converted(tmp_path, FIXED, "arm.urdf", target) == 0
    shown = capfd.readouterr().err
    assert "OMI-J49" not in shown
    assert "not verified" not in shown
    wider = tmp_path / "wider.urdf"
    wider.write_text(FIXED.replace('upper=".9"', 'upper="1.1"'))
    source, written = model_of("urdf", tmp_path / "arm.urdf"), model_of("urdf", wider)
    assert source is not None
    assert written is not None
    (found,) = compared(source, written)[0]
    assert str(found.message) == (
        f"upper bound: 0.9 in the source, 1.1 in the file ({written.engine})"
    )


@pytest.mark.needs("pinocchio")
def test_free_bodies_are_no_difference_in_urdf(tmp_path, capfd):
    free = (
        '<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/>'
        '<geom type="box" size=".1 .2 .3"/></body><body name="b" pos="0 2 1"><freejoint/>'
        '<geom type="sphere" size=".1"/></body></worldbody></mujoco>'
    )
    assert converted(tmp_path, free, "free.xml", "free.urdf") == 0
    assert "OMI-J49" not in capfd.readouterr().err


@pytest.mark.needs("pinocchio")
def test_what_urdfdom_prints_is_the_reason(tmp_path, capfd):
    path = tmp_path / "broken.urdf"
    path.write_text('<robot name="r"><link name="a"/><joint name="right"/></robot>')
    with pytest.raises(LoadError, match="right"):
        model_of("urdf", path)
    assert capfd.readouterr().err == ""


def test_a_file_that_the_engine_refuses_has_its_reason(tmp_path):
    pytest.importorskip("mujoco")
    broken = tmp_path / "broken.xml"
    broken.write_text('<mujoco><worldbody><body><joint type="hinge"/></body></worldbody></mujoco>')
    with pytest.raises(LoadError, match="mass"):
        model_of("mjcf", broken)


def test_where_no_engine_loads_a_format_a_line_says_so(tmp_path, capsys):
    assert converted(tmp_path, ARM, "arm.xml", "arm.sdf") == 0
    assert "loads SDF; gz sdf --check FILE does outside" in capsys.readouterr().err
    assert converted(tmp_path, ARM, "arm.xml", "arm.glb") == 0
    assert "not verified: no engine that Python can import loads glTF" in capsys.readouterr().err

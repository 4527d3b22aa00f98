"""Lines of the report that were there though nothing differs, and lines that were missing."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import How, Kind, Loss, grouped
from tests.core.urdf_robots import INERTIAL, joint, link, robot

WRIST = """<mujoco><compiler angle="radian"/><worldbody><body name="arm" pos="0 0 1"><freejoint/>
<inertial pos="0 0 .1" mass="1.3" diaginertia=".01 .02 .025"/>
<geom name="a" type="box" size=".1 .2 .05" pos="0 0 .1"/>
<body name="flange" pos="0 0 .3"><inertial pos="0 0 0" mass=".2" diaginertia=".01 .02 .025"/>
<geom name="f" size=".06"/>
<body name="hand" pos="0 0 .1"><joint name="turn" axis="0 .6 .8" range="-.7 1.3" stiffness="3"
springref=".2" damping=".4"/><inertial pos="0 0 .1" mass=".7" diaginertia=".01 .02 .025"/>
<geom name="h" type="capsule" size=".03 .1"/></body></body></body></worldbody>
<actuator><position name="servo" joint="turn" kp="5" kv=".3"/></actuator></mujoco>"""
STAGE = """#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "World" {
    def PhysicsScene "Scene" (prepend apiSchemas = ["PhysxSceneAPI"]) {
        uniform token physxScene:broadPhaseType = "MBP"
        bool physxScene:enableGPUDynamics = 0
    }
    PARTS
}
"""
PART = """
    def Xform "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {{
        float physics:mass = 1.7
        double3 xformOp:translate = ({x}, 0.2, 0.3)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Xform "collisions" {{
            def Cube "box" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {{
                double size = 0.3
            }}
        }}
    }}
"""


def converted(folder: Path, name: str, text: str, target: str, capsys) -> tuple[Path, list[str]]:
    """Write a file in another format; return it and the lines of the report."""
    source = folder / name
    source.write_text(text)
    assert main(["convert", str(source), str(folder / target), "--force"]) == 0
    lines = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    kinds = tuple(f"{kind}: " for kind in Kind)
    return folder / target, [line for line in lines if line.startswith(kinds)]


def test_what_is_welded_to_a_parent_stays_apart_from_its_child(tmp_path, capsys) -> None:
    """MuJoCo takes welded bodies for one, which does not collide with its child."""
    facts = pytest.importorskip("tests.facts.in_openusd").facts
    path, lines = converted(tmp_path, "wrist.xml", WRIST, "wrist.usda", capsys)
    pairs = {("arm", "flange"), ("arm", "hand"), ("flange", "hand")}
    assert facts(path).apart == {frozenset(pair) for pair in pairs}
    assert lines == []


def test_it_comes_back_without_a_word_in_mjcf(tmp_path, capsys) -> None:
    path, lines = converted(tmp_path, "wrist.xml", WRIST, "wrist.usda", capsys)
    again = tmp_path / "again.xml"
    assert main(["convert", str(path), str(again)]) == 0
    assert ET.parse(again).findall("contact/exclude") == []
    assert lines == []


def test_springs_of_a_joint_are_one_spring_of_sdf_that_rests_where_they_do(
    tmp_path, capsys
) -> None:
    path, lines = converted(tmp_path, "wrist.xml", WRIST, "wrist.sdf", capsys)
    dynamics = ET.parse(path).find(".//axis/dynamics")
    values = [float(dynamics.findtext(name)) for name in ("spring_stiffness", "damping")]
    assert values == pytest.approx([8.0, 0.7])
    rest = float(dynamics.findtext("spring_reference"))
    assert rest == pytest.approx(3.0 * 0.2 / 8.0)
    assert not [line for line in lines if "drive" in line]


@pytest.mark.parametrize("target", ["wrist.usda", "wrist.gltf", "wrist.urdf"])
def test_an_excluded_pair_that_a_joint_keeps_apart_is_no_line(tmp_path, capsys, target) -> None:
    pytest.importorskip("pxr")
    stand = WRIST.replace("<freejoint/>", "").replace(
        "<actuator>",
        '<contact><exclude body1="arm" body2="hand"/>'
        '<exclude body1="flange" body2="hand"/></contact>'
        "<actuator>",
    )
    _, lines = converted(tmp_path, "wrist.xml", stand, target, capsys)
    assert not [line for line in lines if "excluded pair (flange)" in line]


def test_a_link_that_takes_the_name_of_a_joint_in_sdf_is_named(tmp_path, capsys) -> None:
    limit = '<limit lower="-1" upper="1.3" effort="5" velocity="2"/>'
    text = robot(
        link("base"), link("hip", INERTIAL), joint("hip", "revolute", "base", "hip", limit)
    )
    path, lines = converted(tmp_path, "hip.urdf", text, "hip.sdf", capsys)
    names = {each.get("name") for each in ET.parse(path).iter("joint")}
    assert "hip" not in names
    text = "it is hip_2: links and joints of SDF share their names"
    assert [line for line in lines if "name" in line] == [f"changed: name (hip): {text}"]


@pytest.mark.parametrize("target", ["parts.xml", "parts.sdf", "parts.urdf"])
def test_prims_of_one_name_and_solver_settings_are_no_changes(tmp_path, capsys, target) -> None:
    """Isaac calls the parts of each link alike, and leaves moments of inertia to the shapes."""
    pytest.importorskip("pxr")
    parts = "".join(PART.format(name=name, x=x) for x, name in enumerate(("one", "two", "three")))
    text = STAGE.replace("PARTS", parts)
    _, lines = converted(tmp_path, "parts.usda", text, target, capsys)
    changed = [line for line in lines if line.startswith("changed")]
    assert not [line for line in changed if "collisions" in line or "inertia" in line]
    assert [line for line in lines if "physxScene" in line] == [
        "kept aside: solver settings ×2 (physxScene:broadPhaseType, physxScene:enableGPUDynamics): "
        "only USD files have this; first at /World/Scene"
    ]


def test_what_decides_about_contacts_is_no_solver_setting() -> None:
    words = ("physxScene:bounceThreshold", "physxScene:frictionOffsetThreshold", "wind of option")
    losses = [Loss("", word, How.LOST, "only USD files have this") for word in words]
    assert {loss.kind for loss in losses} == {Kind.CHANGED}
    assert len(grouped(losses)) == 3


def test_what_a_fixed_joint_could_do_and_the_parent_of_a_body_are_no_lines(
    tmp_path, capsys
) -> None:
    limit = '<limit lower="0" upper="0" effort="60" velocity="50"/><dynamics friction="0.3"/>'
    text = robot(
        link("base"), link("foot", INERTIAL), joint("sole", "fixed", "base", "foot", limit)
    )
    for target in ("foot.xml", "foot.sdf", "foot.gltf", "again.urdf"):
        _, lines = converted(tmp_path, "foot.urdf", text, target, capsys)
        assert [line for line in lines if "sole" in line] == [], target
    pytest.importorskip("pxr")
    inner = PART.format(name="inner", x=1)
    outer = PART.format(name="outer", x=0).rstrip().removesuffix("}") + inner + "}\n"
    _, lines = converted(tmp_path, "nested.usda", STAGE.replace("PARTS", outer), "a.sdf", capsys)
    assert not [line for line in lines if "parent" in line]

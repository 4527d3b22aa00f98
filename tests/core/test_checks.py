"""Every rule about a scene has a minimal bad example and a good twin that differs in one thing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.checks.frames import check_transforms
from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.findings.finding import Severity, rules
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from tests.core.physics_scenes import (
    DOOR,
    FRAME,
    HINGE,
    JOINT,
    WALL,
    chain,
    door,
    limited,
    motion,
    moved,
    placed,
    two_joints,
)


def _driven(*drives: JointDrive, limits: tuple[JointLimit, ...] = HINGE.limits) -> PhysicsScene:
    return door(JointSettings(limits=limits, drives=drives))


def _spring(**values: float | None) -> JointDrive:
    start = {"position_target": 0.5, "stiffness": 10.0, "damping": 1.0} | values
    return JointDrive(type="angular", axis=2, **start)


def _linear_spring(stiffness: float, damping: float) -> JointDrive:
    return replace(_spring(stiffness=stiffness, damping=damping), type="linear")


def _motor(**values: float) -> JointDrive:
    start = {"velocity_target": 2.0, "damping": 1.0} | values
    return JointDrive(type="angular", axis=2, **start)


def _limits(*limits: JointLimit) -> PhysicsScene:
    return door(JointSettings(limits=limits))


def _moving(lower: str, upper: str, **mass: float) -> PhysicsScene:
    """Return the door with motion types for wall and door."""
    return door(motions={WALL: motion(lower, **mass), DOOR: motion(upper)})


def _only_end(connected: int | None) -> PhysicsScene:
    return door(joints=(replace(door().joints[0], connected=connected),))


def _linear(axis: int, lower: float, upper: float) -> JointLimit:
    return JointLimit(linear_axes=(axis,), min=lower, max=upper)


RAIL = JointSettings(limits=(JointLimit(linear_axes=(1,), min=-0.2, max=0.3),))


def _on_rail(node: int, scale: float) -> PhysicsScene:
    """Return a joint with a length, one of whose frames is scaled along X."""
    scene = placed(node, np.diag((scale, 1.0, 1.0, 1.0)))
    (joint,) = scene.joints
    return replace(scene, joints=(replace(joint, settings=RAIL),))


_TUMBLING = {"angular_velocity": (1.0, 0.0, 0.0)}
_SHEARED = np.eye(4)
_SHEARED[0, 1] = 0.5
_SOFT = {"linear_axes": (0,), "min": 0.0, "max": 1.0, "stiffness": 100.0}
CASES: dict[str, tuple[PhysicsScene, PhysicsScene]] = {
    "OMI-J001": (_only_end(None), _only_end(FRAME)),
    "OMI-J005": (_moving("dynamic", "static"), _moving("static", "dynamic")),
    "OMI-J006": (
        door(parents=np.array([-1, -1, DOOR, -1])),
        door(parents=np.array([-1, -1, DOOR, WALL])),
    ),
    "OMI-J007": (_moving("static", "kinematic"), _moving("static", "dynamic")),
    "OMI-J008": (
        door(motions={DOOR: motion("dynamic")}, carries={WALL: frozenset({"trigger"})}),
        door(carries={WALL: frozenset({"trigger"})}),
    ),
    "OMI-J009": (_only_end(DOOR), _only_end(WALL)),
    "OMI-J010": (
        door(motions={WALL: motion("dynamic")}, parents=np.array([-1, WALL, DOOR, -1])),
        door(motions={WALL: motion("dynamic")}, parents=np.array([-1, WALL, WALL, -1])),
    ),
    "OMI-J011": (
        door(carries={JOINT: frozenset({"mesh"})}),
        door(carries={FRAME: frozenset({"mesh"}), JOINT: frozenset({"animation"})}),
    ),
    "OMI-J012": (
        door(joints=(Joint(node=DOOR, connected=FRAME, settings=HINGE, place="Door"),)),
        door(joints=(Joint(node=JOINT, connected=FRAME, settings=HINGE, place="Joint"),)),
    ),
    "OMI-J013": (two_joints(connected=FRAME), two_joints(connected=5)),
    "OMI-J014": (chain("dynamic"), chain("static")),
    "OMI-J015": (
        _moving("dynamic", "dynamic", mass=10.1),
        _moving("dynamic", "dynamic", mass=10.0),
    ),
    "OMI-J016": (
        door(motions={WALL: motion("static")}, parents=np.array([-1, -1, -1, WALL])),
        _moving("static", "kinematic"),
    ),
    "OMI-J101": (limited(min=0.0, max=1.0), limited(linear_axes=(1,), min=0.0, max=1.0)),
    "OMI-J102": (limited(linear_axes=(0,)), limited(linear_axes=(0,), max=0.0)),
    "OMI-J103": (
        limited(angular_axes=(0,), min=1.0, max=-1.0),
        limited(angular_axes=(0,), min=-1.0, max=1.0),
    ),
    "OMI-J104": (
        limited(linear_axes=(0, 1), min=-1.0, max=1.0),
        limited(linear_axes=(0,), min=-1.0, max=1.0),
    ),
    "OMI-J105": (
        limited(angular_axes=(0, 1, 2), min=-2.0, max=-1.0),
        limited(angular_axes=(0,), min=-2.0, max=-1.0),
    ),
    "OMI-J106": (
        limited(angular_axes=(0, 1), max=math.radians(181.0)),
        # The nearest number to pi in single precision is above pi.
        limited(angular_axes=(0, 1), max=float(np.float32(math.pi))),
    ),
    "OMI-J107": (
        _limits(_linear(0, 0.0, 1.0), _linear(0, 2.0, 3.0)),
        _limits(_linear(0, 0.0, 1.0), _linear(0, 1.0, 3.0)),
    ),
    "OMI-J108": (
        _limits(_linear(0, 0.0, 1.0), _linear(0, 0.0, 2.0)),
        _limits(_linear(0, 0.0, 1.0), JointLimit(linear_axes=(0, 1, 2), max=2.0)),
    ),
    "OMI-J109": (limited(**_SOFT), limited(**_SOFT, damping=5.0)),
    "OMI-J113": (
        limited(angular_axes=(0,), min=-90.0, max=90.0),
        limited(angular_axes=(0,), min=-90.5, max=6.0),
    ),
    "OMI-J114": (
        limited(linear_axes=(0,), min=0.0, max=400.0),
        limited(linear_axes=(0,), min=0.0, max=40.0),
    ),
    "OMI-J115": (
        limited(angular_axes=(0,), min=math.pi / 2, max=float(np.float32(math.pi / 2))),
        limited(angular_axes=(0,), min=math.pi / 2, max=math.pi / 2),
    ),
    "OMI-J110": (
        limited(angular_axes=(0, 1), min=0.2, max=0.5),
        limited(angular_axes=(0, 1), min=0.0, max=0.5),
    ),
    "OMI-J111": (
        limited(linear_axes=(0,), angular_axes=(0,), max=1.0),
        limited(linear_axes=(0,), angular_axes=(0,), min=0.0, max=0.0),
    ),
    "OMI-J112": (door(JointSettings()), _driven(_motor(), limits=())),
    "OMI-J201": (_driven(JointDrive(damping=1.0), limits=()), _driven(_motor(), limits=())),
    "OMI-J202": (_driven(_spring(stiffness=0.0)), _driven(_spring())),
    "OMI-J203": (
        _driven(_motor(damping=0.0)),
        _driven(_spring(velocity_target=0.0, damping=0.0)),
    ),
    "OMI-J204": (_driven(_spring(), _motor()), _driven(_spring(), replace(_motor(), axis=0))),
    "OMI-J208": (_driven(_linear_spring(1e12, 1.0)), _driven(_linear_spring(1e3, 1.0))),
    "OMI-J209": (_driven(_linear_spring(1e3, 1e6)), _driven(_linear_spring(1e3, 1e3))),
    "OMI-J205": (_driven(_spring(position_target=1.1)), _driven(_spring(position_target=1.0))),
    "OMI-J206": (_driven(replace(_motor(), axis=1)), _driven(_motor())),
    "OMI-J207": (_driven(_motor(max_force=0.0)), _driven(_motor(max_force=0.1))),
    "OMI-J301": (_on_rail(FRAME, 2.0), placed(FRAME, np.diag((2, 1, 1, 1)))),
    "OMI-J302": (placed(JOINT, _SHEARED), placed(DOOR, _SHEARED)),
    "OMI-J303": (placed(FRAME, moved(0.5)), placed(FRAME, moved(1e-4))),
    "OMI-J305": (
        _limits(_linear(0, 0.5, 1.0)),
        _limits(_linear(0, 0.0, 1.0)),
    ),
    "OMI-J021": (
        door(motions={WALL: motion("static"), DOOR: replace(motion("dynamic"), **_TUMBLING)}),
        door(motions={WALL: replace(motion("static"), **_TUMBLING), DOOR: motion("dynamic")}),
    ),
    "OMI-J018": (two_joints(connected=5), door()),
    "OMI-J304": (placed(JOINT, np.full((4, 4), np.nan)), placed(JOINT, np.eye(4))),
}
BY_OTHERS = {"OMI-J002", "OMI-J003", "OMI-J004", "OMI-J019", "OMI-J020", "OMI-J022", "OMI-J026"}
BY_OTHERS |= {"OMI-J023", "OMI-J024", "OMI-J025", "OMI-J306"}
"""Rules about pointers, deleted objects and versions in Blender, which plain data does not have,
about copies and scales there (`test_check_fixes.py`), and about animations
(`test_animated_joints.py`)."""


@pytest.mark.parametrize("code", CASES)
def test_rule_finds_the_bad_example_and_not_its_twin(code: str) -> None:
    bad, good = CASES[code]
    found = {item.code: item for item in check_scene(bad)}
    assert code in found
    assert found[code].place
    assert code not in {item.code for item in check_scene(good)}


def test_every_rule_about_a_scene_has_a_case() -> None:
    known = {code for code in rules() if code[:6] in ("OMI-J0", "OMI-J1", "OMI-J2", "OMI-J3")}
    assert known - BY_OTHERS == set(CASES)


def test_sound_scene_has_no_findings() -> None:
    assert check_scene(door()) == []


def test_empty_scene_has_no_findings() -> None:
    empty = PhysicsScene(names=(), parents=np.zeros(0, int), matrices=np.zeros((0, 4, 4)))
    assert check_scene(empty) == []


def test_shared_settings_are_reported_once_at_their_owner() -> None:
    settings = JointSettings(limits=(JointLimit(min=0.0),))
    scene = two_joints(connected=5)
    joints = tuple(replace(j, settings=settings, settings_place="Owner") for j in scene.joints)
    found = [item for item in check_scene(replace(scene, joints=joints)) if item.code == "OMI-J101"]
    assert [(item.place, item.part) for item in found] == [("Owner", "/limits/0")]


def test_gap_is_what_is_missing_to_the_limit() -> None:
    scene = placed(FRAME, moved(0.5))
    reach = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), max=0.2),))
    joints = (replace(scene.joints[0], settings=reach),)
    (found,) = check_scene(replace(scene, joints=joints))
    assert "0.3 m" in found.message


def test_static_owner_of_a_dynamic_connection_is_a_warning_as_in_official_files() -> None:
    (found,) = check_scene(CASES["OMI-J005"][0])
    assert found.severity == Severity.WARNING


def test_cyclic_parents_end() -> None:
    scene = door(parents=np.array([-1, JOINT, DOOR, WALL]), motions={WALL: motion("static")})
    assert "OMI-J007" in {item.code for item in check_scene(scene)}


def test_scale_counts_where_a_joint_has_lengths() -> None:
    """Angles have none, and a mirrored instance moves as its mirror image does."""
    rail, hinge = _on_rail(FRAME, 2.0), placed(FRAME, np.diag((2.0, 1.0, 1.0, 1.0)))
    assert [item.code for item in check_transforms(rail)] == ["OMI-J301"]
    assert not [*check_transforms(hinge)]
    mirror = np.diag((-1.0, 1.0, 1.0, 1.0))
    one = placed(FRAME, mirror)
    assert [item.code for item in check_transforms(one)] == ["OMI-J301"]
    both = replace(one, matrices=np.array([mirror] * 4))
    assert not [*check_transforms(both)]
    assert not [*check_transforms(replace(both, joints=rail.joints))]

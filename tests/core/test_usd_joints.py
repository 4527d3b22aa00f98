"""Joint settings as prims of UsdPhysics and back."""

import math
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.core.meaning.presets import Preset, ball_with_cone, hinge, preset_settings
from omi_joints_addon.core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.io.formats.usd.joint_prims import joint_prim
from omi_joints_addon.io.formats.usd.joint_reading import JointRead, read_joint
from omi_joints_addon.io.formats.usd.prim import Prim
from omi_joints_addon.io.formats.usd.units import Units

from .strategies import joint_settings

SI = Units()
STAGES = (SI, Units(0.01), Units(0.01, 0.001))
TYPES = {
    Preset.FIXED: "PhysicsFixedJoint",
    Preset.PIN: "PhysicsSphericalJoint",
    Preset.HINGE: "PhysicsRevoluteJoint",
    Preset.HINGE_MOTOR: "PhysicsRevoluteJoint",
    Preset.POSITION_SERVO: "PhysicsRevoluteJoint",
    Preset.SLIDER: "PhysicsPrismaticJoint",
    Preset.SUSPENSION_SPRING: "PhysicsPrismaticJoint",
}
LOCKS = (JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),)


def prim_of(settings: JointSettings, units: Units = SI) -> Prim:
    found = joint_prim(settings, DEFAULT_ATTRIBUTES, units).prim
    return replace(deepcopy(found), data=found.sealed_data())


def bare(prim: Prim) -> Prim:
    return replace(prim, data={})


def read_prim(kind: str, *schemas: str, **attributes: float | str | bool) -> JointRead:
    """Read a joint prim; colons of names are given as two underscores."""
    prim = Prim("/Joint", kind, list(schemas))
    for name, value in attributes.items():
        types: dict[type, str] = {str: "token", bool: "bool"}
        prim.set(name.replace("__", ":"), types.get(type(value), "float"), value)
    return read_joint(prim, SI)


def one_axis(settings: JointSettings) -> JointLimit:
    (limit,) = (found for found in settings.limits if found.min != found.max)
    return limit


@pytest.mark.parametrize("units", STAGES)
@pytest.mark.parametrize("preset", Preset)
def test_presets_come_back_exactly(preset: Preset, units: Units) -> None:
    settings = preset_settings(preset)
    prim = prim_of(settings, units)
    assert prim.type_name == TYPES.get(preset, "PhysicsJoint")
    read = read_joint(prim, units)
    assert read.settings == settings
    assert not read.findings


@pytest.mark.parametrize("units", STAGES)
@pytest.mark.parametrize("preset", [p for p in Preset if p != Preset.BALL_WITH_CONE])
def test_without_the_carrier_numbers_are_of_single_precision(preset: Preset, units: Units) -> None:
    settings = preset_settings(preset)
    read = read_joint(bare(prim_of(settings, units)), units)
    assert [(x.linear_axes, x.angular_axes) for x in read.settings.limits] == [
        (x.linear_axes, x.angular_axes) for x in settings.limits
    ]
    for found, limit in zip(read.settings.limits, settings.limits, strict=True):
        assert (found.min, found.max) == pytest.approx((limit.min, limit.max), rel=1e-6)
    for drive, other in zip(read.settings.drives, settings.drives, strict=True):
        assert drive.stiffness == pytest.approx(other.stiffness, rel=1e-6)
        assert drive.damping == pytest.approx(other.damping, rel=1e-6)
        assert drive.position_target == other.position_target
        assert (drive.velocity_target is None) == (other.velocity_target is None)
        assert (drive.velocity_target or 0.0) == pytest.approx(other.velocity_target or 0.0)
        assert drive.max_force == pytest.approx(other.max_force, rel=1e-6)


@given(joint_settings, st.sampled_from(STAGES))
def test_any_settings_come_back_exactly(settings: JointSettings, units: Units) -> None:
    prim = prim_of(settings, units)
    assert read_joint(prim, units).settings == settings
    read_joint(bare(prim), units)


@pytest.mark.parametrize(
    ("name", "value"),
    [("physics:upperLimit", 45.0), ("physics:lowerLimit", -10.0), ("physics:axis", "Y")],
)
def test_an_edited_attribute_counts(name: str, value: float | str) -> None:
    prim = prim_of(hinge(min_angle=-1.0, max_angle=1.0))
    kind = prim.attributes[name][0]
    edited = replace(prim, attributes=prim.attributes | {name: (kind, value)})
    read = read_joint(edited, SI)
    assert [found.code for found in read.findings] == ["OMI-U003"]
    limit = one_axis(read.settings)
    if name == "physics:upperLimit":
        assert limit.max == pytest.approx(math.radians(45.0))
    elif name == "physics:axis":
        assert limit.angular_axes == (1,)


def test_a_moved_frame_leaves_the_exact_settings() -> None:
    prim = prim_of(hinge())
    prim.set("physics:localPos0", "point3f", (1.0, 2.0, 3.0))
    assert not read_joint(prim, SI).findings


def test_cone_alone_is_spherical_about_any_axis() -> None:
    for axis in range(3):
        settings = ball_with_cone(axis=axis, twist=math.inf)
        prim = prim_of(settings)
        assert prim.type_name == "PhysicsSphericalJoint"
        assert prim.attributes["physics:axis"][1] == "XYZ"[axis]
        assert prim.attributes["physics:coneAngle0Limit"][1] == pytest.approx(45.0)
        found = read_joint(bare(prim), SI).settings
        assert [(x.angular_axes, x.max) for x in found.limits[1:]] == [
            (x.angular_axes, pytest.approx(x.max)) for x in settings.limits[1:]
        ]


@pytest.mark.parametrize("axis", range(3))
def test_axis_that_is_locked_beside_two_free_ones_is_turned_to_x(axis: int) -> None:
    """PhysX measures twist about X only; about Y and Z it held something else."""
    locked = JointLimit(angular_axes=(axis,), min=0.0, max=0.0)
    settings = JointSettings(limits=(*LOCKS, locked))
    found = joint_prim(settings, DEFAULT_ATTRIBUTES, SI)
    assert found.shift == -axis % 3
    bounds = [found.prim.attributes[f"limit:rot{name}:physics:low"][1] for name in "XYZ"]
    assert bounds == [1.0, -math.inf, -math.inf]
    assert read_joint(prim_of(settings), SI).settings == settings


def test_axis_that_is_locked_beside_a_range_stays() -> None:
    """Turned, the range would be a swing beside a free one, which PhysX rejects."""
    locked = JointLimit(angular_axes=(1,), min=0.0, max=0.0)
    bounded = JointLimit(angular_axes=(0,), min=-0.5, max=0.5)
    settings = JointSettings(limits=(*LOCKS, locked, bounded))
    assert joint_prim(settings, DEFAULT_ATTRIBUTES, SI).shift == 0


def test_cone_with_twist_is_turned_to_x_and_says_that_it_is_a_pyramid() -> None:
    found = joint_prim(ball_with_cone(axis=2, cone=0.5, twist=0.25), DEFAULT_ATTRIBUTES, SI)
    assert found.shift == 1
    assert found.prim.attributes["limit:rotX:physics:high"][1] == pytest.approx(
        math.degrees(0.25), rel=1e-6
    )
    assert found.prim.attributes["limit:rotZ:physics:high"][1] == pytest.approx(
        math.degrees(0.5), rel=1e-6
    )
    assert [how for _noun, how, _text in found.losses] == [How.CONVERTED]


def test_open_sides_are_written_as_physx_takes_them() -> None:
    slide = JointLimit(linear_axes=(0,), min=-0.3)
    swing = JointLimit(angular_axes=(1,), max=0.5)
    prim = prim_of(JointSettings(limits=(slide, swing)))
    values = {name: value for name, (_kind, value) in prim.attributes.items()}
    assert values["limit:transX:physics:high"] == 1e6
    assert values["limit:rotY:physics:low"] == -179.0
    assert (values["limit:rotZ:physics:low"], values["limit:rotZ:physics:high"]) == (-179.0, 179.0)
    assert read_joint(bare(prim), SI).settings.limits[0] == slide


def test_locks_and_ranges_held_elsewhere() -> None:
    held = JointLimit(linear_axes=(1,), min=0.2, max=0.2)
    prim = prim_of(JointSettings(limits=(JointLimit(linear_axes=(0,), min=0.0, max=0.0), held)))
    values = {name: value for name, (_kind, value) in prim.attributes.items()}
    assert (values["limit:transX:physics:low"], values["limit:transX:physics:high"]) == (1.0, -1.0)
    assert values["limit:transY:physics:low"] == values["limit:transY:physics:high"] == 0.2
    assert read_joint(bare(prim), SI).settings.limits[1] == held


def test_soft_limits_are_those_of_physx_per_radian() -> None:
    soft = JointLimit(angular_axes=(0,), min=-0.1, max=0.1, stiffness=28.65, damping=0.5)
    lock = JointLimit(angular_axes=(1, 2), min=0.0, max=0.0)
    found = joint_prim(JointSettings(limits=(*LOCKS, lock, soft)), DEFAULT_ATTRIBUTES, Units(0.01))
    assert "PhysxLimitAPI:angular" in found.prim.schemas
    assert found.prim.attributes["physxLimit:angular:stiffness"][1] == pytest.approx(286500.0)
    limit = read_joint(bare(found.prim), Units(0.01)).settings.limits[-1]
    assert limit.stiffness == pytest.approx(28.65, rel=1e-6)
    assert limit.damping == pytest.approx(0.5, rel=1e-6)
    assert any(how == How.CONVERTED for _noun, how, _text in found.losses)


def test_distance_joint() -> None:
    rope = JointLimit(linear_axes=(0, 1, 2), min=0.25, max=1.0)
    prim = prim_of(JointSettings(limits=(rope,)), Units(0.01))
    assert prim.type_name == "PhysicsDistanceJoint"
    assert prim.attributes["physics:minDistance"][1] == 25.0
    assert prim.attributes["physics:maxDistance"][1] == 100.0
    assert read_joint(bare(prim), Units(0.01)).settings.limits == (rope,)


def test_drives_are_per_degree_and_add_up() -> None:
    servo = JointDrive(
        type="angular", axis=2, stiffness=10.0, damping=1.0, position_target=1.0, max_force=math.inf
    )
    two = JointSettings(limits=LOCKS, drives=(servo, replace(servo, position_target=0.0)))
    values = {name: value for name, (_kind, value) in prim_of(two).attributes.items()}
    assert values["drive:rotZ:physics:stiffness"] == pytest.approx(20.0 * math.pi / 180.0)
    assert values["drive:rotZ:physics:damping"] == pytest.approx(2.0 * math.pi / 180.0)
    assert values["drive:rotZ:physics:targetPosition"] == pytest.approx(math.degrees(0.5))


def test_attributes_of_a_joint() -> None:
    attributes = JointAttributes(
        enabled=False,
        in_articulation=False,
        break_force=50.0,
        break_torque=2.0,
        friction=0.1,
        armature=0.01,
        velocity=3.0,
    )
    prim = joint_prim(hinge(), attributes, Units(0.01)).prim
    assert prim.attributes["physics:breakForce"][1] == 5000.0
    assert prim.attributes["physics:breakTorque"][1] == 20000.0
    found = read_joint(bare(prim), Units(0.01)).attributes
    for name in ("break_force", "break_torque", "friction", "armature", "velocity"):
        assert getattr(found, name) == pytest.approx(getattr(attributes, name), rel=1e-6)
    assert not found.enabled
    assert not found.in_articulation


@pytest.mark.parametrize(
    ("low", "high", "middle"), [(-10.0, 190.0, 90.0), (-1.0, 215.0, 107.0), (-300.0, -20.0, -160.0)]
)
def test_ranges_beyond_half_a_turn_move_the_zero(low: float, high: float, middle: float) -> None:
    read = read_prim("PhysicsRevoluteJoint", physics__lowerLimit=low, physics__upperLimit=high)
    limit = one_axis(read.settings)
    assert math.degrees(limit.min) == pytest.approx(low - middle, abs=1e-4)
    assert math.degrees(limit.max) == pytest.approx(high - middle, abs=1e-4)
    assert read.turn == (0, pytest.approx(math.radians(middle)))
    assert [found.code for found in read.findings] == ["OMI-U005"]


def test_a_turn_and_more_is_free_and_its_target_stays() -> None:
    read = read_prim("PhysicsRevoluteJoint", physics__lowerLimit=-360.0, physics__upperLimit=360.0)
    assert all(limit.min == limit.max == 0.0 for limit in read.settings.limits)
    assert [found.code for found in read.findings] == ["OMI-U006"]


def test_a_moved_zero_moves_the_target() -> None:
    read = read_prim(
        "PhysicsRevoluteJoint",
        "PhysicsDriveAPI:angular",
        physics__lowerLimit=-10.0,
        physics__upperLimit=190.0,
        drive__angular__physics__stiffness=1.0,
        drive__angular__physics__targetPosition=100.0,
    )
    assert read.settings.drives[0].position_target == pytest.approx(math.radians(10.0))


def test_elliptic_cone_is_the_wider_with_a_range_inside() -> None:
    read = read_prim(
        "PhysicsSphericalJoint",
        physics__axis="X",
        physics__coneAngle0Limit=60.0,
        physics__coneAngle1Limit=20.0,
    )
    cone, narrow = read.settings.limits[1:]
    assert (cone.angular_axes, math.degrees(cone.max)) == ((1, 2), pytest.approx(60.0))
    assert (narrow.angular_axes, math.degrees(narrow.max)) == ((2,), pytest.approx(20.0))
    assert [found.code for found in read.findings] == ["OMI-U007"]


def test_misprinted_type_is_read_with_a_finding() -> None:
    read = read_prim("DistancePhysicsJoint", physics__minDistance=10.0, physics__maxDistance=50.0)
    assert read.settings.limits == (JointLimit(linear_axes=(0, 1, 2), min=10.0, max=50.0),)
    assert [found.code for found in read.findings] == ["OMI-U002"]


def test_values_of_wrong_types_cost_themselves() -> None:
    read = read_prim("PhysicsRevoluteJoint", physics__axis="Q", physics__upperLimit="far")
    assert [found.code for found in read.findings] == ["OMI-U004"] * 2
    assert read.settings.limits[0].linear_axes == (0, 1, 2)


def test_unknown_attributes_are_kept_and_written_again() -> None:
    prim = prim_of(hinge())
    prim.set("newton:armature", "float", 0.5)
    prim.set("mjc:solref", "double[]", (0.02, 1.0))
    prim.set("physxJoint:enableProjection", "bool", True)
    prim.set("physxLimit:angular:bounceThreshold", "float", 2.0)
    prim.apply("NewtonJointAPI")
    read = read_joint(replace(prim, data={}), SI)
    again = joint_prim(read.settings, read.attributes, SI).prim
    for name in ("newton:armature", "mjc:solref", "physxJoint:enableProjection"):
        assert again.attributes[name] == prim.attributes[name]
    assert again.attributes["physxLimit:angular:bounceThreshold"][1] == 2.0
    assert "NewtonJointAPI" in again.schemas


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", '{"settings": {"limits": [{"min": 1%s}]}}'])
def test_damaged_carried_data_leaves_what_the_attributes_say(text: str) -> None:
    text = text.replace("%s", "0" * 400)
    prim = prim_of(hinge(min_angle=-1.0, max_angle=0.5))
    read = read_joint(replace(prim, data=prim.data | {"joint": text}), SI)
    assert read.settings == read_joint(bare(prim), SI).settings

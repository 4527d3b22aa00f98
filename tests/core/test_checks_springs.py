"""Checks of springs: what a wrong unit of stiffness or damping looks like, by closed forms."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.checks.springs import check_springs
from omi_joints_addon.core.meaning.moved_inertia import ChosenAxes, moved_inertias
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import Joint, PhysicsScene

STATIC = Motion(type="static")
ARM = 0.5


def scene(body: Motion, other: Motion = STATIC, settings: JointSettings | None = None) -> Any:
    """Return a body whose joint is 0.5 m along X from its center; Z is the frame's Z."""
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[0, :3, 3] = (ARM, 0.0, 0.0)
    return PhysicsScene(
        names=("Body", "Base", "Joint", "Frame"),
        parents=np.array([-1, -1, 0, 1], dtype=np.intp),
        matrices=matrices,
        motions={0: body, 1: other},
        joints=(Joint(node=2, connected=3, settings=settings or JointSettings(), place="Joint"),),
    )


def inertia(made: PhysicsScene, axis: int, *, is_angular: bool) -> float:
    chosen = ChosenAxes(np.array([0]), np.array([axis]), np.array([is_angular]))
    found: Array = moved_inertias(made, chosen)
    return float(found[0])


def test_a_body_on_a_base() -> None:
    made = scene(Motion(mass=2.0, inertia_diagonal=(0.1, 0.2, 0.3)))
    assert inertia(made, 0, is_angular=False) == pytest.approx(2.0)
    assert inertia(made, 0, is_angular=True) == pytest.approx(0.1)
    assert inertia(made, 2, is_angular=True) == pytest.approx(0.3 + 2.0 * ARM**2)


def test_two_bodies_have_the_reduced_mass() -> None:
    made = scene(Motion(mass=2.0), Motion(mass=6.0))
    assert inertia(made, 1, is_angular=False) == pytest.approx(1.5)


def test_principal_axes_may_be_turned() -> None:
    half = math.sqrt(0.5)
    turned = Motion(inertia_diagonal=(0.1, 0.2, 0.3), inertia_orientation=(0.0, half, 0.0, half))
    # A quarter turn about Y lays the principal Z along X.
    assert inertia(scene(turned), 0, is_angular=True) == pytest.approx(0.3)


def test_what_cannot_be_known() -> None:
    assert math.isnan(inertia(scene(STATIC), 0, is_angular=False))
    # No moments, and the axis passes through the center of mass.
    assert math.isnan(inertia(scene(Motion()), 0, is_angular=True))
    assert inertia(scene(Motion()), 2, is_angular=True) == pytest.approx(ARM**2)
    broken = scene(Motion(inertia_diagonal=(1.0, 1.0, 1.0)))
    matrices = broken.matrices.copy()
    matrices[2, 0, 0] = math.nan
    assert math.isnan(inertia(replace(broken, matrices=matrices), 0, is_angular=True))
    assert math.isnan(inertia(scene(Motion(mass=0.0)), 0, is_angular=False))


def drive(stiffness: float, damping: float, **members: Any) -> JointSettings:
    made = JointDrive(
        type=members.pop("type", "linear"),
        mode=members.pop("mode", "force"),
        axis=0,
        position_target=0.0,
        stiffness=stiffness,
        damping=damping,
    )
    return JointSettings(drives=(made,), **members)


def codes(settings: JointSettings, **values: Any) -> list[str]:
    return [each.code for each in check_springs(scene(Motion(**values), settings=settings))]


def frequency_of(value: float, mass: float = 1.0) -> float:
    """Return the stiffness that lets a mass swing at a frequency."""
    return mass * (math.tau * value) ** 2


@pytest.mark.parametrize(
    ("frequency", "is_found"), [(0.04, True), (0.06, False), (900.0, False), (1100.0, True)]
)
def test_stiffness_is_judged_by_the_mass(frequency: float, is_found: bool) -> None:
    expected = ["OMI-J208"] if is_found else []
    assert codes(drive(frequency_of(frequency), 0.0)) == expected
    assert codes(drive(frequency_of(frequency, 70.0), 0.0), mass=70.0) == expected
    limit = JointLimit(linear_axes=(0,), max=0.0, stiffness=frequency_of(frequency))
    assert codes(JointSettings(limits=(limit,))) == expected


def test_acceleration_drives_do_not_depend_on_the_mass() -> None:
    assert codes(drive(frequency_of(1.0), 1.0, mode="acceleration"), mass=1e-9) == []
    assert codes(drive(frequency_of(1.0), 1.0), mass=1e-9) == ["OMI-J208"]


@pytest.mark.parametrize(
    ("ratio", "is_found"), [(0.0, False), (5e-5, True), (1e-3, False), (50.0, False), (1e3, True)]
)
def test_damping_is_judged_by_the_critical_one(ratio: float, is_found: bool) -> None:
    damping = ratio * 2.0 * math.tau
    assert codes(drive(frequency_of(1.0), damping)) == (["OMI-J209"] if is_found else [])


def test_messages_have_the_numbers() -> None:
    settings = drive(1e9, 1.0, type="angular")
    body = Motion(inertia_diagonal=(0.1, 0.1, 0.1))
    (found,) = check_springs(scene(body, settings=settings))
    hertz = math.sqrt(1e9 / 0.1) / math.tau
    assert found.message.startswith(
        f"the stiffness of drive 1, 1e+09 N·m/rad, lets its bodies swing at {hertz:.3g} Hz"
    )
    assert (found.place, found.part) == ("Joint", "/drives/0")

"""A joint that is pulled at a point of its body: the mouse gives a line, not a point."""

import math
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.meaning.linkage import Linkage
from omi_joints_addon.core.meaning.presets import ball_with_cone, fixed, hinge, planar, slider
from omi_joints_addon.core.meaning.pulling import Pull
from omi_joints_addon.core.model.joint import JointSettings
from tests.core.solver_scenes import SceneBuilder

ARM = 2.0
POINT = (ARM, 0.0, 0.0)
DOWN, AHEAD = (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)
"""Where a view looks: from above and from the front."""


def pulled(settings: JointSettings, target: Any, direction: Any = DOWN, **options: bool) -> Any:
    """Return the values after a body at the origin was pulled at POINT toward a line."""
    return pulled_to(settings, target, direction, **options)[0]


def pulled_to(
    settings: JointSettings, target: Any, direction: Any = DOWN, **options: bool
) -> tuple[Any, Any]:
    """Return those values, and where POINT is then."""
    build = SceneBuilder()
    build.joint(settings, -1, build.body((0, 0, 0)), (0, 0, 0))
    scene = build.scene()
    body = int(scene.bodies()[scene.joints[0].connected])
    linkage = Linkage(scene, 0, body)
    pull = Pull(linkage, np.zeros(6), np.array(POINT))
    line = np.array(target, float), np.array(direction, float)
    values = pull.toward(*line, np.zeros(6), **options)
    return values, (linkage.matrices(values)[body] @ (*POINT, 1.0))[:3]


@pytest.mark.parametrize("angle", [0.3, -1.2, 2.5])
def test_hinge_turns_to_the_line_wherever_its_point_is(angle: float) -> None:
    """Seen along the axis the point is right under the mouse, at any depth."""
    free = hinge(axis=2, min_angle=-math.inf, max_angle=math.inf)
    target = (ARM * math.cos(angle), ARM * math.sin(angle), 7.0)
    assert pulled(free, target) == pytest.approx((0, 0, 0, 0, 0, angle), abs=1e-6)


def test_hinge_seen_from_the_front_follows_what_can_be_seen_of_it() -> None:
    """Two thirds of the arm to the right: the door opens until it looks that short."""
    free = hinge(axis=2, min_angle=0.01, max_angle=math.pi)
    values = pulled(free, (ARM * 2 / 3, 0.0, 0.0), AHEAD)
    assert abs(values[5]) == pytest.approx(math.acos(2 / 3), abs=1e-5)


def test_limits_hold_until_they_may_be_passed() -> None:
    narrow = hinge(axis=2, min_angle=-0.1, max_angle=0.5)
    target = (0.0, ARM, 0.0)
    assert pulled(narrow, target)[5] == pytest.approx(0.5)
    assert pulled(narrow, target, past_limits=True)[5] == pytest.approx(math.pi / 2, abs=1e-6)


def test_slider_goes_along_its_axis_only() -> None:
    free = slider(axis=0, min_distance=-math.inf, max_distance=math.inf)
    values = pulled(free, (ARM + 0.4, 0.3, 0.0))
    assert values == pytest.approx((0.4, 0, 0, 0, 0, 0), abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "target"),
    [
        (planar(axis=2), (ARM + 0.4, 0.3, 0.0)),
        (ball_with_cone(axis=2, cone=math.pi, twist=math.pi), (1.0, 1.0, 5.0)),
    ],
    ids=["plane", "ball"],
)
def test_point_reaches_the_line_by_several_values(settings: JointSettings, target: Any) -> None:
    _, place = pulled_to(settings, target)
    assert place[:2] == pytest.approx(target[:2], abs=1e-5)


def test_fixed_joint_stays() -> None:
    assert pulled(fixed(), (0.0, ARM, 0.0), past_limits=True) == pytest.approx(np.zeros(6))

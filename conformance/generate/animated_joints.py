"""Features of joints whose numbers change over time."""

import math
from collections.abc import Iterator

from .feature import ABOUT_JOINT, LENGTH, Animated, Feature, X, Y, along, level, upright
from .joints import angular, drive, hinge, linear, moved, slider, turned
from .laws import G, after, falls, motor

_NOW = {"start": None, "resting": math.inf}


def animated_joints() -> Iterator[Feature]:
    """Yield the features."""
    yield hinge(
        "animated_motor",
        "a motor starts after half a second: its velocity target is keyed",
        Y,
        drives=[drive("angular", Y, velocityTarget=0.0, damping=3.0)],
        animated=(_step("drives/0/velocityTarget", 0.5, 0.0, 2.0),),
        parts=turned(after(0.5, motor(ABOUT_JOINT, 3.0, 2.0)), Y),
        frame=upright(Y),
        arm=along(2, LENGTH),
        times=(0.4, 1.0, 1.5),
        words=("drive", "velocity target", "animated"),
        **_NOW,
    )
    yield slider(
        "animated_limit",
        "a lock opens after half a second: its maximum is keyed, and the body falls onto it",
        Y,
        linear(Y, min=0.0, max=0.0),
        animated=(_step("limits/2/max", 0.5, 0.0, 0.4),),
        parts=moved(after(0.5, lambda t: min(0.4, falls(G)(t))), Y),
        times=(0.4, 0.7, 3.0, 4.0),
        resting=3.0,
        words=("lock", "animated"),
    )
    yield slider(
        "animated_position",
        "a spring is drawn to another place over a second: its position target is keyed",
        X,
        drives=[drive("linear", X, positionTarget=0.0, stiffness=200.0, damping=40.0)],
        animated=(
            Animated(
                member="drives/0/positionTarget",
                times=(0.0, 1.0),
                values=(0.0, 0.3),
                interpolation="LINEAR",
            ),
        ),
        parts=moved(lambda t: _ramp(t, 0.3, 10.0), X),
        frame=level(X),
        times=(0.5, 1.0, 3.0),
        words=("drive", "position target", "animated"),
        **_NOW,
    )
    yield hinge(
        "animated_range",
        "minimum and maximum close on one angle along cubic splines",
        Y,
        angular(Y, min=-0.8, max=0.8),
        animated=(
            _spline("limits/2/min", -0.8, 0.5),
            _spline("limits/2/max", 0.8, 0.5),
        ),
        parts=turned(0.5, Y),
        start=turned(0.0, Y),
        frame=upright(Y),
        arm=along(2, LENGTH),
        words=("range", "animated"),
    )


def _step(member: str, time: float, before: float, then: float) -> Animated:
    return Animated(member=member, times=(0.0, time), values=(before, then))


def _spline(member: str, before: float, then: float) -> Animated:
    """Return a cubic spline that is level at both of its keys."""
    values = (0.0, before, 0.0, 0.0, then, 0.0)
    return Animated(member=member, times=(0.0, 1.0), values=values, interpolation="CUBICSPLINE")


def _ramp(t: float, end: float, rate: float) -> float:
    """Return where a critically damped spring is whose target goes to `end` in a second.

    The target moves, and the damper acts against the world: x'' = rate² (target - x) - 2 rate x'.
    """

    def response(s: float) -> float:
        # To a target s: s - 2/rate + (s + 2/rate) exp(-rate s).
        return s - 2.0 / rate + (s + 2.0 / rate) * math.exp(-rate * s) if s > 0.0 else 0.0

    return end * (response(t) - response(t - 1.0))

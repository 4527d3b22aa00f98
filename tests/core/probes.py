"""Joints of every kind with one moving body, and where it must be by a closed form.

The body hangs on the world. Its connected frame starts with a shift and a turn from the joint's
frame, which is at the origin; its center of mass is at `arm` in the connected frame. Where a rigid
limit is reached nothing bounces, so that a body which is pushed against a bound rests there.
Equations of motion are integrated by the classic Runge-Kutta method at 0.1 ms.
"""

import math
from dataclasses import dataclass

import numpy as np

from omi_joints_addon.core.meaning.metric import angular_metric, linear_metric
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose, rotate
from omi_joints_addon.core.model.scene import PhysicsScene
from tests.core.solver_scenes import SceneBuilder, integrate, turn

X, Y, Z = range(3)
G = 9.81
ARM = 0.5
MOMENT = 0.02
ABOUT_JOINT = MOMENT + ARM**2
"""Moment of inertia of 1 kg at `ARM` about the joint [kg·m²]."""
PULL = G * ARM / ABOUT_JOINT
"""Angular acceleration by gravity across the arm [rad/s²]."""
TOLERANCE = {False: 0.005, True: math.radians(0.5)}
"""What counts as the same, by whether it is an angle: 5 mm, half a degree."""
Vector = tuple[float, float, float]
NONE: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One joint, what pushes it, and what its metric must be in the end."""

    name: str
    limits: tuple[JointLimit, ...] = ()
    drives: tuple[JointDrive, ...] = ()
    gravity: Vector = NONE
    arm: Vector = NONE
    mass: float = 1.0
    shift: Vector = NONE
    turned: tuple[Vector, float] = ((1.0, 0.0, 0.0), 0.0)
    """Axis and angle [rad] of the connected frame in the joint's at the start."""
    seconds: float = 1.2
    is_angular: bool
    axes: tuple[int, ...]
    """What is measured: as a limit on these axes would."""
    expected: float
    """[m or rad]."""

    @property
    def settings(self) -> JointSettings:
        return JointSettings(name=self.name, limits=self.limits, drives=self.drives)

    def scene(self) -> PhysicsScene:
        """Return the world and the body; the body is node 0, the connected frame node 2."""
        build = SceneBuilder(self.gravity)
        rotation = turn(*self.turned)
        place = np.array(self.shift) + rotate(rotation, np.array(self.arm))
        node = build.body(place, rotation, mass=self.mass, inertia=MOMENT * self.mass)
        a = build.node(NONE)
        b = build.node(self.shift, rotation, parent=node)
        build.join(self.settings, a, b)
        return build.scene()

    def measured(self, pose: Pose) -> float:
        """Return the metric of the connected frame in the joint's frame."""
        if self.is_angular:
            return float(angular_metric(self.axes, pose.rotation))
        return float(linear_metric(self.axes, pose.position))


def _along(axis: int, length: float) -> Vector:
    x, y, z = (length * np.eye(3)[axis]).tolist()
    return x, y, z


def _linear(*axes: int, **values: float) -> JointLimit:
    return JointLimit(linear_axes=axes, **values)


def _angular(*axes: int, **values: float) -> JointLimit:
    return JointLimit(angular_axes=axes, **values)


def _but(axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(3) if other != axis)


LOCK = {"min": 0.0, "max": 0.0}
PINNED = _linear(X, Y, Z, **LOCK)
STIFF = _angular(X, Y, Z, **LOCK)


def _hinge(name: str, axis: int, *limits: JointLimit, push: float = 0.0, **values) -> Probe:
    """Return a hinge whose arm is across it and pushed about it by gravity."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    start = {"gravity": _along(third, push * G), "arm": _along(second, ARM)} | values
    fixed = (PINNED, _angular(*_but(axis), **LOCK))
    return Probe(name=name, limits=(*fixed, *limits), is_angular=True, axes=(axis,), **start)


def _slider(name: str, axis: int, *limits: JointLimit, push: float = 0.0, **values) -> Probe:
    fixed = (_linear(*_but(axis), **LOCK), STIFF)
    gravity = _along(axis, push * G)
    return Probe(
        name=name,
        limits=(*fixed, *limits),
        gravity=gravity,
        is_angular=False,
        axes=(axis,),
        **values,
    )


def _ball(name: str, axis: int, *limits: JointLimit, **values) -> Probe:
    """Return a ball joint that opens about an axis, with the arm along it and pushed across."""
    start = {"gravity": _along((axis + 1) % 3, G), "arm": _along(axis, ARM)} | values
    start = {"axes": _but(axis), "is_angular": True} | start
    return Probe(name=name, limits=(PINNED, *limits), **start)


def _point(name: str, *limits: JointLimit, push: Vector, **values) -> Probe:
    """Return a body whose own center is joined."""
    gravity = tuple(G * part for part in push)
    start = {"is_angular": False, "gravity": gravity} | values
    return Probe(name=name, limits=limits, **start)


def _swing(seconds: float) -> float:
    """Return the angle of a free pendulum that starts level."""
    return float(integrate(lambda x, _v: PULL * math.cos(x), 0.0, 0.0, seconds)[-1])


def _balance(stiffness: float, rest: float) -> float:
    """Return where a spring with its rest at an angle holds the arm against gravity."""
    low, high = rest, math.pi / 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        is_above = stiffness * (middle - rest) > G * ARM * math.cos(middle)
        low, high = (low, middle) if is_above else (middle, high)
    return low


def _started(velocity: float, time: float, delay: float) -> float:
    """Return how far a motor that nears its velocity exponentially has come."""
    return velocity * (time - delay * (1.0 - math.exp(-time / delay)))


def _critical(target: float, rate: float, time: float) -> float:
    return target * (1.0 - (1.0 + rate * time) * math.exp(-rate * time))


def _drive(kind: str, axis: int, **values) -> JointDrive:
    return JointDrive(type=kind, axis=axis, **values)


UNEVEN = {"min": -0.2, "max": 1.0}
CONE = math.radians(40.0)
FALL = 0.5 * G * 0.25
"""Way of a free fall of half a second [m]."""
LETTERS = "XYZ"

HINGES = (
    *(
        _hinge(f"hinge {letter} {word}", axis, _angular(axis, **UNEVEN), push=push, expected=end)
        for axis, letter in enumerate(LETTERS)
        for word, push, end in (("up", 1.0, 1.0), ("down", -1.0, -0.2))
    ),
    _hinge("hinge one-sided", Z, _angular(Z, min=-0.3), push=-1.0, expected=-0.3),
    _hinge("hinge free", Z, push=1.0, seconds=0.5, expected=_swing(0.5)),
    _hinge(
        "hinge locked off zero",
        Z,
        _angular(Z, min=0.5, max=0.5),
        push=1.0,
        turned=((0, 0, 1), 0.5),
        expected=0.5,
    ),
    _hinge(
        "hinge with two limits up",
        Y,
        _angular(Y, min=-0.4, max=0.4),
        _angular(Y, min=-0.1, max=1.0),
        push=1.0,
        expected=0.4,
    ),
    _hinge(
        "hinge with two limits down",
        Y,
        _angular(Y, min=-0.4, max=0.4),
        _angular(Y, min=-0.1, max=1.0),
        push=-1.0,
        expected=-0.1,
    ),
    _hinge(
        "hinge soft",
        Z,
        _angular(Z, min=-0.5, max=0.5, stiffness=10.0, damping=2.0),
        push=1.0,
        seconds=4.0,
        expected=_balance(10.0, 0.5),
    ),
    _hinge(
        "hinge beyond its limit at load",
        X,
        _angular(X, min=-0.7, max=0.7),
        turned=((1, 0, 0), 1.0),
        expected=0.7,
    ),
)
SLIDERS = (
    *(
        _slider(
            f"slider {LETTERS[axis]} {word}",
            axis,
            _linear(axis, min=-0.2, max=0.3),
            push=push,
            expected=end,
        )
        for axis, word, push, end in (
            (X, "up", 1.0, 0.3),
            (X, "down", -1.0, -0.2),
            (Y, "up", 1.0, 0.3),
            (Z, "down", -1.0, -0.2),
        )
    ),
    _slider("slider one-sided", Z, _linear(Z, min=-0.3), push=-1.0, expected=-0.3),
    _slider("slider free", X, push=1.0, seconds=0.5, expected=FALL),
    _slider(
        "slider locked off zero",
        X,
        _linear(X, min=0.3, max=0.3),
        push=-1.0,
        shift=(0.3, 0, 0),
        expected=0.3,
    ),
    _slider(
        "slider soft lock",
        Z,
        _linear(Z, **LOCK, stiffness=200.0, damping=20.0),
        push=-1.0,
        expected=-G / 200.0,
    ),
    _slider(
        "slider soft limit",
        X,
        _linear(X, min=-0.2, max=0.2, stiffness=500.0, damping=40.0),
        push=1.0,
        expected=0.2 + G / 500.0,
    ),
    _point(
        "cylindrical",
        _linear(Y, Z, **LOCK),
        _angular(Y, Z, **LOCK),
        push=(1, 0, 0),
        axes=(X,),
        seconds=0.5,
        expected=FALL,
    ),
    _point(
        "planar",
        _linear(Z, **LOCK),
        _angular(X, Y, **LOCK),
        push=(0.6, 0.8, 0),
        axes=(X, Y),
        seconds=0.5,
        expected=FALL,
    ),
    _point("free", push=(0, 0, -1), axes=(Z,), seconds=0.5, expected=-FALL),
    _point("weld", PINNED, STIFF, push=(0.6, 0, 0.8), axes=(X, Y, Z), expected=0.0),
)
BALLS = (
    _ball("pin", X, seconds=0.5, expected=_swing(0.5)),
    _ball("universal", X, _angular(X, **LOCK), seconds=0.5, expected=_swing(0.5)),
    *(
        _ball(f"cone {letter}", axis, _angular(*_but(axis), max=CONE), expected=CONE)
        for axis, letter in enumerate(LETTERS)
    ),
    _ball(
        "cone with hole",
        X,
        _angular(Y, Z, min=0.3, max=0.8),
        gravity=_along(X, G),
        turned=((0, 0, 1), 0.5),
        expected=0.3,
    ),
    _ball(
        "cone and twist",
        X,
        _angular(Y, Z, max=CONE),
        _angular(X, min=-0.25, max=0.25),
        arm=_along(Y, ARM),
        gravity=_along(Z, G),
        axes=(X,),
        expected=0.25,
    ),
    _ball(
        "cone soft",
        X,
        _angular(Y, Z, max=0.4, stiffness=10.0, damping=2.0),
        seconds=4.0,
        expected=_balance(10.0, 0.4),
    ),
    _ball("rotation", X, _angular(X, Y, Z, max=0.6), axes=(X, Y, Z), expected=0.6),
    _ball(
        "two ranges",
        X,
        _angular(X, **LOCK),
        _angular(Y, min=-0.4, max=0.4),
        _angular(Z, min=-0.3, max=0.5),
        axes=(Z,),
        expected=0.5,
    ),
)
REACHES = (
    _point(
        "tube",
        _linear(X, **LOCK),
        _linear(Y, Z, max=0.3),
        STIFF,
        push=(0, 0.6, 0.8),
        axes=(Y, Z),
        expected=0.3,
    ),
    _point("distance", _linear(X, Y, Z, max=0.6), push=(0, 0, -1), axes=(X, Y, Z), expected=0.6),
    _point(
        "distance with hole",
        _linear(X, Y, Z, min=0.4, max=0.8),
        push=(0, 0, -1),
        shift=(0, 0, 0.6),
        axes=(X, Y, Z),
        expected=0.4,
    ),
)
DRIVES = (
    _slider(
        "linear spring",
        X,
        push=1.0,
        expected=0.1 + G / 100.0,
        drives=(_drive("linear", X, position_target=0.1, stiffness=100.0, damping=20.0),),
    ),
    _hinge(
        "angular spring",
        Z,
        push=1.0,
        expected=_balance(20.0, 0.3),
        drives=(_drive("angular", Z, position_target=0.3, stiffness=20.0, damping=4.0),),
    ),
    _slider(
        "linear motor",
        Y,
        seconds=0.5,
        expected=_started(1.0, 0.5, 0.25),
        drives=(_drive("linear", Y, velocity_target=1.0, damping=4.0),),
    ),
    _hinge(
        "angular motor",
        Z,
        seconds=0.5,
        expected=_started(2.0, 0.5, ABOUT_JOINT / 0.9),
        drives=(_drive("angular", Z, velocity_target=2.0, damping=0.9),),
    ),
    _slider(
        "weak motor",
        X,
        seconds=0.5,
        expected=0.25,
        drives=(_drive("linear", X, velocity_target=10.0, damping=1e4, max_force=2.0),),
    ),
    _slider(
        "both targets",
        X,
        expected=0.2 + 5.0 * 0.5 / 50.0,
        drives=(
            _drive(
                "linear", X, position_target=0.2, velocity_target=0.5, stiffness=50.0, damping=5.0
            ),
        ),
    ),
    _slider(
        "linear acceleration",
        X,
        mass=4.0,
        seconds=0.2,
        expected=_critical(0.3, 10.0, 0.2),
        drives=(
            _drive(
                "linear", X, position_target=0.3, stiffness=100.0, damping=20.0, mode="acceleration"
            ),
        ),
    ),
    _hinge(
        "angular acceleration",
        Z,
        seconds=0.2,
        expected=_critical(0.3, 10.0, 0.2),
        drives=(
            _drive(
                "angular",
                Z,
                position_target=0.3,
                stiffness=100.0,
                damping=20.0,
                mode="acceleration",
            ),
        ),
    ),
    _slider(
        "undamped spring",
        X,
        shift=(0.1, 0, 0),
        seconds=0.5,
        expected=0.1 * math.cos(5.0),
        drives=(_drive("linear", X, position_target=0.0, stiffness=100.0),),
    ),
)
PROBES: dict[str, Probe] = {
    probe.name: probe for probe in (*HINGES, *SLIDERS, *BALLS, *REACHES, *DRIVES)
}

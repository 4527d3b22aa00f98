"""One joint with one moving body, and where it must be by a closed form.

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


def along(axis: int, length: float) -> Vector:
    x, y, z = (length * np.eye(3)[axis]).tolist()
    return x, y, z


def linear(*axes: int, **values: float) -> JointLimit:
    return JointLimit(linear_axes=axes, **values)


def angular(*axes: int, **values: float) -> JointLimit:
    return JointLimit(angular_axes=axes, **values)


def but(axis: int) -> tuple[int, ...]:
    return tuple(other for other in range(3) if other != axis)


LOCK = {"min": 0.0, "max": 0.0}
PINNED = linear(X, Y, Z, **LOCK)
STIFF = angular(X, Y, Z, **LOCK)


def hinge(name: str, axis: int, *limits: JointLimit, push: float = 0.0, **values) -> Probe:
    """Return a hinge whose arm is across it and pushed about it by gravity."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    start = {"gravity": along(third, push * G), "arm": along(second, ARM)} | values
    fixed = (PINNED, angular(*but(axis), **LOCK))
    return Probe(name=name, limits=(*fixed, *limits), is_angular=True, axes=(axis,), **start)


def slider(name: str, axis: int, *limits: JointLimit, push: float = 0.0, **values) -> Probe:
    fixed = (linear(*but(axis), **LOCK), STIFF)
    gravity = along(axis, push * G)
    return Probe(
        name=name,
        limits=(*fixed, *limits),
        gravity=gravity,
        is_angular=False,
        axes=(axis,),
        **values,
    )


def ball(name: str, axis: int, *limits: JointLimit, **values) -> Probe:
    """Return a ball joint that opens about an axis, with the arm along it and pushed across."""
    start = {"gravity": along((axis + 1) % 3, G), "arm": along(axis, ARM)} | values
    start = {"axes": but(axis), "is_angular": True} | start
    return Probe(name=name, limits=(PINNED, *limits), **start)


def point(name: str, *limits: JointLimit, push: Vector, **values) -> Probe:
    """Return a body whose own center is joined."""
    gravity = tuple(G * part for part in push)
    start = {"is_angular": False, "gravity": gravity} | values
    return Probe(name=name, limits=limits, **start)


def swing(seconds: float) -> float:
    """Return the angle of a free pendulum that starts level."""
    return float(integrate(lambda x, _v: PULL * math.cos(x), 0.0, 0.0, seconds)[-1])


def balance(stiffness: float, rest: float) -> float:
    """Return where a spring with its rest at an angle holds the arm against gravity."""
    low, high = rest, math.pi / 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        is_above = stiffness * (middle - rest) > G * ARM * math.cos(middle)
        low, high = (low, middle) if is_above else (middle, high)
    return low


def started(velocity: float, time: float, delay: float) -> float:
    """Return how far a motor that nears its velocity exponentially has come."""
    return velocity * (time - delay * (1.0 - math.exp(-time / delay)))


def critical(target: float, rate: float, time: float) -> float:
    return target * (1.0 - (1.0 + rate * time) * math.exp(-rate * time))


def drive(kind: str, axis: int, **values) -> JointDrive:
    return JointDrive(type=kind, axis=axis, **values)


UNEVEN = {"min": -0.2, "max": 1.0}
CONE = math.radians(40.0)
FALL = 0.5 * G * 0.25
"""Way of a free fall of half a second [m]."""
LETTERS = "XYZ"

"""Features of joints: every kind, limits, drives and frames."""

import math
from collections.abc import Iterator

from .feature import (
    ABOUT_JOINT,
    LENGTH,
    MASS,
    Feature,
    Part,
    X,
    Y,
    Z,
    along,
    inverted,
    level,
    upright,
)
from .laws import G, balance, falls, motor, pendulum, rests, spring

LETTERS = "xyz"
PULL = MASS * G * LENGTH / ABOUT_JOINT
"""Angular acceleration of the level arm by gravity [rad/s²]."""


def linear(*axes: int, **values: float) -> dict:
    return {"linearAxes": list(axes), **values}


def angular(*axes: int, **values: float) -> dict:
    return {"angularAxes": list(axes), **values}


def others(axis: int) -> list[int]:
    return [other for other in range(3) if other != axis]


LOCK = {"min": 0.0, "max": 0.0}
PINNED = linear(X, Y, Z, **LOCK)
STIFF = angular(X, Y, Z, **LOCK)


def turned(value, axis: int) -> tuple[Part, ...]:
    law = value if callable(value) else rests(value)
    return (Part(law=law, axis=axis, is_angular=True),)


def moved(value, axis: int) -> tuple[Part, ...]:
    law = value if callable(value) else rests(value)
    return (Part(law=law, axis=axis, is_angular=False),)


def hinge(name: str, title: str, axis: int, *limits: dict, side: float = 1.0, **values) -> Feature:
    """Return a hinge whose level arm falls toward its maximum, with side -1 its minimum."""
    base = {
        "frame": level(axis),
        "arm": along((axis + 1) % 3, side * LENGTH),
        "start": turned(0.0, axis),
        "times": (2.0, 4.0),
        "resting": 2.0,
    }
    locks = [PINNED, angular(*others(axis), **LOCK)]
    limits_ = [*locks, *limits]
    words = ("hinge", *values.pop("words", ()))
    return Feature(name=name, title=title, words=words, limits=limits_, **(base | values))


def slider(name: str, title: str, axis: int, *limits: dict, **values) -> Feature:
    """Return a slider whose axis points up: the value grows as the body falls."""
    base = {"frame": upright(axis), "start": moved(0.0, axis), "times": (2.0, 4.0), "resting": 2.0}
    locks = [linear(*others(axis), **LOCK), STIFF]
    words = ("slider", *values.pop("words", ()))
    return Feature(name=name, title=title, words=words, limits=[*locks, *limits], **(base | values))


def drive(kind: str, axis: int, **values) -> dict:
    return {"type": kind, "mode": values.pop("mode", "force"), "axis": axis, **values}


def ranges() -> Iterator[Feature]:
    for axis, letter in enumerate(LETTERS):
        bounds = angular(axis, min=-0.4, max=0.9)
        for word, side, end in (("max", 1.0, 0.9), ("min", -1.0, -0.4)):
            title = f"a hinge about {letter.upper()} falls to its {word}imum and rests there"
            yield hinge(
                f"hinge_{letter}_{word}", title, axis, bounds, side=side, parts=turned(end, axis)
            )
        for word, frame, end in (("max", upright, 0.3), ("min", inverted, -0.2)):
            title = f"a slider along {letter.upper()} falls to its {word}imum and rests there"
            bounds_ = linear(axis, min=-0.2, max=0.3)
            yield slider(
                f"slider_{letter}_{word}",
                title,
                axis,
                bounds_,
                frame=frame(axis),
                parts=moved(end, axis),
            )
    yield hinge(
        "hinge_one_sided",
        "a limit with a maximum only",
        Z,
        angular(Z, max=0.6),
        parts=turned(0.6, Z),
        words=("default",),
    )
    yield slider(
        "slider_one_sided",
        "a limit with a minimum only",
        Y,
        linear(Y, min=-0.15),
        frame=inverted(Y),
        parts=moved(-0.15, Y),
        words=("default",),
    )
    yield hinge(
        "two_limits_on_one_axis",
        "all limits apply: the narrower bound of each side counts",
        Z,
        angular(Z, min=-0.3, max=1.2),
        angular(Z, min=-1.0, max=0.5),
        parts=turned(0.5, Z),
        words=("several limits",),
    )
    yield hinge(
        "locked_off_zero",
        "minimum and maximum are equal and not zero: the joint is locked there",
        Y,
        angular(Y, min=0.5, max=0.5),
        parts=turned(0.5, Y),
        start=turned(0.5, Y),
        words=("lock",),
    )


def free() -> Iterator[Feature]:
    now = {"start": None, "resting": math.inf}
    yield Feature(
        name="fixed",
        title="all axes are locked: the body stays where it is",
        words=("fixed",),
        frame=level(X),
        arm=along(Y, LENGTH),
        limits=[PINNED, STIFF],
    )
    yield Feature(
        name="fixed_by_one_limit",
        title="one limit names linear and angular axes, as the weld example of OMI_physics_joint",
        words=("fixed", "weld"),
        frame=level(X),
        arm=along(Y, LENGTH),
        limits=[PINNED | {"angularAxes": [X, Y, Z]}],
        both_kinds=True,
    )
    yield hinge(
        "hinge_free",
        "a pendulum that is released level",
        X,
        parts=turned(pendulum(PULL), X),
        times=(0.2, 0.4, 0.6),
        words=("free axis",),
        **now,
    )
    yield Feature(
        name="pin",
        title="only positions are locked: a pendulum that is released level",
        words=("ball and socket", "free axis"),
        frame=level(Z),
        arm=along(X, LENGTH),
        limits=[PINNED],
        parts=turned(pendulum(PULL), Z),
        times=(0.2, 0.4, 0.6),
        **now,
    )
    yield slider(
        "slider_free",
        "free fall along the axis",
        X,
        parts=moved(falls(G), X),
        times=(0.1, 0.2, 0.4),
        words=("free axis",),
        **now,
    )
    yield Feature(
        name="cylindrical",
        title="free fall along an axis and even spin about it",
        words=("cylindrical", "free axis"),
        frame=upright(Z),
        limits=[linear(X, Y, **LOCK), angular(X, Y, **LOCK)],
        motion={"angularVelocity": [0.0, 0.0, -1.5]},
        parts=(*moved(falls(G), Z), *turned(falls(0.0, 1.5), Z)),
        times=(0.1, 0.2, 0.4),
        **now,
    )
    yield Feature(
        name="planar",
        title="a throw in a plane",
        words=("planar", "free axis"),
        frame=level(Z),
        limits=[linear(Z, **LOCK), STIFF],
        motion={"linearVelocity": [-0.8, 0.0, 0.0]},
        parts=(*moved(falls(0.0, 0.8), X), *moved(falls(G), Y)),
        times=(0.1, 0.2, 0.4),
        **now,
    )


def several_axes() -> Iterator[Feature]:
    cone = {"frame": level(Y), "arm": along(Z, LENGTH), "start": turned(0.0, Y)}
    rest = {"times": (3.0, 5.0), "resting": 3.0}
    angle = math.radians(30.0)
    yield Feature(
        name="cone",
        title="two angular axes are a cone about the third",
        words=("cone", "two axes"),
        limits=[PINNED, angular(X, Y, min=-angle, max=angle), angular(Z, **LOCK)],
        parts=turned(angle, Y),
        **cone,
        **rest,
    )
    yield Feature(
        name="cone_without_minimum",
        title="the angle of a cone is never negative: without a minimum it is the same",
        words=("cone", "two axes", "default"),
        limits=[PINNED, angular(X, Y, max=angle), angular(Z, **LOCK)],
        parts=turned(angle, Y),
        **cone,
        **rest,
    )
    yield Feature(
        name="rotation_of_three_axes",
        title="three angular axes bound the angle of the rotation",
        words=("three axes",),
        limits=[PINNED, angular(X, Y, Z, min=-angle, max=angle)],
        parts=turned(angle, Y),
        **cone,
        **rest,
    )
    fall = {"frame": upright(X), "start": moved(0.0, X), **rest}
    yield Feature(
        name="tube",
        title="two linear axes bound the distance from the third",
        words=("tube", "two axes"),
        limits=[linear(X, Y, min=-0.25, max=0.25), linear(Z, **LOCK), STIFF],
        parts=moved(0.25, X),
        **fall,
    )
    yield Feature(
        name="ball",
        title="three linear axes bound the distance of the origins",
        words=("distance", "three axes"),
        limits=[linear(X, Y, Z, min=0.0, max=0.2), STIFF],
        parts=moved(0.2, X),
        **fall,
    )
    yield Feature(
        name="shell",
        title="three linear axes with a minimum: the origins keep a distance",
        words=("distance", "three axes", "minimum", "several limits"),
        limits=[linear(Y, Z, **LOCK), linear(X, Y, Z, min=0.1, max=0.3), STIFF],
        parts=moved(-0.1, X),
        **(fall | {"start": moved(-0.2, X)}),
    )


def soft() -> Iterator[Feature]:
    now = {"start": None, "resting": math.inf, "times": (0.25, 0.5, 1.0)}
    yield slider(
        "soft_lock",
        "a lock with stiffness and damping is a damped spring",
        Y,
        linear(Y, **LOCK, stiffness=200.0, damping=8.0),
        parts=moved(spring(MASS, 200.0, 8.0, rest=MASS * G / 200.0, start=0.0), Y),
        words=("soft",),
        **now,
    )
    yield slider(
        "soft_limit",
        "beyond a soft bound a spring pulls back: weight and spring are in balance",
        Z,
        linear(Z, min=-0.2, max=0.1, stiffness=400.0, damping=60.0),
        parts=moved(0.1 + MASS * G / 400.0, Z),
        words=("soft",),
    )
    torque = MASS * G * LENGTH
    yield hinge(
        "soft_hinge_limit",
        "beyond a soft angular bound a spring turns back, in N·m/rad",
        X,
        angular(X, min=-0.5, max=0.3, stiffness=30.0, damping=6.0),
        parts=turned(balance(30.0, 0.3, torque), X),
        times=(4.0, 6.0),
        resting=4.0,
        words=("soft",),
    )


def driven() -> Iterator[Feature]:
    now = {"start": None, "resting": math.inf, "times": (0.25, 0.5, 1.0)}
    flat = {"frame": level(X), **now}
    pole = {"frame": upright(Y), "arm": along(Z, LENGTH), **now}
    pulled = {"positionTarget": 0.3, "stiffness": 50.0, "damping": 4.0}
    yield slider(
        "drive_position_linear",
        "a drive with a position target is a damped spring",
        X,
        drives=[drive("linear", X, **pulled)],
        parts=moved(spring(MASS, 50.0, 4.0, rest=0.3, start=0.0), X),
        words=("drive", "position target"),
        **flat,
    )
    yield hinge(
        "drive_position_angular",
        "likewise about an axis, in N·m/rad",
        Y,
        drives=[drive("angular", Y, positionTarget=0.6, stiffness=8.0, damping=0.8)],
        parts=turned(spring(ABOUT_JOINT, 8.0, 0.8, rest=0.6, start=0.0), Y),
        words=("drive", "position target"),
        **pole,
    )
    yield hinge(
        "drive_velocity_angular",
        "a drive with a velocity target is a motor that nears its velocity",
        Y,
        drives=[drive("angular", Y, velocityTarget=2.0, damping=3.0)],
        parts=turned(motor(ABOUT_JOINT, 3.0, 2.0), Y),
        words=("drive", "velocity target"),
        **pole,
    )
    yield slider(
        "drive_max_force",
        "no drive is stronger than its largest force",
        X,
        drives=[drive("linear", X, velocityTarget=50.0, damping=1e4, maxForce=3.0)],
        parts=moved(falls(3.0 / MASS), X),
        words=("drive", "max force"),
        **flat,
    )
    yield slider(
        "drive_acceleration_linear",
        "in acceleration mode the mass does not matter",
        X,
        drives=[drive("linear", X, **pulled, mode="acceleration")],
        parts=moved(spring(1.0, 50.0, 4.0, rest=0.3, start=0.0), X),
        words=("drive", "acceleration mode"),
        **flat,
    )
    yield hinge(
        "drive_acceleration_angular",
        "in acceleration mode the moment of inertia does not matter",
        Y,
        drives=[
            drive(
                "angular", Y, positionTarget=0.6, stiffness=16.0, damping=1.6, mode="acceleration"
            )
        ],
        parts=turned(spring(1.0, 16.0, 1.6, rest=0.6, start=0.0), Y),
        words=("drive", "acceleration mode"),
        **pole,
    )
    yield slider(
        "drive_both_targets",
        "stiffness (target - position) + damping (target velocity - velocity)",
        X,
        drives=[drive("linear", X, **pulled, velocityTarget=2.0)],
        parts=moved(spring(MASS, 50.0, 4.0, rest=0.3 + 4.0 * 2.0 / 50.0, start=0.0), X),
        words=("drive", "position target", "velocity target"),
        **flat,
    )
    yield slider(
        "two_drives_on_one_axis",
        "forces of drives on one axis add up",
        X,
        drives=[
            drive("linear", X, positionTarget=0.4, stiffness=30.0, damping=4.0),
            drive("linear", X, positionTarget=-0.2, stiffness=10.0),
        ],
        parts=moved(spring(MASS, 40.0, 4.0, rest=10.0 / 40.0, start=0.0), X),
        words=("several drives",),
        **flat,
    )


def frames() -> Iterator[Feature]:
    yield hinge(
        "frames_apart",
        "the frames are turned against each other at the start: values do not start at zero",
        X,
        angular(X, min=-0.2, max=0.9),
        parts=turned(0.9, X),
        start=turned(0.35, X),
        words=("frames",),
    )
    yield slider(
        "scaled_parent",
        "everything is below a node of scale 2: limits are meters of the world",
        Y,
        linear(Y, min=-0.2, max=0.3),
        parts=moved(0.3, Y),
        parent={"scale": [2.0, 2.0, 2.0]},
        words=("scale",),
    )
    yield slider(
        "mirrored_parent",
        "everything is below a node that mirrors X; which way axes then point is not specified",
        Y,
        linear(Y, min=-0.3, max=0.3),
        parts=moved(0.3, Y),
        parent={"scale": [-1.0, 1.0, 1.0]},
        words=("mirror",),
    )


def joint_features() -> list[Feature]:
    """Return all features of joints."""
    return [*ranges(), *free(), *several_axes(), *soft(), *driven(), *frames()]

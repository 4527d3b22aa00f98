"""Rows of limits and drives: alone, several on an axis, about several axes, at their limits."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from omi_joints_addon.core.model.animation import Track
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Collider, Motion
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import Joint
from omi_joints_addon.core.model.shape import Sphere
from tests.core.probe import LOCK, critical, started
from tests.core.solver_scenes import integrate
from tests.oracles.property_row import (
    ABOUT_JOINT,
    ARM,
    BODY,
    DOWN,
    HINGE,
    LOAD,
    MASS,
    PINNED,
    RADIUS,
    SLIDER,
    STIFF,
    G,
    Item,
    OnJoint,
    Property,
    angular,
    linear,
    metric_of,
    scene_of,
    static,
)

WEIGHT = MASS * G
AT_REST, MOVING = 3.0, 0.4
"""When a body that comes to rest is measured, and one that does not [s]."""
SKEW = (0.0, 0.6 * G, -0.8 * G)
FORCE, TORQUE = "linear", "angular"


def turning(
    name: str, expected: float, *limits: JointLimit, seconds: float = AT_REST, **values: object
) -> Property:
    """Return a body on a hinge about Y."""
    scene = OnJoint(limits=(*HINGE, *limits), **values).scene()
    return Property(
        group="Joint",
        name=name,
        scene=scene,
        seconds=seconds,
        value=metric_of((1,), is_angular=True),
        expected=expected,
        is_angular=True,
    )


def sliding(
    name: str, expected: float, *limits: JointLimit, seconds: float = AT_REST, **values: object
) -> Property:
    """Return a body on a slider along Z, its center at the joint."""
    start = {"arm": (0.0, 0.0, 0.0)} | values
    return Property(
        group="Joint",
        name=name,
        scene=OnJoint(limits=(*SLIDER, *limits), **start).scene(),
        seconds=seconds,
        value=metric_of((2,), is_angular=False),
        expected=expected,
    )


def together(name: str, limit: JointLimit, expected: float, **values: object) -> Property:
    """Return a body that a limit over several axes holds."""
    axes, is_angular = limit.angular_axes or limit.linear_axes, bool(limit.angular_axes)
    others = (PINNED,) if is_angular else (STIFF,)
    start = {"gravity": SKEW} | values
    return Property(
        group="Joint",
        name=name,
        scene=OnJoint(limits=(*others, limit), **start).scene(),
        seconds=AT_REST,
        value=metric_of(axes, is_angular=is_angular),
        expected=expected,
        is_angular=is_angular,
    )


def turn_drive(axis: int = 1, **values: object) -> JointDrive:
    """Return a drive about an axis."""
    return JointDrive(type=TORQUE, axis=axis, **values)


def push_drive(**values: object) -> JointDrive:
    """Return a drive along Z."""
    return JointDrive(type=FORCE, axis=2, **values)


def balance(torque: Callable[[float], float]) -> float:
    """Return the angle where a torque that falls with it holds the weight on the arm."""
    low, high = -math.pi / 2.0, math.pi / 2.0
    for _ in range(60):
        middle = (low + high) / 2.0
        is_below = torque(middle) + LOAD * math.cos(middle) > 0.0
        low, high = (middle, high) if is_below else (low, middle)
    return low


def bound(degrees: float) -> float:
    return math.radians(degrees)


CROSSED = {"arm": (0.0, 0.0, 0.0)}
LIMITS = (
    turning(
        "limit about an axis", bound(48.7), angular(1, min=bound(-13.2), max=bound(48.7)),
        gravity=DOWN,
    ),
    sliding("limit along an axis", -0.137, linear(2, min=-0.137, max=0.21), gravity=DOWN),
    turning(
        "soft limit about an axis",
        balance(lambda x: -31.0 * (x - bound(10.0))),
        angular(1, min=bound(-8.0), max=bound(10.0), stiffness=31.0, damping=6.0),
        gravity=DOWN,
    ),
    sliding(
        "soft limit along an axis",
        -0.05 - WEIGHT / 410.0,
        linear(2, min=-0.05, max=0.07, stiffness=410.0, damping=43.0),
        gravity=DOWN,
    ),
    together("limit about two axes (cone)", angular(1, 2, min=0.0, max=bound(37.0)), bound(37.0)),
    together("limit about three axes", angular(0, 1, 2, min=0.0, max=bound(29.0)), bound(29.0)),
    together("limit along two axes (tube)", linear(1, 2, max=0.23), 0.23, **CROSSED),
    together("limit along three axes", linear(0, 1, 2, max=0.31), 0.31, **CROSSED),
)  # fmt: skip
SPRING = {"position_target": 0.114, "stiffness": 230.0, "damping": 41.0}
HEAVY = {"position_target": bound(36.0), "stiffness": 41.0, "damping": 7.0}
DRIVES = (
    sliding(
        "spring along an axis", 0.114 - WEIGHT / 230.0, gravity=DOWN,
        drives=(push_drive(**SPRING),),
    ),
    sliding(
        "its maximum force",
        -0.5 * (G - 9.0 / MASS) * MOVING**2,
        seconds=MOVING,
        gravity=DOWN,
        drives=(push_drive(position_target=0.6, stiffness=230.0, damping=3.0, max_force=9.0),),
    ),
    turning(
        "spring about an axis",
        balance(lambda x: 41.0 * (bound(-36.0) - x)),
        gravity=DOWN,
        drives=(turn_drive(**HEAVY | {"position_target": bound(-36.0)}),),
    ),
    turning(
        "its maximum torque",
        0.5 * 3.1 / ABOUT_JOINT * 0.35**2,
        seconds=0.35,
        drives=(turn_drive(position_target=1.9, stiffness=20.0, damping=0.7, max_force=3.1),),
    ),
    sliding(
        "motor along an axis",
        started(0.83, MOVING, MASS / 13.0),
        seconds=MOVING,
        drives=(push_drive(velocity_target=0.83, damping=13.0),),
    ),
    turning(
        "motor about an axis",
        started(1.7, MOVING, ABOUT_JOINT / 1.9),
        seconds=MOVING,
        drives=(turn_drive(velocity_target=1.7, damping=1.9),),
    ),
    sliding(
        "its maximum force, motor",
        0.5 * 4.7 / MASS * MOVING**2,
        seconds=MOVING,
        drives=(push_drive(velocity_target=9.0, damping=90.0, max_force=4.7),),
    ),
    turning(
        "its maximum torque, motor",
        0.5 * 2.1 / ABOUT_JOINT * MOVING**2,
        seconds=MOVING,
        drives=(turn_drive(velocity_target=9.0, damping=40.0, max_force=2.1),),
    ),
    sliding(
        "acceleration mode along an axis",
        critical(0.27, math.sqrt(31.0), MOVING),
        seconds=MOVING,
        drives=(
            push_drive(
                mode="acceleration", position_target=0.27, stiffness=31.0,
                damping=2.0 * math.sqrt(31.0),
            ),
        ),
    ),
    turning(
        "acceleration mode about an axis",
        critical(0.62, math.sqrt(31.0), MOVING),
        seconds=MOVING,
        drives=(
            turn_drive(
                mode="acceleration", position_target=0.62, stiffness=31.0,
                damping=2.0 * math.sqrt(31.0),
            ),
        ),
    ),
    sliding(
        "position and velocity target",
        0.2 + 9.0 * 0.6 / 70.0,
        drives=(push_drive(position_target=0.2, velocity_target=0.6, stiffness=70.0, damping=9.0),),
    ),
    sliding(
        "spring and motor on one axis",
        0.2 + 9.0 * 0.6 / 70.0,
        drives=(
            push_drive(position_target=0.2, stiffness=70.0, damping=5.0),
            push_drive(velocity_target=0.6, damping=9.0),
        ),
    ),
    sliding(
        "two springs on one axis",
        (70.0 * 0.2 - 45.0 * 0.1) / 115.0,
        drives=(
            push_drive(position_target=0.2, stiffness=70.0, damping=9.0),
            push_drive(position_target=-0.1, stiffness=45.0, damping=8.0),
        ),
    ),
    Property(
        group="Joint",
        name="springs about two axes",
        scene=OnJoint(
            limits=(PINNED, angular(0, **LOCK)),
            drives=(
                turn_drive(1, position_target=0.41, stiffness=31.0, damping=4.0),
                turn_drive(2, position_target=-0.27, stiffness=23.0, damping=4.0),
            ),
        ).scene(),
        seconds=AT_REST,
        value=metric_of((1,), is_angular=True),
        expected=0.41,
        is_angular=True,
    ),
    Property(
        group="Joint",
        name="springs about three axes",
        scene=OnJoint(
            limits=(PINNED,),
            drives=(
                turn_drive(0, position_target=0.23, stiffness=3.7, damping=0.6),
                turn_drive(1, position_target=0.41, stiffness=31.0, damping=4.0),
                turn_drive(2, position_target=-0.27, stiffness=23.0, damping=4.0),
            ),
        ).scene(),
        seconds=AT_REST,
        value=metric_of((1,), is_angular=True),
        expected=0.41,
        is_angular=True,
    ),
    sliding(
        "motor against a limit",
        0.19,
        linear(2, min=-0.11, max=0.19),
        drives=(push_drive(velocity_target=1.3, damping=31.0),),
    ),
    sliding(
        "spring beyond a limit",
        0.19,
        linear(2, min=-0.11, max=0.19),
        drives=(push_drive(position_target=0.44, stiffness=90.0, damping=31.0),),
    ),
)  # fmt: skip


def _keyed() -> Property:
    """Return a spring whose target moves from 0.05 m to 0.21 m in 0.7 s."""
    drive = push_drive(position_target=0.05, stiffness=900.0, damping=90.0)
    track = Track(
        joints=(0,),
        kind="drives",
        number=0,
        member="position_target",
        seconds=np.array((0.0, 0.7)),
        values=np.array((0.05, 0.21)),
    )
    more = {"tracks": (track,)}
    return sliding("keyed position target", 0.21, drives=(drive,), more=more)


ATTRIBUTES = (
    replace(
        sliding(
            "break force",
            -0.5 * G * MOVING**2,
            linear(2, **LOCK),
            seconds=MOVING,
            gravity=DOWN,
            # Beside the base, which it collides with once it is off.
            arm=(0.41, 0.0, 0.0),
            attributes=JointAttributes(break_force=9.0),
        ),
        # It may hold for some steps.
        most=0.03,
    ),
    sliding(
        "dry friction of the joint",
        -0.5 * (G - 7.0 / MASS) * MOVING**2,
        seconds=MOVING,
        gravity=DOWN,
        attributes=JointAttributes(friction=7.0),
    ),
    turning(
        "rotor's inertia (armature)",
        float(
            integrate(lambda x, _v: LOAD * math.cos(x) / (ABOUT_JOINT + 0.21), 0.0, 0.0, MOVING)[-1]
        ),
        seconds=MOVING,
        gravity=DOWN,
        attributes=JointAttributes(armature=0.21),
    ),
    _keyed(),
)
RATIO, WHEEL = -1.7, 0.23
"""Of a gear: how often the wheel turns for one turn of the arm, its moment of inertia [kg·m²]."""


def _geared() -> Property:
    """Return a wheel that follows an arm which falls, both on a fixed base."""
    hinge = JointSettings(limits=(*HINGE, angular(1, min=-3.1, max=3.1)))
    wheel = Motion(mass=MASS, inertia_diagonal=(WHEEL,) * 3)
    scene = scene_of(
        static("Base", Sphere(radius=0.012)),
        Item(name=BODY, position=(0.0, 1.3, 0.0), motion=wheel),
        Item(name="Arm", position=(ARM, 0.0, 0.0), motion=Motion(mass=MASS),
             collider=Collider(shape=Sphere(radius=RADIUS))),
        Item(name="Joint", position=(0.0, 1.3, 0.0), parent=0),
        Item(name="Connected", position=(0.0, 1.3, 0.0), parent=1),
        Item(name="Arm Joint", parent=0),
        Item(name="Arm Connected", parent=2),
        joints=(
            Joint(node=3, connected=4, settings=hinge, place="Joint"),
            Joint(node=5, connected=6, settings=hinge, place="Arm Joint"),
        ),
        couplings=(Coupling(joint=0, source=1, coefficients=(0.0, RATIO)),),
        articulations=(Articulation(root=0, is_fixed=True),),
    )  # fmt: skip
    felt = ABOUT_JOINT + RATIO**2 * WHEEL
    fall = integrate(lambda x, _v: LOAD * math.cos(x) / felt, 0.0, 0.0, MOVING)
    return Property(
        group="Joint",
        name="gear, −1.7 times the angle of an arm",
        scene=scene,
        seconds=MOVING,
        value=metric_of((1,), is_angular=True),
        expected=RATIO * float(fall[-1]),
        is_angular=True,
    )


FREE = turning(
    "hinge without limits",
    float(integrate(lambda x, _v: LOAD * math.cos(x) / ABOUT_JOINT, 0.0, 0.0, MOVING)[-1]),
    seconds=MOVING,
    gravity=DOWN,
)
ROWS = (FREE, *LIMITS, *DRIVES, *ATTRIBUTES, _geared())

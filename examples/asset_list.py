"""What `assets.py` writes: the joints, what must be seen of each, and the laws of their motion.

Values are those that limits measure: the connected frame, on the base, as seen from the joint's
frame, which is on the body. A body that turns to the left has a value to the right.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.presets import PRESETS, Preset
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings

X, Y, Z = range(3)
G = 9.81
MOMENT, DAMPING = 0.5, 2.0
"""Of a rotor about its center [kg·m²] and of its motor [N·m·s/rad]."""
Vector = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A number of the settings that an animation changes."""

    part: str
    """Pointer within the settings."""
    keys: tuple[tuple[float, float], ...]
    """Times [s] and values."""
    interpolation: str = "LINEAR"


@dataclass(frozen=True, kw_only=True)
class Asset:
    """A joint to look at."""

    name: str
    seen: str
    """What must be seen."""
    settings: JointSettings
    arm: Vector = (0.0, 0.0, 0.0)
    """Center of the body, from the joint [m]."""
    mass: float = 2.0
    moment: float = 0.05
    """Each moment of inertia of the body about its center [kg·m²]."""
    channels: tuple[Channel, ...] = ()
    value: Callable[[float], float] | None = None
    """Value over time in closed form: about or along the world's Z axis."""
    is_angular: bool = True

    def pose(self, seconds: float) -> tuple[Vector, tuple[float, float, float, float]]:
        """Return place and quaternion x y z w of the body by its law, Z up."""
        assert self.value is not None
        value = -self.value(seconds)
        if not self.is_angular:
            return (0.0, 0.0, value), (0.0, 0.0, 0.0, 1.0)
        return (0.0, 0.0, 0.0), (0.0, 0.0, math.sin(value / 2.0), math.cos(value / 2.0))


def linear(*axes: int, **values: float) -> JointLimit:
    """Return a limit of linear axes."""
    return JointLimit(linear_axes=axes, **values)


def angular(*axes: int, **values: float) -> JointLimit:
    """Return a limit of angular axes."""
    return JointLimit(angular_axes=axes, **values)


LOCK = {"min": 0.0, "max": 0.0}
HINGE_Z = (linear(X, Y, Z, **LOCK), angular(X, Y, **LOCK))
HINGE_X = (linear(X, Y, Z, **LOCK), angular(Y, Z, **LOCK))
LIFT = (linear(X, Y, **LOCK), angular(X, Y, Z, **LOCK))


def motor(**values: float) -> JointDrive:
    """Return a drive about Z."""
    return JointDrive(type="angular", axis=Z, **values)


def speeding_up(seconds: float) -> float:
    """I·ω' = D·(a·t - ω) with a = 1.5 rad/s²."""
    delay = MOMENT / DAMPING
    rest = 1.0 - math.exp(-seconds / delay)
    return 1.5 * (seconds**2 / 2.0 - delay * seconds + delay**2 * rest)


def spring_and_motor(seconds: float) -> float:
    """I·x'' = k·(p - x) + D·(v - x'), which rests at p + D·v / k."""
    rate, rest = DAMPING / (2.0 * MOMENT), 0.5 + DAMPING * 1.0 / 8.0
    turn = math.sqrt(8.0 / MOMENT - rate**2)
    wave = math.cos(turn * seconds) + rate / turn * math.sin(turn * seconds)
    return rest - rest * math.exp(-rate * seconds) * wave


def fallen(seconds: float) -> float:
    """Return how far the cube has fallen: freely, until it stands on the plane."""
    return min(G * seconds**2 / 2.0, 0.4)


ON_PLANE = Asset(
    name="plane_collider",
    seen="The cube falls 0.4 m along its slider and stands on the endless plane.",
    settings=JointSettings(limits=LIFT),
    value=fallen,
    is_angular=False,
)
_ANIMATED = (
    Asset(
        name="animated_motor",
        seen="The cube turns quicker and quicker; after 4 s its motor asks for 6 rad/s.",
        settings=JointSettings(
            limits=HINGE_Z, drives=(motor(velocity_target=0.0, damping=DAMPING),)
        ),
        moment=MOMENT,
        channels=(Channel(part="/drives/0/velocityTarget", keys=((0.0, 0.0), (4.0, 6.0))),),
        value=speeding_up,
    ),
    Asset(
        name="animated_lock",
        seen="The arm stays level for 1 s, as its maximum is 0; then it falls to 1.2 rad.",
        settings=JointSettings(limits=(*HINGE_X, angular(X, min=0.0, max=0.0))),
        arm=(0.0, 0.5, 0.0),
        channels=(
            Channel(part="/limits/2/max", keys=((0.0, 0.0), (1.0, 1.2)), interpolation="STEP"),
        ),
    ),
    Asset(
        name="animated_bound",
        seen="From 1 s on the minimum pushes the cube, to 0.8 rad at 2 s.",
        settings=JointSettings(limits=(*HINGE_Z, angular(Z, min=-0.8, max=0.9))),
        moment=MOMENT,
        channels=(Channel(part="/limits/2/min", keys=((0.0, -0.8), (2.0, 0.8))),),
    ),
    Asset(
        name="animated_target",
        seen="The cube turns one way at once, the other way at 1.5 s, back at 3 s.",
        settings=JointSettings(
            limits=HINGE_Z, drives=(motor(position_target=0.5, stiffness=50.0, damping=10.0),)
        ),
        moment=MOMENT,
        channels=(
            Channel(
                part="/drives/0/positionTarget",
                keys=((0.0, 0.5), (1.5, -0.5), (3.0, 0.0)),
                interpolation="STEP",
            ),
        ),
    ),
    Asset(
        name="animated_spring",
        seen="The arm hangs level on its spring, which gets softer: it sinks.",
        settings=JointSettings(
            limits=HINGE_X,
            drives=(
                JointDrive(
                    type="angular", axis=X, position_target=0.0, stiffness=200.0, damping=20.0
                ),
            ),
        ),
        arm=(0.0, 0.5, 0.0),
        channels=(Channel(part="/drives/0/stiffness", keys=((1.0, 200.0), (3.0, 10.0))),),
    ),
)
_SEVERAL = (
    Asset(
        name="two_limits_on_one_axis",
        seen="The cube falls 0.2 m: of two ranges on one axis the narrower one holds it.",
        settings=JointSettings(
            limits=(*LIFT, linear(Z, min=-0.6, max=0.6), linear(Z, min=-0.2, max=0.2))
        ),
    ),
    Asset(
        name="soft_limit_in_a_rigid_one",
        seen="The cube rests 0.198 m down: 0.1 m, and 19.62 N over 200 N/m.",
        settings=JointSettings(
            limits=(
                *LIFT,
                linear(Z, min=-0.1, max=0.1, stiffness=200.0, damping=20.0),
                linear(Z, min=-0.3, max=0.3),
            )
        ),
    ),
    Asset(
        name="spring_and_motor_on_one_axis",
        seen="The cube swings to 0.75 rad: forces of both drives add up.",
        settings=JointSettings(
            limits=HINGE_Z,
            drives=(
                motor(position_target=0.5, stiffness=8.0),
                motor(velocity_target=1.0, damping=DAMPING),
            ),
        ),
        moment=MOMENT,
        value=spring_and_motor,
    ),
)
_SEEN = {
    Preset.FIXED: "The cube stays where it is.",
    Preset.PIN: "The cube swings about the joint, in any direction.",
    Preset.HINGE: "Level from the start, the cube stays: its axis is upright.",
    Preset.SLIDER: "The cube stays: its axis is level.",
    Preset.CYLINDRICAL: "The cube swings about the level axis, and may slide along it.",
    Preset.PLANAR: "The cube stays in its level plane.",
    Preset.BALL_WITH_CONE: "The cube sinks until the cone of 45° about X holds it.",
    Preset.UNIVERSAL: "The cube swings down; it does not twist about X.",
    Preset.SUSPENSION_SPRING: "The cube stays: its spring is level.",
    Preset.HINGE_MOTOR: "The cube goes round once a second.",
    Preset.POSITION_SERVO: "The cube sinks a little and is held by its servo.",
}
_KINDS = tuple(
    Asset(
        name=f"kind_{preset}",
        seen=_SEEN[preset],
        settings=presets.preset_settings(preset),
        arm=(0.5, 0.0, 0.0) if PRESETS[preset].axis != X else (0.3, 0.4, 0.0),
    )
    for preset in Preset
)
ASSETS = (*_KINDS, *_SEVERAL, *_ANIMATED, ON_PLANE)

"""A joint prim of UsdPhysics as joint settings.

Every type becomes limits and drives in the order of the presets, so that a hinge is recognized as
one. What is not understood is kept with its name, type and value.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ....core.findings.finding import Finding
from ....core.meaning.axes import LOCKED, Interval, locks, one_axis_limit
from ....core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ....core.model.axes import other_axes
from ....core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ....core.model.plain import object_from_text, value_from_plain
from ....core.rewrite.turning import FRAME_TURNS, TURNS
from ..carrier import Carried
from .couplings import sign_of
from .dofs import ANGULAR, AXIS_DOFS, CONE, DISTANCE, dof_of
from .joint_aliases import alias_values, twins_of
from .joint_prims import FAR
from .joint_states import is_own_state
from .prim import Prim
from .rules import (
    BEYOND_TURN,
    DRIVE_KEPT,
    ELLIPTIC,
    MISPRINT,
    STALE,
    STARTS_ELSEWHERE,
    WRONG_TYPE,
    ZERO_MOVED,
)
from .schema import DRIVE, JOINT
from .units import DEGREES, Units
from .unknown import unknown_text
from .values import Values

MISPRINTS = {
    f"{name}PhysicsJoint": f"Physics{name}Joint"
    for name in ("Fixed", "Revolute", "Prismatic", "Spherical", "Distance")
}
"""Types that the documentation of UsdPhysics itself misprints."""
_ALL = (0, 1, 2)
_STATE = ("position", "velocity")
_ALMOST = 0.9999995
"""Share of `FAR` from which on there is no bound: single precision rounds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointRead:
    """What a joint prim says, its frames aside."""

    settings: JointSettings
    attributes: JointAttributes = DEFAULT_ATTRIBUTES
    enable_collision: bool = False
    shift: int = 0
    """How the frames are turned (`FRAME_TURNS`): by places, or by a half turn."""
    turn: tuple[int, float] = (0, 0.0)
    """Axis and angle [rad] that counts as zero (`rewrite.turning.moved_connected_frames`)."""
    is_swapped: bool = False
    """Whether body0 is the connected node's."""
    findings: tuple[Finding, ...] = ()

    @property
    def sign(self) -> float:
        """1 where the prim counts as the settings do, else -1."""
        return sign_of(self.shift, is_swapped=self.is_swapped)

    @property
    def zero(self) -> float:
        """Angle [rad] of the prim where that of the settings is zero."""
        return self.turn[1] if self.shift < len(TURNS) else -self.turn[1]


def read_joint(prim: Prim, units: Units) -> JointRead:
    """Return what a prim of one of `JOINT_TYPES` or `MISPRINTS` says."""
    reading = _Reading(prim, units)
    reading.read()
    carried = prim.carried("joint", _JOINT)
    if carried is not None:
        axis, zero = reading.turn = reading.written_zero(carried)
        unknown = reading.attributes().carried
        others = tuple(pair for pair in carried.attributes.carried if pair[0] != "usd")
        return replace(
            carried,
            attributes=replace(carried.attributes, carried=(*others, *unknown)),
            enable_collision=reading.enable_collision,
            turn=(axis, -zero if carried.is_swapped else zero),
        )
    if prim.data.get("joint"):
        reading.findings.append(STALE(prim.path))
    return JointRead(
        settings=JointSettings(limits=reading.grouped_limits(), drives=tuple(reading.drives)),
        attributes=reading.attributes(),
        enable_collision=reading.enable_collision,
        turn=reading.turn,
        findings=tuple(reading.findings),
    )


@lru_cache(maxsize=4096)
def _joint_of(text: str) -> JointRead:
    """Return what this program wrote beside the attributes."""
    data = object_from_text(text)
    return JointRead(
        settings=value_from_plain(JointSettings, data["settings"]),
        attributes=value_from_plain(JointAttributes, data["attributes"]),
        shift=int(data["shift"]) % len(FRAME_TURNS),
        is_swapped=data.get("swapped") is True,
    )


_JOINT = Carried(_joint_of)


@dataclass(slots=True)
class _Reading(Values):
    """One joint prim on its way to limits and drives."""

    limits: list[JointLimit] = field(default_factory=list)
    drives: list[JointDrive] = field(default_factory=list)
    turn: tuple[int, float] = (0, 0.0)
    whole_range: tuple[float, float] | None = None
    """Range of a turn and more [rad], which limits cannot have."""
    effort: float = math.inf
    """Largest force of a drive that is nothing else [N or N·m]."""
    enable_collision: bool = False

    def read(self) -> None:
        """Read limits and drives by the type of the prim."""
        if (misprint := self.prim.type_name) in MISPRINTS:
            self.prim = replace(self.prim, type_name=MISPRINTS[misprint])
            found = MISPRINT(self.prim.path, found=misprint, name=self.prim.type_name)
            self.findings.append(found)
        _READERS[self.prim.type_name](self)
        self.note_unused(self.prim.type_name)
        self.enable_collision = self.get("physics:collisionEnabled")

    def note_unused(self, kind: str) -> None:
        """Report drives that the type of the joint does not have, and where it would start."""
        for schema in self.prim.schemas:
            name, _, instance = schema.partition(":")
            if name == "PhysicsDriveAPI" and f"drive:{instance}:physics:stiffness" not in self.used:
                shown = kind.removeprefix("Physics")
                self.findings.append(DRIVE_KEPT(self.prim.path, name=instance, kind=shown))
            if name == "PhysicsJointStateAPI":
                state = f"state:{instance}:physics:"
                if is_own_state(self.prim, f"{state}position"):
                    self.used |= {schema, f"{state}position"}
                    continue
                place, speed = (self.prim.get(state + name, 0.0) for name in _STATE)
                if place or speed:
                    self.findings.append(
                        STARTS_ELSEWHERE(self.prim.path, position=place, velocity=speed)
                    )

    def axis(self) -> int:
        """Return the axis that a typed joint names."""
        letter = self.get("physics:axis")
        if letter in ("X", "Y", "Z"):
            return "XYZ".index(letter)
        self.findings.append(WRONG_TYPE(self.prim.path, name="physics:axis", value=letter))
        return 0

    def lock(self, *, linear: tuple[int, ...] = (), angular: tuple[int, ...] = ()) -> None:
        """Add limits that hold axes at zero."""
        self.limits += locks(linear, angular)

    def bound(self, dof: str, low: float, high: float, instance: str) -> None:
        """Add the range of an axis [m or rad]; low above high is a lock."""
        number = AXIS_DOFS.index(dof)
        if low > high:
            self.limits.append(one_axis_limit(number, LOCKED))
            return
        if dof in ANGULAR:
            low, high = self.within_turn(number % 3, low, high)
        else:
            low = -math.inf if low <= -FAR * _ALMOST else low
            high = math.inf if high >= FAR * _ALMOST else high
        if low == -math.inf and high == math.inf:
            return
        self.limits.append(one_axis_limit(number, Interval(low, high, *self.softness(instance))))

    def within_turn(self, axis: int, low: float, high: float) -> tuple[float, float]:
        """Return a range of angles within half a turn either way, moving the zero where needed."""
        low, high = map(_settled_half_turn, (low, high))
        is_whole = low == -math.pi and high == math.pi
        if not is_whole and -math.pi <= low and high <= math.pi:
            return low, high
        if low == -math.inf or high == math.inf:
            return (-math.inf if low < -math.pi else low), (math.inf if high > math.pi else high)
        words = {"low": round(low * DEGREES, 3), "high": round(high * DEGREES, 3)}
        if high - low >= 2.0 * math.pi or self.turn[1]:
            self.findings.append(BEYOND_TURN(self.prim.path, **words))
            self.whole_range = (low, high)
            return -math.inf, math.inf
        middle = 0.5 * (low + high)
        self.turn = (axis, middle)
        self.findings.append(ZERO_MOVED(self.prim.path, **words))
        return low - middle, high - middle

    def written_zero(self, carried: JointRead) -> tuple[int, float]:
        """Return axis and angle [rad] of the zero that was written, whatever the range is now."""
        if self.prim.type_name != "PhysicsRevoluteJoint":
            return 0, 0.0
        return self.axis(), carried.attributes.zero

    def softness(self, instance: str) -> tuple[float, float]:
        """Return stiffness and damping of PhysX's soft limit, rigid where there is none."""
        stiffness, damping = (
            self.get(f"physxLimit:{{}}:{name}", instance) for name in ("stiffness", "damping")
        )
        return (stiffness, damping) if stiffness > 0.0 else (math.inf, 0.0)

    def read_drives(self, dof_by_instance: dict[str, str]) -> None:
        """Add the drive of each degree of freedom, by names of instances of DriveAPI."""
        for instance, dof in dof_by_instance.items():
            if f"PhysicsDriveAPI:{instance}" in self.prim.schemas:
                drive = self.read_drive(instance, dof)
                if len(dof_by_instance) == 2 and _is_effort(drive):
                    self.effort = drive.max_force
                else:
                    self.drives.append(drive)

    def read_drive(self, instance: str, dof: str) -> JointDrive:
        """Return one drive; one without stiffness has no position target."""
        is_angular, values = dof in ANGULAR, self.record(DRIVE, instance)
        stiffness, position = values["stiffness"], values["position_target"]
        if position and not stiffness:
            # It has no effect now, and is written again.
            self.used.discard(f"drive:{instance}:physics:targetPosition")
        if stiffness:
            position = position or 0.0
            position -= self.turn[1] if is_angular else 0.0
        elif values["damping"]:
            values["velocity_target"] = values["velocity_target"] or 0.0
        return JointDrive(
            type=DriveType.ANGULAR if is_angular else DriveType.LINEAR,
            axis=AXIS_DOFS.index(dof) % 3,
            **values | {"position_target": position if stiffness else None},
        )

    def attributes(self) -> JointAttributes:
        """Return what the prim has beyond limits and drives."""
        is_hinge = self.prim.type_name == "PhysicsRevoluteJoint"
        own = JointAttributes(
            **self.record(JOINT),
            effort=self.effort,
            zero=self.turn[1] if is_hinge else 0.0,
            whole_range=self.whole_range if is_hinge else None,
        )
        found = replace(own, **alias_values(self))  # type: ignore[arg-type]
        unknown = unknown_text(self.prim, {*self.used, *twins_of(self.prim)})
        return replace(found, carried=(("usd", unknown),)) if unknown else found

    def grouped_limits(self) -> tuple[JointLimit, ...]:
        """Return the limits with axes that are held together in one."""
        held: dict[bool, list[int]] = {False: [], True: []}
        others = []
        for limit in self.limits:
            is_lock = limit.is_rigid and limit.min == limit.max == 0.0
            if not is_lock:
                others.append(limit)
                continue
            held[False] += limit.linear_axes
            held[True] += limit.angular_axes
        linear, angular = (tuple(sorted(set(held[kind]))) for kind in (False, True))
        return (*locks(linear, angular), *others)


def _settled_half_turn(angle: float) -> float:
    """Return an angle [rad]: what rounding to single precision leaves of half a turn is one."""
    is_half_turn = math.isclose(abs(angle), math.pi, rel_tol=1e-6)
    return math.copysign(math.pi, angle) if is_half_turn else angle


def _bound_distance(
    reading: _Reading, low: float, high: float, softness: tuple[float, float]
) -> None:
    """Add a range of the distance [m], which zero does not bound from below."""
    stiffness, damping = softness
    if low > 0.0 or high < math.inf:
        reading.limits.append(
            JointLimit(
                linear_axes=_ALL,
                min=low if low > 0.0 else -math.inf,
                max=high,
                stiffness=stiffness,
                damping=damping,
            )
        )


def _is_effort(drive: JointDrive) -> bool:
    """Return whether a drive only says how strong the actuator of a joint is."""
    acts = drive.stiffness or drive.damping or drive.velocity_target
    return not acts and math.isfinite(drive.max_force)


def _read_fixed(reading: _Reading) -> None:
    reading.lock(linear=_ALL, angular=_ALL)


def _read_revolute(reading: _Reading) -> None:
    axis = reading.axis()
    reading.lock(linear=_ALL, angular=other_axes(axis))
    _read_one_axis(reading, dof_of(axis, is_angular=True), "angular")


def _read_prismatic(reading: _Reading) -> None:
    axis = reading.axis()
    reading.lock(linear=other_axes(axis), angular=_ALL)
    _read_one_axis(reading, dof_of(axis, is_angular=False), "linear")


def _read_one_axis(reading: _Reading, dof: str, instance: str) -> None:
    low, high = reading.get("physics:lowerLimit"), reading.get("physics:upperLimit")
    reading.bound(dof, low, high, instance)
    reading.read_drives({instance: dof, dof: dof})


def _read_spherical(reading: _Reading) -> None:
    """Read a cone; PhysX takes the first angle as the one about the axis after `physics:axis`."""
    axis = reading.axis()
    reading.lock(linear=_ALL)
    stiffness, damping = reading.softness(CONE)
    angles = [reading.get(f"physics:coneAngle{number}Limit") for number in (0, 1)]
    about = ((axis + 1) % 3, (axis + 2) % 3)
    found = {about[n]: angle for n, angle in enumerate(angles) if 0.0 <= angle < math.pi}
    if len(found) == 2 and angles[0] == angles[1]:
        cone = found[about[0]]
        reading.limits.append(
            JointLimit(
                angular_axes=tuple(sorted(about)),
                min=-cone if cone else 0.0,
                max=cone,
                stiffness=stiffness,
                damping=damping,
            )
        )
        return
    if found:
        shown = [round(angle * DEGREES, 3) for angle in angles]
        reading.findings.append(ELLIPTIC(reading.prim.path, first=shown[0], second=shown[1]))
    if len(found) == 2:
        widest = max(found.values())
        reading.limits.append(
            JointLimit(angular_axes=tuple(sorted(about)), min=-widest, max=widest)
        )
    for at, angle in found.items():
        if len(found) == 1 or angle < max(found.values()):
            reading.limits.append(JointLimit(angular_axes=(at,), min=-angle, max=angle))


def _read_distance(reading: _Reading) -> None:
    low, high = reading.get("physics:minDistance"), reading.get("physics:maxDistance")
    softness, name = (math.inf, 0.0), "physxPhysicsDistanceJoint:spring"
    if reading.get(f"{name}Enabled"):
        softness = (
            reading.get(f"{name}Stiffness", "linear"),
            reading.get(f"{name}Damping", "linear"),
        )
    _bound_distance(reading, low, high if high >= 0.0 else math.inf, softness)


def _read_d6(reading: _Reading) -> None:
    for dof in AXIS_DOFS:
        if f"PhysicsLimitAPI:{dof}" in reading.prim.schemas:
            low, high = _low_and_high(reading, dof)
            reading.bound(dof, low, high, dof)
    if f"PhysicsLimitAPI:{DISTANCE}" in reading.prim.schemas:
        _read_radius(reading, *_low_and_high(reading, DISTANCE))
    reading.read_drives({dof: dof for dof in AXIS_DOFS})


def _low_and_high(reading: _Reading, dof: str) -> tuple[float, float]:
    return reading.get("limit:{}:physics:low", dof), reading.get("limit:{}:physics:high", dof)


def _read_radius(reading: _Reading, low: float, high: float) -> None:
    """Read the limit of the distance; low above high holds the frames together."""
    if low > high:
        reading.lock(linear=_ALL)
    else:
        _bound_distance(reading, low, high, reading.softness(DISTANCE))


_READERS: dict[str, Callable[[_Reading], None]] = {
    "PhysicsJoint": _read_d6,
    "PhysicsFixedJoint": _read_fixed,
    "PhysicsRevoluteJoint": _read_revolute,
    "PhysicsPrismaticJoint": _read_prismatic,
    "PhysicsSphericalJoint": _read_spherical,
    "PhysicsDistanceJoint": _read_distance,
}

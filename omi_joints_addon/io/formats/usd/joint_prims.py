"""Joint settings as a joint prim of UsdPhysics: a typed joint where the joint is one, else D6.

Soft limits are PhysX's, since UsdPhysics has none. Bounds that PhysX does not take are written as
the ones that mean the same there (`docs/usd.md`, PhysX accepts less than USD says).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from ....core.findings.loss import How, Noun
from ....core.meaning.axes import Interval
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveMode, DriveType, JointDrive, JointSettings
from ....core.model.plain import text_from_value
from ....core.rewrite.swap import swapped_settings
from ....core.rewrite.turning import TURNS, turned_settings
from .dofs import (
    ANGULAR,
    AXIS_DOFS,
    CONE,
    DISTANCE,
    LINEAR,
    LOSSES,
    Dofs,
    cone_of,
    dof_of,
    joint_dofs,
    twist_axis_of,
)
from .joint_aliases import TWINS, update_aliases
from .prim import Prim
from .units import DEGREES, Units
from .unknown import restore_unknown

FAR = 1e6
"""Distance [m] that stands for an open side of a limit: PhysX drops limits with infinite ones."""
_NEARLY_ROUND = math.radians(179.0)
"""Swing that stands for an open side: PhysX drops what reaches half a turn."""
JOINT_TYPES = (
    "PhysicsJoint",
    "PhysicsFixedJoint",
    "PhysicsRevoluteJoint",
    "PhysicsPrismaticJoint",
    "PhysicsSphericalJoint",
    "PhysicsDistanceJoint",
)
_D6, _FIXED, _REVOLUTE, _PRISMATIC, _SPHERICAL, _DISTANCE = JOINT_TYPES


_SOFT_IN_PHYSX = (
    Noun.LIMIT_SPRING,
    How.CONVERTED,
    "soft limits exist only in PhysX, not in UsdPhysics",
)


@dataclass(frozen=True, slots=True)
class JointPrim:
    """A joint prim without its frames and bodies."""

    prim: Prim
    """Never change it: joints with the same settings share it."""
    shift: int
    """How both frames are turned (`FRAME_TURNS`)."""
    zero: tuple[int, float]
    """Axis, and angle [rad] by which the connected frame is to be turned back."""
    losses: LOSSES


@lru_cache(maxsize=4096)
def joint_prim(
    settings: JointSettings,
    attributes: JointAttributes,
    units: Units,
    *,
    is_swapped: bool = False,
    is_turned: bool = True,
) -> JointPrim:
    """Return what a joint prim says of settings and attributes.

    With `is_swapped` body0 is the connected node's; raises `SwapError` where that cannot be. With
    `is_turned` the frames of a joint with one axis are turned for it, so that every number keeps
    its sign; files of older releases have other signs.
    """
    return joint_prim_within(
        settings, settings, attributes, units, is_swapped=is_swapped, is_turned=is_turned
    )


def joint_prim_within(
    settings: JointSettings,
    extent: JointSettings,
    attributes: JointAttributes,
    units: Units,
    *,
    is_swapped: bool = False,
    is_turned: bool = True,
) -> JointPrim:
    """Return `joint_prim` of a joint that changes over time, at one time.

    `extent` are settings with all that it has at some time: type and attributes follow from them.
    """
    carried = {"settings": settings, "attributes": attributes, "swapped": is_swapped}
    plain, sign, shift = (settings, extent), 1.0, 0
    if is_swapped:
        settings, extent, sign = swapped_settings(settings), swapped_settings(extent), -1.0
    dofs, outer = joint_dofs(settings), joint_dofs(extent)
    kind, axis = _kind(extent, outer)
    if is_swapped and is_turned and kind in (_REVOLUTE, _PRISMATIC):
        (settings, extent), sign = plain, 1.0
        shift = len(TURNS) + (axis + 1) % 3
        dofs, outer = joint_dofs(settings), joint_dofs(extent)
    losses = list(dofs.losses)
    if kind == _SPHERICAL:
        losses = [loss for loss in losses if loss[0] != Noun.LIMIT]
    twist = twist_axis_of(extent, outer)
    if kind == _D6 and twist is not None:
        shift = -twist % 3
        dofs, outer = (joint_dofs(turned_settings(s, TURNS[shift])) for s in (settings, extent))
    prim = Prim(type_name=kind)
    _JointWriter(prim, settings, dofs, extent, outer, axis, units).write()
    _set_attributes(prim, attributes, kind, units)
    _set_effort(prim, dofs, attributes.effort, kind, axis, units)
    zero = axis, _count_as_author(prim, attributes, sign)
    if any(found.is_soft for found in dofs.ranges.values()):
        losses.append(_SOFT_IN_PHYSX)
    prim.carry("joint", _carrier_text(carried | {"shift": shift}))
    return JointPrim(prim, shift, zero, tuple(losses))


def _carrier_text(carried: dict[str, object]) -> str:
    parts = (
        f'"settings":{text_from_value(carried["settings"])}',
        f'"attributes":{text_from_value(carried["attributes"])}',
        f'"shift":{carried["shift"]}',
        *(('"swapped":true',) if carried["swapped"] else ()),
    )
    return "{" + ",".join(parts) + "}"


def _kind(settings: JointSettings, dofs: Dofs) -> tuple[str, int]:
    """Return the type of joint that says exactly the same, else D6, and its axis."""
    if not dofs.drives and set(dofs.ranges) == {DISTANCE}:
        return _DISTANCE, 0
    if DISTANCE in dofs.ranges or any(r.is_soft for r in dofs.ranges.values() if r.is_held):
        return _D6, 0
    for is_angular, kind, still in ((True, _REVOLUTE, LINEAR), (False, _PRISMATIC, ANGULAR)):
        own = ANGULAR if is_angular else LINEAR
        moving = [axis for axis in range(3) if not dofs.range(own[axis]).is_locked]
        if dofs.are_locked(still) and not moving:
            return (_D6 if dofs.drives else _FIXED), 0
        if dofs.are_locked(still) and len(moving) == 1 and set(dofs.drives) <= {own[moving[0]]}:
            return kind, moving[0]
    return _spherical(settings, dofs)


def _spherical(settings: JointSettings, dofs: Dofs) -> tuple[str, int]:
    """Return a spherical joint for a point that is held, free to turn or within one cone."""
    if not dofs.are_locked(LINEAR) or dofs.drives:
        return _D6, 0
    if dofs.are_free(ANGULAR):
        return _SPHERICAL, 0
    cone = cone_of(settings)
    turning = [limit for limit in settings.limits if limit.angular_axes]
    is_cone = cone is not None and turning == [cone[1]]
    if cone is None or not is_cone or cone[1].linear_axes:
        return _D6, 0
    return _SPHERICAL, cone[0]


@dataclass(frozen=True, slots=True)
class _JointWriter:
    """Writes what a type of joint has of settings on its prim; a fixed joint has nothing."""

    prim: Prim
    settings: JointSettings
    dofs: Dofs
    extent: JointSettings
    """Settings with all that the joint has at some time."""
    outer: Dofs
    """What these limit and drive."""
    axis: int
    units: Units

    def write(self) -> None:
        """Write by the type of the prim."""
        writers: dict[str, Callable[[], None]] = {
            _D6: self._write_d6,
            _REVOLUTE: partial(self._write_one_axis, is_angular=True),
            _PRISMATIC: partial(self._write_one_axis, is_angular=False),
            _SPHERICAL: self._write_spherical,
            _DISTANCE: self._write_distance,
        }
        if self.prim.type_name in writers:
            writers[self.prim.type_name]()

    def _write_one_axis(self, *, is_angular: bool) -> None:
        dof = dof_of(self.axis, is_angular=is_angular)
        instance = "angular" if is_angular else "linear"
        _set_axis(self.prim, self.axis)
        allowed, widest = self.dofs.range(dof), self.outer.range(dof)
        if not widest.is_free:
            low, high = _written_bounds(dof, allowed, widest, self.units)
            self.prim.set("physics:lowerLimit", "float", low)
            self.prim.set("physics:upperLimit", "float", high)
            _soften(self.prim, instance, allowed, self.units, is_angular=is_angular)
        if dof in self.dofs.drives:
            _drive(self.prim, instance, self.dofs.drives[dof], self.units)

    def _write_spherical(self) -> None:
        _set_axis(self.prim, self.axis)
        cone = cone_of(self.extent)
        if cone is not None:
            limit = self.settings.limits[self.extent.limits.index(cone[1])]
            for number in (0, 1):
                name = f"physics:coneAngle{number}Limit"
                self.prim.set(name, "float", limit.max * DEGREES)
            soft = Interval(
                min=0.0, max=limit.max, stiffness=limit.stiffness, damping=limit.damping
            )
            _soften(self.prim, CONE, soft, self.units, is_angular=True)

    def _write_distance(self) -> None:
        prim, units, allowed = self.prim, self.units, self.dofs.range(DISTANCE)
        if allowed.min > 0.0 or self.extent is not self.settings:
            prim.set("physics:minDistance", "float", allowed.min * units.length)
        if math.isfinite(allowed.max):
            prim.set("physics:maxDistance", "float", allowed.max * units.length)
        if allowed.is_soft:
            name, factor = "physxPhysicsDistanceJoint:spring", units.spring(is_angular=False)
            prim.apply("PhysxPhysicsDistanceJointAPI")
            prim.set(f"{name}Enabled", "bool", True)
            prim.set(f"{name}Stiffness", "float", allowed.stiffness * factor)
            prim.set(f"{name}Damping", "float", allowed.damping * factor)

    def _write_d6(self) -> None:
        prim, units, ranges = self.prim, self.units, _with_open_swing(self.outer)
        for dof, widest in ranges.items():
            allowed = self.dofs.range(dof) if dof in self.outer.ranges else widest
            low, high = _written_bounds(dof, allowed, widest, units, is_swing=dof in ANGULAR[1:])
            _bound(prim, dof, low, high)
            _soften(prim, dof, allowed, units, is_angular=dof in ANGULAR)
        for dof in AXIS_DOFS:
            if dof not in ranges and not (dof in LINEAR and DISTANCE in ranges):
                # By UsdPhysics an axis without limit is free; Newton locks it.
                _bound(prim, dof, -math.inf, math.inf)
        for dof, drive in self.dofs.drives.items():
            _drive(prim, dof, drive, units)


def _bound(prim: Prim, dof: str, low: float, high: float) -> None:
    prim.apply(f"PhysicsLimitAPI:{dof}")
    prim.set(f"limit:{dof}:physics:low", "float", low)
    prim.set(f"limit:{dof}:physics:high", "float", high)


def _with_open_swing(dofs: Dofs) -> dict[str, Interval]:
    """Return the ranges with a wide one for a swing that is free beside one that is limited.

    PhysX enforces neither where one of them has no limit.
    """
    swings = ANGULAR[1:]
    limited = [dof for dof in swings if not dofs.range(dof).is_free and not dofs.range(dof).is_held]
    free = [dof for dof in swings if dofs.range(dof).is_free]
    ranges = dict(dofs.ranges)
    if limited:
        ranges |= {dof: Interval(min=-_NEARLY_ROUND, max=_NEARLY_ROUND) for dof in free}
    return ranges


def _written_bounds(
    dof: str, found: Interval, widest: Interval, units: Units, *, is_swing: bool = False
) -> tuple[float, float]:
    """Return low and high in units of the stage; a range that allows nothing is a lock.

    One that changes over time is a range as long as its widest one is. `is_swing` is for Y and Z of
    a D6: PhysX drops there what reaches half a turn.
    """
    if widest.is_locked or widest.min > widest.max:
        return 1.0, -1.0
    far = math.inf
    if dof in LINEAR:
        far = FAR
    elif is_swing:
        far = _NEARLY_ROUND
    factor = units.bound(is_angular=dof in ANGULAR)
    return max(found.min, -far) * factor, min(found.max, far) * factor


def _set_axis(prim: Prim, axis: int) -> None:
    prim.set("physics:axis", "token", "XYZ"[axis], is_uniform=True)


def _soften(prim: Prim, instance: str, found: Interval, units: Units, *, is_angular: bool) -> None:
    if found.is_soft:
        factor = units.spring(is_angular=is_angular)
        prim.apply(f"PhysxLimitAPI:{instance}")
        prim.set(f"physxLimit:{instance}:stiffness", "float", found.stiffness * factor)
        prim.set(f"physxLimit:{instance}:damping", "float", found.damping * factor)


def _drive(prim: Prim, instance: str, drive: JointDrive, units: Units) -> None:
    is_angular = drive.type == DriveType.ANGULAR
    is_acceleration = drive.mode == DriveMode.ACCELERATION
    factor = units.drive(is_angular=is_angular, is_acceleration=is_acceleration)
    bound, name = units.bound(is_angular=is_angular), f"drive:{instance}:physics:"
    prim.apply(f"PhysicsDriveAPI:{instance}")
    prim.set(f"{name}type", "token", drive.mode, is_uniform=True)
    if drive.position_target is not None:
        prim.set(f"{name}targetPosition", "float", drive.position_target * bound)
    if drive.velocity_target is not None:
        prim.set(f"{name}targetVelocity", "float", drive.velocity_target * bound)
    prim.set(f"{name}stiffness", "float", drive.stiffness * factor)
    prim.set(f"{name}damping", "float", drive.damping * factor)
    if math.isfinite(drive.max_force):
        largest = drive.max_force * units.effort(is_angular=is_angular)
        prim.set(f"{name}maxForce", "float", largest)


def _set_attributes(prim: Prim, attributes: JointAttributes, kind: str, units: Units) -> None:
    """Set what joints have beyond limits and drives, where it is not the default."""
    if not attributes.enabled:
        prim.set("physics:jointEnabled", "bool", False)
    if not attributes.in_articulation:
        prim.set("physics:excludeFromArticulation", "bool", True, is_uniform=True)
    is_angular = kind != _PRISMATIC
    inertia = units.torque if is_angular else units.mass
    effort = units.effort(is_angular=is_angular)
    numbers = (
        ("physics:breakForce", attributes.break_force, units.force, math.inf),
        ("physics:breakTorque", attributes.break_torque, units.torque, math.inf),
        ("physxJoint:jointFriction", attributes.friction, effort, 0.0),
        ("physxJoint:armature", attributes.armature, inertia, 0.0),
        (
            "physxJoint:maxJointVelocity",
            attributes.velocity,
            units.bound(is_angular=is_angular),
            math.inf,
        ),
    )
    for room, text in attributes.carried:
        if room == "usd":
            restore_unknown(prim, text)
    held = update_aliases(prim, attributes, units)
    for name, value, factor, default in numbers:
        if value != default and _PHYSX_FIELDS.get(name) not in held:
            names = (name, TWINS[name]) if name in TWINS and kind in _INSTANCES else (name,)
            _set_all(prim, names, value * factor)
    if any(name.startswith("physxJoint:") for name in prim.attributes):
        prim.apply("PhysxJointAPI")


def _set_all(prim: Prim, names: Sequence[str], value: float) -> None:
    for name in names:
        prim.set(name, "float", value)


_PHYSX_FIELDS = {
    "physxJoint:jointFriction": "friction",
    "physxJoint:armature": "armature",
    "physxJoint:maxJointVelocity": "velocity",
}


def _set_effort(prim: Prim, dofs: Dofs, effort: float, kind: str, axis: int, units: Units) -> None:
    """Make the effort of the joint's actuator the largest force of its drive.

    A joint without drive gets one that only says so: it has neither stiffness nor damping.
    """
    if kind not in _INSTANCES or not math.isfinite(effort):
        return
    is_angular = kind == _REVOLUTE
    drive = dofs.drives.get(dof_of(axis, is_angular=is_angular))
    name = f"drive:{_INSTANCES[kind]}:physics:"
    if drive is None:
        prim.apply(f"PhysicsDriveAPI:{_INSTANCES[kind]}")
        prim.set(f"{name}type", "token", "force", is_uniform=True)
        prim.set(f"{name}stiffness", "float", 0.0)
        prim.set(f"{name}damping", "float", 0.0)
    largest = effort if drive is None else min(effort, drive.max_force)
    prim.set(f"{name}maxForce", "float", largest * units.effort(is_angular=is_angular))


_INSTANCES = {_REVOLUTE: "angular", _PRISMATIC: "linear"}


def _count_as_author(prim: Prim, attributes: JointAttributes, sign: float) -> float:
    """Count angles of a hinge from its author's zero; return the angle [rad] of that.

    The range and the target grow by it; the connected frame is turned back by the caller. A range
    of a turn and more stands where settings have none.
    """
    if prim.type_name != _REVOLUTE:
        return 0.0
    zero = sign * attributes.zero
    is_driven = prim.get("drive:angular:physics:stiffness", 0.0) > 0.0
    # A target of no effect is kept as it was read.
    for name in (_ANGLES if is_driven else _ANGLES[:2]) if zero else ():
        if name in prim.attributes:
            kind, value = prim.attributes[name]
            prim.set(name, kind, value + zero * DEGREES)
    if attributes.whole_range is not None and _ANGLES[0] not in prim.attributes:
        bounds = sorted(sign * bound * DEGREES for bound in attributes.whole_range)
        for name, bound in zip(_ANGLES, bounds, strict=False):
            prim.set(name, "float", bound)
    return zero


_ANGLES = ("physics:lowerLimit", "physics:upperLimit", "drive:angular:physics:targetPosition")

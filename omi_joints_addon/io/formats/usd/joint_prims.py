"""Joint settings as a joint prim of UsdPhysics: a typed joint where the joint is one, else D6.

Soft limits are PhysX's, since UsdPhysics has none. Bounds that PhysX does not take are written as
the ones that mean the same there (`docs/usd.md`, PhysX accepts less than USD says).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from ....core.findings.loss import How, Noun
from ....core.meaning.axes import Interval
from ....core.model.attributes import JointAttributes
from ....core.model.joint import JointDrive, JointSettings
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
from .joint_aliases import INSTANCES, put_attributes
from .prim import Prim
from .schema import BOUND, DRIVE
from .units import DEGREES, Units, factor_of
from .unknown import restore_unknown
from .values import Values

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
    extent: JointSettings | None = None,
    is_swapped: bool = False,
    is_turned: bool = True,
) -> JointPrim:
    """Return what a joint prim says of settings and attributes.

    Of a joint that changes over time these are the settings at one time, and `extent` is all that
    it has at some time: its type follows from that. With `is_swapped` body0 is the connected
    node's; raises `SwapError` where that cannot be. With `is_turned` the frames of a joint with one
    axis are turned for it, so that every number keeps its sign; files of older releases have other
    signs.
    """
    extent = extent or settings
    carried = {"settings": settings, "attributes": attributes, "swapped": is_swapped}
    plain, sign, shift = (settings, extent), 1.0, 0
    if is_swapped:
        settings, extent, sign = swapped_settings(settings), swapped_settings(extent), -1.0
    dofs, outer = _both_dofs(settings, extent)
    kind, axis = _kind(extent, outer)
    if is_swapped and is_turned and kind in (_REVOLUTE, _PRISMATIC):
        (settings, extent), sign = plain, 1.0
        shift = len(TURNS) + (axis + 1) % 3
        dofs, outer = _both_dofs(settings, extent)
    losses = list(dofs.losses)
    if kind == _SPHERICAL:
        losses = [loss for loss in losses if loss[0] != Noun.LIMIT]
    twist = twist_axis_of(extent, outer)
    if kind == _D6 and twist is not None:
        shift = -twist % 3
        dofs, outer = _both_dofs(*(turned_settings(s, TURNS[shift]) for s in (settings, extent)))
    prim = Prim(type_name=kind)
    values = Values(prim, units)
    _JointWriter(values, settings, dofs, extent, outer, axis).write()
    _set_attributes(values, attributes)
    _set_effort(values, dofs, attributes.effort, axis)
    zero = axis, _count_as_author(prim, attributes, sign)
    if any(found.is_soft for found in dofs.ranges.values()):
        losses.append(_SOFT_IN_PHYSX)
    prim.carry("joint", _carrier_text(carried | {"shift": shift}))
    return JointPrim(prim, shift, zero, tuple(losses))


def _both_dofs(settings: JointSettings, extent: JointSettings) -> tuple[Dofs, Dofs]:
    """Return what settings limit and drive, and what they do at some time."""
    dofs = joint_dofs(settings)
    return dofs, dofs if extent == settings else joint_dofs(extent)


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

    values: Values
    settings: JointSettings
    dofs: Dofs
    extent: JointSettings
    """Settings with all that the joint has at some time."""
    outer: Dofs
    """What these limit and drive."""
    axis: int

    def write(self) -> None:
        """Write by the type of the prim."""
        writers: dict[str, Callable[[], None]] = {
            _D6: self._write_d6,
            _REVOLUTE: self._write_one_axis,
            _PRISMATIC: self._write_one_axis,
            _SPHERICAL: self._write_spherical,
            _DISTANCE: self._write_distance,
        }
        if self.values.prim.type_name in writers:
            writers[self.values.prim.type_name]()

    def _write_one_axis(self) -> None:
        instance = INSTANCES[self.values.prim.type_name]
        dof = dof_of(self.axis, is_angular=instance == "angular")
        self.values.put("physics:axis", "XYZ"[self.axis])
        allowed, widest = self.dofs.range(dof), self.outer.range(dof)
        if not widest.is_free:
            low, high = self._bounds(dof, allowed, widest)
            self.values.put("physics:lowerLimit", low)
            self.values.put("physics:upperLimit", high)
            self._soften(instance, allowed)
        if dof in self.dofs.drives:
            self.values.put_record(DRIVE, self.dofs.drives[dof], instance)

    def _write_spherical(self) -> None:
        self.values.put("physics:axis", "XYZ"[self.axis])
        cone = cone_of(self.extent)
        if cone is not None:
            limit = self.settings.limits[self.extent.limits.index(cone[1])]
            for number in (0, 1):
                self.values.put(f"physics:coneAngle{number}Limit", limit.max)
            soft = Interval(0.0, limit.max, limit.stiffness, limit.damping)
            self._soften(CONE, soft)

    def _write_distance(self) -> None:
        allowed, name = self.dofs.range(DISTANCE), "physxPhysicsDistanceJoint:spring"
        if allowed.min > 0.0 or self.extent is not self.settings:
            self.values.put("physics:minDistance", allowed.min)
        if math.isfinite(allowed.max):
            self.values.put("physics:maxDistance", allowed.max)
        if allowed.is_soft:
            self.values.put(f"{name}Enabled", True)
            self.values.put(f"{name}Stiffness", allowed.stiffness, "linear")
            self.values.put(f"{name}Damping", allowed.damping, "linear")

    def _write_d6(self) -> None:
        ranges = _with_open_swing(self.outer)
        for dof, widest in ranges.items():
            allowed = self.dofs.range(dof) if dof in self.outer.ranges else widest
            low, high = self._bounds(dof, allowed, widest, is_swing=dof in ANGULAR[1:])
            self._bound(dof, low, high)
            self._soften(dof, allowed)
        for dof in AXIS_DOFS:
            if dof not in ranges and not (dof in LINEAR and DISTANCE in ranges):
                # By UsdPhysics an axis without limit is free; Newton locks it.
                self._bound(dof, -math.inf, math.inf)
        for dof, drive in self.dofs.drives.items():
            self.values.put_record(DRIVE, drive, dof)

    def _bounds(
        self, dof: str, allowed: Interval, widest: Interval, *, is_swing: bool = False
    ) -> tuple[float, float]:
        """Return low and high; a range that allows nothing is a lock, by one unit of the stage.

        One that changes over time is a range as long as its widest one is. `is_swing` is for Y and
        Z of a D6: PhysX drops there what reaches half a turn.
        """
        if widest.is_locked or widest.min > widest.max:
            one = 1.0 / factor_of(self.values.units, BOUND, is_angular=dof in ANGULAR)
            return one, -one
        far = math.inf
        if dof in LINEAR:
            far = FAR
        elif is_swing:
            far = _NEARLY_ROUND
        return max(allowed.min, -far), min(allowed.max, far)

    def _bound(self, dof: str, low: float, high: float) -> None:
        self.values.put("limit:{}:physics:low", low, dof)
        self.values.put("limit:{}:physics:high", high, dof)

    def _soften(self, instance: str, allowed: Interval) -> None:
        if allowed.is_soft:
            self.values.put("physxLimit:{}:stiffness", allowed.stiffness, instance)
            self.values.put("physxLimit:{}:damping", allowed.damping, instance)


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


def _set_attributes(values: Values, attributes: JointAttributes) -> None:
    """Set what joints have beyond limits and drives, where it is not the default."""
    prim = values.prim
    for room, text in attributes.carried:
        if room == "usd":
            restore_unknown(prim, text)
    put_attributes(values, attributes)
    if any(name.startswith("physxJoint:") for name in prim.attributes):
        prim.apply("PhysxJointAPI")


def _set_effort(values: Values, dofs: Dofs, effort: float, axis: int) -> None:
    """Make the effort of the joint's actuator the largest force of its drive.

    A joint without drive gets one that only says so: it has neither stiffness nor damping.
    """
    instance = INSTANCES.get(values.prim.type_name)
    if instance is not None and math.isfinite(effort):
        dof = dof_of(axis, is_angular=instance == "angular")
        drive = dofs.drives.get(dof, JointDrive())
        limited = replace(drive, max_force=min(effort, drive.max_force))
        values.put_record(DRIVE, limited, instance)


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

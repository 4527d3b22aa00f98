"""Joint prims whose values change over time: settings at rest, and what changes of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.model.animation import ENABLE_COLLISION
from ....core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ....core.model.pose import Array
from ....core.rewrite.turning import FRAME_TURNS
from .animation_writing import COLLIDE
from .dofs import ANGULAR, AXIS_DOFS, DISTANCE
from .joint_reading import MISPRINTS, JointRead, read_joint
from .prim import Prim
from .rules import ANIMATED_VALUE
from .schema import Row, row_of
from .time_samples import Keys, Samples, keys_of
from .units import Units
from .values import Values, bound_in

_RANGES = (
    ("physics:lowerLimit", "physics:upperLimit"),
    *((f"limit:{dof}:physics:low", f"limit:{dof}:physics:high") for dof in (*AXIS_DOFS, DISTANCE)),
)
_LOW = ("low", "lowerLimit", "minDistance")
_CHANGING = ("limits", "drives")
"""Records whose numbers may change."""


@dataclass(frozen=True, slots=True)
class Change:
    """What changes over time of one joint, as in `Track`, with keys in time codes."""

    kind: str
    number: int
    member: str
    keys: Keys
    rest: float


def read_animated_joint(
    prim: Prim, samples: Mapping[str, Samples], units: Units
) -> tuple[JointRead, tuple[Change, ...]]:
    """Return what a prim says at rest, and what changes of that; the rest is among its findings.

    A limit or drive that is there at some time only is always there, so that it can change.
    """
    samples = _unlocked(prim, samples)
    if prim.data.get("joint"):
        read = read_joint(prim, units)
        reading = _Changes(prim, samples, units, read)
        if not reading.unread:
            return read, reading.changes
    widest = replace(prim, attributes=prim.attributes | _extremes(prim, samples), data={})
    read = read_joint(widest, units)
    reading = _Changes(prim, samples, units, read)
    settings = _at_rest(read.settings, reading.changes)
    left = [ANIMATED_VALUE(prim.path, name=name) for name in reading.unread]
    return replace(read, settings=settings, findings=(*read.findings, *left)), reading.changes


def _unlocked(prim: Prim, samples: Mapping[str, Samples]) -> dict[str, Samples]:
    """Return samples with locks, whose low is above high, as ranges without extent."""
    found = dict(samples)
    for names in _RANGES:
        moving = [samples[name].codes for name in names if name in samples]
        if not moving:
            continue
        codes = np.unique(np.concatenate(moving))
        low, high = (_numbers(prim, samples, name, codes) for name in names)
        if (low > high).any():
            for name, values in zip(names, (low, high), strict=True):
                bounds = np.where(low > high, 0.0, values)
                found[name] = Samples(codes, tuple(bounds.tolist()))
    return found


def _numbers(prim: Prim, samples: Mapping[str, Samples], name: str, codes: Array) -> Array:
    numbers = samples[name].numbers() if name in samples else None
    if numbers is not None:
        return np.interp(codes, samples[name].codes, numbers)
    return np.full(len(codes), _bound(prim, name))


def _bound(prim: Prim, name: str) -> float:
    return bound_in(prim, name, -math.inf if name.endswith(_LOW) else math.inf)


def _extremes(prim: Prim, samples: Mapping[str, Samples]) -> dict[str, tuple[str, Any]]:
    """Return the values with which all is there that is there at some time."""
    found = {}
    for name, each in samples.items():
        numbers = each.numbers()
        if numbers is not None and not isinstance(each.values[0], bool):
            value = numbers.min() if name.endswith(_LOW) else numbers.max()
            found[name] = (prim.attributes[name][0], float(value))
    return found


def _at_rest(settings: JointSettings, changes: tuple[Change, ...]) -> JointSettings:
    parts: dict[str, list[Any]] = {
        "limits": list(settings.limits),
        "drives": list(settings.drives),
    }
    for change in changes:
        if change.kind:
            elements = parts[change.kind]
            rest = {change.member: change.rest}
            elements[change.number] = replace(elements[change.number], **rest)
    return replace(settings, limits=tuple(parts["limits"]), drives=tuple(parts["drives"]))


@dataclass(eq=False)
class _Changes:
    """The samples of a prim as changes of the settings in `read`."""

    prim: Prim
    samples: Mapping[str, Samples]
    units: Units
    read: JointRead

    def __post_init__(self) -> None:
        found = {name: self._change(name) for name in self.samples}
        self.changes = tuple(change for change in found.values() if change is not None)
        self.unread = [name for name, change in found.items() if change is None]

    def _change(self, name: str) -> Change | None:
        """Return the change that the samples of an attribute are, None where there is none."""
        numbers = self.samples[name].numbers()
        if numbers is None or not self._is_single(name):
            return None
        if name == COLLIDE:
            keys = keys_of(self.samples[name], numbers)
            return Change("", 0, ENABLE_COLLISION, keys, float(self.read.enable_collision))
        row, dof = row_of(name) or (None, "")
        if row is None or row.record not in _CHANGING or row.member == "mode":
            return None
        return self._part(name, row, dof, numbers)

    def _is_single(self, name: str) -> bool:
        """Return whether an attribute is not half of a cone whose angles differ."""
        if not name.startswith("physics:coneAngle"):
            return True
        one, other = (self.samples.get(f"physics:coneAngle{n}Limit") for n in (0, 1))
        return one is not None and other is not None and one.values == other.values

    def _part(self, name: str, row: Row, dof: str, numbers: Array) -> Change | None:
        kind, member = row.record, row.member
        axes, is_angular = self._axes(dof)
        elements: tuple[Any, ...] = getattr(self.read.settings, kind)
        at = [n for n, each in enumerate(elements) if _is_about(each, axes, is_angular=is_angular)]
        if len(at) != 1:
            return None
        instance = dof or ("angular" if is_angular else "linear")
        factor = Values(self.prim, self.units).factor(row, instance)
        zero = self.read.zero if len(axes) == 1 and is_angular else 0.0
        shift = zero if member in ("min", "max", "position_target") else 0.0
        values = np.append(numbers, self._rest(name, numbers[0])) / factor - shift
        if self.read.sign < 0.0 and len(axes) == 1:
            member, values = _swapped(member, values)
        keys = keys_of(self.samples[name], values[:-1])
        return Change(kind, at[0], member, keys, float(values[-1]))

    def _rest(self, name: str, first: float) -> float:
        """Return the value of an attribute at rest: of a lock zero."""
        for names in _RANGES:
            if name in names:
                low, high = (_bound(self.prim, each) for each in names)
                return 0.0 if low > high else _bound(self.prim, name)
        return bound_in(self.prim, name, first)

    def _axes(self, dof: str) -> tuple[tuple[int, ...], bool]:
        """Return the axes of the settings that a degree of freedom is about; empty is the type's.

        Whether they are angular, too.
        """
        kind = self.prim.type_name
        kind = MISPRINTS.get(kind, kind)
        if dof == DISTANCE or kind == "PhysicsDistanceJoint":
            return (0, 1, 2), False
        if dof in AXIS_DOFS:
            axis, is_angular = AXIS_DOFS.index(dof) % 3, dof in ANGULAR
        else:
            axis = "XYZ".index(Values(self.prim).get("physics:axis"))
            is_angular = kind != "PhysicsPrismaticJoint"
        if kind == "PhysicsSphericalJoint":
            return tuple(sorted(((axis + 1) % 3, (axis + 2) % 3))), True
        return (FRAME_TURNS[self.read.shift].sources[axis],), is_angular


def _is_about(element: JointLimit | JointDrive, axes: tuple[int, ...], *, is_angular: bool) -> bool:
    if isinstance(element, JointDrive):
        return (element.axis,) == axes and (element.type == DriveType.ANGULAR) == is_angular
    own = (element.linear_axes, element.angular_axes)
    return own == (((), axes) if is_angular else (axes, ()))


def _swapped(member: str, values: Array) -> tuple[str, Array]:
    """Return the member and values of one axis for ends that have changed places."""
    if member in ("min", "max"):
        return ("max" if member == "min" else "min"), -values
    return member, -values if member in ("position_target", "velocity_target") else values

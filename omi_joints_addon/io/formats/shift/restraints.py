"""Springs, dampers and soft limits: piecewise polynomials of Shift to limits and drives and back.

A restraint gives the force as -f(φ) of a joint's position or velocity, or of a distance; f is one
polynomial for each stretch between its knots, coefficients highest power first. A joint's own
`stiffness` and `damping` have theirs lowest power first: a vehicle's [-15580, 58500] is the preload
of its spring [N] and its rate [N/m].
"""

import math
from dataclasses import dataclass

from ....core.model.joint import DriveType, JointDrive, JointLimit
from ....core.model.numbers import are_usable
from ....core.model.plain import JsonObject
from .units import Units

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Law:
    """What a restraint does, along or about whichever axis it is for."""

    stiffness: float = 0.0
    """[N/m or N·m/rad]."""
    damping: float = 0.0
    """[N·s/m or N·m·s/rad]."""
    min: float = 0.0
    """Where the spring begins from below [m or rad]; -inf is nowhere."""
    max: float = 0.0
    """Where it begins from above; equal to `min` for a spring without play."""

    def in_si(self, units: Units, *, is_angular: bool) -> "Law":
        """Return the law of a file in other units in SI."""
        position = units.position(is_angular=is_angular)
        return Law(
            stiffness=self.stiffness * units.stiffness(is_angular=is_angular),
            damping=self.damping * units.damping(is_angular=is_angular),
            min=self.min * position,
            max=self.max * position,
        )

    def drive(self, *, is_angular: bool, axis: int) -> JointDrive | None:
        """Return the drive that does it on one axis, None where a soft limit is meant."""
        if self.min != self.max:
            return None
        return JointDrive(
            type=DriveType.ANGULAR if is_angular else DriveType.LINEAR,
            axis=axis,
            position_target=self.min if self.stiffness else None,
            velocity_target=0.0 if self.damping else None,
            stiffness=self.stiffness,
            damping=self.damping,
        )

    def limit(self, *, linear: tuple[int, ...] = (), angular: tuple[int, ...] = ()) -> JointLimit:
        """Return the soft limit that does it on some axes."""
        return JointLimit(
            linear_axes=linear,
            angular_axes=angular,
            min=self.min,
            max=self.max,
            stiffness=self.stiffness,
            damping=self.damping,
        )


def law_of_restraint(members: JsonObject) -> Law | None:
    """Return what a restraint does; None where limits and drives cannot say it."""
    kind, knots = members.get("type"), _list(members.get("knot_points", []))
    pieces = members.get("coefficients")
    if knots is None or not isinstance(pieces, list) or len(pieces) != len(knots) + 1:
        return None
    lines = [_line(piece) for piece in pieces]
    if kind == "damper" and not knots and lines[0] is not None:
        rate, constant = lines[0]
        return Law(damping=rate) if constant == 0.0 and rate >= 0.0 else None
    return _spring(knots, lines) if kind == "spring" else None


def law_of_joint(members: JsonObject) -> tuple[Law | None, bool]:
    """Return what `stiffness` and `damping` do, None for nothing, and whether that is all."""
    spring = _list(members.get("stiffness", [])) or []
    damper = _list(members.get("damping", members.get("damping_coefficients", []))) or []
    preload, rate = (*spring, 0.0, 0.0)[:2]
    friction, damping = (*damper, 0.0, 0.0)[:2]
    is_whole = not any((*spring[2:], *damper[2:], friction))
    if rate <= 0.0:
        is_whole, rate, preload = is_whole and not (rate or preload), 0.0, 0.0
    if damping < 0.0:
        is_whole, damping = False, 0.0
    if not (rate or damping):
        return None, is_whole
    rest = -preload / rate if rate else 0.0
    return Law(stiffness=rate, damping=damping, min=rest, max=rest), is_whole


def restraints_of_limit(limit: JointLimit) -> list[JsonObject]:
    """Return the restraints that say a soft limit; what they belong to is left to add."""
    k, found = limit.stiffness, []
    knots, pieces = [], [[0.0]]
    if limit.min == limit.max:
        pieces = [[k, -k * limit.min]]
    else:
        if math.isfinite(limit.min):
            knots, pieces = [limit.min], [[k, -k * limit.min], [0.0]]
        if math.isfinite(limit.max):
            knots, pieces = [*knots, limit.max], [*pieces, [k, -k * limit.max]]
    if k:
        found.append({"type": "spring", "knot_points": knots, "coefficients": pieces})
    return found


def restraints_of_drive(drive: JointDrive) -> list[JsonObject]:
    """Return the restraints that say a spring and damper; what they belong to is left to add."""
    found: list[JsonObject] = []
    if drive.position_target is not None and drive.stiffness:
        line = [drive.stiffness, -drive.stiffness * drive.position_target]
        found.append({"type": "spring", "knot_points": [], "coefficients": [line]})
    if drive.velocity_target == 0.0 and drive.damping:
        line = [drive.damping, 0.0]
        found.append({"type": "damper", "knot_points": [], "coefficients": [line]})
    return found


def _spring(knots: list[float], lines: list[tuple[float, float] | None]) -> Law | None:
    """Return a spring, with play between knots where there are some."""
    if any(line is None for line in lines):
        return None
    known = [line for line in lines if line is not None]
    if not knots:
        rate, constant = known[0]
        rest = -constant / rate if rate else 0.0
        return Law(stiffness=rate, min=rest, max=rest) if rate > 0.0 else None
    bounds = _bounds(knots, known)
    rates = {line[0] for line in known if line != (0.0, 0.0)}
    if bounds is None or len(rates) != 1 or min(rates) <= 0.0:
        return None
    low, high = bounds
    rate = rates.pop()
    begins = zip((known[0], known[-1]), (low, high), strict=True)
    is_even = all(_meets(line, rate, knot) for line, knot in begins if math.isfinite(knot))
    return Law(stiffness=rate, min=low, max=high) if is_even else None


def _bounds(knots: list[float], lines: list[tuple[float, float]]) -> tuple[float, float] | None:
    """Return where a spring of one or two knots begins from below and above."""
    none = (0.0, 0.0)
    if len(knots) == 2 and knots[0] <= knots[1] and lines[1] == none:
        return knots[0], knots[1]
    if len(knots) == 1 and lines[1] == none:
        return knots[0], math.inf
    if len(knots) == 1 and lines[0] == none:
        return -math.inf, knots[0]
    return None


def _meets(line: tuple[float, float], rate: float, knot: float) -> bool:
    """Return whether a line is zero at its knot, so that the force does not jump there."""
    return math.isclose(line[1], -rate * knot, rel_tol=_EQUAL, abs_tol=_EQUAL)


def _line(piece: object) -> tuple[float, float] | None:
    """Return slope and constant of a polynomial, highest power first; None for higher powers."""
    numbers = _list(piece)
    if not numbers or any(numbers[:-2]):
        return None
    slope, constant = (0.0, *numbers)[-2:]
    return slope, constant


def _list(value: object) -> list[float] | None:
    """Return finite numbers, None unless the value is a list of such."""
    if not isinstance(value, list) or any(isinstance(item, bool | str) for item in value):
        return None
    try:
        numbers = [float(item) for item in value]
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if are_usable(numbers) else None

"""Rows of what joints have beyond limits and drives: rotor, dry friction, largest velocity, effort.

They act along or about the only free axis of a joint.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..findings.finding import INFO, Finding, rule
from ..meaning.coupling import only_freedom_of
from ..meaning.freedom import freedoms
from ..model.attributes import JointAttributes
from ..model.joint import JointSettings
from .rows import Form, Row, Side

LEFT_OUT = rule(
    "OMI-P018",
    INFO,
    "the preview leaves out the joint's {what}, since {why}",
    reason="Armature, friction, largest velocity and effort act on the only free axis of a joint.",
)
_NAMES = {
    "effort": "effort",
    "velocity": "largest velocity",
    "friction": "friction",
    "armature": "armature",
}
_SEVERAL_AXES = "the joint has more than one free axis"
_SEVERAL_BOUNDS = "several drives of the axis have bounds of their own or differ in mode"
_NOTHING_MOVES = "nothing could move with {value:g}"


def with_attributes(
    rows: list[Row],
    settings: JointSettings,
    attributes: JointAttributes,
    place: str,
    findings: list[Finding],
) -> list[Row]:
    """Return the rows of joint `settings` with those of its attributes; add what is left out."""
    freedom, own = only_freedom_of(settings), dict(_acting(attributes))
    left_out = _left_out(own)
    if freedom is None:
        if freedoms(settings):
            left_out = dict.fromkeys(own, _SEVERAL_AXES) | left_out
    else:
        form = Form.DISTANCE_ALONG if freedom.is_linear else Form.TWIST
        row = Row(form=form, axis=freedom.axis, center=0.0, stiffness=math.inf, is_rate=True)
        own = {name: value for name, value in own.items() if name not in left_out}
        bounded = _with_effort(rows, row, own["effort"]) if "effort" in own else rows
        if bounded is None:
            left_out["effort"] = _SEVERAL_BOUNDS
        rows = [*(bounded or rows), *_rate_rows(row, own)]
    findings += [LEFT_OUT(place, what=_NAMES[name], why=why) for name, why in left_out.items()]
    return rows


def _left_out(own: dict[str, float]) -> dict[str, str]:
    """Return which attributes never act, and why."""
    result: dict[str, str] = {}
    for name in ("effort", "velocity"):
        if own.get(name, math.inf) <= 0.0:
            result[name] = _NOTHING_MOVES.format(value=own[name])
    return result


def _acting(attributes: JointAttributes) -> Iterator[tuple[str, float]]:
    """Yield the attributes that have a value."""
    for name in _NAMES:
        value = getattr(attributes, name)
        is_bound = name not in ("friction", "armature")
        if math.isfinite(value) and (is_bound or value > 0.0):
            yield name, value


def _rate_rows(row: Row, own: dict[str, float]) -> Iterator[Row]:
    """Yield the rows along `row` that act on the rate."""
    if "armature" in own:
        yield replace(row, armature=own["armature"])
    if "friction" in own:
        yield replace(row, max_force=own["friction"])
    if "velocity" in own:
        yield replace(row, side=Side.UPPER, velocity=own["velocity"])
        yield replace(row, side=Side.LOWER, velocity=-own["velocity"])


def _with_effort(rows: list[Row], along: Row, effort: float) -> list[Row] | None:
    """Return rows whose actuators give no more than `effort` [N or N·m] together, None if unable.

    Drives that only damp stand for the joint's own friction, which no actuator gives.
    """
    drives = [row for row in rows if row.is_drive and _way(row) == _way(along)]
    actuators = [row for row in drives if row.stiffness or row.velocity or row.is_bounded]
    if sum(row.max_force for row in actuators) <= effort:
        return rows
    is_alike = len({row.is_acceleration for row in actuators}) == 1
    if len(actuators) > 1 and (any(row.is_bounded for row in actuators) or not is_alike):
        return None
    total = _sum(actuators)
    bounded = replace(total, max_force=min(total.max_force, effort))
    return [*(row for row in rows if row not in actuators), bounded]


def _sum(drives: Sequence[Row]) -> Row:
    """Return the one drive that gives the force of all, which have no bounds of their own."""
    stiffness, damping = (sum(getattr(row, name) for row in drives) for name in _GAINS)
    center = sum(row.stiffness * row.center for row in drives) / (stiffness or 1.0)
    velocity = sum(row.damping * row.velocity for row in drives) / (damping or 1.0)
    return replace(
        drives[0], stiffness=stiffness, damping=damping, center=center, velocity=velocity
    )


_GAINS = ("stiffness", "damping")


def _way(row: Row) -> tuple[Form, int]:
    return row.form, row.axis

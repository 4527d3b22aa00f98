"""Faults of limits and drives."""

from collections.abc import Iterator
from typing import Any

from .dialects import Json
from .fault import Change, Fault, added_limit, driving, fault, limit, settings


def of_limits() -> Iterator[Fault]:
    yield fault("limit_without_axes", "a limit names no axes", "J101", limit(angularAxes=None))
    yield fault("limit_without_bounds", "neither min nor max", "J102", limit(min=None, max=None))
    yield fault("limit_reversed", "min is above max", "J103", limit(min=1.0, max=-1.0))
    yield fault(
        "limits_contradict",
        "two limits on one axis have nothing in common",
        "J107",
        added_limit(angularAxes=[2], min=1.5, max=2.0),
    )
    yield fault("limit_in_degrees", "90 radians", "J106 J113", limit(min=-90.0, max=90.0))
    yield fault(
        "limit_in_millimeters",
        "300 meters",
        "J114",
        lambda document: settings(document)["limits"].append(
            {"linearAxes": [2], "min": -300.0, "max": 300.0}
        ),
    )
    yield fault(
        "limit_of_rounding", "a lock but for rounding", "J115", limit(min=1.0, max=1.0000001)
    )
    yield fault("limit_axis_3", "axes are 0, 1 and 2", "J430", limit(angularAxes=[3]))
    yield fault("limit_axis_twice", "an axis is named twice", "J431", limit(angularAxes=[2, 2]))
    yield fault("limit_min_text", "min is a text", "J421", limit(min="wide"))
    yield fault(
        "limit_damping_negative", "damping is negative", "J423", limit(stiffness=10.0, damping=-1.0)
    )
    yield fault(
        "limit_undamped", "a soft limit without damping rings", "J109", limit(stiffness=10.0)
    )
    yield fault(
        "limit_min_negative",
        "a distance from an axis is never negative",
        "J104",
        added_limit(angularAxes=[0, 1], min=-0.5, max=0.5),
    )
    yield fault(
        "limit_max_negative",
        "a distance from an axis is never negative",
        "J105",
        added_limit(angularAxes=[0, 1], min=-0.5, max=-0.2),
    )
    yield fault(
        "limits_overlap",
        "two limits on one axis: the narrower range applies",
        "J108",
        added_limit(angularAxes=[2], min=-0.5, max=0.5),
    )
    yield fault(
        "limit_with_a_hole",
        "a cone with a hole in its middle",
        "J110",
        limit(angularAxes=[1, 2], min=0.2, max=0.5),
    )
    yield fault(
        "limit_of_meters_and_radians",
        "one number for meters and radians",
        "J111",
        added_limit(linearAxes=[2], angularAxes=[2], min=-0.5, max=0.5),
    )
    yield fault("limit_min_endless", "JSON has no infinity", "J422", limit(min=-1e300))
    yield fault("limit_is_a_number", "a limit is an object", "J426", _with_limit(4))
    yield fault("limit_member_unknown", "a member that nobody knows", "J406", limit(hardness=3.0))


def _with_limit(value: Any) -> Change:
    return lambda document: settings(document)["limits"].append(value)


def of_drives() -> Iterator[Fault]:
    yield fault("drive_without_type", "type is required", "J427", driving(type=None))
    yield fault("drive_without_mode", "mode is required", "J427", driving(mode=None))
    yield fault("drive_without_axis", "axis is required", "J428", driving(axis=None))
    yield fault(
        "drive_without_target",
        "no target: the drive does nothing",
        "J201",
        driving(velocityTarget=None),
    )
    yield fault(
        "drive_beyond_limit",
        "the target is outside of the limits",
        "J205",
        driving(positionTarget=2.0, stiffness=10.0),
    )
    yield fault(
        "drive_too_stiff",
        "the body would swing 4,300 times a second",
        "J208",
        driving(positionTarget=0.5, stiffness=4e8),
    )
    yield fault(
        "drive_too_damped",
        "the body needs 1,000 seconds for most of the way",
        "J209",
        driving(positionTarget=0.5, stiffness=10.0, damping=10000.0),
    )
    yield fault(
        "drive_without_stiffness",
        "a position target without stiffness",
        "J202",
        driving(velocityTarget=None, positionTarget=0.5),
    )
    yield fault(
        "drive_without_damping", "a velocity target without damping", "J203", driving(damping=0.0)
    )
    yield fault("drives_on_one_axis", "two drives on one axis", "J204", _twice(driving()))
    yield fault("drive_on_locked_axis", "a drive on a locked axis", "J206", driving(axis=0))
    yield fault("drive_without_force", "a drive without force", "J207", driving(maxForce=0.0))


def _twice(change: Change) -> Change:
    def changed(document: Json) -> None:
        change(document)
        settings(document)["drives"] *= 2

    return changed

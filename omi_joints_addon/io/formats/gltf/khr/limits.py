"""Limits of KHR_physics_rigid_bodies: one kind of axes each, with lower bounds for its clients.

Over two or three axes the metric is a distance or an unsigned angle, so a minimum of 0 or less has
no effect. Clients need one all the same: without a minimum Havok opens a cone of 30° to 167° and
holds a ball at 0, and a minimum of 0 locks a cone there (measured with the extension author's
loader 0.6.0 for Babylon.js). `-max`, and 0 over three linear axes, is right in all of them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .....core.findings.finding import ERROR, Finding, rule
from .....core.findings.words import limit_part
from .....core.model.joint import JointLimit

BOTH_KINDS = rule(
    "OMI-K001",
    ERROR,
    "limit {number} names linear and angular axes; make it two limits",
    reason="KHR_physics_rigid_bodies: a limit has either linearAxes or angularAxes. "
    "OMI_physics_joint allows both.",
)


def khr_limits(limit: JointLimit) -> Iterator[JointLimit]:
    """Yield limits that mean the same, each over one kind of axes, without idle minimums."""
    if limit.linear_axes and limit.angular_axes:
        yield _without_idle_minimum(replace(limit, angular_axes=()))
        yield _without_idle_minimum(replace(limit, linear_axes=()))
    elif limit.linear_axes or limit.angular_axes:
        yield _without_idle_minimum(limit)


def numbers_in_khr(limits: Sequence[JointLimit], number: int) -> range:
    """Return the numbers in a file of the limits that one of a joint's becomes."""
    counts = [len(list(khr_limits(limit))) for limit in limits]
    first = sum(counts[:number])
    return range(first, first + sum(counts[number : number + 1]))


def number_before(limits: Sequence[JointLimit], number: int, count: int) -> int:
    """Return the number of the joint's limit that one of `count` in a file is a part of.

    Where the file has other limits than these make, the number is the same.
    """
    owners = [owner for owner, limit in enumerate(limits) for _ in khr_limits(limit)]
    return owners[number] if len(owners) == count and number < count else number


def written_limit(limit: JointLimit) -> JointLimit:
    """Return a limit of one kind of axes with the minimum that clients need."""
    has_none = limit.min == -math.inf and _is_unsigned(limit)
    return replace(limit, min=_idle_minimum(limit)) if has_none else limit


def read_limit(limit: JointLimit) -> JointLimit:
    """Return a limit of a file without the minimum that is there for clients only."""
    is_idle = _is_unsigned(limit) and limit.min == _idle_minimum(limit)
    return replace(limit, min=-math.inf) if is_idle else limit


def both_kinds(limits: Sequence[JointLimit], pointer: str) -> Iterator[Finding]:
    """Yield the limits of the settings at a pointer that KHR does not allow."""
    for index, limit in enumerate(limits):
        if limit.linear_axes and limit.angular_axes:
            yield BOTH_KINDS(pointer + limit_part(index), number=index + 1)


def _without_idle_minimum(limit: JointLimit) -> JointLimit:
    is_idle = _is_unsigned(limit) and -math.inf < limit.min <= 0.0
    return replace(limit, min=-math.inf) if is_idle else limit


def _is_unsigned(limit: JointLimit) -> bool:
    """Return whether the metric is never negative, and bounded above 0."""
    return len(limit.linear_axes) + len(limit.angular_axes) > 1 and 0.0 < limit.max < math.inf


def _idle_minimum(limit: JointLimit) -> float:
    return 0.0 if len(limit.linear_axes) == 3 else -limit.max

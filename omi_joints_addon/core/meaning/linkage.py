"""Ranges of joints that others follow: as far as none of them leaves its own."""

import math
from collections.abc import Collection, Iterator

import numpy as np

from ..model.graph import WORLD, joint_ends
from ..model.pose import Array
from ..model.scene import Joint
from .authored import authored_range
from .axes import joint_axes
from .coupling import GearTrain
from .freedom import Freedom, freedoms
from .kinematics import Kinematics

Range = tuple[float, float]
_BEYOND = 1e-6
"""How far beyond a root [m or rad] a curve is looked at, to see whether it leaves a range there."""


def range_of(joint: Joint, freedom: Freedom) -> Range:
    """Return the ends of a degree of freedom [m or rad], also those of a turn and more.

    Of joints with several axes angles are within half a turn.
    """
    axis = joint_axes(joint.settings).all[freedom.number]
    if freedom.is_linear or len(freedoms(joint.settings)) > 1:
        half = math.inf if freedom.is_linear else math.pi
        return max(axis.min, -half), min(axis.max, half)
    if joint.attributes.whole_range is None:
        return axis.min, axis.max
    low, high = authored_range(joint.settings, joint.attributes)
    return low - joint.attributes.zero, high - joint.attributes.zero


def rooms(tree: Kinematics) -> dict[int, Range]:
    """Return the ranges of joints that others follow, by their numbers.

    Around rest, as far as all that follow are within their own ranges. Those that are not at rest
    do not count.
    """
    curves: dict[int, tuple[int, np.poly1d]] = {}
    found: dict[int, Range] = {}
    for each in tree.couplings:
        here = each.source, np.poly1d((1.0, 0.0))
        leader, above = curves.get(each.source, here)
        curve = np.poly1d(each.coefficients[::-1])(above)
        curves[each.joint] = leader, curve
        freedom, own = tree.freedoms.get(leader), tree.freedoms.get(each.joint)
        if freedom is None or own is None:
            continue
        low, high = found.get(leader, range_of(tree.scene.joints[leader], freedom))
        start = float(tree.rest[leader, freedom.number])
        least, most = _room(curve, start, range_of(tree.scene.joints[each.joint], own))
        found[leader] = max(low, least), min(high, most)
    return found


def led(tree: Kinematics, number: int, values: Array) -> Array:
    """Return values (j, 6) in which what a joint follows is where it puts the joint.

    Raises `CannotFollowError` where no single position does.
    """
    freedom, result = tree.freedoms.get(number), values.copy()
    if freedom is not None and any(each.joint == number for each in tree.couplings):
        train = GearTrain(tree.scene, number)
        for joint, at in train.positions(float(values[number, freedom.number])).items():
            own = tree.freedoms.get(joint)
            if own is not None:
                result[joint, own.number] = at
    return tree.with_followers(result)


def leaders_of(tree: Kinematics, numbers: Collection[int]) -> set[int]:
    """Return the joints that any of some joints follow, directly or by others."""
    found: set[int] = set()
    for each in reversed(tree.couplings):
        if each.joint in numbers or each.joint in found:
            found.add(each.source)
    return found


def loop_of(tree: Kinematics, number: int) -> set[int]:
    """Return the joints of the tree that a joint closes to a loop."""
    one, other = (tree.path(body) for body in joint_ends(tree.scene).pairs()[number])
    return {*one}.symmetric_difference(other)


def loops_with(tree: Kinematics, moving: Collection[int]) -> tuple[int, ...]:
    """Return the joints that close loops of which a joint moves.

    A joint between what stays and what floats closes none.
    """
    scene, pairs = tree.scene, joint_ends(tree.scene).pairs()
    still = {WORLD, *(body for body in scene.motions if not scene.is_dynamic(body))}
    found = []
    for number in tree.tree.loops:
        roots = {tree.root(body) for body in pairs[number]}
        is_closed = len(roots) == 1 or roots <= still
        is_moved = not loop_of(tree, number).isdisjoint(moving)
        if is_closed and is_moved and scene.joints[number].attributes.enabled:
            found.append(number)
    return tuple(found)


def _room(curve: np.poly1d, start: float, wanted: Range) -> Range:
    """Return how far from `start` a curve is within a range, infinite where it was not at first."""
    if not _is_in(curve, start, wanted):
        return -math.inf, math.inf
    roots = [root for end in wanted if math.isfinite(end) for root in _roots(curve - end)]
    below = [x for x in roots if x <= start + _BEYOND and not _is_in(curve, x - _BEYOND, wanted)]
    above = [x for x in roots if x >= start - _BEYOND and not _is_in(curve, x + _BEYOND, wanted)]
    return max(below, default=-math.inf), min(above, default=math.inf)


def _is_in(curve: np.poly1d, at: float, wanted: Range) -> bool:
    slack = 1e-9 * (1.0 + abs(float(curve(at))))
    return wanted[0] - slack <= float(curve(at)) <= wanted[1] + slack


def _roots(curve: np.poly1d) -> Iterator[float]:
    for root in np.roots(curve.coefficients):
        if abs(root.imag) < 1e-6:
            yield float(root.real)

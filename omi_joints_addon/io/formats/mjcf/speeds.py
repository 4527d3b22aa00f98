"""Speeds of joints, as `qvel` of a keyframe lists them, and the velocities of bodies at rest.

SI units, world axes. A free joint has the velocity of its body's origin in world axes, and turns
in the axes of the body, as balls do (MuJoCo, "Floating objects").
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....core.meaning.velocities import Velocity, at_rest
from ....core.model.body import Motion
from ....core.model.pose import Array, cross
from .attributes import Values
from .skeleton import WIDTHS, Body, Element, Skeleton

_NEAR = 1e-6
"""Part of the largest velocity by which what joints allow may be off."""


def speeds_of(
    skeleton: Skeleton, values: Values, wanted: Mapping[str, Velocity]
) -> tuple[Array, list[str]]:
    """Return the speeds nearest to the velocities of bodies, by name, and who moves otherwise."""
    moves: dict[Body, Velocity] = {}
    speeds, others = [np.zeros(0)], []
    largest = max(float(np.abs(_six(each)).max()) for each in wanted.values())
    for body in skeleton.numbered:
        base = _carried(body, moves)
        columns = np.concatenate((np.zeros((6, 0)), *columns_of(body, values)), axis=1)
        goal = wanted[body.name].at(base.place) if body.name in wanted else base
        found = np.linalg.lstsq(columns, _six(goal) - _six(base), rcond=None)[0]
        moves[body] = _after(base, columns @ found)
        speeds.append(found)
        if not np.allclose(_six(moves[body]), _six(goal), atol=_NEAR * largest):
            others.append(body.name)
    return np.concatenate(speeds), others


def velocities_of(
    skeleton: Skeleton, values: Values, speeds: Array
) -> dict[Body, tuple[Velocity, ...]]:
    """Return how bodies move by the speeds of all joints, after each joint of the body."""
    found: dict[Body, tuple[Velocity, ...]] = {}
    ends: dict[Body, Velocity] = {}
    at = 0
    for body in skeleton.numbered:
        steps = [_carried(body, ends)]
        for columns in columns_of(body, values):
            width = columns.shape[1]
            steps.append(_after(steps[-1], columns @ speeds[at : at + width]))
            at += width
        ends[body] = steps[-1]
        found[body] = tuple(steps[1:] or steps)
    return found


def moving(motion: Motion, world: Array, velocity: Velocity) -> Motion:
    """Return the motion of a body at a world matrix (4, 4) with an initial velocity."""
    axes = world[:3, :3]
    at_center = velocity.at(world[:3, 3] + axes @ motion.center_of_mass)
    x, y, z = (at_center.linear @ axes).tolist()
    roll, pitch, yaw = (at_center.angular @ axes).tolist()
    return replace(motion, linear_velocity=(x, y, z), angular_velocity=(roll, pitch, yaw))


def count_of_speeds(skeleton: Skeleton) -> int:
    """Return how many speeds the joints of a model have."""
    return sum(WIDTHS.get(each.kind, (1, 1))[1] for each in skeleton.coordinates())


def _carried(body: Body, moves: Mapping[Body, Velocity]) -> Velocity:
    """Return how a body moves with the one that it is in."""
    place = body.world[:3, 3]
    above = moves.get(body.parent) if body.parent is not None else None
    return at_rest(place) if above is None else above.at(place)


def _six(velocity: Velocity) -> Array:
    return np.concatenate((velocity.linear, velocity.angular))


def _after(base: Velocity, change: Array) -> Velocity:
    return base.plus(change[:3], change[3:])


def columns_of(body: Body, values: Values) -> list[Array]:
    """Return by joint how each of its speeds moves a body's origin, (6, k) each."""
    if body.is_free:
        turning = np.concatenate((np.zeros((3, 3)), body.world[:3, :3]))
        return [np.concatenate((np.eye(6)[:, :3], turning), axis=1)]
    return [_of_joint(joint, body, values) for joint in body.joints]


def _of_joint(joint: Element, body: Body, values: Values) -> Array:
    attributes, kind = joint.attributes, joint.attributes.get("type", "hinge")
    frame = body.world @ joint.frame
    axis = frame[:3, :3] @ values.numbers(joint.name, attributes, "axis")
    axes = body.world[:3, :3].T if kind == "ball" else (axis / np.linalg.norm(axis))[None]
    if kind == "slide":
        return np.asarray(np.concatenate((axes, np.zeros((1, 3))), axis=1).T)
    anchor = values.numbers(joint.name, attributes, "pos")
    arm = body.world[:3, 3] - (frame[:3, 3] + frame[:3, :3] @ anchor)
    turning = np.concatenate((cross(axes, np.broadcast_to(arm, axes.shape)), axes), axis=1)
    return np.asarray(turning.T)

"""Parts of a scene that are stepped together: islands whose steps are cut alike.

A fast island would otherwise cut the steps of all. Parts have the bodies and joints of their
islands only; what the bodies do is taken from the whole before a step and put back after it.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from ..model.pose import Array, Pose
from .bodies import Bodies, Motions
from .elimination import Indices
from .geometry import Frames, frames_on
from .memory import OF_BODIES, Memory
from .model import Model, model_of

_OF_MOTIONS = tuple(each.name for each in fields(Motions))
_OF_MEMORY = tuple(each.name for each in fields(Memory))


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """Some islands of a model."""

    model: Model
    bodies: Indices
    """Bodies of the whole, ascending: the world and what the joints hold."""
    joints: Indices
    moving: Indices
    """Those of the part's bodies that move, numbered in the part."""
    is_whole: bool


def part_of(model: Model, islands: Indices) -> Share:
    """Return the part of a model with the given islands."""
    chosen = np.isin(model.system.island, islands) & model.bodies.is_dynamic
    moving = np.flatnonzero(chosen)
    if np.array_equal(moving, np.sort(model.system.moving)):
        whole = np.arange(model.bodies.count), np.arange(len(model.first.body))
        return Share(model, *whole, moving, is_whole=True)
    joints = np.flatnonzero(np.isin(model.system.island[model.system.mover], islands))
    chosen[0] = True
    chosen[model.first.body[joints]] = True
    chosen[model.second.body[joints]] = True
    bodies, number = np.flatnonzero(chosen), np.cumsum(chosen) - 1
    first, second = _frames(model.first, joints, number), _frames(model.second, joints, number)
    own = _bodies(model.bodies, bodies, number)
    table, gears = model.table.part(joints), model.gears.part(joints)
    rigid = np.ascontiguousarray(model.rigid[:, joints])
    part = model_of(own, (first, second), table, gears, number[moving], rigid)
    return Share(part, bodies, joints, number[moving], is_whole=False)


def taken(part: Share, motions: Motions, memory: Memory) -> tuple[Motions, Memory]:
    """Return the motions and the memory of a part, which is other than that of the whole."""
    if part.is_whole:
        return motions, replace(memory)
    values = {}
    for name in _OF_MEMORY:
        chosen = part.bodies if name in OF_BODIES else part.joints
        values[name] = getattr(memory, name)[..., chosen]
    own = Motions(*(getattr(motions, name)[..., part.bodies] for name in _OF_MOTIONS))
    return own, Memory(**values)


def put_back(part: Share, own: Motions, known: Memory, motions: Motions, memory: Memory) -> Motions:
    """Return the motions of the whole with those of a part, changed in place or new ones.

    The memory of the whole is changed in place.
    """
    if part.is_whole:
        for name in _OF_MEMORY:
            setattr(memory, name, getattr(known, name))
        return own
    moving = part.bodies[part.moving]
    for name in _OF_MOTIONS:
        getattr(motions, name)[..., moving] = getattr(own, name)[..., part.moving]
    for name in _OF_MEMORY:
        whole, value = getattr(memory, name), getattr(known, name)
        if name in OF_BODIES:
            whole[..., moving] = value[..., part.moving]
        else:
            whole[..., part.joints] = value
    return motions


def copy_columns(source: Motions, target: Motions, bodies: Indices) -> None:
    """Copy what some bodies do, in place."""
    for name in _OF_MOTIONS:
        getattr(target, name)[..., bodies] = getattr(source, name)[..., bodies]


def _frames(frames: Frames, joints: Indices, number: Indices) -> Frames:
    return frames_on(
        number[frames.body[joints]],
        np.ascontiguousarray(frames.offset[:, joints]),
        np.ascontiguousarray(frames.rotation[:, joints]),
    )


def _bodies(bodies: Bodies, chosen: Indices, number: Indices) -> Bodies:
    def of(values: Array) -> Array:
        return np.ascontiguousarray(values[..., chosen])

    return Bodies(
        nodes=bodies.nodes[chosen],
        of_node=number[bodies.of_node],
        is_dynamic=bodies.is_dynamic[chosen],
        mass=of(bodies.mass),
        inertia=of(bodies.inertia),
        ease=of(bodies.ease),
        center=of(bodies.center),
        gravity=of(bodies.gravity),
        velocity=bodies.velocity[chosen],
        rest=Pose(bodies.rest.position[chosen], bodies.rest.rotation[chosen]),
    )

"""Joints that break: how much each of them holds, and a scene without those that did."""

from collections.abc import Collection, Sequence
from dataclasses import fields, replace

import numpy as np

from ..model.pose import Array
from ..model.scene import PhysicsScene
from .elimination import Indices
from .memory import OF_BODIES, Memory


def strengths(scene: PhysicsScene, joints: Sequence[int]) -> Array:
    """Return the force [N] and the torque [N·m] at which joints break, shape (2, j)."""
    own = [scene.joints[number].attributes for number in joints]
    return np.array([(each.break_force, each.break_torque) for each in own]).reshape(-1, 2).T


def overloaded(memory: Memory, most: Array) -> Indices:
    """Return the joints that held more than `most` (2, j) in the last step."""
    if not np.isfinite(most).any():
        return np.zeros(0, np.intp)
    loads = np.linalg.norm(memory.load.reshape(2, 3, -1), axis=1) / memory.kick
    return np.flatnonzero((loads > most).any(axis=0))


def without(scene: PhysicsScene, broken: Collection[int]) -> PhysicsScene:
    """Return a scene in which some joints hold nothing and let their bodies collide."""
    joints = list(scene.joints)
    for number in broken:
        attributes = replace(joints[number].attributes, enabled=False)
        joints[number] = replace(joints[number], attributes=attributes, enable_collision=True)
    return replace(scene, joints=tuple(joints))


def keep(memory: Memory, before: Memory, joints: Indices) -> None:
    """Go on with what some `joints` of the memory `before`, and all bodies, had; in place.

    Bodies are the same. What joints had beyond their present rows was of couplings.
    """
    for each in fields(Memory):
        now, old = getattr(memory, each.name), getattr(before, each.name)
        if each.name in OF_BODIES:
            now[...] = old
        else:
            now[...] = old[..., joints] if now.ndim == 1 else old[: len(now), joints]

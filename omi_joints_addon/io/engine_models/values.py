"""Values of bodies and joints in the form in which they are compared and shown."""

import re
from dataclasses import replace

import numpy as np

from ...core.model.pose import Array
from .model import EngineBody, EngineCollider

_NONE = 1e5
"""Bounds and largest forces that are as good as none."""


def placed(body: EngineBody, start: Array) -> EngineBody:
    """Return a body as it is after a motion (4, 4)."""
    turn = start[:3, :3]
    colliders = None
    if body.colliders is not None:
        colliders = tuple(
            replace(
                each,
                points=each.points @ turn.T + start[:3, 3],
                disc=None if each.disc is None else (turn @ each.disc[0], each.disc[1]),
            )
            for each in body.colliders
        )
    tensor = None if body.tensor is None else turn @ body.tensor @ turn.T
    center = turn @ body.center + start[:3, 3]
    return replace(body, center=center, tensor=tensor, colliders=colliders)


def extents(collider: EngineCollider) -> list[float]:
    """Return how far a shape reaches along skew axes, so that turns show."""
    return [end for axis in _DIRECTIONS for end in collider.extent(axis)]


_DIRECTIONS = np.array(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64)))


def moments(body: EngineBody) -> Array:
    """Return the principal moments [kg·m²]."""
    return np.asarray(np.linalg.eigvalsh(body.tensor) if body.tensor is not None else np.zeros(3))


def bounded(value: float) -> float:
    """Return a value, infinite where it is as good as that."""
    return float(np.copysign(np.inf, value)) if abs(value) >= _NONE else value


def key(name: str) -> str:
    """Return a name as formats of few letters have it."""
    return re.sub(r"\W", "_", name)


def text(value: object) -> str:
    """Return a value as a line shows it."""
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, np.ndarray):
        return "(" + ", ".join(f"{float(part) + 0.0:.4g}" for part in value) + ")"
    return str(value)

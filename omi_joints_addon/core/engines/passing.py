"""Bodies so fast, or so thin, that an engine's steps jump over what is in their way.

An engine that looks where bodies are, not where they have been between two steps, misses what
they meet within one. A body without joint counts as falling to the lowest collider.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..model.scene import PhysicsScene
from ..model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from .meshes import mesh_data


class Passing(NamedTuple):
    """A body that steps may carry through what is in its way."""

    body: int
    """Node."""
    speed: float
    """Its initial speed, or that of its fall [m/s]."""
    thickness: float
    """Of the body and of the thinnest thing in its way, half of the two together [m]."""


def passing_bodies(scene: PhysicsScene, step: float) -> Iterator[Passing]:
    """Yield the bodies that go farther in a `step` [s] than what they may meet is thick."""
    thinnest = _thinnest(scene)
    first, *rest = sorted((size, body) for body, size in thinnest.items()) or [(math.inf, -1)]
    second = rest[0] if rest else (math.inf, -1)
    for body, speed in _speeds(scene).items():
        if body in thinnest:
            other = second if first[1] == body else first
            way = 0.5 * (thinnest[body] + other[0])
            if speed * step > way:
                yield Passing(body, speed, way)


def _thinnest(scene: PhysicsScene) -> dict[int, float]:
    """Return the smallest extent [m] of the colliders of each body, -1 for those of none."""
    bodies, found = scene.bodies(), dict[int, float]()
    for node, collider in scene.colliders.items():
        if collider.shape is not None:
            body = int(bodies[node])
            size = _thickness(scene, node, collider.shape)
            found[body] = min(size, found.get(body, math.inf))
    return found


def _speeds(scene: PhysicsScene) -> dict[int, float]:
    """Return the largest speed [m/s] that is known of each dynamic body."""
    down = np.array(scene.gravity, float)
    pull = float(np.linalg.norm(down))
    heights = -scene.matrices[:, :3, 3] @ (down / pull if pull else down)
    solid = [node for node, each in scene.colliders.items() if each.shape is not None]
    floor = float(heights[solid].min()) if solid else 0.0
    bodies = scene.bodies()
    joined = {int(bodies[node]) for joint in scene.joints for node in joint.ends}
    found = {}
    for node, motion in scene.motions.items():
        if scene.is_dynamic(node):
            factor = 0.0 if node in joined else max(0.0, motion.gravity_factor)
            fall = 2.0 * factor * pull * max(0.0, float(heights[node]) - floor)
            found[node] = math.sqrt(fall + math.fsum(v * v for v in motion.linear_velocity))
    return found


def _thickness(scene: PhysicsScene, node: int, shape: Shape) -> float:
    """Return the smallest extent of a collider [m]; of triangles, which have none, 0."""
    scale = np.linalg.norm(scene.matrices[node][:3, :3], axis=0)
    if isinstance(shape, Box):
        return float(np.abs(np.array(shape.size) * scale).min())
    return abs(_width(scene, shape)) * float(scale.min())


def _width(scene: PhysicsScene, shape: Shape) -> float:
    match shape:
        case Sphere():
            return 2.0 * shape.radius
        case Capsule():
            return 2.0 * max(shape.radius_bottom, shape.radius_top)
        case Cylinder():
            return min(shape.height, 2.0 * max(shape.radius_bottom, shape.radius_top))
        case Convex():
            return _hull_width(scene, shape.mesh)
    return 0.0


def _hull_width(scene: PhysicsScene, mesh: int | None) -> float:
    """Return the smallest extent of a hull [m], infinite where its mesh cannot be read."""
    data = mesh_data(scene, mesh)
    return math.inf if data is None else float(np.ptp(data.points, axis=0).min())

"""What is wrong with a body as its object has it: names of systems, and shapes."""

from collections.abc import Iterator

import numpy as np

from ..core.checks.bodies import SYSTEM_WITHOUT_NAME, bodies_without_shape
from ..core.findings.finding import Finding
from ..core.model.graph import Indices, Mask
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.model.shape import Box, MeshShape, OtherShape, Shape, Sphere, Upright, shape_type
from ..core.shapes.fit import Fit
from ..core.shapes.placement import is_uneven
from ..properties.body_reading import CUSTOM, ObjectBody
from ..properties.mesh_points import has_surface
from .rules import SHAPE_BESIDE_MESH, STILL_WITHOUT_SHAPE, UNEVEN_SCALE

_OUT = 0.1
"""Part of a mesh's largest extent that may stick out of a shape that was made for it."""
_FAR = 1.0
"""Largest extents of the mesh that a shape may reach beyond it."""


def body_findings(body: ObjectBody) -> list[Finding]:
    """Return what is wrong with the properties of one object as a body."""
    return [*_filter_findings(body), *_shape_findings(body)]


def still_without_shape(
    bodies: Indices, is_still: Mask, is_dynamic: Mask, is_solid: Mask, is_shown: Mask
) -> Indices:
    """Return the bodies that nothing moves and that others should not pass through, but do.

    Arguments are those of `bodies_without_shape`; none where no dynamic body is solid.
    """
    moving = bodies[is_solid]
    if not is_dynamic[moving[moving >= 0]].any():
        return np.empty(0, np.intp)
    return bodies_without_shape(bodies, is_still, is_solid, is_shown)


def scene_body_findings(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the findings of `still_without_shape` of a scene."""
    count = len(scene.names)
    marks = [np.zeros(count, np.bool_) for _ in range(3)]
    is_body, is_solid, is_shown = marks
    is_body[list(scene.motions)] = True
    is_solid[list(scene.colliders)] = is_shown[list(scene.visuals)] = True
    is_solid[[node for node, kinds in scene.carries.items() if "collider" in kinds]] = True
    is_shown[[node for node, kinds in scene.carries.items() if "mesh" in kinds]] = True
    is_body[scene.joint_nodes] = False
    is_dynamic = scene.are_dynamic()
    found = still_without_shape(
        scene.bodies(), is_body & ~is_dynamic, is_dynamic, is_solid, is_shown
    )
    for body in found.tolist():
        yield STILL_WITHOUT_SHAPE(scene.place_of(int(body)))


def _filter_findings(body: ObjectBody) -> list[Finding]:
    """Return what is wrong with the collision filters of a body's collider and trigger."""
    collider, trigger = body.values.collider, body.values.trigger
    if collider.collision_filter is None and trigger.collision_filter is None:
        return []
    findings: list[Finding] = []
    filters = (
        collider.collision_filter if body.is_solid else None,
        trigger.collision_filter if trigger.enabled else None,
    )
    for found in filters:
        if found is not None:
            others = (found.collide_with_systems or (), found.not_collide_with_systems or ())
            names = (*found.collision_systems, *others[0], *others[1])
            findings += (SYSTEM_WITHOUT_NAME(body.obj.name) for name in names if not name)
    return findings


def _shape_findings(body: ObjectBody) -> Iterator[Finding]:
    if not body.values.fits:
        return
    scale = np.linalg.norm(np.array(body.obj.matrix_world)[:3, :3], axis=0)
    for fit, _ in body.values.fits:
        if is_uneven(fit, scale):
            words = ", ".join(f"{factor:.4g}" for factor in scale.tolist())
            yield UNEVEN_SCALE(body.obj.name, type=shape_type(fit.shape), scale=words)
    collider = body.values.collider
    if collider.source == CUSTOM and collider.fit is not None:
        yield from _beside_mesh(body, collider.fit, scale)


def _beside_mesh(body: ObjectBody, fit: Fit, scale: Array) -> Iterator[Finding]:
    """Yield that a shape leaves out much of its object's mesh, or is far larger."""
    half, obj = _half_extents(fit.shape, fit), body.obj
    if half is None or not has_surface(obj):
        return
    corners = np.array(obj.bound_box, float)
    low, high = corners.min(axis=0) * scale, corners.max(axis=0) * scale
    largest = float((high - low).max())
    middle, reach = np.array(fit.center) * scale, half * scale
    out = float(np.maximum(middle - reach - low, high - middle - reach).max())
    beyond = float(np.maximum(low - middle + reach, middle + reach - high).max())
    if largest > 0.0 and (out > _OUT * largest or beyond > _FAR * largest):
        is_out = out > _OUT * largest
        yield SHAPE_BESIDE_MESH(
            obj.name,
            type=shape_type(fit.shape),
            how="leaves out" if is_out else "reaches beyond",
            distance=out if is_out else beyond,
        )


def _half_extents(shape: Shape, fit: Fit) -> Array | None:
    """Return half the extents of a shape along its object's axes [m], None for a mesh."""
    if isinstance(shape, MeshShape | OtherShape):
        return None
    if isinstance(shape, Box):
        return np.array(shape.size) / 2.0
    if isinstance(shape, Sphere):
        return np.full(3, shape.radius)
    assert isinstance(shape, Upright)
    radius = max(shape.radius_bottom, shape.radius_top)
    ends = radius if shape_type(shape) == "capsule" else 0.0
    found = np.full(3, radius)
    found[fit.up] = shape.height / 2.0 + ends
    return found

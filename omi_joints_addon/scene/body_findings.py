"""What is wrong with a body as its object has it: names of systems, and shapes."""

from collections.abc import Iterator

import bpy
import numpy as np

from ..core.checks.bodies import SYSTEM_WITHOUT_NAME, bodies_without_shape, having
from ..core.findings.finding import Finding
from ..core.model.body import Vector
from ..core.model.graph import Indices, Mask
from ..core.model.shape import Box, MeshShape, OtherShape, Shape, Sphere, Upright, shape_type
from ..core.shapes.fit import Fit
from ..core.shapes.placement import is_uneven
from ..properties.body_reading import CUSTOM, ObjectBody
from ..properties.bones import world_matrix
from ..properties.mesh_points import has_surface
from .rules import SHAPE_BESIDE_MESH, UNEVEN_SCALE

_OUT = 0.1
"""Part of a mesh's largest extent that may stick out of a shape that was made for it."""
_EVEN = 1e-5
"""Difference of scales that is rounding, in scales."""
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


def without_imported_shapes(bodies: Indices, counts: Indices, is_solid: Mask) -> Indices:
    """Return the bodies of whose shapes nothing is left that an import put below them.

    `bodies` is the body that each node belongs to (-1 for none), `counts` how many shapes each body
    was given; all of shape (n,).
    """
    return np.flatnonzero((counts > 0) & ~having(bodies, is_solid))


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
    # Plain numbers: all bodies of a scene are looked at, one by one.
    factors = world_matrix(body.obj).to_scale()
    scale = (factors.x, factors.y, factors.z)
    if max(scale) - min(scale) > _EVEN * max(scale):
        for fit, _ in body.values.fits:
            if is_uneven(fit, scale):
                words = ", ".join(f"{abs(factor):.4g}" for factor in scale)
                yield UNEVEN_SCALE(body.obj.name, type=shape_type(fit.shape), scale=words)
    collider = body.values.collider
    if collider.source == CUSTOM and collider.fit is not None and has_surface(body.obj):
        yield from _beside_mesh(body.obj, collider.fit, scale)


def _beside_mesh(obj: bpy.types.Object, fit: Fit, scale: Vector) -> Iterator[Finding]:
    """Yield that a shape leaves out much of its object's mesh, or is far larger."""
    half = _half_extents(fit.shape, fit.up)
    if half is None:
        return
    # The first and the seventh corner are the least and the largest.
    corners = obj.bound_box[0], obj.bound_box[6]
    largest, out, beyond = 0.0, 0.0, 0.0
    for axis, factor in enumerate(map(abs, scale)):
        low, high = (float(corner[axis]) * factor for corner in corners)
        middle, reach = fit.center[axis] * factor, half[axis] * factor
        largest = max(largest, high - low)
        out = max(out, middle - reach - low, high - middle - reach)
        beyond = max(beyond, low - middle + reach, middle + reach - high)
    is_out = out > _OUT * largest
    if largest > 0.0 and (is_out or beyond > _FAR * largest):
        yield SHAPE_BESIDE_MESH(
            obj.name,
            type=shape_type(fit.shape),
            how="leaves out" if is_out else "reaches beyond",
            distance=out if is_out else beyond,
        )


def _half_extents(shape: Shape, up: int) -> Vector | None:
    """Return half the extents of a shape along its object's axes [m], None for a mesh."""
    if isinstance(shape, MeshShape | OtherShape):
        return None
    if isinstance(shape, Box):
        x, y, z = shape.size
        return (x / 2.0, y / 2.0, z / 2.0)
    if isinstance(shape, Sphere):
        return (shape.radius,) * 3
    assert isinstance(shape, Upright)
    radius = max(shape.radius_bottom, shape.radius_top)
    along = shape.height / 2.0 + (radius if shape_type(shape) == "capsule" else 0.0)
    x, y, z = (along if axis == up else radius for axis in range(3))
    return (x, y, z)

"""What collides: the colliders of a scene on the solver's bodies, and which of them meet.

Poses are from the center of mass of the body, in body axes.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...findings.finding import Finding
from ...model.body import Collider, CollisionFilter, CombineMode, PhysicsMaterial, Trigger
from ...model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    pose_from_matrix,
    rotate,
)
from ...model.scene import PhysicsScene, nearest_above
from ...model.shape import (
    Box,
    Capsule,
    Cylinder,
    MeshShape,
    Shape,
    Sphere,
    Trimesh,
    enclosing_scaled_shape,
    unusable_sizes,
)
from ..bodies import Bodies
from .rules import HULL_OF_MESH, NO_CONTACT_SHAPE

_SIDES = 32
"""Corners of a disc where a round shape becomes a hull."""
_THIN = 1e-3
"""How thick flat hulls become [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactShape:
    """One collider."""

    node: int
    body: int
    shape: Shape
    """A box, sphere, capsule or cylinder with its scale, or of what `points` are."""
    pose: Pose
    """Shapes (3,) and (4,)."""
    points: Array | None
    """Corners of a hull or of triangles [m], shape (p, 3)."""
    triangles: NDArray[np.intp] | None
    """Of a surface that does not move, shape (t, 3); None for hulls."""
    material: PhysicsMaterial
    collision_filter: CollisionFilter | None
    is_trigger: bool
    """Whether it only notices what is inside."""


def contact_shapes(scene: PhysicsScene, bodies: Bodies) -> tuple[list[ContactShape], list[Finding]]:
    """Return the colliders and triggers of a scene and what had to be assumed about them."""
    found: list[ContactShape] = []
    findings: list[Finding] = []
    parts: list[tuple[int, Collider | Trigger]] = [*scene.colliders.items()]
    for node, part in (*parts, *scene.triggers.items()):
        body, is_trigger = int(bodies.of_node[node]), isinstance(part, Trigger)
        matrix = _local(scene, bodies, node, body)
        if part.shape is None:
            continue
        try:
            shape, pose, points, triangles = _placed(scene, part.shape, matrix)
        except ValueError as error:
            findings.append(NO_CONTACT_SHAPE(scene.place_of(node), why=str(error)))
            continue
        if triangles is not None and (bodies.is_dynamic[body] or is_trigger):
            findings.append(HULL_OF_MESH(scene.place_of(node)))
            triangles = None
        material = (part.material if isinstance(part, Collider) else None) or PhysicsMaterial()
        place = (node, body, shape, pose, points, triangles)
        found.append(ContactShape(*place, material, part.collision_filter, is_trigger))
    return found, findings


def are_meshes_alike(shapes: Sequence[ContactShape], scene: PhysicsScene, bodies: Bodies) -> bool:
    """Return whether the meshes of colliders and triggers are as when `shapes` were made of them.

    The nodes, bodies and other shapes of the scene are those of then.
    """
    of_mesh = {
        (node, isinstance(part, Trigger)): part.shape
        for parts in (scene.colliders, scene.triggers)
        for node, part in parts.items()
        if isinstance(part.shape, MeshShape)
    }
    made = {(each.node, each.is_trigger): each for each in shapes}
    return of_mesh.keys() <= made.keys() and all(
        _has_mesh(made[key], scene, shape, bodies) for key, shape in of_mesh.items()
    )


def _has_mesh(made: ContactShape, scene: PhysicsScene, shape: MeshShape, bodies: Bodies) -> bool:
    try:
        points, triangles = _mesh(scene, shape, _local(scene, bodies, made.node, made.body))
    except ValueError:
        return False
    pairs = ((made.points, points), (made.triangles, triangles))
    return all(before is None or np.array_equal(before, now) for before, now in pairs)


def _local(scene: PhysicsScene, bodies: Bodies, node: int, body: int) -> Array:
    """Return the matrix (4, 4) of a node from the center of mass of its body."""
    rest = Pose(bodies.rest.position[body], bodies.rest.rotation[body])
    matrix: Array = np.linalg.solve(matrix_from_pose(rest), scene.matrices[node])
    matrix[:3, 3] -= bodies.center[:, body]
    return matrix


_Placed = tuple[Shape, Pose, Array | None, NDArray[np.intp] | None]


def _placed(scene: PhysicsScene, shape: Shape, matrix: Array) -> _Placed:
    """Return a shape with its scale, its pose, and points and triangles where it has some.

    Raises `ValueError` saying why it has none.
    """
    if not np.isfinite(matrix).all():
        raise ValueError("its transform is not a number")
    if isinstance(shape, MeshShape):
        points, triangles = _mesh(scene, shape, matrix)
        return shape, _CENTER, points, triangles if isinstance(shape, Trimesh) else None
    if not isinstance(shape, Box | Sphere | Capsule | Cylinder):
        raise ValueError("its type is not known")
    x, y, z = np.linalg.norm(matrix[:3, :3], axis=0).tolist()
    scaled, pose = enclosing_scaled_shape(shape, (x, y, z)), pose_from_matrix(matrix)
    if bad := unusable_sizes(scaled):
        raise ValueError(f"its {bad[0].replace('_', ' ')} is not usable")
    corners = _tapered(scaled)
    if corners is None:
        return scaled, pose, None, None
    return scaled, _CENTER, rotate(pose.rotation, corners) + pose.position, None


_CENTER = Pose(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))


def _mesh(scene: PhysicsScene, shape: MeshShape, matrix: Array) -> tuple[Array, NDArray[np.intp]]:
    if shape.mesh is None or not 0 <= shape.mesh < len(scene.meshes):
        raise ValueError("it has no mesh")
    data = scene.meshes[shape.mesh].read()
    points = data.points.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    if not len(points) or not np.isfinite(points).all():
        raise ValueError("its mesh has no usable points")
    # In a mirror what ran counterclockwise runs clockwise.
    is_mirrored = np.linalg.det(matrix[:3, :3]) < 0.0
    return points, data.triangles[:, ::-1] if is_mirrored else data.triangles


def _tapered(shape: Shape) -> Array | None:
    """Return corners (p, 3) of a capsule or cylinder with two radii; None for any other shape."""
    if not isinstance(shape, Capsule | Cylinder) or shape.radius_bottom == shape.radius_top:
        return None
    angle = np.arange(_SIDES) * (2.0 * np.pi / _SIDES)
    heights = np.array((0.0,))
    if isinstance(shape, Capsule):
        heights = np.sin(np.linspace(-0.5 * np.pi, 0.5 * np.pi, _SIDES // 2))
    across = np.sqrt(1.0 - heights**2)[:, None]
    up = np.broadcast_to(heights[:, None], (len(heights), _SIDES))
    ball = np.stack((across * np.cos(angle), across * np.sin(angle), up), axis=-1).reshape(-1, 3)
    middle = np.array((0.0, 0.0, 0.5 * shape.height))
    ends = (shape.radius_bottom * ball - middle, shape.radius_top * ball + middle)
    return np.asarray(np.concatenate(ends), float)


def solid_points(points: Array) -> Array:
    """Return corners (p, 3) of a hull with a volume: flat ones become a little thick."""
    middle = points.mean(axis=0)
    # The triangle of points (p, 3) has their sizes and ways; their own left side is (p, p).
    triangle = np.linalg.qr(points - middle, mode="r")
    _u, sizes, ways = np.linalg.svd(triangle)
    sizes = np.append(sizes, np.zeros(3))[:3] / np.sqrt(len(points))
    for way in ways[sizes < _THIN]:
        points = np.concatenate((points + 0.5 * _THIN * way, points - 0.5 * _THIN * way))
    return points


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """What becomes of two shapes that meet, shapes (s, s)."""

    are_allowed: NDArray[np.bool_]
    are_noticed: NDArray[np.bool_]
    """Which triggers notice which colliders of bodies that move."""
    static_friction: Array
    dynamic_friction: Array
    restitution: Array


def meetings(scene: PhysicsScene, bodies: Bodies, shapes: Sequence[ContactShape]) -> Meetings:
    """Return which shapes meet and how."""
    body = np.array([shape.body for shape in shapes], np.intp)
    allowed = bodies.is_dynamic[body][:, None] | bodies.is_dynamic[body][None]
    are_separate = body[:, None] != body[None]
    allowed &= are_separate & ~are_apart(scene, bodies, shapes)
    is_trigger = np.array([shape.is_trigger for shape in shapes], bool)
    are_solid = ~(is_trigger[:, None] | is_trigger[None])
    noticed = is_trigger[:, None] & (~is_trigger & bodies.is_dynamic[body])[None] & are_separate
    filters = _table([shape.collision_filter for shape in shapes], _do_meet)
    materials = [shape.material for shape in shapes]
    friction = "friction_combine"
    return Meetings(
        allowed & are_solid & filters.astype(bool),
        noticed & filters.astype(bool),
        _table(materials, lambda a, b: _combined(a, b, "static_friction", friction)),
        _table(materials, lambda a, b: _combined(a, b, "dynamic_friction", friction)),
        _table(materials, lambda a, b: _combined(a, b, "restitution", "restitution_combine")),
    )


def are_apart(
    scene: PhysicsScene, bodies: Bodies, shapes: Sequence[ContactShape]
) -> NDArray[np.bool_]:
    """Return which shapes do not collide (s, s): of joints that say so, and of excluded pairs.

    What a joint holds in the world are the shapes at the node that it is on, or right above.
    """
    ends = [(joint.node, joint.other) for joint in scene.joints if not joint.enable_collision]
    nodes = np.array([*ends, *scene.excluded_pairs], np.intp).reshape(-1, 2)
    pairs = bodies.of_node[nodes]
    is_body = (pairs > 0).all(axis=1)
    excluded = np.zeros((bodies.count, bodies.count), bool)
    excluded[pairs[is_body, 0], pairs[is_body, 1]] = True
    own = np.array([shape.body for shape in shapes], np.intp)
    found = excluded[own[:, None], own[None]]
    in_world = [
        (int(node), int(body))
        for pair, held in zip(nodes[~is_body], pairs[~is_body], strict=True)
        for node, body in zip(pair, held[::-1], strict=True)
        if bodies.of_node[node] == 0 and body > 0
    ]
    at = {node: _world_shapes_at(scene, shapes, node) for node in dict(in_world)}
    for node, body in in_world:
        found[np.ix_(own == body, at[node])] = True
    return np.asarray(found | found.T, bool)


def _world_shapes_at(
    scene: PhysicsScene, shapes: Sequence[ContactShape], node: int
) -> NDArray[np.bool_]:
    """Return which shapes (s,) of the world are at a node, or right above it and what is below."""
    chosen = np.fromiter(scene.colliders, np.intp, len(scene.colliders))
    own = int(nearest_above(scene.parents, chosen)[node])
    if own < 0:
        return np.zeros(len(shapes), bool)
    below = nearest_above(scene.parents, np.array((own,), np.intp)) == own
    return np.array([not shape.body and bool(below[shape.node]) for shape in shapes], bool)


_MODES = tuple(CombineMode)
T = TypeVar("T", bound=Hashable)


def _table(values: Sequence[T], of_two: Callable[[T, T], float]) -> Array:
    """Return a value for each two of `values`, worked out once for equal ones, (s, s)."""
    number = {value: n for n, value in enumerate(dict.fromkeys(values))}
    own = np.array([[of_two(a, b) for b in number] for a in number], float)
    at = np.array([number[value] for value in values], np.intp)
    return np.asarray(own.reshape(len(number), len(number))[at[:, None], at[None]])


def _do_meet(one: CollisionFilter | None, other: CollisionFilter | None) -> float:
    return float(_accepts(one, other) and _accepts(other, one))


def _accepts(own: CollisionFilter | None, other: CollisionFilter | None) -> bool:
    """Return whether one filter lets the systems of another collide with it."""
    if own is None:
        return True
    systems = set() if other is None else {*other.collision_systems}
    if own.collide_with_systems is not None:
        return bool(systems.intersection(own.collide_with_systems))
    return not systems.intersection(own.not_collide_with_systems or ())


def _combined(one: PhysicsMaterial, other: PhysicsMaterial, name: str, mode: str) -> float:
    """Return the value of two materials by the mode that comes first in the order of modes."""
    a, b = float(getattr(one, name)), float(getattr(other, name))
    modes = [each for each in (getattr(one, mode), getattr(other, mode)) if each in _MODES]
    match min(modes, key=_MODES.index, default=CombineMode.AVERAGE):
        case CombineMode.MINIMUM:
            return min(a, b)
        case CombineMode.MAXIMUM:
            return max(a, b)
        case CombineMode.MULTIPLY:
            return a * b
    return 0.5 * (a + b)

"""Bodies of a scene as the solver moves them: masses, poses and velocities in world axes, SI.

Arrays hold the bodies in their last axis. A body that is not dynamic has an infinite mass and
follows its node; body 0 is the world itself, where everything that is attached to no body is
attached.

A kinematic body keeps its initial velocity, unless it is driven: "its velocity will be constant
during simulation" (KHR_physics_rigid_bodies).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..findings.finding import INFO, WARNING, Finding, rule
from ..model.body import Motion, MotionType
from ..model.pose import (
    Array,
    Pose,
    pose_from_matrix,
    quaternion_conjugate,
    rotate,
    rotation_matrix,
)
from ..model.scene import PhysicsScene
from ..shapes.assumed import SMALLEST_RADIUS, assumed_moment
from ..shapes.body_solids import body_solids
from ..shapes.inertia import Solid, inertia_at
from .elimination import Indices
from .vectors import apply, congruent, cross, inverse, matrices

_SMALLEST_MASS = 1e-9
_LARGEST = 1e12
"""Size [SI units] from which on numbers of a body cannot be reckoned with."""
_NUMBERS = (
    "center_of_mass",
    "inertia_diagonal",
    "inertia_orientation",
    "linear_velocity",
    "angular_velocity",
    "gravity_factor",
)
_WORLD = Motion(type=MotionType.STATIC)


MASS_CANNOT_MOVE = rule(
    "OMI-P001",
    WARNING,
    "a mass of {mass} kg cannot move; the preview uses 1 kg",
    reason="A dynamic body needs a positive mass.",
)
ASSUMED_BALL = rule(
    "OMI-P002",
    INFO,
    "the body has neither inertia nor a shape to compute it from; the preview uses a solid ball of"
    " {radius} m radius",
    reason="OMI_physics_body leaves inertia to the engine; without a shape it cannot be computed.",
)
UNREADABLE_MESH = rule(
    "OMI-P010",
    WARNING,
    "a mesh of the body's shape cannot be read ({why}), so no inertia is computed from it",
    reason="The inertia of a body without its own is computed from its shapes.",
)
NOT_FINITE = rule(
    "OMI-P012",
    WARNING,
    "the {what} is not a usable number; the preview uses its default",
    reason="NaN, infinity and numbers beyond 1e12 spread to everything tied to a body.",
)


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """What does not change while a scene moves."""

    nodes: Indices
    """Node of each body, -1 for the world, shape (n,)."""
    of_node: Indices
    """Body that each node of the scene is attached to, 0 for the world."""
    is_dynamic: NDArray[np.bool_]
    mass: Array
    """[kg], shape (n,); 1 for bodies that are not dynamic."""
    inertia: Array
    """About the center of mass [kg·m²], in body axes, shape (3, 3, n)."""
    ease: Array
    """The inverses of these tensors."""
    center: Array
    """Center of mass in the body's frame [m], shape (3, n)."""
    gravity: Array
    """Acceleration [m/s²] of each body, shape (3, n)."""
    velocity: Array
    """Initial velocities in body axes, linear then angular, shape (n, 6)."""
    rest: Pose
    """Poses of the body frames at rest, shapes (n, 3) and (n, 4)."""

    @property
    def count(self) -> int:
        """Number of bodies, the world included."""
        return len(self.nodes)

    def centers(self, frames: Pose) -> Array:
        """Return the centers of mass (3, n) of bodies with the given frames."""
        return np.ascontiguousarray((frames.position + rotate(frames.rotation, self.center.T)).T)


@dataclass(slots=True, eq=False)
class Motions:
    """What changes while a scene moves; arrays are replaced, not changed."""

    center: Array
    """Centers of mass [m], shape (3, n)."""
    rotation: Array
    """Unit quaternions x y z w, shape (4, n)."""
    linear: Array
    """Velocity of the center of mass [m/s], shape (3, n)."""
    angular: Array
    """Angular velocity [rad/s], shape (3, n)."""
    spin: Array
    """Angular momentum about the center of mass [kg·m²/s], shape (3, n)."""

    def copy(self) -> "Motions":
        """Return an independent copy."""
        parts = (self.center, self.rotation, self.linear, self.angular, self.spin)
        return Motions(*(part.copy() for part in parts))


def bodies_of(
    scene: PhysicsScene,
    *,
    inertias: Mapping[int, Array] | None = None,
    moving: Collection[int] | None = None,
) -> tuple[Bodies, list[Finding]]:
    """Return the bodies of a scene and what had to be assumed about them.

    `inertias` are tensors (3, 3) about the center of mass in body axes [kg·m²] by node, for bodies
    that give none themselves; the scene's colliders have those of others. A dynamic body without
    any is taken as an even ball about its center of mass that reaches the farthest joint frame on
    it. Of the dynamic bodies only the nodes `moving`, where given, move.
    """
    findings: list[Finding] = []
    nodes = np.array([-1, *sorted(scene.motions)], dtype=np.intp)
    owner = scene.bodies()
    of_node = np.where(owner < 0, 0, np.searchsorted(nodes, owner)).astype(np.intp)
    motions = [_WORLD, *(_usable(scene, int(node), findings) for node in nodes[1:])]
    matrices = np.concatenate((np.eye(4)[None], scene.matrices[nodes[1:]]))
    frames = pose_from_matrix(matrices)
    is_dynamic = np.array([scene.is_dynamic(int(node)) for node in nodes])
    if moving is not None:
        is_dynamic &= np.isin(nodes, list(moving))
    center = _centers(motions, matrices, frames)
    reach = _reaches(scene, of_node, frames, center)
    given = {
        int(nodes[body]): _given_inertia(motions[body], (inertias or {}).get(int(nodes[body])))
        for body in np.flatnonzero(is_dynamic)
    }
    solids = _solids(scene, {n for n, tensor in given.items() if tensor is None}, findings)
    mass, inertia = np.ones(len(nodes)), np.repeat(np.eye(3)[:, :, None], len(nodes), axis=2)
    for body in np.flatnonzero(is_dynamic):
        node = int(nodes[body])
        mass[body] = _mass(motions[body], scene.names[node], findings)
        found = given[node]
        if found is None and node in solids:
            found = _checked(inertia_at(solids[node], mass[body]))
        if found is None:
            findings.append(ASSUMED_BALL(scene.names[node], radius=round(reach[body], 3)))
            found = np.eye(3) * assumed_moment(mass[body], reach[body])
        inertia[:, :, body] = found
    factors = np.array([motion.gravity_factor for motion in motions]) * is_dynamic
    gravity = _gravity(scene, findings)[:, None] * factors
    velocity = np.array([(*m.linear_velocity, *m.angular_velocity) for m in motions], float)
    is_led = np.array([motion.type == MotionType.KINEMATIC for motion in motions])
    velocity *= (is_dynamic | is_led)[:, None]
    return Bodies(
        nodes=nodes,
        of_node=of_node,
        is_dynamic=is_dynamic,
        mass=mass,
        inertia=inertia,
        ease=inverse(inertia),
        center=center.T.copy(),
        gravity=gravity,
        velocity=velocity,
        rest=frames,
    ), findings


def _usable(scene: PhysicsScene, node: int, findings: list[Finding]) -> Motion:
    """Return the motion of a body with defaults for numbers that cannot be reckoned with."""
    motion, rest = scene.motions[node], Motion()
    bad = [
        name
        for name in _NUMBERS
        if not (np.abs(np.array(getattr(motion, name), float)) < _LARGEST).all()
    ]
    findings += [NOT_FINITE(scene.names[node], what=name.replace("_", " ")) for name in bad]
    return replace(motion, **{name: getattr(rest, name) for name in bad}) if bad else motion


def _gravity(scene: PhysicsScene, findings: list[Finding]) -> Array:
    """Return the gravity of a scene [m/s²], none where it cannot be reckoned with."""
    gravity = np.array(scene.gravity, float)
    if (np.abs(gravity) < _LARGEST).all():
        return gravity
    findings.append(NOT_FINITE(scene.name, what="gravity"))
    return np.zeros(3)


def _given_inertia(motion: Motion, given: Array | None) -> Array | None:
    """Return the tensor (3, 3) that a body or the caller gives."""
    own = _own_inertia(motion)
    return _checked(given) if own is None else own


def _solids(
    scene: PhysicsScene, nodes: Collection[int], findings: list[Finding]
) -> dict[int, Solid]:
    """Return the solids of bodies from their colliders; tell whose meshes cannot be read."""
    if not nodes or not scene.colliders:
        return {}
    solids, faults = body_solids(scene, nodes)
    findings += [UNREADABLE_MESH(scene.names[node], why=why) for node, why in faults.items()]
    return solids


def motions_at_rest(bodies: Bodies) -> Motions:
    """Return the bodies at rest, with their initial velocities."""
    rotation, velocity = bodies.rest.rotation, bodies.velocity
    linear, angular = rotate(rotation, velocity[:, :3]).T, rotate(rotation, velocity[:, 3:]).T
    spin = apply(congruent(matrices(rotation.T), bodies.inertia), angular)
    center = bodies.centers(bodies.rest)
    return Motions(center, rotation.T.copy(), linear.copy(), angular.copy(), spin)


def motions_kept(
    bodies: Bodies, rest: Motions, before: Bodies, poses: Pose, motions: Motions
) -> Motions:
    """Return `rest` with the bodies that moved before and still move where they were.

    So are bodies that are driven from outside, as far as nobody has put them elsewhere. `poses` are
    the frames of the bodies `before`, `motions` their velocities.
    """
    at = np.clip(np.searchsorted(before.nodes, bodies.nodes), 0, before.count - 1)
    is_known = (before.nodes[at] == bodies.nodes) & (before.is_dynamic[at] == bodies.is_dynamic)
    is_put = (before.rest.position[at] != bodies.rest.position).any(axis=1)
    is_put |= (before.rest.rotation[at] != bodies.rest.rotation).any(axis=1)
    is_kept = is_known & (bodies.is_dynamic | ~is_put)
    now, old = np.flatnonzero(is_kept), at[is_kept]
    result = rest.copy()
    rotation = poses.rotation[old]
    offset = rotate(rotation, bodies.center[:, now].T)
    result.center[:, now] = (poses.position[old] + offset).T
    result.rotation[:, now] = rotation.T
    now, old = now[bodies.is_dynamic[now]], old[bodies.is_dynamic[now]]
    result.linear[:, now] = motions.linear[:, old]
    result.angular[:, now] = motions.angular[:, old]
    # A center that was put elsewhere in its body has the velocity of the body there.
    arm = result.center[:, now] - motions.center[:, old]
    result.linear[:, now] += cross(result.angular[:, now], arm)
    inertia = congruent(matrices(result.rotation), bodies.inertia)
    result.spin = apply(inertia, result.angular)
    return result


def _centers(motions: Sequence[Motion], matrices: Array, frames: Pose) -> Array:
    """Return centers of mass (n, 3) in the body frames, which have no scale."""
    given = np.array([motion.center_of_mass for motion in motions])
    offset = np.einsum("nij,nj->ni", matrices[:, :3, :3], given)
    return rotate(quaternion_conjugate(frames.rotation), offset)


def _reaches(scene: PhysicsScene, of_node: Indices, frames: Pose, center: Array) -> Array:
    """Return the distance (n,) from the center of mass to the farthest joint frame on each body."""
    reach = np.full(len(center), SMALLEST_RADIUS)
    ends = [node for j in scene.joints for node in (j.node, j.connected) if node is not None]
    if ends:
        body = of_node[ends]
        middle = frames.position[body] + rotate(frames.rotation[body], center[body])
        distance = np.linalg.norm(scene.matrices[ends][:, :3, 3] - middle, axis=-1)
        np.maximum.at(reach, body, distance)
    return reach


def _mass(motion: Motion, name: str, findings: list[Finding]) -> float:
    if _SMALLEST_MASS <= motion.mass < _LARGEST:
        return motion.mass
    findings.append(MASS_CANNOT_MOVE(name, mass=motion.mass))
    return 1.0


def _own_inertia(motion: Motion) -> Array | None:
    """Return the tensor (3, 3) that the motion gives, None where it leaves it to the engine."""
    axes = rotation_matrix(np.array(motion.inertia_orientation))
    return _checked(axes @ np.diag(motion.inertia_diagonal) @ axes.T)


def _checked(tensor: Array | None) -> Array | None:
    """Return a tensor whose principal moments are all positive, else None."""
    if tensor is None or not np.isfinite(tensor).all():
        return None
    moments = np.linalg.eigvalsh(tensor)
    return tensor if moments[0] > 1e-9 * moments[2] > 0.0 else None

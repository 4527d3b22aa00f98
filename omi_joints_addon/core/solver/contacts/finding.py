"""Contacts between shapes, found by MuJoCo's collision detection on a copy of the bodies."""

from collections.abc import Sequence
from contextlib import suppress

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ..bodies import Bodies, Motions
from ..elimination import Indices
from ..vectors import cross, length
from .contact import Contacts
from .fields import Prisms, add_prisms, write_margins
from .ground import Boxes, Ground, Near, nearest
from .held import contact_keys
from .shapes import ContactShape, Meetings, solid_points

_NEAR = 4e-3
"""Distance [m] within which shapes count as touching, however slow they are."""
_AHEAD, _ASIDE = 1.5, 0.25
"""For how many steps their way towards each other is added to that, and the way of both."""
_ARENA = 2**27
"""Memory of MuJoCo's arena [bytes]; it is reserved, not used."""
_ASKEW = 0.5
"""Cosine between the normal of a contact and that of the triangle above which it counts."""
_PER_SHAPE, _MOST_PRISMS = 16, 2**13
"""Triangles near a shape for which there is room from the start, and for which there is in all."""


_MANY, _DEEPEST = 2000, 8
"""Contacts in all from which on only so many of each body count, the deepest."""


class ContactFinder:
    """Bodies and their shapes as MuJoCo has them, with room for rows of joints."""

    def __init__(self, bodies: Bodies, shapes: Sequence[ContactShape], meetings: Meetings) -> None:
        """Build the model; raises `ValueError` where MuJoCo cannot."""
        self._bodies, self._meetings, self.shapes = bodies, meetings, shapes
        self.has_triggers = bool(meetings.are_noticed.any())
        self.moving = np.flatnonzero(bodies.is_dynamic)
        """Bodies that move, in the order of MuJoCo's degrees of freedom."""
        self._body_of_shape = np.array([shape.body for shape in shapes], np.intp)
        nodes = bodies.nodes[self._body_of_shape]
        self._node_of_shape = np.where(nodes < 0, [shape.node for shape in shapes], nodes)
        self.left_out = 0
        """Most contacts that were too many at once."""
        self._ground = Ground(bodies, shapes, meetings)
        self._on_ground = self._ground.meets & bodies.is_dynamic[self._body_of_shape]
        if mujoco.get_mju_user_warning() is None:
            # Else MuJoCo writes a log into the folder that a program was started in.
            mujoco.set_mju_user_warning(lambda _text: None)
        count = int(self._on_ground.sum())
        self._build(_room(min(self._ground.count * count, _PER_SHAPE * count)))

    def _build(self, prisms: int) -> None:
        """Build the model with room for prisms; raises `ValueError`."""
        spec = mujoco.MjSpec()
        handles = self._add_bodies(spec, self.shapes)
        self._add_shapes(spec, handles)
        add_prisms(spec, prisms)
        spec.memory = _ARENA
        try:
            model = spec.compile()
            data = mujoco.MjData(model)
        except (ValueError, MemoryError, mujoco.FatalError) as error:
            raise ValueError(str(error).splitlines()[0]) from error
        self.model, self.data = model, data
        self._mocap = self.model.body_mocapid[self._ids(self._shown)]
        self._prisms, self._near = Prisms(self.model, prisms), Near.none()
        self._know_geoms()

    def _add_bodies(
        self, spec: "mujoco.MjSpec", shapes: Sequence[ContactShape]
    ) -> dict[int, object]:
        """Add a body for each that moves, and for each other one that has a shape."""
        has_shape = {shape.body for shape in shapes}
        handles: dict[int, object] = {}
        self._shown = np.array(
            [body for body in sorted(has_shape) if not self._bodies.is_dynamic[body]], np.intp
        )
        for body in (*self.moving.tolist(), *self._shown.tolist()):
            is_dynamic = bool(self._bodies.is_dynamic[body])
            handle = spec.worldbody.add_body(name=str(body), mocap=not is_dynamic)
            if is_dynamic:
                handle.add_freejoint()
                _give_mass(handle)
            handles[body] = handle
        return handles

    def _add_shapes(self, spec: "mujoco.MjSpec", handles: dict[int, object]) -> None:
        for number, shape in enumerate(self.shapes):
            if shape.triangles is not None:
                continue
            name = str(number)
            if shape.points is not None:
                points = solid_points(shape.points)
                mesh = spec.add_mesh(name=name, uservert=points.astype(np.float32).ravel())
                mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
            _add_geom(handles[shape.body], name, shape)

    def _ids(self, bodies: Indices) -> Indices:
        return np.array([self.model.body(str(body)).id for body in bodies.tolist()], np.intp)

    def _know_geoms(self) -> None:
        """Learn which shape each geom is of, and how far it reaches from its body."""
        model, shapes = self.model, range(len(self.shapes))
        solid = np.array([n for n in shapes if self.shapes[n].triangles is None], np.intp)
        geoms = np.array([model.geom(str(number)).id for number in solid.tolist()], np.intp)
        self._owner = np.zeros(model.ngeom, np.intp)
        self._owner[geoms] = solid
        self._number = self._owner.copy()
        """What tells contacts apart: the number of the shape or triangle."""
        self._movers = geoms[self._on_ground[solid]]
        self._solid, self._body_of_solid = geoms, self._body_of_shape[solid]
        self._normal = np.full((model.ngeom, 3), np.nan)
        self._corner = np.zeros((model.ngeom, 3))
        reach = np.linalg.norm(model.geom_pos, axis=1) + model.geom_rbound
        self._reach = reach[geoms]

    def find(self, motions: Motions, step: float) -> None:
        """Find what touches within a step [s], for `contacts`."""
        self._place_shapes(motions, step)
        if self._ground.count:
            self._bring_triangles(motions, step)
        mujoco.mj_collision(self.model, self.data)
        self.left_out = max(self.left_out, len(self._near.movers) - self._prisms.count)
        if self.data.warning.number.any():
            # MuJoCo leaves out what its memory has no room for.
            self.data.warning.number[:] = 0
            self.left_out = max(self.left_out, 1)
        self._found = self._near_contacts(motions, step)

    def _place_shapes(self, motions: Motions, step: float) -> None:
        self._place(motions)
        self._look_ahead(motions, step)
        mujoco.mj_kinematics(self.model, self.data)

    def _look_ahead(self, motions: Motions, step: float) -> None:
        """Write how far around each shape is looked."""
        speed = np.sqrt((motions.linear**2).sum(axis=0))
        turning = np.sqrt((motions.angular**2).sum(axis=0))
        way = speed[self._body_of_solid] + turning[self._body_of_solid] * self._reach
        write_margins(self.model, self._solid, _NEAR + _AHEAD * step * way)

    def _bring_triangles(self, motions: Motions, step: float) -> None:
        """Put the triangles that are near into the model."""
        ways = _AHEAD * step * self._ground.ways(motions)
        near = self._ground.near(self._reaches(ways.max()), self._owner[self._movers], motions)
        if len(near.movers) > self._prisms.count < _MOST_PRISMS:
            # Triangles that there is no memory for are left out.
            with suppress(ValueError):
                self._build(_room(len(near.movers)))
            self._place_shapes(motions, step)
        if near is not self._near:
            self._near = near
            self._chosen = nearest(near, self._prisms.count)
            self._write_triangles()
        self._prisms.place(self.data)
        geoms, shapes = self._movers[near.movers[self._chosen]], near.shapes[self._chosen]
        self._prisms.look_ahead(self.model.geom_margin[geoms] + ways[shapes])

    def _reaches(self, more: float) -> Boxes:
        """Return the boxes that the shapes reach that may touch triangles."""
        model, data, at = self.model, self.data, self._movers
        turn = data.geom_xmat[at].reshape(-1, 3, 3)
        middle, half = model.geom_aabb[at, :3], model.geom_aabb[at, 3:]
        middle = data.geom_xpos[at] + np.einsum("nij,nj->ni", turn, middle)
        half = np.einsum("nij,nj->ni", np.abs(turn), half) + model.geom_margin[at, None] + more
        return Boxes(middle - half, middle + half)

    def _write_triangles(self) -> None:
        near, chosen = self._near, self._chosen
        geoms = self._prisms.geoms[: len(chosen)]
        self._owner[geoms] = near.shapes[chosen]
        self._number[geoms] = len(self.shapes) + self._ground.numbers(near)[chosen]
        self._normal[geoms], self._corner[geoms] = near.normals[chosen], near.prisms[chosen, 0]
        self._prisms.write(near.prisms[chosen], self._movers[near.movers[chosen]])

    def _place(self, motions: Motions) -> None:
        data, wxyz = self.data, (3, 0, 1, 2)
        count = len(self.moving)
        places = data.qpos[: 7 * count].reshape(count, 7)
        places[:, :3] = motions.center[:, self.moving].T
        places[:, 3:] = motions.rotation[wxyz, :][:, self.moving].T
        data.mocap_pos[self._mocap] = motions.center[:, self._shown].T
        data.mocap_quat[self._mocap] = motions.rotation[wxyz, :][:, self._shown].T

    def contacts(self, chosen: NDArray[np.bool_]) -> Contacts:
        """Return the contacts found of the bodies `chosen` (n,)."""
        found, is_dynamic = self._found, self._bodies.is_dynamic
        counts = chosen | ~is_dynamic
        counts = counts[found.first] & counts[found.second]
        return found.some(counts)

    def _near_contacts(self, motions: Motions, step: float) -> Contacts:
        """Return all contacts that come to count within a step [s]."""
        found, table = self.data.contact, self._meetings
        geoms = np.array(found.geom).reshape(-1, 2)
        sides = self._owner[geoms.T]
        one, other = sides
        axes = np.array(found.frame).reshape(-1, 3, 3).transpose(1, 2, 0)
        distance, point = np.array(found.dist).reshape(-1), np.array(found.pos).reshape(-1, 3).T
        counts = table.are_allowed[one, other] & self._along_faces(axes, distance, point, geoms)
        all_found = Contacts(
            keys=contact_keys(self._number[geoms]),
            bodies=self._body_of_shape[sides],
            nodes=self._node_of_shape[sides],
            point=point,
            axes=axes,
            distance=distance,
            static_friction=table.static_friction[one, other],
            dynamic_friction=table.dynamic_friction[one, other],
            restitution=table.restitution[one, other],
        )
        reached = all_found.some(counts & _are_reached(all_found, motions, step))
        if len(reached.keys) <= _MANY:
            return reached
        deepest = reached.some(_are_deepest(reached, self._bodies.is_dynamic))
        self.left_out = max(self.left_out, len(reached.keys) - len(deepest.keys))
        return deepest

    def inside(self) -> set[tuple[int, int]]:
        """Return the triggers, by their nodes, and the bodies that were found in them."""
        geoms = np.array(self.data.contact.geom).reshape(-1, 2)
        deep = np.array(self.data.contact.dist).reshape(-1) <= 0.0
        found: set[tuple[int, int]] = set()
        for one, other in self._owner[np.concatenate((geoms[deep], geoms[deep][:, ::-1]))].tolist():
            if self._meetings.are_noticed[one, other]:
                found.add((self.shapes[one].node, self.shapes[other].body))
        return found

    def _along_faces(
        self, axes: Array, distance: Array, point: Array, geoms: Indices
    ) -> NDArray[np.bool_]:
        """Turn contacts with triangles to their planes, in place; return which contacts count (c,).

        MuJoCo's own normals stop what slides at the inner edges of a surface, and a prism is left
        on the side that is nearest, which need not be the triangle's.
        """
        counts = np.ones(len(geoms), bool)
        for side, sign in ((0, 1.0), (1, -1.0)) if self._ground.count else ():
            at = np.flatnonzero(~np.isnan(self._normal[geoms[:, side], 0]))
            if not len(at):
                continue
            normal, corner = self._normal[geoms[at, side]].T, self._corner[geoms[at, side]].T
            own = sign * axes[0][:, at]
            counts[at] = (own * normal).sum(axis=0) > _ASKEW
            touched = point[:, at] + 0.5 * distance[at] * own
            distance[at] = (normal * (touched - corner)).sum(axis=0)
            point[:, at] = touched - 0.5 * distance[at] * normal
            axes[:, :, at] = _frame(sign * normal)
        return counts


def _are_deepest(found: Contacts, is_dynamic: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which contacts (c,) are among the deepest of one of their bodies that moves."""
    deep = np.argsort(found.distance)
    body = found.bodies[:, deep].T.ravel()
    order = np.argsort(body, kind="stable")
    number = np.bincount(body)
    rank = np.arange(len(body)) - np.repeat(np.cumsum(number) - number, number)
    chosen = order[(rank < _DEEPEST) & is_dynamic[body[order]]]
    counts = np.zeros(len(deep), bool)
    counts[deep[chosen // 2]] = True
    return counts


def _are_reached(found: Contacts, motions: Motions, step: float) -> NDArray[np.bool_]:
    """Return which contacts (c,) may close within a step [s], with room for what turns."""
    counts = found.distance < _NEAR
    found = found.some(~counts)
    arms = found.point[:, None] - motions.center[:, found.bodies]
    speeds = motions.linear[:, found.bodies] + cross(motions.angular[:, found.bodies], arms)
    approach = (found.axes[0] * (speeds[:, 0] - speeds[:, 1])).sum(axis=0)
    ways = length(speeds).sum(axis=0)
    ahead = _AHEAD * np.maximum(approach, 0.0) + _ASIDE * ways
    counts[~counts] = found.distance < _NEAR + step * ahead
    return np.asarray(counts)


def _frame(normal: Array) -> Array:
    """Return axes (3, 3, c) of which the first are the normals (3, c)."""
    least = np.eye(3)[:, np.abs(normal).argmin(axis=0)]
    along = cross(normal, least)
    along /= np.sqrt((along**2).sum(axis=0))
    return np.stack((normal, along, cross(normal, along)))


def _give_mass(handle: object) -> None:
    """Give a body any mass at its origin: rows bring the inertia of the bodies along."""
    handle.mass, handle.inertia = 1.0, (1.0, 1.0, 1.0)  # type: ignore[attr-defined]
    handle.ipos, handle.explicitinertial = (0.0, 0.0, 0.0), True  # type: ignore[attr-defined]


def _room(count: int) -> int:
    """Return for how many prisms there is room, given how many are needed."""
    return min(2 ** max(count - 1, 0).bit_length(), _MOST_PRISMS) if count else 0


def _add_geom(handle: object, name: str, shape: ContactShape) -> None:
    is_mesh, (x, y, z, w) = shape.points is not None, shape.pose.rotation.tolist()
    kind, size = _kind_of(shape.shape) if not is_mesh else (mujoco.mjtGeom.mjGEOM_MESH, (0.0,) * 3)
    geom = handle.add_geom(  # type: ignore[attr-defined]
        name=name, type=kind, size=size, pos=shape.pose.position.tolist(), quat=(w, x, y, z)
    )
    geom.condim = 3
    if is_mesh:
        geom.meshname = name


def _kind_of(shape: Shape) -> tuple[object, tuple[float, float, float]]:
    """Return MuJoCo's type of a primitive, and its sizes."""
    kinds = mujoco.mjtGeom
    match shape:
        case Box(size=(x, y, z)):
            return kinds.mjGEOM_BOX, (0.5 * x, 0.5 * y, 0.5 * z)
        case Capsule(height=height, radius_top=radius):
            return kinds.mjGEOM_CAPSULE, (radius, 0.5 * height, 0.0)
        case Cylinder(height=height, radius_top=radius):
            return kinds.mjGEOM_CYLINDER, (radius, 0.5 * height, 0.0)
        case Sphere(radius=radius):
            return kinds.mjGEOM_SPHERE, (radius, 0.0, 0.0)
    raise ValueError("its type is not known")

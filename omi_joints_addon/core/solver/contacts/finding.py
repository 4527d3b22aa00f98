"""Contacts between shapes, found by MuJoCo's collision detection on a copy of the bodies.

MuJoCo's documented data is written to directly, which is not among its supported uses, so a
self-test compares both solvers before they are trusted (`available`).
"""

from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ...model.shape import Box, Capsule, Cylinder, Shape, Sphere
from ..bodies import Bodies, Motions
from ..elimination import Indices
from ..vectors import apply, matrices
from .contact import Contacts
from .shapes import ContactShape, Meetings, solid_points

_NEAR = 4e-3
"""Distance [m] within which shapes count as touching, however slow they are."""
_AHEAD = 1.5
"""For how many steps their way is added to that."""
_ROWS_OF_WELD = 6
_ARENA = 2**26
_ARENA_OF_ROW = 2**16
"""Memory of MuJoCo's arena [bytes], in all and for each row; it is reserved, not used."""
_ITERATIONS = 24
"""Most of Newton's: heaps of 100 that collapse need more here and there, and are no better for it.

With 60 they end as deep in each other, lose as much energy, and take twice the time.
"""
_BELOW = 0.1
"""Thickness of the prism below a triangle, as a part of its size."""


class ContactFinder:
    """Bodies and their shapes as MuJoCo has them, with room for rows of joints."""

    def __init__(
        self, bodies: Bodies, shapes: Sequence[ContactShape], meetings: Meetings, rows: int
    ) -> None:
        """Build the model; raises `ValueError` where MuJoCo cannot."""
        self._bodies, self._meetings, self.shapes = bodies, meetings, shapes
        self.has_triggers = bool(meetings.are_noticed.any())
        self.moving = np.flatnonzero(bodies.is_dynamic)
        """Bodies that move, in the order of MuJoCo's degrees of freedom."""
        self.row_room = _ROWS_OF_WELD * -(-rows // _ROWS_OF_WELD)
        if mujoco.get_mju_user_warning() is None:
            # Else MuJoCo writes a log into the folder that a program was started in.
            mujoco.set_mju_user_warning(lambda _text: None)
        spec = mujoco.MjSpec()
        handles = self._add_bodies(spec, shapes)
        self._add_shapes(spec, handles, shapes)
        self._add_row_room(spec)
        _set_options(spec, self.row_room)
        try:
            self.model = spec.compile()
            self.data = mujoco.MjData(self.model)
        except (ValueError, MemoryError, mujoco.FatalError) as error:
            raise ValueError(str(error).splitlines()[0]) from error
        self.model.stat.meaninertia = 1.0 / max(self.model.nv, 1)
        for prepare in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_makeM, mujoco.mj_factorM):
            # The mass matrix of MuJoCo's own bodies is the identity wherever they are.
            prepare(self.model, self.data)
        self._mocap = self.model.body_mocapid[self._ids(self._shown)]
        self._reach = self._reaches()

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

    def _add_shapes(
        self, spec: "mujoco.MjSpec", handles: dict[int, object], shapes: Sequence[ContactShape]
    ) -> None:
        owners: list[int] = []
        normals: list[Array] = []
        for number, shape in enumerate(shapes):
            for points, normal in _hulls(shape):
                name = f"{len(owners)}"
                if points is not None:
                    mesh = spec.add_mesh(name=name, uservert=points.astype(np.float32).ravel())
                    mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
                _add_geom(handles[shape.body], name, shape, is_mesh=points is not None)
                owners.append(number)
                normals.append(normal)
        self._owner_of_name = owners
        self._normal_of_name = np.array(normals, float).reshape(-1, 3)
        self._body_of_shape = np.array([shape.body for shape in shapes], np.intp)
        nodes = self._bodies.nodes[self._body_of_shape]
        self._node_of_shape = np.where(nodes < 0, [shape.node for shape in shapes], nodes)

    def _add_row_room(self, spec: "mujoco.MjSpec") -> None:
        """Add what has as many rows as joints need: welds between two bodies of no meaning."""
        names = ("one", "other")
        for name in names:
            handle = spec.worldbody.add_body(name=name, pos=(1e3, 0.0, 0.0))
            handle.add_freejoint()
            _give_mass(handle)
        for _ in range(self.row_room // _ROWS_OF_WELD):
            weld = spec.add_equality()
            weld.type, weld.objtype = mujoco.mjtEq.mjEQ_WELD, mujoco.mjtObj.mjOBJ_BODY
            weld.name1, weld.name2 = names

    def _ids(self, bodies: Indices) -> Indices:
        return np.array([self.model.body(str(body)).id for body in bodies.tolist()], np.intp)

    def _reaches(self) -> Array:
        """Sort what is known of shapes by the geoms; return how far each reaches from its body."""
        names = [int(self.model.geom(n).name) for n in range(self.model.ngeom)]
        self._owner = np.array([self._owner_of_name[name] for name in names], np.intp)
        self._normal = self._normal_of_name[names].reshape(-1, 3)
        self._is_surface = np.isfinite(self._normal).all(axis=1)
        self._body = self._body_of_shape[self._owner].reshape(-1)
        return np.asarray(np.linalg.norm(self.model.geom_pos, axis=1) + self.model.geom_rbound)

    def find(self, motions: Motions, step: float) -> None:
        """Find what touches within a step [s], for `contacts`."""
        self._place(motions)
        speed = np.sqrt((motions.linear**2).sum(axis=0))
        turning = np.sqrt((motions.angular**2).sum(axis=0))
        way = speed[self._body] + turning[self._body] * self._reach
        self.model.geom_margin[:] = _NEAR + _AHEAD * step * way
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)

    def _place(self, motions: Motions) -> None:
        data, wxyz = self.data, (3, 0, 1, 2)
        count = len(self.moving)
        places = data.qpos[: 7 * count].reshape(count, 7)
        places[:, :3] = motions.center[:, self.moving].T
        places[:, 3:] = motions.rotation[wxyz, :][:, self.moving].T
        data.mocap_pos[self._mocap] = motions.center[:, self._shown].T
        data.mocap_quat[self._mocap] = motions.rotation[wxyz, :][:, self._shown].T

    def contacts(self, motions: Motions, chosen: NDArray[np.bool_]) -> Contacts:
        """Return the contacts found of the bodies `chosen` (n,), and leave out all others."""
        found, table = self.data.contact, self._meetings
        geoms = np.array(found.geom).reshape(-1, 2)
        one, other = self._owner[geoms].T.reshape(2, -1)
        bodies = self._body[geoms].T.reshape(2, -1)
        are_in = chosen[bodies] | ~self._bodies.is_dynamic[bodies]
        counts = table.are_allowed[one, other] & are_in.all(axis=0)
        if len(geoms):
            found.exclude[:] = np.where(counts, 0, 1)
        at = np.flatnonzero(counts)
        frames = np.array(found.frame).reshape(-1, 3, 3)[at].transpose(1, 2, 0)
        return Contacts(
            numbers=at,
            first=bodies[0, at],
            second=bodies[1, at],
            nodes=self._node_of_shape[np.stack((one[at], other[at]))],
            point=np.array(found.pos).reshape(-1, 3)[at].T,
            axes=self._along_faces(frames, geoms[at], bodies[:, at], motions),
            distance=np.array(found.dist).reshape(-1)[at],
            static_friction=table.static_friction[one[at], other[at]],
            dynamic_friction=table.dynamic_friction[one[at], other[at]],
            restitution=table.restitution[one[at], other[at]],
        )

    def inside(self) -> set[tuple[int, int]]:
        """Return the triggers, by their nodes, and the bodies that were found in them."""
        geoms = np.array(self.data.contact.geom).reshape(-1, 2)
        deep = np.array(self.data.contact.dist).reshape(-1) <= 0.0
        found: set[tuple[int, int]] = set()
        for one, other in self._owner[np.concatenate((geoms[deep], geoms[deep][:, ::-1]))].tolist():
            if self._meetings.are_noticed[one, other]:
                found.add((self.shapes[one].node, self.shapes[other].body))
        return found

    def _along_faces(self, axes: Array, geoms: Indices, bodies: Indices, motions: Motions) -> Array:
        """Return axes (3, 3, c) along the normals of triangles, where one of the two is of some.

        MuJoCo's own stop what slides at the inner edges of a surface.
        """
        for side, sign in ((0, 1.0), (1, -1.0)):
            at = np.flatnonzero(self._is_surface[geoms[:, side]])
            if len(at):
                turn = matrices(motions.rotation[:, bodies[side, at]])
                normal = sign * apply(turn, self._normal[geoms[at, side]].T)
                axes[:, :, at] = _frame(normal)
        return axes


def _frame(normal: Array) -> Array:
    """Return axes (3, 3, c) of which the first are the normals (3, c)."""
    least = np.eye(3)[:, np.abs(normal).argmin(axis=0)]
    along = np.cross(normal, least, axis=0)
    along /= np.linalg.norm(along, axis=0)
    return np.stack((normal, along, np.cross(normal, along, axis=0)))


def _give_mass(handle: object) -> None:
    """Give a body any mass at its origin: rows bring the inertia of the bodies along."""
    handle.mass, handle.inertia = 1.0, (1.0, 1.0, 1.0)  # type: ignore[attr-defined]
    handle.ipos, handle.explicitinertial = (0.0, 0.0, 0.0), True  # type: ignore[attr-defined]


_NO_NORMAL = np.full(3, np.nan)


def _hulls(shape: ContactShape) -> list[tuple[Array | None, Array]]:
    """Return the hulls of a shape and the normals of the triangles that they lie below.

    None is a primitive.
    """
    if shape.points is None:
        return [(None, _NO_NORMAL)]
    if shape.triangles is None:
        return [(solid_points(shape.points), _NO_NORMAL)]
    return [found for corners in shape.points[shape.triangles] if (found := _prism(corners))]


def _prism(corners: Array) -> tuple[Array, Array] | None:
    """Return a prism below a triangle (3, 3) and its normal; None for one without area."""
    across = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    area = float(np.linalg.norm(across))
    if not area > 1e-12:
        return None
    normal = across / area
    return np.concatenate((corners, corners - _BELOW * np.sqrt(area) * normal)), normal


def _add_geom(handle: object, name: str, shape: ContactShape, *, is_mesh: bool) -> None:
    x, y, z, w = shape.pose.rotation.tolist()
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


def _set_options(spec: "mujoco.MjSpec", rows: int) -> None:
    spec.memory = _ARENA + rows * _ARENA_OF_ROW
    option = spec.option
    option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations, option.tolerance = _ITERATIONS, 1e-12
    option.ls_iterations, option.ls_tolerance = 60, 1e-3
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND

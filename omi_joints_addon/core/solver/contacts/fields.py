"""What is written by hand into models and data of MuJoCo.

Its fields are documented ("mjModel", "mjData", efc_*); that these may be written is not, which is
why `self_test` compares what comes of it with known solutions before anything is trusted.
"""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...model.pose import Array
from ..elimination import SIZE, Indices

FAR = "far"
"""A shape of no meaning."""
_PRISM = "prism"
_NOWHERE = 1e9
"""Where prisms of no meaning are [m]."""
_TEMPLATE = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, -1), (1, 0, -1), (0, 1, -1)), float)
_KINDS = np.array(
    (
        int(mujoco.mjtConstraint.mjCNSTR_EQUALITY),
        int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF),
        int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT),
    )
)
"""Rows without bounds, with two, and with one."""
_ALONG = np.arange(SIZE)
_NONE = 1e-9
"""Gain of rows that do nothing."""
_ITERATIONS = 60
"""Most of Newton's; more than 20 are rare."""
_MEMORY, _MEMORY_OF_BODY = 2**23, 2**18
"""Of a problem's arena [bytes]; it is reserved, not used."""


class FieldsError(Exception):
    """MuJoCo has no room for a problem; the text says what there is too much of."""


def add_prisms(spec: "mujoco.MjSpec", count: int) -> None:
    """Add prisms to the world, each in a pair with a shape of no meaning."""
    if not count:
        return
    kind = mujoco.mjtGeom.mjGEOM_MESH
    handle = spec.worldbody.add_body(name=FAR, mocap=True)
    handle.add_geom(
        name=FAR, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(1e-3,) * 3, contype=0, conaffinity=0
    )
    for number in range(count):
        name = f"{_PRISM} {number}"
        mesh = spec.add_mesh(name=name, uservert=_TEMPLATE.astype(np.float32).ravel())
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
        geom = spec.worldbody.add_geom(name=name, type=kind, contype=0, conaffinity=0)
        geom.meshname = name
        pair = spec.add_pair()
        pair.geomname1, pair.geomname2, pair.condim = FAR, name, 3


class Prisms:
    """Room for triangles: prisms that are written anew as other ones come near.

    A model with a mesh for each of 50,000 triangles takes more than a minute to compile. So there
    are as many prisms as are near what moves, each in an explicit pair with one shape.
    """

    def __init__(self, model: "mujoco.MjModel", count: int) -> None:
        """Take a model that `add_prisms` has added to."""
        self._model, self.count, self._used = model, count, 0
        names = [f"{_PRISM} {number}" for number in range(count)]
        self.geoms = np.array([model.geom(name).id for name in names], np.intp)
        self._far = model.geom(FAR).id if count else -1
        meshes = model.geom_dataid[self.geoms]
        self._vertices = model.mesh_vertadr[meshes][:, None] + np.arange(len(_TEMPLATE))
        # All are one mesh, so their sides are alike.
        sides = model.mesh_polynum[meshes[0]] if count else 0
        self._sides = model.mesh_polyadr[meshes][:, None] + np.arange(sides)
        starts = model.mesh_polyvertadr[self._sides[:1]]
        self._corners = model.mesh_polyvert[starts[..., None] + np.arange(3)].reshape(-1, 3)
        if count:
            model.geom_sameframe[self.geoms] = mujoco.mjtSameFrame.mjSAMEFRAME_NONE
            model.geom_quat[self.geoms] = (1.0, 0.0, 0.0, 0.0)
            model.geom_pos[self.geoms] = _NOWHERE
            # The compiler sorts both of a pair.
            model.pair_geom1[:], model.pair_geom2[:] = self._far, self.geoms

    def write(self, prisms: Array, geoms: Indices) -> None:
        """Write prisms (k, 6, 3) in world axes [m], and which shape each may touch (k,)."""
        model, used = self._model, len(prisms)
        middle = prisms.mean(axis=1)
        local = (prisms - middle[:, None]).astype(np.float32)
        model.mesh_vert[self._vertices[:used]] = local
        a, b, c = (local[:, self._corners[:, n]].astype(float) for n in range(3))
        normal = np.cross(b - a, c - a)
        normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-300)
        model.mesh_polynormal[self._sides[:used]] = normal
        low, high = local.min(axis=1), local.max(axis=1)
        at, idle = self.geoms[:used], self.geoms[used : self._used]
        model.geom_size[at] = 0.5 * (high - low)
        model.geom_aabb[at] = np.concatenate((0.5 * (low + high), 0.5 * (high - low)), axis=1)
        model.geom_rbound[at] = np.linalg.norm(local, axis=2).max(axis=1) * (1.0 + 1e-6)
        model.geom_pos[at], model.geom_pos[idle] = middle, _NOWHERE
        model.pair_geom1[:used], model.pair_geom1[used : self._used] = geoms, self._far
        model.pair_margin[used : self._used] = 0.0
        self._used = used

    def look_ahead(self, margin: Array) -> None:
        """Write how far around each prism in use is looked (k,) [m]."""
        self._model.pair_margin[: self._used] = margin

    def place(self, data: "mujoco.MjData") -> None:
        """Put the prisms where they are, after those of other shapes have been placed."""
        data.geom_xpos[self.geoms] = self._model.geom_pos[self.geoms]
        data.geom_xmat[self.geoms] = np.eye(3).ravel()


def write_margins(model: "mujoco.MjModel", geoms: Indices, margins: Array) -> None:
    """Write how far around shapes is looked [m]."""
    model.geom_margin[geoms] = margins
    # Of bodies with several shapes MuJoCo asks for this one first.
    model.body_margin[:] = 0.0
    np.maximum.at(model.body_margin, model.geom_bodyid, model.geom_margin)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Laws of joints as rows (r,), sorted by their kind: without bounds, with two, with one.

    Blocks are those of the unknowns of bodies, -1 for what does not move.
    """

    kind: Indices
    gain: Array
    goal: Array
    high: Array
    acts: NDArray[np.bool_]
    """Whether its impulse depends on what bodies do."""
    blocks: Indices
    """Of both bodies, shape (2, r)."""
    entries: Array
    """Shape (2, r, 6)."""
    couplings: list[tuple[int, int, float]]
    """A row, that which it follows, and their slope."""


@dataclass(frozen=True, slots=True, eq=False)
class Touches:
    """Contacts as rows: along the normal of each, and two along its surface."""

    blocks: Indices
    """Of both bodies, shape (2, c)."""
    entries: Array
    """Shape (2, 3, c, 6)."""
    gain: Array
    friction: Array


class RowProblem:
    """Room for rows on some bodies, each of whose unknowns has the mass one."""

    def __init__(self, room: int) -> None:
        """Build a model of so many bodies; raises `FieldsError`."""
        spec = mujoco.MjSpec()
        spec.memory = _MEMORY + room * _MEMORY_OF_BODY
        # Two more carry the shapes that rows are of when they are made.
        for number in range(room + 2):
            handle = spec.worldbody.add_body(name=str(number))
            handle.add_freejoint()
            handle.mass, handle.inertia = 1.0, (1.0, 1.0, 1.0)
            handle.ipos, handle.explicitinertial = (0.0, 0.0, 0.0), True
        sphere = {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": (1e-3,) * 3}
        for number in (room, room + 1):
            spec.body(str(number)).add_geom(contype=0, conaffinity=0, mass=0.0, **sphere)
        _set_options(spec)
        self.room = room
        try:
            self.model = spec.compile()
            self.data = mujoco.MjData(self.model)
        except (ValueError, MemoryError, mujoco.FatalError) as error:
            raise FieldsError("there are too many bodies for the memory of MuJoCo") from error
        self.model.stat.meaninertia = 1.0 / max(self.model.nv, 1)
        for prepare in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_makeM, mujoco.mj_factorM):
            prepare(self.model, self.data)
        self._contacts, self._rows = 0, 0
        self._first, self._address = 0, np.zeros((3, 0), np.intp)

    def load(self, rows: Rows, touches: Touches, pushes: Array, start: Array) -> None:
        """Take rows, impulses (m, 6) on bodies, and a first guess (m, 6) of what they do."""
        data, count, more = self.data, len(rows.kind), 2 * len(rows.couplings)
        self._rows, first = count, count + more
        contacts = first + len(touches.gain)
        self._require_contacts(contacts)
        found = data.contact
        found.dim[:first], found.dim[first:contacts] = 1, 3
        found.exclude[:contacts], found.exclude[contacts:] = 0, 1
        found.friction[first:contacts, :2] = np.maximum(touches.friction, 1e-5)[:, None]
        mujoco.mj_makeConstraint(self.model, data)
        self._first = first
        self._address = first + np.arange(3)[:, None] + 3 * np.arange(len(touches.gain))
        self._require_room(data.nefc == first + 3 * len(touches.gain))
        self._wanted, self._force = data.efc_aref, data.efc_force
        data.efc_J_rowsuper[:] = 0
        self._write_rows(rows, more)
        self._write_touches(touches)
        smooth = np.zeros(self.model.nv)
        smooth[: pushes.size] = pushes.ravel()
        data.qacc_smooth[:], data.qfrc_smooth[:] = smooth, smooth
        smooth[: start.size] = start.ravel()
        data.qacc_warmstart[:] = smooth

    def solve(self, goals: Array) -> tuple[Array, Array, Array]:
        """Return what bodies do (m, 6), and impulses of rows (r,) and contacts (3, c).

        `goals` (3, c) are what contacts want; the next call starts where this one ends.
        """
        data, force = self.data, self._force
        self._wanted[self._address] = goals
        mujoco.mj_fwdConstraint(self.model, data)
        self._require_room(not data.warning.number.any())
        data.qacc_warmstart[:] = found = data.qacc
        change = found[: SIZE * self.room].copy().reshape(-1, SIZE)
        return change, force[: self._rows].copy(), force[self._address]

    @property
    def work(self) -> int:
        """How many entries of its matrix the last solution went through, in all iterations."""
        return int(self.data.solver_niter[0]) * int(self.data.solver_nnz[0])

    def _require_contacts(self, count: int) -> None:
        """Make room for so many rows and contacts."""
        if count <= self._contacts:
            return
        data, room = self.data, 2 ** max(count - 1, 15).bit_length()
        data.ncon = 0
        size = data.narena // 2
        if room * _SIZE_OF_CONTACT > size:
            raise FieldsError("there are too many contacts for the memory of MuJoCo")
        data.ncon = self._contacts = room
        found = data.contact
        for name in _FIELDS:
            getattr(found, name)[:] = 0
        found.geom[:] = (0, 1)
        found.flex[:], found.elem[:], found.vert[:] = -1, -1, -1
        found.frame[:] = np.eye(3).ravel()
        found.friction[:] = 1.0
        found.solref[:], found.solimp[:] = (0.02, 1.0), (0.9, 0.95, 1e-3, 0.5, 2.0)

    def _require_room(self, is_enough: bool) -> None:
        if not is_enough:
            self.data.warning.number[:] = 0
            raise FieldsError("there are too many contacts for the memory of MuJoCo")

    def _write_rows(self, rows: Rows, more: int) -> None:
        data, count = self.data, len(rows.kind)
        room = count + more
        if not room:
            return
        entries, columns, sizes = _sparse(rows.blocks, rows.entries)
        starts = 2 * SIZE * np.arange(room)
        gain, goal, kind = np.maximum(rows.gain, 1e-12), rows.goal, rows.kind
        if more:
            entries = np.concatenate((entries, np.zeros((more, 2 * SIZE))))
            columns = np.concatenate((columns, np.zeros((more, 2 * SIZE), np.intp)))
            sizes = np.append(sizes, np.zeros(more, np.intp))
            _couple(rows, entries, columns, starts, sizes)
            gain, goal = np.append(gain, np.full(more, _NONE)), np.append(goal, np.zeros(more))
            kind = np.append(kind, np.full(more, 2))
        entries[:count][~rows.acts] = 0.0
        data.efc_J[: entries.size] = entries.ravel()
        data.efc_J_colind[: columns.size] = columns.ravel()
        data.efc_J_rowadr[:room], data.efc_J_rownnz[:room] = starts, sizes
        data.efc_D[:room], data.efc_R[:room], data.efc_aref[:room] = gain, 1.0 / gain, goal
        data.efc_type[:room], data.efc_frictionloss[:room] = _KINDS[kind], 0.0
        data.efc_frictionloss[:count][rows.kind == 1] = rows.high[rows.kind == 1]
        data.ne, data.nf, data.nl = np.bincount(kind, minlength=3).tolist()

    def _write_touches(self, touches: Touches) -> None:
        if not len(touches.gain):
            return
        data, first = self.data, self._first
        # Rows of a contact follow each other: those of all are behind those of joints.
        entries, columns, sizes = _sparse(
            np.repeat(touches.blocks, 3, axis=1),
            touches.entries.swapaxes(1, 2).reshape(2, -1, SIZE),
        )
        start = int(data.efc_J_rowadr[first])
        data.efc_J[start : start + entries.size] = entries.ravel()
        data.efc_J_colind[start : start + columns.size] = columns.ravel()
        data.efc_J_rownnz[first:] = sizes
        gain = np.repeat(touches.gain, 3)
        data.efc_D[first:], data.efc_R[first:] = gain, 1.0 / gain


def _contact_fields() -> tuple[list[str], int]:
    """Return the names of a contact's arrays, and how many bytes one takes."""
    spec = mujoco.MjSpec()
    for number in range(2):
        handle = spec.worldbody.add_body(pos=(0.0, 0.0, 0.1 * number))
        handle.add_freejoint()
        handle.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(1.0,) * 3)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    names = [name for name in dir(data.contact) if not name.startswith("_")]
    arrays = [name for name in names if isinstance(getattr(data.contact, name), np.ndarray)]
    return arrays, int(getattr(data.contact, arrays[0]).strides[0])


_FIELDS, _SIZE_OF_CONTACT = _contact_fields()


def _sparse(blocks: Indices, entries: Array) -> tuple[Array, Indices, Indices]:
    """Return entries and columns (k, 12) of rows and how many each has, the lower block first."""
    (one, other), (ahead, behind) = blocks, entries
    # What does not move is behind, with entries of zero.
    is_turned = (one < 0) | ((other >= 0) & (other < one))
    both, columns = np.empty((len(one), 2, SIZE)), np.empty((len(one), 2, SIZE), np.intp)
    turned = is_turned[:, None]
    both[:, 0], both[:, 1] = np.where(turned, behind, ahead), np.where(turned, ahead, behind)
    low, high = np.where(is_turned, other, one), np.where(is_turned, one, other)
    columns[:, 0] = SIZE * np.maximum(low, 0)[:, None] + _ALONG
    columns[:, 1] = SIZE * np.maximum(high, 0)[:, None] + _ALONG
    sizes = SIZE * ((low >= 0).astype(np.intp) + (high >= 0))
    return both.reshape(-1, 2 * SIZE), columns.reshape(-1, 2 * SIZE), sizes


def _couple(rows: Rows, entries: Array, columns: Indices, starts: Indices, sizes: Indices) -> None:
    """Write the rows of couplings: less the slope times the row of the other joint, in place.

    With up to four bodies each takes the room of two rows behind those of the joints.
    """
    room, before = len(rows.kind), entries.copy()
    for own, other, slope in rows.couplings:
        found: dict[int, float] = {}
        for row, factor in ((own, 1.0), (other, -slope)):
            chosen = slice(0, int(sizes[row]))
            pairs = zip(columns[row, chosen].tolist(), before[row, chosen].tolist(), strict=True)
            for column, value in pairs:
                found[column] = found.get(column, 0.0) + factor * value
        at = sorted(found)
        begin = 2 * SIZE * room
        columns.ravel()[begin : begin + len(at)] = at
        entries.ravel()[begin : begin + len(at)] = [found[column] for column in at]
        starts[own], sizes[own] = begin, len(at)
        room += 2


def _set_options(spec: "mujoco.MjSpec") -> None:
    option = spec.option
    option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations, option.tolerance = _ITERATIONS, 1e-12
    option.ls_iterations, option.ls_tolerance = 60, 1e-3
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND

"""MuJoCo's solver of convex problems, given rows of joints and contacts.

The fields of its data that are written here are documented ("mjData", efc_*); that they may be
written is not, which is why `available` compares the results with the other solver's.
"""

import mujoco
import numpy as np

from ...model.pose import Array
from ..elimination import SIZE, Indices
from .finding import ContactFinder
from .rows import JointRows, NotSolvedError, Surfaces

_PASSES = 3
_NONE = 1e-9
"""Gain of rows that do nothing."""
_KINDS = (
    mujoco.mjtConstraint.mjCNSTR_EQUALITY,
    mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF,
    mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT,
)
"""Rows without bounds, with two, and with one."""


def solve(finder: ContactFinder, joints: JointRows, surfaces: Surfaces) -> tuple[Array, Array]:
    """Return changes of velocity (m, 6) of the part and impulses (r, j) of the joints' rows.

    The impulses of contacts are left with `surfaces`. Raises `NotSolvedError`.
    """
    model, data = finder.model, finder.data
    _require_finite(joints, surfaces)
    numbers = surfaces.found.numbers
    if len(numbers):
        friction = np.maximum(surfaces.friction, 1e-5)
        data.contact.friction[numbers, 0] = friction
        data.contact.friction[numbers, 1] = friction
    mujoco.mj_makeConstraint(model, data)
    _write_joints(finder, joints)
    address = np.array(data.contact.efc_address)[numbers] if len(numbers) else numbers
    _write_surfaces(finder, joints, surfaces, address)
    _start(finder, joints, surfaces)
    for number in range(_PASSES):
        _require_room(finder)
        mujoco.mj_fwdConstraint(model, data)
        change = _change(finder, joints)
        if surfaces.settles(change) or number == _PASSES - 1:
            break
        _write_goals(finder, surfaces, address)
        data.qacc_warmstart[:] = data.qacc
    force = np.array(data.efc_force)
    if not np.isfinite(change).all():
        raise NotSolvedError("the step has no finite solution")
    surfaces.impulse = force[address + np.arange(3)[:, None]]
    return change, joints.impulses(force)


def _require_finite(joints: JointRows, surfaces: Surfaces) -> None:
    """Refuse numbers that would end in MuJoCo with a warning and wrong results."""
    values = (joints.goal, joints.gain, surfaces.goal, surfaces.gain, *surfaces.entries)
    entries = (entries for _body, entries in joints.ends)
    if not all(np.isfinite(each).all() for each in (*values, *entries)):
        raise NotSolvedError("numbers of a step are not finite")


def _require_room(finder: ContactFinder) -> None:
    warnings = finder.data.warning.number
    if warnings.any():
        warnings[:] = 0
        raise NotSolvedError("there are too many contacts for the memory of MuJoCo")


def _write_joints(finder: ContactFinder, joints: JointRows) -> None:
    data, room, count = finder.data, finder.row_room, joints.count
    if not room:
        return
    entries = np.zeros((room, 2 * SIZE))
    columns = np.tile(SIZE * len(finder.moving) + np.arange(2 * SIZE), (room, 1))
    (first, ahead), (second, behind) = (
        (np.where(body < 0, len(finder.moving) + side, joints.columns[body]), found)
        for side, (body, found) in enumerate(joints.ends)
    )
    is_turned = (first > second)[:, None]
    entries[:count, :SIZE] = np.where(is_turned, behind, ahead)
    entries[:count, SIZE:] = np.where(is_turned, ahead, behind)
    low, high = np.minimum(first, second), np.maximum(first, second)
    columns[:count, :SIZE] = SIZE * low[:, None] + np.arange(SIZE)
    columns[:count, SIZE:] = SIZE * high[:, None] + np.arange(SIZE)
    starts, sizes = 2 * SIZE * np.arange(room), np.full(room, 2 * SIZE)
    # Rows to the world must not meet in the unknowns of no meaning.
    sizes[:count][high >= len(finder.moving)] = SIZE
    _write_couplings(finder, joints, entries, columns, starts, sizes)
    entries[:count][~joints.acts] = 0.0
    data.efc_J[: entries.size] = entries.ravel()
    data.efc_J_colind[: columns.size] = columns.ravel()
    data.efc_J_rowadr[:room], data.efc_J_rownnz[:room] = starts, sizes
    data.efc_J_rowsuper[:] = 0
    gain = np.full(room, _NONE)
    gain[:count] = np.maximum(joints.gain, 1e-12)
    _write_gains(finder, slice(0, room), gain)
    _write_kinds(finder, joints)


def _write_gains(finder: ContactFinder, rows: "slice | Indices", gain: Array) -> None:
    finder.data.efc_D[rows], finder.data.efc_R[rows] = gain, 1.0 / gain


def _write_kinds(finder: ContactFinder, joints: JointRows) -> None:
    """Write what kind of row each is, what it wants, and its bounds."""
    data, room, count = finder.data, finder.row_room, joints.count
    goal, loss, kinds = np.zeros(room), np.zeros(room), np.full(room, int(_KINDS[2]))
    goal[:count] = joints.goal
    is_bounded = joints.kind == 1
    loss[:count] = np.where(is_bounded, joints.high, 0.0)
    kinds[:count] = np.array([int(kind) for kind in _KINDS])[joints.kind]
    data.efc_aref[:room], data.efc_frictionloss[:room], data.efc_type[:room] = goal, loss, kinds
    unbounded, bounded = int((joints.kind == 0).sum()), int(is_bounded.sum())
    data.ne, data.nf, data.nl = unbounded, bounded, room - unbounded - bounded


def _write_couplings(
    finder: ContactFinder,
    joints: JointRows,
    entries: Array,
    columns: Indices,
    starts: Indices,
    sizes: Indices,
) -> None:
    """Write the rows of couplings: less the slope times the row of the other joint, in place.

    With up to four bodies each takes the room of two rows behind those of the joints.
    """
    room, before = joints.count, entries.copy()
    for own, other, slope in joints.couplings():
        found: dict[int, float] = {}
        for row, factor in ((own, 1.0), (other, -slope)):
            pairs = zip(columns[row].tolist(), before[row].tolist(), strict=True)
            for column, value in pairs:
                if column >= SIZE * len(finder.moving):
                    continue
                found[column] = found.get(column, 0.0) + factor * value
        at = sorted(found)
        begin = 2 * SIZE * room
        columns.ravel()[begin : begin + len(at)] = at
        entries.ravel()[begin : begin + len(at)] = [found[column] for column in at]
        starts[own], sizes[own] = begin, len(at)
        sizes[room : room + 2] = 0
        room += 2


def _write_surfaces(
    finder: ContactFinder, joints: JointRows, surfaces: Surfaces, address: Indices
) -> None:
    if not len(address):
        return
    data = finder.data
    if (address < 0).any():
        raise NotSolvedError("MuJoCo has left contacts out")
    places = [np.where(body < 0, -1, joints.columns[body]) for body in surfaces.blocks]
    is_pair = (places[0] >= 0) & (places[1] >= 0)
    is_first = np.where(is_pair, places[0] < places[1], places[0] >= 0)[:, None]
    low = np.where(is_first[:, 0], places[0], places[1])
    columns = SIZE * low[:, None] + np.arange(SIZE)
    behind = (SIZE * np.maximum(*places)[:, None] + np.arange(SIZE))[is_pair]
    starts = np.array(data.efc_J_rowadr)
    for axis in range(3):
        rows = address + axis
        one, other = surfaces.entries[0][axis], surfaces.entries[1][axis]
        at = starts[rows][:, None] + np.arange(SIZE)
        data.efc_J[at] = np.where(is_first, one, other)
        data.efc_J[at[is_pair] + SIZE] = np.where(is_first, other, one)[is_pair]
        data.efc_J_colind[at], data.efc_J_colind[at[is_pair] + SIZE] = columns, behind
        _write_gains(finder, rows, surfaces.gain)
    _write_goals(finder, surfaces, address)


def _write_goals(finder: ContactFinder, surfaces: Surfaces, address: Indices) -> None:
    """Write what contacts want; MuJoCo's cone would lift what slides by friction times slip."""
    if not len(address):
        return
    goal = finder.data.efc_aref
    goal[address] = surfaces.goal - surfaces.friction * surfaces.slip - surfaces.base[0]
    goal[address + 1], goal[address + 2] = -surfaces.base[1], -surfaces.base[2]


def _start(finder: ContactFinder, joints: JointRows, surfaces: Surfaces) -> None:
    data, columns = finder.data, joints.columns
    smooth = np.zeros(finder.model.nv)
    _bodies(finder, smooth)[columns] = joints.pushes()
    data.qacc_smooth[:], data.qfrc_smooth[:] = smooth, smooth
    _bodies(finder, smooth)[columns] = joints.whitened(surfaces.expected_change())
    data.qacc_warmstart[:] = smooth


def _bodies(finder: ContactFinder, values: Array) -> Array:
    """Return a view of degrees of freedom by body, (n, 6)."""
    count = len(finder.moving)
    return values[: SIZE * count].reshape(count, SIZE)


def _change(finder: ContactFinder, joints: JointRows) -> Array:
    found = _bodies(finder, np.array(finder.data.qacc))[joints.columns]
    return np.asarray(np.einsum("nij,nj->ni", joints.easing, found))

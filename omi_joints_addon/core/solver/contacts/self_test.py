"""Problems whose solutions are known, which show whether MuJoCo does what is asked of it.

All that `fields` writes is used: rows of every kind on blocks in any order, contacts that stick,
slide and part, and prisms. Solutions are in closed form.
"""

import mujoco
import numpy as np

from ...model.pose import Array
from .fields import Prisms, RowProblem, Rows, Touches, add_prisms, write_margins

_CLOSE = 1e-9
_CORNERS = np.array(((-1.0, -1.0, 0.3), (2.0, -1.0, 0.3), (-1.0, 2.0, 0.3)))
_DEPTH, _RADIUS, _HEIGHT = 0.25, 0.2, 0.37


def problem() -> str:
    """Return what is wrong with what MuJoCo makes of its fields, empty where nothing is."""
    for is_right, what in (
        (_are_rows_right(), "rows of joints"),
        (_are_touches_right(), "contacts"),
        (_are_prisms_right(), "triangles"),
    ):
        if not is_right:
            return f"{what} are not solved as they are here"
    return ""


def _are_rows_right() -> bool:
    """Return whether a spring, a bounded motor, a stop and a coupling push as their laws say.

    Each acts along an axis of its own, on bodies of mass one; a coupling ties two of one body.
    """
    goal = np.array((0.5, 0.3, 3.0, 2.0, -1.0))
    gain = np.array((4.0, 0.7, 1e6, 1e6, 1e6))
    entries = np.zeros((2, 5, 6))
    entries[0, 0, 0], entries[1, 0, 0] = -1.0, 1.0
    for row, axis in ((1, 3), (2, 1), (3, 2), (4, 4)):
        entries[1, row, axis] = 1.0
    rows = Rows(
        kind=np.array((0, 0, 1, 2, 2)),
        gain=gain,
        goal=goal,
        high=np.array((np.inf, np.inf, 0.25, np.inf, np.inf)),
        acts=np.ones(5, bool),
        blocks=np.array(((2, -1, -1, -1, -1), (0, 1, 1, 0, 0))),
        entries=entries,
        # The second row wants its axis to turn as the first row's moves: twice as far.
        couplings=[(1, 0, 2.0)],
    )
    made = RowProblem(3)
    made.load(rows, _no_touches(), np.zeros((3, 6)), np.zeros((3, 6)))
    change, force, _impulse = made.solve(np.zeros((3, 0)))
    wanted, forces = _answer_of_rows(gain, goal)
    return _are_close(change[:3], wanted) and _are_close(force, forces)


def _answer_of_rows(gain: Array, goal: Array) -> tuple[Array, Array]:
    """Return the changes of three bodies (3, 6) and the forces of the five rows.

    Minimal ½x² + ½ gain (J x - goal)²: J of the spring is (-1, 1) on two bodies, that of the
    coupling 1 and -2 times it.
    """
    wanted = np.zeros((3, 6))
    jac = np.zeros((2, 18))
    jac[0, [12, 0]] = -1.0, 1.0
    jac[1, [9, 12, 0]] = 1.0, 2.0, -2.0
    stiffness = np.eye(18) + jac.T @ (gain[:2, None] * jac)
    wanted += np.linalg.solve(stiffness, jac.T @ (gain[:2] * goal[:2])).reshape(3, 6)
    wanted[1, 1] = 0.25
    wanted[0, 2] = 2.0 * 1e6 / (1e6 + 1.0)
    pushes = gain[:2] * (goal[:2] - jac @ wanted.ravel())
    return wanted, np.array((*pushes, 0.25, wanted[0, 2], 0.0))


def _no_touches() -> Touches:
    none = np.zeros(0)
    return Touches(np.zeros((2, 0), np.intp), np.zeros((2, 3, 0, 6)), none, none)


def _no_rows() -> Rows:
    none, ends = np.zeros(0), np.zeros((2, 0), np.intp)
    return Rows(ends[0], none, none, none, np.zeros(0, bool), ends, np.zeros((2, 0, 6)), [])


def _are_touches_right() -> bool:
    """Return whether bodies of mass one that come down on ground stick, slide, and part.

    The last two touch each other, in reverse order of their blocks.
    """
    gain, friction = 100.0, 0.5
    entries = np.zeros((2, 3, 4, 6))
    for axis, column in enumerate((2, 0, 1)):
        entries[1, axis, :, column] = 1.0
    entries[0, :, 3] = -entries[1, :, 3]
    touches = Touches(
        blocks=np.array(((-1, -1, -1, 4), (2, 0, 1, 3))),
        entries=entries,
        gain=np.full(4, gain),
        friction=np.full(4, friction),
    )
    # What contacts want: up, and along the ground.
    goals = np.array(((1.0, 1.0, -1.0, 1.0), (0.2, 3.0, 0.0, 0.0), (0.0, 4.0, 0.0, 0.3)))
    made = RowProblem(6)
    made.load(_no_rows(), touches, np.zeros((5, 6)), np.zeros((5, 6)))
    change, _force, impulse = made.solve(goals)
    wanted = _answer_of_touches(gain, friction, goals)
    moved = np.zeros((5, 6))
    for contact, body in enumerate((2, 0, 1, 3)):
        moved[body, [2, 0, 1]] = wanted[:, contact]
    moved[4] = -moved[3]
    return _are_close(impulse, wanted) and _are_close(change[:5], moved)


def _answer_of_touches(gain: float, friction: float, goals: Array) -> Array:
    """Return the impulses (3, 4) of the contacts.

    Sliding, the force f has friction times its part along the normal; minimal is
    ½ (1 + 1 / gain) |f|² - f · goal on the cone.
    """
    one, two = gain / (gain + 1.0), gain / (2.0 * gain + 1.0)
    cone = np.array((1.0, friction))
    size = one * cone @ (goals[0, 1], 5.0) / (cone @ cone)
    slides = size * np.array((1.0, friction * 0.6, friction * 0.8))
    return np.stack((one * goals[:, 0], slides, np.zeros(3), two * goals[:, 3]), axis=1)


def _are_prisms_right() -> bool:
    """Return whether a ball above a prism that was written has its distance from it."""
    spec = mujoco.MjSpec()
    handle = spec.worldbody.add_body(name="ball")
    handle.add_freejoint()
    handle.add_geom(name="ball", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(_RADIUS,) * 3)
    add_prisms(spec, 2)
    model = spec.compile()
    data, prisms = mujoco.MjData(model), Prisms(model, 2)
    ball = model.geom("ball").id
    turn = np.linalg.qr(np.array(((1.0, 2.0, 3.0), (-2.0, 1.0, 0.5), (0.3, -1.0, 2.0))))[0]
    turn *= np.linalg.det(turn)
    corners = _CORNERS @ turn.T
    prism = np.concatenate((corners, corners - _DEPTH * turn[:, 2]))
    prisms.write(prism[None], np.array((ball,)))
    write_margins(model, np.array((ball,)), np.array((0.1,)))
    prisms.look_ahead(np.array((1.0,)))
    data.qpos[:3] = turn @ (0.1, 0.2, 0.3 + _HEIGHT)
    mujoco.mj_kinematics(model, data)
    prisms.place(data)
    mujoco.mj_collision(model, data)
    geoms = {model.geom("ball").id, int(prisms.geoms[0])}
    if data.ncon != 1 or set(np.array(data.contact.geom).ravel().tolist()) != geoms:
        return False
    normal = np.array(data.contact.frame).reshape(3, 3)[0]
    # Corners are kept in single precision.
    distance = float(data.contact.dist[0])
    is_near = abs(distance - (_HEIGHT - _RADIUS)) < 1e-6
    return is_near and abs(abs(normal @ turn[:, 2]) - 1.0) < 1e-6


def _are_close(one: Array, other: Array) -> bool:
    return bool((np.abs(one - other) < _CLOSE).all())

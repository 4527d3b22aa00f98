"""What went wrong since a simulation has started, in words."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..findings.finding import Finding
from ..model.scene import PhysicsScene
from .course import FASTEST, FASTEST_SPIN, Course
from .elimination import Indices
from .forecast import stiff_drives
from .laws import Mask
from .memory import Memory
from .model import Model
from .rules import (
    CONTACTS_FAILED,
    CONTACTS_GROW,
    CONTACTS_INEXACT,
    CONTACTS_LEFT_OUT,
    DOES_NOT_FOLLOW,
    LEFT_NUMBERS,
    SPINS_TOO_FAST,
    STAYS_APART,
    TURNS_TOO_FAST,
)

_INEXACT = 0.02
"""Speed [m/s] by which contacts may be off without a finding."""


def problems_of_bodies(scene: PhysicsScene, nodes: Indices, course: Course) -> Iterator[Finding]:
    """Yield bodies, of the given `nodes`, that did not move as they should."""

    def names(chosen: Mask) -> list[str]:
        return [scene.names[node] for node in nodes[chosen].tolist()]

    lost = course.lost
    slowed = course.slowed & ~lost
    yield from (LEFT_NUMBERS(name) for name in names(lost))
    yield from (TURNS_TOO_FAST(name, rate=round(FASTEST)) for name in names(slowed))
    unresolved = names(course.unresolved & ~(slowed | lost))
    yield from (SPINS_TOO_FAST(name, rate=round(FASTEST_SPIN)) for name in unresolved)
    yield from (CONTACTS_GROW(name) for name in names(course.grown & ~lost))


def problems_of_joints(
    model: Model, memory: Memory, places: Sequence[str], is_long: Mask
) -> Iterator[Finding]:
    """Yield joints that do not hold or follow; `is_long` (r, j) are rows that stay apart."""
    gears = model.gears
    is_late = is_long[gears.rows[0], gears.joints[0]]
    for joint, source in gears.joints[:, is_late].T:
        yield DOES_NOT_FOLLOW(places[joint], source=places[source])
    yield from stiff_drives(model, memory.lightness, places)
    locks = (is_long & model.table.is_lock).any(axis=0)
    yield from (STAYS_APART(places[joint]) for joint in np.flatnonzero(locks))


def problems_of_contacts(scene: PhysicsScene, course: Course) -> Iterator[Finding]:
    """Yield what contacts did not hold."""
    if problem := course.contact_problem:
        yield CONTACTS_FAILED(scene.name, why=problem)
    if course.contact_error > _INEXACT:
        yield CONTACTS_INEXACT(scene.name, speed=round(1e3 * course.contact_error))
    if course.left_out:
        yield CONTACTS_LEFT_OUT(scene.name, count=course.left_out)

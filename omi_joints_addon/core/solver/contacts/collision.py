"""What collides in a scene, ready to be stepped."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...findings.finding import Finding
from ...model.scene import PhysicsScene
from ..model import Model, model_of
from .course import ContactCourse
from .finding import ContactFinder
from .shapes import contact_shapes, meetings


class ContactsError(Exception):
    """There are no contacts; the text says why."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactModel:
    """What collides in a scene."""

    course: Callable[[], ContactCourse]
    """Returns how its bodies are stepped."""


def contact_model(
    scene: PhysicsScene, model: Model, findings: list[Finding]
) -> ContactModel | None:
    """Return what collides, None where nothing can; raises `ContactsError`."""
    bodies = model.bodies
    shapes, found = contact_shapes(scene, bodies)
    meeting = meetings(scene, bodies, shapes)
    if not meeting.are_allowed.any():
        return None
    findings += found
    rows = int(model.table.is_row.sum()) + 2 * model.gears.count
    try:
        finder = ContactFinder(bodies, shapes, meeting, rows)
    except ValueError as error:
        raise ContactsError(f"MuJoCo cannot build the shapes ({error})") from error
    ends, moving = (model.first, model.second), np.flatnonzero(bodies.is_dynamic)
    together = model_of(bodies, ends, model.table, model.gears, moving)
    return ContactModel(partial(ContactCourse, model, together, finder))

"""What collides in a scene, ready to be stepped."""

from dataclasses import dataclass, replace

import numpy as np

from ...findings.finding import Finding
from ...model.scene import PhysicsScene
from ..bodies import Bodies, motions_at_rest
from ..model import Model, model_of
from .course import ContactCourse
from .finding import ContactFinder
from .rules import OVERLAP
from .shapes import are_meshes_alike, contact_shapes, meetings


class ContactsError(Exception):
    """There are no contacts; the text says why."""


_DEEP = 1e-3
"""Overlap at rest [m] that is reported."""


@dataclass(frozen=True, slots=True, eq=False)
class ContactModel:
    """What collides in a scene."""

    scene: PhysicsScene
    finder: ContactFinder
    found: list[Finding]
    """What had to be assumed about shapes, and which start in each other."""
    model: Model
    together: Model
    """The model of all bodies that move."""

    def course(self) -> ContactCourse:
        """Return how its bodies are stepped."""
        return ContactCourse(self.model, self.together, self.finder)


def contact_model(
    scene: PhysicsScene, model: Model, before: ContactModel | None = None
) -> ContactModel | None:
    """Return what collides, None where nothing can; raises `ContactsError`.

    What is known of the scene `before` an edit is used again where shapes are as they were.
    """
    bodies = model.bodies
    ends, moving = (model.first, model.second), np.flatnonzero(bodies.is_dynamic)
    together = model_of(bodies, ends, model.table, model.gears, moving)
    if before is not None and _shaped_alike(before, scene, model):
        if _held(before.scene) == _held(scene):
            return replace(before, scene=scene, model=model, together=together)
        shapes = list(before.finder.shapes)
        found = [each for each in before.found if each.code != OVERLAP.code]
    else:
        shapes, found = contact_shapes(scene, bodies)
    meeting = meetings(scene, bodies, shapes)
    if not (meeting.are_allowed.any() or meeting.are_noticed.any()):
        return None
    try:
        finder = ContactFinder(bodies, shapes, meeting)
    except ValueError as error:
        raise ContactsError(f"MuJoCo cannot build the shapes ({error})") from error
    found += _overlaps(scene, bodies, finder)
    return ContactModel(scene, finder, found, model, together)


def _shaped_alike(before: ContactModel, scene: PhysicsScene, model: Model) -> bool:
    """Return whether the shapes of a scene are those of another one, on bodies where they were."""
    one, old, new = before.scene, before.model.bodies, model.bodies
    return (
        one.colliders == scene.colliders
        and one.triggers == scene.triggers
        and one.excluded_pairs == scene.excluded_pairs
        and np.array_equal(one.parents, scene.parents)
        and np.array_equal(one.matrices, scene.matrices)
        and np.array_equal(old.is_dynamic, new.is_dynamic)
        and np.array_equal(old.nodes, new.nodes)
        and np.array_equal(old.center, new.center)
        and are_meshes_alike(before.finder.shapes, scene, new)
    )


def _held(scene: PhysicsScene) -> list[tuple[int, int, bool]]:
    return [(joint.node, joint.other, joint.enable_collision) for joint in scene.joints]


def _overlaps(scene: PhysicsScene, bodies: Bodies, finder: ContactFinder) -> list[Finding]:
    """Return which bodies start in each other, each pair once with the largest depth."""
    rest = motions_at_rest(bodies)
    finder.find(rest, 0.0)
    contacts = finder.contacts(bodies.is_dynamic)
    depths: dict[tuple[int, int], float] = {}
    for one, other, distance in zip(
        contacts.first.tolist(), contacts.second.tolist(), contacts.distance.tolist(), strict=True
    ):
        pair = (other, one) if bodies.is_dynamic[other] else (one, other)
        depths[pair] = max(depths.get(pair, _DEEP), -distance)
    return [
        OVERLAP(_name(scene, bodies, one), other=_name(scene, bodies, other), depth=round(1e3 * d))
        for (one, other), d in depths.items()
        if d > _DEEP
    ]


def _name(scene: PhysicsScene, bodies: Bodies, body: int) -> str:
    node = int(bodies.nodes[body])
    return "the world" if node < 0 else scene.names[node]

"""What ends a simulation, and the body that is to blame."""

from collections.abc import Collection

from ..findings.sentence import Sentence
from ..model.scene import PhysicsScene


class SimulationError(ValueError):
    """A scene that cannot be simulated any further; the text says why in one line."""


def out_of_proportion(scene: PhysicsScene, nodes: Collection[int]) -> SimulationError:
    """Return the error that names the body, of some nodes, whose moments of inertia differ most."""
    moments = {
        node: [moment for moment in scene.motions[node].inertia_diagonal if moment > 0.0] or [1.0]
        for node in nodes
    }
    body = max(moments, key=lambda node: max(moments[node]) / min(moments[node]))
    return SimulationError(
        Sentence(
            "masses and moments of inertia are too far apart to calculate with; check those of "
            "{body!r}: {moments} kg·m²",
            body=scene.names[body],
            moments=", ".join(f"{moment:g}" for moment in scene.motions[body].inertia_diagonal),
        )
    )

"""What of a scene no dialect of glTF says."""

from collections.abc import Iterator

import numpy as np

from ....core.findings.loss import How, Loss
from ....core.model.attributes import DEFAULT_ATTRIBUTES
from ....core.model.scene import PhysicsScene

_GRAVITY = (0.0, 0.0, -9.81)


def losses_of(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield what a document does not hold."""
    if not np.allclose(scene.gravity, _GRAVITY, rtol=1e-6):
        words = " ".join(f"{part:g}" for part in scene.gravity)
        text = f"glTF has none, engines use their own; it was {words} m/s²"
        yield Loss(scene.name or "scene", "gravity", How.LOST, text)
    for joint in scene.joints:
        for name in DEFAULT_ATTRIBUTES.__slots__:
            value = getattr(joint.attributes, name)
            if name != "carried" and value != getattr(DEFAULT_ATTRIBUTES, name):
                place, noun = scene.names[joint.node], name.replace("_", " ")
                yield Loss(place, noun, How.LOST, f"glTF joints have none; it was {value}")
    for articulation in scene.articulations:
        text = "glTF knows bodies and joints only, each for itself"
        yield Loss(scene.names[articulation.root], "articulation", How.LOST, text)
    for coupling in scene.couplings:
        place = scene.names[scene.joints[coupling.joint].node]
        yield Loss(place, "coupling", How.LOST, "glTF joints move independently of each other")
    for one, other in scene.excluded_pairs:
        text = f"only joints and filters keep bodies apart; the other is {scene.names[other]}"
        yield Loss(scene.names[one], "excluded pair", How.LOST, text)

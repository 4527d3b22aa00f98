"""What bodies of a scene have to be before a format can have them."""

from collections.abc import Iterator
from dataclasses import replace

from ...core.findings.loss import How, Loss, Noun
from ...core.findings.sentence import Sentence
from ...core.model.scene import PhysicsScene
from ...core.rewrite.unmirrored import without_mirroring

_MIRRORED = ("blend", "gltf")
"""Formats whose nodes can be mirrored and scaled."""
_WEIGHED = ("gltf", "usd")
"""Formats of which 0 kg is another mass: engines work it out of shapes, or take 1 kg."""
_LEAST = 1e-6
"""Mass of moving bodies that have none [kg], as MuJoCo needs it, too."""
_SAME_SIZE = 1e-4
"""Difference of the scale of a body from 1 that does not count."""


def prepared(scene: PhysicsScene, name: str) -> tuple[PhysicsScene, list[Loss]]:
    """Return a scene as the format of a name can have it, and what that changes."""
    losses: list[Loss] = []
    if name not in _MIRRORED:
        scene = without_mirroring(scene)
        losses += _of_scaled_bodies(scene)
    if name in _WEIGHED:
        bodies = scene.motions.items()
        light = [node for node, each in bodies if not each.mass and scene.is_dynamic(node)]
        masses = {node: replace(scene.motions[node], mass=_LEAST) for node in light}
        scene = replace(scene, motions={**scene.motions, **masses}) if masses else scene
        text = Sentence("moving bodies need a mass, so {least:g} kg is written", least=_LEAST)
        losses += [Loss(scene.names[node], Noun.MASS, How.CONVERTED, text) for node in light]
    return scene, losses


def _of_scaled_bodies(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield the bodies that are larger or smaller than what they weigh was given for."""
    columns = scene.matrices[:, :3, :3]
    sizes = ((columns * columns).sum(axis=1) ** 0.5).mean(axis=1)
    for node, motion in scene.motions.items():
        size = float(sizes[node])
        if abs(size - 1.0) > _SAME_SIZE and scene.is_dynamic(node) and any(motion.inertia_diagonal):
            text = Sentence(
                "{size:.4g} times as large; mass and inertia stay as they are, which at the same "
                "density would be {mass:.4g} and {inertia:.4g} times as much",
                size=size,
                mass=size**3,
                inertia=size**5,
            )
            yield Loss(scene.names[node], Noun.SCALE, How.CARRIED, text)

"""What of a scene no dialect of glTF expresses."""

from collections.abc import Iterator

import numpy as np

from ....core.findings.loss import ATTRIBUTE_NOUNS, How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.model.attributes import DEFAULT_ATTRIBUTES
from ....core.model.scene import GRAVITY, PhysicsScene


def losses_of(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield what a document does not hold."""
    if not np.allclose(scene.gravity, GRAVITY, rtol=1e-6):
        words = " ".join(f"{part:g}" for part in scene.gravity)
        text = Sentence(
            "glTF does not store it, and engines use their own; it was {words} m/s²", words=words
        )
        yield Loss("", Noun.GRAVITY, How.LOST, text)
    yield from _losses_of_joints(scene)
    yield from _losses_together(scene)
    for node, visual in scene.visuals.items():
        if visual.carried:
            names = ", ".join(name for name, _ in visual.carried)
            yield Loss(
                scene.names[node],
                Noun.CARRIED,
                How.LOST,
                Sentence("what only {names} files say of it", names=names),
            )
    for name in sorted(scene.carried.keys() - {"gltf"}):
        yield Loss(
            "",
            Noun.CARRIED,
            How.LOST,
            Sentence("what only {name} files say of the scene as a whole", name=name),
        )


def _losses_of_joints(scene: PhysicsScene) -> Iterator[Loss]:
    for joint in scene.joints:
        if joint.attributes is DEFAULT_ATTRIBUTES:
            continue
        for name, noun in ATTRIBUTE_NOUNS.items():
            value = getattr(joint.attributes, name)
            if value != getattr(DEFAULT_ATTRIBUTES, name):
                yield Loss(scene.names[joint.node], noun, How.CARRIED, _kept(value))


def _kept(value: object) -> str:
    """Return where a value went; of data of other formats only whose it is."""
    if isinstance(value, tuple):
        names = ", ".join(name for name, _ in value)
        return Sentence("kept in the node's extras: {names}", names=names)
    return Sentence("kept in the node's extras; it is {value}", value=str(value))


def _losses_together(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield what ties several joints or bodies together."""
    for articulation in scene.articulations:
        text = "kept in the node's extras; engines see separate bodies and joints"
        yield Loss(scene.names[articulation.root], Noun.ARTICULATION, How.CARRIED, text)
    for coupling in scene.couplings:
        place = scene.names[scene.joints[coupling.joint].node]
        text = "kept in the node's extras; in engines the joint moves independently"
        yield Loss(place, Noun.COUPLING, How.CARRIED, text)
    for one, other in scene.excluded_pairs:
        text = Sentence(
            "kept in the node's extras; in engines the body still collides with {names}",
            names=scene.names[other],
        )
        yield Loss(scene.names[one], Noun.EXCLUDED_PAIR, How.CARRIED, text)

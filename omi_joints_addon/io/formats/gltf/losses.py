"""What of a scene no dialect of glTF expresses."""

from collections.abc import Iterator

from ....core.findings.loss import ATTRIBUTE_NOUNS, How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.authored import count_losses
from ....core.model.attributes import DEFAULT_ATTRIBUTES
from ....core.model.filters import pairs_beyond_joints
from ....core.model.scene import PhysicsScene
from ..details import Details


def losses_of(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield what a document does not hold."""
    yield from _losses_of_joints(scene)
    yield from _losses_together(scene)
    details = Details(scene, "gltf")
    for node, visual in scene.visuals.items():
        if visual.carried:
            yield from details.losses(node)
    for joint in scene.joints:
        if joint.attributes.carried or joint.attributes.actuators:
            yield from details.losses(joint.node, How.CARRIED)


def _losses_of_joints(scene: PhysicsScene) -> Iterator[Loss]:
    for joint in scene.joints:
        if joint.attributes is DEFAULT_ATTRIBUTES:
            continue
        place = scene.names[joint.node]
        where = "in extras of the node, which engines ignore"
        for noun, text in count_losses(joint.attributes, where):
            yield Loss(place, noun, How.CARRIED, text)
        for name, noun in ATTRIBUTE_NOUNS.items():
            if noun in (Noun.ZERO, Noun.WHOLE_RANGE):
                continue
            value = getattr(joint.attributes, name)
            if value != getattr(DEFAULT_ATTRIBUTES, name) and noun != Noun.CARRIED:
                text = Sentence(
                    "it is {value}, in extras of the node, which engines ignore", value=value
                )
                yield Loss(place, noun, How.CARRIED, text)


def _losses_together(scene: PhysicsScene) -> Iterator[Loss]:
    """Yield what ties several joints or bodies together."""
    for articulation in scene.articulations:
        text = "it is in extras of the node; engines find bodies and joints"
        yield Loss(scene.names[articulation.root], Noun.ARTICULATION, How.CARRIED, text)
    for coupling in scene.couplings:
        place = scene.names[scene.joints[coupling.joint].node]
        text = "it is in extras of the node; in engines the joint moves independently"
        yield Loss(place, Noun.COUPLING, How.CARRIED, text)
    for one, other in pairs_beyond_joints(scene):
        text = Sentence(
            "it is in extras of the node; in engines the body still collides with {names}",
            names=scene.names[other],
        )
        yield Loss(scene.names[one], Noun.EXCLUDED_PAIR, How.CARRIED, text)

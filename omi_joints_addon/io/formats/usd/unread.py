"""What a stage says that no scene holds, as lines of the loss report."""

from collections.abc import Iterable, Iterator

from ....core.findings.finding import Finding
from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from .rules import (
    ANIMATED_VALUE,
    BEYOND_TURN,
    INSTANCES,
    LEFT_OUT_SHAPE,
    MANY_SCENES,
    UNREAD,
)

_NOUNS = {
    INSTANCES.code: "instances",
    ANIMATED_VALUE.code: "animation",
    BEYOND_TURN.code: str(Noun.LIMIT),
    LEFT_OUT_SHAPE.code: str(Noun.COLLIDER),
    MANY_SCENES.code: str(Noun.GRAVITY),
}
"""Findings about what a scene holds in part only, by the noun that is not there."""


def unread_losses(findings: Iterable[Finding]) -> Iterator[Loss]:
    """Yield the losses of a scene, of which these findings are, toward other files."""
    for found in findings:
        if found.code == UNREAD.code and isinstance(found.message, Sentence):
            word, count = found.message.values["word"], found.message.values["count"]
            text = Sentence("only USD files have this; first at {place}", place=found.place)
            yield Loss("", str(word), How.LOST, text, int(str(count)))
        elif noun := _NOUNS.get(found.code):
            yield Loss(found.place, noun, How.LOST, found.message)

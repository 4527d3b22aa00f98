"""What becomes of what a format cannot express as it is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class How(StrEnum):
    """How a noun went into a document."""

    CONVERTED = "converted"
    """Expressed in another way; the text states the difference."""
    CARRIED = "carried"
    """Kept in the document where only this program finds it."""
    LOST = "lost"
    """Not in the document."""


class Noun(StrEnum):
    """Words for the fields of a scene, the same in every report."""

    NODE = "node"
    NAME = "name"
    PARENT = "parent"
    POSE = "pose"
    SCALE = "scale"
    MOTION = "motion"
    """A body as a whole, or its motion type."""
    MASS = "mass"
    CENTER_OF_MASS = "center of mass"
    INERTIA = "inertia"
    VELOCITY = "initial velocity"
    GRAVITY_FACTOR = "gravity factor"
    GRAVITY = "gravity"
    JOINT = "joint"
    """A joint as a whole."""
    FRAMES = "frames"
    """The attachment frames of a joint, where the joint means the same."""
    SETTINGS_NAME = "settings name"
    LIMIT = "limit"
    """Axes and bounds of a limit."""
    LIMIT_SPRING = "limit spring"
    """Stiffness and damping of a limit."""
    DRIVE = "drive"
    """A drive as a whole."""
    DRIVE_MODE = "drive mode"
    MAX_FORCE = "max force"
    POSITION_TARGET = "position target"
    VELOCITY_TARGET = "velocity target"
    DRIVE_STIFFNESS = "drive stiffness"
    DRIVE_DAMPING = "drive damping"
    ENABLE_COLLISION = "enable collision"
    ANIMATION = "animation"
    """Numbers of a joint that change over time."""
    ENABLED = "enabled"
    IN_ARTICULATION = "in articulation"
    BREAK_FORCE = "break force"
    BREAK_TORQUE = "break torque"
    EFFORT = "effort"
    VELOCITY_LIMIT = "velocity limit"
    FRICTION = "friction"
    ARMATURE = "armature"
    COLLIDER = "collider"
    SHAPE = "shape"
    MATERIAL = "physics material"
    COLLISION_FILTER = "collision filter"
    TRIGGER = "trigger"
    MESH = "mesh"
    VISUAL = "visual"
    COLOR = "color"
    LIGHT = "light"
    ARTICULATION = "articulation"
    COUPLING = "coupling"
    EXCLUDED_PAIR = "excluded pair"
    CARRIED = "data of another format"
    """What another format or extension keeps in the scene for itself."""


ATTRIBUTE_NOUNS = {
    "enabled": Noun.ENABLED,
    "in_articulation": Noun.IN_ARTICULATION,
    "break_force": Noun.BREAK_FORCE,
    "break_torque": Noun.BREAK_TORQUE,
    "effort": Noun.EFFORT,
    "velocity": Noun.VELOCITY_LIMIT,
    "friction": Noun.FRICTION,
    "armature": Noun.ARMATURE,
    "carried": Noun.CARRIED,
}
"""The word for each field of `core.model.attributes.JointAttributes`."""


class Loss(NamedTuple):
    """One thing that did not go into a document as it was."""

    place: str
    """Name of the joint, body or node; empty is the whole scene."""
    noun: str
    """A `Noun`, or a word of the format."""
    how: How
    text: str
    """One line in plain English."""

    def __str__(self) -> str:
        """Return one line for logs and terminals."""
        place = f"{self.place}: " if self.place else ""
        return f"{self.how}: {place}{self.noun}: {self.text}"


LEVELS: tuple[How, ...] = (How.LOST, How.CARRIED, How.CONVERTED)
"""What may become of a noun that has no word of its own, the gravest first."""
_PLACES = 3
"""Names in a line about many places."""


def are_worse(losses: Iterable[Loss], level: How) -> bool:
    """Return whether any loss is at a level of `LEVELS` or a graver one."""
    failing = LEVELS[: LEVELS.index(level) + 1]
    return any(loss.how in failing for loss in losses)


def grouped(losses: Iterable[Loss]) -> list[str]:
    """Return one line for all losses that say the same of a noun, the gravest first.

    Sentences that only differ by their values count as the same; the line has the first.
    """
    groups: dict[tuple[How, str, str], list[Loss]] = {}
    for loss in losses:
        template = getattr(loss.text, "template", loss.text)
        groups.setdefault((loss.how, str(loss.noun), template), []).append(loss)
    found = sorted(groups.values(), key=lambda group: LEVELS.index(group[0].how))
    return [_line(group) for group in found]


def _line(group: list[Loss]) -> str:
    first, places = group[0], [loss.place for loss in group]
    if len(group) == 1:
        return str(first)
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    others = "" if len({loss.text for loss in group}) == 1 else ", and likewise"
    names = ", ".join(places[:_PLACES])
    return f"{first.how}: {first.noun} ×{len(places)} ({names}{more}): {first.text}{others}"


@dataclass(slots=True)
class Losses:
    """Losses as a writer comes upon them."""

    found: list[Loss] = field(default_factory=list)

    def converted(self, place: str, noun: str, text: str) -> None:
        """Add what is expressed in another way; `text` states the difference."""
        self.found.append(Loss(place, noun, How.CONVERTED, text))

    def carried(self, place: str, noun: str, text: str) -> None:
        """Note what only this program will find in the document."""
        self.found.append(Loss(place, noun, How.CARRIED, text))

    def lost(self, place: str, noun: str, text: str) -> None:
        """Note what is not in the document."""
        self.found.append(Loss(place, noun, How.LOST, text))

    def __iter__(self) -> Iterator[Loss]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

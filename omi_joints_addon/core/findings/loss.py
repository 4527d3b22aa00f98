"""What becomes of what a format cannot express as it is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class How(StrEnum):
    """How a noun went into a document."""

    SAME = "same"
    """Expressed in other words that mean the same; no report has it."""
    CONVERTED = "converted"
    """Expressed in another way; the text states the difference."""
    CARRIED = "carried"
    """Kept in the document where only this program finds it."""
    LOST = "lost"
    """Not in the document."""


class Kind(StrEnum):
    """What a loss matters to, the gravest first."""

    CHANGED = "changed"
    """Programs that read the document move or collide something differently."""
    KEPT = "kept aside"
    """Only this program reads it, and it comes back in the format that it is from; or it tunes the
    solver of one program."""
    LOOKS = "looks only"
    """It is seen, and neither moves nor collides."""


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
    ENABLE_COLLISION = "bodies collide"
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
    ZERO = "zero"
    """The position that a joint is counted from."""
    WHOLE_RANGE = "range"
    """A range of a turn and more."""
    COLLIDER = "collider"
    SHAPE = "shape"
    MATERIAL = "physics material"
    COLLISION_FILTER = "collision filter"
    TRIGGER = "trigger"
    MESH = "mesh"
    VISUAL = "visual"
    COLOR = "color"
    LOOK = "material"
    """Name of a material that is seen."""
    TEXTURE = "texture"
    LIGHT = "light"
    ARTICULATION = "articulation"
    COUPLING = "coupling"
    NAMED_POSE = "named pose"
    EXCLUDED_PAIR = "excluded pair"
    CARRIED = "details"
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
    "zero": Noun.ZERO,
    "whole_range": Noun.WHOLE_RANGE,
    "actuators": Noun.CARRIED,
    "carried": Noun.CARRIED,
}
"""The word for each field of `core.model.attributes.JointAttributes`."""


_LOOKS = frozenset(
    (
        *(Noun.NODE, Noun.VISUAL, Noun.COLOR, Noun.LOOK, Noun.TEXTURE, Noun.LIGHT),
        *("camera", "visual", "statistic", "skin", "site"),
    )
)
"""Nouns that are only seen, and words of formats for such.

What measures or pulls at a site of MJCF is a noun of its own.
"""
_LOOKS_OF = frozenset(("rgba", "material", "group", "texcoord", "castshadow", "name"))
"""Attributes of any element that are only seen."""
_SOLVER = re.compile(
    r"(timestep|integrator|solver|jacobian|cone|impratio|apirate|(\w+_)?iterations"
    r"|(\w+_)?tolerance|sdf_initpoints) of option|(\w+ of )?size"
    r"|physxScene:(?!bounce|friction|enableCCD|invert)\w+"
    r"|physx\w+:(solver(Position|Velocity)IterationCount|(sleep|stabilization)Threshold)"
    r"|newton:(maxSolverIterations|timeStepsPerSecond)|mjc:option:(?!wind|density|viscosity|o_)\w+"
)
"""Words of formats that tune the solver of one program, which the target has its own of."""
_ASIDE = frozenset(
    (
        *(Noun.SETTINGS_NAME, Noun.EFFORT, Noun.VELOCITY_LIMIT, Noun.CARRIED),
        *(Noun.ARTICULATION, Noun.IN_ARTICULATION, Noun.SCALE),
        *("targets", "speeds", "placement"),
    )
)
"""Nouns that move nothing by themselves, though programs that command joints read them."""


class Loss(NamedTuple):
    """One thing that did not go into a document as it was."""

    place: str
    """Name of the joint, body or node; empty is the whole scene."""
    noun: str
    """A `Noun`, or a word of the format."""
    how: How
    text: str
    """One line in plain English."""
    number: int = 1
    """How many there are of it."""
    advice: str = ""
    """What can be done about it; empty where nothing can."""

    @property
    def is_same(self) -> bool:
        """Whether the document means the same, so that no report has it."""
        return self.how == How.SAME

    @property
    def kind(self) -> Kind:
        """What it matters to."""
        name, _, owner = str(self.noun).partition(" of ")
        if (owner or name) in _LOOKS or (owner and name in _LOOKS_OF):
            return Kind.LOOKS
        is_kept = self.how == How.CARRIED and self.noun in _ASIDE
        return Kind.KEPT if is_kept or self._is_of_solver else Kind.CHANGED

    @property
    def cause(self) -> str:
        """What lines of a report are about together."""
        return "solver settings" if self._is_of_solver else str(self.noun)

    @property
    def _is_of_solver(self) -> bool:
        return _SOLVER.fullmatch(str(self.noun)) is not None

    def __str__(self) -> str:
        """Return one line for logs and terminals."""
        return _line([self])


_PLACES = 3
"""Names in a line about many places."""


def are_worse(losses: Iterable[Loss], level: Kind) -> bool:
    """Return whether any loss is of a kind or a graver one."""
    kinds = [*Kind]
    return any(kinds.index(loss.kind) <= kinds.index(level) for loss in losses)


def counted(losses: Iterable[Loss]) -> dict[Kind, int]:
    """Return how many values are lost of each kind that there is, the gravest first."""
    found = dict.fromkeys(Kind, 0)
    for loss in losses:
        found[loss.kind] += loss.number
    return {kind: count for kind, count in found.items() if count}


def grouped(losses: Iterable[Loss]) -> list[str]:
    """Return one line for all losses that have the same cause, the gravest first.

    Sentences that only differ by their values count as the same; the line has the first.
    """
    groups: dict[tuple[Kind, str, str], list[Loss]] = {}
    for loss in losses:
        template = getattr(loss.text, "template", loss.text)
        groups.setdefault((loss.kind, loss.cause, template), []).append(loss)
    kinds = [*Kind]
    found = sorted(groups.values(), key=lambda group: kinds.index(group[0].kind))
    return [_line(group) for group in found]


def _line(group: Sequence[Loss]) -> str:
    first, places = group[0], [loss.place for loss in group if loss.place]
    if first.cause != first.noun:
        places = [str(loss.noun) for loss in group]
    count = sum(loss.number for loss in group)
    number = f" ×{count}" if count > 1 else ""
    more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    names = f" ({', '.join(places[:_PLACES])}{more})" if places else ""
    others = len({loss.text for loss in group}) - 1
    values = f" (other values at the other {len(group) - 1})" if others else ""
    advice = f"; {first.advice}" if first.advice else ""
    return f"{first.kind}: {first.cause}{number}{names}: {first.text}{values}{advice}"


@dataclass(slots=True)
class Losses:
    """Losses as a writer comes upon them."""

    found: list[Loss] = field(default_factory=list)

    def same(self, place: str, noun: str) -> None:
        """Add what is expressed in other words that mean the same, which no report has."""
        self.found.append(Loss(place, noun, How.SAME, ""))

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

"""What can be done about a loss: which formats have the value, or how to make it one."""

from collections.abc import Iterable, Mapping

from ...core.findings.loss import Kind, Loss, Noun

_SILENT = frozenset((Noun.SETTINGS_NAME, Noun.IN_ARTICULATION))
"""Nouns that say how a scene is organized."""
_OF_DRIVES = (
    *(Noun.DRIVE_MODE, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING),
    *(Noun.MAX_FORCE, Noun.POSITION_TARGET, Noun.VELOCITY_TARGET),
)
WHOLES: Mapping[str, tuple[Noun, ...]] = {
    **dict.fromkeys(_OF_DRIVES, (Noun.DRIVE, Noun.JOINT)),
    **dict.fromkeys((Noun.DRIVE, Noun.LIMIT, Noun.LIMIT_SPRING, Noun.FRAMES), (Noun.JOINT,)),
    Noun.NODE: (Noun.VISUAL, Noun.COLLIDER, Noun.TRIGGER, Noun.LIGHT, Noun.MOTION),
    **dict.fromkeys((Noun.SHAPE, Noun.MATERIAL, Noun.COLLISION_FILTER), (Noun.COLLIDER,)),
}
"""The wholes that a noun is part of: a line about the whole is enough."""
_HOLDERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((Noun.LIMIT, Noun.JOINT, Noun.DRIVE, Noun.MAX_FORCE), ("glTF", "USD")),
    **dict.fromkeys((Noun.POSITION_TARGET, Noun.VELOCITY_TARGET), ("glTF", "USD")),
    **dict.fromkeys((Noun.DRIVE_MODE, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING), ("glTF", "USD")),
    **dict.fromkeys((Noun.VELOCITY_LIMIT,), ("URDF", "USD")),
    **dict.fromkeys((Noun.EFFORT, Noun.FRICTION, Noun.COUPLING), ("MJCF", "URDF", "USD")),
    **dict.fromkeys((Noun.ARMATURE, Noun.EXCLUDED_PAIR, Noun.GRAVITY), ("MJCF", "USD")),
    **dict.fromkeys((Noun.VELOCITY, Noun.COLLISION_FILTER, Noun.MATERIAL), ("glTF", "USD")),
    **dict.fromkeys((Noun.BREAK_FORCE, Noun.BREAK_TORQUE), ("USD",)),
    Noun.LIMIT_SPRING: ("glTF", "USD"),
    Noun.ENABLE_COLLISION: ("glTF", "USD"),
    Noun.GRAVITY_FACTOR: ("glTF", "MJCF"),
    Noun.TRIGGER: ("glTF",),
    Noun.ANIMATION: ("glTF", "USD"),
    "actuator": ("MJCF", "USD"),
}
"""Formats that have a value, by their short names, where a choice helps."""


def advised(losses: Iterable[Loss], label: str) -> tuple[Loss, ...]:
    """Return what a report has of losses toward a format, each with what can be done about it."""
    found = [*losses]
    there = {(loss.place, loss.noun) for loss in found if not loss.is_same}
    return tuple(
        loss if loss.advice else loss._replace(advice=_advice(loss, label))
        for loss in found
        if not (loss.is_same or loss.noun in _SILENT)
        and not any((loss.place, whole) in there for whole in WHOLES.get(loss.noun, ()))
    )


def _advice(loss: Loss, label: str) -> str:
    if loss.kind == Kind.KEPT:
        return ""
    others = [name for name in _HOLDERS.get(loss.noun, ()) if name not in label]
    if not others:
        return ""
    return f"{_and(others)} {'has' if len(others) == 1 else 'have'} it"


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))

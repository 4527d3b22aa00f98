"""A pair of texts: one that breaks a rule, and the same one cured."""

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_ENGINES = {
    "OMI-E1": "godot",
    "OMI-E2": "khr",
    "OMI-E3": "physx",
    "OMI-E4": "bullet",
    "OMI-E5": "jolt",
    "OMI-E6": "newton",
    "OMI-E7": "physx",
    "OMI-E8": "mujoco",
    "OMI-U05": "physx",
    "OMI-U062": "physx",
    "OMI-U06": "newton",
}
"""Engines that rules are about, by the start of their codes."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A text that breaks one rule, and the same text cured."""

    code: str
    """Code of the rule."""
    title: str
    """What is wrong."""
    suffix: str
    bad: str
    cured: str
    also: frozenset[str] = frozenset()
    """Codes of what else is found in the bad text, as a consequence."""

    @property
    def bad_name(self) -> str:
        """Name of the file that breaks the rule."""
        return f"{self.code}{self.suffix}"

    @property
    def cured_name(self) -> str:
        """Name of the cured file."""
        return f"{self.code}.cured{self.suffix}"

    @property
    def engine(self) -> str | None:
        """Engine to check for, None where the rule is about none."""
        return next((name for start, name in _ENGINES.items() if self.code.startswith(start)), None)

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines that differ: "- " before those that are wrong, "+ " before those of the cure."""
        found = difflib.ndiff(self.bad.splitlines(), self.cured.splitlines())
        return tuple(
            f"{each[0]} {each[2:].strip()}"
            for each in found
            if each[0] in "-+" and each[2:].strip()
        )


def of_text(suffix: str, sound: str) -> Callable[..., Pair]:
    """Return what makes pairs of a sound text, by exchanging a part of it.

    Codes are that of the rule, and those of what is also found. The part must be in the text
    once. `base` changes the text of both files before, by pairs of such parts.
    """

    def made(
        codes: str, title: str, old: str, new: str, base: tuple[tuple[str, str], ...] = ()
    ) -> Pair:
        cured = sound
        for one, other in base:
            cured = _exchanged(cured, one, other)
        code, *also = (f"OMI-{each}" for each in codes.split())
        return Pair(
            code=code,
            title=title,
            suffix=suffix,
            bad=_exchanged(cured, old, new),
            cured=cured,
            also=frozenset(also),
        )

    return made


def _exchanged(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"{old!r} is in the text {text.count(old)} times")
    return text.replace(old, new)


def before(part: str, new: str) -> tuple[str, str]:
    """Return an exchange that puts a text on a line of its own before a part."""
    return part, f"{new}\n{part}"


def all_pairs() -> Iterator[Pair]:
    """Yield the pairs of all formats."""
    from . import documents, engines, godot, mjcf, properties, sdf, shift, urdf, usd

    for module in (urdf, mjcf, shift, sdf, usd, documents, godot, engines, properties):
        yield from module.pairs()

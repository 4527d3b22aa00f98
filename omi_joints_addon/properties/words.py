"""Words that other extensions may add to: enums of Blender with a text for what is not listed."""

from collections.abc import Collection

OTHER = "OTHER"
"""Enum identifier of a value that another extension specifies."""


def word_of(identifier: str, other: str) -> str:
    """Return the word that an enum and its text hold."""
    return other if identifier == OTHER else identifier.lower()


def identifier_and_other(word: str, known: Collection[str]) -> tuple[str, str]:
    """Return the enum identifier of a word and, where it is not a known one, its text."""
    return (word.upper(), "") if word in known else (OTHER, word)

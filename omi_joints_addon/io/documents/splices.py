"""Edits of a text as splices: nothing but what is edited changes, to the byte."""

from collections.abc import Iterable

Span = tuple[int, int]
"""Start and end of a part of a text, in characters."""


class UneditableError(ValueError):
    """Text that cannot be edited in place; the message is the reason, in one line."""


def spliced(text: str, splices: Iterable[tuple[Span, str]]) -> str:
    """Return a text with others in the place of its parts.

    Those of one place come one after the other; what is inside of a part that goes, goes with it.
    """
    parts: list[str] = []
    at = 0
    for (start, end), new in sorted(splices, key=lambda each: each[0]):
        if start >= at:
            parts += (text[at:start], new)
            at = end
    return "".join((*parts, text[at:]))


def line_end(text: str) -> str:
    """Return what ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"

"""What a document says that no scene holds, for the report toward another format.

Each room lists the attributes that its scenes hold; all else of a document is counted.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from ...core.findings.loss import How, Loss
from ...core.findings.sentence import Sentence
from .format import Document

Held = Mapping[str, frozenset[str]]
"""Attributes that a scene holds, by tag; "*" stands for all of them."""
_ALL = "*"


@runtime_checkable
class Inventoried(Protocol):
    """A format that knows what of a document its scenes hold."""

    def unheld(self, document: Document) -> tuple[Loss, ...]:
        """Return a line for each kind of thing that a scene does not hold, with its number."""


def unheld_of(roots: Iterable[ET.Element], held: Held, *, label: str) -> tuple[Loss, ...]:
    """Return a line for each tag and attribute that a scene does not hold.

    What is below an element of a tag that is not held counts with it.
    """
    found: dict[str, tuple[int, str]] = {}
    for root in roots:
        stack = [*reversed(root)]
        while stack:
            element = stack.pop()
            known = held.get(element.tag)
            place = element.get("name", "")
            if known is None:
                _count(found, element.tag, place)
                continue
            stack += reversed(element)
            for name in element.attrib if _ALL not in known else ():
                if name not in known:
                    _count(found, f"{name} of {element.tag}", place)
    return _lines(found, label)


def counted_unheld(found: Iterable[tuple[str, str]], *, label: str) -> tuple[Loss, ...]:
    """Return a line for each noun that is found, given with the place of each."""
    counts: dict[str, tuple[int, str]] = {}
    for noun, place in found:
        _count(counts, noun, place)
    return _lines(counts, label)


def _lines(found: Mapping[str, tuple[int, str]], label: str) -> tuple[Loss, ...]:
    return tuple(
        Loss("", noun, How.LOST, _text(label, place), count)
        for noun, (count, place) in found.items()
    )


def _count(found: dict[str, tuple[int, str]], noun: str, place: str) -> None:
    count, first = found.get(noun, (0, place))
    found[noun] = (count + 1, first or place)


def _text(label: str, place: str) -> str:
    if not place:
        return Sentence("only {label} files have this", label=label)
    return Sentence("only {label} files have this; first at {place}", label=label, place=place)

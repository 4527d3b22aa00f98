"""What becomes of what a format cannot say as it is."""

from dataclasses import dataclass
from enum import StrEnum


class How(StrEnum):
    """How a noun went into a document."""

    CONVERTED = "converted"
    """Said in other words; the text tells what differs."""
    CARRIED = "carried"
    """Kept in the document where only this program finds it."""
    LOST = "lost"
    """Not in the document."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that did not go into a document as it was."""

    place: str
    """Name of the joint, body or node."""
    noun: str
    """Field of the model, such as "limit damping" or "break force"."""
    how: How
    text: str
    """One line in plain English."""

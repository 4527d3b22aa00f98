"""Reads what the window shows, as a user does: labels and where they are, by Tesseract.

Points and rectangles are in pixels of the window, origin at the bottom left.
"""

import csv
import difflib
import io
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy

SURE = 0.8
"""Least likeness of a label that counts as the one that was looked for."""

TREATMENTS: tuple[tuple[str, ...], ...] = (
    ("12",),
    ("11",),
    ("11", "-threshold", "42%"),
    ("11", "-threshold", "75%"),
    ("12", "-negate", "-threshold", "30%"),
    ("3",),
)
"""How Tesseract looks for text, and what makes text stand out: gray, in lists, light on dark, and a
button that is alone in its panel."""


@dataclass(frozen=True)
class Rectangle:
    """Part of the window."""

    x: int
    y: int
    width: int
    height: int

    def crop(self) -> str:
        """Return it as ImageMagick names it, from the top left."""
        top = bpy.context.window_manager.windows[0].height - self.y - self.height
        return f"{self.width}x{self.height}+{self.x}+{top}"


@dataclass(frozen=True)
class Label:
    """A text on the screen and where it is."""

    text: str
    place: Rectangle

    @property
    def center(self) -> tuple[float, float]:
        """Point to click on."""
        return self.place.x + self.place.width / 2, self.place.y + self.place.height / 2

    @property
    def beside(self) -> tuple[float, float]:
        """Point in the field to the right of the label."""
        return self.place.x + self.place.width + 90, self.center[1]


def read(part: Rectangle, treatment: Sequence[str] = TREATMENTS[0]) -> list[Label]:
    """Return the labels in a part of the window, after the picture was treated."""
    grab = ["import", "-window", "root", "-crop", part.crop(), "+repage", "pnm:-"]
    treat = ["convert", "pnm:-", "-colorspace", "Gray", *treatment[1:], "pgm:-"]
    command = ["tesseract", "-", "-", "--psm", treatment[0], "--dpi", "140", "tsv"]
    data = b""
    one_thread = os.environ | {"OMP_THREAD_LIMIT": "1"}  # more are slower for such small pictures
    for each in (grab, treat, command):
        run = subprocess.run(each, input=data, check=True, capture_output=True, env=one_thread)
        data = run.stdout
    rows = csv.DictReader(io.StringIO(data.decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = [row for row in rows if row["text"] and row["text"].strip()]
    return [_label(group, part) for group in _groups(words)]


def find(text: str, labels: Iterable[Label]) -> Label | None:
    """Return the label that reads most like a text, or begins with it."""
    found = [(_likeness(text, label.text), label) for label in labels]
    best = max(found, key=lambda item: item[0], default=(0.0, None))
    return best[1] if best[0] >= SURE else None


def _likeness(text: str, seen: str) -> float:
    bare = re.sub(r"^(\S{1,2} )+", "", seen)  # an icon before the text is read as letters
    if text in (seen, bare):
        return 3.0
    if bare.startswith(text):
        return 1.0 + len(text) / len(bare)
    if text.endswith(f" {bare}"):
        return 0.0  # "Physics Body" is the panel, not its button "Add Physics Body"
    return difflib.SequenceMatcher(None, text.lower(), seen.lower()).ratio()


def _groups(words: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    """Return words that follow each other closely in one line."""
    groups: list[list[dict[str, str]]] = []
    for word in words:
        if groups and _follows(groups[-1][-1], word):
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _follows(before: dict[str, str], word: dict[str, str]) -> bool:
    line = all(before[key] == word[key] for key in ("block_num", "par_num", "line_num"))
    gap = int(word["left"]) - int(before["left"]) - int(before["width"])
    return line and gap < 18


def _label(words: list[dict[str, str]], part: Rectangle) -> Label:
    left = min(int(word["left"]) for word in words)
    right = max(int(word["left"]) + int(word["width"]) for word in words)
    top = min(int(word["top"]) for word in words)
    bottom = max(int(word["top"]) + int(word["height"]) for word in words)
    place = Rectangle(part.x + left, part.y + part.height - bottom, right - left, bottom - top)
    return Label(" ".join(word["text"] for word in words), place)

"""The table of next steps: every row, every step, and what is meant to stay as it is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy

from tests.next_steps.judge import Cell, State, judged, state
from tests.next_steps.rows import Row, build
from tests.next_steps.steps import STEPS, Step


@dataclass(frozen=True)
class Stays:
    """What is left as it is on purpose, without a word at the moment."""

    rows: frozenset[str]
    steps: str
    """Pattern of the names of the steps."""
    reason: str


_IMPORTED = frozenset(("urdf", "mjcf", "gltf_omi", "gltf_khr"))
_EDITS = r"(Scale|Rotate|Move) (All|Some) .*|Bisect.*|(Add|Apply) (Array|Mirror|Subsurf|Solidify).*"
STAYS = (
    Stays(
        _IMPORTED,
        _EDITS + "|Join a Handle|Separate.*",
        "a shape that is an object of its own, as importers make it, is not of the mesh beside it",
    ),
    Stays(
        frozenset(("instance",)),
        r"Apply .*|Geometry Origin.*|Origin .*|Undo .*",
        "the instance is moved as a whole: Blender has no mesh there that it could change",
    ),
    Stays(frozenset(("instance",)), r"Delete.*", "the instance is gone, and all of it"),
    Stays(
        frozenset(("keyed",)),
        r"Hide Viewport.*|Scene Link Copy",
        "Blender evaluates no drivers of what is disabled in viewports or in another scene",
    ),
)


def reason_of(row: Row, step: Step) -> str | None:
    """Return why a row stays as it is after a step, None where it is to follow or be named."""
    return next(
        (
            each.reason
            for each in STAYS
            if row.name in each.rows and re.fullmatch(each.steps, step.name)
        ),
        None,
    )


def cells(
    rows: Iterable[Row], folder: Path, steps: Iterable[Step] = STEPS
) -> Iterator[tuple[Row, Step, Cell]]:
    """Yield what becomes of each row after each step."""
    chosen = list(steps)
    for row in rows:
        path, roles = build(row, folder)
        before = opened(path, folder)
        for step in chosen:
            yield row, step, judged(path, roles, step, before, folder)


def opened(path: Path, folder: Path) -> State:
    """Return the state of a row as it is opened."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return state(folder)

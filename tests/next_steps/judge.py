"""One cell of the table: a step on a row, judged by the file that leaves."""

import contextlib
import io
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from tests.next_steps.measure import Measured, measure
from tests.next_steps.steps import (
    CENTERS,
    COUNT,
    FRAMES,
    KEYS,
    NAMED,
    SETTINGS,
    SHAPES,
    SOLIDS,
    WHOLE,
    Roles,
    Step,
)
from tests.whole_check import scene_findings

FOLLOWS, FINDING, SILENT, CRASH, REFUSED = "follows", "finding", "silent", "crash", "refused"
_PLACE, _TURN = 2e-3, 2e-3
"""Distances [m] and parts of axes that are rounding."""


@dataclass(frozen=True)
class State:
    """What the file and the checks say of a scene."""

    file: Measured
    findings: Counter[str]
    texts: frozenset[str]


@dataclass(frozen=True)
class Cell:
    """What became of a row after a step."""

    mark: str
    broken: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def state(folder: Path, **options: object) -> State:
    """Return what the file and the checks say now."""
    bpy.context.view_layer.update()
    found = Counter(item.code for item in scene_findings(bpy.context.scene))
    file = measure(folder, **options)
    lines = frozenset(line.text for line in bpy.context.scene.omi_report.lines)
    return State(file, found, lines)


def judged(path: Path, roles: Roles, step: Step, before: State, folder: Path) -> Cell:
    """Open a row, take a step, and judge what is written."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.view_layer.update()
    # As in a window, where the scene is always drawn.
    scene_findings(bpy.context.scene)
    _drawn()
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            step.do(roles)
        except RuntimeError as error:
            if "Traceback" in str(error):
                return Cell(CRASH, broken=(str(error),))
            return Cell(REFUSED, said=(str(error).strip(),))
        except Exception:  # noqa: BLE001 - a crash is what is looked for
            return Cell(CRASH, broken=(traceback.format_exc(),))
        try:
            after = state(folder, **dict(step.options))
        except Exception:  # noqa: BLE001 - a crash is what is looked for
            return Cell(CRASH, broken=(traceback.format_exc(),))
    text = output.getvalue()
    if "Traceback" in text:
        return Cell(CRASH, broken=(text,))
    return _judged(step, before, after, text)


def _drawn() -> None:
    from omi_joints_addon.scene.watch import shown_scene

    shown_scene(bpy.context.scene)


def _judged(step: Step, before: State, after: State, text: str) -> Cell:
    said = [code for code, count in after.findings.items() if count > before.findings[code]]
    said += sorted(after.texts - before.texts)
    said += re.findall(r"^(?:Warning|Error): (.*)$", text, re.MULTILINE)
    broken = [
        rule for rule in _RULES if rule in step.holds and not _RULES[rule](step, before, after)
    ]
    broken += after.file.faults
    if NAMED in step.holds and len(after.file.settings) < len(before.file.settings):
        broken.append(NAMED)
    if not broken:
        is_named = NAMED in step.holds and said
        return Cell(FINDING if is_named else FOLLOWS, (), tuple(said))
    words = "\n".join(said)
    is_named = all(rule in _NAMING and re.search(_NAMING[rule], words) for rule in broken)
    return Cell(FINDING if is_named else SILENT, tuple(broken), tuple(said))


_NAMING = {
    FRAMES: "OMI-J00|static body|left out",
    SOLIDS: "OMI-[BS]|shape|static body",
    SHAPES: "OMI-[BS]|shape",
    WHOLE: "OMI-[BS]",
    CENTERS: "OMI-B|center|static body",
    SETTINGS: "OMI-J[04]",
    KEYS: "keys|driver",
    COUNT: "OMI-J025|OMI-B",
    NAMED: "OMI-J0|OMI-J4|left out|Removed",
}
"""What says that a rule is broken: what is said of anything else does not."""


def _frames(_step: Step, before: State, after: State) -> bool:
    found = list(after.file.frames.values())
    return all(_is_among(frame, found) for frame in before.file.frames.values())


def _is_among(frame: Any, others: Iterable[Any]) -> bool:
    for other in others:
        place = np.abs(frame[:3, 3] - other[:3, 3]).max()
        if place < _PLACE and np.abs(frame[:3, :3] - other[:3, :3]).max() < _TURN:
            return True
    return False


def _size(reach: Any) -> float:
    """Return the largest extent of what reaches so far along the 26 directions."""
    return float((reach + reach[::-1]).max())


def _solids(_step: Step, before: State, after: State) -> bool:
    found = list(after.file.solids.values())
    for reach in before.file.solids.values():
        size = _size(reach)
        if not any(
            (other - reach).min() > -0.03 * size and (other - reach).max() < 0.6 * size
            for other in found
        ):
            return False
    return True


def _misfit(file: Measured, name: str) -> tuple[float, float] | None:
    """Return how far a mesh sticks out of its shapes, and they of it, in sizes of the mesh."""
    if name not in file.meshes or name not in file.solids:
        return None
    size = max(_size(file.meshes[name]), 1e-9)
    gap = file.meshes[name] - file.solids[name]
    return float(gap.max()) / size, float(-gap.min()) / size


def _shapes(_step: Step, before: State, after: State) -> bool:
    known = {name: _misfit(before.file, name) for name in before.file.solids}
    fits = [fit for fit in known.values() if fit is not None]
    worst = (max((fit[0] for fit in fits), default=0.0), max((fit[1] for fit in fits), default=0.0))
    for name in after.file.meshes:
        fit = _misfit(after.file, name)
        was = known.get(name) or worst
        if fit is not None and (
            fit[0] > max(was[0], 0.0) + 0.03 or fit[1] > max(was[1], 0.0) + 0.6
        ):
            return False
    return len(after.file.solids) >= len(before.file.solids)


def _near(before: dict[str, Any], after: dict[str, Any], close: Callable[[Any, Any], bool]) -> bool:
    return all(any(close(one, other) for other in after.values()) for one in before.values())


def _centers(_step: Step, before: State, after: State) -> bool:
    return _near(
        before.file.centers,
        after.file.centers,
        lambda a, b: a.shape == b.shape and bool(np.abs(a - b).max() < 5e-3),
    )


def _settings(_step: Step, before: State, after: State) -> bool:
    return _near(before.file.settings, after.file.settings, _is_same)


def _is_same(one: Any, other: Any) -> bool:
    """Return whether JSON values are the same but for rounding and the order of limits."""
    if isinstance(one, dict) and isinstance(other, dict):
        one, other = ({k: v for k, v in each.items() if k != "name"} for each in (one, other))
        return one.keys() == other.keys() and all(_is_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(any(_is_same(a, b) for b in other) for a in one)
    if isinstance(one, float) or isinstance(other, float):
        return abs(one - other) < 1e-3
    return bool(one == other)


def _keys(_step: Step, before: State, after: State) -> bool:
    def values(file: Measured) -> list[tuple[str, float]]:
        return sorted((name.split(" [", 1)[1], value) for name, value in file.curves.items())

    now = values(after.file)
    return all(
        any(name == other and abs(value - there) < 2e-2 for other, there in now)
        for name, value in values(before.file)
    )


def _whole(_step: Step, before: State, after: State) -> bool:
    """Return whether bodies that are left are as solid as before."""
    solid = before.file.solids.keys() & set(after.file.bodies)
    return solid <= after.file.solids.keys()


def _count(step: Step, before: State, after: State) -> bool:
    counts = [(len(s.file.settings), len(s.file.bodies), s.file.triggers) for s in (before, after)]
    if step.times == 1:
        return counts[0][0] <= counts[1][0] and counts[0][1] <= counts[1][1]
    return counts[1][0] > counts[0][0] or counts[1][1] == counts[0][1]


_RULES: dict[str, Callable[[Step, State, State], bool]] = {
    FRAMES: _frames,
    SOLIDS: _solids,
    SHAPES: _shapes,
    CENTERS: _centers,
    SETTINGS: _settings,
    KEYS: _keys,
    COUNT: _count,
    WHOLE: _whole,
}

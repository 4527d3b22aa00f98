"""What artists do next: each cell of the table follows, is named, or stays for a reason.

A sample in each run, all of it by `make attack`; `tools/next_steps_page.py` writes the page.
"""

import random
from pathlib import Path

import bpy
import pytest

from tests.cases import IS_LONG, cases
from tests.next_steps.judge import CRASH, SILENT, judged
from tests.next_steps.rows import ROWS, Row, build
from tests.next_steps.steps import STEPS
from tests.next_steps.table import cells, opened, reason_of
from tests.tally import Tally

EACH = 1 if IS_LONG else 7
"""Of so many steps one is taken, of each row others."""
TWICE = cases(24, 2400)
"""Pairs of steps."""


@pytest.mark.attack
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_cell_is_silent_and_wrong(row: Row, tmp_path: Path) -> None:
    steps = STEPS[ROWS.index(row) % EACH :: EACH]
    wrong = [
        (step.name, cell)
        for _, step, cell in cells([row], tmp_path, steps)
        if cell.mark == CRASH or (cell.mark == SILENT and reason_of(row, step) is None)
    ]
    assert not wrong


@pytest.mark.attack
def test_no_two_steps_end_in_an_error(
    tmp_path: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = {row.name: build(row, tmp_path) for row in ROWS}
    for seed in range(TWICE):
        draw = random.Random(seed)
        (name, (path, roles)), steps = draw.choice([*rows.items()]), draw.sample(STEPS, 2)
        words = f"{seed}: {name}, {steps[0].name}, {steps[1].name}"
        before = opened(path, tmp_path)
        if judged(path, roles, steps[0], before, tmp_path).mark == CRASH:
            continue  # which the table finds
        if bpy.context.mode == "OBJECT":
            twice = tmp_path / "twice.blend"
            bpy.ops.wm.save_as_mainfile(filepath=str(twice), copy=True)
            try:
                before = opened(twice, tmp_path)
            except RuntimeError:
                continue  # Blender's own words on overrides of which a part was appended
            if set(roles.values()) <= set(bpy.data.objects.keys()):
                cell = judged(twice, roles, steps[1], before, tmp_path)
                # Others are steps that cannot be taken, such as to rename what is linked.
                is_ours = any("omi_joints_addon" in text for text in cell.broken)
                assert cell.mark != CRASH or not is_ours, f"{words}: {cell.broken}"
        assert "Traceback" not in capfd.readouterr().err, words
        tally.add("pairs of next steps", seed)


@pytest.mark.parametrize(("name", "code"), [("urdf", "OMI-B070"), ("gltf_omi", "OMI-B016")])
def test_a_body_appended_without_what_is_below_it_is_named(
    name: str, code: str, tmp_path: Path
) -> None:
    row = next(row for row in ROWS if row.name == name)
    step = next(step for step in STEPS if step.name == "Append Alone: body")
    ((_, _, cell),) = cells([row], tmp_path, [step])
    assert code in cell.said

"""What artists do next: each cell of the table follows, is named, or stays for a reason.

A sample in each run, all of it by `make attack`; `tools/next_steps_page.py` writes the page.
"""

from pathlib import Path

import pytest

from tests.cases import IS_LONG
from tests.next_steps.judge import CRASH, SILENT
from tests.next_steps.rows import ROWS, Row
from tests.next_steps.steps import STEPS
from tests.next_steps.table import cells, reason_of

EACH = 1 if IS_LONG else 7
"""Of so many steps one is taken, of each row others."""


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


@pytest.mark.parametrize(("name", "code"), [("urdf", "OMI-B070"), ("gltf_omi", "OMI-B016")])
def test_a_body_appended_without_what_is_below_it_is_named(
    name: str, code: str, tmp_path: Path
) -> None:
    row = next(row for row in ROWS if row.name == name)
    step = next(step for step in STEPS if step.name == "Append Alone: body")
    ((_, _, cell),) = cells([row], tmp_path, [step])
    assert code in cell.said

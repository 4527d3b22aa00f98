"""What artists do next: each cell of the table follows, is named, or stays for a reason.

A sample in each run, all of it by `make attack`; `tools/next_steps_page.py` writes the page.
"""

import os
from pathlib import Path

import pytest

from tests.next_steps.judge import CRASH, SILENT
from tests.next_steps.rows import ROWS, Row
from tests.next_steps.steps import STEPS
from tests.next_steps.table import cells, reason_of

EACH = 1 if "OMI_ATTACK_CASES" in os.environ else 7
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

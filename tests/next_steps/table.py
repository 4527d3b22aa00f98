"""The table of next steps: every row, every step. Run: python -m tests.next_steps.table [ROW…]"""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import bpy

from tests.next_steps.judge import Cell, State, judged, state
from tests.next_steps.rows import ROWS, Row, build
from tests.next_steps.steps import STEPS, Step


def cells(
    rows: Iterable[Row], folder: Path, steps: Iterable[Step] = STEPS
) -> Iterator[tuple[Row, Step, Cell]]:
    """Yield what becomes of each row after each step."""
    chosen = list(steps)
    for row in rows:
        try:
            path, roles = build(row, folder)
        except Exception as e:
            import traceback

            traceback.print_exc()
            continue
        before = opened(path, folder)
        for step in chosen:
            yield row, step, judged(path, roles, step, before, folder)


def opened(path: Path, folder: Path) -> State:
    """Return the state of a row as it is opened."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return state(folder)


def main() -> None:
    """Print the cells as lines of JSON."""
    import addon_utils

    addon_utils.enable("omi_joints_addon", default_set=True)
    chosen = [row for row in ROWS if row.name in sys.argv[1:] or len(sys.argv) < 2]
    with tempfile.TemporaryDirectory() as folder:
        for row, step, cell in cells(chosen, Path(folder)):
            print(json.dumps([row.name, step.name, cell.mark, cell.broken, cell.said]), flush=True)


if __name__ == "__main__":
    main()

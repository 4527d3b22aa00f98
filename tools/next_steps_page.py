"""Run the table of next steps and write it into docs/next_steps.md."""

import importlib
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "docs" / "next_steps.md"
START = "<!-- The table is written by tools/next_steps_page.py. -->\n"


def table() -> str:
    """Return the table as Markdown, and below it what stays and why."""
    # The tests are not typed.
    judge: Any = importlib.import_module("tests.next_steps.judge")
    made: Any = importlib.import_module("tests.next_steps.table")
    rows = importlib.import_module("tests.next_steps.rows").ROWS
    marks: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for row, step, cell in made.cells(rows, Path(folder)):
            is_wrong = cell.mark not in {judge.FOLLOWS, judge.FINDING, judge.REFUSED}
            mark = "stays" if is_wrong and made.reason_of(row, step) else cell.mark
            marks[step.name][mark].append(row.name)
            counts[mark] += 1
    lines = [
        f"{sum(counts.values())} cells: "
        + ", ".join(f"{count} {mark}" for mark, count in counts.most_common())
        + ".\n",
        "| Step | Follows | Finding | Stays |",
        "| --- | --- | --- | --- |",
    ]
    for name, found in marks.items():
        follows = found.get(judge.FOLLOWS, [])
        words = [
            ", ".join(found.get(mark, ())).replace("_", " ") for mark in (judge.FINDING, "stays")
        ]
        lines.append(f"| {name} | {len(follows)} | {words[0]} | {words[1]} |")
    lines.append("\n**What stays, and why**\n")
    lines += [
        f"- {', '.join(sorted(each.rows)).replace('_', ' ')}: {each.reason}." for each in made.STAYS
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    importlib.import_module("bpy")  # which finds addon_utils
    importlib.import_module("addon_utils").enable("omi_joints_addon", default_set=True)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(START) + len(START)] + "\n" + table(), encoding="utf-8")


if __name__ == "__main__":
    main()

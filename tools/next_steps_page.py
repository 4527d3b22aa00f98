"""Run the table of next steps and write it into docs/next_steps.md."""

import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "docs" / "next_steps.md"
START = "<!-- The table is written by tools/next_steps_page.py. -->\n"


def table() -> str:
    """Return the table as Markdown, and below it what stays and why."""
    from tests.next_steps.judge import FINDING, FOLLOWS, REFUSED
    from tests.next_steps.rows import ROWS
    from tests.next_steps.table import STAYS, cells, reason_of

    marks: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for row, step, cell in cells(ROWS, Path(folder)):
            is_wrong = cell.mark not in {FOLLOWS, FINDING, REFUSED}
            mark = "stays" if is_wrong and reason_of(row, step) else cell.mark
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
        follows = found.get(FOLLOWS, [])
        words = [", ".join(found.get(mark, ())).replace("_", " ") for mark in (FINDING, "stays")]
        lines.append(f"| {name} | {len(follows)} | {words[0]} | {words[1]} |")
    lines.append("\n**What stays, and why**\n")
    lines += [
        f"- {', '.join(sorted(each.rows)).replace('_', ' ')}: {each.reason}." for each in STAYS
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    import addon_utils  # type: ignore[import-not-found]

    addon_utils.enable("omi_joints_addon", default_set=True)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(START) + len(START)] + "\n" + table(), encoding="utf-8")


if __name__ == "__main__":
    main()

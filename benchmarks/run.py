"""Run benchmarks and print one table of all their figures, with a verdict a line.

`run.py [NAME ...]` runs bench_NAME.py, all of them without a name. What Blender prints goes to
`build/bench`. `--readme` also puts the table into README.md here; a miss is no failure.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from figures import AS_JSON, COLUMNS, Figure, line

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / "build" / "bench"
README = HERE / "README.md"
START, END = "<!-- table -->", "<!-- end of table -->"
PATIENCE = 600
"""Longest time [s] that one benchmark may take."""
Rows = dict[str, list[Figure]]


def main() -> None:
    """Run, print, and tell what missed its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks, all without any")
    parser.add_argument("--readme", action="store_true", help="put the table into README.md")
    options = parser.parse_args()
    names = options.names or sorted(path.stem[6:] for path in HERE.glob("bench_*.py"))
    LOGS.mkdir(parents=True, exist_ok=True)
    started, rows = time.monotonic(), Rows()
    failed = [name for name in names if not _run(name, rows)]
    figures = [figure for found in rows.values() for figure in found]
    missed = [figure for figure in figures if figure.verdict == "MISS"]
    judged = sum(1 for figure in figures if figure.verdict)
    took = f"{(time.monotonic() - started) / 60.0:.1f} minutes"
    print(f"\n{judged} figures have a target, {len(missed)} miss it; {took}; {_machine()}")
    for figure in missed:
        print(f"MISS {figure.line().rstrip()}")
    for name in failed:
        print(f"FAILED bench_{name}.py, see {LOGS / name}.log")
    if options.readme:
        _put_into_readme(rows)
    sys.exit(1 if failed else 0)


def _run(name: str, rows: Rows) -> bool:
    """Run one benchmark, print its figures as they come and keep them; return its success."""
    command = [sys.executable, "-u", str(HERE / f"bench_{name}.py")]
    with (
        (LOGS / f"{name}.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | {AS_JSON: "1"}
        ) as run,
    ):
        title = name
        for value in _values(run, log.fileno()):
            if "title" in value:
                title = value["title"]
                rows[title] = []
                print(f"\n{line(title, COLUMNS)}", flush=True)
            else:
                figure = Figure(**value)
                rows[title].append(figure)
                print(figure.line(), flush=True)
        return run.wait(PATIENCE) == 0


def _values(run: subprocess.Popen[str], log: int) -> Iterator[dict]:
    """Yield what a benchmark writes as JSON; the rest goes to the log."""
    assert run.stdout is not None
    for text in run.stdout:
        try:
            yield json.loads(text)
        except ValueError:
            os.write(log, text.encode())


def _machine() -> str:
    """Return what the figures were measured on."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = [row for row in info.read_text().splitlines() if row.startswith("model name")]
        processor = found[0].partition(": ")[2] if found else processor
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _put_into_readme(rows: Rows) -> None:
    """Put the table into README.md, between its two marks."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    table = "\n".join(_markdown(rows))
    README.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")


def _markdown(rows: Rows) -> Iterator[str]:
    """Yield the lines of the table in Markdown."""
    manifest = tomllib.loads((HERE.parent / "omi_joints_addon/blender_manifest.toml").read_text())
    day = datetime.now(UTC).date()
    yield f"Version {manifest['version']} on Blender {version('bpy')}, {day},"
    yield f"{_machine()}."
    for title, figures in rows.items():
        yield f"\n{_row((title, *COLUMNS))}\n|---|{'--:|' * (len(COLUMNS) - 1)}---|"
        for figure in figures:
            yield _row((figure.name, *figure.cells()))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()

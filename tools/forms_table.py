"""Put the table of members of older forms into docs/dialects.md; `--check` compares."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from page_tables import renew  # noqa: E402

from omi_joints_addon.io.formats.gltf.older.parts import (  # noqa: E402
    ELSEWHERE,
    NOT_READ,
    PARTS,
    SCENE,
    OlderPart,
    Row,
)

PAGE = ROOT / "docs" / "dialects.md"
START, END = "<!-- forms by tools/forms_table.py -->", "<!-- end of the forms -->"


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| Extension | On the | Member | Until | Read as |"
    yield "| --- | --- | --- | --- | --- |"
    for part in PARTS:
        if part.extension != part.following and not part.rows:
            yield _line(part, "all", f"`{part.following}`")
        elif part.extension != part.following and part.owner != SCENE:
            yield _line(part, "all others", f"`{part.following}`")
        for row in part.rows:
            yield _line(part, f"`{row.path}`", _becomes(part, row))


def _line(part: OlderPart, member: str, becomes: str) -> str:
    return f"| `{part.extension}` | {part.owner} | {member} | {part.until} | {becomes} |"


def _becomes(part: OlderPart, row: Row) -> str:
    if row.name == NOT_READ:
        return "named (OMI-J498)" + ("" if row.default is None else f", unless `{_json(row)}`")
    if row.means or row.name == ELSEWHERE:
        return row.means or f"`{part.following}`"
    if row.name.startswith("/"):
        _, array, name = row.name.split("/")
        return f"`{array}[].{name}`"
    above = row.path.rpartition(".")[0]
    name = row.name.replace("{type}", "TYPE")
    return f"`{above}.{name}`" if above else f"`{name}`"


def _json(row: Row) -> str:
    return str(row.default).lower()


TABLES = {START: rows}


def main(arguments: list[str]) -> int:
    """Write the page; return 1 where `--check` finds it stale."""
    return renew(PAGE, TABLES, END, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

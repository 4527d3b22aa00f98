"""Put the tables of what scenes hold of MJCF and URDF into docs/exchange.md; `--check` compares."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from page_tables import renew  # noqa: E402

from omi_joints_addon.io.formats.mjcf.schema import HELD as MJCF  # noqa: E402
from omi_joints_addon.io.formats.mjcf.schema import WORDS  # noqa: E402
from omi_joints_addon.io.formats.urdf.held import HELD as URDF  # noqa: E402

PAGE = ROOT / "docs" / "exchange.md"
END = "<!-- end of the nouns -->"
_ALL = frozenset(("*",))


def mjcf_rows() -> Iterator[str]:
    """Yield the rows of MJCF."""
    yield "| MJCF | values of a scene | named toward other formats |"
    yield "| --- | --- | --- |"
    for tag, words in sorted(WORDS.items()):
        held = MJCF.get(tag.split()[-1])
        values = frozenset() if held is None else held & words
        yield f"| {tag} | {_words(values)} | {'all' if not values else _words(words - values)} |"
    yield "| every other element | – | all, as a whole |"


def urdf_rows() -> Iterator[str]:
    """Yield the rows of URDF."""
    yield "| URDF | values of a scene |"
    yield "| --- | --- |"
    for tag, held in sorted(URDF.items()):
        if held != _ALL:
            yield f"| {tag} | {_words(held) if held else 'what is in it'} |"
    yield "| every other element and attribute | named toward other formats |"


TABLES: Mapping[str, Callable[[], Iterator[str]]] = {
    "<!-- nouns of MJCF by tools/nouns_table.py -->": mjcf_rows,
    "<!-- nouns of URDF by tools/nouns_table.py -->": urdf_rows,
}


def _words(names: frozenset[str]) -> str:
    return " ".join(sorted(names)) or "–"


def main(arguments: list[str]) -> int:
    """Write the page; return 1 where `--check` finds it stale."""
    return renew(PAGE, TABLES, END, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Tables that are made from the code, between two comments of a page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

Tables = Mapping[str, Callable[[], Iterable[str]]]
"""What makes the lines of each table, by the comment that it follows."""


def page_with(text: str, tables: Tables, end: str) -> str:
    """Return the text of a page with its tables made anew; `end` is the comment behind each."""
    for start, rows in tables.items():
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = "\n".join((before + start, *rows(), end + after))
    return text


def renew(page: Path, tables: Tables, end: str, arguments: Sequence[str]) -> int:
    """Write a page with its tables; with the argument `--check` return 1 where it is stale."""
    text = page.read_text(encoding="utf-8")
    new = page_with(text, tables, end)
    if "--check" in arguments:
        return int(new != text)
    page.write_text(new, encoding="utf-8")
    return 0

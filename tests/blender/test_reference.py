"""The reference pages say what the code does."""

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def tool(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(repository / "tools"))
    yield importlib.import_module("reference_pages")
    for name in ("reference_pages", "python_reference", "library_reference"):
        sys.modules.pop(name, None)


def test_pages_are_up_to_date(tool: Any, repository: Path) -> None:
    for name, text in tool.pages().items():
        written = (repository / "docs" / "reference" / name).read_text(encoding="utf-8")
        assert written == text, f"run make reference: docs/reference/{name} is out of date"


def test_everything_has_a_tooltip(tool: Any) -> None:
    """A row without its last cell, or a heading without a sentence, is a text that is missing."""
    pages = tool.pages()
    rows = [
        line
        for name in ("properties.md", "operators.md", "preferences.md")
        for line in pages[name].splitlines()
        if line.startswith("| `") and line.endswith("|  |")
    ]
    inner = re.compile(r"^\| `\w+` \| (list|[a-z_]+) \|  \|  \| ")
    assert [row for row in rows if not inner.match(row)] == []

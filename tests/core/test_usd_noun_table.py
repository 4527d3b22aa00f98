"""The table of nouns in docs/usd.md, by its own tool: nothing is missing unnoticed."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


def _tool(repository: Path) -> Any:
    spec = importlib.util.spec_from_file_location("usd_nouns", repository / "tools/usd_nouns.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_no_noun_is_silent_and_the_page_has_them_all(repository: Path) -> None:
    tool = _tool(repository)
    made = tool.table()
    assert [line for line in made.splitlines() if tool.SILENT in line] == []
    page = (repository / "docs" / "usd.md").read_text(encoding="utf-8")
    assert page.split(tool.START)[1].split(tool.END)[0].strip() == made, "run tools/usd_nouns.py"

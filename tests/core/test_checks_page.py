"""The page of all checks says what the code does."""

import importlib.util
import re
from pathlib import Path
from typing import Any

from omi_joints_addon.cli.rule_list import all_rules


def _tool(repository: Path) -> Any:
    spec = importlib.util.spec_from_file_location(
        "checks_page", repository / "tools" / "checks_page.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_page_is_up_to_date(repository: Path) -> None:
    page = (repository / "docs" / "checks.md").read_text(encoding="utf-8")
    assert page == _tool(repository).page(), "run tools/checks_page.py"


def test_page_has_every_rule_once(repository: Path) -> None:
    tool = _tool(repository)
    codes = re.findall(r"^### (OMI-\w+)$", tool.page(), re.MULTILINE)
    assert sorted(codes) == sorted(all_rules())

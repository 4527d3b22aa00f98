"""The page of all checks says what the code does."""

import importlib.util
import re
import string
from pathlib import Path
from typing import Any

from omi_joints_addon.core.findings.rules import RULES


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
    page = _tool(repository).page()
    assert sorted(re.findall(r"^\| (OMI-\w+) \|", page, re.MULTILINE)) == sorted(RULES)


def test_sentences_read_well() -> None:
    for code, rule in RULES.items():
        assert re.fullmatch(r"OMI-[A-Z]\d{3}", code)
        assert not rule.sentence.endswith("."), code
        assert list(string.Formatter().parse(rule.sentence)), code
        assert rule.reason.endswith("."), code


def test_codes_in_the_code_are_rules(repository: Path) -> None:
    used: set[str] = set()
    for file in (repository / "omi_joints_addon").rglob("*.py"):
        used |= set(re.findall(r"OMI-[A-Z]\d{3}", file.read_text(encoding="utf-8")))
    assert used == RULES.keys()

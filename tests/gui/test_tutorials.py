"""Follows every tutorial of docs/tutorials in a real window, by its words alone."""

import re
from pathlib import Path

import pytest

from .conftest import Desktop, Scenario, scenarios_in

PAGES = Path(__file__).resolve().parents[2] / "docs" / "tutorials"


@pytest.mark.parametrize("scenario", scenarios_in("tutorials"), ids=str)
def test_tutorial(scenario: Scenario, desktop: Desktop) -> None:
    desktop.empty_home()
    desktop.play([scenario])
    fault = desktop.ended[scenario]
    if "FileNotFoundError" in fault and "tesseract" in fault:
        pytest.skip("Tesseract is not installed where desktop Blender is")
    if fault:
        pytest.fail(fault, pytrace=False)


def test_every_tutorial_is_followed() -> None:
    """A page whose steps are numbered has a scenario."""
    texts = {page.stem: page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")}
    numbered = {name for name, text in texts.items() if re.search(r"^1\. ", text, re.MULTILINE)}
    assert numbered == {each.name.replace("_", "-") for each in scenarios_in("tutorials")}

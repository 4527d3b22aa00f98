"""Follows every tutorial of docs/tutorials in a real window, by its words alone.

The extension is the zip for this platform, as the README has people take it.
"""

import re
from pathlib import Path

import pytest

from .conftest import Desktop, Scenario, scenarios_in

PAGES = Path(__file__).resolve().parents[2] / "docs" / "tutorials"


@pytest.mark.parametrize("scenario", scenarios_in("tutorials"), ids=str)
def test_tutorial(scenario: Scenario, desktop_with_contacts: Desktop) -> None:
    desktop_with_contacts.empty_home()
    desktop_with_contacts.play([scenario])
    fault = desktop_with_contacts.ended[scenario]
    if "FileNotFoundError" in fault and "tesseract" in fault:
        pytest.skip("Tesseract is not installed where desktop Blender is")
    if fault:
        pytest.fail(fault, pytrace=False)


def test_every_tutorial_is_followed() -> None:
    """A page whose steps are numbered has a scenario."""
    texts = {page.stem: page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")}
    numbered = {name for name, text in texts.items() if re.search(r"^1\. ", text, re.MULTILINE)}
    assert numbered == {each.name.replace("_", "-") for each in scenarios_in("tutorials")}

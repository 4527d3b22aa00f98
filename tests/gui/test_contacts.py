"""Plays the scenarios of tests/gui/contacts in a window with the zip for this platform."""

import pytest

from .conftest import Desktop, Scenario, scenarios_in


@pytest.mark.parametrize("scenario", scenarios_in("contacts"), ids=str)
def test_contacts(scenario: Scenario, desktop_with_contacts: Desktop) -> None:
    desktop_with_contacts.play([scenario])
    fault = desktop_with_contacts.ended[scenario]
    if fault:
        pytest.fail(fault, pytrace=False)

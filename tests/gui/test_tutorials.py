"""Follows every tutorial of docs/tutorials in a real window, by its words alone."""

import pytest

from .conftest import Desktop, Scenario, scenarios_in


@pytest.mark.parametrize("scenario", scenarios_in("tutorials"), ids=str)
def test_tutorial(scenario: Scenario, desktop: Desktop) -> None:
    desktop.play([scenario])
    if desktop.ended[scenario]:
        pytest.fail(desktop.ended[scenario], pytrace=False)

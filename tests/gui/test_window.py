"""Plays every scenario of `tests/gui/scenarios` in a real window."""

import pytest

from .conftest import Desktop, Scenario, scenarios_in


@pytest.mark.parametrize("scenario", scenarios_in("scenarios"), ids=str)
def test_window(scenario: Scenario, desktop: Desktop, request: pytest.FixtureRequest) -> None:
    if scenario not in desktop.ended:
        chosen = [
            item.callspec.params["scenario"]
            for item in request.session.items
            if item.originalname == "test_window"
        ]
        desktop.play([other for other in chosen if other.file == scenario.file])
    if desktop.ended[scenario]:
        pytest.fail(desktop.ended[scenario], pytrace=False)

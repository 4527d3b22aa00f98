"""Plays every scenario of `tests/gui/scenarios` in a real window; `make attack` those of `attacks`.

Those of `scenarios/attacks.py` and of the folder `attacks` are the attacks on a window.
"""

import pytest

from tests.cases import IS_LONG
from tests.tally import Tally

from .conftest import Desktop, Scenario, scenarios_in

ATTACKS = ("attacks", "drags", "window", "windows")


FOLDERS = ("scenarios", "attacks") if IS_LONG else ("scenarios",)
SCENARIOS = [
    pytest.param(each, marks=pytest.mark.attack) if each.file.stem in ATTACKS else each
    for folder in FOLDERS
    for each in scenarios_in(folder)
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_window(
    scenario: Scenario, desktop: Desktop, request: pytest.FixtureRequest, tally: Tally
) -> None:
    if scenario.file.stem in ATTACKS:
        tally.add("attacks on a window", scenario.name)
    if scenario not in desktop.ended:
        chosen = [
            item.callspec.params["scenario"]
            for item in request.session.items
            if item.originalname == "test_window"
        ]
        desktop.play([other for other in chosen if other.file == scenario.file])
    if desktop.ended[scenario]:
        pytest.fail(desktop.ended[scenario], pytrace=False)

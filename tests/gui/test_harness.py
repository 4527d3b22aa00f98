"""A scenario that goes wrong is a failure that says why, and takes no other with it."""

import pytest

from .conftest import Desktop, scenarios_in


@pytest.fixture(scope="module")
def ended(desktop: Desktop) -> dict[str, str]:
    """Return the fault of each scenario of `tests/gui/faulty`."""
    scenarios = scenarios_in("faulty")
    desktop.play(scenarios)
    return {scenario.name: desktop.ended[scenario] for scenario in scenarios}


def test_failed_assertion_is_reported(ended: dict[str, str]) -> None:
    assert "AssertionError: two is not three" in ended["fails_an_assertion"]


def test_error_in_a_draw_callback_is_found_on_the_console(ended: dict[str, str]) -> None:
    assert "ZeroDivisionError" in ended["raises_in_a_draw_callback"]


def test_expected_line_on_the_console_is_no_fault(ended: dict[str, str]) -> None:
    assert ended["writes_an_expected_line"] == ""


def test_crash_is_the_fault_of_its_scenario_only(ended: dict[str, str]) -> None:
    assert "Blender ended with" in ended["crashes"]
    assert ended["passes_after_a_crash"] == ""

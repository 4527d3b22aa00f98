"""What the quick look at many settings lets pass is what the slow one finds no fault with."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.checks.frames import allows_rest
from omi_joints_addon.core.checks.settings import check_settings
from omi_joints_addon.io.formats.gltf.joint_screen import plainly_sound
from omi_joints_addon.io.formats.gltf.omi.joint import settings_from_json
from tests.core.documents import DOOR, JOINT

SETTINGS = DOOR["extensions"][JOINT]["physicsJoints"][0]
ODD = st.sampled_from([None, True, "x", [], {}, 10**400, float("nan"), float("inf")])
NUMBERS = st.sampled_from([0, 0.0, -0.5, 0.5, 1, -1, 3.2, -7, 1e9]) | ODD
AXES = st.sampled_from([[0], [1], [2], [0, 1], [1, 2], [0, 1, 2]]) | st.sampled_from(
    [[], [1, 0], [0, 0], [3], [True], [1.0], "12", None]
)


def _some(members: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=members)


LIMITS = _some(
    {
        "linearAxes": AXES,
        "angularAxes": AXES,
        "min": NUMBERS,
        "max": NUMBERS,
        "stiffness": NUMBERS,
        "damping": NUMBERS,
        "extras": ODD,
    }
)
DRIVES = _some(
    {
        "type": st.sampled_from(["linear", "angular", "odd", 1, []]),
        "mode": st.sampled_from(["force", "acceleration", "odd", None]),
        "axis": st.sampled_from([0, 1, 2, 3, -1, True, 1.0, "0"]),
        "positionTarget": NUMBERS,
        "velocityTarget": NUMBERS,
        "stiffness": NUMBERS,
        "damping": NUMBERS,
        "maxForce": NUMBERS,
    }
)
SOUND = st.sampled_from(SETTINGS["limits"])
ELEMENTS = _some(
    {
        "limits": st.lists(LIMITS | SOUND | ODD, max_size=3) | ODD,
        "drives": st.lists(DRIVES | st.sampled_from(SETTINGS["drives"]), max_size=2) | ODD,
        "name": st.just("Door") | ODD,
        "more": ODD,
    }
)


@given(st.lists(ELEMENTS | st.just(SETTINGS) | ODD, max_size=4))
def test_what_passes_has_no_findings(elements: list[Any]) -> None:
    for element, is_sound in zip(elements, plainly_sound(elements).tolist(), strict=True):
        if is_sound:
            settings, found = settings_from_json(element, "")
            assert found == []
            assert check_settings(settings) == ()
            assert allows_rest(settings)


def test_common_settings_pass() -> None:
    assert np.all(plainly_sound([SETTINGS] * 3))

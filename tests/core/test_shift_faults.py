"""Shift JSON with faults: a finding or one line, never more."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.core.damaged_files import Attack
from tests.core.shift_models import LIGHT, arm, body, codes, joint, read, rich, write
from tests.mutation import damage
from tests.tally import Tally

CASES = cases(50, 2000)


def test_text_may_have_comments_and_trailing_commas(tmp_path: Path) -> None:
    text = json.dumps(arm("Rz"), indent=1).replace(
        '"name": "A",', '"name": "A // B", // kept\n /* , */'
    )
    text = text.replace("]\n}", "],\n}")
    assert "A // B" in read(text, tmp_path).scene.names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not valid JSON"),
        ("[]", "not an object"),
        ("{}", "no list of assemblies"),
        ('{"assemblies": []', "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_unreadable_files_say_why_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=said) as caught:
        read(text, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"type": "gear"}, "OMI-H002"),
        ({"body_frame_pairs": [["nobody", "origin"], ["link", "end"]]}, "OMI-H003"),
        ({"body_frame_pairs": [["fixed", "nowhere"], ["link", "end"]]}, "OMI-H003"),
        ({"type": "revolute", "axis": [0, 0, 0]}, "OMI-H001"),
        ({"initial_displacement": "far"}, "OMI-H001"),
    ],
)
def test_faults_cost_only_themselves(members: dict[str, Any], code: str, tmp_path: Path) -> None:
    document = arm("Rz")
    members_of = document["assemblies"][0]
    members_of["bodies"].append(body("neighbor"))
    neighbor = joint("Rz", ["link", "origin"], ["neighbor", "origin"], name="sound")
    members_of["joints"] = [members_of["joints"][0] | members, neighbor]
    found = read(document, tmp_path)
    assert code in codes(found)
    assert "sound" in [found.scene.names[j.node] for j in found.scene.joints]


@pytest.mark.parametrize(
    "members", [{"type": "area"}, {"parent": ["fixed", "nowhere"]}, {"parent": 3}, {"type": []}]
)
def test_light_without_frame_or_type_is_left_out(members: dict[str, Any], tmp_path: Path) -> None:
    document = arm("Rz")
    document["fixed"]["lights"] = [LIGHT | members, 7, LIGHT]
    found = read(document, tmp_path)
    assert len(found.scene.lights) == 1
    assert {"OMI-H013", "OMI-H001"} <= set(codes(found))


@pytest.mark.parametrize("moment", [1e308, 1e299])
def test_moments_beyond_all_measure_are_no_error(moment: float, tmp_path: Path) -> None:
    document = rich()
    inertia = document["assemblies"][0]["bodies"][0]["moment_of_inertia"]
    inertia |= {"Ixx": moment, "Iyy": 2.0 * moment, "Ixy": 0.5 * moment}
    found = read(json.dumps(document).replace("Infinity", "1e308"), tmp_path)
    assert all(
        np.isfinite(motion.inertia_diagonal).all() for motion in found.scene.motions.values()
    )


def test_places_beyond_all_measure_are_left_out(tmp_path: Path) -> None:
    document = rich()
    document["assemblies"][0]["bodies"][0]["frames"][0]["T"] = [1e200, 1e300, 0.0]
    found = read(document, tmp_path)
    assert np.isfinite(found.scene.matrices).all()
    assert "OMI-H001" in codes(found)


def test_a_frame_that_is_no_rotation_is_left_out(tmp_path: Path) -> None:
    document = rich()
    for frame in document["assemblies"][0]["bodies"][1]["frames"]:
        frame["R"] = [[1e18, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    found = read(document, tmp_path)
    assert np.abs(found.scene.matrices).max() < 100.0
    assert "OMI-H001" in codes(found)


def test_restraints_that_are_no_list_are_passed_over(tmp_path: Path) -> None:
    document = rich()
    joints = len(read(document, tmp_path).scene.joints)
    document["assemblies"][0]["restraint"] = 5
    assert len(read(document, tmp_path).scene.joints) == joints


@pytest.mark.fuzz
def test_damaged_files_end_in_findings_or_one_line(tmp_path: Path, tally: Tally) -> None:
    Attack("Shift", damaged, read, write).run(CASES, tmp_path, tally)


def damaged(_number: int, source: random.Random) -> str:
    document = rich()
    damage(document, source, source.randint(1, 3))
    return json.dumps(document)

"""Shift JSON with faults: a finding or one line, never more."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.core.shift_models import LIGHT, arm, body, codes, joint, read, rich, write
from tests.mutation import damage

CASES = cases(50)


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


@pytest.mark.fuzz
def test_damaged_files_end_in_findings_or_one_line(tmp_path: Path) -> None:
    for seed in range(CASES):
        source = random.Random(seed)
        document = rich()
        damage(document, source, source.randint(1, 3))
        text = json.dumps(document)
        try:
            found = read(text, tmp_path)
        except UnreadableError:
            continue
        assert np.isfinite(found.scene.matrices).all()
        write(found.scene, tmp_path)

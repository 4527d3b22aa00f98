"""Joint settings of a document as columns: they are those of the codec."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.settings_columns import columns_of
from omi_joints_addon.io.formats.gltf.omi import joint as joint_codec
from omi_joints_addon.io.formats.gltf.omi.joint import (
    all_settings_from_json,
    settings_from_json,
)

PLAIN_NUMBERS = st.sampled_from([0, 1, -1, 0.5, 1e308, 10**400, True, None, "1", float("nan")])
LIMIT_VALUES = st.fixed_dictionaries(
    {},
    optional={
        "linearAxes": st.sampled_from(
            [[0], [0, 1, 2], [1, 0], [True], [1.0], [[0]], [], "0", None]
        ),
        "angularAxes": st.sampled_from([[2], [2, 2], [3], None]),
        **dict.fromkeys(("min", "max", "stiffness", "damping", "extras"), PLAIN_NUMBERS),
    },
)
DRIVE_VALUES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["linear", "angular", "odd", 1, None]),
        "mode": st.sampled_from(["force", "acceleration", "odd", []]),
        "axis": st.sampled_from([0, 1, 2, 3, 1.0, True, "0", -1]),
        **dict.fromkeys(
            ("positionTarget", "velocityTarget", "stiffness", "damping", "maxForce"), PLAIN_NUMBERS
        ),
    },
)


@given(st.lists(LIMIT_VALUES, max_size=3), st.lists(DRIVE_VALUES, max_size=2))
def test_what_most_files_have_is_read_as_everything_else(monkeypatch_module, limits, drives):
    value = {"limits": limits, "drives": drives}
    quick = settings_from_json(value, "/x")
    with monkeypatch_module.context() as patch:
        for name in ("_plain_limit", "_plain_drive"):
            patch.setattr(joint_codec, name, lambda _: None)
        patch.setattr(joint_codec, "_is_plain_settings", lambda _: False)
        assert settings_from_json(value, "/x") == quick


@pytest.fixture(scope="module")
def monkeypatch_module():
    patch = pytest.MonkeyPatch()
    yield patch
    patch.undo()


@given(st.lists(st.lists(LIMIT_VALUES, max_size=3), max_size=3), st.lists(DRIVE_VALUES, max_size=2))
def test_columns_of_a_document_are_those_of_its_settings(all_limits, drives):
    values = [{"limits": limits, "drives": drives, "name": "n"} for limits in all_limits]
    read = all_settings_from_json([*values, None], "/x")
    columns, expected = read.columns, columns_of([each or JointSettings() for each in read])
    for kind in ("limits", "drives"):
        one, other = getattr(columns, kind), getattr(expected, kind)
        for member in fields(one):
            found, wanted = getattr(one, member.name), getattr(other, member.name)
            np.testing.assert_array_equal(found, wanted, err_msg=f"{kind} {member.name}")


@given(st.lists(st.lists(LIMIT_VALUES, max_size=2), max_size=3), st.lists(DRIVE_VALUES, max_size=2))
def test_settings_of_a_document_are_what_the_codec_reads_one_by_one(all_limits, drives):
    values = [{"limits": limits, "drives": drives, "name": "n"} for limits in all_limits]
    values += [dict(value) for value in values] + [value | {"name": "m"} for value in values]
    read = list(all_settings_from_json(values, "/x"))
    assert read == [settings_from_json(value, "/x")[0] for value in values]


def test_equal_settings_of_a_document_are_one_value():
    limits = [{"linearAxes": [0], "min": 0, "max": 1}]
    values = [{"limits": limits}, {"limits": [dict(limits[0])]}, {"limits": limits, "name": "n"}]
    one, same, named = all_settings_from_json(values, "/x")
    assert one is same
    assert named.name == "n"

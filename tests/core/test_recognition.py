"""Friendly names and axis ranges, whatever objects the limits are grouped into."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.axes import joint_axes
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.meaning.recognition import (
    JointKind,
    joint_kind,
    main_axis_of,
)
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from tests.core.limits import joint_of
from tests.core.strategies import joint_settings, limits

INF = math.inf
WELD = ("XYZ", "XYZ", 0.0, 0.0)
POINT = ("XYZ", "", 0.0, 0.0)


@pytest.mark.parametrize(
    ("settings", "kind", "axis"),
    [
        # The specification's table.
        (joint_of(WELD), JointKind.FIXED, None),
        (joint_of(POINT), JointKind.PIN, None),
        (joint_of(POINT, ("", "XY", 0, 0), ("", "Z", -1, 1)), JointKind.HINGE, 2),
        (joint_of(POINT, ("", "YZ", 0, 0), ("", "X", 0.2, 1)), JointKind.HINGE, 0),
        (joint_of(("YZ", "XYZ", 0, 0), ("X", "", -1, 0.5)), JointKind.SLIDER, 0),
        (joint_of(("YZ", "YZ", 0, 0), ("X", "", -1, 1), ("", "X", -1, 1)), JointKind.SLIDER, 0),
        # Continuous hinge and unbounded slider: engines build the same joint.
        (joint_of(POINT, ("", "XY", 0, 0)), JointKind.HINGE, 2),
        (joint_of(POINT, ("", "XY", 0, 0), ("", "Z", -4, 4)), JointKind.HINGE, 2),
        (joint_of(("XY", "XYZ", 0, 0)), JointKind.SLIDER, 2),
        # One bound is enough for a range.
        (joint_of(POINT, ("", "XY", 0, 0), ("", "Z", 0, INF)), JointKind.HINGE, 2),
        # Further names.
        (joint_of(("YZ", "YZ", 0, 0), ("X", "", -1, 1)), JointKind.CYLINDRICAL, 0),
        (joint_of(("YZ", "YZ", 0, 0)), JointKind.CYLINDRICAL, 0),
        (joint_of(("Z", "XY", 0, 0)), JointKind.PLANAR, 2),
        (joint_of(("Y", "XYZ", 0, 0), ("XZ", "", 0, 3)), JointKind.PLANAR, 1),
        (joint_of(POINT, ("", "YZ", -INF, 1)), JointKind.BALL_WITH_CONE, 0),
        (joint_of(POINT, ("", "XY", 0, 1), ("", "Z", -1, 2)), JointKind.BALL_WITH_CONE, 2),
        (joint_of(POINT, ("", "X", 0, 0)), JointKind.UNIVERSAL, 0),
        (joint_of(POINT, ("", "X", 0, 0), ("", "YZ", 0, 1)), JointKind.UNIVERSAL, 0),
        (joint_of(), JointKind.FREE, None),
        (joint_of(("XY", "XYZ", -1, INF), ("Z", "X", -INF, INF)), JointKind.FREE, None),
        (joint_of(("", "X", -math.pi, math.pi), ("", "XYZ", 0, 4)), JointKind.FREE, None),
        # "Fixed" is held at zero: elsewhere, engines see a range.
        (joint_of(POINT, ("", "XY", 0, 0), ("", "Z", 1, 1)), JointKind.CUSTOM, None),
        (joint_of(("", "XYZ", 0, 0), ("YZ", "", 0, 0), ("X", "", 1, 1)), JointKind.CUSTOM, None),
        (joint_of(POINT, ("", "Z", math.pi, math.pi), ("", "XY", 0, 0)), JointKind.CUSTOM, None),
        # Nothing is allowed, or a hole is cut.
        (joint_of(POINT, ("", "XY", 0, 0), ("", "Z", 1, -1)), JointKind.CUSTOM, None),
        (joint_of(POINT, ("", "XY", 0.5, 1)), JointKind.CUSTOM, None),
        (joint_of(("XYZ", "", -2, -1)), JointKind.CUSTOM, None),
        # Neither box nor ball of rotations is a cone.
        (joint_of(POINT, ("", "X", -1, 1), ("", "Y", -1, 1)), JointKind.CUSTOM, None),
        (joint_of(POINT, ("", "XYZ", 0, 1)), JointKind.CUSTOM, None),
        (joint_of(POINT, ("", "XY", 0, 1), ("", "YZ", 0, 1)), JointKind.CUSTOM, None),
        # A rope, a slider that also turns across.
        (joint_of(("XYZ", "", 0, 2)), JointKind.CUSTOM, None),
        (joint_of(("YZ", "XY", 0, 0), ("X", "", -1, 1)), JointKind.CUSTOM, None),
        (joint_of(("", "XYZ", 0, 0)), JointKind.CUSTOM, None),
    ],
)
def test_kind_and_main_axis(settings, kind, axis):
    assert (joint_kind(settings), main_axis_of(settings)) == (kind, axis)


def test_official_examples(corpus):
    import json

    from omi_joints_addon.io.formats.gltf.omi.joint import EXTENSION, document_from_json

    expected = {
        "hanging_rope": {JointKind.PIN},
        "simple_joint": {JointKind.PIN},
        "slider_ball": {JointKind.SLIDER},
        "weld_joint": {JointKind.FIXED},
    }
    for name, kinds in expected.items():
        document = json.loads((corpus / "omi" / f"{name}.gltf").read_text("utf-8"))
        read, _ = document_from_json(document["extensions"][EXTENSION], "/e")
        assert (name, {joint_kind(settings) for settings in read.settings}) == (name, kinds)


def test_softness_does_not_change_the_name():
    limit = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=10.0, damping=1.0)
    assert joint_kind(JointSettings(limits=(limit,))) == JointKind.PIN


@st.composite
def regrouped(draw: st.DrawFn, settings: JointSettings) -> JointSettings:
    """Draw other limits of the same meaning: locks in other groups, repeats, no-ops, any order."""
    locks: list[tuple[bool, int]] = []
    parts: list[JointLimit] = []
    for limit in settings.limits:
        if limit.min == limit.max == 0.0:
            locks += [(False, axis) for axis in limit.linear_axes]
            locks += [(True, axis) for axis in limit.angular_axes]
        else:
            parts.append(limit)
    for _ in range(2):
        group = draw(st.sets(st.sampled_from(locks))) if locks else set()
        parts.append(_lock(group))
    parts += [_lock({lock}) for lock in locks]
    parts += draw(st.lists(st.sampled_from(parts), max_size=2))
    parts.append(draw(limits(bounds=st.just(math.inf)).map(_unbounded)))
    return JointSettings(limits=tuple(draw(st.permutations(parts))))


def _lock(axes: set[tuple[bool, int]]) -> JointLimit:
    return JointLimit(
        linear_axes=tuple(sorted(axis for is_angular, axis in axes if not is_angular)),
        angular_axes=tuple(sorted(axis for is_angular, axis in axes if is_angular)),
        min=0.0,
        max=0.0,
    )


def _unbounded(limit: JointLimit) -> JointLimit:
    return JointLimit(linear_axes=limit.linear_axes, angular_axes=limit.angular_axes)


@given(st.data(), st.sampled_from(Preset))
def test_grouping_does_not_change_the_name(data, preset):
    settings = preset_settings(preset)
    other = data.draw(regrouped(settings))
    assert joint_kind(other) == joint_kind(settings)
    assert main_axis_of(other) == main_axis_of(settings)
    before, after = joint_axes(settings), joint_axes(other)
    assert [(a.min, a.max, a.is_shared) for a in after.all] == [
        (a.min, a.max, a.is_shared) for a in before.all
    ]


@given(joint_settings)
def test_any_settings_have_a_kind_with_a_label(settings):
    kind = joint_kind(settings)
    assert kind.label
    if kind in {JointKind.CUSTOM, JointKind.FREE, JointKind.PIN, JointKind.FIXED}:
        assert main_axis_of(settings) is None
    else:
        assert main_axis_of(settings) in (0, 1, 2)

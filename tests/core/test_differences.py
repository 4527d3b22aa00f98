"""Differences between scenes: a judge that is blind passes everything."""

from dataclasses import replace

import pytest

from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.model.attributes import JointAttributes
from tests.core.physics_scenes import door

MATCH = {node: node for node in range(len(door().names))}


@pytest.mark.parametrize("name", ["break_force", "break_torque", "effort", "velocity"])
def test_a_finite_strength_is_not_an_infinite_one(name: str) -> None:
    weak = replace(door().joints[0], attributes=JointAttributes(**{name: 5.0}))
    one, other = door(), replace(door(), joints=(weak,))
    nouns = {found.noun for found in differences(one, other, MATCH)}
    assert nouns == {found.noun for found in differences(other, one, MATCH)}
    assert len(nouns) == 1


def test_an_open_range_is_not_a_bounded_one() -> None:
    joint = door().joints[0]
    limits = [
        replace(limit, min=-float("inf")) if limit.min < 0.0 else limit
        for limit in joint.settings.limits
    ]
    assert limits != list(joint.settings.limits)
    open_one = replace(joint, settings=replace(joint.settings, limits=tuple(limits)))
    found = differences(door(), replace(door(), joints=(open_one,)), MATCH)
    assert [str(each.noun) for each in found] == ["limit"]

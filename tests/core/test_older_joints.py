"""OMI_physics_joint of 2023, upgraded to today's form."""

import copy
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.io.formats.gltf.older.joints import (
    is_of_2023,
    settings_from_constraints,
    upgrade,
)
from omi_joints_addon.io.formats.gltf.omi.joint import document_from_json
from tests.core.strategies import json_values

NAME = "OMI_physics_joint"
HALF = 0.5**0.5
DYNAMIC = {"OMI_physics_body": {"motion": {"type": "dynamic"}}}


def document_of(joint, *, constraints=({"linearAxes": [0, 1, 2]},), nodes=()):
    """Return two bodies and a joint of the old form, node 0, between them."""
    bodies = [
        {"name": "A", "translation": [1, 0, 0], "extensions": DYNAMIC},
        {"name": "B", "translation": [0, 2, 0], "rotation": [0, 0, HALF, HALF]},
    ]
    value = {
        "extensions": {NAME: {"constraints": list(constraints)}},
        "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [
            {"name": "Pin", "translation": [3, 4, 5], "extensions": {NAME: joint}},
            *bodies,
            *nodes,
        ],
    }
    return copy.deepcopy(value)


def codes(findings):
    return [found.code for found in findings]


def limits_of(*constraints):
    findings = []
    pairs = [(value, f"/c/{index}") for index, value in enumerate(constraints)]
    return settings_from_constraints(pairs, findings).limits, codes(findings)


class TestConstraints:
    def test_absent_bounds_are_zero_and_damping_is_one(self):
        limits, findings = limits_of({"linearAxes": [0, 1, 2]})
        expected = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, damping=1.0)
        assert (limits, findings) == ((expected,), [])

    def test_given_values_are_kept(self):
        value = {"angularAxes": [2], "lowerLimit": -0.5, "upperLimit": 0.25, "stiffness": 3}
        (limit,), _ = limits_of(value | {"damping": 0})
        assert limit == JointLimit(angular_axes=(2,), min=-0.5, max=0.25, stiffness=3.0)

    def test_bounds_hold_for_each_axis_and_not_for_a_distance_or_cone(self):
        limits, _ = limits_of({"linearAxes": [0, 1], "angularAxes": [2], "upperLimit": 1})
        assert [(limit.linear_axes, limit.angular_axes) for limit in limits] == [
            ((0,), ()),
            ((1,), ()),
            ((), (2,)),
        ]
        assert {(limit.min, limit.max) for limit in limits} == {(0.0, 1.0)}

    def test_later_constraints_override_earlier_ones(self):
        limits, _ = limits_of({"linearAxes": [0, 1, 2]}, {"linearAxes": [1], "upperLimit": 2})
        assert [(limit.linear_axes, limit.max) for limit in limits] == [((0, 2), 0.0), ((1,), 2.0)]

    def test_infinite_stiffness_as_text_is_rigid(self):
        (limit,), findings = limits_of({"linearAxes": [0], "stiffness": "Infinity"})
        assert (limit.stiffness, findings) == (math.inf, ["OMI-J421"])

    def test_what_is_no_object_costs_only_itself(self):
        limits, findings = limits_of(7, {"linearAxes": [0]})
        assert (len(limits), findings) == (1, ["OMI-J426"])


class TestDocument:
    def test_frames_of_both_bodies_stand_where_the_joint_stood(self):
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2})
        assert codes(upgrade(document)) == []
        pin, first, second, frame = document["nodes"]
        # Below A at (1, 0, 0): (3, 4, 5) - (1, 0, 0).
        assert first["children"] == [0]
        assert pin["translation"] == pytest.approx([2, 4, 5])
        # Below B at (0, 2, 0), turned by 90° about Z: x and y of (3, 2, 5) become 2 and -3.
        assert second["children"] == [3]
        assert frame["translation"] == pytest.approx([2, -3, 5])
        assert frame["rotation"] == pytest.approx([0, 0, -HALF, HALF])
        assert frame["name"] == "Pin Joint Frame"
        assert pin["extensions"] == {NAME: {"joint": 0, "connectedNode": 3}}
        assert document["scenes"] == [{"nodes": [1, 2]}]

    def test_settings_are_those_of_today(self):
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2})
        upgrade(document)
        value = document["extensions"][NAME]
        assert value == {
            "physicsJoints": [
                {"limits": [{"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0, "damping": 1.0}]}
            ]
        }
        assert document_from_json(value, "")[1] == []
        assert not is_of_2023(document)
        assert upgrade(document) == []

    def test_constraints_inline_and_by_index_make_one_joint(self):
        inline = {"angularAxes": [0, 1], "upperLimit": 0}
        document = document_of({"constraints": [0, inline], "nodeA": 1, "nodeB": 2})
        upgrade(document)
        (settings,) = document["extensions"][NAME]["physicsJoints"]
        assert [sorted(limit) for limit in settings["limits"]] == [
            ["damping", "linearAxes", "max", "min"],
            ["angularAxes", "damping", "max", "min"],
        ]

    def test_equal_joints_share_their_settings(self):
        other = {"extensions": {NAME: {"constraints": [0], "nodeA": 2, "nodeB": 1}}}
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2}, nodes=[other])
        upgrade(document)
        assert len(document["extensions"][NAME]["physicsJoints"]) == 1

    def test_joint_already_below_its_first_body_stays_there(self):
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2})
        document["nodes"][1]["children"] = [0]
        document["scenes"][0]["nodes"] = [1, 2]
        upgrade(document)
        assert document["nodes"][0]["translation"] == [3, 4, 5]
        assert document["nodes"][1]["children"] == [0]
        # World (4, 4, 5), below B.
        assert document["nodes"][3]["translation"] == pytest.approx([2, -4, 5])

    def test_joint_that_holds_up_its_first_body_gets_a_frame_below_it(self):
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2})
        document["nodes"][0]["children"] = [1]
        upgrade(document)
        pin, first, _, connected, frame = document["nodes"]
        assert NAME not in pin["extensions"]
        assert first["children"] == [4]
        assert frame["extensions"][NAME]["connectedNode"] == 3
        assert frame["translation"] == pytest.approx([-1, 0, 0])
        assert connected["name"] == frame["name"]

    @pytest.mark.parametrize(
        "ends", [{}, {"nodeA": 1}, {"nodeA": 1, "nodeB": 9}, {"nodeA": 1, "nodeB": 1}]
    )
    def test_joint_without_two_bodies_is_left_out_and_its_neighbour_kept(self, ends):
        other = {"extensions": {NAME: {"constraints": [0], "nodeA": 2, "nodeB": 1}}}
        document = document_of({"constraints": [0], **ends}, nodes=[other])
        assert codes(upgrade(document)) == ["OMI-J449"]
        assert NAME not in document["nodes"][0]["extensions"]
        assert "connectedNode" in document["nodes"][3]["extensions"][NAME]

    def test_constraint_that_is_missing_costs_only_itself(self):
        document = document_of({"constraints": [0, 5], "nodeA": 1, "nodeB": 2})
        assert codes(upgrade(document)) == ["OMI-J401"]
        (settings,) = document["extensions"][NAME]["physicsJoints"]
        assert len(settings["limits"]) == 1

    def test_scaled_body_gets_the_frame_in_place(self):
        document = document_of({"constraints": [0], "nodeA": 1, "nodeB": 2})
        document["nodes"][2] |= {"scale": [2, 4, 0.5], "rotation": [0, 0, 0, 1]}
        upgrade(document)
        place = np.array(document["nodes"][3]["translation"]) * (2, 4, 0.5) + (0, 2, 0)
        assert place == pytest.approx([3, 4, 5])
        assert "scale" not in document["nodes"][3]

    @given(
        st.dictionaries(
            st.sampled_from(["constraints", "nodeA", "nodeB", "x"]),
            json_values | st.integers(0, 3) | st.lists(json_values | st.integers(-1, 2)),
        ),
        json_values | st.lists(json_values, max_size=3),
        json_values | st.lists(st.integers(-1, 4), max_size=3),
    )
    def test_any_value_upgrades_without_exception(self, joint, constraints, children):
        document = document_of(joint)
        document["extensions"][NAME]["constraints"] = constraints
        document["nodes"][1]["children"] = children
        upgrade(document)
        json.dumps(document["nodes"])

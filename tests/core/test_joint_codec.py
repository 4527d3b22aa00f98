"""OMI_physics_joint documents to core values and back."""

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.findings.finding import Finding
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.io.formats.gltf.members import CodecError
from omi_joints_addon.io.formats.gltf.omi.joint import (
    EXTENSION,
    JointsDocument,
    NodeJoint,
    document_from_json,
    document_to_json,
    node_joint_from_json,
    node_joint_to_json,
    settings_from_json,
    settings_to_json,
)
from tests.core.strategies import carried, joint_settings, json_values

PLACE = "/extensions/OMI_physics_joint/physicsJoints/0"


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def limit_of(members: dict) -> tuple[JointLimit, list[Finding]]:
    settings, findings = settings_from_json({"limits": [members]}, PLACE)
    return settings.limits[0], findings


def drive_of(members: dict) -> tuple[JointDrive, list[Finding]]:
    members = {"type": "linear", "mode": "force", "axis": 0, **members}
    settings, findings = settings_from_json({"drives": [members]}, PLACE)
    return settings.drives[0], findings


class TestRoundTrip:
    @given(joint_settings)
    def test_settings_written_and_read_are_the_same(self, settings):
        text = json.dumps(settings_to_json(settings), allow_nan=False)
        assert settings_from_json(json.loads(text), PLACE) == (settings, [])

    @given(st.integers(0), st.integers(0), st.booleans(), carried)
    def test_node_joints_written_and_read_are_the_same(self, joint, connected, collide, members):
        node_joint = NodeJoint(
            joint=joint, connected_node=connected, enable_collision=collide, carried=members
        )
        assert node_joint_from_json(node_joint_to_json(node_joint), "/nodes/0") == (node_joint, [])

    @given(st.lists(joint_settings, max_size=3).map(tuple), carried)
    def test_documents_written_and_read_are_the_same(self, settings, members):
        document = JointsDocument(settings=settings, carried=members)
        assert document_from_json(document_to_json(document), "/e") == (document, [])

    def test_weld_example_is_written_as_it_was_read(self):
        weld = {
            "limits": [
                {"angularAxes": [0, 1, 2], "linearAxes": [0, 1, 2], "max": 0.0, "min": 0.0},
            ]
        }
        settings, findings = settings_from_json(weld, PLACE)
        assert findings == []
        assert settings.limits == (
            JointLimit(linear_axes=(0, 1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0),
        )
        assert settings_to_json(settings) == weld

    def test_official_examples_are_written_as_they_were_read(self, corpus):
        files = sorted((corpus / "omi").glob("*.gltf"))
        assert files
        for file in files:
            document = json.loads(file.read_text("utf-8"))
            extension = document["extensions"][EXTENSION]
            read, findings = document_from_json(extension, "/e")
            assert (file.name, findings, document_to_json(read)) == (file.name, [], extension)
            nodes = [node.get("extensions", {}).get(EXTENSION) for node in document["nodes"]]
            for node in filter(None, nodes):
                joint, findings = node_joint_from_json(node, "/n")
                assert (file.name, findings, node_joint_to_json(joint)) == (file.name, [], node)


class TestTolerance:
    @given(json_values, st.sampled_from([settings_from_json, document_from_json]))
    def test_any_value_reads_or_raises_the_codec_error(self, value, read):
        self._read_and_write(value, read)

    @given(
        st.fixed_dictionaries(
            {},
            optional={
                "name": json_values,
                "limits": json_values
                | st.lists(
                    st.dictionaries(
                        st.sampled_from(
                            ["linearAxes", "angularAxes", "min", "max", "stiffness", "damping", "x"]
                        ),
                        json_values | st.lists(json_values, max_size=4),
                    ),
                    max_size=3,
                ),
                "drives": json_values
                | st.lists(
                    st.dictionaries(
                        st.sampled_from(["type", "mode", "axis", "maxForce", "positionTarget"]),
                        json_values,
                    ),
                    max_size=3,
                ),
                "extras": json_values,
            },
        )
    )
    def test_any_values_under_the_known_names_read_and_write(self, value):
        self._read_and_write(value, settings_from_json)

    @given(
        json_values
        | st.fixed_dictionaries(
            {},
            optional={
                "joint": json_values,
                "connectedNode": json_values,
                "enableCollision": json_values,
            },
        )
    )
    def test_any_node_joint_reads_or_raises_the_codec_error(self, value):
        with suppress(CodecError):
            joint, _ = node_joint_from_json(value, "/nodes/0")
            assert joint.joint >= 0

    @staticmethod
    def _read_and_write(value, read):
        try:
            result, findings = read(value, "/p")
        except CodecError as error:
            result, findings = read({}, "/p")
            findings.append(error.finding)
        assert all(finding.place.startswith("/p") for finding in findings)
        assert all(str(finding).encode("utf-8") for finding in findings)
        write = settings_to_json if read is settings_from_json else document_to_json
        text = json.dumps(write(result), allow_nan=False)
        text.encode("utf-8")
        assert read(json.loads(text), "/p")[1] == []

    def test_negative_limit_stiffness_is_rigid(self):
        limit, findings = limit_of({"linearAxes": [0], "min": 0, "stiffness": -1})
        assert (limit.stiffness, findings) == (math.inf, [])

    def test_negative_max_force_is_unlimited(self):
        drive, findings = drive_of({"maxForce": -1.0})
        assert (drive.max_force, findings) == (math.inf, [])

    @pytest.mark.parametrize("value", [-1.0, -1e-9])
    def test_negative_damping_is_ignored_with_a_finding(self, value):
        limit, findings = limit_of({"linearAxes": [0], "min": 0, "damping": value})
        assert (limit.damping, codes(findings)) == (0.0, ["OMI-J423"])

    def test_integers_are_numbers(self):
        limit, findings = limit_of({"linearAxes": [0], "min": -1, "max": 2, "damping": 3})
        assert (limit.min, limit.max, limit.damping, findings) == (-1.0, 2.0, 3.0, [])
        assert isinstance(limit.min, float)

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, -(10**400)])
    def test_numbers_that_are_not_finite_are_ignored_with_a_finding(self, value):
        limit, findings = limit_of({"linearAxes": [0], "min": value})
        assert (limit.min, codes(findings)) == (-math.inf, ["OMI-J422"])
        assert findings[0].place == PLACE + "/limits/0/min"

    @pytest.mark.parametrize("value", [True, None, "1", [], {}])
    def test_other_types_are_no_numbers(self, value):
        limit, findings = limit_of({"linearAxes": [0], "max": value})
        assert (limit.max, codes(findings)) == (math.inf, ["OMI-J421"])

    def test_axes_are_made_unique_and_ascending(self):
        limit, findings = limit_of({"angularAxes": [2, 0, 2, 0], "max": 1})
        assert (limit.angular_axes, codes(findings)) == ((0, 2), ["OMI-J431", "OMI-J431"])

    @pytest.mark.parametrize("value", [3, -1, 0.5, True, None, "0", math.nan, math.inf])
    def test_what_is_no_axis_is_ignored_with_a_finding(self, value):
        limit, findings = limit_of({"linearAxes": [1, value], "max": 1})
        assert (limit.linear_axes, codes(findings)) == ((1,), ["OMI-J430"])
        assert findings[0].place == PLACE + "/limits/0/linearAxes/1"

    def test_limit_that_is_no_object_does_not_cost_the_others(self):
        value = {"limits": [7, {"linearAxes": [0], "max": 1}]}
        settings, findings = settings_from_json(value, PLACE)
        assert settings.limits == (JointLimit(linear_axes=(0,), max=1.0),)
        assert [finding.place for finding in findings] == [PLACE + "/limits/0"]

    @pytest.mark.parametrize("axis", [{}, {"axis": 3}, {"axis": -1}, {"axis": "x"}])
    def test_drive_without_axis_is_left_out_with_a_finding(self, axis):
        value = {"drives": [{"type": "linear", "mode": "force", **axis}]}
        settings, findings = settings_from_json(value, PLACE)
        assert settings.drives == ()
        assert "OMI-J428" in codes(findings)

    def test_drive_without_type_and_mode_gets_the_defaults_with_findings(self):
        settings, findings = settings_from_json({"drives": [{"axis": 1}]}, PLACE)
        assert settings.drives == (JointDrive(type="linear", mode="force", axis=1),)
        assert codes(findings) == ["OMI-J427", "OMI-J427"]

    def test_drive_type_and_mode_of_another_extension_are_kept(self):
        drive, findings = drive_of({"type": "helical", "mode": "impulse"})
        assert (drive.type, drive.mode, findings) == ("helical", "impulse", [])

    def test_lone_surrogate_in_a_name_becomes_a_replacement_character(self):
        settings, _ = settings_from_json(json.loads('{"name": "a\\ud800b"}'), PLACE)
        assert settings.name == "a\ufffdb"

    def test_element_that_is_no_object_keeps_the_indices(self):
        value = {"physicsJoints": [None, {"name": "b"}]}
        document, findings = document_from_json(value, "/e")
        assert document.settings == (None, JointSettings(name="b"))
        assert codes(findings) == ["OMI-J420"]
        assert findings[0].place == "/e/physicsJoints/0"
        assert document_to_json(document) == {"physicsJoints": [{}, {"name": "b"}]}

    def test_node_joint_without_connected_node_arrives_with_a_finding(self):
        joint, findings = node_joint_from_json({"joint": 2}, "/nodes/0")
        assert joint == NodeJoint(joint=2, connected_node=None)
        assert codes(findings) == ["OMI-J429"]

    @pytest.mark.parametrize("value", [{}, {"joint": -1}, {"joint": True}, {"joint": "0"}, [], 1])
    def test_node_joint_without_settings_is_an_error(self, value):
        with pytest.raises(CodecError, match="/nodes/0"):
            node_joint_from_json(value, "/nodes/0")


class TestCarried:
    MEMBERS = {"extras": {"b": [1, None], "a": "é"}, "extensions": {"EXT_x": {"y": 0.1}}, "new": 3}

    @pytest.mark.parametrize(
        "value",
        [
            MEMBERS,
            {"limits": [{"linearAxes": [0], "min": 0.5, **MEMBERS}]},
            {"drives": [{"type": "linear", "mode": "force", "axis": 0, **MEMBERS}]},
        ],
    )
    def test_unknown_members_of_settings_come_back_in_order(self, value):
        settings, findings = settings_from_json(value, PLACE)
        assert findings == []
        assert json.dumps(settings_to_json(settings)) == json.dumps(value)

    def test_unknown_members_of_document_and_node_come_back(self):
        document, _ = document_from_json(self.MEMBERS, "/e")
        assert document_to_json(document) == self.MEMBERS
        node = {"joint": 0, "connectedNode": 1, **self.MEMBERS}
        assert node_joint_to_json(node_joint_from_json(node, "/n")[0]) == node

    def test_numbers_that_json_lacks_become_null_with_a_finding(self):
        settings, findings = settings_from_json({"extras": [math.nan, {"a": math.inf}, 1]}, PLACE)
        assert settings.carried == '{"extras": [null, {"a": null}, 1]}'
        assert codes(findings) == ["OMI-J424"]

    def test_members_nested_too_deeply_cost_only_themselves(self):
        deep: list = []
        for _ in range(100_000):
            deep = [deep]
        settings, findings = settings_from_json({"name": "n", "extras": deep}, PLACE)
        assert settings == JointSettings(name="n")
        assert codes(findings) == ["OMI-J425"]

    def test_carried_members_never_stand_in_for_known_ones(self):
        limit = JointLimit(linear_axes=(0,), max=1.0, carried='{"max": 5, "min": 4, "extras": 1}')
        written = settings_to_json(JointSettings(limits=(limit,)))
        assert written == {"limits": [{"linearAxes": [0], "max": 1.0, "extras": 1}]}

    @pytest.mark.parametrize("text", ["{", "[]", '{"extras": NaN}'])
    def test_carried_text_that_is_no_json_object_is_an_error(self, text):
        with pytest.raises(CodecError, match="carried"):
            settings_to_json(JointSettings(carried=text))


class TestStrictness:
    def test_defaults_and_empty_arrays_are_left_out(self):
        settings = JointSettings(limits=(JointLimit(linear_axes=(0,)),), drives=(JointDrive(),))
        assert settings_to_json(settings) == {
            "limits": [{"linearAxes": [0]}],
            "drives": [{"type": "linear", "mode": "force", "axis": 0}],
        }
        assert settings_to_json(JointSettings()) == {}
        assert document_to_json(JointsDocument()) == {}

    def test_zero_targets_are_written(self):
        drive = JointDrive(position_target=0.0, velocity_target=0.0)
        written = settings_to_json(JointSettings(drives=(drive,)))["drives"][0]
        assert (written["positionTarget"], written["velocityTarget"]) == (0.0, 0.0)

    def test_numbers_are_python_doubles(self):
        limit = JointLimit(linear_axes=(0,), min=-1, max=2)
        written = settings_to_json(JointSettings(limits=(limit,)))["limits"][0]
        assert [type(written[name]) for name in ("min", "max")] == [float, float]

    def test_limit_without_axes_is_left_out(self):
        settings = JointSettings(limits=(JointLimit(min=0.0), JointLimit(angular_axes=(2,))))
        assert settings_to_json(settings) == {"limits": [{"angularAxes": [2]}]}

    @pytest.mark.parametrize(
        "limit",
        [
            JointLimit(linear_axes=(0,), min=math.nan),
            JointLimit(linear_axes=(0,), min=math.inf),
            JointLimit(linear_axes=(0,), max=-math.inf),
            JointLimit(linear_axes=(0,), damping=math.inf),
            JointLimit(linear_axes=(0,), stiffness=-1.0),
            JointLimit(linear_axes=(3,)),
        ],
    )
    def test_limits_that_json_or_schema_refuse_are_errors(self, limit):
        with pytest.raises(CodecError, match="/joints/0/limits/0"):
            settings_to_json(JointSettings(limits=(limit,)), "/joints/0")

    @pytest.mark.parametrize(
        "drive",
        [
            JointDrive(position_target=math.nan),
            JointDrive(velocity_target=math.inf),
            JointDrive(max_force=-1.0),
            JointDrive(axis=3),
        ],
    )
    def test_drives_that_json_or_schema_refuse_are_errors(self, drive):
        with pytest.raises(CodecError, match="/joints/0/drives/0"):
            settings_to_json(JointSettings(drives=(drive,)), "/joints/0")

    def test_node_joint_without_connected_node_is_not_written(self):
        with pytest.raises(CodecError, match="connected"):
            node_joint_to_json(NodeJoint(joint=0, connected_node=None))

"""OMI_physics_joint as it is written, against the official schemas."""

import json

import pytest
from hypothesis import given

from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.io.formats.gltf.omi.joint import (
    JointsDocument,
    NodeJoint,
    document_to_json,
    node_joint_to_json,
    settings_to_json,
)
from tests.core.strategies import joint_settings


@pytest.fixture(scope="module")
def schemas(corpus):
    """Return the official schemas by file name, their known faults corrected."""
    folder = corpus.parent / "spec" / "schema"
    if not folder.is_dir():
        pytest.skip(f"no official schemas: {folder} is missing")
    found = {file.name: json.loads(file.read_text("utf-8")) for file in folder.glob("*OMI*joint*")}
    # The document schema requires "constraints", the name that "physicsJoints" had before.
    found["glTF.OMI_physics_joint.schema.json"]["required"] = ["physicsJoints"]
    # The settings schema carries the document schema's $id.
    found["glTF.OMI_physics_joint.joint.schema.json"]["$id"] = "settings"
    # The specification's text says "at least one of" the axes, as does its weld example.
    limit = found["glTF.OMI_physics_joint.joint.limit.schema.json"]
    limit["anyOf"] = limit.pop("oneOf")
    return found


@pytest.fixture(scope="module")
def validate(schemas):
    """Return a function that validates a value against one of the official schemas."""
    jsonschema = pytest.importorskip("jsonschema")
    referencing = pytest.importorskip("referencing")
    base = {
        "glTFProperty.schema.json": {},
        "glTFChildOfRootProperty.schema.json": {"properties": {"name": {"type": "string"}}},
        "glTFid.schema.json": {"type": "integer", "minimum": 0},
    }
    resources = [
        (name, referencing.Resource(schema, referencing.jsonschema.DRAFT202012))
        for name, schema in (base | schemas).items()
    ]
    registry = referencing.Registry().with_resources(resources)

    def check(value: object, name: str) -> None:
        schema = dict(schemas[name])
        schema.pop("$id", None)
        jsonschema.Draft202012Validator(schema, registry=registry).validate(value)

    return check


class TestOfficialSchemas:
    @given(joint_settings.filter(lambda settings: settings.limits or settings.drives))
    def test_written_settings_are_valid(self, validate, settings):
        document = JointsDocument(settings=(settings,))
        validate(document_to_json(document), "glTF.OMI_physics_joint.schema.json")
        self._validate_settings(validate, settings)

    @pytest.mark.parametrize("preset", Preset)
    def test_written_presets_are_valid(self, validate, preset):
        self._validate_settings(validate, preset_settings(preset))

    def test_written_node_joints_are_valid(self, validate):
        joint = NodeJoint(joint=0, connected_node=1, enable_collision=True)
        validate(node_joint_to_json(joint), "node.OMI_physics_joint.schema.json")

    def test_schemas_refuse_what_is_wrong(self, validate):
        jsonschema = pytest.importorskip("jsonschema")
        for wrong in ({"limits": [{"min": 0.0}]}, {"drives": [{"axis": 0}]}):
            with pytest.raises(jsonschema.ValidationError):
                validate(wrong, "glTF.OMI_physics_joint.joint.schema.json")
            with pytest.raises(jsonschema.ValidationError):
                validate({"physicsJoints": [wrong]}, "glTF.OMI_physics_joint.schema.json")

    @staticmethod
    def _validate_settings(validate, settings):
        written = settings_to_json(settings)
        validate(written, "glTF.OMI_physics_joint.joint.schema.json")

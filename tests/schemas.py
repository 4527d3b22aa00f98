"""The JSON schemas of the extensions, their known faults corrected.

They stand beside the official example files, in `spec/schema` next to the corpus.
"""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry, Resource

GLTF = {
    "glTFProperty.schema.json": {"type": "object"},
    "glTFChildOfRootProperty.schema.json": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
    },
    "glTFid.schema.json": {"type": "integer", "minimum": 0},
}
"""What the schemas need of glTF's own."""


def corrected(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without its known faults; each correction says which."""
    schema = copy.deepcopy(schema)
    # Several files share one $id, and others differ from the names that they are referred to by.
    schema.pop("$id", None)
    if name == "glTF.OMI_physics_joint.schema.json":
        # Left from the form of 2023: the property is called physicsJoints now.
        assert schema["required"] == ["constraints"]
        schema["required"] = ["physicsJoints"]
    elif name == "glTF.OMI_physics_joint.joint.limit.schema.json":
        # The text says "at least one of", and its weld example has both kinds of axes.
        schema["anyOf"] = schema.pop("oneOf")
    elif name == "node.OMI_physics_body.trigger.schema.json":
        # The text gives every member a default, and the example indirect_children has `{}`.
        del schema["anyOf"]
        # The default -1 is no glTFid.
        schema["properties"]["shape"] = {"type": "integer", "minimum": -1}
    elif name == "glTF.KHR_physics_rigid_bodies.joint.drive.schema.json":
        # The keyword of older drafts, which validators of draft 2020-12 pass over.
        schema["dependentRequired"] = schema.pop("dependencies")
    elif name == "node.KHR_physics_rigid_bodies.motion.schema.json":
        # The text makes 0 stand for infinity, as JSON has none.
        mass, moments = (schema["properties"][key] for key in ("mass", "inertiaDiagonal"))
        mass["minimum"] = mass.pop("exclusiveMinimum")
        moments["items"]["minimum"] = moments["items"].pop("exclusiveMinimum")
    return schema


def registry(folder: Path) -> Registry:
    """Return all schemas by file name."""
    schemas = {
        file.name: corrected(file.name, json.loads(file.read_text("utf-8")))
        for file in folder.glob("*.schema.json")
    }
    draft = "https://json-schema.org/draft/2020-12/schema"
    return Registry().with_resources(
        (name, Resource.from_contents(schema | {"$schema": draft}))
        for name, schema in (GLTF | schemas).items()
    )


def schema_errors(document: dict[str, Any], schemas: Registry) -> list[str]:
    """Return what is wrong with the physics extension objects of a document."""
    owners = [("glTF", document)]
    owners += [("node", node) for node in document.get("nodes", ())]
    return [
        f"{prefix}.{extension}{error.json_path[1:]}: {error.message}"
        for prefix, owner in owners
        for extension, value in owner.get("extensions", {}).items()
        if f"{prefix}.{extension}.schema.json" in schemas
        for error in jsonschema.Draft202012Validator(
            {"$ref": f"{prefix}.{extension}.schema.json"}, registry=schemas
        ).iter_errors(value)
    ]

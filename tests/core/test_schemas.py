"""Our schemas: they are the published ones but for listed differences, and hold for sound files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.gltf.schemas import DIALECTS, KHR, OMI, document_schema

SET = Path(__file__).resolve().parents[2] / "conformance"
INDEX = json.loads((SET / "index.json").read_text("utf-8"))["files"]
OF_ALL = {"name", "extensions", "extras"}
"""Members that glTF gives its objects; the published schemas inherit them, or forget to."""
_JOINTS = "physicsJoints/items"
_SHAPE = "shapes/items"
_BODY_PARTS = {
    ".material": "physicsMaterials/items",
    ".collision_filter": "collisionFilters/items",
}
PLACES = {
    "glTF.OMI_physics_joint": "",
    "glTF.OMI_physics_joint.joint": _JOINTS,
    "glTF.OMI_physics_joint.joint.limit": f"{_JOINTS}/limits/items",
    "glTF.OMI_physics_joint.joint.drive": f"{_JOINTS}/drives/items",
    "node.OMI_physics_joint": "",
    "glTF.OMI_physics_body": "",
    **{f"glTF.OMI_physics_body{name}": place for name, place in _BODY_PARTS.items()},
    "node.OMI_physics_body": "",
    **{f"node.OMI_physics_body.{name}": name for name in ("motion", "collider", "trigger")},
    "glTF.OMI_physics_shape": "",
    "glTF.OMI_physics_shape.shape": _SHAPE,
    **{
        f"glTF.OMI_physics_shape.shape.{name}": f"{_SHAPE}/{name}"
        for name in ("box", "sphere", "capsule", "cylinder", "convex", "trimesh")
    },
    "glTF.KHR_physics_rigid_bodies": "",
    "glTF.KHR_physics_rigid_bodies.joint": _JOINTS,
    "glTF.KHR_physics_rigid_bodies.joint.limit": f"{_JOINTS}/limits/items",
    "glTF.KHR_physics_rigid_bodies.joint.drive": f"{_JOINTS}/drives/items",
    **{f"glTF.KHR_physics_rigid_bodies{name}": place for name, place in _BODY_PARTS.items()},
    "node.KHR_physics_rigid_bodies": "",
    **{
        f"node.KHR_physics_rigid_bodies.{name}": name
        for name in ("motion", "collider", "trigger", "joint")
    },
    "geometry": "collider/geometry",
    "glTF.KHR_implicit_shapes": "",
    "glTF.KHR_implicit_shapes.shape": _SHAPE,
    **{
        f"glTF.KHR_implicit_shapes.shape.{name}": f"{_SHAPE}/{name}"
        for name in ("box", "sphere", "capsule", "cylinder", "plane")
    },
}
"""Where each published schema is in ours."""
DIFFERENCES = {
    "glTF.OMI_physics_joint: requires constraints": "the name that physicsJoints had in 2023",
    "glTF.OMI_physics_shape.shape: more box, capsule, convex, cylinder, sphere, trimesh": (
        "published as alternatives, not as members"
    ),
    "glTF.OMI_physics_shape.shape.capsule: more radius": "one radius for both ends, of older files",
    "glTF.OMI_physics_shape.shape.cylinder: more radius": "likewise",
    "geometry: more mesh": "the revision of January 2026: meshes instead of nodes",
}
"""What ours say otherwise, and why."""


def _ours(name: str) -> dict[str, Any]:
    """Return our schema for a published one."""
    owner = "node.KHR_physics_rigid_bodies" if name == "geometry" else ".".join(name.split(".")[:2])
    schema: dict[str, Any] = (OMI | KHR)[owner]
    for part in filter(None, PLACES[name].split("/")):
        schema = schema["items"] if part == "items" else schema["properties"][part]
    return schema


def _differences(name: str, published: dict[str, Any]) -> Iterator[str]:
    ours = _ours(name)
    theirs, own = set(published["properties"]) - OF_ALL, set(ours["properties"]) - OF_ALL
    if own - theirs:
        yield f"{name}: more {', '.join(sorted(own - theirs))}"
    if theirs - own:
        yield f"{name}: lacks {', '.join(sorted(theirs - own))}"
    required = set(published.get("required", ())) - set(ours.get("required", ()))
    if required:
        yield f"{name}: requires {', '.join(sorted(required))}"
    if set(ours.get("required", ())) - set(published.get("required", ())):
        yield f"{name}: ours requires more"


def test_differences_from_the_published_schemas_are_known(corpus: Path) -> None:
    folder = corpus.parent / "spec" / "schema"
    if not folder.is_dir():
        pytest.skip(f"no official schemas: {folder} is missing")
    files = {file.name.removesuffix(".schema.json"): file for file in folder.glob("*.json")}
    assert set(files) == set(PLACES)
    found = [
        difference
        for name, file in sorted(files.items())
        for difference in _differences(name, json.loads(file.read_text("utf-8")))
    ]
    assert set(found) == set(DIFFERENCES)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_schemas_are_valid_and_have_an_id(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", dialect]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:omi-joints:schema:{dialect}"


def test_the_schema_of_reports_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "report"]) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == "urn:omi-joints:report:1"


@pytest.mark.parametrize("dialect", ["omi", "khr"])
def test_features_of_the_conformance_set_follow_them(dialect: str) -> None:
    validator = jsonschema.Draft202012Validator(document_schema(dialect))
    for entry in INDEX:
        if entry["kind"] == "feature" and entry["dialect"] == dialect:
            document = json.loads((SET / entry["path"]).read_text("utf-8"))
            assert list(validator.iter_errors(document)) == [], entry["path"]


@pytest.mark.parametrize(
    "name",
    [
        "limit_without_axes",
        "limit_axis_3",
        "limit_axis_twice",
        "limit_min_text",
        "limit_damping_negative",
        "drive_without_type",
        "drive_without_mode",
        "drive_without_axis",
        "joint_unconnected",
        "mass_zero",
        "motion_without_type",
        "filter_with_both_lists",
        "shape_radius_negative",
        "khr_limit_of_both_kinds",
    ],
)
def test_faults_that_a_schema_can_express_break_them(name: str) -> None:
    (entry,) = (entry for entry in INDEX if Path(entry["path"]).stem == name)
    document = json.loads((SET / entry["path"]).read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(document_schema(entry["dialect"]))
    assert list(validator.iter_errors(document))


def test_the_form_of_2023() -> None:
    document = json.loads((SET / "faults" / "form_of_2023.gltf").read_text("utf-8"))
    jsonschema.validate(document, document_schema("omi-2023"))
    document["extensions"]["OMI_physics_joint"]["constraints"] = 3
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, document_schema("omi-2023"))

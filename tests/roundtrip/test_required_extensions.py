"""Files that require physics: Blender's importer refuses what no add-on declares as supported."""

import bpy
import pytest

from tests.roundtrip.documents import HINGE, import_file, write

KHR_BODY = {"mass": 2.0}
OMI_BODY = {"type": "dynamic", "mass": 2.0}


def document(extension: str, body: dict, connected: int = 1) -> dict:
    """Return a hinge between a dynamic body and the world, required to be understood."""
    physics = {"joint": {"joint": 0, "connectedNode": connected}}
    if extension.startswith("KHR"):
        nodes = [
            {"extensions": {extension: {"motion": body}}},
            {"extensions": {extension: physics}},
        ]
    else:
        nodes = [
            {"extensions": {"OMI_physics_body": {"motion": body}}},
            {"extensions": {extension: physics["joint"]}},
        ]
    names = sorted({name for node in nodes for name in node["extensions"]})
    return {
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "Body", "children": [1]} | nodes[0],
            {"name": "Joint"} | nodes[1],
            {"name": "World"},
        ],
        "extensions": {extension: {"physicsJoints": [HINGE]}},
        "extensionsUsed": names,
        "extensionsRequired": names,
    }


@pytest.mark.parametrize(
    ("extension", "body"),
    [("KHR_physics_rigid_bodies", KHR_BODY), ("OMI_physics_joint", OMI_BODY)],
)
def test_files_may_require_either_dialect(tmp_path, extension, body):
    import_file(write(tmp_path, document(extension, body, connected=2)))
    joint = bpy.data.objects["Joint"].omi_joint
    assert joint.enabled
    assert joint.connected_object.name == "World"
    assert [limit.max for limit in joint.limits] == [0.0, 0.0, 1.5]
    assert bpy.data.objects["Body"].omi_body.mass == 2.0


@pytest.mark.parametrize("name", ["KHR_implicit_shapes", "OMI_physics_shape"])
def test_files_may_require_shapes(tmp_path, name):
    shapes = {"shapes": [{"type": "sphere", "sphere": {"radius": 0.25}}]}
    body = "KHR_physics_rigid_bodies" if name.startswith("KHR") else "OMI_physics_body"
    collider = {"geometry": {"shape": 0}} if name.startswith("KHR") else {"shape": 0}
    made = {
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Ball", "extensions": {body: {"collider": collider}}}],
        "extensions": {name: shapes},
        "extensionsUsed": [body, name],
        "extensionsRequired": [body, name],
    }
    import_file(write(tmp_path, made))
    assert bpy.data.objects["Ball"].omi_body.collider.shape.radius == 0.25


def test_what_nobody_understands_is_still_refused(tmp_path):
    made = {"nodes": [], "extensionsUsed": ["EXT_nobody"], "extensionsRequired": ["EXT_nobody"]}
    with pytest.raises(RuntimeError, match="EXT_nobody"):
        import_file(write(tmp_path, made))

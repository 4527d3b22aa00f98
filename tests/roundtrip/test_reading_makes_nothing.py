"""Files of users without joints stay as they are: to read objects makes no properties on them."""

from pathlib import Path

import bpy
import pytest

from omi_joints_addon.scene.reading import scene_to_core
from tests.roundtrip.documents import export

GROUPS = ("omi_joint", "omi_body")


@pytest.fixture
def cubes() -> None:
    """Have some objects that are neither joints nor bodies."""
    for number in range(3):
        bpy.ops.mesh.primitive_cube_add(location=(3.0 * number, 0.0, 0.0))


def groups() -> list[tuple[str, str]]:
    """Return the objects with groups of properties of ours."""
    return [(o.name, name) for o in bpy.data.objects for name in GROUPS if o.is_property_set(name)]


def saved(path: Path) -> list[tuple[str, str]]:
    """Return what a saved file has, opened again."""
    assert bpy.ops.wm.save_as_mainfile(filepath=str(path)) == {"FINISHED"}
    assert bpy.ops.wm.open_mainfile(filepath=str(path)) == {"FINISHED"}
    return groups()


@pytest.mark.usefixtures("cubes")
def test_saving_exporting_and_reading_make_no_groups(tmp_path: Path) -> None:
    export(tmp_path)
    scene_to_core(bpy.context.scene)
    bpy.context.view_layer.update()
    assert groups() == []
    assert saved(tmp_path / "a.blend") == []


@pytest.mark.usefixtures("cubes")
def test_only_what_is_a_joint_or_a_body_has_a_group(tmp_path: Path) -> None:
    joint, body = bpy.data.objects[0], bpy.data.objects[1]
    joint.omi_joint.enabled = True
    body.omi_body.motion_type = "DYNAMIC"
    export(tmp_path)
    expected = [(joint.name, "omi_joint"), (body.name, "omi_body")]
    assert saved(tmp_path / "a.blend") == expected

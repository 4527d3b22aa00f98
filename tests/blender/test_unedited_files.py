"""Files that pass through Blender and that nobody edited there are written byte for byte again.

`tests/core/test_unedited.py` has the two other doors. Files of glTF and USD go through Blender's
own exporters, which write them anew, or as a layer above the file.
"""

from pathlib import Path

import bpy
import pytest

from omi_joints_addon.io.formats.format import UnreadableError
from omi_joints_addon.io.registry import format_of
from tests.core.test_unedited import DANGLING, MODEL

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("urdf", "mjcf", "shift")

pytestmark = pytest.mark.usefixtures("empty_scene")


def exchanged(path: Path, folder: Path) -> tuple[bytes | None, str]:
    """Return what a file is after import and export, None if it cannot be read, and the report."""
    bpy.ops.wm.read_homefile(use_empty=True)
    try:
        if bpy.ops.omi.scene_import(filepath=str(path)) != {"FINISHED"}:
            return None, ""
    except RuntimeError:
        return None, ""
    target = folder / path.name
    assert bpy.ops.omi.scene_export(filepath=str(target), check_existing=False) == {"FINISHED"}
    report = bpy.data.texts.get("Exchange Report")
    return target.read_bytes(), "" if report is None else report.as_string()


def assert_kept(path: Path, folder: Path) -> bool:
    """Assert that a file stays as it is or that a loss says why not; return which it is."""
    data, report = exchanged(path, folder)
    if data is None:
        return True
    is_kept = data == path.read_bytes()
    assert is_kept or "lost" in report or "converted" in report, path
    return is_kept


def test_files_of_the_project_stay_as_they_are(tmp_path: Path) -> None:
    found = []
    examples = (ROOT / "omi_joints_addon" / "examples", ROOT / "examples")
    for path in sorted(path for folder in examples for path in folder.rglob("*")):
        try:
            is_wanted = path.is_file() and format_of(path).name in FORMATS
        except UnreadableError:
            continue
        if is_wanted:
            found.append((path.name, assert_kept(path, tmp_path)))
    assert len(found) > 60
    assert [name for name, is_kept in found if not is_kept] == []


def test_a_joint_on_a_link_that_does_not_exist_stays_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(DANGLING)
    folder = tmp_path / "out"
    folder.mkdir()
    assert assert_kept(path, folder)
    bpy.data.objects["torso"].omi_body.mass = 2.75
    target = folder / "edited.urdf"
    assert bpy.ops.omi.scene_export(filepath=str(target)) == {"FINISHED"}
    assert target.read_text() == DANGLING.replace('value="1.5"', 'value="2.75"')


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_wide_texts_stay(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name, text in (("robot.urdf", DANGLING), ("model.xml", MODEL)):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        assert assert_kept(path, tmp_path / "out")
        assert exchanged(path, tmp_path / "out")[0] == path.read_bytes()

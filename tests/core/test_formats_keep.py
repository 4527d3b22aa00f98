"""Every format gives back each field of a random scene, or names it in its report."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from omi_joints_addon.core.checks.differences import differences, matched_by_name
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.same_joints import with_joints_described_as
from omi_joints_addon.io import registry
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from tests.core.scene_strategies import scenes

ROWS = [row for row in registry.FORMATS if row.name != "blend"]


def unnamed(row: Format, scene: PhysicsScene, folder: Path) -> list[str]:
    """Return the fields that a file of a format has lost and does not report."""
    path = folder / f"scene{row.suffixes[0]}"
    written = written_scene(row, scene, Target(path=path))
    write_files(folder, written.files)
    again = row.read(Source(path=path))[0].scene
    match = matched_by_name(scene, again)
    # Frames that are turned are reported; what is said in their axes is the same then.
    again = with_joints_described_as(scene, again, match)[0]
    reported = {(loss.place, str(loss.noun)) for loss in written.losses}
    return [
        f"{place}: {difference.noun}"
        for difference in differences(scene, again, match)
        for place in [scene.names[difference.node] if difference.node >= 0 else ""]
        if not {(place, str(difference.noun)), ("", str(difference.noun))} & reported
    ]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
@given(scene=scenes())
@settings(suppress_health_check=list(HealthCheck))
def test_each_field_comes_back_or_is_named(tmp_path, row, scene):
    assert unnamed(row, scene, tmp_path) == []

"""A body without the shapes that its import gave it is found, one look at each object."""

from itertools import pairwise
from pathlib import Path

import bpy
import pytest

from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.urdf import URDF
from omi_joints_addon.properties.collider import has_collider
from tests.blender.check_scenes import findings_now
from tests.whole_check import scene_findings

LEFT = "OMI-B070"
LINK = (
    '<link name="{name}"><collision><origin xyz="0 0 0.15"/><geometry><box size="0.1 0.1 0.3"/>'
    "</geometry></collision></link>"
)
HINGE = (
    '<joint name="{child} hinge" type="continuous"><origin xyz="0 0 0.35"/>'
    '<parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/></joint>'
)
NAMES = ("base", "upper", "lower")


def left() -> list[str]:
    """Return the bodies that are found to lack their shapes, whole scene and live view alike."""
    found = [item.place for item in scene_findings(bpy.context.scene) if item.code == LEFT]
    assert found == [item.place for item in findings_now() if item.code == LEFT]
    return found


@pytest.fixture
def arm(tmp_path: Path) -> None:
    links = "".join(LINK.format(name=name) for name in NAMES)
    pairs = pairwise(NAMES)
    joints = "".join(HINGE.format(parent=parent, child=child) for parent, child in pairs)
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm">{links}{joints}</robot>')
    build_scene(bpy.context, URDF.read(Source(path=path))[0].scene, name="Arm")


@pytest.mark.usefixtures("arm")
def test_a_body_above_another_is_found_by_its_own_shapes() -> None:
    assert left() == []
    for obj in bpy.data.objects["upper"].children:
        if has_collider(obj):
            bpy.data.objects.remove(obj)
    assert left() == ["upper"]
    bpy.data.objects["upper"].omi_body.motion_type = "NONE"
    assert left() == []


@pytest.mark.usefixtures("arm")
def test_no_object_is_asked_for_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender looks through the whole file for them: 5,000 links took a minute."""

    def fail(_obj: bpy.types.Object) -> None:
        raise AssertionError("the whole file is searched for each object")

    for name in ("children", "children_recursive"):
        monkeypatch.setattr(bpy.types.Object, name, property(fail))
    assert left() == []

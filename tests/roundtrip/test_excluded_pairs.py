"""Pairs of bodies that do not collide come through Blender in each format."""

from pathlib import Path

import bpy
import pytest

from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.usd.hooks import problem
from tests.blender.scenes import select

MJCF = """<mujoco model="pair"><worldbody>
<body name="a"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="b" pos="1 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body name="c" pos="2 0 0"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
</worldbody><contact><exclude body1="a" body2="c"/></contact></mujoco>"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    bpy.ops.wm.read_homefile(use_empty=True)
    path = tmp_path / "pair.xml"
    path.write_text(MJCF)
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    return tmp_path


def pairs(path: Path) -> list[set[str]]:
    """Return the names of the pairs that a file has."""
    found = registry.format_of(path).read(Source(path=path))[0].scene
    return [{found.names[node] for node in pair} for pair in found.excluded_pairs]


def test_other_formats_have_the_pair(scene: Path) -> None:
    for name in ("new.xml", "new.urdf"):
        bpy.ops.omi.scene_export(filepath=str(scene / name), source="new")
        assert pairs(scene / name) == [{"a", "c"}]
    bpy.context.view_layer.objects.active = bpy.data.objects["c"]
    assert bpy.ops.omi.body_pair_remove(index=0) == {"FINISHED"}
    bpy.ops.omi.scene_export(filepath=str(scene / "free.xml"), source="new")
    assert pairs(scene / "free.xml") == []


def test_pairs_of_the_buttons_are_edits_of_the_imported_file(scene: Path) -> None:
    select(*(bpy.data.objects[name] for name in ("a", "b")))
    assert bpy.ops.omi.body_pair_add() == {"FINISHED"}
    bpy.ops.omi.scene_export(filepath=str(scene / "more.xml"))
    assert sorted(map(sorted, pairs(scene / "more.xml"))) == [["a", "b"], ["a", "c"]]
    others = set((scene / "more.xml").read_text().splitlines()) - set(MJCF.splitlines())
    assert len(others) <= 2
    bpy.context.view_layer.objects.active = bpy.data.objects["c"]
    bpy.ops.omi.body_pair_remove(index=0)
    bpy.ops.omi.scene_export(filepath=str(scene / "less.xml"))
    assert pairs(scene / "less.xml") == [{"a", "b"}]


def test_gltf_has_the_pair_and_gives_it_back(scene: Path) -> None:
    path = scene / "pair.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    assert pairs(path) == [{"a", "c"}]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))
    again = scene / "again.glb"
    bpy.ops.export_scene.gltf(filepath=str(again))
    assert pairs(again) == [{"a", "c"}]


def test_a_copy_and_a_deleted_body_leave_the_others(scene: Path) -> None:
    copy = bpy.data.objects["a"].copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.ops.export_scene.gltf(filepath=str(scene / "copy.glb"))
    found = pairs(scene / "copy.glb")
    assert len(found) == 2
    assert all(pair in found for pair in ({"a", "c"}, {"a.001", "c"}))
    bpy.data.objects.remove(bpy.data.objects["c"])
    bpy.ops.export_scene.gltf(filepath=str(scene / "gone.glb"))
    assert pairs(scene / "gone.glb") == []


@pytest.mark.skipif(bool(problem()), reason=problem() or "-")
def test_usd_has_the_pair_and_gives_it_back(scene: Path) -> None:
    for name in ("one", "two"):
        path = scene / f"{name}.usda"
        bpy.ops.wm.usd_export(filepath=str(path))
        assert pairs(path) == [{"a", "c"}]
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.wm.usd_import(filepath=str(path))


@pytest.mark.skipif(bool(problem()), reason=problem() or "-")
@pytest.mark.parametrize("target", ["ABOVE", "INTO"])
def test_pairs_of_the_buttons_are_edits_of_the_imported_stage(scene: Path, target: str) -> None:
    path = layer = scene / "pair.usda"
    bpy.ops.wm.usd_export(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str(path))
    a, b, c = (bpy.data.objects[name] for name in "abc")
    select(a, b)
    assert bpy.ops.omi.body_pair_add() == {"FINISHED"}
    select(c)
    bpy.ops.omi.body_pair_remove(index=0)
    if target == "ABOVE":
        layer = scene / "layer.usda"
    assert bpy.ops.omi.usd_layer_export(filepath=str(layer), target=target) == {"FINISHED"}
    assert pairs(layer) == [{"a", "b"}]

"""A hinge below 1,500 nested empties, through every walk of the add-on: none of them recurses.

Blender's own glTF importer and exporter recurse over nodes and end at about 1,000; the files of
this test are read and written without them.
"""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.engines.engines import ANY
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.registry import FORMATS
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_door, select

DEPTH = 1500


@pytest.fixture
def joint() -> Any:
    """A hinge with both of its frames at the end of long chains below their bodies."""
    _wall, _door, joint = add_door()
    for end in (joint, joint.omi_joint.connected_object):
        world, above = end.matrix_world.copy(), end.parent
        for number in range(DEPTH):
            empty = bpy.data.objects.new(f"Level {number}", None)
            bpy.context.scene.collection.objects.link(empty)
            empty.parent = above
            above = empty
        end.parent = above
        bpy.context.view_layer.update()
        end.matrix_world = world
    bpy.context.view_layer.update()
    return joint


def test_checks_and_engines(joint: Any) -> None:
    scene, found = scene_to_core(bpy.context.scene)
    whole = [*found, *check_scene(scene)]
    assert len(settled_findings(bpy.context.scene)) == len(whole)
    list(ANY.check(scene))


@pytest.mark.parametrize("kind", [SimulationPreview, PosePreview])
def test_previews(joint: Any, kind: type) -> None:
    before = np.array(joint.matrix_world)
    preview = kind(bpy.context, joint) if kind is PosePreview else kind(bpy.context)
    begin(preview)
    for _ in range(3):
        preview.tick(bpy.context)
    stop()
    np.testing.assert_array_equal(np.array(joint.matrix_world), before)


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.name)
def test_files(joint: Any, format_: Any, tmp_path: Path) -> None:
    scene, _found = scene_to_core(bpy.context.scene)
    path = tmp_path / f"deep{format_.suffixes[0]}"
    write_files(tmp_path, format_.write(scene, Target(path=path)).files)
    (read,) = format_.read(Source(path=path))
    assert len(read.scene.joints) == 1
    assert [found for found in check_scene(read.scene) if found.severity == "error"] == []


def test_building(joint: Any) -> None:
    scene, _found = scene_to_core(bpy.context.scene)
    bpy.ops.wm.read_homefile(use_empty=True)
    build_scene(bpy.context, scene, name="Deep", sets_gravity=False)
    assert sum(obj.omi_joint.enabled for obj in bpy.data.objects) == 1


def test_operators(joint: Any) -> None:
    select(joint)
    assert bpy.ops.omi.joint_ends_swap() == {"FINISHED"}
    bpy.context.view_layer.update()
    scene, _found = scene_to_core(bpy.context.scene)
    assert len(scene.joints) == 1
    assert bpy.ops.omi.joint_remove() == {"FINISHED"}

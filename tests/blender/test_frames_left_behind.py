"""What is left of a joint whose empty was deleted with X is found, and one click removes it."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.authoring.joints import Pair, add_joint
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.scene.findings import settled_findings
from tests.blender.check_scenes import findings_now
from tests.blender.scenes import add_cube, add_door, select
from tests.whole_check import scene_findings

LEFT = "OMI-J022"


def left() -> list[str]:
    """Return the frames that are found to be left behind, whole scene and live view alike."""
    found = [item.place for item in scene_findings(bpy.context.scene) if item.code == LEFT]
    assert found == [item.place for item in findings_now() if item.code == LEFT]
    return found


def delete(obj: Any) -> None:
    """Delete an object as X does."""
    select(obj)
    assert bpy.ops.object.delete() == {"FINISHED"}


def fix(name: str) -> set[str]:
    """Remove a frame by the button of its finding."""
    done: set[str] = bpy.ops.omi.check_fix_remove_frame(code=LEFT, place=name)
    return done


def test_frame_of_a_deleted_joint_is_found_and_removed() -> None:
    wall, door, joint = add_door()
    name = joint.omi_joint.connected_object.name
    assert left() == []
    delete(joint)
    assert left() == [name]
    assert fix(name) == {"FINISHED"}
    assert left() == []
    assert list(bpy.context.scene.objects) == [wall, door]


def test_world_of_a_deleted_joint_goes_with_its_frame() -> None:
    cube = add_cube("Lamp", (0.0, 0.0, 0.0))
    joint = add_joint(bpy.context, Pair(cube, None), hinge(), place=cube.location)
    bpy.context.view_layer.update()
    delete(joint)
    (name,) = left()
    assert fix(name) == {"FINISHED"}
    assert list(bpy.context.scene.objects) == [cube]


def test_frame_that_something_else_uses_stays() -> None:
    _, _, joint = add_door()
    connected = joint.omi_joint.connected_object
    note = bpy.data.objects.new("Note", None)
    bpy.context.scene.collection.objects.link(note)
    note.parent = connected
    delete(joint)
    with pytest.raises(RuntimeError, match="something else uses the frame"):
        fix(connected.name)
    assert connected.name in bpy.context.scene.objects


@pytest.mark.parametrize("how", ["swap", "second", "body", "joint"])
def test_frames_with_a_use_are_not_found(how: str) -> None:
    _, _, joint = add_door()
    connected = joint.omi_joint.connected_object
    if how == "swap":
        select(joint)
        bpy.ops.omi.joint_ends_swap()
    elif how == "second":
        _, _, other = add_door()
        own = other.omi_joint.connected_object
        other.omi_joint.connected_object = connected
        delete(joint)
        assert left() == [own.name]
        delete(own)
    elif how == "body":
        connected.omi_body.motion_type = "STATIC"
        delete(joint)
    else:
        connected.omi_joint.enabled = True
    assert left() == []


def test_undo_of_the_deletion_takes_the_finding_back() -> None:
    bpy.ops.ed.undo_push(message="start")
    _, _, joint = add_door()
    bpy.ops.ed.undo_push(message="door")
    delete(joint)
    bpy.ops.ed.undo_push(message="delete")
    assert [item.code for item in settled_findings(bpy.context.scene)].count(LEFT) == 1
    bpy.ops.ed.undo()
    assert left() == []

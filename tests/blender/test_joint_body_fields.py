"""Body A and Body B as fields: to choose another object puts that end of the joint on it."""

from pathlib import Path
from typing import Any, ClassVar

import bpy
import numpy as np
import pytest

from omi_joints_addon.authoring.ends import unfit_body
from omi_joints_addon.core.meaning.sides import End
from omi_joints_addon.operators.joint.bodies import FIELDS
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.scene.structure import joint_bodies
from tests.blender.recording_layout import RecordingLayout, drawn
from tests.blender.scenes import add_cube, add_door, select

SLANTED = {"rotation": (0.3, -0.4, 1.1), "scale": (1.7, 0.6, 2.3)}


def turned(name: str, location: tuple[float, float, float]) -> Any:
    """Return a cube that is turned and scaled unevenly."""
    cube = add_cube(name, location)
    cube.rotation_euler, cube.scale = SLANTED["rotation"], SLANTED["scale"]
    bpy.context.view_layer.update()
    return cube


class Alerting(RecordingLayout):
    """Records which fields are drawn red."""

    red: ClassVar[list[str]] = []

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        self.__dict__[f"set_{name}"] = value

    def _prop(self, data: Any, name: str, **named: Any) -> None:
        super()._prop(data, name, **named)
        if self.__dict__.get("set_alert"):
            self.red.append(name)

    def _nested(self, *_arguments: Any, **_named: Any) -> "Alerting":
        return Alerting(self.drawn)


def red_fields(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(Alerting, "red", [])
    bpy.context.view_layer.update()
    drawn(bpy.types.OMI_PT_joint, layout=Alerting())
    return Alerting.red


def frames(joint: Any) -> list[Any]:
    bpy.context.view_layer.update()
    return [np.array(obj.matrix_world) for obj in (joint, joint.omi_joint.connected_object)]


def test_fields_name_the_bodies() -> None:
    wall, door, joint = add_door()
    assert (joint.omi_joint_body, joint.omi_connected_body) == ("Door", "Wall")
    assert joint_bodies(joint) == (door, wall)


@pytest.mark.parametrize("field", FIELDS.values())
def test_another_body_takes_the_end_and_no_frame_moves(field: str) -> None:
    _wall, _door, joint = add_door()
    gate = turned("Gate", (4.1, 0.7, 0.2))
    before = frames(joint)
    setattr(joint, field, "Gate")
    assert getattr(joint, field) == "Gate"
    assert gate in joint_bodies(joint)
    np.testing.assert_allclose(frames(joint), before, atol=1e-5)
    assert len(joint_bodies(joint)) == len(set(joint_bodies(joint)))


def test_an_object_that_is_not_a_body_becomes_one_with_a_shape() -> None:
    """The wall is static, so what is connected to it moves."""
    _wall, _door, joint = add_door()
    gate = add_cube("Gate", (4.0, 0.0, 0.0))
    joint.omi_joint_body = "Gate"
    assert gate.omi_body.motion_type == "DYNAMIC"
    assert gate.omi_body.collider.shape.type == "BOX"


def test_what_holds_a_dynamic_body_becomes_static() -> None:
    _wall, _door, joint = add_door()
    post = add_cube("Post", (-4.0, 0.0, 0.0))
    joint.omi_connected_body = "Post"
    assert post.omi_body.motion_type == "STATIC"


def test_nothing_is_the_world() -> None:
    _wall, _door, joint = add_door()
    before = frames(joint)
    joint.omi_connected_body = ""
    assert joint.omi_connected_body == ""
    assert joint_bodies(joint)[1] is None
    np.testing.assert_allclose(frames(joint), before, atol=1e-6)


@pytest.mark.parametrize("name", ["Door", "Wall Joint", "Door to Wall Connected", "Nobody"])
def test_what_cannot_be_the_other_body_is_refused(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The other body, a joint, a frame and a name without an object."""
    _wall, _door, joint = add_door()
    before = frames(joint)
    joint.omi_connected_body = name
    assert joint.omi_connected_body == "Wall"
    said = capfd.readouterr().err
    assert name in said
    assert "Traceback" not in said
    np.testing.assert_array_equal(frames(joint), before)


def test_each_refusal_has_its_sentence() -> None:
    wall, door, joint = add_door()
    below = add_cube("Knob", (3.0, 0.0, 0.0))
    below.parent = joint.omi_joint.connected_object
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(armature)
    reasons = [
        unfit_body(joint, End.CONNECTED, door),
        unfit_body(joint, End.CONNECTED, below),
        unfit_body(joint, End.CONNECTED, armature),
    ]
    for words, reason in zip(("other end", "below the frame", "armature"), reasons, strict=True):
        assert words in str(reason)
    assert unfit_body(joint, End.CONNECTED, wall) is None
    wall.omi_joint.enabled = True
    assert "a body itself" in str(unfit_body(wall, End.JOINT, door))


def test_a_joint_without_connected_frame_gets_one() -> None:
    _wall, _door, joint = add_door()
    joint.omi_joint.connected_object = None
    add_cube("Post", (-4.0, 0.0, 0.0))
    before = np.array(joint.matrix_world)
    joint.omi_connected_body = "Post"
    bpy.context.view_layer.update()
    connected = joint.omi_joint.connected_object
    assert connected.parent.name == "Post"
    assert connected.omi_joint.is_connected_frame
    np.testing.assert_allclose(np.array(connected.matrix_world), before, atol=1e-6)


def test_a_body_that_is_the_connected_object_stays_where_it_is() -> None:
    """A frame of its own is made below the other body, where the old body was."""
    wall, _door, joint = add_door()
    joint.omi_joint.connected_object = wall
    add_cube("Post", (-4.0, 0.0, 0.0))
    joint.omi_connected_body = "Post"
    bpy.context.view_layer.update()
    assert wall.parent is None
    assert joint.omi_joint.connected_object.parent.name == "Post"
    place = joint.omi_joint.connected_object.matrix_world.translation
    np.testing.assert_allclose(place, wall.matrix_world.translation, atol=1e-6)


def test_a_bone_is_chosen_by_its_armature_and_name() -> None:
    _wall, _door, joint = add_door()
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(armature)
    select(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("thigh")
    bone.head, bone.tail = (0.1, 0.2, 1.0), (0.1, 0.3, 0.4)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones["thigh"].omi_body.motion_type = "DYNAMIC"
    before = frames(joint)
    joint.omi_connected_body = "Rig: thigh"
    assert joint_bodies(joint)[1] == BodyBone(armature, "thigh")
    assert joint.omi_connected_body == "Rig: thigh"
    np.testing.assert_allclose(frames(joint), before, atol=1e-5)


def test_a_body_that_is_not_to_choose_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is a joint itself, and one of another scene; bones and the world are not."""
    wall, _door, joint = add_door()
    assert red_fields(monkeypatch) == []
    wall.omi_joint.enabled = True
    assert red_fields(monkeypatch) == ["omi_connected_body"]
    wall.omi_joint.enabled = False
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(wall)
    bpy.context.scene.collection.objects.unlink(wall)
    assert red_fields(monkeypatch) == ["omi_connected_body"]
    joint.omi_connected_body = ""
    assert red_fields(monkeypatch) == []


def test_undo_puts_the_end_back() -> None:
    _wall, _door, joint = add_door()
    add_cube("Gate", (4.0, 0.0, 0.0))
    name = joint.name
    bpy.ops.ed.undo_push(message="before")
    bpy.context.scene.objects[name].omi_joint_body = "Gate"
    bpy.ops.ed.undo_push(message="Body A")
    bpy.ops.ed.undo()
    assert bpy.context.scene.objects[name].omi_joint_body == "Door"
    assert bpy.data.objects["Gate"].omi_body.motion_type == "NONE"


def test_an_override_keeps_its_bodies(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A library says what its joints connect: another body is refused in words."""
    add_door()
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.objects = ["Door to Wall Joint", "Door to Wall Connected", "Door", "Wall"]
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    linked = bpy.data.objects["Door to Wall Joint"]
    override = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.update()
    add_cube("Gate", (4.0, 0.0, 0.0))
    override.omi_joint_body = "Gate"
    assert override.omi_joint_body == "Door"
    said = capfd.readouterr().err
    assert "override" in said
    assert "Traceback" not in said

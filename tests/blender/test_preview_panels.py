"""The panels of the preview draw in every state, with names that exist."""

from importlib import import_module
from typing import Any

import bpy
import pytest

from omi_joints_addon import panels
from omi_joints_addon.classes import classes_of
from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from tests.blender.recording_layout import RecordingLayout, drawn
from tests.blender.scenes import add_cube, add_door, select

pytestmark = pytest.mark.usefixtures("no_preview_left")


def contents():
    """Return all that the panels of the preview draw now."""
    return [
        item
        for cls in (*classes_of(panels.preview), bpy.types.OMI_PT_joint_edit)
        if issubclass(cls, bpy.types.Panel)
        if not hasattr(cls, "poll") or cls.poll(bpy.context)
        for item in drawn(cls)
    ]


def operators():
    return {name for kind, name in contents() if kind == "operator"}


def test_at_rest():
    add_door()
    assert {"omi.preview_range", "omi.preview_simulate", "omi.preview_bake"} <= operators()


class ClosedLayout(RecordingLayout):
    """Records what is seen where nobody opened a heading."""

    def _nested(self, *_arguments: Any, **_named: Any) -> "ClosedLayout":
        return ClosedLayout(self.drawn)

    def _panel(self, *_arguments: Any, default_closed: bool = False) -> tuple[Any, Any]:
        return self._nested(), None if default_closed else self._nested()


def one_joint(context):
    return PosePreview(context, context.object)


@pytest.mark.parametrize("kind", [None, one_joint, SimulationPreview, PosePreview])
def test_no_row_comes_or_goes_with_a_preview(kind):
    """But for what a simulation meets, which is below everything."""
    add_cube("Body", (9, 0, 0)).omi_body.motion_type = "DYNAMIC"
    _, _, joint = add_door()
    select(joint)
    names = ("OMI_PT_joint_edit", "OMI_PT_preview")
    before = [drawn(getattr(bpy.types, name), layout=ClosedLayout()) for name in names]
    if kind is not None:
        begin(kind(bpy.context))
    after = [drawn(getattr(bpy.types, name), layout=ClosedLayout()) for name in names]
    assert [len(calls) for calls in before] == [len(calls) for calls in after]
    assert [[made for made, _ in calls] for calls in before] == [
        [made for made, _ in calls] for calls in after
    ]


def test_sliders_show_where_the_joint_is_and_start_its_preview(monkeypatch):
    """Between the ends of the range, by arithmetic; nothing starts where nothing is moved."""
    _, _, joint = add_door()
    limit = next(each for each in joint.omi_joint.limits if not each.to_core().is_locked)
    limit.min, limit.max = -0.3, 1.7
    select(joint)
    manager, options = bpy.context.window_manager, preview_options(bpy.context)
    assert manager.omi_joint_parts[5] == pytest.approx(0.3 / 2.0, abs=1e-6)
    started = []

    def start(context):
        started.append(1)
        begin(PosePreview(context, context.object))
        return True

    sliders = import_module("omi_joints_addon.operators.preview.sliders")
    monkeypatch.setattr(sliders, "_begin", start)
    manager.omi_joint_parts[5] = manager.omi_joint_parts[5]
    assert not started
    manager.omi_joint_parts[5] = 0.75
    assert started == [1]
    assert options.about_z == pytest.approx(-0.3 + 0.75 * 2.0, abs=1e-6)
    assert manager.omi_joint_parts[5] == pytest.approx(0.75, abs=1e-6)
    stop()
    assert manager.omi_joint_parts[5] == pytest.approx(0.15, abs=1e-6)


def test_a_pose_has_a_list_of_positions_and_its_controls():
    _, _, joint = add_door()
    select(joint)
    assert "omi.preview_pose" in operators()
    begin(PosePreview(bpy.context))
    assert ("list", "OMI_UL_positions") in contents()
    assert "omi.preview_pose" not in operators()


def test_simulation_has_its_controls():
    add_door()
    body = add_cube("Body", (9, 0, 0))
    body.omi_body.motion_type = "DYNAMIC"
    begin(SimulationPreview(bpy.context))
    assert "omi.preview_control" in operators()


def test_checks_tell_the_sag_of_a_soft_lock():
    _, door, joint = add_door()
    door.omi_body.motion_type = "DYNAMIC"
    joint.omi_joint.limits[0].from_core(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=0.5)
    )
    labels = [text for kind, text in drawn(bpy.types.OMI_PT_checks) if kind == "label"]
    assert "19.6 m" in " ".join(labels)

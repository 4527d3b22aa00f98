"""The panels of the preview draw in every state, with names that exist."""

import bpy
import pytest

from omi_joints_addon import panels
from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.motion_range import RangePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_cube, add_door, select

pytestmark = pytest.mark.usefixtures("empty_scene")


@pytest.fixture(autouse=True)
def _no_preview_left():
    yield
    stop()


def contents():
    """Return all that the panels of the preview draw now."""
    return [
        item
        for cls in panels.preview.CLASSES
        if issubclass(cls, bpy.types.Panel)
        if not hasattr(cls, "poll") or cls.poll(bpy.context)
        for item in drawn(cls)
    ]


def operators():
    return {name for kind, name in contents() if kind == "operator"}


def test_at_rest():
    add_door()
    assert {"omi.preview_range", "omi.preview_simulate", "omi.preview_bake"} <= operators()


def test_range_shows_the_free_axes_only():
    _, _, joint = add_door()
    select(joint)
    begin(RangePreview(bpy.context, joint))
    shown = {name for kind, name in contents() if kind == "prop"}
    assert {"about_z", "parts"} <= shown
    assert "about_x" not in shown
    preview_options(bpy.context).past_limits = True
    assert "about_x" in {name for kind, name in contents() if kind == "prop"}
    preview_options(bpy.context).past_limits = False


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


def test_soft_lock_tells_its_sag():
    _, door, joint = add_door()
    door.omi_body.motion_type = "DYNAMIC"
    joint.omi_joint.limits[0].from_core(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0, stiffness=0.5)
    )
    labels = [text for kind, text in contents() if kind == "label"]
    assert any("19.6 m" in text for text in labels)

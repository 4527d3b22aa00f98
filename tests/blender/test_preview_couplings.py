"""Joints that follow others, in both previews: the objects shown, and how limits are shown."""

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.model.joint import JointDrive
from omi_joints_addon.core.outline.pieces import State
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import PreviewError, begin
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from tests.blender.scenes import add_cube, add_joint, select

pytestmark = pytest.mark.usefixtures("no_preview_left")


def geared_doors() -> tuple[list[Any], list[Any]]:
    """Return two doors on a wall, of which the second turns back twice as far, and their hinges."""
    wall = add_cube("Wall", (0.0, 0.0, 0.0))
    doors = [add_cube(name, (x, 0.0, 0.0)) for name, x in (("First", 3.0), ("Second", -3.0))]
    hinges = [add_joint(wall, door, preset="HINGE") for door in doors]
    coupling = hinges[1].omi_joint.coupling
    coupling.source, coupling.multiplier = hinges[0], -2.0
    return doors, hinges


def angles(doors: list[Any]) -> list[float]:
    """Return how far each object is shown turned about Z."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    return [door.evaluated_get(graph).matrix_world.to_euler().z for door in doors]


def test_a_slider_moves_what_follows_until_its_limit_is_reached():
    doors, hinges = geared_doors()
    select(hinges[0])
    options = preview_options(bpy.context)
    preview = PosePreview(bpy.context, hinges[0])
    begin(preview)
    options.about_z = 0.3
    preview.tick(bpy.context)
    shown = angles(doors)
    assert abs(shown[0]) == pytest.approx(0.3, abs=1e-5)
    assert shown[1] == pytest.approx(-2.0 * shown[0], abs=1e-5)
    assert preview.live.shown.states == {}
    options.about_z = 1.0
    preview.tick(bpy.context)
    # The limit of a quarter turn is that of the second door.
    assert options.about_z == pytest.approx(math.pi / 4.0)
    assert np.abs(angles(doors)) == pytest.approx((math.pi / 4.0, math.pi / 2.0), abs=1e-5)
    node = preview.objects.index(hinges[1])
    assert preview.live.shown.states == {node: State.AT_LIMIT}
    options.past_limits = True
    options.about_z = 1.0
    preview.tick(bpy.context)
    assert preview.live.shown.states[node] == State.VIOLATED
    options.past_limits = False


def test_a_slider_of_what_follows_moves_what_it_follows():
    doors, hinges = geared_doors()
    preview = PosePreview(bpy.context, hinges[1])
    begin(preview)
    preview_options(bpy.context).about_z = 0.8
    preview.tick(bpy.context)
    shown = angles(doors)
    assert abs(shown[1]) == pytest.approx(0.8, abs=1e-5)
    assert shown[0] == pytest.approx(-shown[1] / 2.0, abs=1e-5)


def test_what_does_not_follow_by_a_line_is_refused_in_plain_words():
    _, hinges = geared_doors()
    hinges[1].omi_joint.coupling.multiplier = 0.0
    with pytest.raises(PreviewError, match=f"move {hinges[0].name} instead"):
        PosePreview(bpy.context, hinges[1])


def test_an_edit_of_the_coupling_takes_effect_at_once():
    doors, hinges = geared_doors()
    select(hinges[1])
    preview = PosePreview(bpy.context, hinges[0])
    begin(preview)
    options = preview_options(bpy.context)
    options.about_z = 0.2
    preview.tick(bpy.context)
    hinges[1].omi_joint.coupling.multiplier = 3.0
    preview.live.suspect_all()
    preview.live.settle(bpy.context.scene)
    preview.tick(bpy.context)
    preview.tick(bpy.context)
    shown = angles(doors)
    assert shown[1] == pytest.approx(3.0 * shown[0], abs=1e-5)


def test_the_simulation_turns_what_follows():
    doors, hinges = geared_doors()
    spring = JointDrive(type="angular", axis=2, position_target=0.4, stiffness=200.0, damping=60.0)
    hinges[0].omi_joint.drives.add().from_core(spring)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(100):
        preview.tick(bpy.context)
    shown = angles(doors)
    assert abs(shown[0]) > 0.1
    assert shown[1] == pytest.approx(-2.0 * shown[0], abs=1e-3)

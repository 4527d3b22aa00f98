"""Joints that break in a simulation: seen, scrubbed back to whole, and whole again at rest."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_joints_addon.authoring.joints import add_joint
from omi_joints_addon.authoring.patterns import Pair
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.outline.pieces import Role, State
from omi_joints_addon.overlay.colors import color_table, theme_colors
from omi_joints_addon.preview.session import Command, begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from tests.blender.scenes import add_cube
from tests.blender.test_preview import world

pytestmark = pytest.mark.usefixtures("no_preview_left")


@pytest.fixture
def sign() -> bpy.types.Object:
    """Return the joint of a sign of 2.3 kg that hangs from a beam and is too heavy for it."""
    beam, board = add_cube("Beam", (0.0, 0.0, 3.0)), add_cube("Board", (0.0, 0.0, 1.0))
    joint = add_joint(bpy.context, Pair(board, beam), hinge(axis=2), place=Vector((0, 0, 2)))
    beam.omi_body.motion_type, board.omi_body.motion_type = "STATIC", "DYNAMIC"
    board.omi_body.mass = 2.3
    joint.omi_joint.attributes.break_force = 0.9 * 2.3 * 9.81
    return joint


def test_it_breaks_and_is_shown_broken(sign: bpy.types.Object) -> None:
    begin(preview := SimulationPreview(bpy.context))
    node = preview.objects.index(sign)
    for _ in range(10):
        preview.tick(bpy.context, preview.frame_time)
    preview.tick(bpy.context, 0.0)
    frames = len(preview.record) - 1
    assert preview.live.shown.states[node] == State.BROKEN
    fallen = 0.5 * 9.81 * (frames * preview.frame_time) ** 2
    assert world(bpy.data.objects["Board"])[2, 3] == pytest.approx(1.0 - fallen, abs=0.03)
    assert "OMI-P038" in {each.code for each in preview.simulation.problems()}
    assert preview._broken(0) == {}
    assert preview._broken(frames) == {node: State.BROKEN}
    preview.obey(Command.RESET)
    preview.tick(bpy.context, 0.0)
    assert node not in preview.live.shown.states
    assert world(bpy.data.objects["Board"])[2, 3] == pytest.approx(1.0)
    stop()
    assert sign.omi_joint.attributes.break_force == pytest.approx(0.9 * 2.3 * 9.81)


def test_a_broken_joint_is_drawn_faint_and_without_what_ties_its_frames() -> None:
    table = color_table(theme_colors(bpy.context.preferences))
    assert (table[State.BROKEN, [Role.GAP, Role.CURRENT], ..., 3] == 0.0).all()
    whole, broken = (table[state, Role.EDGE, ..., 3] for state in (State.ERROR, State.BROKEN))
    np.testing.assert_allclose(broken, 0.25 * whole)

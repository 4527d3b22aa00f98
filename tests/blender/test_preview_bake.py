"""Baked keyframes play the motion that the simulation showed, between the frames too."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.preview.session import begin, running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.animation import curves_of
from tests.blender.scenes import add_cube
from tests.blender.test_preview import hanging_cube, world

pytestmark = pytest.mark.usefixtures("empty_scene")

MODES = ("XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE")


@pytest.fixture(autouse=True)
def _no_preview_left() -> Iterator[None]:
    yield
    stop()


def spinning(name: str, place: tuple[float, float, float], speed: float) -> Any:
    """Return a body that turns quickly about an axis of its own and flies."""
    body = add_cube(name, place)
    body.omi_body.motion_type = "DYNAMIC"
    body.omi_body.angular_velocity = (0.0, 0.6 * speed, 0.8 * speed)
    body.omi_body.linear_velocity = (1.0, 0.0, 0.0)
    return body


def played(frames: list[float], *objects: Any) -> np.ndarray:
    """Return the world matrices of objects at frames, shape (f, o, 4, 4)."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        found.append([world(obj) for obj in objects])
    return np.array(found)


def keyed(obj: Any) -> set[float]:
    return {key.co.x for curve in curves_of(obj.animation_data) for key in curve.keyframe_points}


@pytest.mark.parametrize("mode", MODES)
def test_a_spinning_body_below_another_plays_as_simulated(mode: str) -> None:
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    root.location, root.rotation_euler, root.scale = (1, 2, 3), (0.3, 0.2, 0.1), (1.5, 1.5, 1.5)
    upper, lower = spinning("Upper", (0, 0, 0), 9.0), spinning("Lower", (9, 0, 0), -7.0)
    bpy.context.view_layer.update()
    upper.parent, lower.parent = root, upper
    lower.matrix_parent_inverse = upper.matrix_world.inverted()
    for body in (upper, lower):
        body.rotation_mode = mode
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 41
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    nodes = [preview.objects.index(body) for body in (upper, lower)]
    expected = np.array([preview.scene.matrices] + [preview.next_frame() for _ in range(40)])
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    frames = list(range(1, 42))
    np.testing.assert_allclose(played(frames, upper, lower), expected[:, nodes], atol=2e-4)
    between = played([frame + 0.5 for frame in frames[:-1]], upper, lower)
    middle = (expected[1:, nodes] + expected[:-1, nodes]) / 2.0
    # A turn the long way around, or over a jump of angles, would be far off.
    assert np.abs(between - middle).max() < 0.25


def pulled_up(bob: bpy.types.Object) -> SimulationPreview:
    """Return a preview that runs and has shown ten frames of a body that the mouse pulls up."""
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.simulation.grab(preview.objects.index(bob), (3.0, 0.0, 0.0))
    preview.simulation.drag((3.0, 0.0, 3.0))
    for _ in range(10):
        preview.tick(bpy.context)
    return preview


def test_what_a_preview_has_shown_is_baked_from_the_current_frame_on() -> None:
    _, bob = hanging_cube()
    scene = bpy.context.scene
    scene.frame_set(5, subframe=0.25)
    preview = pulled_up(bob)
    shown = np.array(preview.record)[:, preview.objects.index(bob)]
    assert shown[-1, 2, 3] > 0.1, "pulled up, where it would fall by itself"
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    assert running() is None
    assert (scene.frame_current, scene.frame_subframe) == (5, 0.25)
    assert keyed(bob) == set(range(5, 16))
    np.testing.assert_allclose(played(list(range(5, 16)), bob)[:, 0], shown, atol=1e-4)


def test_as_many_frames_are_baked_as_asked_for_whatever_was_shown() -> None:
    _, bob = hanging_cube()
    pulled_up(bob)
    assert bpy.ops.omi.preview_bake(frames=6) == {"FINISHED"}
    assert running() is None
    assert keyed(bob) == set(range(1, 8))
    assert played([7.0], bob)[0, 0, 2, 3] < -0.01, "it falls by itself"

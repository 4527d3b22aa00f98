"""Outlines of shapes: which objects show them, where, and that the handlers come and go."""

import bpy
import numpy as np
import pytest

from omi_joints_addon.overlay.shapes import (
    COLLIDER,
    TRIGGER,
    SceneShapes,
    shape_lines,
    shown_nodes,
)
from omi_joints_addon.scene.watch import live_scene
from tests.blender.scenes import add_cube, select


def add_empty(**transform):
    bpy.ops.object.empty_add(**transform)
    return bpy.context.object


def lines_of(obj):
    bpy.context.view_layer.update()
    live = live_scene(bpy.context.scene)
    return shape_lines(live, [live.nodes.numbers[obj.session_uid]])


def shown():
    """Return the objects whose shapes are drawn, of all objects."""
    bpy.context.view_layer.update()
    live = live_scene(bpy.context.scene)
    found = shown_nodes(live, range(len(live.nodes.objects)), bpy.context.view_layer, None)
    return [live.nodes.objects[node] for node in found]


def test_a_capsule_is_drawn_where_it_is_in_the_world():
    empty = add_empty(location=(1, 2, 3))
    empty.scale = (2, 2, 2)
    empty.omi_body.collider.source = "CUSTOM"
    shape = empty.omi_body.collider.shape
    shape.type, shape.up, shape.height, shape.offset = "CAPSULE", "X", 2.0, (0, 0, 1)
    lines = lines_of(empty)
    # Height 2 m and twice the radius 0.5 m, scaled by 2, along x about (1, 2, 5).
    low, high = lines.position.min(axis=0), lines.position.max(axis=0)
    assert (low + high) / 2.0 == pytest.approx([1, 2, 5], abs=1e-5)
    assert high - low == pytest.approx([6, 2, 2], abs=0.02)
    assert lines.color[0] / 255.0 == pytest.approx(COLLIDER, abs=0.51 / 255.0)


def test_collider_and_trigger_have_colours_of_their_own():
    empty = add_empty()
    empty.omi_body.collider.source = "CUSTOM"
    empty.omi_body.collider.shape.type = "BOX"
    empty.omi_body.trigger.enabled = True
    empty.omi_body.trigger.shape.type = "SPHERE"
    lines = lines_of(empty)
    found = np.unique(lines.color, axis=0)
    expected = np.unique(255.0 * np.array((COLLIDER, TRIGGER)), axis=0)
    assert found == pytest.approx(expected, abs=0.51)


def test_objects_without_shape_draw_nothing():
    for obj in (add_cube("Cube", (0, 0, 0)), add_empty()):
        assert len(lines_of(obj).position) == 0


def test_empties_show_shapes_always_and_meshes_where_selected():
    cube, empty = add_cube("Cube", (0, 0, 0)), add_empty()
    assert shown() == [empty]
    select(cube)
    assert set(shown()) == {cube, empty}
    empty.hide_set(True)
    assert shown() == [cube]


def test_a_change_of_a_shape_is_noticed():
    empty, other = add_empty(), add_empty()
    empty.omi_body.collider.source = "CUSTOM"
    empty.omi_body.collider.shape.type = "BOX"
    bpy.context.view_layer.update()
    shapes = SceneShapes()
    before = shapes.version(live_scene(bpy.context.scene))
    other.location.x = 1.0
    bpy.context.view_layer.update()
    assert shapes.version(live_scene(bpy.context.scene)) == before
    empty.omi_body.collider.shape.size[0] = 3.0
    empty.update_tag()
    bpy.context.view_layer.update()
    assert shapes.version(live_scene(bpy.context.scene)) > before
    assert np.ptp(lines_of(empty).position[:, 0]) == pytest.approx(3.0)

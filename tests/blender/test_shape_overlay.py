"""Outlines of shapes: which objects show them, where, and that the handlers come and go."""

import bpy
import numpy as np
import pytest

from omi_joints_addon.gizmos.shapes import forget_shapes, shown_objects
from omi_joints_addon.overlay.shapes import COLLIDER, TRIGGER, shape_lines
from tests.blender.scenes import add_cube, select


def add_empty(**transform):
    bpy.ops.object.empty_add(**transform)
    return bpy.context.object


def test_a_capsule_is_drawn_where_it_is_in_the_world():
    empty = add_empty(location=(1, 2, 3))
    empty.scale = (2, 2, 2)
    empty.omi_body.collider.source = "CUSTOM"
    shape = empty.omi_body.collider.shape
    shape.type, shape.up, shape.height, shape.offset = "CAPSULE", "X", 2.0, (0, 0, 1)
    bpy.context.view_layer.update()
    lines = shape_lines([empty])
    # Height 2 m and twice the radius 0.5 m, scaled by 2, along x about (1, 2, 5).
    low, high = lines.position.min(axis=0), lines.position.max(axis=0)
    assert (low + high) / 2.0 == pytest.approx([1, 2, 5], abs=1e-5)
    assert high - low == pytest.approx([6, 2, 2], abs=0.02)
    assert lines.color[0] == pytest.approx(COLLIDER)


def test_collider_and_trigger_have_colours_of_their_own():
    empty = add_empty()
    empty.omi_body.collider.source = "CUSTOM"
    empty.omi_body.collider.shape.type = "BOX"
    empty.omi_body.trigger.enabled = True
    empty.omi_body.trigger.shape.type = "SPHERE"
    lines = shape_lines([empty])
    found = np.unique(lines.color, axis=0)
    expected = np.unique(np.array((COLLIDER, TRIGGER), np.float32), axis=0)
    assert found == pytest.approx(expected)


def test_objects_without_shape_draw_nothing():
    assert len(shape_lines([add_cube("Cube", (0, 0, 0)), add_empty()]).position) == 0


def test_empties_show_shapes_always_and_meshes_where_selected():
    cube, empty = add_cube("Cube", (0, 0, 0)), add_empty()
    layer = bpy.context.view_layer
    assert shown_objects(None, layer) == [empty]
    select(cube)
    assert set(shown_objects(None, layer)) == {cube, empty}
    empty.hide_set(True)
    assert shown_objects(None, layer) == [cube]


def test_a_change_drops_what_was_drawn():
    assert forget_shapes in bpy.app.handlers.depsgraph_update_post

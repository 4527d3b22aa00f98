"""Handles of the active body's shape, of objects and of bones: where they are and what they set."""

from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from mathutils import Matrix, Vector

from omi_joints_addon.core.shapes.handles import dragged, shape_handles
from omi_joints_addon.gizmos.shape_handles import (
    MOST_HANDLES,
    OMI_GGT_shape_handles,
    _fit,
    _write,
    shaped_node,
)
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.properties.overlay import overlay_options
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("empty_scene")


def places() -> list[Vector]:
    """Return where the group puts its handles in the world [m]."""
    gizmos = [
        SimpleNamespace(matrix_basis=Matrix(), is_modal=False, hide=True, handle=None)
        for _ in range(MOST_HANDLES)
    ]
    group: Any = SimpleNamespace(gizmos=gizmos)
    OMI_GGT_shape_handles.draw_prepare(group, bpy.context)
    return [each.matrix_basis.translation.copy() for each in gizmos if not each.hide]


def add_box() -> Any:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.3, 2.0, -1.0))
    bpy.context.object.data.transform(Matrix.Diagonal((0.5, 1.5, 2.5, 1.0)))
    assert bpy.ops.omi.body_add(shape="BOX") == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def test_a_box_has_a_handle_on_each_face_of_a_scaled_and_turned_object() -> None:
    box = add_box()
    box.rotation_euler, box.scale = (0.3, -0.7, 1.1), (2.0, 1.5, 1.5)
    bpy.context.view_layer.update()
    found = [box.matrix_world.inverted() @ place for place in places()]
    for place, axis in zip(found, (0, 0, 1, 1, 2, 2), strict=True):
        assert [abs(v) for v in place] == pytest.approx(
            [(0.25, 0.75, 1.25)[axis] * (each == axis) for each in range(3)], abs=1e-5
        )


def test_a_face_that_is_dragged_leaves_the_other_one() -> None:
    box = add_box()
    fit = _fit(box)
    handle = next(each for each in shape_handles(fit.shape) if (each.axis, each.sign) == (1, -1))
    _write(box, dragged(fit, handle, 0.25))
    shape = box.omi_body.collider.shape
    assert tuple(shape.size) == pytest.approx((0.5, 1.75, 2.5))
    assert tuple(shape.offset) == pytest.approx((0.0, -0.125, 0.0))
    assert not shape.is_fitted


def test_meshes_have_no_handles_and_hidden_shapes_none_either() -> None:
    box = add_box()
    assert shaped_node(bpy.context) == box
    overlay_options(bpy.context).show_shapes = False
    assert shaped_node(bpy.context) is None
    overlay_options(bpy.context).show_shapes = True
    box.omi_body.collider.shape.type = "CONVEX"
    assert shaped_node(bpy.context) is None
    assert not places()


def test_the_active_bone_has_those_of_its_capsule() -> None:
    rig = add_rig("Arm", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    bpy.ops.object.mode_set(mode="POSE")
    rig.data.bones.active = rig.data.bones["upper"]
    bpy.context.view_layer.update()
    bone = BodyBone(rig, "upper")
    assert shaped_node(bpy.context) == bone
    capsule = bone.omi_body.collider.shape
    assert (capsule.type, capsule.up) == ("CAPSULE", "Y")
    top, bottom = places()[:2]
    length = capsule.height + capsule.radius_top + capsule.radius_bottom
    assert (top - bottom).length == pytest.approx(length, abs=1e-5)
    along = (bone.matrix_world.to_3x3() @ Vector((0, 1, 0))).normalized()
    assert (top - bottom).normalized().dot(along) == pytest.approx(1.0, abs=1e-5)

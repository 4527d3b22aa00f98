"""Every panel of bodies draws, in every state, with names that exist."""

import bpy
import pytest

from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_cube, select


def draw_all():
    return [prop for kind, prop in drawn(bpy.types.OMI_PT_body) if kind == "prop"]


def test_an_object_without_body_offers_one():
    add_cube("Cube", (0, 0, 0))
    calls = drawn(bpy.types.OMI_PT_body)
    assert ("operator", "omi.body_add") in calls
    assert ("prop", "motion_type") not in calls


def test_a_joint_has_no_body_panel():
    bpy.ops.object.empty_add()
    bpy.context.object.omi_joint.enabled = True
    assert not bpy.types.OMI_PT_body.poll(bpy.context)


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ("NONE", "type"),
        ("BOX", "size"),
        ("SPHERE", "radius"),
        ("CAPSULE", "up"),
        ("CYLINDER", "radius_top"),
        ("CONVEX", "mesh"),
        ("TRIMESH", "mesh"),
        ("OTHER", "other_type"),
    ],
)
def test_every_shape_shows_its_sizes(shape, shown):
    body = add_cube("Cube", (0, 0, 0)).omi_body
    body.motion_type = "DYNAMIC"
    body.inertia_diagonal = (1, 1, 1)
    body.collider.source = "CUSTOM"
    body.collider.shape.type = shape
    assert shown in draw_all()


def test_filters_materials_and_triggers_draw():
    body = add_cube("Cube", (0, 0, 0)).omi_body
    body.motion_type = "OTHER"
    body.collider.source = "CUSTOM"
    body.collider.material.use_material = True
    body.trigger.enabled = True
    body.trigger.nodes.add()
    for part in (body.collider, body.trigger):
        part.collision_filter.use_filter = True
        part.collision_filter.mode = "ONLY"
        part.collision_filter.systems.add()
        part.collision_filter.other_systems.add()
    assert {"node", "system", "static_friction", "other_motion_type"} <= set(draw_all())


def test_a_rigid_body_shows_its_mass_and_the_names_of_its_collections():
    cube = add_cube("Cube", (0, 0, 0))
    select(cube)
    bpy.ops.rigidbody.object_add()
    shown = draw_all()
    assert "system_1" in shown
    assert "system_2" not in shown
    assert "motion_type" not in shown

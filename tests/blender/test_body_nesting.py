"""Bodies put below the bodies that hold them, and taken from there, in place."""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from tests.blender.scenes import select


def chain(count: int = 4) -> list[Any]:
    """Return a static base and bodies in a row, with a joint between each two."""
    bodies = []
    for number in range(count):
        body = bpy.data.objects.new(f"Body {number}", None)
        body.omi_body.motion_type = "DYNAMIC" if number else "STATIC"
        turn = Euler((0.3 * number, 0.2, number))
        body.matrix_basis = Matrix.LocRotScale((number, -number, 2), turn, (1, 2, 1 + number))
        bpy.context.scene.collection.objects.link(body)
        if bodies:
            ends = []
            for name, parent in (("Joint", body), ("End", bodies[-1])):
                end = bpy.data.objects.new(f"{name} {number}", None)
                end.parent = parent
                bpy.context.scene.collection.objects.link(end)
                ends.append(end)
            ends[0].omi_joint.enabled = True
            ends[0].omi_joint.connected_object = ends[1]
        bodies.append(body)
    bpy.context.view_layer.update()
    return bodies


def worlds(objects: list[Any]) -> Any:
    bpy.context.view_layer.update()
    return np.array([obj.matrix_world for obj in objects])


def test_nest_and_flatten_keep_every_pose() -> None:
    bodies = chain()
    before = worlds(list(bpy.context.scene.objects))
    select(*bodies)
    assert bpy.ops.omi.body_nest() == {"FINISHED"}
    assert [body.parent for body in bodies] == [None, *bodies[:-1]]
    assert np.abs(worlds(list(bpy.context.scene.objects)) - before).max() < 1e-5
    assert bpy.ops.omi.body_flatten() == {"FINISHED"}
    assert [body.parent for body in bodies] == [None] * 4
    assert np.abs(worlds(list(bpy.context.scene.objects)) - before).max() < 1e-5


def below(name: str, kind: str, body: Any) -> Any:
    """Parent a body in place to a new object that is no body; return that."""
    data = bpy.data.armatures.new(name) if kind == "ARMATURE" else None
    group = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(group)
    group.location = (5.0, 6.0, 7.0)
    body.parent, body.parent_type = group, kind
    bpy.context.view_layer.update()
    body.matrix_parent_inverse = group.matrix_world.inverted()
    bpy.context.view_layer.update()
    return group


def test_bodies_that_hang_right_keep_their_parents_and_channels_to_the_bit() -> None:
    bodies = chain()
    loose = bpy.data.objects.new("Loose", None)
    bpy.context.scene.collection.objects.link(loose)
    loose.omi_body.motion_type = "DYNAMIC"
    groups = [below("Rig", "ARMATURE", bodies[0]), below("Props", "OBJECT", loose)]
    everything = [*bodies, loose]

    def channels() -> list[Any]:
        return [
            (each.parent_type, each.matrix_parent_inverse.copy(), each.matrix_basis.copy())
            for each in everything
        ]

    before, places = channels(), worlds(everything)
    select(*everything)
    bpy.ops.omi.body_nest()
    assert [body.parent for body in bodies] == [groups[0], *bodies[:-1]]
    assert loose.parent == groups[1]
    assert [channels()[0], channels()[-1]] == [before[0], before[-1]]
    np.testing.assert_allclose(worlds(everything), places, atol=1e-5)
    before = channels()
    bpy.ops.omi.body_nest()
    assert channels() == before
    bpy.ops.omi.body_flatten()
    assert [body.parent for body in bodies] == [groups[0], None, None, None]
    assert loose.parent == groups[1]


def test_a_body_below_what_it_does_not_hang_on_is_taken_out() -> None:
    bodies = chain(3)
    place = bodies[0].matrix_world.copy()
    group = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(group)
    group.parent, bodies[0].parent = bodies[2], group
    bpy.context.view_layer.update()
    bodies[0].matrix_parent_inverse = group.matrix_world.inverted()
    bodies[0].matrix_basis = place
    before = worlds(bodies)
    select(*bodies)
    bpy.ops.omi.body_nest()
    assert [body.parent for body in bodies] == [None, bodies[0], bodies[1]]
    np.testing.assert_allclose(worlds(bodies), before, atol=1e-5)


def test_only_selected_bodies_move() -> None:
    bodies = chain()
    select(bodies[3])
    bpy.ops.omi.body_nest()
    assert [body.parent for body in bodies] == [None, None, None, bodies[2]]


def by_keys(body: Any) -> None:
    for frame, place in ((1, 0.0), (11, 10.0)):
        body.location.x = place
        body.keyframe_insert("location", frame=frame)


def by_strip(body: Any) -> None:
    """Push keys down, as the editor of nonlinear animation does."""
    by_keys(body)
    data = body.animation_data
    data.nla_tracks.new().strips.new("Slide", 1, data.action)
    data.action = None


def by_driver(body: Any) -> None:
    body.driver_add("location", 0).driver.expression = "frame"


@pytest.mark.parametrize("animate", [by_keys, by_strip, by_driver])
def test_animated_bodies_stay_and_move_as_before(animate: Callable[[Any], None]) -> None:
    bodies = chain()
    animate(bodies[2])
    scene = bpy.context.scene

    def motion() -> Any:
        found = []
        for frame in (1, 6, 11):
            scene.frame_set(frame)
            found.append(np.array(bodies[2].matrix_world))
        return np.array(found)

    before = motion()
    assert np.abs(before[2] - before[0]).max() > 5.0
    select(*bodies)
    bpy.ops.omi.body_nest()
    assert [body.parent for body in bodies] == [None, bodies[0], None, bodies[2]]
    np.testing.assert_allclose(motion(), before, atol=1e-5)


def test_bodies_on_bones_stay_on_them() -> None:
    bodies = chain()
    bones = bpy.data.armatures.new("Bones")
    rig = bpy.data.objects.new("Rig", bones)
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = bones.edit_bones.new("Bone")
    bone.tail = (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    bodies[2].parent, bodies[2].parent_type, bodies[2].parent_bone = rig, "BONE", "Bone"
    before = worlds(bodies)
    select(*bodies)
    bpy.ops.omi.body_nest()
    assert [body.parent for body in bodies] == [None, bodies[0], rig, bodies[2]]
    assert bodies[2].parent_bone == "Bone"
    rig.pose.bones["Bone"].location.y = 2.0
    moved = worlds(bodies) - before
    np.testing.assert_allclose(moved[2:, :3, 3], [(0.0, 0.0, 2.0)] * 2, atol=1e-5)


@pytest.mark.parametrize("name", ["body_nest", "body_flatten"])
def test_nothing_selected_says_why(name: str) -> None:
    chain()
    bpy.ops.object.select_all(action="DESELECT")
    with pytest.raises(RuntimeError, match="No physics body is selected"):
        getattr(bpy.ops.omi, name)()

"""What other tools do while a preview runs is what they do without one."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.operators.preview.hands import Hands
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from tests.blender.scenes import add_cube, select
from tests.blender.test_preview import hanging_cube, world

pytestmark = pytest.mark.usefixtures("no_preview_left")


def objects(*names: str) -> list[Any]:
    return [bpy.data.objects[name] for name in names]


def parent() -> None:
    select(*objects("Bob", "Free"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def parent_without_inverse_kept() -> None:
    select(*objects("Bob", "Free"))
    bpy.ops.object.parent_set(type="OBJECT")


def parent_the_body() -> None:
    select(*objects("Free", "Bob"))
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)


def clear_parent() -> None:
    select(*objects("Hat"))
    bpy.ops.object.parent_clear(type="CLEAR_KEEP_TRANSFORM")


def visual_transform() -> None:
    select(*objects("Copying"))
    bpy.ops.object.visual_transform_apply()


def apply_constraint() -> None:
    select(*objects("Copying"))
    bpy.ops.constraint.apply(constraint="Copy Location")


def apply_transform() -> None:
    select(*objects("Bob"))
    bpy.ops.object.transform_apply()


def set_origin() -> None:
    select(*objects("Bob"))
    bpy.ops.object.origin_set(type="ORIGIN_CURSOR")


def convert_to_mesh() -> None:
    select(*objects("Mirrored"))
    bpy.ops.object.convert(target="MESH")


def apply_modifier() -> None:
    select(*objects("Mirrored"))
    bpy.ops.object.modifier_apply(modifier="Mirror")


def child_of_inverse() -> None:
    select(*objects("Free"))
    constraint = bpy.data.objects["Free"].constraints.new("CHILD_OF")
    constraint.target = bpy.data.objects["Bob"]
    bpy.ops.constraint.childof_set_inverse(constraint=constraint.name)


def move_along_own_axes() -> None:
    select(*objects("Bob"))
    bpy.ops.transform.translate(value=(1.0, 0.0, 0.0), orient_type="LOCAL")


def align() -> None:
    select(*objects("Bob", "Free"))
    bpy.ops.object.align(align_axis={"X", "Z"}, relative_to="OPT_4")


def join() -> None:
    select(*objects("Bob", "Free"))
    bpy.ops.object.join()


def make_instances_real() -> None:
    instance = bpy.data.objects.new("Instance", None)
    bpy.context.scene.collection.objects.link(instance)
    instance.instance_type = "COLLECTION"
    instance.instance_collection = bpy.data.collections.new("Instanced")
    instance.instance_collection.objects.link(bpy.data.objects["Bob"])
    bpy.context.view_layer.update()
    select(instance)
    bpy.ops.object.duplicates_make_real()


def bake_visual_keys() -> None:
    select(*objects("Bob"))
    bpy.ops.nla.bake(frame_start=1, frame_end=1, visual_keying=True, bake_types={"OBJECT"})


def hook() -> None:
    select(*objects("Free", "Bob"))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.object.hook_add_selob()
    bpy.ops.object.mode_set(mode="OBJECT")


OPERATORS = (
    *(parent, parent_without_inverse_kept, parent_the_body, clear_parent, visual_transform),
    *(apply_constraint, apply_transform, set_origin, convert_to_mesh, apply_modifier),
    *(child_of_inverse, move_along_own_axes, align, join, make_instances_real, bake_visual_keys),
    hook,
)


def scene() -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    _, bob = hanging_cube()
    add_cube("Free", (0.0, 5.0, 0.0))
    hat = add_cube("Hat", (6.0, 0.0, 0.0))
    hat.parent = bob
    hat.matrix_parent_inverse = bob.matrix_world.inverted()
    add_cube("Mirrored", (0.0, -5.0, 0.0)).modifiers.new("Mirror", "MIRROR").mirror_object = bob
    copying = add_cube("Copying", (0.0, -8.0, 0.0)).constraints.new("COPY_LOCATION")
    copying.target = bob
    bpy.context.view_layer.update()


def preview() -> SimulationPreview:
    made = SimulationPreview(bpy.context)
    begin(made)
    for _ in range(14):
        made.tick(bpy.context)
    assert world(bpy.data.objects["Bob"])[2, 3] < -0.1
    return made


def press(made: SimulationPreview, key: str = "F6", value: str = "PRESS") -> bool:
    """Send a key of which nobody knows what it starts; return whether the preview took it."""
    event: Any = SimpleNamespace(type=key, value=value, mouse_x=-1, mouse_y=-1)
    return Hands(made).take(bpy.context, event)


def written() -> dict[str, Any]:
    """Return what operators write into objects, and where they are then."""
    bpy.context.view_layer.update()
    return {
        obj.name: [
            np.array(each)
            for each in (
                *(obj.matrix_basis, obj.matrix_parent_inverse, obj.matrix_world),
                *(each.inverse_matrix for each in obj.constraints if each.type == "CHILD_OF"),
                *(each.matrix_inverse for each in obj.modifiers if each.type == "HOOK"),
                *(vertex.co for vertex in (obj.data.vertices if obj.type == "MESH" else ())),
            )
        ]
        for obj in bpy.context.scene.objects
    }


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_that_a_key_starts_writes_what_it_writes_without_a_preview(
    operator: Callable[[], None],
) -> None:
    found = []
    for is_previewed in (False, True):
        scene()
        if is_previewed:
            assert not press(preview()), "other tools never got the key"
        operator()
        stop()
        found.append(written())
    assert found[0].keys() == found[1].keys()
    for name, expected in found[0].items():
        for one, other in zip(expected, found[1][name], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5, err_msg=name)


def test_it_rests_from_the_key_until_events_come_again():
    scene()
    made = preview()
    bob, shown = bpy.data.objects["Bob"], world(bpy.data.objects["Bob"])
    reached = made.simulation.time
    press(made)
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))
    made.tick(bpy.context)
    assert made.status == "Resting"
    assert made.simulation.time == reached
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))
    press(made, "MOUSEMOVE", "NOTHING")
    made.tick(bpy.context)
    assert made.status != "Resting"
    assert made.simulation.time > reached
    assert np.abs(world(bob) - shown).max() < 0.2


def test_it_goes_on_when_the_key_is_let_go():
    scene()
    made = preview()
    press(made)
    press(made, value="RELEASE")
    np.testing.assert_array_equal(
        world(bpy.data.objects["Bob"]), np.array(bpy.data.objects["Bob"].matrix_world)
    )
    made.tick(bpy.context)
    assert not made.rest.is_on


def test_a_body_that_was_moved_meanwhile_is_simulated_from_there():
    scene()
    made = preview()
    bob = bpy.data.objects["Bob"]
    press(made)
    bob.location.y = 2.0
    bpy.context.view_layer.update()
    press(made, value="RELEASE")
    made.tick(bpy.context)
    assert not made.is_over
    assert made.scene.matrices[made.objects.index(bob)][1, 3] == 2.0
    stop()
    assert bob.location.y == 2.0
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


@pytest.mark.parametrize("key", ["MOUSEMOVE", "MIDDLEMOUSE", "WHEELUPMOUSE", "LEFT_SHIFT", "TIMER"])
def test_what_moves_views_at_most_does_not_make_it_rest(key: str) -> None:
    scene()
    made = preview()
    assert not press(made, key)
    assert not made.rest.is_on


@pytest.mark.parametrize("key", ["LEFT_ARROW", "LEFTMOUSE", "RET", "Z", "NUMPAD_0"])
def test_what_may_start_something_makes_it_rest(key: str) -> None:
    scene()
    made = preview()
    assert not press(made, key)
    assert made.rest.is_on


def change_frame() -> None:
    bpy.context.scene.frame_set(9)


def edit_followers() -> None:
    for obj in objects("Hat", "Copying", "Free"):
        obj.hide_render = True
        obj.update_tag(refresh={"OBJECT"})
    bpy.context.view_layer.update()


@pytest.mark.parametrize("others", [0, 80], ids=["most objects move", "few objects move"])
@pytest.mark.parametrize("evaluate", [change_frame, edit_followers])
def test_what_follows_a_body_is_where_it_is_when_it_is_evaluated(
    evaluate: Callable[[], None], others: int
) -> None:
    scene()
    for _ in range(others):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Other", None))
    bob = bpy.data.objects["Bob"]
    child_of = bpy.data.objects["Free"].constraints.new("CHILD_OF")
    child_of.target, child_of.inverse_matrix = bob, bob.matrix_world.inverted()
    followers = objects("Hat", "Copying", "Free", "Bob")
    for obj in followers[:3]:
        # Evaluated at every frame, unlike the body that it follows.
        obj.driver_add("scale", 2).driver.expression = "1.0 + 0.0 * frame"
    bpy.context.view_layer.update()
    rest = [np.array(obj.matrix_world) for obj in followers]
    made = preview()
    shown = world(bob)
    evaluate()
    for obj, expected in zip(followers, rest, strict=True):
        np.testing.assert_array_equal(np.array(obj.matrix_world), expected, obj.name)
    np.testing.assert_array_equal(world(bob), shown, "views show it as before")
    made.tick(bpy.context)
    stop()
    for obj, expected in zip(followers, rest, strict=True):
        np.testing.assert_array_equal(world(obj), expected, obj.name)

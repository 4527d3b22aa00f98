"""Operators on many joints at once do what they do on each of them."""

import random
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_joints_addon.authoring.patterns import chain
from omi_joints_addon.authoring.selection import connected_joints
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.scene.structure import body_object_of, is_dynamic, joint_bodies
from tests.blender.scenes import select


def new_object(name: str, parent: Any = None) -> Any:
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    obj.parent = parent
    return obj


def add_random_scene(seed: int) -> tuple[list[Any], list[Any]]:
    """Return bodies, some of them static, some below empties, and joints between any of them."""
    chance = random.Random(seed)
    bodies = []
    for number in range(12):
        body = new_object(f"Body {number}", chance.choice([None, None, *bodies]))
        body.omi_body.motion_type = chance.choice(["STATIC", "DYNAMIC", "DYNAMIC"])
        body.location = [chance.choice([0.0, 1.0, 2.0]) for _ in range(3)]
        bodies.append(body)
    joints = []
    for number in range(14):
        ends = []
        for kind in ("Joint", "End"):
            above = chance.choice([*bodies, None])
            for level in range(chance.randrange(3)):
                above = new_object(f"{kind} {number} Level {level}", above)
            ends.append(new_object(f"{kind} {number}", above))
        joint = ends[0].omi_joint
        joint.enabled, joint.connected_object = True, chance.choice([ends[1], ends[1], None])
        joints.append(ends[0])
    bpy.context.view_layer.update()
    return bodies, joints


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_chain", [False, True])
def test_connected_joints_are_those_that_share_bodies(seed: int, is_chain: bool) -> None:
    bodies, joints = add_random_scene(seed)
    chosen = random.Random(seed).sample([*bodies, *joints], 2)
    reached = {
        body
        for obj in chosen
        for body in (joint_bodies(obj) if obj in joints else [body_object_of(obj)])
        if body
    }
    if is_chain:
        reached = {body for body in reached if is_dynamic(body)} or reached
    grown = True
    while is_chain and grown:
        near = [ends for ends in map(joint_bodies, joints) if reached & set(ends)]
        more = {body for ends in near for body in ends if body and is_dynamic(body)} - reached
        grown = bool(more)
        reached |= more
    expected = {joint for joint in joints if reached & set(joint_bodies(joint))}
    found = connected_joints(chosen, bpy.context.scene.objects, is_chain=is_chain)
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize("seed", range(12))
def test_chain_goes_to_the_nearest_of_all_that_are_left(seed: int) -> None:
    """Bodies are on a coarse grid: many are equally near, or in one place."""
    bodies, _joints = add_random_scene(seed)
    left, here = bodies[1:], bodies[0]
    for pair in chain(bodies):
        assert pair.anchor == here
        place: Vector = here.matrix_world.translation
        here = min(left, key=lambda obj: (obj.matrix_world.translation - place).length)
        assert pair.moving == here
        left.remove(here)
    assert not left


def test_many_joints_are_made_portable_like_each_alone() -> None:
    """Turned hinges, of which some share settings, and some end at the frame of another."""

    def add_joints() -> list[Any]:
        bpy.ops.wm.read_homefile(use_empty=True)
        joints = []
        for number in range(6):
            anchor, body = new_object(f"{number} Anchor"), new_object(f"{number} Body")
            anchor.omi_body.motion_type, body.omi_body.motion_type = "STATIC", "DYNAMIC"
            joint, end = new_object(f"{number} Joint", body), new_object(f"{number} End", anchor)
            joint.rotation_euler = end.rotation_euler = (0.1 * number, 0.2, 0.3)
            joint.omi_joint.enabled = True
            joint.omi_joint.connected_object = (
                joints[0].omi_joint.connected_object if (number == 3) else end
            )
            joint.omi_joint.settings_from_core(hinge(axis=0, max_angle=0.5 + 0.1 * number))
            joints.append(joint)
        joints[4].omi_joint.settings_source = joints[2]
        bpy.context.view_layer.update()
        return joints

    def state() -> dict[str, Any]:
        bpy.context.view_layer.update()
        return {
            obj.name: (np.round(obj.matrix_world, 5).tolist(), obj.omi_joint.settings_to_core())
            for obj in bpy.context.scene.objects
        }

    for joint in add_joints():
        select(joint)
        bpy.ops.omi.joint_portable_make(engine="GODOT")
    alone = state()
    joints = add_joints()
    before = state()
    select(*joints)
    bpy.ops.omi.joint_portable_make(engine="GODOT")
    assert state() == alone != before

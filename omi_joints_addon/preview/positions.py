"""Where bodies are that follow the positions of joints, and how they get there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from .. import scene as scenes
from ..core.meaning.kinematics import Kinematics
from ..core.meaning.linkage import loop_of, loops_with
from ..core.meaning.reaching import Reach
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import Node, object_of, world_matrix
from ..scene.live import LiveScene
from ..scene.watch import live_scene
from .keeping import kept, pose_bones

Wanted = dict[tuple[int, int], float]
"""Positions [m or rad] by the key of a joint's object and the number of the value."""


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """A scene that positions move, as it was when nothing had moved it."""

    live: LiveScene
    scene: PhysicsScene
    objects: Sequence[Node]
    numbers: dict[int, int]
    """Number of each joint by the key of its object."""
    tree: Kinematics
    uids: frozenset[int]
    """Keys of the objects that bodies are, or are part of."""


def rig_of(scene: bpy.types.Scene) -> Rig:
    """Return a scene as it is now."""
    live = live_scene(scene)
    # Blender reports neither where bodies were moved in a frame nor, before it is drawn, new ones.
    live.pending.is_listed = False
    live.refresh(scene)
    live.suspect_all()
    live.settle(scene)
    core = scenes.partial.live_to_core(live)
    objects = live.nodes.objects
    numbers = {objects[joint.node].session_uid: number for number, joint in enumerate(core.joints)}
    uids = {object_of(objects[node]).session_uid for node in core.motions}
    return Rig(live, core, objects, numbers, Kinematics(core), frozenset(uids))


def move(rig: Rig, depsgraph: bpy.types.Depsgraph, wanted: Wanted) -> None:
    """Move bodies of a scene to where positions of joints are wanted."""
    tree = rig.tree
    values, held = tree.rest.copy(), set[int]()
    for (key, value), at in wanted.items():
        number = rig.numbers.get(key)
        if number in tree.children:
            freedom = tree.freedoms[number]
            is_author = freedom is not None and not freedom.is_linear
            zero = rig.scene.joints[number].attributes.zero if is_author else 0.0
            values[number, value] = at - zero
            held.add(number)
    if not held:
        return
    matrices, moved = _posed(rig, depsgraph, values, held)
    for node in moved:
        obj = rig.objects[node]
        if isinstance(obj, bpy.types.Object):
            basis = np.linalg.inv(_space(rig, node, matrices, depsgraph)) @ matrices[node]
            with kept([obj]):
                obj.matrix_basis = Matrix(basis.tolist())
    list(pose_bones(rig.objects, rig.scene, matrices, moved))
    # Blender does not report what is moved while a frame changes.
    carried = np.flatnonzero(np.isin(rig.scene.bodies(), moved)).tolist()
    rig.live.pending.add_objects(object_of(rig.objects[node]) for node in carried)


def _posed(
    rig: Rig, depsgraph: bpy.types.Depsgraph, values: Array, held: Collection[int]
) -> tuple[Array, list[int]]:
    """Return world matrices (n, 4, 4) of all nodes with joints at values, and what moves."""
    tree = rig.tree
    driven = {*held, *tree.followers_of(held)}
    loops = loops_with(tree, driven)
    if loops:
        driven = driven.union(*(loop_of(tree, each) for each in loops))
        values = Reach(tree, moving=driven).reach((), values, held=held).values
    else:
        values = tree.with_followers(values, placed=held)
    motions, moved = tree.motions(values), tree.moved_by(driven)
    matrices, carried = rig.scene.matrices.copy(), set(moved)
    for body in moved:
        above = tree.tree.parents[body]
        while above in carried:
            above = tree.tree.parents[above]
        motion = motions[body]
        if above >= 0:
            there = _world(rig.objects[above], depsgraph)
            motion = there @ np.linalg.inv(rig.scene.matrices[above]) @ motion
            matrices[above] = there
        matrices[body] = motion @ matrices[body]
    for node in {rig.scene.parents[body] for body in moved} - {-1, *moved}:
        if isinstance(obj := rig.objects[node], bpy.types.Object):
            matrices[node] = _world(obj, depsgraph)
    return matrices, moved


def _space(rig: Rig, node: int, matrices: Array, depsgraph: bpy.types.Depsgraph) -> Array:
    """Return the space (4, 4) of a body's own channels once bodies are at matrices."""
    obj: Any = rig.objects[node]
    space = _world(obj, depsgraph) @ np.linalg.inv(np.array(obj.matrix_basis))
    parent, owner = rig.scene.parents[node], rig.scene.bodies()
    above = int(owner[parent]) if parent >= 0 else -1
    if above < 0:
        return space
    return np.asarray(
        matrices[above] @ np.linalg.inv(_world(rig.objects[above], depsgraph)) @ space
    )


def _world(node: Node, depsgraph: bpy.types.Depsgraph) -> Array:
    return np.array(
        node.evaluated_get(depsgraph).matrix_world
        if isinstance(node, bpy.types.Object)
        else world_matrix(node)
    )

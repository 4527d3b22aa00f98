"""How firmly joints hold the pose that they are in, by name."""

from collections.abc import Collection

import bpy

from ..core.meaning.range_of_motion import hanging_bodies, moving_body_of
from ..core.model.scene import PhysicsScene
from ..core.ragdoll.stiffness import STIFFNESSES, stiffened_joints
from ..properties.bones import Node
from ..scene.reading import nodes_of, scene_to_core
from .context import present
from .joint_curves import JointCurves


def stiffen(
    context: bpy.types.Context, joints: Collection[bpy.types.Object], name: str
) -> list[bpy.types.Object]:
    """Have drives hold joints as firmly as a name of `STIFFNESSES` says; return those that are.

    Joints that use the settings of others, or turn about nothing, stay as they are.
    """
    scene = present(context.scene)
    present(context.view_layer).update()
    objects, (core, _) = nodes_of(scene), scene_to_core(scene)
    numbers = _numbers(objects, core, joints)
    moved = {n: body for n in numbers if (body := _moved(core, n)) is not None}
    curves, found = JointCurves(), []
    for number, settings in stiffened_joints(core, moved, STIFFNESSES[name]).items():
        joint = objects[core.joints[number].node]
        if settings != core.joints[number].settings and isinstance(joint, bpy.types.Object):
            curves.replace(joint, settings)
            found.append(joint)
    return found


def joints_below(context: bpy.types.Context, joint: bpy.types.Object) -> list[bpy.types.Object]:
    """Return a joint and those between the bodies that it carries."""
    scene = present(context.scene)
    objects, (core, _) = nodes_of(scene), scene_to_core(scene)
    numbers = _numbers(objects, core, [joint])
    body = _moved(core, numbers[0]) if numbers else None
    if body is None:
        return [joint]
    carried, owner = hanging_bodies(core, numbers[0], body), core.bodies()
    below = [
        objects[each.node]
        for each in core.joints
        if {int(owner[each.node]), int(owner[each.other])} <= carried
    ]
    return [joint, *(each for each in below if isinstance(each, bpy.types.Object))]


def _moved(core: PhysicsScene, number: int) -> int | None:
    """Return the body that a joint with settings of its own moves, if that is dynamic."""
    body, joint = moving_body_of(core, number), core.joints[number]
    is_own = joint.place == joint.settings_place
    return body if is_own and body is not None and core.is_dynamic(body) else None


def _numbers(
    objects: list[Node], core: PhysicsScene, joints: Collection[bpy.types.Object]
) -> list[int]:
    chosen = set(joints)
    return [n for n, joint in enumerate(core.joints) if objects[joint.node] in chosen]

"""Blender scene to core: bodies and joints as plain data, in Blender's world axes (Z up)."""

from collections.abc import Sequence

import bpy
import numpy as np

from ..core.findings.finding import Finding, finding
from ..core.model.scene import Joint, PhysicsScene
from ..properties.body import body_data, motion_of
from ..properties.collider import has_collider
from ..properties.joint import (
    SettingsCycleError,
    joint_data,
    joint_of,
    settings_owner,
    shared_settings,
)

_CARRIES = {
    "MESH": "mesh",
    "CURVE": "mesh",
    "SURFACE": "mesh",
    "META": "mesh",
    "FONT": "mesh",
    "CAMERA": "camera",
    "LIGHT": "light",
    "ARMATURE": "armature",
}


def scene_to_core(scene: bpy.types.Scene) -> tuple[PhysicsScene, list[Finding]]:
    """Return bodies and joints of a scene and what is wrong with how they are tied together.

    Node i is the i-th object of `scene.objects`. A joint whose settings go round in a circle is
    left out.
    """
    return objects_to_core(list(scene.objects), gravity=scene_gravity(scene))


def scene_gravity(scene: bpy.types.Scene) -> tuple[float, float, float]:
    """Return the gravity of a scene [m/s²], in world axes."""
    pull = scene.gravity
    return (pull[0], pull[1], pull[2]) if scene.use_gravity else (0.0, 0.0, 0.0)


def objects_to_core(
    objects: Sequence[bpy.types.Object],
    *,
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81),
) -> tuple[PhysicsScene, list[Finding]]:
    """Return bodies and joints among `objects`; node i is `objects[i]`.

    An object that is not among them, such as a deleted one that a pointer keeps alive, counts as
    missing. `gravity` is in m/s².
    """
    nodes = {obj: index for index, obj in enumerate(objects)}
    findings: list[Finding] = []
    joints = [joint_to_core(obj, nodes, findings) for obj in objects if joint_of(obj)]
    motions = {index: motion for obj, index in nodes.items() if (motion := motion_of(obj))}
    carries = {index: kinds for obj, index in nodes.items() if (kinds := carried_kinds(obj))}
    scene = PhysicsScene(
        names=tuple(obj.name for obj in objects),
        parents=np.array([node_of(obj.parent, nodes) for obj in objects], dtype=np.intp),
        matrices=np.array([obj.matrix_world for obj in objects], dtype=float).reshape(-1, 4, 4),
        motions=motions,
        carries=carries,
        joints=tuple(joint for joint in joints if joint is not None),
        gravity=gravity,
    )
    return scene, findings


def joint_to_core(
    obj: bpy.types.Object, nodes: dict[bpy.types.Object, int], findings: list[Finding]
) -> Joint | None:
    """Return the joint `obj`, None where its settings have no owner."""
    data = joint_data(obj)
    source, connected = data.settings_source, data.connected_object
    try:
        settings = shared_settings(obj)
    except SettingsCycleError as cycle:
        findings.append(finding("OMI-J003", obj.name, source=str(cycle)))
        return None
    if source is not None and (source not in nodes or joint_of(source) is None):
        findings.append(finding("OMI-J004", obj.name, source=source.name))
    if connected is not None and connected not in nodes:
        findings.append(finding("OMI-J002", obj.name, connected=connected.name))
    return Joint(
        node=nodes[obj],
        connected=None if connected is None else nodes.get(connected),
        settings=settings,
        enable_collision=data.enable_collision,
        place=obj.name,
        settings_place=settings_owner(obj).name,
    )


def node_of(obj: bpy.types.Object | None, nodes: dict[bpy.types.Object, int]) -> int:
    """Return the node of an object, -1 where there is none."""
    return -1 if obj is None else nodes.get(obj, -1)


def carried_kinds(obj: bpy.types.Object) -> frozenset[str]:
    """Return what the object carries beside its place in the tree (`PhysicsScene.carries`)."""
    kinds = {_CARRIES[obj.type]} if obj.type in _CARRIES else set()
    if obj.instance_type == "COLLECTION" and obj.instance_collection:
        kinds.add("instancer")
    if obj.animation_data is not None and obj.animation_data.action is not None:
        kinds.add("animation")
    if has_collider(obj):
        kinds.add("collider")
    if body_data(obj).trigger.enabled:
        kinds.add("trigger")
    return frozenset(kinds)

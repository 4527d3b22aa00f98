"""Blender scene to core: bodies and joints as plain data, in Blender's world axes (Z up)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ..core.checks.bodies import SYSTEM_WITHOUT_NAME
from ..core.findings.finding import Finding
from ..core.model.articulation import Articulation, Coupling
from ..core.model.attributes import JointAttributes
from ..core.model.scene import Joint, PhysicsScene
from ..properties.body import body_data, has_body_data, motion_of
from ..properties.carried import kept_of
from ..properties.collider import collider_shape_of, has_collider, trigger_shape_of
from ..properties.joint import (
    DATA_VERSION,
    OMI_PG_joint,
    SettingsCycleError,
    has_joint_data,
    joint_data,
    joint_of,
    settings_owner,
)
from ..properties.light import light_of
from ..properties.mesh_points import MeshReader
from ..properties.surface import physics_scene
from .rules import CONNECTED_ELSEWHERE, SAVED_BY_NEWER, SHARED_IN_CIRCLE, SHARED_SOURCE_GONE
from .volumes import Volumes, extended, has_own_node, volumes_of

Nodes = Mapping[int, int]
"""Node of each object by its `session_uid`."""
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
_NO_ATTRIBUTES = JointAttributes()
_VOLUMES = frozenset(("collider", "trigger"))


def scene_to_core(
    scene: bpy.types.Scene, *, depsgraph: bpy.types.Depsgraph | None = None
) -> tuple[PhysicsScene, list[Finding]]:
    """Return all that is physics in a scene and what is wrong with how it is tied together.

    Node i is the i-th object of `scene.objects`; the nodes behind are those of shapes that do not
    stand on their object's (`volumes`). A joint whose settings go round in a circle is left out.
    Meshes are read when they are asked for, with modifiers where `depsgraph` is given.
    """
    objects = list(scene.objects)
    core, findings = objects_to_core(objects, gravity=scene_gravity(scene))
    nodes = {obj: index for index, obj in enumerate(objects)}
    volumes = volumes_of(scene, nodes, MeshReader(depsgraph))
    complete = replace(
        core,
        names=(*core.names, *volumes.names),
        parents=np.append(core.parents, np.array(volumes.parents, np.intp)),
        matrices=extended(core.matrices, volumes.matrices),
        carries=_with_volumes(core.carries, volumes),
        colliders=volumes.colliders,
        triggers=volumes.triggers,
        meshes=tuple(volumes.meshes),
        visuals=volumes.visuals,
        lights={node: light for obj, node in nodes.items() if (light := light_of(obj))},
        name=scene.name,
        carried=_carried(scene, objects),
    )
    return complete, findings


def _with_volumes(
    carries: Mapping[int, frozenset[str]], volumes: Volumes
) -> dict[int, frozenset[str]]:
    """Return what nodes carry, colliders and triggers where they are."""
    found = {node: kinds - _VOLUMES for node, kinds in carries.items()}
    for node, kind in volumes.kinds():
        found[node] = found.get(node, frozenset()) | {kind}
    return {node: kinds for node, kinds in found.items() if kinds}


def _carried(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> dict[str, Any]:
    """Return what formats keep for themselves: of the scene, and of bodies by node."""
    shared = physics_scene(scene)
    bodies = {node: text for node, obj in enumerate(objects) if (text := body_data(obj).carried)}
    found: dict[str, Any] = {
        "bodies": shared.bodies_carried,
        "shapes": shared.shapes_carried,
        "node_bodies": bodies,
    }
    unknown = {n: text for n, obj in enumerate(objects) if (text := body_data(obj).usd_carried)}
    kept = {name: value for name, value in found.items() if value}
    named = kept_of([scene.collection, *scene.collection.children_recursive])
    named |= {"gltf": kept} if kept else {}
    return named | ({"usd": {"bodies": unknown}} if unknown else {})


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
    nodes = {obj.session_uid: index for index, obj in enumerate(objects)}
    findings: list[Finding] = []
    joints = [joint_to_core(obj, nodes, findings) for obj in objects if joint_of(obj)]
    for obj in objects:
        findings += filter_findings(obj)
    motions = {index: motion for index, obj in enumerate(objects) if (motion := motion_of(obj))}
    scene = PhysicsScene(
        names=tuple(obj.name for obj in objects),
        parents=np.array([node_of(obj.parent, nodes) for obj in objects], dtype=np.intp),
        matrices=np.array([obj.matrix_world for obj in objects], dtype=float).reshape(-1, 4, 4),
        motions=motions,
        carries={n: kinds for n, obj in enumerate(objects) if (kinds := carried_kinds(obj))},
        joints=tuple(joint for joint in joints if joint is not None),
        articulations=tuple(
            Articulation(root=index, is_fixed=body_data(obj).articulation_is_fixed)
            for index, obj in enumerate(objects)
            if index in motions and body_data(obj).articulation
        ),
        gravity=gravity,
    )
    found = {joint.node: followed(objects[joint.node], nodes) for joint in scene.joints}
    return replace(scene, couplings=couplings_of(scene.joints, found)), findings


def followed(obj: bpy.types.Object, nodes: Nodes) -> tuple[int, tuple[float, ...]] | None:
    """Return the node of what the joint `obj` follows, and the coefficients (`Coupling`)."""
    data = joint_data(obj)
    if not data.is_property_set("coupling"):
        return None
    group = data.coupling
    source = node_of(group.source, nodes)
    return None if source < 0 else (source, group.to_core())


def couplings_of(
    joints: Sequence[Joint], found: Mapping[int, tuple[int, tuple[float, ...]] | None]
) -> tuple[Coupling, ...]:
    """Return which joints follow others by what each node follows; others than joints are out."""
    numbers = {joint.node: number for number, joint in enumerate(joints)}
    pairs = ((number, found.get(joint.node)) for number, joint in enumerate(joints))
    return tuple(
        Coupling(joint=number, source=numbers[follows[0]], coefficients=follows[1])
        for number, follows in pairs
        if follows is not None and numbers.get(follows[0], number) != number
    )


def filter_findings(obj: bpy.types.Object) -> Iterator[Finding]:
    """Yield what is wrong with the collision filters of an object's collider and trigger."""
    if not has_body_data(obj):
        return
    body = body_data(obj)
    for is_there, part in (
        (has_collider(obj), body.collider),
        (body.trigger.enabled, body.trigger),
    ):
        found = part.collision_filter.to_core() if is_there else None
        if found is not None:
            others = (found.collide_with_systems or (), found.not_collide_with_systems or ())
            names = (*found.collision_systems, *others[0], *others[1])
            yield from (SYSTEM_WITHOUT_NAME(obj.name) for name in names if not name)


def joint_to_core(obj: bpy.types.Object, nodes: Nodes, findings: list[Finding]) -> Joint | None:
    """Return the joint `obj`, None where its settings have no owner."""
    data = joint_data(obj)
    source, connected = data.settings_source, data.connected_object
    try:
        owner = settings_owner(obj)
    except SettingsCycleError as cycle:
        findings.append(SHARED_IN_CIRCLE(obj.name, source=str(cycle)))
        return None
    if source is not None and (node_of(source, nodes) < 0 or joint_of(source) is None):
        findings.append(SHARED_SOURCE_GONE(obj.name, source=source.name))
    end = node_of(connected, nodes)
    if connected is not None and end < 0:
        findings.append(CONNECTED_ELSEWHERE(obj.name, connected=connected.name))
    if data.data_version > DATA_VERSION:
        version = {"version": data.data_version, "known": DATA_VERSION}
        findings.append(SAVED_BY_NEWER(obj.name, **version))
    return Joint(
        node=node_of(obj, nodes),
        connected=None if end < 0 else end,
        settings=joint_data(owner).settings_to_core(),
        enable_collision=data.enable_collision,
        attributes=_attributes(data),
        carried=data.carried,
        place=obj.name,
        settings_place=owner.name,
    )


def _attributes(data: OMI_PG_joint) -> JointAttributes:
    """Return the attributes of a joint, of which most have none: to ask is quicker than to read."""
    return data.attributes.to_core() if data.is_property_set("attributes") else _NO_ATTRIBUTES


def node_of(obj: bpy.types.Object | None, nodes: Nodes) -> int:
    """Return the node of an object, -1 where there is none."""
    return -1 if obj is None else nodes.get(obj.session_uid, -1)


def carried_kinds(obj: bpy.types.Object) -> frozenset[str]:
    """Return what the object carries beside its place in the tree (`PhysicsScene.carries`)."""
    kinds = {_CARRIES[obj.type]} if obj.type in _CARRIES else set()
    if obj.instance_type == "COLLECTION" and obj.instance_collection:
        kinds.add("instancer")
    if obj.animation_data is not None and obj.animation_data.action is not None:
        kinds.add("animation")
    has_joint, has_body = has_joint_data(obj), has_body_data(obj)
    if has_joint and joint_data(obj).is_frame_of_parent and obj.parent is not None:
        kinds.add("frame")
    if not has_body:
        return frozenset(kinds)
    is_joint = has_joint and joint_data(obj).enabled
    # What shares a node with a joint matters: shapes may have a node of their own.
    if has_collider(obj) and not (is_joint and _is_collider_apart(obj)):
        kinds.add("collider")
    if body_data(obj).trigger.enabled and not (
        is_joint and has_own_node(obj, trigger_shape_of(obj))
    ):
        kinds.add("trigger")
    return frozenset(kinds)


def _is_collider_apart(obj: bpy.types.Object) -> bool:
    return has_own_node(obj, collider_shape_of(obj, MeshReader(None)))

"""Blender scene to core: bodies and joints as plain data, in Blender's world axes (Z up)."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..core.findings.finding import Finding
from ..core.model.articulation import Articulation, Coupling
from ..core.model.body import Motion
from ..core.model.graph import Indices
from ..core.model.joint import JointDrive, JointLimit, JointSettings
from ..core.model.scene import GRAVITY, Joint, PhysicsScene, nearest_above
from ..core.model.scene_builder import SceneBuilder
from ..properties.body_reading import ObjectBody, read_body
from ..properties.bones import BodyBone, Node, world_matrix
from ..properties.carried import kept_of
from ..properties.collider import collider_shape_in, trigger_shape_in
from ..properties.exact import shortest_decimal, shortest_decimals
from ..properties.joint import (
    DATA_VERSION,
    SettingsCycleError,
    joint_of,
    own_settings,
    settings_owner,
)
from ..properties.joint_reading import ObjectJoint, read_joint
from ..properties.light import light_of
from ..properties.mesh_points import MeshReader
from ..properties.named_poses import poses_of
from ..properties.stored import same
from ..properties.surface import physics_scene
from .animation import animated_settings, is_animated, is_position_animated
from .body_findings import body_findings, without_imported_shapes
from .constraints import constraints_left_out
from .nodes import place_all
from .rigid_body_findings import rigid_body_findings
from .rules import (
    CONNECTED_ELSEWHERE,
    FRAME_LEFT_BEHIND,
    NOT_A_NUMBER,
    NOT_NUMBERS,
    NOT_PLACED,
    POSITION_ANIMATED,
    SAVED_BY_NEWER,
    SETTINGS_ANIMATED,
    SHAPES_LEFT_BEHIND,
    SHARED_IN_CIRCLE,
    SHARED_SOURCE_GONE,
)
from .structure import body_bones_of, parent_of
from .volumes import has_own_node, volumes_of

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
    "BONE": "bone",
}
_VOLUMES = frozenset(("collider", "trigger"))
_NUMBERS = tuple(
    (field.name, field.default) for field in fields(Motion) if field.name not in ("type", "carried")
)
_VALUES: Mapping[type, Callable[[Any], tuple[Any, ...]]] = {
    kind: attrgetter(*(field.name for field in fields(kind))) for kind in (JointLimit, JointDrive)
}


class ObjectParts(NamedTuple):
    """What the properties of an object or a bone hold."""

    obj: Node
    joint: ObjectJoint | None
    body: ObjectBody | None


def read_object(obj: Node) -> ObjectParts:
    """Return what the properties of an object or a bone hold."""
    joint = None if isinstance(obj, BodyBone) else read_joint(obj)
    return ObjectParts(obj, joint, read_body(obj))


def nodes_of(scene: bpy.types.Scene) -> list[Node]:
    """Return the objects of a scene, and behind them the bones of armatures that are bodies."""
    objects: list[bpy.types.Object] = scene.objects.values()  # type: ignore[assignment]
    bones = (bone for obj in objects if obj.type == "ARMATURE" for bone in body_bones_of(obj))
    return [*objects, *bones]


def scene_to_core(
    scene: bpy.types.Scene,
    *,
    depsgraph: bpy.types.Depsgraph | None = None,
    simulated: bpy.types.Depsgraph | None = None,
) -> tuple[PhysicsScene, list[Finding]]:
    """Return all that is physics in a scene and what is wrong with how it is tied together.

    Node i is the i-th of `nodes_of` the scene; the nodes behind are those of shapes that do not
    stand on their object's (`volumes`). A joint that shares settings in a loop is left out.
    Meshes are read when they are asked for, with modifiers where `depsgraph` is given; those of
    Rigid Bodies as Blender's simulation takes them where `simulated` is.
    """
    objects = [read_object(node) for node in nodes_of(scene)]
    core, findings = _parts_to_core(objects, gravity=scene_gravity(scene))
    if all(item.rule is not SHARED_IN_CIRCLE for item in findings):
        findings += _frames_left_behind(core, objects)
    findings += constraints_left_out(scene)
    nodes = {each.obj: index for index, each in enumerate(objects)}
    bodies = {each.obj: each.body for each in objects if each.body is not None}
    findings += rigid_body_findings(scene, bodies.values())
    volumes = volumes_of(scene, nodes, bodies, MeshReader(depsgraph, simulated=simulated))
    whole = volumes.behind(core)
    if any(found.rule is NOT_PLACED for found in findings):
        _place_lost_volumes(whole, objects)
    complete = replace(
        whole,
        carries=_with_volumes(core.carries, volumes),
        lights={node: light for obj, node in nodes.items() if (light := light_of(obj.data))},
        name=scene.name,
        poses=poses_of(scene).to_core({core.names[joint.node] for joint in core.joints}),
        carried=_carried(scene, objects),
    )
    return complete, findings


def _place_lost_volumes(scene: PhysicsScene, objects: Sequence[ObjectParts]) -> None:
    """Place the shapes of objects without a place, as if these were at the origin."""
    for node in range(len(objects), len(scene.names)):
        parent = int(scene.parents[node])
        if not np.isfinite(np.array(world_matrix(objects[parent].obj), float)).all():
            scene.matrices[node] = scene.matrices[parent] @ scene.matrices[node]


def _frames_left_behind(core: PhysicsScene, objects: Sequence[ObjectParts]) -> Iterator[Finding]:
    """Yield the findings about connected frames of joints that are gone."""
    used = {joint.connected for joint in core.joints}
    for node, each in enumerate(objects):
        if node not in used and is_loose_frame(each):
            yield FRAME_LEFT_BEHIND(each.obj.name)


def _with_volumes(
    carries: Mapping[int, frozenset[str]], volumes: SceneBuilder
) -> dict[int, frozenset[str]]:
    """Return what nodes carry, colliders and triggers where they are."""
    found = {node: kinds - _VOLUMES for node, kinds in carries.items()}
    for kind, nodes in (("collider", volumes.colliders), ("trigger", volumes.triggers)):
        found |= {node: found.get(node, frozenset()) | {kind} for node in nodes}
    return {node: kinds for node, kinds in found.items() if kinds}


def _carried(scene: bpy.types.Scene, objects: Sequence[ObjectParts]) -> dict[str, Any]:
    """Return what formats keep for themselves: of the scene, and of bodies by node."""
    shared = physics_scene(scene)
    values_of = {
        node: each.body.values for node, each in enumerate(objects) if each.body is not None
    }
    bodies = {node: values.carried for node, values in values_of.items() if values.carried}
    found: dict[str, Any] = {
        "bodies": shared.bodies_carried,
        "shapes": shared.shapes_carried,
        "node_bodies": bodies,
    }
    unknown = {node: values.usd_carried for node, values in values_of.items() if values.usd_carried}
    kept = {name: value for name, value in found.items() if value}
    named = kept_of([scene.collection, *scene.collection.children_recursive])
    named |= {"gltf": kept} if kept else {}
    return named | ({"usd": {"bodies": unknown}} if unknown else {})


def scene_gravity(scene: bpy.types.Scene) -> tuple[float, float, float]:
    """Return the gravity of a scene [m/s²], in world axes, as its Rigid Bodies feel it."""
    if not scene.use_gravity:
        return (0.0, 0.0, 0.0)
    world = scene.rigidbody_world
    weights = None if world is None else world.effector_weights
    share = 1.0 if weights is None else shortest_decimal(weights.gravity * weights.all)
    x, y, z = (share * part + 0.0 for part in shortest_decimals(scene.gravity.to_tuple()))
    return (x, y, z)


def objects_to_core(
    objects: Sequence[Node],
    *,
    gravity: tuple[float, float, float] = GRAVITY,
) -> tuple[PhysicsScene, list[Finding]]:
    """Return bodies and joints among `objects`; node i is `objects[i]`.

    An object that is not among them, such as a deleted one that a pointer keeps alive, counts as
    missing. `gravity` is in m/s².
    """
    return _parts_to_core([read_object(obj) for obj in objects], gravity=gravity)


def _parts_to_core(
    objects: Sequence[ObjectParts], *, gravity: tuple[float, float, float]
) -> tuple[PhysicsScene, list[Finding]]:
    nodes = {each.obj.session_uid: index for index, each in enumerate(objects)}
    findings: list[Finding] = []
    joints = [_joint_to_core(each, nodes, findings) for each in objects]
    bodies = {n: each.body for n, each in enumerate(objects) if each.body is not None}
    for body in bodies.values():
        findings += body_findings(body)
    motions = {
        node: _with_numbers(motion, body.obj.name, findings)
        for node, body in bodies.items()
        if (motion := body.motion)
    }
    parents = np.array([node_of(parent_of(each.obj), nodes) for each in objects], dtype=np.intp)
    matrices = np.array([world_matrix(each.obj) for each in objects], float).reshape(-1, 4, 4)
    findings += _left_behind(bodies, motions, parents)
    findings += [NOT_PLACED(objects[node].obj.name) for node in place_all(matrices, parents)]
    scene = PhysicsScene(
        names=tuple(each.obj.name for each in objects),
        parents=parents,
        matrices=matrices,
        motions=motions,
        carries={n: kinds for n, each in enumerate(objects) if (kinds := carried_kinds(each))},
        joints=tuple(joint for joint in joints if joint is not None),
        articulations=_articulations(bodies, motions),
        excluded_pairs=excluded_pairs(bodies, motions, nodes),
        gravity=gravity,
    )
    found = {joint.node: followed(objects[joint.node].joint, nodes) for joint in scene.joints}
    return replace(scene, couplings=couplings_of(scene.joints, found)), findings


def _left_behind(
    bodies: Mapping[int, ObjectBody], motions: Collection[int], parents: Indices
) -> Iterator[Finding]:
    """Yield the bodies whose imported shapes are gone."""
    counts = np.zeros(len(parents), np.intp)
    is_solid = np.zeros(len(parents), np.bool_)
    for node, body in bodies.items():
        is_solid[node] = body.is_solid
        counts[node] = body.values.shapes_below if node in motions else 0
    owners = nearest_above(parents, np.fromiter(motions, np.intp, len(motions)))
    for node in without_imported_shapes(owners, counts, is_solid).tolist():
        yield SHAPES_LEFT_BEHIND(bodies[node].obj.name, count=int(counts[node]))


def _articulations(
    bodies: Mapping[int, ObjectBody], motions: Collection[int]
) -> tuple[Articulation, ...]:
    """Return the trees whose roots are among bodies that move."""
    values = [(node, bodies[node].values) for node in motions]
    return tuple(
        Articulation(root=node, is_fixed=each.articulation_is_fixed)
        for node, each in values
        if each.articulation
    )


def excluded_pairs(
    bodies: Mapping[int, ObjectBody], motions: Collection[int], nodes: Nodes
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of bodies that do not collide, each once."""
    found: dict[frozenset[int], tuple[int, int]] = {}
    for node, body in bodies.items():
        others = (node_of(obj, nodes) for obj in body.excluded if node in motions)
        for other in others:
            if other in motions and other != node:
                found.setdefault(frozenset((node, other)), (node, other))
    return tuple(found.values())


def _with_numbers(motion: Motion, name: str, findings: list[Finding]) -> Motion:
    """Return a motion whose values are numbers, defaults where they are not."""
    lost: dict[str, Any] = {
        each: default for each, default in _NUMBERS if _is_lost(getattr(motion, each))
    }
    if not lost:
        return motion
    findings.append(NOT_A_NUMBER(name, names=", ".join(lost).replace("_", " ")))
    return replace(motion, **lost)


def _is_lost(value: float | tuple[float, ...]) -> bool:
    return any(map(math.isnan, value if isinstance(value, tuple) else (value,)))


def _joint_to_core(each: ObjectParts, nodes: Nodes, findings: list[Finding]) -> Joint | None:
    joint = each.joint
    is_joint = joint is not None and joint.values.enabled
    if joint is None or not is_joint or isinstance(each.obj, BodyBone):
        return None
    found = joint_to_core(each.obj, joint, nodes, findings)
    if found is not None and _is_any_lost_number(found.settings):
        findings.append(NOT_NUMBERS(each.obj.name))
        return None
    return found


def _is_any_lost_number(settings: JointSettings) -> bool:
    """Return whether a limit or drive has what is not a number, such as from broken keyframes."""
    parts: list[JointLimit | JointDrive] = [*settings.limits, *settings.drives]
    return any(value != value for each in parts for value in _VALUES[type(each)](each))


def followed(joint: ObjectJoint | None, nodes: Nodes) -> tuple[int, tuple[float, ...]] | None:
    """Return the node of what a joint follows, and the coefficients (`Coupling`)."""
    source = -1 if joint is None else node_of(joint.followed, nodes)
    return None if joint is None or source < 0 else (source, joint.values.coefficients)


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


def joint_to_core(
    obj: bpy.types.Object, joint: ObjectJoint, nodes: Nodes, findings: list[Finding]
) -> Joint | None:
    """Return the joint `obj`, None where its settings have no owner."""
    values, connected, owner, name = joint.values, joint.connected, obj, obj.name
    settings = values.settings
    if joint.source is not None:
        try:
            owner = settings_owner(obj)
        except SettingsCycleError as cycle:
            findings.append(SHARED_IN_CIRCLE(name, source=str(cycle)))
            return None
        settings = own_settings(owner)
        if node_of(joint.source, nodes) < 0 or joint_of(joint.source) is None:
            findings.append(SHARED_SOURCE_GONE(name, source=joint.source.name))
    end = node_of(connected, nodes)
    if connected is not None and end < 0:
        findings.append(CONNECTED_ELSEWHERE(name, connected=connected.name))
    findings += _not_expressed(obj, values.data_version)
    return Joint(
        node=node_of(obj, nodes),
        connected=None if end < 0 else end,
        settings=settings,
        enable_collision=values.enable_collision,
        attributes=values.attributes,
        carried=values.carried,
        place=name,
        settings_place=owner.name,
    )


def _not_expressed(obj: bpy.types.Object, data_version: int) -> Iterator[Finding]:
    """Yield what of a joint is not read as it is."""
    if count := animated_settings(obj):
        yield SETTINGS_ANIMATED(obj.name, count=count)
    if is_position_animated(obj):
        yield POSITION_ANIMATED(obj.name)
    if data_version > DATA_VERSION:
        yield SAVED_BY_NEWER(obj.name, version=data_version, known=DATA_VERSION)


def is_loose_frame(each: ObjectParts) -> bool:
    """Return whether an object is or was the connected frame of a joint, and is nothing else."""
    values = each.joint and each.joint.values
    is_frame = values is not None and values.is_connected_frame and not values.enabled
    return is_frame and (each.body is None or each.body.motion is None)


def node_of(obj: Node | None, nodes: Nodes) -> int:
    """Return the number of a node, -1 where there is none."""
    return -1 if obj is None else nodes.get(obj.session_uid, -1)


def carried_kinds(each: ObjectParts) -> frozenset[str]:
    """Return what the object carries beside its place in the tree (`PhysicsScene.carries`)."""
    obj, joint, body = each
    kinds = {carried} if (carried := _CARRIES.get(obj.type)) is not None else set()
    if obj.instance_type == "COLLECTION" and obj.instance_collection:
        kinds.add("instancer")
    if is_animated(obj):
        kinds.add("animation")
    if joint is not None and joint.values.is_frame_of_parent and parent_of(obj) is not None:
        kinds.add("frame")
    if body is None:
        return same(frozenset(kinds))
    is_joint = joint is not None and joint.values.enabled
    # What shares a node with a joint matters: shapes may have a node of their own.
    if body.is_solid and not (is_joint and _is_collider_apart(body)):
        kinds.add("collider")
    if body.is_trigger and not (is_joint and has_own_node(obj, trigger_shape_in(body))):
        kinds.add("trigger")
    return same(frozenset(kinds))


def _is_collider_apart(body: ObjectBody) -> bool:
    return has_own_node(body.obj, collider_shape_in(body, MeshReader(None)))

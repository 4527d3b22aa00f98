"""What the checks find in the joints of a file that is written, in the exporter's own log."""

from collections.abc import Iterable, Iterator

import bpy
import numpy as np

from ...core.checks.scene import check_errors
from ...core.checks.structure import NO_CONNECTED_NODE
from ...core.findings.finding import Finding
from ...core.model.body import Motion
from ...core.model.scene import Joint, PhysicsScene
from ...properties.bones import BodyBone, Node, object_of
from ...properties.joint import has_joint_data, joint_data
from ...scene.nodes import poses_of
from ...scene.reading import nodes_of
from ...scene.structure import joint_bodies, parent_of
from .joint_reading import JointReader
from .physics import ObjectPhysics, physics_of
from .report import Report
from .rules import BODY_HIDDEN, JOINT_EXCLUDED, JOINT_HIDDEN
from .upstream import WrittenNode

Known = dict[Node | None, ObjectPhysics]


def report_checks(
    nodes: list[WrittenNode], scene: bpy.types.Scene, reader: JointReader, report: Report
) -> None:
    """Report what keeps written joints from working; they are written all the same."""
    if not any(written.physics.is_joint for written in nodes):
        return
    known = {written.obj: written.physics for written in nodes}
    found = check_errors(_scene_to_core(scene, known, reader))
    names = {obj.name for obj in known if obj is not None} if found else set()
    # The export itself reports joints that are connected to nothing.
    reported = (item for item in found if item.rule is not NO_CONNECTED_NODE)
    report.add(item for item in reported if item.place in names)


def hidden_joints(
    objects: Iterable[bpy.types.Object], nodes: list[WrittenNode]
) -> Iterator[Finding]:
    """Yield joints of written bodies that an export of visible objects leaves out."""
    written = {node.obj for node in nodes}
    for obj in objects:
        if obj not in written and has_joint_data(obj) and joint_data(obj).enabled:
            bodies = {body for body in joint_bodies(obj) if body is not None}
            if bodies and bodies <= written:
                yield JOINT_HIDDEN(obj.name)


def hidden_bodies(
    objects: Iterable[bpy.types.Object], nodes: list[WrittenNode]
) -> Iterator[Finding]:
    """Yield bodies and colliders that an export of visible objects leaves out."""
    written = {node.obj for node in nodes}
    for obj in objects:
        if obj not in written and physics_of(obj).is_body_part:
            yield BODY_HIDDEN(obj.name)


def excluded_joints(scene: bpy.types.Scene) -> Iterator[Finding]:
    """Yield joints of which a part, but not all, is out of the scene's first view layer."""
    layer = scene.view_layers[0].objects
    if len(layer) == len(scene.objects):
        return
    shown = set(layer)
    for obj in scene.objects:
        if not has_joint_data(obj) or not joint_data(obj).enabled:
            continue
        found = (obj, joint_data(obj).connected_object, *joint_bodies(obj))
        parts = [object_of(part) for part in found if part is not None]
        out = [part for part in parts if part not in shown]
        if out and len(out) < len(parts):
            yield JOINT_EXCLUDED(obj.name, part=out[0].name)


def _scene_to_core(scene: bpy.types.Scene, known: Known, reader: JointReader) -> PhysicsScene:
    """Return what errors depend on: of bodies only their types, `known` ones not read again."""
    objects = nodes_of(scene)
    nodes: dict[Node | None, int] = {obj: i for i, obj in enumerate(objects)}
    parts = [known[obj] if obj in known else physics_of(obj) for obj in objects]
    types = [part.motion_type for part in parts]
    kinds = {kind: Motion(type=kind) for kind in set(types) if kind is not None}
    pairs = zip(objects, parts, strict=True)
    joints = (
        _joint(obj, nodes, reader)
        for obj, part in pairs
        if part.is_joint and not isinstance(obj, BodyBone)
    )
    return PhysicsScene(
        names=tuple([obj.name for obj in objects]),
        parents=np.array([nodes.get(parent_of(obj), -1) for obj in objects], dtype=np.intp),
        matrices=poses_of(scene, objects),
        motions={i: kinds[kind] for i, kind in enumerate(types) if kind is not None},
        joints=tuple(joint for joint in joints if joint is not None),
    )


def _joint(
    obj: bpy.types.Object,
    nodes: dict[Node | None, int],
    reader: JointReader,
) -> Joint | None:
    reading = reader.read(obj)
    if reading.owner is None:
        return None
    return Joint(
        node=nodes[obj],
        connected=None if reading.connected is None else nodes.get(reading.connected),
        settings=reader.settings_of(reading.owner),
        place=reading.name,
        settings_place=reading.name if reading.source is None else reading.owner.name,
    )

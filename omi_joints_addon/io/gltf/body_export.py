"""Bodies to a glTF file: OMI_physics_body on the nodes, with the shapes of OMI_physics_shape.

A shape that is not centered on its object, stands on another axis, or belongs to a scaled object is
written on a node of its own below the object's, which has no scale in the world.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import bpy

from ...core.model.axes import motion_to_gltf
from ...core.model.body import Motion
from ...properties.body import body_data, motion_of
from ...properties.collider import (
    ObjectShape,
    collider_shape_of,
    filter_of,
    material_of,
    trigger_shape_of,
    uses_collision_collections,
)
from ...properties.mesh_points import MeshReader
from ...properties.surface import physics_scene
from ..formats.gltf.members import CodecError, JsonObject
from ..formats.gltf.omi.body import (
    EXTENSION,
    NodeBody,
    NodeCollider,
    NodeTrigger,
    node_body_to_json,
)
from ..formats.gltf.rules import NODE_WITHOUT_TRIGGER, TRIGGER_NODE_ELSEWHERE
from .body_resources import BodyResources
from .joint_targets import Targets
from .meshes import modifier_depsgraph
from .report import Report
from .rules import BODY_LEFT_OUT
from .shape_export import ShapeNodes
from .upstream import ExportSettings, Node, WrittenNode, declare_extension, node_indices

Part = TypeVar("Part", NodeCollider, NodeTrigger)


@dataclass(slots=True, eq=False)
class _Compound:
    """A trigger that other triggers form; they get indices when the list of nodes is final."""

    written: WrittenNode
    trigger: JsonObject
    parts: list[Node]


class BodyExport:
    """The bodies of one export."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[Node, JsonObject]] = {}
        """Nodes with what they are to say, by the `id` of the node."""
        self._triggers: dict[WrittenNode, Node] = {}
        self._compounds: list[_Compound] = []
        self._resources = BodyResources()

    def add_scene(
        self,
        nodes: list[WrittenNode],
        scene: bpy.types.Scene,
        settings: ExportSettings,
        report: Report,
    ) -> None:
        """Note the bodies of a scene that has been gathered, and make the nodes of their shapes."""
        bodies = [written for written in nodes if written.physics.is_body_part]
        if not bodies:
            return
        self._resources.keep(physics_scene(scene))
        writer = _SceneWriter(nodes, bodies, scene, settings, report, self._resources)
        for written in bodies:
            assert written.obj is not None
            with report.guard(written.obj.name):
                self._add(written, writer, report)
        for written in bodies:
            self._add_compound(written, writer)

    def nodes(self) -> list[Node]:
        """Return the nodes that bodies are written onto."""
        return [node for node, _ in self._values.values()]

    def write(self, document: Any) -> None:
        """Write what nodes share into the document, its indices being final."""
        if not self._values:
            return
        indices = node_indices(document)
        for compound in self._compounds:
            compound.trigger["nodes"] = [indices[id(part)] for part in compound.parts]
        # Only now: the exporter walks through all that nodes say before, looking for references.
        for node, value in self._values.values():
            node.extensions = (node.extensions or {}) | {EXTENSION: value}
        self._resources.write(document)
        declare_extension(document, EXTENSION)

    def _add(self, written: WrittenNode, writer: "_SceneWriter", report: Report) -> None:
        obj = written.obj
        assert obj is not None
        try:
            values = list(writer.parts(written))
        except CodecError as error:
            report.add([BODY_LEFT_OUT(obj.name, problem=error.message)])
            return
        for node, value in values:
            self._values.setdefault(id(node), (node, {}))[1].update(value)
            if "trigger" in value:
                self._triggers[written] = node

    def _add_compound(self, written: WrittenNode, writer: "_SceneWriter") -> None:
        """Note which triggers form the trigger of an object."""
        node = self._triggers.get(written)
        if node is None or written.obj is None or not body_data(written.obj).trigger.nodes:
            return
        parts = [self._triggers[part] for part in writer.trigger_parts(written, self._triggers)]
        if parts:
            trigger = self._values[id(node)][1]["trigger"]
            # Of a compound the schema allows nothing else.
            for name in ("shape", "collisionFilter"):
                trigger.pop(name, None)
            self._compounds.append(_Compound(written, trigger, parts))


class _SceneWriter:
    """Makes the parts of bodies of one scene."""

    def __init__(
        self,
        nodes: list[WrittenNode],
        bodies: list[WrittenNode],
        scene: bpy.types.Scene,
        settings: ExportSettings,
        report: Report,
        resources: BodyResources,
    ) -> None:
        self._scene = scene
        self._settings = settings
        self._report = report
        self._resources = resources
        self._reader = MeshReader(modifier_depsgraph(settings))
        self._shapes = ShapeNodes(nodes, settings, report, resources, self._reader)
        objects = [written.obj for written in bodies if written.obj is not None]
        self._use_collections = uses_collision_collections(objects)
        triggers = (body_data(obj).trigger for obj in objects)
        wanted = [item.node for t in triggers if t.enabled for item in t.nodes]
        self._targets = Targets(nodes if wanted else [], wanted)
        self._motions: dict[tuple[Motion, bool], JsonObject] = {}
        self._colliders: dict[NodeCollider, JsonObject] = {}

    def parts(self, written: WrittenNode) -> Iterator[tuple[Node, JsonObject]]:
        """Yield the nodes of an object's body with what each says; raises `CodecError`."""
        obj = written.obj
        assert obj is not None
        data = body_data(obj)
        motion = None if written.physics.motion_type is None else motion_of(obj)
        if motion is not None or data.carried:
            yield written.node, self._body(written, motion, data.carried)
        if written.physics.is_solid:
            yield self._collider(written, obj, collider_shape_of(obj, self._reader))
        if written.physics.is_trigger:
            yield self._trigger(written, obj, trigger_shape_of(obj))
        if written.physics.is_solid and data.collider.is_hidden:
            written.node.mesh = None

    def trigger_parts(
        self, written: WrittenNode, triggers: dict[WrittenNode, Node]
    ) -> list[WrittenNode]:
        """Return the triggers that form the one of an object; what cannot is a finding."""
        obj = written.obj
        assert obj is not None
        parts: list[WrittenNode] = []
        for item in body_data(obj).trigger.nodes:
            name = "" if item.node is None else item.node.name
            part = None if item.node is None else self._targets.nearest(written, item.node)
            if part is None or not _is_above(written, part):
                self._report.add([TRIGGER_NODE_ELSEWHERE(obj.name, index=repr(name))])
            elif part not in triggers:
                self._report.add([NODE_WITHOUT_TRIGGER(obj.name, index=repr(name))])
            elif part not in parts:
                parts.append(part)
        return parts

    def _body(self, written: WrittenNode, motion: Motion | None, carried: str) -> JsonObject:
        """Return what a body says in the axes of its node, equal motions as the same object."""
        body = node_body_to_json(NodeBody(carried=carried)) if carried else {}
        return body if motion is None else {"motion": self._motion(written, motion)} | body

    def _motion(self, written: WrittenNode, motion: Motion) -> JsonObject:
        """Return a motion as JSON; the axes of cameras and lights keep their names."""
        is_renamed = bool(self._settings["gltf_yup"]) and not written.is_turned
        key = motion, is_renamed
        if key not in self._motions:
            body = NodeBody(motion=motion_to_gltf(motion) if is_renamed else motion)
            self._motions[key] = node_body_to_json(body)["motion"]
        return self._motions[key]

    def _collider(
        self, written: WrittenNode, obj: bpy.types.Object, shape: ObjectShape | None
    ) -> tuple[Node, JsonObject]:
        node, index = self._shapes.place(written, shape, "{} Shape")
        use_collections = self._use_collections
        collider = NodeCollider(
            shape=index,
            physics_material=self._resources.material(material_of(obj)),
            collision_filter=self._resources.filter(
                filter_of(obj, self._scene, use_collections=use_collections)
            ),
            carried=body_data(obj).collider.carried,
        )
        if collider not in self._colliders:
            body = NodeBody(collider=kept(collider))
            self._colliders[collider] = node_body_to_json(body)["collider"]
        return node, {"collider": dict(self._colliders[collider])}

    def _trigger(
        self, written: WrittenNode, obj: bpy.types.Object, shape: ObjectShape | None
    ) -> tuple[Node, JsonObject]:
        node, index = self._shapes.place(written, shape, "{} Trigger")
        data = body_data(obj).trigger
        trigger = NodeTrigger(
            shape=index,
            collision_filter=self._resources.filter(data.collision_filter.to_core()),
            carried=data.carried,
        )
        return node, node_body_to_json(NodeBody(trigger=kept(trigger)))


def kept(part: Part) -> Part:
    """Return a collider or trigger that says something.

    The exporter drops empty objects (`export.__fix_json`); -1 is how the specification says no
    shape.
    """
    return replace(part, shape=-1) if part == type(part)() else part


def _is_above(written: WrittenNode, part: WrittenNode) -> bool:
    above = part.parent
    while above is not None and above is not written:
        above = above.parent
    return above is not None

"""Bodies of Blender's objects into what an export gathers.

A shape that is not centered on its object, stands on another axis, or belongs to a scaled object is
written on a node of its own below the object's, which has no scale in the world.
"""

import bpy

from ...core.findings.loss import Noun
from ...core.model.body import Collider, Trigger
from ...core.model.shape import Shape
from ...properties.body_reading import ObjectBody
from ...properties.bones import BodyBone
from ...properties.collider import (
    ObjectCollider,
    read_collider,
    trigger_shape_in,
    uses_collision_collections,
)
from ...properties.mesh_points import MeshReader
from ...properties.surface import physics_scene
from ...scene.animation import animated_paths
from ...scene.reading import scene_gravity
from ..formats.gltf.kept import KeptObjects
from ..formats.gltf.members import CodecError, merged
from ..formats.gltf.rules import NODE_WITHOUT_TRIGGER, TRIGGER_NODE_ELSEWHERE
from .body_animation import AnimatedBody
from .gathered import Gathered
from .joint_targets import Targets
from .meshes import evaluated, modifier_depsgraph
from .report import Report
from .rules import BODY_LEFT_OUT
from .shape_export import ShapeNodes
from .upstream import ExportSettings, FileNode, WrittenNode


def add_bodies(
    gathered: Gathered,
    nodes: list[WrittenNode],
    scene: bpy.types.Scene,
    settings: ExportSettings,
    report: Report,
) -> None:
    """Add the bodies of a scene that has been gathered, and make the nodes of their shapes."""
    bodies = [written for written in nodes if written.physics.is_body_part]
    if not bodies:
        return
    shared = physics_scene(scene)
    gathered.kept |= KeptObjects(bodies=shared.bodies_carried, shapes=shared.shapes_carried)
    if gathered.gravity is None:
        gathered.gravity = scene_gravity(scene)
    writer = _SceneBodies(gathered, nodes, bodies, scene, settings, report)
    for written in bodies:
        assert written.physics.body is not None
        with report.guard(written.physics.body.obj.name):
            writer.add(written, written.physics.body)
    for written in [written for written in bodies if written.physics.is_trigger]:
        assert written.physics.body is not None
        with report.guard(written.physics.body.obj.name):
            writer.add_compound(written, written.physics.body)
    for written in bodies:
        body = written.physics.body
        if body is not None and body.excluded:
            writer.add_excluded(written, body)
    for written in writer.hidden:
        written.node.mesh = None


class _SceneBodies:
    """Adds the bodies of one scene."""

    def __init__(
        self,
        gathered: Gathered,
        nodes: list[WrittenNode],
        bodies: list[WrittenNode],
        scene: bpy.types.Scene,
        settings: ExportSettings,
        report: Report,
    ) -> None:
        self._gathered = gathered
        self._scene = scene
        self._report = report
        self._reader = MeshReader(modifier_depsgraph(settings), simulated=evaluated())
        self._shapes = ShapeNodes(gathered, nodes, settings, report, self._reader)
        objects = [written.obj for written in bodies if written.obj is not None]
        self._use_collections = uses_collision_collections(objects)
        each = (written.physics for written in bodies)
        triggers = [found.body for found in each if found.is_trigger and found.body is not None]
        wanted = [part for body in triggers for part in body.trigger_nodes]
        found = (written.physics.body for written in bodies)
        wanted += [other for body in found if body is not None for other in body.excluded]
        self._targets = Targets(nodes if wanted else [], wanted)
        self.hidden: list[WrittenNode] = []
        """Nodes whose meshes are for collisions only: other shapes may be of these meshes."""
        self._triggers: dict[WrittenNode, int] = {}
        self._colliders: dict[Collider, Collider] = {}
        """Equal colliders as one object."""
        self._known: dict[tuple[int, int, int, str], Collider] = {}
        """The same by `id` of their parts, which are kept alive by them: quicker to find."""

    def add(self, written: WrittenNode, body: ObjectBody) -> None:
        """Add what an object is as a body."""
        values, physics = body.values, written.physics
        if physics.motion_type is not None or values.carried:
            number = self._gathered.number(written.node, body.obj.name)
            if physics.motion_type is not None:
                motion = body.motion_as(physics.motion_type)
                self._gathered.add_motion(number, motion, is_turned=written.is_turned)
                if values.articulation:
                    self._gathered.articulations[number] = values.articulation_is_fixed
            if values.carried:
                self._carry(number, values.carried, body.obj.name)
        collider = self._add_collider(written, body) if physics.is_solid else None
        if physics.is_trigger:
            self._add_trigger(written, body)
        if not isinstance(body.obj, BodyBone) and animated_paths(body.obj):
            animated = AnimatedBody(body.obj, written.node, collider, written.is_turned)
            self._gathered.animated.append(animated)

    def _carry(self, number: int, members: str, name: str) -> None:
        """Note members that nobody knows, unless they are damaged."""
        try:
            merged({}, members, frozenset(), "")
        except CodecError as error:
            found = BODY_LEFT_OUT(name, problem=error.message, part=str(Noun.CARRIED))
            self._report.add([found])
        else:
            self._gathered.carry(number, members)

    def add_compound(self, written: WrittenNode, body: ObjectBody) -> None:
        """Note which triggers form the trigger of an object."""
        number = self._triggers.get(written)
        if number is None or not body.trigger_nodes:
            return
        parts = tuple(self._triggers[part] for part in self._trigger_parts(written, body))
        if parts:
            # Of a compound the schema allows nothing else.
            trigger = self._gathered.triggers[number]
            self._gathered.triggers[number] = Trigger(nodes=parts, carried=trigger.carried)

    def add_excluded(self, written: WrittenNode, body: ObjectBody) -> None:
        """Note which bodies a body does not collide with."""
        for obj in body.excluded if written.physics.motion_type is not None else ():
            other = None if obj is None else self._targets.nearest(written, obj)
            if obj is None or other is None or other.physics.motion_type is None:
                continue
            one, two = (
                self._gathered.number(each.node, name)
                for each, name in ((written, body.obj.name), (other, obj.name))
            )
            others = self._gathered.excluded.setdefault(one, [])
            if two not in others and one not in self._gathered.excluded.get(two, ()):
                others.append(two)

    def _add_collider(self, written: WrittenNode, body: ObjectBody) -> FileNode:
        """Add the collider of an object and return the node that has it."""
        read = read_collider(body, self._reader, self._scene, use_collections=self._use_collections)
        node, shape = self._shapes.place(written, read.shape, "{} Shape")
        number = self._gathered.number(node, body.obj.name)
        self._gathered.colliders[number] = self._collider(shape, read)
        if read.is_hidden:
            self.hidden.append(written)
        return node

    def _collider(self, shape: Shape | None, read: ObjectCollider) -> Collider:
        """Return a collider, the same for equal ones."""
        material, collision_filter, carried = read.material, read.collision_filter, read.carried
        key = id(shape), id(material), id(collision_filter), carried
        if (found := self._known.get(key)) is None:
            collider = Collider(
                shape=shape, material=material, collision_filter=collision_filter, carried=carried
            )
            found = self._colliders.setdefault(collider, collider)
            if found is collider:
                self._known[key] = found
        return found

    def _add_trigger(self, written: WrittenNode, body: ObjectBody) -> None:
        trigger = body.values.trigger
        node, shape = self._shapes.place(written, trigger_shape_in(body), "{} Trigger")
        number = self._triggers[written] = self._gathered.number(node, body.obj.name)
        self._gathered.triggers[number] = Trigger(
            shape=shape, collision_filter=trigger.collision_filter, carried=trigger.carried
        )

    def _trigger_parts(self, written: WrittenNode, body: ObjectBody) -> list[WrittenNode]:
        """Return the triggers that form the one of an object; what cannot is a finding."""
        parts: list[WrittenNode] = []
        for node in body.trigger_nodes:
            name = "" if node is None else node.name
            part = None if node is None else self._targets.nearest(written, node)
            if part is None or written not in part.nodes_above():
                self._report.add([TRIGGER_NODE_ELSEWHERE(body.obj.name, index=repr(name))])
            elif part not in self._triggers:
                self._report.add([NODE_WITHOUT_TRIGGER(body.obj.name, index=repr(name))])
            elif part not in parts:
                parts.append(part)
        return parts

"""The physics of a scene, as the arrays and nodes of a document. Axes of glTF.

Resources of the document that the scene was read from keep their places, also those that nobody
uses; new ones come behind.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ....core.findings.loss import How, Loss, Noun
from ....core.model.axes import motion_to_gltf, shape_to_gltf
from ....core.model.body import Collider, Motion, Trigger
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.shape import MeshShape, Shape
from .beyond import NOTHING_BEYOND, Beyond, beyond_of
from .dialect_physics import Physics, khr_value
from .khr.rigid_bodies import NodePhysics
from .omi.body import NodeBody, NodeCollider, NodeTrigger
from .omi.joint import NodeJoint

_NOTHING = NodePhysics()
_NO_COLLIDER = NodeCollider()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SceneContent:
    """Bodies and joints by numbers of their nodes: what of a scene is physics."""

    names: Sequence[str]
    """Name of each node."""
    motions: Mapping[int, Motion]
    colliders: Mapping[int, Collider]
    triggers: Mapping[int, Trigger]
    joints: Sequence[Joint]
    beyond: Beyond = NOTHING_BEYOND
    animated: Mapping[int, Hashable] = field(default_factory=dict)
    """By the node of a joint, what changes its settings over time: others do not share them."""


def content_of(scene: PhysicsScene) -> SceneContent:
    """Return the physics of a scene."""
    return SceneContent(
        names=scene.names,
        motions=scene.motions,
        colliders=scene.colliders,
        triggers=scene.triggers,
        joints=scene.joints,
        beyond=beyond_of(scene),
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Places:
    """Where the nodes and meshes of a scene are in a document."""

    nodes: Mapping[int, int]
    """Node of the document for each node of the scene."""
    frames: Mapping[int, int] = field(default_factory=dict)
    """Node of the document that is the frame of a node of the scene, where that is another one."""
    meshes: Mapping[int, int] = field(default_factory=dict)
    turned: frozenset[int] = frozenset()
    """Nodes of the scene whose axes have the same names in the document."""
    is_z_up: bool = False
    """Whether the document keeps Blender's axes, against the specification."""

    def frame(self, node: int) -> int:
        """Return the node of the document that is the frame of a node of the scene."""
        return self.frames.get(node, self.nodes[node])


class _Array:
    def __init__(self, elements: Sequence[Any]) -> None:
        self.elements: list[Any] = list(elements)
        self._values: dict[Any, int] | None = None
        self._own: set[int] = set()
        """Elements that nothing else shares."""

    def add(self, element: Any) -> int:
        """Add an element of its own, whatever is there."""
        self._own.add(len(self.elements))
        self.elements.append(element)
        return len(self.elements) - 1

    def index(self, element: Any, hint: int | None = None) -> int:
        """Return the index of an element, which is added where none has the same value."""
        if hint is not None and hint < len(self.elements):
            there = self.elements[hint]
            if there is element or there == element:
                return hint
        found = self._exact.get(element)
        if found is None:
            found = self._alike(element)
        self._exact[element] = found
        return found

    @cached_property
    def _exact(self) -> dict[Any, int]:
        """The elements; they are not looked up in a document that stays as it is."""
        return dict(reversed([(element, at) for at, element in self._shared()]))

    def _shared(self) -> Iterator[tuple[int, Any]]:
        """Yield what others may share, with its index."""
        for at, element in enumerate(self.elements):
            if element is not None and at not in self._own:
                yield at, element

    def _alike(self, element: Any) -> int:
        """Return the index of an element with the same value in KHR, which is added if need be."""
        if self._values is None:
            known = [(khr_value(there), at) for at, there in self._shared()]
            self._values = dict(reversed(known))
        value = khr_value(element)
        if value not in self._values:
            self._values[value] = len(self.elements)
            self.elements.append(element)
        return self._values[value]


class ScenePhysics:
    """Makes the physics of a document of a scene; what has no place there is in `losses`."""

    def __init__(self, scene: SceneContent, places: Places, base: Physics) -> None:
        self.losses: list[Loss] = []
        self._scene = scene
        self._places = places
        self._base = base
        self._shapes = _Array(base.shapes)
        self._materials = _Array(base.bodies.materials)
        self._filters = _Array(base.bodies.filters)
        self._settings = _Array(base.joints.settings)
        self._same: dict[tuple[int, int, int, bool], NodePhysics] = {}
        """Bodies by `id` of motion and collider and of what the document says: most are alike."""
        self._colliders: dict[int, NodeCollider] = {}
        """Colliders that no document says yet, by their `id`."""
        self._indices: dict[Hashable, int] = {}
        """Index of settings that no document says yet by their `id`, which is quick to find."""

    def physics(self) -> Physics:
        """Return the physics, in the dialect of the document that the scene was read from."""
        nodes = {self._places.nodes[node]: self._body(node) for node in self._body_nodes()}
        for joint in self._scene.joints:
            node = self._places.frame(joint.node)
            body = nodes.get(node, _NOTHING).body
            nodes[node] = NodePhysics(body=body, joint=self._joint(node, joint))
        for node, known in self._base.nodes.items():
            # Unknown members are kept where nothing else is left.
            if node not in nodes and known.body.carried:
                nodes[node] = NodePhysics(body=NodeBody(carried=known.body.carried))
        return self._base._replace(
            bodies=self._base.bodies._replace(
                materials=tuple(self._materials.elements),
                filters=tuple(self._filters.elements),
            ),
            joints=self._base.joints._replace(settings=tuple(self._settings.elements)),
            shapes=tuple(self._shapes.elements),
            nodes=dict(sorted(nodes.items())),
        )

    def beyond(self) -> Beyond:
        """Return what the document has in extras, by its nodes."""
        return self._scene.beyond.placed(self._places.frame, self._places.nodes.__getitem__)

    def _body_nodes(self) -> list[int]:
        scene = self._scene
        return sorted({*scene.motions, *scene.colliders, *scene.triggers})

    def _body(self, node: int) -> NodePhysics:
        scene = self._scene
        motion, collider = scene.motions.get(node), scene.colliders.get(node)
        if node in scene.triggers:
            return self._new_body(node, motion, collider)
        known = self._known(self._places.nodes[node]).body
        key = id(motion), id(collider), id(known), node in self._places.turned
        if (found := self._same.get(key)) is None:
            lost = len(self.losses)
            found = self._new_body(node, motion, collider)
            if len(self.losses) == lost:
                self._same[key] = found
        return found

    def _new_body(self, node: int, motion: Motion | None, collider: Collider | None) -> NodePhysics:
        known = self._known(self._places.nodes[node]).body
        trigger = self._scene.triggers.get(node)
        is_kept = self._places.is_z_up or node in self._places.turned
        body = NodeBody(
            motion=motion if motion is None or is_kept else motion_to_gltf(motion),
            collider=None if collider is None else self._collider(node, collider, known.collider),
            trigger=None if trigger is None else self._trigger(node, trigger, known.trigger),
            carried=known.carried,
        )
        return NodePhysics(body=body)

    def _known(self, node: int) -> NodePhysics:
        return self._base.nodes.get(node, _NOTHING)

    def _collider(self, node: int, collider: Collider, known: NodeCollider | None) -> NodeCollider:
        if known is not None:
            return self._new_collider(node, collider, known)
        if (found := self._colliders.get(id(collider))) is None:
            lost = len(self.losses)
            found = self._new_collider(node, collider, _NO_COLLIDER)
            if len(self.losses) == lost:
                self._colliders[id(collider)] = found
        return found

    def _new_collider(self, node: int, collider: Collider, known: NodeCollider) -> NodeCollider:
        material, collision_filter = collider.material, collider.collision_filter
        return NodeCollider(
            shape=self._shape(node, collider.shape, known.shape),
            physics_material=None
            if material is None
            else self._materials.index(material, known.physics_material),
            collision_filter=None
            if collision_filter is None
            else self._filters.index(collision_filter, known.collision_filter),
            carried=collider.carried,
        )

    def _trigger(self, node: int, trigger: Trigger, known: NodeTrigger | None) -> NodeTrigger:
        known = known or NodeTrigger()
        collision_filter = trigger.collision_filter
        return NodeTrigger(
            shape=self._shape(node, trigger.shape, known.shape),
            nodes=tuple(self._places.nodes[part] for part in trigger.nodes),
            collision_filter=None
            if collision_filter is None
            else self._filters.index(collision_filter, known.collision_filter),
            carried=trigger.carried,
        )

    def _shape(self, node: int, shape: Shape | None, hint: int | None) -> int | None:
        if shape is None:
            return None
        if isinstance(shape, MeshShape):
            mesh = None if shape.mesh is None else self._places.meshes.get(shape.mesh)
            if mesh is None:
                name = self._scene.names[node]
                self.losses.append(Loss(name, Noun.SHAPE, How.LOST, "the mesh is missing"))
                return None
            return self._shapes.index(replace(shape, mesh=mesh), hint)
        return self._shapes.index(shape if self._places.is_z_up else shape_to_gltf(shape), hint)

    def _joint(self, node: int, joint: Joint) -> NodeJoint | None:
        if joint.connected is None:
            name = self._scene.names[joint.node]
            self.losses.append(Loss(name, Noun.JOINT, How.LOST, "it has no connected node"))
            return None
        return NodeJoint(
            joint=self._settings_index(joint, self._known(node).joint),
            connected_node=self._places.frame(joint.connected),
            enable_collision=joint.enable_collision,
            carried=joint.carried,
        )

    def _settings_index(self, joint: Joint, known: NodeJoint | None) -> int:
        if known is not None:
            return self._settings.index(joint.settings, known.joint)
        changes = self._scene.animated.get(joint.node)
        key = id(joint.settings) if changes is None else (joint.settings, changes)
        if (index := self._indices.get(key)) is None:
            add = self._settings.index if changes is None else self._settings.add
            index = self._indices[key] = add(joint.settings)
        return index

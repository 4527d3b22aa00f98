"""What a scene says of physics, as the arrays and nodes of a document. Axes of glTF.

Resources of the document that the scene was read from keep their places, also those that nobody
uses; new ones come behind.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ....core.findings.loss import How, Loss, Noun
from ....core.model.axes import motion_to_gltf, shape_to_gltf
from ....core.model.body import Collider, Trigger
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.shape import MeshShape, Shape
from .dialect_physics import Physics, said_of
from .khr.rigid_bodies import NodePhysics
from .omi.body import NodeBody, NodeCollider, NodeTrigger
from .omi.joint import NodeJoint


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

    def frame(self, node: int) -> int:
        """Return the node of the document that is the frame of a node of the scene."""
        return self.frames.get(node, self.nodes[node])


class _Array:
    """Elements of one array of the document."""

    def __init__(self, elements: tuple[Any, ...]) -> None:
        self.elements: list[Any] = list(elements)
        self._exact: dict[Any, int] = {}
        self._said: dict[Any, int] | None = None
        for index, element in enumerate(elements):
            if element is not None:
                self._exact.setdefault(element, index)

    def index(self, element: Any, hint: int | None = None) -> int:
        """Return the index of an element, which is added where there is none that says the same."""
        if hint is not None and hint < len(self.elements) and self.elements[hint] == element:
            return hint
        found = self._exact.get(element)
        if found is None:
            found = self._saying(element)
        self._exact[element] = found
        return found

    def _saying(self, element: Any) -> int:
        """Return the index of an element that says the same in KHR, which is added if need be."""
        if self._said is None:
            known = [(said_of(there), at) for at, there in enumerate(self.elements) if there]
            self._said = dict(reversed(known))
        said = said_of(element)
        if said not in self._said:
            self._said[said] = len(self.elements)
            self.elements.append(element)
        return self._said[said]


class ScenePhysics:
    """Makes the physics of a document of a scene; what has no place there is in `losses`."""

    def __init__(self, scene: PhysicsScene, places: Places, base: Physics) -> None:
        self.losses: list[Loss] = []
        self._scene = scene
        self._places = places
        self._base = base
        self._shapes = _Array(base.shapes)
        self._materials = _Array(base.bodies.materials)
        self._filters = _Array(base.bodies.filters)
        self._settings = _Array(base.joints.settings)

    def physics(self) -> Physics:
        """Return the physics, in the dialect of the document that the scene was read from."""
        bodies = {self._places.nodes[node]: self._body(node) for node in self._body_nodes()}
        nodes = {node: NodePhysics(body=body) for node, body in bodies.items()}
        for joint in self._scene.joints:
            node = self._places.frame(joint.node)
            body = nodes[node].body if node in nodes else NodeBody()
            nodes[node] = NodePhysics(body=body, joint=self._joint(node, joint))
        for node, known in self._base.nodes.items():
            # Unknown members are kept where nothing else is left.
            if node not in nodes and known.body.carried:
                nodes[node] = NodePhysics(body=NodeBody(carried=known.body.carried))
        return replace(
            self._base,
            bodies=replace(
                self._base.bodies,
                materials=tuple(self._materials.elements),
                filters=tuple(self._filters.elements),
            ),
            joints=replace(self._base.joints, settings=tuple(self._settings.elements)),
            shapes=tuple(self._shapes.elements),
            nodes=dict(sorted(nodes.items())),
        )

    def _body_nodes(self) -> list[int]:
        scene = self._scene
        return sorted({*scene.motions, *scene.colliders, *scene.triggers})

    def _body(self, node: int) -> NodeBody:
        scene = self._scene
        known = self._known(self._places.nodes[node]).body
        motion = scene.motions.get(node)
        if motion is not None and node not in self._places.turned:
            motion = motion_to_gltf(motion)
        collider, trigger = scene.colliders.get(node), scene.triggers.get(node)
        return NodeBody(
            motion=motion,
            collider=None if collider is None else self._collider(node, collider, known.collider),
            trigger=None if trigger is None else self._trigger(node, trigger, known.trigger),
            carried=known.carried,
        )

    def _known(self, node: int) -> NodePhysics:
        return self._base.nodes.get(node, NodePhysics())

    def _collider(self, node: int, collider: Collider, known: NodeCollider | None) -> NodeCollider:
        known = known or NodeCollider()
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
        return self._shapes.index(shape_to_gltf(shape), hint)

    def _joint(self, node: int, joint: Joint) -> NodeJoint | None:
        if joint.connected is None:
            name = self._scene.names[joint.node]
            self.losses.append(Loss(name, Noun.JOINT, How.LOST, "it has no connected node"))
            return None
        known = self._known(node).joint
        return NodeJoint(
            joint=self._settings.index(joint.settings, None if known is None else known.joint),
            connected_node=self._places.frame(joint.connected),
            enable_collision=joint.enable_collision,
            carried=joint.carried,
        )

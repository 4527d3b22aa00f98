"""Bodies and joints of an export, by numbers of their nodes until these have indices.

The axes are Blender's. What nodes share is one object, as far as it is equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.model.attributes import JointAttributes
from ...core.model.body import Collider, Motion, Trigger, Vector
from ...core.model.scene import Joint
from ..formats.gltf.beyond import Beyond, Follows
from ..formats.gltf.dialect_physics import Physics
from ..formats.gltf.kept import KeptObjects
from ..formats.gltf.khr.rigid_bodies import NodePhysics
from ..formats.gltf.omi.body import NodeBody
from ..formats.gltf.scene_physics import Places, SceneContent
from .body_animation import AnimatedBody
from .meshes import MeshHolder
from .upstream import FileNode


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """What was gathered, in places of the document."""

    content: SceneContent
    places: Places
    base: Physics


class Gathered:
    """The physics of one export."""

    def __init__(self) -> None:
        self.nodes: list[FileNode] = []
        """Nodes of the file that mean something of physics."""
        self.motions: dict[int, Motion] = {}
        self.colliders: dict[int, Collider] = {}
        self.triggers: dict[int, Trigger] = {}
        self.joints: list[Joint] = []
        self.keyed: dict[int, str] = {}
        """By the node of each joint whose limits or drives are animated, the name of the owner."""
        self.attributes: dict[int, JointAttributes] = {}
        self.follows: dict[int, Follows] = {}
        self.articulations: dict[int, bool] = {}
        self.excluded: dict[int, list[int]] = {}
        self.animated: list[AnimatedBody] = []
        """Bodies and colliders whose values may be keyed."""
        self.kept = KeptObjects()
        """What imports kept of their documents."""
        self.gravity: Vector | None = None
        """Gravity of the first scene with bodies [m/s²]."""
        self._names: list[str] = []
        self._numbers: dict[int, int] = {}
        self._carried: dict[int, str] = {}
        self._turned: set[int] = set()
        self._meshes: list[MeshHolder] = []

    def number(self, node: FileNode, name: str) -> int:
        """Return the number of a node; `name` is what findings call it by."""
        found = self._numbers.setdefault(id(node), len(self.nodes))
        if found == len(self.nodes):
            self.nodes.append(node)
            self._names.append(name)
        return found

    def add_motion(self, number: int, motion: Motion, *, is_turned: bool) -> None:
        """Note a motion; `is_turned` says that the node has the axes of the object."""
        self.motions[number] = motion
        if is_turned:
            self._turned.add(number)

    def carry(self, number: int, members: str) -> None:
        """Note members of a body that nobody knows, as JSON object text."""
        self._carried[number] = members

    def add_mesh(self, holder: MeshHolder) -> int:
        """Return the number of a mesh that gets its index on the way."""
        self._meshes.append(holder)
        return len(self._meshes) - 1

    def placed(self, indices: Mapping[int, int], *, is_z_up: bool) -> Placed:
        """Return all in places of the document; `indices` are those of nodes by their `id`.

        `is_z_up` says that the document keeps Blender's axes.
        """
        nodes = {number: indices[id(node)] for number, node in enumerate(self.nodes)}
        content = SceneContent(
            names=self._names,
            motions=self.motions,
            colliders=self.colliders,
            triggers=self.triggers,
            joints=self.joints,
            animated=self.keyed,
            beyond=Beyond(
                attributes=self.attributes,
                follows=self.follows,
                articulations=self.articulations,
                excluded=self.excluded,
            ),
        )
        places = Places(
            nodes=nodes,
            meshes={number: holder.take_index() for number, holder in enumerate(self._meshes)},
            turned=frozenset(self._turned),
            is_z_up=is_z_up,
        )
        carried = {nodes[n]: NodeBody(carried=members) for n, members in self._carried.items()}
        physics = Physics(nodes={node: NodePhysics(body=body) for node, body in carried.items()})
        return Placed(content, places, physics)

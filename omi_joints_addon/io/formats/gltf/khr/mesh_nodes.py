"""Nodes that lend their mesh to a geometry of KHR_physics_rigid_bodies, which refers to nodes."""

from .....core.model.plain import JsonObject
from ..document_members import children_of, extension_of, lists_of_roots, nodes_of
from .rigid_bodies import EXTENSION


class MeshNodes:
    """Finds or makes nodes that provide a mesh and nothing below it.

    A new one is outside of all scenes, so that nothing shows it.
    """

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._nodes: dict[int, int] = {}
        for index, node in enumerate(nodes_of(document)):
            mesh = node.get("mesh")
            if isinstance(mesh, int) and not children_of(node) and "skin" not in node:
                self._nodes.setdefault(mesh, index)

    def __call__(self, mesh: int) -> int:
        """Return a node whose geometry is a mesh and nothing else."""
        if mesh not in self._nodes:
            nodes = self._document.setdefault("nodes", [])
            self._nodes[mesh] = len(nodes)
            nodes.append({"mesh": mesh})
        return self._nodes[mesh]


def mesh_nodes(document: JsonObject) -> set[int]:
    """Return the nodes outside of all scenes that only lend their mesh to geometries."""
    nodes = nodes_of(document)
    lent = {
        _geometry_node(extension_of(node, EXTENSION), part)
        for node in nodes
        for part in ("collider", "trigger")
    }
    roots = [index for listed in lists_of_roots(document) for index in listed]
    shown = {index for index in roots if isinstance(index, int)}
    shown |= {child for node in nodes for child in children_of(node)}
    return {
        index
        for index in lent - shown
        if index is not None
        and 0 <= index < len(nodes)
        and not {"children", "skin", "extensions"} & set(nodes[index])
    }


def _geometry_node(value: object, part: str) -> int | None:
    for name in (part, "geometry", "node"):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, int) else None

"""Bodies to a glTF file: OMI_physics_body on the nodes of the objects that have a motion."""

from typing import Any

import bpy

from ..core.findings import finding
from ..properties.body import body_data, motion_of
from .codec.members import CodecError
from .codec.omi_physics_body import EXTENSION, NodeBody, node_body_to_json
from .gltf_upstream import Node, WrittenNode, declare_extension
from .report import Report


def has_body_part(obj: bpy.types.Object | None) -> bool:
    """Return whether an object's node says something of physics in its own axes."""
    if obj is None:
        return False
    body = body_data(obj)
    is_collider = body.collider.source == "CUSTOM"
    return is_collider or body.trigger.enabled or motion_of(obj) is not None


class BodyExport:
    """The bodies of one export."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    def add_scene(self, nodes: list[WrittenNode], report: Report) -> None:
        """Write bodies onto the nodes of a scene that has been gathered."""
        for written in nodes:
            motion = motion_of(written.obj)
            if motion is None or written.obj is None:
                continue
            with report.guard(written.obj.name):
                try:
                    body = node_body_to_json(NodeBody(motion=motion))
                except CodecError as error:
                    report.add([finding("OMI-B011", written.obj.name, problem=error.message)])
                    continue
                written.node.extensions = (written.node.extensions or {}) | {EXTENSION: body}
                self._nodes.append(written.node)

    def nodes(self) -> list[Node]:
        """Return the nodes that bodies were written onto."""
        return self._nodes

    def write(self, document: Any) -> None:
        """Declare the extension in the document, its indices being final."""
        if self._nodes:
            declare_extension(document, EXTENSION)

"""Bodies from a glTF file: OMI_physics_body of the nodes to `Object.omi_body`."""

from typing import Any

from ..properties.body import body_data, motion_from_core
from .codec.members import CodecError
from .codec.omi_physics_body import EXTENSION, NodeBody, node_body_from_json
from .gltf_upstream import imported_object, is_bone, node_extension, nodes_of
from .report import Report


def has_body_part(node: Any) -> bool:
    """Return whether a node of the file says something of physics in its own axes."""
    return node_extension(node, EXTENSION) is not None


class BodyImport:
    """The bodies of one file."""

    def __init__(self) -> None:
        self._bodies: dict[int, NodeBody] = {}

    def read(self, importer: Any, report: Report) -> None:
        """Read the bodies before anything is created."""
        for index, node in enumerate(nodes_of(importer)):
            if (value := node_extension(node, EXTENSION)) is None:
                continue
            with report.guard(f"node {index}"):
                pointer = f"/nodes/{index}/extensions/{EXTENSION}"
                try:
                    self._bodies[index], findings = node_body_from_json(value, pointer)
                except CodecError as error:
                    findings = [error.finding]
                report.add(findings, f"{node.name}: " if node.name else "")

    def finish(self, importer: Any, report: Report) -> None:
        """Set the bodies once all objects exist."""
        for index, body in self._bodies.items():
            if body.motion is None or is_bone(importer, index):
                continue
            obj = imported_object(importer, index)
            with report.guard(obj.name):
                motion_from_core(body_data(obj), body.motion)

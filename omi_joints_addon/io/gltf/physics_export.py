"""Gathered physics into the document of an export, its list of nodes being final."""

from collections.abc import Collection, Sequence
from typing import Any

from ...core.findings.loss import Noun
from ...core.model.plain import JsonObject
from ..formats.gltf.beyond import write_beyond
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.dialect_writing import write_dialects
from ..formats.gltf.gravity import write_gravity
from ..formats.gltf.kept import with_kept
from ..formats.gltf.members import CodecError
from ..formats.gltf.rules import UNREADABLE
from ..formats.gltf.scene_physics import SceneContent, ScenePhysics
from ..formats.gltf.writable import WritablePart, unwritable, without
from .document_json import set_written, written_document
from .gathered import Gathered, Placed
from .report import Report
from .rules import BODY_LEFT_OUT
from .upstream import node_indices


class PhysicsExport:
    """Writes what was gathered in the wanted dialects, or in the terms of Godot's importer."""

    def __init__(
        self,
        gathered: Gathered,
        dialects: Collection[str],
        *,
        is_for_godot: bool,
        is_z_up: bool,
        report: Report,
    ) -> None:
        self._gathered = gathered
        self._dialects = [Dialect(name) for name in dialects]
        self._is_for_godot = is_for_godot
        self._is_z_up = is_z_up
        self._report = report

    def write(self, data: Any) -> None:
        """Write into a `gltf2_io.Gltf`; what of a body or joint has no place there is left out."""
        placed = self._gathered.placed(node_indices(data), is_z_up=self._is_z_up)
        try:
            document = self._document(data, placed, placed.content)
        except CodecError:
            parts = unwritable(placed.content)
            self._report_parts(placed.content, parts)
            document = self._document(data, placed, without(placed.content, parts))
        set_written(data, document, has_places=self._is_for_godot)

    def _document(self, data: Any, placed: Placed, content: SceneContent) -> JsonObject:
        """Return the document with its physics; raises `CodecError`."""
        document = written_document(data, has_places=self._is_for_godot)
        scene = ScenePhysics(content, placed.places, placed.base)
        physics = with_kept(scene.physics(), self._gathered.kept)
        found = write_dialects(document, physics, self._dialects, merges_drives=not data.animations)
        write_beyond(document, physics, scene.beyond())
        if self._gathered.gravity is not None:
            write_gravity(document, self._gathered.gravity, is_z_up=self._is_z_up)
        if self._is_for_godot:
            from ..formats.gltf.godot_target import for_godot  # here, since most are not

            document, more = for_godot(document)
            found = [*found, *(item.at(_named(item.place, document)) for item in more)]
        self._report.add(found)
        return document

    def _report_parts(self, content: SceneContent, parts: Sequence[WritablePart]) -> None:
        for part in parts:
            if part.noun == Noun.JOINT:
                problem = f"{part.problem}; the joint is left out"
                self._report.add([UNREADABLE(content.joints[part.number].place, problem=problem)])
            else:
                words = {"problem": part.problem, "part": str(part.noun)}
                self._report.add([BODY_LEFT_OUT(content.names[part.node], **words)])


def _named(place: str, document: JsonObject) -> str:
    """Return the name of the node that a pointer leads into, for people who see objects."""
    match place.split("/")[1:3]:
        case ["nodes", number] if number.isdecimal():
            return str(document["nodes"][int(number)].get("name") or place)
    return place

"""Meshes that a Shift file names, looked for in its own folder only."""

from functools import partial
from pathlib import Path
from typing import Any

from ....core.findings.finding import Finding
from ....core.model.mesh import Mesh, Visual
from ....core.model.plain import JsonObject
from ..beside import path_beside
from ..format import Source
from ..meshes import read_mesh
from .rules import MISSING_GEOMETRY


class Geometry:
    """Finds meshes; each file is one mesh, however many bodies show it."""

    def __init__(self, source: Source, findings: list[Finding]) -> None:
        self._source = source
        self._findings = findings
        self._numbers: dict[str, int | None] = {}
        self.meshes: list[Mesh] = []

    def visual(self, members: JsonObject, place: str) -> Visual | None:
        """Return what a body shows, None for nothing."""
        name = file_name(members)
        if name is None:
            return None
        if name not in self._numbers:
            self._numbers[name] = self._find(name, place)
        number = self._numbers[name]
        return None if number is None else Visual(mesh=number)

    def _find(self, name: str, place: str) -> int | None:
        # Shift's include folders are other people's; the file's own has the meshes, too.
        path = path_beside(self._source, name) or path_beside(self._source, Path(name).name)
        if path is None:
            self._findings.append(MISSING_GEOMETRY(place, name=name[:60]))
            return None
        mesh = Mesh(name=path.stem, uri=name, read=partial(read_mesh, path))
        self.meshes.append(mesh)
        return len(self.meshes) - 1


def file_name(members: JsonObject) -> str | None:
    """Return the file that the geometry of a body is in: a mesh, with its materials behind."""
    value: Any = members.get("geometry", members.get("definition"))
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(first, dict):
        value = first.get("filename")
        first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, str) else None

"""Meshes in files that a document refers to, which are read when their points are asked for."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ....core.model.mesh import Mesh, MeshData
from ..beside import Folders
from . import SUFFIXES, read_mesh


class FoundMesh(NamedTuple):
    """What a document refers to."""

    read: Callable[[], MeshData]
    """Return the points and triangles; raises `ValueError` saying why there are none."""
    path: Path | None
    """File that is read, None for none."""
    problem: str = ""


def mesh_beside(folders: Folders, uri: str) -> FoundMesh:
    """Return the mesh that a document calls `uri`."""
    try:
        path = folders.file_of(uri)
        if path.suffix.lower() not in SUFFIXES:
            raise ValueError(f"meshes of type {path.suffix} are not read")
    except ValueError as error:
        return FoundMesh(partial(_missing, str(error)), None, str(error))
    return FoundMesh(partial(read_mesh, path), path)


def _missing(problem: str) -> MeshData:
    raise ValueError(problem)


class MeshesBeside:
    """The meshes of a document by their addresses, each once.

    `report` takes the place that a missing one is referred to from, its address and the problem.
    """

    def __init__(self, report: Callable[[str, str, str], None]) -> None:
        self.files: list[Path] = []
        """Files that meshes are read from."""
        self._report = report
        self._known: dict[tuple[int, str], int] = {}

    def number(self, meshes: list[Mesh], place: str, uri: str, folders: Folders) -> int:
        """Return the number of a mesh among `meshes`, which is added where it is new."""
        key = (id(folders), uri)
        if key not in self._known:
            found = mesh_beside(folders, uri)
            if found.path is None:
                self._report(place, uri or "the mesh", found.problem)
            else:
                self.files.append(found.path)
            self._known[key] = len(meshes)
            meshes.append(Mesh(name=Path(uri).stem, uri=uri, read=found.read))
        return self._known[key]

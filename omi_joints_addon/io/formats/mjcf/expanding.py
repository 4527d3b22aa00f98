"""Models that MuJoCo expands or loads: only from files that may be read, and only so far."""

import copy
import math
import os
import posixpath
import xml.etree.ElementTree as ET
from pathlib import Path

from ....isolation import isolated
from ...files import real
from ..beside import OUTSIDE, Folders
from ..format import Source
from .asset_files import SIDES
from .parsing import parsed

MACROS = ("replicate", "attach", "composite", "flexcomp")
"""Elements that MuJoCo expands."""
_MOST = 5000
"""Elements that macros may make: MuJoCo's time for them grows with the square, here to seconds."""
_DIRECTORIES = ("meshdir", "texturedir", "assetdir")


class UnexpandedError(ValueError):
    """A model that MuJoCo is not given, or refuses; the text completes "MuJoCo, which ..."."""


def expanded(root: ET.Element, source: Source) -> ET.Element:
    """Return a model, whose includes are in place, with its macros expanded.

    Raises `UnexpandedError`.
    """
    try:
        with isolated():
            import mujoco
    except ImportError as error:
        raise UnexpandedError("is not installed") from error
    folder = source.path.parent
    require_contained(root, folder, Folders(source.path, source.named_folders, {}))
    try:
        spec = mujoco.MjSpec.from_string(ET.tostring(_found(root, folder), encoding="unicode"))
        spec.modelfiledir = str(folder)
        spec.compile()
        return ET.fromstring(spec.to_xml())
    except (ValueError, RuntimeError, OSError, ET.ParseError) as error:
        raise UnexpandedError("rejects the file") from error


def require_contained(root: ET.Element, folder: Path, folders: Folders) -> None:
    """Raise `UnexpandedError` where MuJoCo would read files elsewhere, or make too much of them."""
    _Contents(folder, folders).require(root, folder, ())


def _found(root: ET.Element, folder: Path) -> ET.Element:
    """Return a copy in which files that MuJoCo reads with the text have their whole paths."""
    root = copy.deepcopy(root)
    meshes = ""
    for compiler in root.iter("compiler"):
        meshes = compiler.get("meshdir") or compiler.get("assetdir") or meshes
    for element in root.iter():
        beside = {"model": "", "flexcomp": meshes}.get(element.tag)
        if beside is not None and (name := element.get("file")):
            element.set("file", str(folder.absolute() / _plain(beside) / _plain(name)))
    return root


class _Contents:
    def __init__(self, main: Path, folders: Folders) -> None:
        self._main = main
        self._folders = folders
        self._sizes: dict[Path, float] = {}
        """Elements of the models that another is made of, by their files."""

    def require(self, root: ET.Element, folder: Path, above: tuple[Path, ...]) -> float:
        """Require that a model, and those that it is made of, stay inside and are not too large.

        Return how many elements macros make.
        """
        directories = {
            _plain(compiler.get(name, ""))
            for compiler in root.iter("compiler")
            for name in _DIRECTORIES
        }
        inner = 0.0
        for element in root.iter():
            for name in filter(None, map(element.get, SIDES)):
                places = self._places(_plain(name), folder, {"", *directories})
                if not all(map(self._may_be_read, places)):
                    raise UnexpandedError(f"would read {name[:80]}: {OUTSIDE} (option folder)")
                if element.tag in ("model", "include"):
                    inner += sum(self._size(place, above) for place in places)
        made = _made(root, inner)
        if not made <= _MOST:
            raise UnexpandedError(f"would make more than {_MOST} elements of them")
        return made

    def _places(self, name: str, folder: Path, directories: set[str]) -> list[Path]:
        """Return where MuJoCo may look for a file, which knows nothing of links before ".."."""
        names = {name, posixpath.basename(name)}
        paths = {base / d / n for base in (folder, self._main) for d in directories for n in names}
        return sorted(paths | {Path(os.path.normpath(path)) for path in paths})

    def _may_be_read(self, path: Path) -> bool:
        return self._folders.hold(path) and (path.is_file() or not path.exists())

    def _size(self, path: Path, above: tuple[Path, ...]) -> float:
        """Return how many elements a model has that another is made of, 0 where there is none."""
        path = real(path)
        if path in above:
            raise UnexpandedError("would read models that contain each other")
        if path not in self._sizes:
            self._sizes[path] = 0.0
            if path.is_file():
                root = parsed(Source(path=path).text())
                made = self.require(root, path.parent, (*above, path))
                self._sizes[path] = made + sum(1.0 for _ in root.iter())
        return self._sizes[path]


def _made(root: ET.Element, inner: float) -> float:
    """Return how many elements macros make, where those that are attached have so many."""
    made, waiting = 0.0, [(root, 1.0)]
    while waiting and made <= _MOST:
        element, times = waiting.pop()
        times *= _count(element)
        if element.tag in MACROS or times > 1.0:
            made += times * (1.0 + (inner if element.tag == "attach" else 0.0))
        waiting += ((child, times) for child in element)
    return made


def _count(element: ET.Element) -> float:
    """Return how often a macro repeats what is in it."""
    if element.tag not in MACROS:
        return 1.0
    try:
        return math.prod(max(1.0, float(word)) for word in element.get("count", "").split())
    except ValueError:
        return 1.0


def _plain(name: str) -> str:
    return name.replace("\\", "/")

"""Files that the layers of a stage refer to: other layers, textures."""

from collections.abc import Iterable
from pathlib import Path

from ...files import real
from .content import SUFFIXES
from .pxr_access import usd


def companions(path: Path) -> tuple[dict[str, bytes], int]:
    """Return the files that a layer needs, by path relative to its folder.

    Also the number of those that are not in its folder.
    """
    folder = real(path).parent
    found: dict[str, bytes] = {}
    outside: set[str] = set()
    seen = {real(path)}
    waiting = [path]
    while waiting:
        layer = waiting.pop()
        for name in _names(layer):
            file = real(layer.parent / name)
            if not file.is_relative_to(folder) or not file.is_file():
                outside.add(name)
            elif file not in seen:
                seen.add(file)
                found[file.relative_to(folder).as_posix()] = file.read_bytes()
                if file.suffix.lower() in SUFFIXES:
                    waiting.append(file)
    return found, len(outside)


def _names(layer: Path) -> Iterable[str]:
    """Return the files that a layer names: sublayers, references, payloads, textures."""
    pxr = usd()
    names = set[str]()
    for each in pxr.UsdUtils.ExtractExternalReferences(str(layer)):
        names.update(map(str, each))
    return sorted(pxr.Ar.SplitPackageRelativePathOuter(name)[0] for name in names if name)

"""The one door to OpenUSD's Python modules: Blender's own inside Blender, else usd-core.

Importing them takes a third of a second, so it happens in functions only.
"""

import importlib
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ....core.findings.sentence import Sentence
from ..format import UnreadableError

_MODULES = (
    "Ar",
    "Gf",
    "Kind",
    "Sdf",
    "Tf",
    "Usd",
    "UsdGeom",
    "UsdPhysics",
    "UsdShade",
    "UsdUtils",
    "Vt",
    "Work",
)
_MESSAGE = re.compile(r" : '(.+?)'\s*(?:Error in|$)", re.DOTALL)
_GRAMMAR = re.compile(r" matching pxrInternal.*", re.DOTALL)
"""The parser's own C++ types, which OpenUSD prints where it cannot go on."""


class UsdMissingError(UnreadableError):
    """OpenUSD is not there; the text says what to install."""


def usd() -> Any:
    """Return the package `pxr` with its modules loaded; raises `UsdMissingError`."""
    package: Any = sys.modules.get("pxr")
    if package is not None and all(hasattr(package, name) for name in _MODULES):
        return package
    try:
        importlib.import_module("pxr")
    except ImportError:
        if not _expose_blender_module():
            raise UsdMissingError(
                "USD files require OpenUSD: pip install usd-core, or run in Blender"
            ) from None
    try:
        for name in _MODULES:
            importlib.import_module(f"pxr.{name}")
    except ImportError as error:
        raise UsdMissingError(
            Sentence("OpenUSD is installed but incomplete: {error}", error=error)
        ) from error
    return sys.modules["pxr"]


def is_usd_here() -> bool:
    """Return whether this Python has OpenUSD, its own or that of Blender, without loading it."""
    return any(name in sys.modules or importlib.util.find_spec(name) for name in ("pxr", "bpy"))


@cache
def classes() -> tuple[Any, Any, Any]:
    """Return the classes of prims, attributes and relationships.

    Their functions cost half as much as the methods of an object: OpenUSD checks whether a prim is
    still there at every look-up of a member.
    """
    found = usd().Usd
    return found.Prim, found.Attribute, found.Relationship


def _expose_blender_module() -> bool:
    """Add the OpenUSD that the bpy module brings to the search path, without importing bpy."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        return False
    folder = Path(spec.origin).parent
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    candidates = [
        *folder.glob(f"*/python/lib/{name}/site-packages"),
        *folder.glob("*/python/lib/site-packages"),
    ]
    found = next((path for path in candidates if (path / "pxr").is_dir()), None)
    if found is None:
        return False
    sys.path.append(str(found))
    importlib.invalidate_caches()
    return True


def message_of(error: Exception) -> str:
    """Return the first message of OpenUSD's error in one line, without where in it it arose."""
    text = _GRAMMAR.sub("", _printed(error))
    found = _MESSAGE.search(text)
    return " ".join((found.group(1) if found else text).split())[:300]


def _printed(error: Exception) -> str:
    """Return the text of an error; it may quote bytes of a file that are not UTF-8."""
    try:
        return str(error)
    except UnicodeDecodeError as problem:
        return problem.object.decode("utf-8", "backslashreplace")

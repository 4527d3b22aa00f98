"""Rooms: packages whose modules load when they are first used, so that Blender starts soon."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def loader(room: str, **homes: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that loads a module of it when it is used (PEP 562).

    `homes` are names that the package itself offers, and the module that each is in.
    """

    def load(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{room}.{homes[name]}"), name)
        if name.startswith("__") or find_spec(f"{room}.{name}") is None:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return import_module(f"{room}.{name}")

    return load

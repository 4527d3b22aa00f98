"""Names of prims: identifiers that are unique among their siblings."""

import re
from typing import Any


class Names:
    """Names that are taken below each prim."""

    def __init__(self) -> None:
        self._taken: dict[str, set[str]] = {}
        self._next: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, stage: Any) -> "Names":
        """Return the names that the prims of a stage take."""
        names = cls()
        for prim in stage.TraverseAll():
            above, _, name = prim.GetPath().pathString.rpartition("/")
            names.path(above or "/", name)
        return names

    def path(self, parent: str, name: str) -> str:
        """Return a new path below `parent` for something called `name`."""
        stem = identifier(name)
        taken = self._taken.setdefault(parent, set())
        found, number = stem, self._next.get((parent, stem), 1)
        while found in taken:
            found = f"{stem}_{number}"
            number += 1
        self._next[parent, stem] = number
        taken.add(found)
        return f"{parent.rstrip('/')}/{found}"


def identifier(name: str) -> str:
    """Return a name that a prim may have: letters of ASCII, digits and underscores."""
    if name.isascii() and name.isidentifier():
        return name
    text = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return text if not text[0].isdigit() else f"_{text}"


def printable(name: str) -> str:
    """Return a name as text that can be written, lone halves of characters replaced."""
    return name.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")

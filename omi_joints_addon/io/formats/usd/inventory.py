"""What a stage says of physics that no reader takes: listed by word, each once with its count.

Attributes that bodies and joints keep for USD files are not among them (`unknown`).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

from ....core.findings.finding import Finding
from .prim import Prim
from .rules import UNREAD
from .unknown import is_strange

_TYPE = re.compile(r"(Physx|Physics|Newton|Mjc|Omni(Physics|Physx))\w+")
_READ_TYPES = re.compile(
    r"Physics((Fixed|Revolute|Prismatic|Spherical|Distance)?Joint|Scene|CollisionGroup)"
)
_READ_TARGETS = re.compile(
    r"physics:(body[01]|filteredPairs|filteredGroups)|newton:mimicJoint"
    r"|physxMimicJoint:\w+:referenceJoint|mjc:target|newton:targets"
)
_PHYSICS = ("physics:", "physx", "newton:", "mjc:", "drive:", "limit:", "state:", "isaac")
"""Beginnings of names that are about physics."""


@dataclass(eq=False)
class Inventory:
    """Words that nobody reads, with the path of the first prim that has them and their count."""

    words: dict[str, tuple[str, int]] = field(default_factory=dict)

    def note_type(self, path: str, kind: str) -> None:
        """Take up the type of a prim, where it is one of physics that is not read."""
        if _is_unread_type(kind):
            self._note(kind, path)

    def note_prim(self, prim: Prim, *, is_kept: bool, read: Collection[str] = ()) -> None:
        """Take up what a prim says beside the attributes in `read`.

        `is_kept` is whether unknown attributes are kept.
        """
        for name in prim.targets:
            if name.startswith(_PHYSICS) and not _is_read_target(name):
                self._note(name, prim.path)
        if not is_kept:
            for name in filter(is_strange, prim.attributes):
                if name.startswith(_PHYSICS) and name not in read:
                    self._note(name, prim.path)

    def _note(self, word: str, path: str) -> None:
        first, count = self.words.get(word, (path, 0))
        self.words[word] = first, count + 1

    def findings(self) -> list[Finding]:
        """Return one finding for each word."""
        return [UNREAD(path, word=word, count=count) for word, (path, count) in self.words.items()]


@lru_cache(maxsize=4096)
def _is_unread_type(kind: str) -> bool:
    return _TYPE.fullmatch(kind) is not None and _READ_TYPES.fullmatch(kind) is None


@lru_cache(maxsize=4096)
def _is_read_target(name: str) -> bool:
    return _READ_TARGETS.fullmatch(name) is not None

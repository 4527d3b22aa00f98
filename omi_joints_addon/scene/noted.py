"""What is known to have changed in a scene and has not been read yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

import bpy
import numpy as np
from numpy.typing import NDArray

MOST = 500
"""Objects that are noted one by one; of more of them nobody waits for the list."""


@dataclass(slots=True, eq=False)
class Noted:
    """Objects by their `session_uid`."""

    is_listed: bool = False
    """Whether no object came or went."""
    moved: set[int] = field(default_factory=set)
    """Objects that are elsewhere and else the same."""
    changed: set[int] = field(default_factory=set)
    shaded: set[int] = field(default_factory=set)
    """Objects that may be hidden now, or no longer: Blender reports both as shading."""
    is_much: bool = False
    """Whether so much changed that it was not listed."""
    suspects: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Objects that may have changed without a word, the last one to be looked at first."""
    selections: int = 0
    """Number of times that selection or visibility changed."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is left to be read."""
        is_told = self.moved or self.changed or self.is_much
        return self.is_listed and not (is_told or len(self.suspects))

    def note(self, updates: Iterable[bpy.types.DepsgraphUpdate]) -> None:
        """Remember what a dependency graph says has changed."""
        each = iter(updates)
        for update in islice(each, MOST):
            self._note(update)
        if next(each, None) is not None:
            self.is_much, self.is_listed = True, False
            self.selections += 1

    def _note(self, update: bpy.types.DepsgraphUpdate) -> None:
        is_moved, is_rebuilt = update.is_updated_transform, update.is_updated_geometry
        data = update.id.original if update.id else None
        if isinstance(data, bpy.types.Object):
            if update.is_updated_shading:
                self.shaded.add(data.session_uid)
            if is_moved and not is_rebuilt:
                self.moved.add(data.session_uid)
            # Where any object came or went, all of them are reported as shaded.
            elif is_rebuilt or not update.is_updated_shading:
                self.changed.add(data.session_uid)
        elif isinstance(data, bpy.types.Scene | bpy.types.Collection):
            self.selections += 1
            self.is_listed &= isinstance(data, bpy.types.Scene)

    def note_objects(self, objects: Iterable[bpy.types.Object]) -> None:
        """Remember objects that changed."""
        self.changed.update(obj.session_uid for obj in objects)

"""What is known to have changed in a scene and has not been read yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy


@dataclass(slots=True, eq=False)
class Noted:
    """Objects by their `session_uid`."""

    is_listed: bool = False
    """Whether no object came or went."""
    moved: set[int] = field(default_factory=set)
    """Objects that are elsewhere and else the same."""
    changed: set[int] = field(default_factory=set)
    suspects: list[int] = field(default_factory=list)
    """Objects that may have changed without a word, the last one to be looked at first."""
    selections: int = 0
    """Number of times that selection or visibility changed."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is left to be read."""
        return self.is_listed and not (self.moved or self.changed or self.suspects)

    def note(self, updates: Iterable[bpy.types.DepsgraphUpdate]) -> None:
        """Remember what a dependency graph says has changed."""
        for update in updates:
            is_moved, is_rebuilt = update.is_updated_transform, update.is_updated_geometry
            data = update.id.original if update.id else None
            if isinstance(data, bpy.types.Object):
                if is_moved and not is_rebuilt:
                    self.moved.add(data.session_uid)
                # Where any object came or went, all of them are told of as shaded.
                elif is_rebuilt or not update.is_updated_shading:
                    self.changed.add(data.session_uid)
            elif isinstance(data, bpy.types.Scene | bpy.types.Collection):
                self.selections += 1
                self.is_listed &= isinstance(data, bpy.types.Scene)

    def note_objects(self, objects: Iterable[bpy.types.Object]) -> None:
        """Remember objects that changed."""
        self.changed.update(obj.session_uid for obj in objects)

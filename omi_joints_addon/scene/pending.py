"""Changes of a scene that were reported and are still to be read."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from .updates import Updates

MOST = 500
"""Changes that are listed one by one; where there are more, anything may have changed."""


@dataclass(slots=True, eq=False)
class Pending:
    """Nodes by their keys (`Nodes`), in the order of how much is read of them."""

    is_listed: bool = False
    """Whether no node came or went."""
    moved: set[int] = field(default_factory=set)
    """Nodes that are elsewhere and else the same."""
    changed: set[int] = field(default_factory=set)
    shaded: set[int] = field(default_factory=set)
    """Nodes that may be hidden now, or no longer: Blender reports both as shading."""
    has_more: bool = False
    """Whether more changed than was listed."""
    is_reselected: bool = False
    """Whether selection or visibility may have changed."""
    suspects: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Nodes that may have changed without a report, the last one to be looked at first."""
    are_poses_due: bool = False
    """Whether it is still to be read where suspects are, which takes one call for all nodes."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to be read."""
        is_reported = self.moved or self.changed or self.has_more
        return self.is_listed and not (is_reported or len(self.suspects))

    @property
    def is_quiet(self) -> bool:
        """Whether Blender has reported nothing since the scene was read."""
        is_reported = self.moved or self.changed or self.shaded or self.is_reselected
        return self.is_listed and not (is_reported or self.has_more)

    def is_late(self, key: int) -> bool:
        """Return whether a node is known to have changed since it was read."""
        return self.has_more or key in self.moved or key in self.changed

    def add(self, updates: Updates) -> None:
        """Add what a dependency graph reports."""
        listed = updates.all
        if len(listed) > MOST:
            self.is_reselected = True
            listed = updates.differing
        if len(listed) > MOST:
            self.has_more, self.is_listed = True, False
            return
        # Where Blender works out anew what depends on what, a new parent is reported as a move.
        is_related_anew = updates.depsgraph.id_type_updated("COLLECTION")
        for update in listed:
            self._add(update, is_related_anew=is_related_anew)

    def _add(self, update: bpy.types.DepsgraphUpdate, *, is_related_anew: bool) -> None:
        is_moved, is_rebuilt = update.is_updated_transform, update.is_updated_geometry
        data = update.id.original if update.id else None
        if isinstance(data, bpy.types.Armature):
            # Blender reports bones that are selected as a change of their armature.
            self.is_reselected = True
        elif isinstance(data, bpy.types.Object):
            self.is_reselected |= data.mode == "POSE"
            if update.is_updated_shading:
                self.shaded.add(data.session_uid)
            if is_moved and not (is_rebuilt or is_related_anew):
                self.moved.add(data.session_uid)
            elif is_moved or is_rebuilt or not update.is_updated_shading:
                self.changed.add(data.session_uid)
        elif isinstance(data, bpy.types.Scene | bpy.types.Collection):
            self.is_reselected = True
            self.is_listed &= isinstance(data, bpy.types.Scene)

    def add_objects(self, objects: Iterable[bpy.types.Object]) -> None:
        """Add objects that changed."""
        self.changed.update(obj.session_uid for obj in objects)

"""What an evaluation of a dependency graph reports."""

from functools import cached_property

import bpy


class Updates:
    """What Blender evaluated anew, looked at once for all who follow it."""

    def __init__(self, depsgraph: bpy.types.Depsgraph) -> None:
        self.depsgraph = depsgraph

    @cached_property
    def all(self) -> list[bpy.types.DepsgraphUpdate]:
        """All updates."""
        return list(self.depsgraph.updates)

    @cached_property
    def differing(self) -> list[bpy.types.DepsgraphUpdate]:
        """Updates of what is elsewhere or not what it was.

        Where any object came or went, and after undo, all other objects are reported as shaded.
        """
        return [
            each
            for each in self.all
            if each.is_updated_transform or each.is_updated_geometry or not each.is_updated_shading
        ]

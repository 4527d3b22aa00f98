"""What a dependency graph reports."""

from collections.abc import Iterable, Iterator

import bpy


def differing(
    updates: Iterable[bpy.types.DepsgraphUpdate],
) -> Iterator[bpy.types.DepsgraphUpdate]:
    """Yield the updates of what is elsewhere or not what it was.

    Where any object came or went, and after undo, all other objects are reported as shaded.
    """
    for each in updates:
        if each.is_updated_transform or each.is_updated_geometry or not each.is_updated_shading:
            yield each

"""Blender's windows: what they show, and having it drawn again."""

from collections.abc import Iterator
from itertools import chain

import bpy


def windows() -> Iterator[bpy.types.Window]:
    """Return all windows of Blender."""
    return chain.from_iterable(manager.windows for manager in bpy.data.window_managers)


def areas(*kinds: str) -> Iterator[bpy.types.Area]:
    """Yield the areas of all windows that are of some types, of `Area.type`."""
    for window in windows():
        yield from (area for area in window.screen.areas if area.type in kinds)


def redraw_views() -> None:
    """Have 3D views and editors of properties drawn again, with all their panels."""
    for area in areas("VIEW_3D", "PROPERTIES"):
        area.tag_redraw()


def redraw_panels() -> None:
    """Have all panels drawn again, but not what views show: that takes Blender much longer."""
    redraw_regions("UI")
    for area in areas("PROPERTIES"):
        area.tag_redraw()


def redraw_regions(kind: str) -> None:
    """Have the regions of a type, of `Region.type`, of all 3D views drawn again."""
    for area in areas("VIEW_3D"):
        for region in area.regions:
            if region.type == kind:
                region.tag_redraw()

"""Colors that objects have from their collections."""

from typing import Any

import bpy

from ..properties.overlay import OMI_PG_overlay

Color = tuple[float, float, float, float]
"""RGBA; the opacity tells how much it replaces the theme's color."""
Tints = dict[int, Color]
"""Color of objects by `session_uid`."""
NO_COLOR: Color = (0.0, 0.0, 0.0, 0.0)
NO_TINTS = Tints()


def tags(scene: bpy.types.Scene) -> tuple[tuple[int, str], ...]:
    """Return the collections of a scene with their color tags: what tints depend on."""
    return tuple((each.session_uid, each.color_tag) for each in scene.collection.children_recursive)


def tints_of(
    options: OMI_PG_overlay, scene: bpy.types.Scene, preferences: bpy.types.Preferences
) -> Tints:
    """Return the colors that objects have from the innermost collections with a color tag.

    `NO_TINTS` where the options want other colors.
    """
    if options.color_by != "COLLECTION":
        return NO_TINTS
    theme: Any = preferences.themes[0].collection_color
    found = Tints()
    for collection in scene.collection.children_recursive:
        if collection.color_tag != "NONE":
            color = (*theme[int(collection.color_tag[-2:]) - 1].color[:3], 1.0)
            found |= dict.fromkeys((obj.session_uid for obj in collection.objects), color)
    return found

"""Selecting objects. The context says in which view layer."""

import bpy

from .context import present


def select_only(
    context: bpy.types.Context, objects: list[bpy.types.Object], *, extend: bool = False
) -> bool:
    """Select the objects that are visible, the first of them active; return whether any is."""
    layer = present(context.view_layer)
    layer.update()  # new objects are not visible before
    shown = [
        obj
        for obj in objects
        if layer.objects.get(obj.name) == obj and obj.visible_get(view_layer=layer)
    ]
    if not shown:
        return False
    if not extend:
        for obj in context.selected_objects:
            obj.select_set(False)
    for obj in shown:
        obj.select_set(True)
    layer.objects.active = shown[0]
    return True

"""Which prim of a USD file an object was imported from: `Object.omi_usd`."""

import bpy

from ..declared import FloatProperty, StringProperty


class OMI_PG_usd_origin(bpy.types.PropertyGroup):
    """Prim of a USD file that an object was imported from."""

    file = StringProperty(name="File", description="USD file that the object is from")
    digest = StringProperty(options={"HIDDEN"})
    meters = FloatProperty(options={"HIDDEN"}, default=1.0)
    prim = StringProperty(name="Prim", description="Path of the object's prim")
    joint = StringProperty(name="Joint", description="Path of the prim of the object's joint")
    name = StringProperty(options={"HIDDEN"})


def usd_origin(obj: bpy.types.Object) -> OMI_PG_usd_origin:
    """Return the origin of any object; it is empty where the object is from no USD file."""
    origin: OMI_PG_usd_origin = obj.omi_usd  # type: ignore[attr-defined]
    return origin


def usd_origin_of(obj: bpy.types.Object) -> OMI_PG_usd_origin | None:
    """Return the origin of an object, None where it is from no USD file."""
    return usd_origin(obj) if obj.is_property_set("omi_usd") else None


def origin_files(scene: bpy.types.Scene) -> list[OMI_PG_usd_origin]:
    """Return one origin for each file that objects of a scene were imported from."""
    found: dict[str, OMI_PG_usd_origin] = {}
    for obj in scene.objects:
        origin = usd_origin_of(obj)
        if origin is not None and origin.file:
            found.setdefault(origin.file, origin)
    return list(found.values())


def chosen_origin(
    scene: bpy.types.Scene, active: bpy.types.Object | None
) -> OMI_PG_usd_origin | None:
    """Return the origin of the file that the active object, or one above it, is from.

    Where a scene has the objects of one file, that is it; None where nothing says which.
    """
    files = origin_files(scene)
    if len(files) == 1:
        return files[0]
    while active is not None:
        origin = usd_origin_of(active)
        if origin is not None and origin.file:
            return next((each for each in files if each.file == origin.file), None)
        active = active.parent
    return None

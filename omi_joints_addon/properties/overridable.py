"""Properties that library overrides keep.

A group that an override is to keep needs its place in the library's object, too: Blender keeps
nothing of a group that the library's object never had (measured with 5.2.3, 4.5.15 keeps it).
Lists can get longer; what comes from the library cannot be removed from them.
"""

from functools import partial
from typing import Any

import bpy

_KEPT: Any = {"LIBRARY_OVERRIDABLE"}

BoolProperty: Any = partial(bpy.props.BoolProperty, override=_KEPT)
BoolVectorProperty: Any = partial(bpy.props.BoolVectorProperty, override=_KEPT)
EnumProperty: Any = partial(bpy.props.EnumProperty, override=_KEPT)
FloatProperty: Any = partial(bpy.props.FloatProperty, override=_KEPT)
FloatVectorProperty: Any = partial(bpy.props.FloatVectorProperty, override=_KEPT)
IntProperty: Any = partial(bpy.props.IntProperty, override=_KEPT)
PointerProperty: Any = partial(bpy.props.PointerProperty, override=_KEPT)
StringProperty: Any = partial(bpy.props.StringProperty, override=_KEPT)
CollectionProperty: Any = partial(bpy.props.CollectionProperty, override=_KEPT | {"USE_INSERTION"})


def make_groups(group: bpy.types.PropertyGroup) -> None:
    """Have all groups inside a property group exist, so that overrides of the object keep them."""
    for name, each in group.bl_rna.properties.items():
        if each.type == "POINTER" and name != "rna_type":
            inner = getattr(group, name)
            if isinstance(inner, bpy.types.PropertyGroup):
                make_groups(inner)

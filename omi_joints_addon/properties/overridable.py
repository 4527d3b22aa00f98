"""Properties that library overrides keep.

A group that an override is to keep needs its place in the library's object, too: Blender keeps
nothing of a group that the library's object never had (measured with 5.2.3, 4.5.15 keeps it).
Lists can get longer; what comes from the library cannot be removed from them.
"""

from functools import partial
from typing import Any

import bpy

from .. import declared
from ..declared import declaring

KEPT: Any = {"LIBRARY_OVERRIDABLE"}

BoolProperty = declaring(bool, bpy.props.BoolProperty, override=KEPT)
BoolVectorProperty: Any = declaring(object, bpy.props.BoolVectorProperty, override=KEPT)
EnumProperty = declaring(str, bpy.props.EnumProperty, override=KEPT)
FloatProperty = declaring(float, bpy.props.FloatProperty, override=KEPT)
FloatVectorProperty: Any = declaring(object, bpy.props.FloatVectorProperty, override=KEPT)
IntProperty = declaring(int, bpy.props.IntProperty, override=KEPT)
StringProperty = declaring(str, bpy.props.StringProperty, override=KEPT)
PointerProperty = partial(declared.PointerProperty, override=KEPT)
CollectionProperty = partial(declared.CollectionProperty, override=KEPT | {"USE_INSERTION"})


def make_groups(group: bpy.types.PropertyGroup) -> None:
    """Have all groups inside a property group exist, so that overrides of the object keep them."""
    for name, each in group.bl_rna.properties.items():
        if each.type == "POINTER" and name != "rna_type":
            inner = getattr(group, name)
            if isinstance(inner, bpy.types.PropertyGroup):
                make_groups(inner)

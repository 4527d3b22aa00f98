"""Properties of Blender's classes, typed as what they hold: `mass = FloatProperty()` is a float.

Blender expects them as annotations, which type checkers reject. Here they are values in the body of
a class, which gets its annotations when it is made. The type of a vector is written beside it:
`color: tuple[float, float, float] = FloatVectorProperty()`.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import bpy

_define: Any = bpy.props
T = TypeVar("T")


class _Declared:
    """A property in the body of a class, which becomes an annotation there."""

    def __init__(self, definition: Any) -> None:
        self._definition = definition

    def __set_name__(self, owner: type, name: str) -> None:
        delattr(owner, name)
        # Blender shows properties in the order of the annotations.
        owner.__annotations__.pop(name, None)
        owner.__annotations__[name] = self._definition


def declaring(_holds: type[T], define: Any, **fixed: Any) -> Callable[..., T]:
    """Return a function like `define` of `bpy.props`, which declares what holds a type."""

    def declare(**options: Any) -> T:
        return cast(T, _Declared(define(**fixed, **options)))

    return declare


BoolProperty = declaring(bool, bpy.props.BoolProperty)
EnumProperty = declaring(str, bpy.props.EnumProperty)
EnumFlagProperty = declaring(set[str], bpy.props.EnumProperty)
"""For options with `ENUM_FLAG`."""
FloatProperty = declaring(float, bpy.props.FloatProperty)
IntProperty = declaring(int, bpy.props.IntProperty)
StringProperty = declaring(str, bpy.props.StringProperty)
BoolVectorProperty: Any = declaring(object, bpy.props.BoolVectorProperty)
FloatVectorProperty: Any = declaring(object, bpy.props.FloatVectorProperty)
IntVectorProperty: Any = declaring(object, bpy.props.IntVectorProperty)


def PointerProperty(*, type: type[T], **options: Any) -> T:  # noqa: A002, N802 - as Blender says
    """Declare a group, or a data-block if `type` is one of Blender's."""
    return cast(T, _Declared(_define.PointerProperty(type=type, **options)))


def CollectionProperty(  # noqa: N802 - as Blender says
    *,
    type: type[T],  # noqa: A002
    **options: Any,
) -> "bpy.types.bpy_prop_collection_idprop[T]":
    """Declare a list of groups."""
    declared: Any = _Declared(_define.CollectionProperty(type=type, **options))
    return cast("bpy.types.bpy_prop_collection_idprop[T]", declared)

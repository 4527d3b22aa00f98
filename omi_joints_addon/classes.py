"""Classes that Blender registers, whatever state others left them in."""

import re
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

    # Blender's words for results exist in its stubs only.
    OperatorResult = set[OperatorReturnItems]
else:
    OperatorResult = set


_NAME = re.compile(r"OMI_(AP|FH|GGT|GT|MT|OT|PG|PT|UL)_")
"""What Blender wants the names of classes to begin with that are registered by `register_class`."""


def classes_of(part: ModuleType) -> Iterator[Any]:
    """Yield the classes of a module that Blender is to register, in the order of their definition.

    It defines them under names of Blender's kind, or makes them: `CLASSES`.
    """
    for name, cls in vars(part).items():
        if _NAME.match(name) and cls.__module__ == part.__name__:
            yield cls
    yield from getattr(part, "CLASSES", ())


def is_registered(cls: type) -> bool:
    """Return whether Blender knows a class: only some of its types have `is_registered`."""
    return "bl_rna" in cls.__dict__


def unregister_class(cls: type) -> None:
    """Unregister a class, unless it is not registered."""
    if is_registered(cls):
        bpy.utils.unregister_class(cls)

"""Classes that Blender registers, whatever state others left them in."""

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

    # Blender's words for results exist in its stubs only.
    OperatorResult = set[OperatorReturnItems]
else:
    OperatorResult = set


def is_registered(cls: type) -> bool:
    """Return whether Blender knows a class: only some of its types have `is_registered`."""
    return "bl_rna" in cls.__dict__


def unregister_class(cls: type) -> None:
    """Unregister a class, unless it is not registered."""
    if is_registered(cls):
        bpy.utils.unregister_class(cls)

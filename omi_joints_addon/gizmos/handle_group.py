"""What groups of handles in the 3D view share."""

from typing import Any

import bpy

_SIZE = 0.085
"""Of a handle, in parts of Blender's size of gizmos."""


class HandleGroup:
    """Group of handles that are made once, and shown and placed whenever a view is drawn."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "WINDOW"
    bl_options: Any = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}
    handle: str
    """Name of the type of its gizmos."""
    most: int
    """Number of gizmos."""

    @classmethod
    def has_handles(cls, context: bpy.types.Context) -> bool:
        """Return whether what the handles edit is there."""
        raise NotImplementedError

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        space: Any = context.space_data
        return space.show_gizmo and space.show_gizmo_context and cls.has_handles(context)

    def setup(self, _context: bpy.types.Context) -> None:
        """Make all handles, none of them shown yet."""
        group: Any = self
        for _ in range(self.most):
            gizmo = group.gizmos.new(self.handle)
            gizmo.hide, gizmo.scale_basis, gizmo.use_draw_modal = True, _SIZE, True

"""Rows of lists."""

from typing import Any

from bpy.types import Context, UILayout


class Rows:
    """List whose rows show their items and nothing of the list itself."""

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
        """Draw the row of an item."""
        raise NotImplementedError

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        data: Any,
        item: Any,
        icon: int | None,
        active_data: Any,
        active_property: str | None,
        index: int | None = 0,
        flt_flag: int | None = 0,
    ) -> None:
        """Draw an item; Blender counts the parameters."""
        self.draw_row(context, layout, item, index or 0)

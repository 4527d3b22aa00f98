"""The button in a panel's header that opens its page of the manual."""

from typing import Any, ClassVar

import bpy

from ..manual import address


class Documented:
    """Panel with a page of the manual."""

    page: str
    """Name of the page, such as "preview"."""

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Draw the button."""
        draw_help(self.layout, self.page)  # type: ignore[attr-defined]


class SceneOptions(Documented):
    """Panel of options in Properties > Scene."""

    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "scene"
    bl_options: ClassVar[Any] = {"DEFAULT_CLOSED"}


def draw_help(layout: bpy.types.UILayout, page: str) -> None:
    """Draw a button that opens a page of the manual."""
    layout.operator("wm.url_open", text="", icon="HELP", emboss=False).url = address(page)

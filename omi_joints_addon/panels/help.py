"""The button in a panel's header that opens its page of the manual."""

import bpy

from ..manual import address


class Documented:
    """Panel with a page of the manual."""

    page: str
    """Name of the page, such as "preview"."""

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Draw the button."""
        draw_help(self.layout, self.page)  # type: ignore[attr-defined]


def draw_help(layout: bpy.types.UILayout, page: str) -> None:
    """Draw a button that opens a page of the manual."""
    layout.operator("wm.url_open", text="", icon="HELP", emboss=False).url = address(page)

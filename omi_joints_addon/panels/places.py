"""Places of panels, and layouts that they share: names beside values, sections, the help button."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from bpy.types import Context, UILayout

from ..authoring.context import present
from ..manual import address
from ..properties.words import OTHER

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    Icon = IconItems
else:
    Icon = str


class PhysicsTab:
    """Place of a panel: the Physics tab of the Properties editor."""

    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "physics"


class BoneTab(PhysicsTab):
    """Place of a panel: the Bone tab of the Properties editor."""

    bl_context = "bone"


class Sidebar:
    """Place of a panel: the tab "Joints" of the 3D viewport's sidebar."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Joints"


class Documented:
    """Panel with a page of the manual."""

    page: str
    """Name of the page, such as "preview"."""

    def draw_header_preset(self, _context: Context) -> None:
        """Draw the button that opens the page."""
        layout: UILayout = self.layout  # type: ignore[attr-defined]
        opened = layout.operator("wm.url_open", text="", icon="HELP", emboss=False)
        opened.url = address(self.page)


class SceneOptions(Documented, PhysicsTab):
    """Panel of options in Properties > Scene."""

    bl_context = "scene"
    bl_options: ClassVar[Any] = {"DEFAULT_CLOSED"}


NARROW = 230.0
"""Width below which names beside values leave no room for these [pixels at interface scale 1]."""


def region_width(context: Context) -> float:
    """Return the width of the region at interface scale 1 [pixels], 0 without one."""
    if context.region is None or context.preferences is None:
        return 0.0
    return context.region.width / context.preferences.system.ui_scale


def is_narrow(context: Context) -> bool:
    """Return whether names are to be inside of their fields."""
    return 0.0 < region_width(context) < NARROW


def split_layout(panel: Any, context: Context) -> UILayout:
    """Return the layout of a panel for names beside their values, where there is room for both."""
    layout: UILayout = present(panel.layout)
    layout.use_property_split = not is_narrow(context)
    layout.use_property_decorate = False
    return layout


def section(
    layout: UILayout,
    draw: Callable[..., None],
    *arguments: Any,
    text: str,
    switch: tuple[Any, str] | None = None,
    is_closed: bool = True,
) -> None:
    """Draw a heading that opens, and below it what `draw(layout, *arguments)` draws.

    `switch` is the check box in the heading: data and the name of its property.
    """
    header, below = layout.panel(f"omi {text}", default_closed=is_closed)
    if switch is not None:
        header.use_property_split = False
        header.prop(*switch, text="")
    header.label(text=text)
    if below is not None:
        draw(below, *arguments)


def draw_props(layout: UILayout, data: Any, *names: str) -> None:
    """Draw properties one below the other."""
    for name in names:
        layout.prop(data, name)


def draw_field(layout: UILayout, data: Any, name: str, *, text: str) -> None:
    """Draw a property, below its name where there is no room beside it."""
    if not layout.use_property_split:
        layout.label(text=text)
    layout.prop(data, name, text=text if layout.use_property_split else "")


def draw_choice(layout: UILayout, data: Any, name: str, *, text: str | None = None) -> None:
    """Draw a choice, and the word of its own that a file may have instead."""
    layout.prop(data, name, text=text)
    if getattr(data, name) == OTHER:
        layout.prop(data, f"other_{name}")

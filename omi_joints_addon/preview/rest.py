"""When a preview rests, so that other tools find objects where they are, not where it shows them.

Operators read the copies of objects that views draw, and what they write stays after the preview.
Blender tells of no operator before it runs, but keys and buttons that may start one are events, and
those come to a preview first.
"""

from collections.abc import Iterator

import bpy

from ..authoring.context import present
from ..scene.watch import WATCH
from ..scene.windows import windows

TAB = "Joints"
"""Tab of the sidebar whose buttons know of previews."""
_ENDED = frozenset({"RELEASE", "CLICK"})
"""Values of events that come after a key was pressed."""
_BUTTONS = ("LEFTMOUSE", "RIGHTMOUSE", "BUTTON", "PEN", "ERASER")
_PASSING = (
    *("MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "MOUSEROTATE", "MOUSESMARTZOOM", "MIDDLEMOUSE", "WHEEL"),
    *("TRACKPAD", "NDOF", "LEFT_CTRL", "LEFT_ALT", "LEFT_SHIFT", "RIGHT_CTRL", "RIGHT_ALT"),
    *("RIGHT_SHIFT", "OSKEY", "HYPER", "WINDOW_DEACTIVATE", "NONE"),
)
"""Beginnings of types of events by which a view is moved at most."""
_LOOKING = (
    *("VIEW3D_OT_view", "VIEW3D_OT_select", "VIEW3D_OT_rotate", "VIEW3D_OT_move"),
    *("VIEW3D_OT_zoom", "VIEW3D_OT_dolly", "VIEW3D_OT_ndof", "VIEW2D_OT_", "OMI_OT_preview"),
    "GIZMOGROUP_OT_gizmo_tweak",
)
"""Beginnings of operators that move views, select what is seen, or drag our handles."""
_KEYMAPS = ("Object Non-modal", "Object Mode", "Pose", "3D View Generic", "3D View")


class Lines:
    """Blender's relationship lines, hidden in all 3D views while a preview runs.

    They lead to where objects rest, not to where they are shown.
    """

    def __init__(self) -> None:
        self._hidden: set[int] = set()
        """Addresses of the views: one that was closed is not there to be found."""

    def hide(self) -> None:
        """Hide them where they are shown."""
        if not self._hidden:
            for space in _views():
                if space.overlay.show_relationship_lines:
                    space.overlay.show_relationship_lines = False
                    self._hidden.add(space.as_pointer())

    def show(self) -> None:
        """Show them where `hide` hid them."""
        hidden, self._hidden = self._hidden, set()
        for space in _views() if hidden else ():
            if space.as_pointer() in hidden:
                space.overlay.show_relationship_lines = True


class Rest:
    """Whether a preview rests: it does while anything else may be at work in any window."""

    def __init__(self) -> None:
        self.is_on = False
        self.lines = Lines()
        self._known = set(_tools())
        """Tools that ran before the preview."""
        self._windows: set[int] = set()
        """Windows of which no event has come since something may have begun there: a menu or a
        tool keeps them to itself."""
        self._passed = ""
        """Key that was pressed last, if it only moves a view."""

    def note(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Take over an event before others get it; rest where it may start something."""
        window = present(context.window).as_pointer()
        if event.type.startswith("TIMER"):
            return
        if not self._may_start(context, event):
            self._windows.discard(window)
            return
        self._begin()
        if event.value not in _ENDED or event.type.startswith(_BUTTONS):
            self._windows.add(window)
        else:
            self._windows.discard(window)

    def look(self) -> bool:
        """Return whether to rest on: menus are open, or tools run that did not before."""
        tools = set(_tools()) - self._known
        self._windows &= {each.as_pointer() for each in windows()}
        if tools and not self.is_on:
            self._begin()
        self.is_on = bool(tools or self._windows)
        if not self.is_on:
            self.lines.hide()
        return self.is_on

    def _begin(self) -> None:
        self.is_on = True
        WATCH.hide()

    def _may_start(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        if event.type.startswith(_PASSING):
            return False
        if event.value in _ENDED and event.type == self._passed:
            return False
        is_looking = _is_looking(context, event)
        self._passed = event.type if is_looking else ""
        return not is_looking


def region_at(
    context: bpy.types.Context, event: bpy.types.Event
) -> tuple[bpy.types.Area, bpy.types.Region] | None:
    """Return the area and the region under the mouse, None over the window's own bars."""
    found = None
    for area in present(context.screen).areas:
        for region in area.regions:
            is_in = (
                0 <= event.mouse_x - region.x < region.width
                and 0 <= event.mouse_y - region.y < region.height
            )
            # Sidebars lie over the drawing region.
            if is_in and (found is None or found[1].type == "WINDOW"):
                found = area, region
    return found


def _is_looking(context: bpy.types.Context, event: bpy.types.Event) -> bool:
    """Return whether an event edits a property, selects or moves a view, but starts nothing."""
    place = region_at(context, event)
    if place is None:
        return False
    area, region = place
    with context.temp_override(area=area, region=region):
        if event.type == "LEFTMOUSE":
            is_own = region.type == "UI" and region.active_panel_category == TAB
            return is_own or context.property is not None or _selects(context, area, region)
        return area.type == "VIEW_3D" and _starts(context, event).startswith(_LOOKING)


def _selects(context: bpy.types.Context, area: bpy.types.Area, region: bpy.types.Region) -> bool:
    """Return whether a click selects what is seen or drags a handle of ours."""
    space = area.spaces.active
    if not isinstance(space, bpy.types.SpaceView3D) or region.type != "WINDOW":
        return False
    moves = (
        space.show_gizmo_object_translate,
        space.show_gizmo_object_rotate,
        space.show_gizmo_object_scale,
    )
    tool = present(context.workspace).tools.from_space_view3d_mode(context.mode, create=False)
    is_selecting = tool is not None and tool.idname.startswith(("builtin.select", "omi."))
    return is_selecting and not (space.show_gizmo and any(moves))


def _starts(context: bpy.types.Context, event: bpy.types.Event) -> str:
    """Return which operator of a view a key starts, empty for none that is known."""
    keymaps = present(present(context.window_manager).keyconfigs.user).keymaps
    for name in _KEYMAPS:
        keymap = keymaps.get(name)
        item = None if keymap is None else keymap.keymap_items.match_event(event)
        if item is not None:
            module, _, operator = item.idname.partition(".")
            return f"{module.upper()}_OT_{operator}"
    return ""


def _views() -> Iterator[bpy.types.SpaceView3D]:
    """Yield the 3D views of all screens, those of other workspaces and behind other editors too."""
    for screen in bpy.data.screens:
        for area in screen.areas:
            yield from (each for each in area.spaces if isinstance(each, bpy.types.SpaceView3D))


def _tools() -> Iterator[str]:
    """Yield the tools that run in windows and may write poses."""
    for window in windows():
        for operator in window.modal_operators:
            if not operator.bl_idname.startswith(_LOOKING):
                yield operator.bl_idname

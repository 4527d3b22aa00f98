"""What a scenario in a real Blender window works with. Runs inside desktop Blender, without pytest.

A scenario is a public generator function in a file of `tests/gui/scenarios`:

    def drag_upper_limit(gui: Gui) -> Steps:
        joint = ...                                  # author the scene with bpy
        gui.look((0, 0, 0), distance=5)              # a view that is the same in every run
        yield                                        # let Blender handle events and draw
        start = gui.to_window(joint.matrix_world.translation)
        yield from gui.drag(start, (start[0] + 100, start[1]), shift=True)
        assert joint.omi_joint.limits[0].max > 0.5
        picture = yield from gui.picture("dragged")  # build/gui/FILE-dragged.png, and as an array

- Every scenario starts from an empty file in the Layout workspace with the extension enabled. The
  context is that of the 3D viewport, so `bpy.ops` works as in a script that a user runs there.
- Points are (x, y) in pixels of the window, origin at the bottom left, as Blender's events have it.
- `yield` ends a step: Blender handles what was sent and redraws what it thinks has changed. What
  takes events is a generator: call it with `yield from`.
- A scenario fails by a failed assertion, any other exception, a crash, taking too long, or a line
  on the console that tells of an error; `gui.expect("pattern")` where that line is as it should be.
- A file whose scenarios want another window than 1000 x 700 has `SIZE = "1600x1000"`, and one whose
  scenarios take longer than four minutes `LONGEST = 600.0` [s].
- A failed scenario leaves build/gui/FILE-SCENARIO-failed.png.
"""

import importlib
import math
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import (
    location_3d_to_region_2d,
    region_2d_to_origin_3d,
    region_2d_to_vector_3d,
)
from mathutils import Euler, Vector
from screen import Picture, grab, save

Steps = Generator[None, None, None]
Point = tuple[float, float]

ADDON = "bl_ext.user_default.omi_joints_addon"
"""The extension's module, as installed from the zip."""

TOP, FRONT, RIGHT = (0.0, 0.0, 0.0), (math.pi / 2, 0.0, 0.0), (math.pi / 2, 0.0, math.pi / 2)
"""Rotations of views along an axis, for `Gui.look`."""


def addon(name: str) -> ModuleType:
    """Return a module of the installed extension, such as "core.meaning.metric"."""
    return importlib.import_module(f"{ADDON}.{name}")


_VISIBLE = 40
"""Difference of a channel from which on a pixel is another one."""
_DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
_KEYS = {str(digit): key for digit, key in enumerate(_DIGITS)} | {
    ".": "PERIOD",
    "-": "MINUS",
    "_": "MINUS",
    "/": "SLASH",
    " ": "SPACE",
}
"""Keys of signs that are not called as they look."""


class Gui:
    """The window, its 3D viewport, and the hands of the user."""

    def __init__(self, pictures: Path, prefix: str) -> None:
        """Write pictures into the folder, their names beginning with the prefix."""
        self.expected: list[str] = []
        """Patterns of console lines that are no fault."""
        self.pictures = pictures
        """Folder of what `picture` saves."""
        self._prefix = prefix
        self._at: Point = (0.0, 0.0)
        self._modifiers: dict[str, bool] = {}
        self._window = 0

    @property
    def window(self) -> bpy.types.Window:
        """The window that the user works in, the only one at first."""
        windows = bpy.context.window_manager.windows
        return windows[min(self._window, len(windows) - 1)]

    def use(self, window: bpy.types.Window) -> None:
        """Work in another window."""
        self._window = list(bpy.context.window_manager.windows).index(window)

    @property
    def viewport(self) -> bpy.types.Area:
        """The area of the 3D viewport."""
        return self.area("VIEW_3D")

    @property
    def region(self) -> bpy.types.Region:
        """The drawing region of the 3D viewport."""
        return self.region_of(self.viewport, "WINDOW")

    def area(self, kind: str) -> bpy.types.Area:
        """Return the largest area of a type, such as "PROPERTIES"."""
        areas = [area for area in self.window.screen.areas if area.type == kind]
        return max(areas, key=lambda area: area.width * area.height)

    def region_of(self, area: bpy.types.Area, kind: str) -> bpy.types.Region:
        """Return the region of a type, such as "UI"."""
        return next(region for region in area.regions if region.type == kind)

    def context(self) -> dict[str, Any]:
        """Return the context of scripts: the 3D viewport, if no dialog hides it."""
        if not any(area.type == "VIEW_3D" for area in self.window.screen.areas):
            return {"window": self.window}
        return {"window": self.window, "area": self.viewport, "region": self.region}

    def expect(self, pattern: str) -> None:
        """Let this scenario write console lines that match the regular expression."""
        self.expected.append(pattern)

    # What the view shows

    def look(
        self,
        at: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        rotation: Sequence[float] = FRONT,
        distance: float = 10.0,
        perspective: bool = False,
    ) -> None:
        """Look at a world point; `rotation` is an XYZ Euler angle [rad], `distance` in metres."""
        view = self.viewport.spaces.active.region_3d
        view.view_perspective = "PERSP" if perspective else "ORTHO"
        view.view_location = at
        view.view_rotation = Euler(rotation).to_quaternion()
        view.view_distance = distance
        view.update()

    def to_window(self, point: Sequence[float]) -> Point:
        """Return where a world point is in the window; it must be within the drawing region."""
        region, view = self.region, self.viewport.spaces.active.region_3d
        local = location_3d_to_region_2d(region, view, Vector(point))
        assert local is not None, f"{tuple(point)} is behind the view"
        inside = 0 <= local.x < region.width and 0 <= local.y < region.height
        assert inside, f"{tuple(point)} is outside the view"
        return region.x + local.x, region.y + local.y

    def show_sidebar(self, category: str) -> Steps:
        """Open the viewport's sidebar at a tab, such as "Joints"."""
        self.viewport.spaces.active.show_region_ui = True
        yield from self.wait()  # tabs exist once they were drawn
        region = self.region_of(self.viewport, "UI")
        region.active_panel_category = category
        region.tag_redraw()
        yield from self.wait()

    def show_properties(self, context: str) -> Steps:
        """Open a tab of the properties editor, such as "PHYSICS", of the active object."""
        area = self.area("PROPERTIES")
        area.spaces.active.context = context
        area.tag_redraw()
        yield from self.wait()

    # What the user does

    def wait(self, steps: int = 2) -> Steps:
        """Let Blender handle events and draw."""
        for _ in range(steps):
            yield

    def until(self, is_done: Callable[[], bool], *, seconds: float = 200.0) -> Steps:
        """Wait for something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if is_done():
                return
            yield
        raise AssertionError("waited in vain")

    def move(self, to: Point) -> Steps:
        """Move the mouse there."""
        self._at = to
        self._send("MOUSEMOVE", "NOTHING")
        yield

    def press(self, key: str = "LEFTMOUSE", **modifiers: bool) -> Steps:
        """Press a key or button and hold it, with `ctrl`, `shift` or `alt` down."""
        self._modifiers = modifiers
        self._send(key, "PRESS")
        yield

    def hold(self, **modifiers: bool) -> None:
        """Hold `ctrl`, `shift` or `alt` from now until the next release."""
        self._modifiers = modifiers

    def release(self, key: str = "LEFTMOUSE") -> Steps:
        """Let go of a key or button, then of the modifiers."""
        self._send(key, "RELEASE")
        self._modifiers = {}
        yield

    def key(self, key: str, **modifiers: bool) -> Steps:
        """Type a key over the viewport where the mouse is, such as "Z" with ctrl=True for undo."""
        yield from self.press(key, **modifiers)
        yield from self.release(key)

    def write(self, *texts: str) -> Steps:
        """Type texts in one go: letters, digits and signs; a text like "<RET>" is a key."""
        x, y = (round(each) for each in self._at)
        for sign in (sign for text in texts for sign in ([text] if text[0] == "<" else text)):
            key = sign.strip("<>") if len(sign) > 1 else _KEYS.get(sign, sign.upper())
            event = {"type": key, "x": x, "y": y}
            self.window.event_simulate(
                **event, value="PRESS", unicode=sign if len(sign) == 1 else None
            )
            self.window.event_simulate(**event, value="RELEASE")
        yield

    def find(
        self,
        region: bpy.types.Region,
        *wanted: str,
        columns: Sequence[float] = (0.25, 0.5, 0.75),
        is_upward: bool = False,
    ) -> Generator[None, None, Point]:
        """Return where a button is: the mouse goes down the region until one copies as wanted.

        Blender copies a button as its Python command or the path of its property; all the texts
        wanted are in it, such as "omi.joint_add" and "HINGE". Fails where there is none.
        """
        seen = []
        height = 11.0 * bpy.context.preferences.system.ui_scale
        rows = range(int(region.height / height))
        for row in reversed(rows) if is_upward else rows:
            for column in columns:
                at = region.x + region.width * column, region.y + region.height - row * height
                yield from self.move(at)
                copied = self.copied(region)
                seen.append(copied)
                if copied and all(text in copied for text in wanted):
                    return at
        raise AssertionError(f"no button {wanted} among {sorted(set(seen))}")

    def copied(self, region: bpy.types.Region) -> str:
        """Return what Blender copies of the button under the mouse."""
        manager = bpy.context.window_manager
        manager.clipboard = ""
        areas = self.window.screen.areas
        area = next(each for each in areas if any(own == region for own in each.regions))
        with bpy.context.temp_override(window=self.window, area=area, region=region):
            for copy, options in (
                (bpy.ops.ui.copy_python_command_button, {}),
                (bpy.ops.ui.copy_data_path_button, {"full_path": True}),
            ):
                if copy.poll():
                    copy(**options)
                    break
        return str(manager.clipboard)

    def name_file(self, path: Path) -> Steps:
        """Choose a path in the file browser that fills the window, and confirm by Return."""
        yield from self.wait(3)
        area = self.area("FILE_BROWSER")
        parameters = area.spaces.active.params
        parameters.directory, parameters.filename = bytes(path.parent), path.name
        region = self.region_of(area, "WINDOW")
        yield from self.move((region.x + 0.5 * region.width, region.y + 0.3 * region.height))
        yield from self.wait()
        yield from self.picture(f"browser-{path.suffix[1:]}")
        yield from self.write("<RET>")
        yield from self.wait(3)

    def click(self, at: Point, **modifiers: bool) -> Steps:
        """Click with the left button."""
        yield from self.approach(at)
        yield from self.press(**modifiers)
        yield from self.release()

    def approach(self, to: Point) -> Steps:
        """Come to a point from aside and rest there, so that a handle there is highlighted."""
        yield from self.move((to[0] - 3, to[1]))
        yield from self.move(to)
        yield

    def pull(self, to: Point, *, steps: int = 6) -> Steps:
        """Move the mouse there bit by bit, whatever is held."""
        x, y = self._at
        for step in range(1, steps + 1):
            part = step / steps
            yield from self.move((x + (to[0] - x) * part, y + (to[1] - y) * part))

    def drag(self, start: Point, end: Point, *, steps: int = 6, **modifiers: bool) -> Steps:
        """Drag with the left button, `ctrl`, `shift` or `alt` down while the mouse moves."""
        yield from self.approach(start)
        yield from self.press()
        self.hold(**modifiers)
        yield from self.pull(end, steps=steps)
        yield from self.release()

    def redo(self, **values: Any) -> Steps:
        """Change values of the last operator and let Blender repeat it, as its redo panel does.

        A change in the panel makes Blender undo, and run the operator again with the new values if
        its poll allows it. `ed.undo_redo` is that very step.
        """
        last = bpy.context.window_manager.operators[-1]
        for name, value in values.items():
            setattr(last.properties, name, value)
        assert bpy.ops.ed.undo_redo.poll()
        # With an undo step of its own, as for a user; not as a part of what a script does.
        bpy.ops.ed.undo_redo("EXEC_DEFAULT", True)
        yield from self.wait()

    def pick(self, *names: str) -> Steps:
        """Select objects by clicks where they can be seen, the last one active."""
        for number, name in enumerate(names):
            yield from self.click(self._where_seen(bpy.data.objects[name]), shift=number > 0)
            yield from self.wait()
        selected = {obj.name for obj in bpy.context.selected_objects}
        assert selected == set(names), f"clicks selected {selected}"
        assert bpy.context.object.name == names[-1]

    def _where_seen(self, obj: bpy.types.Object) -> Point:
        """Return where a vertex of a mesh, or a point on the way to it, is behind nothing else."""
        region, view = self.region, self.viewport.spaces.active.region_3d
        depsgraph = bpy.context.evaluated_depsgraph_get()
        middle = sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8.0
        for part in (0.0, 0.5, 0.9):
            for vertex in obj.data.vertices:
                at = self.to_window(obj.matrix_world @ middle.lerp(vertex.co, part))
                local = at[0] - region.x, at[1] - region.y
                start = region_2d_to_origin_3d(region, view, local)
                way = region_2d_to_vector_3d(region, view, local)
                hit = bpy.context.scene.ray_cast(depsgraph, start, way)
                if hit[4] == obj:
                    return at
        raise AssertionError(f"{obj.name} is hidden")

    def press_button(self, *wanted: str) -> Steps:
        """Click the button of the sidebar that `find` finds."""
        at = yield from self.find(self.region_of(self.viewport, "UI"), *wanted)
        yield from self.click(at)
        yield from self.wait()

    def remember(self) -> None:
        """Push an undo step: the state that the first undo of the scenario goes back to."""
        bpy.ops.ed.undo_push(message="Scenario")

    # What can be seen

    def picture(self, name: str) -> Generator[None, None, Picture]:
        """Save the screen as build/gui/FILE-NAME.png and return its pixels."""
        yield from self.wait()
        print(f"[picture] {name}", flush=True)  # a long scenario has not fallen silent
        picture = self.screen()
        save(picture, self.pictures / f"{self._prefix}-{name}.png")
        return picture

    def screen(self) -> Picture:
        """Return the pixels of the screen, as its first window fills it."""
        first = bpy.context.window_manager.windows[0]
        return grab(first.width, first.height)

    def view_of(self, picture: Picture) -> Picture:
        """Return the pixels of the view in a picture, without header, tools and sidebar."""
        region, sidebar = self.region, self.region_of(self.viewport, "UI")
        right = region.x + region.width - (sidebar.width if sidebar.width > 1 else 0)
        return picture[region.y + 20 : region.y + region.height - 60, region.x + 60 : right]

    def _send(self, key: str, value: str) -> None:
        x, y = self._at
        self.window.event_simulate(type=key, value=value, x=round(x), y=round(y), **self._modifiers)


def browse_in_this_window() -> None:
    """Have file browsers in the window: one of its own would get none of the simulated events."""
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"  # the reason is above


def changed_pixels(one: Picture, two: Picture) -> int:
    """Return how many pixels of what two pictures of a view both show differ visibly.

    One of them may have a sidebar at its right.
    """
    width = min(one.shape[1], two.shape[1])
    one, two = one[:, :width], two[:, :width]
    return int((np.abs(one.astype(int) - two.astype(int)).max(axis=-1) > _VISIBLE).sum())


def near(picture: Picture, point: Point, *, radius: int = 3) -> Picture:
    """Return the pixels (n, 3) of the square around a point of the window."""
    x, y = round(point[0]), round(point[1])
    square = picture[max(y - radius, 0) : y + radius + 1, max(x - radius, 0) : x + radius + 1]
    return square.reshape(-1, 3)


def has_colour(pixels: Picture, colour: Sequence[float], *, tolerance: int = 40) -> bool:
    """Return whether a pixel has a colour (0 to 255), each channel within the tolerance."""
    difference = np.abs(pixels.reshape(-1, 3).astype(int) - np.asarray(colour, int))
    return bool((difference <= tolerance).all(axis=-1).any())

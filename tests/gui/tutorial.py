"""Follows a page of docs/tutorials in the window, by its words alone. Runs inside desktop Blender.

What the numbered steps of a page say is done in its order, with mouse and keys:

| in the page | is |
| --- | --- |
| <kbd>G</kbd> | pressed, with those of Ctrl, Shift and Alt before it held down |
| **Hinge** | looked for on the screen, by reading it, and clicked |
| <kbd>Ctrl</kbd> … **Post** | clicked with the key held down |
| **Door** in the viewport | an object or bone, clicked where it is; or dragged, after that word |
| beside **Maximum** | a click on the field to the right of that label |
| tab **Joints** | a tab of the sidebar or the Properties editor |
| `110` | typed |
| *Saved* | looked for on the screen |
| ![…](a/b.png) | the picture is taken |

"in the Outliner", "in the sidebar" and the like say where to look, until the end of the step.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import bpy
from harness import Gui, Picture, Point, Steps, browse_in_this_window, changed_pixels
from mathutils import Vector
from words import TREATMENTS, Label, Rectangle, find, read

PAGES = Path(__file__).resolve().parents[2] / "docs" / "tutorials"
STEP = re.compile(r"^\d+\. (.*(?:\n+   .*)*)", re.MULTILINE)
TOKEN = re.compile(
    r"!\[[^\]]*\]\((?P<picture>[^)]+)\)|<kbd>(?P<key>[^<]+)</kbd>|\*\*(?P<label>[^*]+)\*\*"
    r"|`(?P<text>[^`]+)`|\*(?P<seen>[^*]+)\*"
)
MODIFIERS = {"Ctrl": "ctrl", "Shift": "shift", "Alt": "alt"}
KEYS = {
    "Enter": "RET",
    "Home": "HOME",
    "Space": "SPACE",
    "Esc": "ESC",
    "Delete": "DEL",
    "Tab": "TAB",
}
PLACES = {
    "Outliner": ("OUTLINER", "WINDOW"),
    "sidebar": ("VIEW_3D", "UI"),
    "lower left": ("VIEW_3D", "HUD"),
    "viewport": ("VIEW_3D", ""),
    "Properties editor": ("PROPERTIES", "WINDOW"),
    "file browser": ("FILE_BROWSER", ""),
    "bottom": ("FILE_BROWSER", "EXECUTE"),
    "options on the right": ("FILE_BROWSER", "TOOL_PROPS"),
}
EVERYWHERE = ("lower left", "sidebar", "viewport", "file browser", "Outliner")
PULL = (-260, 60)
"""How far something is dragged [pixels]."""
NONE: Mapping[int, Callable[[], None]] = {}
MOVED = 4000
"""Pixels that differ at least where meshes have moved: needles and arrows are a tenth of it."""
TABS = {"Physics": "PHYSICS", "Object": "OBJECT"}


def follow(
    gui: Gui,
    page: str,
    crops: Mapping[str, str],
    *,
    after: Mapping[int, Callable[[], None]] = NONE,
    moved: Sequence[tuple[str, str]] = (),
) -> Steps:
    """Do what the page says.

    `crops` names the place that each picture shows; `after` has what to look at after a step.
    Between two pictures that are `moved`, meshes have moved in the view.
    """
    show_as_in_print()
    yield from gui.wait(4)
    user = User(gui, crops)
    steps = STEP.finditer((PAGES / f"{page}.md").read_text(encoding="utf-8"))
    for number, match in enumerate(steps, 1):
        print(f"[step] {match[0].splitlines()[0]}", flush=True)
        yield from user.do(match[1])
        after.get(number, lambda: None)()
    for before, later in moved:
        count = changed_pixels(user.views[before], user.views[later])
        assert count > MOVED, f"{count} pixels differ between {before} and {later}"


def show_as_in_print() -> None:
    """Choose the light theme, text of twice the size, and dialogs inside the one window."""
    bpy.ops.wm.read_homefile(app_template="", load_ui=True)
    preferences = bpy.context.preferences
    (light,) = Path(bpy.utils.resource_path("SYSTEM")).rglob("Blender_Light.xml")
    bpy.ops.script.execute_preset(
        filepath=str(light), menu_idname="USERPREF_MT_interface_theme_presets"
    )
    preferences.view.ui_scale = 2.0  # for pictures that are read at half their size
    browse_in_this_window()


class User:
    """Someone who reads a tutorial in front of the window."""

    def __init__(self, gui: Gui, crops: Mapping[str, str]) -> None:
        """Sit down."""
        self.gui = gui
        self.crops = crops
        self.place = ""
        self.views: dict[str, Picture] = {}
        """What the view showed, without its sidebar, when each picture was taken."""
        self.held: dict[str, bool] = {}
        self.pulls = False

    def do(self, step: str) -> Steps:
        """Do what a step says."""
        self.place, self.held, end = "", {}, 0
        for token in TOKEN.finditer(step):
            words = step[end : token.start()]
            after = TOKEN.split(step[token.end() :], maxsplit=1)[0]
            end = token.end()
            self._look(words)
            self._look(re.split(r"[.,;:]", after)[0])
            if token.lastgroup != "picture":
                yield from self._let_go()
            print(f"[{token.lastgroup}] {token[token.lastgroup]}", flush=True)
            yield from getattr(self, f"_{token.lastgroup}")(token[token.lastgroup], words)
            yield from self.gui.wait(1)

        yield from self._let_go()

    def _let_go(self) -> Steps:
        """Release what is dragged; a picture shows it before."""
        if self.pulls:
            self.pulls = False
            yield from self.gui.release()

    def _look(self, words: str) -> None:
        for name in PLACES:
            if f"the {name}" in words:
                self.place = name

    def _key(self, name: str, _words: str) -> Steps:
        if name in MODIFIERS:
            self.held[MODIFIERS[name]] = True
            return
        if name not in {"Enter", "Esc"} and "area" in self.gui.context():
            yield from self.gui.move(self._middle())
        yield from self.gui.key(KEYS.get(name, name), **self.held)
        self.held = {}

    def _label(self, text: str, words: str) -> Steps:
        if re.search(r"\btab $", words):
            yield from self._tab(text)
            return
        if self.place == "viewport" and (middle := _middle_of(text)) is not None:
            at = self.gui.to_window(middle)
        else:
            label = yield from self._find(text)
            at = label.beside if words.rstrip().endswith("beside") else label.center
        if re.search(r"[Dd]rag (the )?$", words):
            yield from self.gui.approach(at)
            yield from self.gui.press()
            yield from self.gui.pull((at[0] + PULL[0], at[1] + PULL[1]))
            self.pulls = True
        else:
            yield from self.gui.click(at, **self.held)
        self.held = {}

    def _text(self, text: str, _words: str) -> Steps:
        yield from self.gui.write(text)

    def _seen(self, text: str, _words: str) -> Steps:
        yield from self._find(text)

    def _picture(self, path: str, _words: str) -> Steps:
        yield from self.gui.wait(3)
        folder = Path(os.environ.get("OMI_TUTORIAL_PICTURES") or self.gui.pictures)
        folder.mkdir(parents=True, exist_ok=True)
        name = Path(path).stem
        if "area" in self.gui.context():
            self.views[name] = self.gui.view_of((yield from self.gui.picture(name)))
        part = rectangles(self.gui, self.crops.get(name, "viewport"))[0]
        colors = ["-dither", "None", "-colors", "96", "-define", "png:compression-level=9"]
        target = folder / f"{name}.png"
        grab = ["import", "-window", "root", "-crop", part.crop(), "+repage", *colors]
        subprocess.run([*grab, f"PNG8:{target}"], check=True)

    def _tab(self, name: str) -> Steps:
        if self.place == "Properties editor":
            yield from self.gui.show_properties(TABS[name])
        else:
            yield from self.gui.show_sidebar(name)

    def _find(self, text: str) -> Iterator[None]:
        """Return the label of that text; look again until it is there."""
        seen: list[Label] = []
        for number, treatment in enumerate(TREATMENTS * 2):
            for part in rectangles(self.gui, self.place):
                labels = read(part, treatment)
                found = find(text, labels)
                if found is not None:
                    return found
                seen += labels
            is_hidden = number + 1 == len(TREATMENTS)
            if is_hidden and self.place == "sidebar" and "area" in self.gui.context():
                # A tooltip of what the mouse rests on may hide it.
                yield from self.gui.move(self._middle())
            yield from self.gui.wait(5)
        raise AssertionError(f"{text!r} is not among {[label.text for label in seen]}")

    def _middle(self) -> Point:
        region = self.gui.region
        return region.x + region.width * 0.35, region.y + region.height * 0.5


def rectangles(gui: Gui, place: str) -> list[Rectangle]:
    """Return the parts of the window that a place names, all for none."""
    if place == "window":
        return [Rectangle(0, 0, gui.window.width, gui.window.height)]
    if place:
        return list(_parts(gui, *PLACES[place]))
    everywhere = (part for name in EVERYWHERE for part in _parts(gui, *PLACES[name]))
    below = _below_top_bar(gui)
    # A long menu of the largest area reaches below it.
    return [_top_bar(gui), below, *everywhere, Rectangle(0, 0, below.width, below.y)]


def _top_bar(gui: Gui) -> Rectangle:
    """Return what is above all areas of the screen."""
    top = max(area.y + area.height for area in gui.window.screen.areas)
    return Rectangle(0, top, gui.window.width, gui.window.height - top)


def _below_top_bar(gui: Gui) -> Rectangle:
    """Return what menus of the top bar and of the largest area fall into."""
    areas = gui.window.screen.areas
    largest = max(areas, key=lambda area: area.width * area.height)
    return Rectangle(0, largest.y, largest.x + largest.width, _top_bar(gui).y - largest.y)


def _parts(gui: Gui, kind: str, region: str) -> Iterator[Rectangle]:
    for area in gui.window.screen.areas:
        parts = [each for each in area.regions if each.type == region] if region else [area]
        for part in parts if area.type == kind else ():
            if part.width > 1 and part.height > 1 and _is_shown(area, part):
                yield Rectangle(part.x, part.y, part.width, part.height)


def _is_shown(area: bpy.types.Area, part: bpy.types.Region | bpy.types.Area) -> bool:
    is_sidebar = isinstance(part, bpy.types.Region) and part.type == "UI"
    return not is_sidebar or area.spaces.active.show_region_ui


def _middle_of(name: str) -> Vector | None:
    """Return the middle of an object's bounds or of a bone, where it is shown."""
    if name in bpy.data.objects:
        shown = bpy.data.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
        corners = [shown.matrix_world @ Vector(corner) for corner in shown.original.bound_box]
        return sum(corners, Vector()) / len(corners)
    rigs = (obj for obj in bpy.data.objects if obj.pose is not None and name in obj.pose.bones)
    for rig in rigs:
        bone = rig.pose.bones[name]
        return rig.matrix_world @ ((bone.head + bone.tail) / 2.0)
    return None

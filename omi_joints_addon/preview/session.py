"""The preview that runs, one at a time, and what all kinds of previews share."""

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

import bpy

from .. import scene as scenes
from ..scene.watch import WATCH, live_scene
from ..scene.windows import areas

if TYPE_CHECKING:
    from ..core.model.graph import Indices
    from ..core.model.pose import Array
    from ..core.model.scene import PhysicsScene
    from ..core.outline.pieces import State


class PreviewError(Exception):
    """There is nothing to preview; the text says why."""


class Command(StrEnum):
    """What a button asks of the running preview."""

    PLAY = "PLAY"
    PAUSE = "PAUSE"
    STEP = "STEP"
    RESET = "RESET"
    SWEEP = "SWEEP"
    RANDOM = "RANDOM"
    MIRROR = "MIRROR"
    STOP = "STOP"


class Preview:
    """A scene shown elsewhere: its live view is read, and what views show is set.

    Edits of the scene take effect at once; where objects come or go the preview is over.
    """

    kind = ""
    """What runs, as the interface calls it."""

    def __init__(self, context: bpy.types.Context) -> None:
        """Take the scene as it is."""
        scene, layer = context.scene, context.view_layer
        if scene is None or layer is None:
            raise PreviewError("No scene is available")
        from .rest import Rest

        layer.update()
        self.rest = Rest()
        self.live = live_scene(scene)
        if not self.live.is_current:
            self.live.settle(scene)
        self.objects = self.live.nodes.objects
        self.scene: PhysicsScene = scenes.partial.live_to_core(self.live)
        self.is_over = False
        self._mode = context.mode
        self._listing = self.live.listing
        self._version = self.live.version
        self._shown: tuple[Array, Mapping[int, State]] | None = None

    @property
    def activity(self) -> str:
        """What it does now, in a word."""
        return ""

    @property
    def clock(self) -> str:
        """The time that it has reached, empty where it has none."""
        return ""

    @property
    def status(self) -> str:
        """What it does, or that it rests."""
        return "Resting" if self.rest.is_on else self.activity

    def tick(self, context: bpy.types.Context, elapsed: float = 0.0) -> None:
        """Show the next moment, by the scene as it is now, `elapsed` [s] after the last one."""
        if context.view_layer is not None:
            # Blender tells only then of objects that were removed.
            context.view_layer.update()
        if not self._is_possible(context):
            self.end()
            return
        if self.rest.look():
            return
        if self._is_edited():
            self.scene = scenes.partial.live_to_core(self.live)
            self.change(context)
        self._version = self.live.version
        self.move(context, elapsed)
        if self._shown is not None:
            matrices, states = self._shown
            depsgraph = context.evaluated_depsgraph_get()
            self.live.shown.show(depsgraph, matrices, states, all_reported=_has_shadows())

    def move(self, context: bpy.types.Context, elapsed: float) -> None:
        """Work out what to show next."""

    def change(self, context: bpy.types.Context) -> None:
        """Take over a scene that was edited."""

    def show(self, matrices: "Array", states: "Mapping[int, State]") -> None:
        """Show all nodes at world matrices (n, 4, 4), and states of joints, from the next tick."""
        self._shown = matrices, states

    @property
    def shown_matrices(self) -> "Array":
        """World matrices of all nodes that it shows, also while it rests, shape (n, 4, 4)."""
        return self.scene.matrices if self._shown is None else self._shown[0]

    def obey(self, command: Command) -> None:
        """Do what a button asks."""
        if command == Command.STOP:
            self.end()

    @property
    def held_bodies(self) -> Collection[int]:
        """Nodes of the bodies that the mouse can take hold of."""
        return ()

    def grab(self, body: int, point: Sequence[float]) -> None:
        """Hold one of those bodies at a point (3,) of the world [m]."""

    def pull(
        self, context: bpy.types.Context, target: Sequence[float], direction: Sequence[float]
    ) -> None:
        """Pull at what is held toward a point (3,) [m], seen along a unit vector (3,)."""

    def release(self) -> None:
        """Hold nothing any longer."""

    def end(self) -> None:
        """Put everything back."""
        self.is_over = True
        self.rest.lines.show()
        self.live.hide()

    def _is_possible(self, context: bpy.types.Context) -> bool:
        """Return whether the scene is still the one that is previewed."""
        scene = context.scene
        if scene is None or context.mode != self._mode or _is_file_asked():
            return False
        return live_scene(scene) is self.live and self.live.listing == self._listing

    def edited_nodes(self) -> "Indices":
        """Return the nodes that were edited since the last tick."""
        return (self.live.versions > self._version).nonzero()[0]

    def _is_edited(self) -> bool:
        return len(self.edited_nodes()) > 0 or self.live.gravity != self.scene.gravity


def _has_shadows() -> bool:
    """Return whether a view keeps shadows and light, which follow reported changes only."""
    spaces = [area.spaces.active for area in areas("VIEW_3D")]
    shadings = [space.shading for space in spaces if isinstance(space, bpy.types.SpaceView3D)]
    return any(
        each.type in ("MATERIAL", "RENDERED") or (each.type == "SOLID" and each.show_shadows)
        for each in shadings
    )


def _is_file_asked() -> bool:
    """Return whether a dialog asks for a file: some exporters would write what is shown."""
    spaces = [area.spaces.active for area in areas("FILE_BROWSER")]
    dialogs = [space for space in spaces if isinstance(space, bpy.types.SpaceFileBrowser)]
    return any(dialog.active_operator is not None for dialog in dialogs)


class _Stage:
    """The preview that runs, if any."""

    def __init__(self) -> None:
        self.preview: Preview | None = None
        self.leave: Callable[[], None] | None = None
        """Ends the operator that runs the preview."""


_STAGE = _Stage()


def running() -> Preview | None:
    """Return the preview that runs."""
    preview = _STAGE.preview
    return None if preview is None or preview.is_over else preview


def begin(preview: Preview, leave: Callable[[], None] | None = None) -> None:
    """Let a preview run, ending any other; `leave` ends its operator where nobody else can."""
    stop()
    _STAGE.preview, _STAGE.leave = preview, leave


def stop() -> None:
    """End the preview that runs and put everything back."""
    preview, _STAGE.preview, _STAGE.leave = _STAGE.preview, None, None
    if preview is not None and not preview.is_over:
        preview.end()


def _show_lines() -> None:
    """Show Blender's relationship lines until the preview goes on."""
    preview = running()
    if preview is not None:
        preview.rest.lines.show()


def attach() -> None:
    """End previews before undo or another file replaces all data."""
    WATCH.leaving.append(stop)
    WATCH.hiding.append(_show_lines)


def detach() -> None:
    """Leave nothing behind; Blender drops operators of a class that is removed silently."""
    leave = _STAGE.leave if running() else None
    stop()
    if leave is not None:
        leave()
    if stop in WATCH.leaving:
        WATCH.leaving.remove(stop)
    if _show_lines in WATCH.hiding:
        WATCH.hiding.remove(_show_lines)

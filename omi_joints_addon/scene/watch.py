"""Keeps live scenes up to date: passes on what Blender reports, and has the rest read later."""

from collections.abc import Callable
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ..properties.bones import JOURNAL
from .updates import Updates
from .work import WORK, Redraw

if TYPE_CHECKING:
    from ..core.model.pose import Array
    from .checks import LiveChecks
    from .live import LiveScene

_PAUSE = 0.02
"""Time [s] between glances at what may have changed without a report."""
_MOST_URGENT = 200
"""Objects that are read at once after an operator of ours: all of a scene, or selected ones."""


class Watch:
    """The live scenes of this Blender process, by `session_uid` of the scene."""

    def __init__(self) -> None:
        self._scenes: dict[int, tuple[LiveScene, LiveChecks]] = {}
        self.leaving: list[Callable[[], None]] = []
        """What to call before undo or another file replaces Blender's data."""
        self.changing: list[Callable[[bpy.types.Scene, Updates], None]] = []
        """What to call where Blender reports changes, outside of previews."""
        self.framed: list[Callable[[bpy.types.Scene, Updates], None]] = []
        """What to call after the frame has changed, outside of previews."""
        self.rendering: list[Callable[[], None]] = []
        """What to call before a render, whose frames Blender evaluates apart."""
        self.hiding: list[Callable[[], None]] = []
        """What to call before a file is saved or a tool runs during a preview."""
        self.rebuilt = 0
        """How often Blender worked out anew what depends on what, as for a new key or driver."""
        self._operator = 0
        self._glanced = -_PAUSE
        """When there was a glance last."""
        self._drawn = (0, 0)
        """Value of `_versions` for which windows were drawn last."""

    def scene(self, scene: bpy.types.Scene) -> "LiveScene":
        """Return the live view of a scene, with what is known to have changed read."""
        live, checks = self._known(scene)
        live.refresh(scene, is_glancing=self._may_glance())
        self._work_later(live, checks)
        return live

    def _may_glance(self) -> bool:
        """Return whether it is time for a glance: all panels of a redraw ask for the scene."""
        now = perf_counter()
        if now - self._glanced < _PAUSE and not bpy.app.background:
            return False
        self._glanced = now
        return True

    def checks(self, scene: bpy.types.Scene) -> "LiveChecks":
        """Return the live checks of a scene."""
        return self._known(scene)[1]

    def settled(self, scene: bpy.types.Scene) -> "LiveChecks":
        """Return the live checks of a scene after reading and checking all of it."""
        live, checks = self._known(scene)
        live.refresh(scene)
        live.suspect_all()
        live.settle(scene)
        checks.work()
        return checks

    def note(self, scene: bpy.types.Scene, updates: Updates) -> None:
        """Remember what changed in a scene."""
        self.rebuilt += updates.depsgraph.id_type_updated("SCENE")
        known = self._scenes.get(scene.session_uid)
        if known is None:
            return
        self._note(*known, scene, updates)
        if (preview := known[0].shown.preview) is not None:
            preview.keep(updates.depsgraph)

    def renew(self, scene: bpy.types.Scene, *, is_frame: bool) -> None:
        """Have what a preview moves evaluated at rest with what follows it and was edited."""
        known = self._scenes.get(scene.session_uid)
        preview = None if known is None else known[0].shown.preview
        if preview is None:
            return
        if is_frame:
            preview.renew()
            return
        for layer in scene.view_layers:
            if layer.depsgraph is not None:
                preview.renew_for(layer.depsgraph)

    def _note(
        self,
        live: "LiveScene",
        checks: "LiveChecks",
        scene: bpy.types.Scene,
        updates: Updates,
    ) -> None:
        if live.is_idle:
            if updates.depsgraph.id_type_updated("COLLECTION"):
                live.pending.is_listed = False
            active = scene.view_layers[0].objects.active
            if active is not None:
                live.pending.add_objects([active])
            return
        live.pending.add(updates)
        live.pending.moved |= live.followers.moved(scene, updates)
        if live.pending.has_more:
            self._note_selected(scene, live)
        self._work_later(live, checks)

    def last_place(self, scene: bpy.types.Scene, obj: bpy.types.Object) -> "Array | None":
        """Return the world matrix (4, 4) of an object as it was read last, None where it is old."""
        known = self._scenes.get(scene.session_uid)
        key = obj.session_uid
        if known is None or known[0].pending.is_late(key):
            return None
        node = known[0].nodes.numbers.get(key)
        return None if node is None else known[0].nodes.matrices[node]

    def suspect(self) -> None:
        """Remember that anything may have changed in any scene."""
        for live, _ in self._scenes.values():
            live.pending.is_listed = False
            live.suspect_all()

    def release(self) -> None:
        """Drop references into Blender's data."""
        for leave in self.leaving:
            leave()
        for live, _ in self._scenes.values():
            live.hide()
            live.release()

    @property
    def is_showing(self) -> bool:
        """Whether a preview shows a scene elsewhere."""
        return any(live.shown.preview is not None for live, _ in self._scenes.values())

    def hide(self) -> None:
        """Show scenes as they are until a preview goes on."""
        for each in self.hiding:
            each()
        for scene in bpy.data.scenes:
            known = self._scenes.get(scene.session_uid)
            if known is not None and known[0].shown.preview is not None:
                known[0].hide()
                for layer in scene.view_layers:
                    layer.update()

    def forget(self) -> None:
        """Drop everything."""
        self.release()
        self._scenes.clear()

    # Work between redraws

    def work(self, until: float) -> bool:
        """Read and check until a moment of `time.perf_counter`; return whether all is done."""
        is_done = True
        for scene in bpy.data.scenes:
            known = self._scenes.get(scene.session_uid)
            if known is None:
                continue
            live, checks = known
            live.refresh(scene, is_glancing=False)
            if live.is_current:
                checks.work(until)
            else:
                live.sweep(scene, until)
            is_done &= live.is_current and checks.is_current
        return is_done

    def undrawn(self) -> Redraw:
        """Return what shows what was read and checked: views for the scene, panels for findings."""
        drawn, self._drawn = self._drawn, self._versions()
        if drawn == self._drawn:
            return Redraw.NONE
        for _, checks in self._scenes.values():
            checks.list_soon()
        return Redraw.VIEWS if drawn[0] != self._drawn[0] else Redraw.PANELS

    def _work_later(self, live: "LiveScene", checks: "LiveChecks") -> None:
        """Have the rest read and checked between redraws."""
        if not (live.is_current and checks.is_current and self._drawn == self._versions()):
            WORK.later(self)

    def _versions(self) -> tuple[int, int]:
        """Return how often scenes changed that Blender may not draw by itself, and findings."""
        known = self._scenes.values()
        unreported = sum(live.shown.unreported for live, _ in known)
        return unreported, sum(checks.version for _, checks in known)

    def _known(self, scene: bpy.types.Scene) -> "tuple[LiveScene, LiveChecks]":
        known = self._scenes.get(scene.session_uid)
        if known is None:
            # Loaded for the first scene that is shown or judged, not when Blender starts.
            from .checks import LiveChecks
            from .live import LiveScene

            live = LiveScene()
            known = self._scenes[scene.session_uid] = (live, LiveChecks(live))
        operator = _last_operator()
        if operator != self._operator:
            self._operator = operator
            self._note_operator(scene, known[0])
        return known

    def _note_operator(self, scene: bpy.types.Scene, live: "LiveScene") -> None:
        """Look at all objects after an operator of ours, at those it was about first."""
        for each, _ in self._scenes.values():
            each.suspect_all()
        if len(live.nodes) <= _MOST_URGENT:
            live.pending.add_objects(scene.objects)
        self._note_selected(scene, live)

    def _note_selected(self, scene: bpy.types.Scene, live: "LiveScene") -> None:
        """Have what is selected read at once."""
        for layer in scene.view_layers:
            live.pending.add_objects(islice(layer.objects.selected, _MOST_URGENT))


WATCH = Watch()


def live_scene(scene: bpy.types.Scene) -> "LiveScene":
    """Return the live view of a scene, with what is known to have changed read."""
    return WATCH.scene(scene)


def shown_scene(scene: bpy.types.Scene) -> "LiveScene":
    """Return the live view of a scene for drawing, complete only where no timer completes it."""
    if bpy.app.background:
        WATCH.settled(scene)
    return live_scene(scene)


def _last_operator() -> int:
    """Return which operator of this extension ran last, 0 where another one did.

    Blender tells of moved objects and edited properties, not of what operators do to properties.
    """
    operators: Any = bpy.data.window_managers[0].operators if bpy.data.window_managers else ()
    is_own = len(operators) > 0 and operators[-1].bl_idname.startswith("OMI_OT")
    return operators[-1].as_pointer() if is_own else 0


@persistent  # type: ignore[untyped-decorator]
def _note_edits(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _note(scene, Updates(depsgraph), WATCH.changing)


@persistent  # type: ignore[untyped-decorator]
def _note_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    _note(scene, Updates(depsgraph), WATCH.framed)


def _note(
    scene: bpy.types.Scene,
    updates: Updates,
    calls: list[Callable[[bpy.types.Scene, Updates], None]],
) -> None:
    try:
        if not WATCH.is_showing:
            for call in calls:
                call(scene, updates)
    finally:
        # Whatever fails: changes that are not recorded are never read.
        WATCH.note(scene, updates)


@persistent  # type: ignore[untyped-decorator]
def _renew_edited(scene: bpy.types.Scene, *_arguments: Any) -> None:
    WATCH.renew(scene, is_frame=False)


@persistent  # type: ignore[untyped-decorator]
def _renew_all(scene: bpy.types.Scene, *_arguments: Any) -> None:
    WATCH.renew(scene, is_frame=True)


@persistent  # type: ignore[untyped-decorator]
def _release(*_arguments: Any) -> None:
    WATCH.release()


@persistent  # type: ignore[untyped-decorator]
def _note_render(*_arguments: Any) -> None:
    for each in WATCH.rendering:
        each()


@persistent  # type: ignore[untyped-decorator]
def _hide(*_arguments: Any) -> None:
    WATCH.hide()


@persistent  # type: ignore[untyped-decorator]
def _suspect(*_arguments: Any) -> None:
    _put_back_poses()
    WATCH.release()
    WATCH.suspect()


def _put_back_poses() -> None:
    """Put back poses that a preview showed when an undo step or a file was made."""
    objects = bpy.data.objects if bpy.data.armatures else ()
    posed = [obj for obj in objects if obj.type == "ARMATURE" and obj.get(JOURNAL) is not None]
    if posed:
        from .posed import put_back

        for armature in posed:
            put_back(armature)


@persistent  # type: ignore[untyped-decorator]
def _forget(*_arguments: Any) -> None:
    WATCH.forget()


@persistent  # type: ignore[untyped-decorator]
def _open(*_arguments: Any) -> None:
    _put_back_poses()
    WATCH.forget()


def _handlers() -> tuple[tuple[list[Any], Any], ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_pre, _renew_edited),
        (lists.depsgraph_update_post, _note_edits),
        (lists.frame_change_pre, _renew_all),
        (lists.frame_change_post, _note_frame),
        (lists.render_init, _note_render),
        (lists.undo_pre, _release),
        (lists.redo_pre, _release),
        (lists.undo_post, _suspect),
        (lists.redo_post, _suspect),
        (lists.save_pre, _hide),
        (lists.load_pre, _forget),
        (lists.load_post, _open),
    )


def attach() -> None:
    """Watch for changes."""
    for handlers, handler in _handlers():
        handlers.append(handler)


def detach() -> None:
    """Watch no longer."""
    for handlers, handler in _handlers():
        # Others may have copied it.
        while handler in handlers:
            handlers.remove(handler)
    WORK.stop()
    WATCH.forget()

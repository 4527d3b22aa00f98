"""What is wrong with the joints of a scene, live: worked out again only after something changed."""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..core.checks.scene import check_scene
from ..core.engines.engine import Engine
from ..core.findings.finding import Finding, Severity
from ..core.model.scene import PhysicsScene
from ..properties.checks import checks_options
from ..properties.joint import joint_data
from .mirror import Changed, SceneMirror


def scene_findings(scene: bpy.types.Scene) -> list[Finding]:
    """Return what is wrong with the joints of a scene as it is now, for files and commands."""
    return LiveChecks().findings(scene)


class LiveChecks:
    """Findings of one scene and what they were worked out from."""

    def __init__(self) -> None:
        self._mirror = SceneMirror()
        self._changed: Changed = None
        self._operator = 0
        self._scene: PhysicsScene | None = None
        self._findings: list[Finding] = []
        self._engines: dict[Engine, list[Finding]] = {}

    def note(self, changed: Changed) -> None:
        """Remember objects that changed; None is any."""
        if changed is None or self._changed is None:
            self._changed = None
        else:
            self._changed |= changed

    def findings(self, scene: bpy.types.Scene) -> list[Finding]:
        """Return what is wrong with the joints of the scene."""
        operator = _last_operator()
        if operator != self._operator:
            self._operator = operator
            self.note(None)
        if self._changed is None or self._changed:
            self._mirror.update(scene, self._changed)
            self._scene, tied = self._mirror.core(scene)
            missing = {item.place for item in tied if item.code == "OMI-J002"}
            found = check_scene(self._scene)
            rest = [f for f in found if f.code != "OMI-J001" or f.place not in missing]
            self._findings = [*tied, *rest]
            self._engines = {}
            self._changed = set()
        return self._findings

    def engine_findings(self, scene: bpy.types.Scene, engine: Engine) -> list[Finding]:
        """Return what an engine loses of the joints of the scene."""
        self.findings(scene)
        if self._scene is not None and engine not in self._engines:
            self._engines[engine] = engine.check(self._scene)
        return self._engines.get(engine, [])


def _last_operator() -> int:
    """Return which operator of this extension ran last, 0 where another one did.

    Blender tells of moved objects and edited properties, not of what operators do to properties.
    """
    operators: Any = bpy.data.window_managers[0].operators if bpy.data.window_managers else ()
    is_own = len(operators) > 0 and operators[-1].bl_idname.startswith("OMI_OT")
    return operators[-1].as_pointer() if is_own else 0


_live: dict[int, LiveChecks] = {}
"""By `session_uid` of the scene."""


def live_checks(scene: bpy.types.Scene) -> LiveChecks:
    """Return the live checks of a scene."""
    return _live.setdefault(scene.session_uid, LiveChecks())


def shown_findings(scene: bpy.types.Scene) -> list[Finding]:
    """Return the findings that the scene's options show, worst first."""
    options = checks_options(scene)
    live = live_checks(scene)
    found = list(live.findings(scene))
    if options.use_engine:
        found += live.engine_findings(scene, options.target())
    order = list(Severity)
    shown = [item for item in found if options.shows(item.severity)]
    return sorted(shown, key=lambda item: order.index(item.severity))


def joint_findings(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[Finding]:
    """Return what is wrong with one joint, its settings and their owner."""
    places = {obj.name}
    source = joint_data(obj).settings_source
    if source is not None:
        places.add(source.name)
    return [item for item in live_checks(scene).findings(scene) if item.place in places]


@persistent  # type: ignore[untyped-decorator]
def _note_updates(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not _live:
        return
    changed = {
        update.id.original.session_uid  # type: ignore[union-attr]
        for update in depsgraph.updates
        if isinstance(update.id, bpy.types.Object)
    }
    for live in _live.values():
        live.note(changed)


@persistent  # type: ignore[untyped-decorator]
def _forget(*_arguments: Any) -> None:
    _live.clear()


def _handlers() -> tuple[tuple[list[Any], Any], ...]:
    handlers = bpy.app.handlers
    return (
        (handlers.depsgraph_update_post, _note_updates),
        (handlers.load_post, _forget),
        (handlers.undo_post, _forget),
        (handlers.redo_post, _forget),
    )


def attach() -> None:
    """Watch for changes."""
    for handlers, handler in _handlers():
        handlers.append(handler)


def detach() -> None:
    """Watch no longer."""
    for handlers, handler in _handlers():
        if handler in handlers:
            handlers.remove(handler)
    _live.clear()

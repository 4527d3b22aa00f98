"""What is wrong with the joints of a scene, live: worked out again only after something changed.

`Scene.omi_checks` says what the panel of checks shows.
"""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, EnumProperty

from ..core.checks import check_scene
from ..core.engines import Engine, check_engine
from ..core.findings import Finding, Severity
from ..core.scene import PhysicsScene
from .joint import joint_data
from .scene_mirror import Changed, SceneMirror


class OMI_PG_checks(bpy.types.PropertyGroup):
    """Which findings are shown, and for which engine."""

    if TYPE_CHECKING:
        show_error: bool
        show_warning: bool
        show_info: bool
        use_engine: bool
        engine: str
    else:
        show_error: BoolProperty(
            name="Errors", description="Show what keeps joints from working", default=True
        )
        show_warning: BoolProperty(
            name="Warnings", description="Show what will surprise in an engine", default=True
        )
        show_info: BoolProperty(
            name="Infos", description="Show what is good to know", default=False
        )
        use_engine: BoolProperty(
            name="Check for Engine", description="Show as well what an engine loses of the joints"
        )
        engine: EnumProperty(
            name="Engine",
            description="Engine that the joints are for",
            items=tuple(
                (engine.upper(), engine.label, description)
                for engine, description in (
                    (Engine.ANY, "Work in every one of the others"),
                    (Engine.GODOT, "Godot 4 with the OMI importer"),
                    (Engine.KHR, "Viewers of KHR_physics_rigid_bodies"),
                    (Engine.PHYSX, "Engines built on PhysX"),
                    (Engine.BULLET, "Engines built on Bullet"),
                )
            ),
            default="GODOT",
        )

    def target(self) -> Engine:
        """Return the engine that the joints are for."""
        return Engine(self.engine.lower())

    def shows(self, severity: Severity) -> bool:
        """Return whether findings of a severity are shown."""
        return bool(getattr(self, f"show_{severity}"))


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
            self._engines[engine] = check_engine(self._scene, engine)
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


def checks_options(scene: bpy.types.Scene) -> OMI_PG_checks:
    """Return which findings of a scene are shown."""
    options: OMI_PG_checks = scene.omi_checks  # type: ignore[attr-defined]
    return options


@persistent  # type: ignore[untyped-decorator]
def _note_updates(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
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


CLASSES = (OMI_PG_checks,)

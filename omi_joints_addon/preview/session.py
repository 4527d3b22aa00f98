"""Previews of a scene: a joint moved by hand, or joints simulated; one at a time."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any

import bpy
import numpy as np

from ..core.findings.finding import Finding
from ..core.meaning.freedom import clamped, sweeps
from ..core.meaning.range_of_motion import (
    current_values,
    joint_number_of,
    moved_matrices,
    moving_body_of,
)
from ..core.model.graph import links_of, reached
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.shapes.inertia import inertia_at
from ..core.solver import JointState, Options, Simulation, Simulator
from ..properties.body import motion_of
from ..properties.collider import body_solid, children_of
from ..properties.mesh_points import MeshReader
from ..properties.preview import OMI_PG_preview, preview_options
from ..scene.reading import objects_to_core
from .pose import RestPoses

Context = Any
_MOST_FRAMES = 20000


class PreviewError(Exception):
    """There is nothing to preview; the text says why."""


class Command(StrEnum):
    """What a button asks of the running preview."""

    PLAY = "PLAY"
    PAUSE = "PAUSE"
    STEP = "STEP"
    RESET = "RESET"
    SWEEP = "SWEEP"
    STOP = "STOP"


class Preview:
    """What both kinds of preview share: the scene as it was, and how to leave."""

    def __init__(self, context: Context) -> None:
        """Remember the scene."""
        self.objects: list[bpy.types.Object] = list(context.scene.objects)
        context.view_layer.update()
        self.scene, self.findings = scene_now(context, self.objects)
        self.rest = RestPoses(self.objects, self.scene)
        self.is_over = False
        self.is_hidden = False
        self.shown = self.scene.matrices

    def show(self, matrices: Array) -> None:
        """Show all nodes at world matrices (n, 4, 4)."""
        self.shown, self.is_hidden = matrices, False
        self.rest.show(matrices)

    def hide(self) -> None:
        """Show the rest pose while a button of the sidebar may make an undo step."""
        self.is_hidden = True
        self.rest.restore()

    def reveal(self) -> None:
        """Show again what was hidden."""
        if self.is_hidden:
            self.show(self.shown)

    def tick(self, context: Context) -> None:
        """Show the next moment."""

    def obey(self, command: Command) -> None:
        """Do what a button asks."""
        if command == Command.STOP:
            self.end()

    def end(self) -> None:
        """Put everything back."""
        self.rest.restore()
        self.is_over = True


class RangePreview(Preview):
    """One joint moved through its range."""

    def __init__(self, context: Context, joint: bpy.types.Object) -> None:
        """Start with the joint where it is; raises `PreviewError`."""
        super().__init__(context)
        number = joint_number_of(self.scene.joints, self.objects.index(joint))
        if number is None:
            raise PreviewError("The settings of the joint cannot be read")
        options = preview_options(context)
        body = moving_body_of(self.scene, number, end=options.end())
        if body is None:
            raise PreviewError("Neither end of the joint is on a body of its own")
        self.joint = joint.name
        self.number, self.body = number, body
        self.settings = self.scene.joints[number].settings
        self.values = current_values(self.scene, number)
        self._start = self.values
        self._path: list[Array] = []
        options.set_values(self.values)
        self._told = options.freedom_values()

    def tick(self, context: Context) -> None:
        """Go on along the sweep, or follow the sliders."""
        options = preview_options(context)
        if self._path:
            self.values = self._path.pop(0)
            options.set_values(self.values)
        elif options.freedom_values() != self._told:
            values = np.array(options.freedom_values())
            self.values = values if options.past_limits else clamped(self.settings, values)
            if not np.array_equal(values, self.values):
                options.set_values(self.values)
        else:
            return
        self._told = options.freedom_values()
        self.show(moved_matrices(self.scene, self.number, self.values, self.body))

    def obey(self, command: Command) -> None:
        """Sweep, or go back."""
        super().obey(command)
        if command == Command.SWEEP:
            self._path = [row for path in sweeps(self.settings) for row in path.values]
        elif command == Command.RESET:
            self._path = [self._start]

    @property
    def is_sweeping(self) -> bool:
        """Whether the joint moves by itself."""
        return bool(self._path)


class SimulationPreview(Preview):
    """All joints, or those of the selected bodies, simulated."""

    def __init__(self, context: Context) -> None:
        """Start at rest; raises `PreviewError`."""
        super().__init__(context)
        options = preview_options(context)
        self.simulation: Simulator = simulation_of(context, self.objects, self.scene, options)
        self.findings += self.simulation.findings
        if not self.simulation.moving_nodes:
            raise PreviewError("No dynamic body can move")
        self.driven = driven_matrices(context, self.objects, self.scene)
        self.frame_time = frame_duration(context.scene)
        self.substeps = options.substeps
        self.is_playing = True
        self.record: list[Array] = [self.scene.matrices]
        self._steps = 0

    def tick(self, context: Context) -> None:
        """Simulate one frame when playing."""
        if self.is_hidden or not (self.is_playing or self._steps):
            return
        self._steps = max(0, self._steps - 1)
        self.show(self.next_frame())
        if len(self.record) >= _MOST_FRAMES:
            self.is_playing = False

    def next_frame(self) -> Array:
        """Return the world matrices one frame on, and keep them for baking."""
        frame = len(self.record)
        goals = {node: path[min(frame, len(path) - 1)] for node, path in self.driven.items()}
        self.simulation.advance(self.frame_time, substeps=self.substeps, driven=goals)
        matrices = self.simulation.matrices()
        for node, goal in goals.items():
            matrices[node] = goal
        self.record.append(matrices)
        return matrices

    def obey(self, command: Command) -> None:
        """Play, pause, go one frame on, or back to rest."""
        super().obey(command)
        if command in (Command.PLAY, Command.PAUSE):
            self.is_playing = command == Command.PLAY
        elif command == Command.STEP:
            self.is_playing, self._steps = False, 1
        elif command == Command.RESET:
            self.is_playing = False
            self.simulation.reset()
            self.record = [self.scene.matrices]
            self.show(self.scene.matrices)

    def problems(self) -> list[Finding]:
        """Return what went wrong on the way."""
        return list(self.simulation.problems())

    def states(self) -> dict[int, JointState]:
        """Return the state of the joints that act, by node of their frame."""
        joints = [self.scene.joints[number] for number in self.simulation.acting_joints]
        states = self.simulation.joint_states()
        return {joint.node: state for joint, state in zip(joints, states, strict=True)}


class _Stage:
    """The preview that runs, if any."""

    def __init__(self) -> None:
        self.preview: Preview | None = None
        self.last_record: tuple[list[bpy.types.Object], list[Array]] | None = None


_STAGE = _Stage()


def running() -> Preview | None:
    """Return the preview that runs."""
    return _STAGE.preview


def begin(preview: Preview) -> None:
    """Let a preview run, ending any other."""
    stop()
    _STAGE.preview = preview


def stop() -> None:
    """End the preview that runs and put everything back."""
    preview, _STAGE.preview = _STAGE.preview, None
    if preview is not None and not preview.is_over:
        preview.end()


def scene_now(
    context: Context, objects: Sequence[bpy.types.Object]
) -> tuple[PhysicsScene, list[Finding]]:
    """Return the scene as core values."""
    pull = context.scene.gravity
    gravity = (pull[0], pull[1], pull[2]) if context.scene.use_gravity else (0.0, 0.0, 0.0)
    return objects_to_core(objects, gravity=gravity)


def frame_duration(scene: bpy.types.Scene) -> float:
    """Return how long a frame takes [s]."""
    return scene.render.fps_base / scene.render.fps


def simulation_of(
    context: Context,
    objects: Sequence[bpy.types.Object],
    scene: PhysicsScene,
    options: OMI_PG_preview,
) -> Simulation:
    """Return the simulation that the options ask for; shapes give inertia where bodies do not.

    Animated bodies follow their animation, whatever their motion type.
    """
    moving = {node for node in scene.motions if scene.is_dynamic(node)}
    moving -= {node for node in moving if is_animated(objects[node])}
    if options.scope == "SELECTED":
        moving &= _tied_to(scene, {n for n, obj in enumerate(objects) if obj.select_get()})
    reader = MeshReader(context.evaluated_depsgraph_get())
    children = children_of(objects)
    inertias: dict[int, Array] = {}
    for node in moving:
        motion = motion_of(objects[node])
        if motion is None or any(motion.inertia_diagonal):
            continue
        solid = body_solid(objects[node], children, reader)
        if solid is not None and motion.mass > 0.0:
            inertias[node] = inertia_at(solid, motion.mass)
    choice = Options(rigid_locks=options.rigid_locks, moving=frozenset(moving))
    return Simulation(scene, options=choice, inertias=inertias)


def is_animated(obj: bpy.types.Object) -> bool:
    """Return whether keyframes or drivers move the object."""
    data = obj.animation_data
    return data is not None and (
        data.action is not None or bool(data.drivers) or bool(data.nla_tracks)
    )


def driven_matrices(
    context: Context, objects: Sequence[bpy.types.Object], scene: PhysicsScene
) -> dict[int, list[Array]]:
    """Return the world matrices of animated bodies at each frame from the current one on."""
    nodes = [node for node in scene.motions if is_animated(objects[node])]
    if not nodes:
        return {}
    blender_scene = context.scene
    current = blender_scene.frame_current
    paths: dict[int, list[Array]] = {node: [] for node in nodes}
    for frame in range(current, max(blender_scene.frame_end, current) + 1):
        blender_scene.frame_set(frame)
        for node in nodes:
            paths[node].append(np.array(objects[node].matrix_world))
    blender_scene.frame_set(current)
    return paths


def _tied_to(scene: PhysicsScene, nodes: Collection[int]) -> set[int]:
    """Return the bodies at or above `nodes` and the dynamic ones that joints tie them to."""
    owner = scene.bodies()
    found = {int(owner[node]) for node in nodes} - {-1}
    found |= {
        int(owner[end])
        for joint in scene.joints
        if joint.node in nodes
        for end in (joint.node, joint.connected)
        if end is not None and owner[end] >= 0
    }
    pairs = [
        (int(owner[joint.node]), int(owner[joint.connected]))
        for joint in scene.joints
        if joint.connected is not None
    ]
    moving = [pair for pair in pairs if scene.is_dynamic(pair[0]) and scene.is_dynamic(pair[1])]
    return reached(links_of(moving), found)


@bpy.app.handlers.persistent  # type: ignore[untyped-decorator]
def _restore_for_saving(*_arguments: Any) -> None:
    """Let a file be saved as it was before the preview, which goes on afterwards."""
    if _STAGE.preview is not None:
        _STAGE.preview.rest.restore()


@bpy.app.handlers.persistent  # type: ignore[untyped-decorator]
def _stop_before(*_arguments: Any) -> None:
    """End the preview before undo or another file replaces all data."""
    stop()


def _handlers() -> list[tuple[list[Any], Any]]:
    lists = bpy.app.handlers
    stopping = (lists.undo_pre, lists.redo_pre, lists.load_pre)
    return [(lists.save_pre, _restore_for_saving), *((each, _stop_before) for each in stopping)]


def attach() -> None:
    """Watch for what must not see a preview."""
    for handlers, function in _handlers():
        handlers.append(function)


def detach() -> None:
    """Leave nothing behind."""
    stop()
    for handlers, function in _handlers():
        if function in handlers:
            handlers.remove(function)

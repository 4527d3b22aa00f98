"""Joints simulated: all of a scene, or those of the selected bodies."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from .. import scene as scenes
from ..authoring.context import present
from ..core.findings.sentence import Sentence
from ..core.meaning.animated import scene_at
from ..core.meaning.velocities import moves
from ..core.model.body import MotionType
from ..core.model.graph import Mask, connected_groups, joint_ends, links_of, reached
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.outline.pieces import State
from ..core.shapes.inertia import inertia_at
from ..properties.body import motion_type_of
from ..properties.bones import BodyBone, Node, object_of
from ..properties.mesh_points import MeshReader
from ..properties.preview import OMI_PG_preview, preview_options
from ..scene.animation import is_animated
from ..scene.solids import body_solid, children_of
from .followed import AnimatedBodies, FollowedJoints, active_rigs
from .pace import Pace
from .session import Command, Preview, PreviewError
from .timeline import Timeline

if TYPE_CHECKING:
    # The solver is loaded by the first simulation, not when the extension starts.
    from ..core.findings.finding import Finding
    from ..core.solver import Options, Simulator
    from ..scene.solid_scene import SolidParts

_MOST_FRAMES = 20000
_LONGEST_WAIT = 0.25
"""Time [s] after which a part of what the timeline asks for is shown."""
_STILL = (0.0, 0.0, 0.0)
_NO_CONTACTS = "OMI-P032"
"""Code of the finding that says why there are no contacts: the solver is not loaded for it."""
_PACE = 5
"""Steps [%] in which the pace is shown."""
_STATES = {
    "FREE": State.NORMAL,
    "AT_LIMIT": State.AT_LIMIT,
    "SATURATED": State.AT_LIMIT,
    "PAST_LIMIT": State.VIOLATED,
}
"""How the overlay shows what the engine says of a joint, by name of a `JointState`."""


class SimulationPreview(Preview):
    """Joints in motion."""

    kind = "Simulation"

    def __init__(self, context: bpy.types.Context) -> None:
        """Start at rest; raises `PreviewError`."""
        from ..core.solver import Simulation

        super().__init__(context)
        options = preview_options(context)
        self._has_timeline = options.use_timeline
        self._timeline = Timeline(present(context.scene))
        self.scene = self._with_tracks(context)
        self._choice = engine_options(self.objects, self.scene, options)
        moving = self._choice.moving or frozenset()
        self._inertias = shape_inertias(context, self.objects, self.scene, moving)
        self._wanted = _wanted(options)
        self._held: tuple[Mask, Array] | None = None
        """Which nodes (n,) are where they were when *Hold Root* changed, and world matrices."""
        self._solids = self._read_solids(context)
        self._moved = self.scene.motions
        self.simulation: Simulator = Simulation(
            self._solid(self.scene), options=self._choice, inertias=self._weighed(self.scene)
        )
        if not self.simulation.moving_nodes:
            raise PreviewError("No dynamic body can move")
        self._animated = animated_bodies(context, self.objects, self.scene)
        self._followed = FollowedJoints(self.objects, self.scene, self._animated)
        self._followed.aim(self.simulation, 0)
        self.frame_time = frame_duration(context.scene)
        self._pace = Pace(self.frame_time)
        self.is_playing = True
        self.record: list[Array] = [self.scene.matrices]
        self._steps = self._shown_frame = 0

    @property
    def first_frame(self) -> int | None:
        """The frame at which it is at rest where it goes with the timeline."""
        return self._timeline.first if self._has_timeline else None

    @property
    def activity(self) -> str:
        """What it does now, in a word."""
        if self._has_timeline:
            return "With the timeline"
        if not self.is_playing:
            return "Paused"
        percent = max(_PACE, _PACE * round(100.0 * self._pace.share / _PACE))
        if percent >= 100:
            return "Running"
        return Sentence("Running at {percent}% of real time", percent=percent)

    def move(self, context: bpy.types.Context, elapsed: float) -> None:
        """Simulate what is due."""
        options = preview_options(context)
        if self._has_timeline != options.use_timeline:
            self._has_timeline = options.use_timeline
            self._restart(context)
        if self._wanted != _wanted(options):
            self._wanted = _wanted(options)
            self._take_options(context)
        frames = self._timeline.frames_at(present(context.scene))
        if self._has_timeline:
            self._follow_timeline(context, frames)
            return
        count, started = self._frames_due(elapsed), perf_counter()
        if not count:
            return
        for _ in range(count):
            self.next_frame(options.substeps)
        self._pace.note(count, perf_counter() - started)
        self._show_frame(len(self.record) - 1)
        if len(self.record) >= _MOST_FRAMES:
            self.is_playing = False

    def _frames_due(self, elapsed: float) -> int:
        """Return how many frames to go on, as buttons and time say."""
        if self.is_playing:
            return self._pace.frames_due(elapsed)
        self._steps, due = max(0, self._steps - 1), min(1, self._steps)
        return due

    def _follow_timeline(self, context: bpy.types.Context, frames: int | None) -> None:
        """Show the frame of the timeline, `frames` after rest; None starts anew.

        What was simulated is shown again, what was not yet is simulated up to there, bit by bit.
        """
        if frames is None:
            self._restart(context)
            return
        substeps, started = preview_options(context).substeps, perf_counter()
        while len(self.record) <= min(frames, _MOST_FRAMES):
            self.next_frame(substeps)
            if perf_counter() - started > _LONGEST_WAIT:
                break
        frame = min(frames, len(self.record) - 1)
        if frame != self._shown_frame:
            self._show_frame(frame)

    def _show_frame(self, frame: int) -> None:
        """Show what was simulated, and at the last frame the states of joints too."""
        is_last = frame == len(self.record) - 1
        self._shown_frame = frame
        states = self._states() if is_last else {}
        self.show(self.record[frame], states | self._broken(frame))

    def _restart(self, context: bpy.types.Context) -> None:
        """Start anew with the scene as it is at the frame of the timeline."""
        self._timeline = Timeline(present(context.scene))
        self.scene = scenes.partial.live_to_core(self.live)
        self.scene = self._with_tracks(context)
        self._animated = animated_bodies(context, self.objects, self.scene)
        self._followed = FollowedJoints(self.objects, self.scene, self._animated)
        self._solids = self._read_solids(context)
        self._change_to(self.scene)
        self._go_to_rest()

    def _take_options(self, context: bpy.types.Context) -> None:
        """Go on with other options; what is held now, or no longer, stays where it is."""
        before, last = self._choice.moving or frozenset(), self.record[-1]
        self._choice = engine_options(self.objects, self.scene, preview_options(context))
        now = self._choice.moving or frozenset()
        inertias = shape_inertias(context, self.objects, self.scene, now - before)
        self._inertias = inertias | self._inertias
        is_held: Mask = np.isin(self.scene.bodies(), list(before ^ now))
        if self._held is not None:
            is_held |= self._held[0]
        self._held = (is_held, last)
        self._solids = self._read_solids(context, replace(self.scene, matrices=last))
        self._change_to(self.scene)
        if self._has_timeline:
            # What was simulated was so with the options before.
            self._go_to_rest()

    def _go_to_rest(self) -> None:
        self._shown_frame = 0
        if self._held is not None:
            self._held = None
            self._change_to(self.scene)
        self.simulation.reset()
        self.record = [self.scene.matrices]
        self.show(self.scene.matrices, {})

    def _read_solids(
        self, context: bpy.types.Context, scene: PhysicsScene | None = None
    ) -> "SolidParts | None":
        """Return what collides, None where nothing is to; a floor is below a scene elsewhere."""
        options = preview_options(context)
        if not options.contacts:
            return None
        return scenes.solid_scene.solid_parts(
            self.live,
            self.scene if scene is None else scene,
            present(context.scene),
            context.evaluated_depsgraph_get(),
            floor=options.wants_floor(),
        )

    def _solid(self, scene: PhysicsScene) -> PhysicsScene:
        """Return a scene with what collides; nodes of its own are behind."""
        scene = led_by_animation(scene, self.objects)
        return scene if self._solids is None else self._solids.with_motions(scene)

    def _change_to(self, scene: PhysicsScene) -> None:
        """Go on with another state of the scene."""
        self._moved = scene.motions
        if self._held is not None:
            is_held, places = self._held
            matrices = np.where(is_held[:, None, None], places, scene.matrices)
            scene = replace(scene, matrices=matrices)
        solid = self._solid(scene)
        self.simulation.change(solid, options=self._choice, inertias=self._weighed(scene))

    def _weighed(self, scene: PhysicsScene) -> dict[int, Array]:
        """Return the inertias that shapes give to bodies with the masses that they have."""
        return {node: scene.motions[node].mass * each for node, each in self._inertias.items()}

    def _with_tracks(self, context: bpy.types.Context) -> PhysicsScene:
        """Return the scene with what F-curves change of its joints and bodies."""
        given = present(context.scene), self.scene, self.objects
        tracks = scenes.joint_tracks.joint_tracks(*given), scenes.body_tracks.body_tracks(*given)
        return replace(self.scene, tracks=tuple(chain(*tracks)))

    def next_frame(self, substeps: int = 0) -> Array:
        """Return the world matrices one frame on, and keep them for baking."""
        frame = len(self.record)
        goals = {
            node: path[min(frame, len(path) - 1)]
            for node, path in self._animated.paths.items()
            if node not in self.simulation.moving_nodes
        }
        from ..core.solver import SimulationError

        try:
            self._advance(frame, substeps, goals)
        except SimulationError as error:
            raise PreviewError(str(error)) from error
        matrices = self.simulation.matrices()[: len(self.objects)]
        for node, goal in goals.items():
            matrices[node] = goal
        self.record.append(matrices)
        return matrices

    def _advance(self, frame: int, substeps: int, goals: dict[int, Array]) -> None:
        """Advance to a frame, step by step where numbers of joints and bodies change over time."""
        from ..core.solver.rate import steps_within

        start = (self._timeline.first + frame - 1) * self.frame_time
        is_changing = self._is_changing(start, start + self.frame_time)
        count = (substeps or steps_within(self.frame_time)) if is_changing else 1
        duration = self.frame_time / count
        for part in range(count):
            self._follow_tracks(start + part * duration, duration)
            self._followed.aim(self.simulation, frame)
            due, steps = self.frame_time - part * duration, 1 if is_changing else substeps
            self.simulation.advance(duration, substeps=steps, driven=goals, due=due)

    def _is_changing(self, start: float, end: float) -> bool:
        """Return whether numbers of joints or bodies differ at two times [s]."""
        if not self.scene.tracks:
            return False
        one, other = scene_at(self.scene, start), scene_at(self.scene, end)
        return (one.joints, one.motions) != (other.joints, other.motions)

    def _follow_tracks(self, start: float, duration: float) -> None:
        """Go on with the numbers that joints and bodies have in a step from a time [s] on."""
        if self.scene.tracks:
            now = scene_at(self.scene, start, end=start + duration)
            if now.joints != self.simulation.scene.joints or now.motions != self._moved:
                self._change_to(now)

    def change(self, context: bpy.types.Context) -> None:
        """Go on with what was edited; bodies stay where they are."""
        matrices = self.record[0].copy()
        is_edit = self._timeline.is_at(present(context.scene))
        if is_edit:
            # What an animation moves from frame to frame is no edit.
            matrices[self.edited_nodes()] = self.scene.matrices[self.edited_nodes()]
        self.scene = replace(self._with_tracks(context), matrices=matrices)
        self._choice = engine_options(self.objects, self.scene, preview_options(context))
        edited = set(self.scene.bodies()[self.edited_nodes()].tolist())
        changed = edited.intersection(self._choice.moving or ())
        if changed:
            kept = {node: each for node, each in self._inertias.items() if node not in changed}
            self._inertias = kept | shape_inertias(context, self.objects, self.scene, changed)
        self._solids = self._read_solids(context)
        self._change_to(self.scene)
        self._followed = FollowedJoints(self.objects, self.scene, self._animated)
        self.record[0] = self.scene.matrices
        if is_edit and self._has_timeline and self._shown_frame < len(self.record) - 1:
            # What comes after the frame that is seen was simulated without the edit.
            self._go_to_rest()

    def obey(self, command: Command) -> None:
        """Play, pause, go one frame on, or back to rest."""
        super().obey(command)
        self._pace.rest()
        if command in (Command.PLAY, Command.PAUSE):
            self.is_playing = command == Command.PLAY
        elif command == Command.STEP:
            self.is_playing, self._steps = False, 1
        elif command == Command.RESET:
            self.is_playing = False
            self._go_to_rest()

    @property
    def held_bodies(self) -> Collection[int]:
        """The bodies that are simulated."""
        return self.simulation.moving_nodes

    def grab(self, body: int, point: Sequence[float]) -> None:
        """Hold a simulated body at a point of the world [m]."""
        self.simulation.grab(body, point)

    def pull(
        self, context: bpy.types.Context, target: Sequence[float], direction: Sequence[float]
    ) -> None:
        """Pull at what is held, as a spring does."""
        self.simulation.drag(target)

    def release(self) -> None:
        """Let it swing freely."""
        self.simulation.release()

    @property
    def clock(self) -> str:
        """The time that the simulation has reached, and whether bodies fall through each other."""
        time = f"{self.simulation.time:.2f} s"
        return time if self.without_contacts is None else Sentence("{time}, no contacts", time=time)

    @property
    def without_contacts(self) -> "Finding | None":
        """Why bodies pass through each other though they are to collide."""
        found = (each for each in self.simulation.findings if each.code == _NO_CONTACTS)
        return next(found, None)

    def contacts(self) -> Array:
        """Return where bodies touch [m], with which forces [N] and how deep [m], (c, 7)."""
        return self.simulation.contacts()

    def forces(self) -> tuple[Array, Array]:
        """Return where the joints that act are shown [m] and their forces [N], shapes (j, 3)."""
        nodes = [self.scene.joints[number].node for number in self.simulation.acting_joints]
        return self.live.shown.poses[nodes, :3, 3], self.simulation.joint_forces()[:, :3]

    def _states(self) -> dict[int, State]:
        joints = [self.scene.joints[number].node for number in self.simulation.acting_joints]
        states = self.simulation.joint_states()
        return {node: _STATES[state.name] for node, state in zip(joints, states, strict=True)}

    def _broken(self, frame: int) -> dict[int, State]:
        """Return the joints that were broken at a frame of the record."""
        now, joints = (frame + 1e-6) * self.frame_time, self.scene.joints
        when = self.simulation.broken_joints.items()
        return {joints[number].node: State.BROKEN for number, time in when if time < now}


def _wanted(options: OMI_PG_preview) -> tuple[object, ...]:
    """Return the options that take effect while a simulation runs."""
    return options.hold_root, options.rigid_locks, options.contacts, options.floor


def frame_duration(scene: bpy.types.Scene | None) -> float:
    """Return how long a frame takes [s]."""
    return 1.0 / 24.0 if scene is None else scene.render.fps_base / scene.render.fps


def engine_options(
    objects: Sequence[Node], scene: PhysicsScene, options: OMI_PG_preview
) -> "Options":
    """Return how to simulate a scene: animated bodies follow their animation."""
    moving = {node for node in scene.motions if scene.is_dynamic(node)}
    moving -= {node for node in moving if _follows(objects[node])}
    if options.scope == "SELECTED":
        moving &= _tied_to(scene, {n for n, obj in enumerate(objects) if obj.select_get()})
    if options.hold_root:
        moving -= loose_roots(scene, moving)
    from ..core.solver import Options

    return Options(
        rigid_locks=options.rigid_locks, contacts=options.contacts, moving=frozenset(moving)
    )


def loose_roots(scene: PhysicsScene, moving: Collection[int]) -> set[int]:
    """Return a moving body of each group of connected bodies that nothing holds.

    It is the one that no joint is on, as the base of a robot, of several the heaviest.
    """
    ends = joint_ends(scene)
    one, other = ends.body, ends.connected_body
    both = (one >= 0) & (other >= 0)
    group = connected_groups(len(scene.names), one[both], other[both])
    is_loose = np.zeros(len(scene.names), np.bool_)
    is_loose[group[one[both]]] = True
    still = [node for node in scene.motions if node not in moving]
    world = np.maximum(one, other)[(one >= 0) ^ (other >= 0)]
    is_loose[group[still]] = is_loose[group[world]] = False
    children = set(one.tolist())
    roots: set[int] = set()
    for body in sorted(moving, key=lambda each: (each in children, -scene.motions[each].mass)):
        if is_loose[group[body]]:
            is_loose[group[body]] = False
            roots.add(body)
    return roots


def shape_inertias(
    context: bpy.types.Context,
    objects: Sequence[Node],
    scene: PhysicsScene,
    bodies: Collection[int],
) -> dict[int, Array]:
    """Return the inertia for 1 kg that shapes give to bodies which say none themselves."""
    reader = MeshReader(context.evaluated_depsgraph_get())
    children = children_of(objects)
    found: dict[int, Array] = {}
    for node in bodies:
        motion = scene.motions[node]
        if any(motion.inertia_diagonal) or not motion.mass > 0.0:
            continue
        solid = body_solid(objects[node], children, reader)
        if solid is not None:
            found[node] = inertia_at(solid, 1.0)
    return found


def animated_bodies(
    context: bpy.types.Context, objects: Sequence[Node], scene: PhysicsScene
) -> AnimatedBodies:
    """Return where animated bodies and active ragdolls are at each frame from the current one."""
    rigs = active_rigs([objects[node] for node in scene.motions])
    nodes = [
        node for node in scene.motions if _follows(each := objects[node]) or object_of(each) in rigs
    ]
    blender_scene: Any = context.scene
    first = blender_scene.frame_current
    frames = range(first, max(blender_scene.frame_end, first) + 1)
    return AnimatedBodies(blender_scene, objects, nodes, frames)


def led_by_animation(scene: PhysicsScene, objects: Sequence[Node]) -> PhysicsScene:
    """Return a scene whose kinematic bodies have no velocity where an animation moves them."""
    led = {
        node: replace(motion, linear_velocity=_STILL, angular_velocity=_STILL)
        for node, motion in scene.motions.items()
        if motion.type == MotionType.KINEMATIC and moves(motion) and _follows(objects[node])
    }
    return replace(scene, motions={**scene.motions, **led}) if led else scene


def _follows(node: Node) -> bool:
    """Return whether a body follows its animation; a dynamic bone of a character does not."""
    if not isinstance(node, BodyBone):
        return is_animated(node)
    return motion_type_of(node) != MotionType.DYNAMIC and is_animated(node.armature)


def _tied_to(scene: PhysicsScene, nodes: Collection[int]) -> set[int]:
    """Return the bodies at or above `nodes` and the dynamic ones that joints tie them to."""
    owner, pairs = scene.bodies(), joint_ends(scene).pairs()
    found = {int(owner[node]) for node in nodes}
    chosen = (pair for joint, pair in zip(scene.joints, pairs, strict=True) if joint.node in nodes)
    found = found.union(*chosen) - {-1}
    moving = [pair for pair in pairs if all(map(scene.is_dynamic, pair))]
    return reached(links_of(moving), found)

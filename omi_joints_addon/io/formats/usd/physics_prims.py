"""The physics of a scene as opinions about prims whose paths are known.

The same for files written here and for the stage that Blender's exporter has made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ....core.engines.passing import passing_bodies
from ....core.findings.loss import How, Loss, Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.animated import animated_joints
from ....core.model.actuator import Actuator
from ....core.model.articulation import Articulation
from ....core.model.body import Motion, MotionType
from ....core.model.graph import JointEnds, child_first_joints, joint_ends
from ....core.model.pose import Array, Pose, pose_from_matrix
from ....core.model.scene import Joint, PhysicsScene
from ....core.rewrite.swap import SwapError, swapped_settings
from ....core.rewrite.turning import moved_connected_frames
from ....core.shapes.body_solids import body_solids
from .actuator_prims import apart, set_actuator, without_law
from .animation_writing import animated_joint_prim, extent_of
from .body_prims import set_motion
from .couplings import JointPosition, set_couplings, sign_of
from .frames import SideFrame, frames_on_bodies, pose_at, set_frames
from .gravity import set_gravity
from .joint_prims import JointPrim, joint_prim
from .joint_stacks import STACK, StackPart, part_frame, parts_of
from .joint_states import set_joint_states
from .names import Names
from .prim import Prim
from .schema import ARTICULATION, FILTERED, PAIRS
from .units import Units
from .unknown import unknown_of_bodies
from .values import Values

_FIXED = "PhysicsFixedJoint"
WELD = "weld"
"""Carried on the joint that holds the root of an articulation, which was a static body."""
FRAMES = ("omi:frame0", "omi:frame1")
"""Relationships of a joint prim to the prims of its frames."""
RATE = 24.0
"""Time codes per second of a new stage, which is OpenUSD's default."""
_STEP = 1.0 / 60.0
"""Length of a step of PhysX by default [s]."""
_WATER = 1000.0
"""Density [kg/m³] that UsdPhysics gives what has none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Where the prims of a scene are on a stage."""

    paths: Mapping[int, str]
    """Path of each node that is on the stage."""
    scope: str
    """Path of the prim below which joints and the physics scene come; empty is the top."""
    units: Units
    to_stage: Array
    """Matrix (4, 4) from the world of the scene to the world of the stage."""
    rate: float = RATE
    """Time codes per second."""
    physx: bool = True
    """Whether to write what PhysX needs beyond UsdPhysics."""


@dataclass(kw_only=True, eq=False)
class PhysicsPrims:
    """Prims of one scene as they come together."""

    scene: PhysicsScene
    place: Place
    losses: Losses = field(default_factory=Losses)
    prims: dict[str, Prim] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    positions: dict[int, JointPosition] = field(default_factory=dict)
    """Path of the prim of each joint that is written, and how it counts."""
    actuators: dict[int, tuple[Actuator, ...]] = field(default_factory=dict)
    """Actuators that are prims of their own, of each joint that is written."""
    scopes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._tracks = animated_joints(self.scene)
        self._fast = {each.body for each in passing_bodies(self.scene, _STEP)}

    def at(self, path: str) -> Prim:
        """Return the opinions about a path so far."""
        return self.prims.setdefault(path, Prim(path))

    def of_node(self, node: int) -> Prim | None:
        """Return the opinions about the prim of a node, None where it is not on the stage."""
        path = self.place.paths.get(node)
        return None if path is None else self.at(path)

    def scope_path(self, name: str) -> str:
        """Return the path of a scope for prims that show nothing, made at the first call.

        Its purpose keeps Blender's importer from making objects of what is below.
        """
        if name not in self.scopes:
            path = self.names.path(self.place.scope or "/", name)
            self.scopes[name] = path
            prim = self.at(path)
            prim.type_name = "Scope"
            prim.set("purpose", "token", "guide", is_uniform=True)
        return self.scopes[name]

    def add_scene(self) -> None:
        """Add the physics scene with its gravity, always written in full."""
        prim = self.at(self.names.path(self.place.scope or "/", "PhysicsScene"))
        prim.type_name = "PhysicsScene"
        values = Values(prim, self.place.units)
        set_gravity(values, self.scene.gravity, self.place.to_stage)
        if self.place.physx and self._fast:
            values.put("physxScene:enableCCD", True)

    def add_bodies(self) -> None:
        """Add the motions of all bodies; roots that are fixed become links held by a weld."""
        welded = self._welded_roots()
        carried = unknown_of_bodies(self.scene)
        for node, motion in self.scene.motions.items():
            prim = self.of_node(node)
            if prim is None:
                self.losses.lost(self.scene.names[node], Noun.MOTION, "it is not on the stage")
                continue
            self._note_motion(node, motion)
            axes = self.scene.matrices[node][:3, :3]
            scale = np.linalg.norm(axes, axis=0) * np.sign(np.linalg.det(axes))
            written = motion
            if node in welded:
                written = replace(motion, type=MotionType.DYNAMIC, mass=welded[node])
            set_motion(
                prim,
                written,
                scale,
                self.place.units,
                carried=motion,
                unknown=carried.get(node, ""),
                physx=self.place.physx,
                is_fast=node in self._fast,
            )

    def add_joints(self) -> None:
        """Add a joint prim for each joint whose bodies are on the stage."""
        ends = joint_ends(self.scene)
        usable = [n for n, joint in enumerate(self.scene.joints) if self._is_usable(joint, n, ends)]
        if usable:
            self._add_usable(usable, ends)
        set_couplings(self.scene, self.prims, self.positions, self.place.units, self.losses)
        if self.place.physx:
            set_joint_states(self.scene, self.prims, self.positions, self.place.units)
        for number, actuators in self.actuators.items():
            for actuator in actuators:
                path = self.names.path(self.scope_path("Actuators"), actuator.name or "Actuator")
                set_actuator(self.at(path), actuator, self.positions[number])

    def _add_usable(self, usable: list[int], ends: JointEnds) -> None:
        poses = [self._frames(usable, ends, side) for side in (0, 1)]
        scope = self.scope_path("Joints")
        swapped = self._swapped()
        frames: list[SideFrame] = []
        for at, number in enumerate(usable):
            joint = self.scene.joints[number]
            if parts := parts_of(joint.settings, joint.attributes):
                self._note_tracks(number)
                on_bodies = [pose_at(each, at, 0) for each in poses]
                frames += self._add_parts(number, parts, ends, on_bodies)
                continue
            found = self._joint_prim(number, is_swapped=number in swapped)
            path = self.names.path(scope, self.scene.names[joint.node] or "Joint")
            prim = found.prim.copied(path)
            self.prims[path] = prim
            sides = (1, 0) if number in swapped else (0, 1)
            bodies = (int(ends.body[number]), int(ends.connected_body[number]))
            self._relate(prim, joint, bodies, sides)
            is_swapped = number in swapped
            sign = sign_of(found.shift, is_swapped=is_swapped)
            self.positions[number] = JointPosition(path, sign, found.zero[1], is_swapped=is_swapped)
            for side, end in enumerate(sides):
                pose = pose_at(poses[end], at, found.shift)
                if side == 1 and found.zero[1]:
                    axis, zero = found.zero
                    pose = moved_connected_frames(pose, is_angular=True, axis=axis, by=-zero)
                frames.append(SideFrame(prim, side, pose))
            for noun, how, text in found.losses:
                self._note(joint, noun, how, text)
        set_frames(frames)
        self._filter_static(usable, ends)

    def _joint_prim(self, number: int, *, is_swapped: bool) -> JointPrim:
        joint, units = self.scene.joints[number], self.place.units
        if tracks := self._tracks.get(number):
            return animated_joint_prim(joint, tracks, units, self.place.rate, is_swapped=is_swapped)
        joint, actuators = apart(joint)
        if actuators:
            self.actuators[number] = actuators
        for actuator in without_law(joint):
            text = Sentence("{name} has a law that stages do not hold", name=actuator.name)
            self._note(joint, "actuator", How.LOST, text)
        return joint_prim(joint.settings, joint.attributes, units, is_swapped=is_swapped)

    def _note_tracks(self, number: int) -> None:
        for track in self._tracks.get(number, ()):
            text = Sentence(
                "the stage has a joint for each axis, of which {member} is at rest",
                member=track.member.replace("_", " "),
            )
            self._note(self.scene.joints[number], Noun.ANIMATION, How.LOST, text)

    def _add_parts(
        self, number: int, parts: Sequence[StackPart], ends: JointEnds, frames: Sequence[Pose]
    ) -> list[SideFrame]:
        """Add the joints of one axis each that a joint was read from, and return their frames."""
        placed = []
        joint = self.scene.joints[number]
        sides = (1, 0) if number in child_first_joints(self.scene) else (0, 1)
        bodies = (int(ends.body[number]), int(ends.connected_body[number]))
        for part in parts:
            is_swapped = sides == (1, 0)
            found = joint_prim(
                part.settings,
                part.attributes,
                self.place.units,
                is_swapped=is_swapped,
                is_turned=False,
            )
            path = self.names.path(self.scope_path("Joints"), part.name)
            prim = self.prims[path] = found.prim.copied(path)
            prim.data = prim.data | {STACK: "1"}
            self._relate(prim, joint, bodies, sides)
            for side, end in enumerate(sides):
                prim.targets.pop(FRAMES[side], None)
                placed.append(SideFrame(prim, side, part_frame(frames[end], part)))
            self.positions.setdefault(number, JointPosition(path))
        return placed

    def add_articulations(self) -> None:
        """Add the roots of articulations and the welds of those that are fixed."""
        for articulation in self.scene.articulations:
            prim = self.of_node(articulation.root)
            if prim is None:
                name = self.scene.names[articulation.root]
                self.losses.lost(name, Noun.ARTICULATION, "its root is not on the stage")
            elif self._is_welded(articulation):
                self._weld(articulation.root, prim.path)
            else:
                self.losses.same(self.scene.names[articulation.root], Noun.ARTICULATION)
                self._root_prim(articulation, prim).apply(ARTICULATION)

    def add_pairs(self) -> None:
        """Add the pairs of bodies that do not collide."""
        for one, other in self.scene.excluded_pairs:
            self.filter(one, other)

    def _is_usable(self, joint: Joint, number: int, ends: JointEnds) -> bool:
        """Return whether a joint can be written, noting why where it cannot."""
        problem = ""
        bodies = (int(ends.body[number]), int(ends.connected_body[number]))
        if joint.connected is None:
            problem = "it has no connected frame"
        elif bodies[0] == bodies[1]:
            problem = "both frames are on one body"
        elif any(body >= 0 and body not in self.place.paths for body in bodies):
            problem = "one of its bodies is not on the stage"
        if problem:
            self._note(joint, Noun.JOINT, How.LOST, problem)
        return not problem

    def _frames(self, joints: list[int], ends: JointEnds, side: int) -> Pose:
        frames, bodies = (
            (ends.node, ends.body) if side == 0 else (ends.connected, ends.connected_body)
        )
        return frames_on_bodies(self.scene, frames[joints], bodies[joints], self.place.to_stage)

    def _swapped(self) -> set[int]:
        """Return the joints whose ends are exchanged: Newton wants the root's side as body0."""
        found = set()
        for number in child_first_joints(self.scene):
            joint = self.scene.joints[number]
            tracks = self._tracks.get(number, ())
            try:
                swapped_settings(extent_of(joint.settings, tracks, self.place.rate))
            except SwapError as error:
                text = Sentence("body0 is not the side of the root: {problem}", problem=error)
                self._note(joint, Noun.JOINT, How.CONVERTED, text)
                continue
            found.add(number)
        return found

    def _relate(
        self, prim: Prim, joint: Joint, bodies: tuple[int, int], sides: tuple[int, int]
    ) -> None:
        """Relate a joint to its bodies and frames; `sides` are the ends of body0 and body1."""
        paths, frames = self.place.paths, (joint.node, joint.other)
        for side, end in enumerate(sides):
            if bodies[end] >= 0:
                prim.relate(f"physics:body{side}", (paths[bodies[end]],))
            if frames[end] in paths:
                prim.relate(FRAMES[side], (paths[frames[end]],))
        if joint.enable_collision:
            prim.set("physics:collisionEnabled", "bool", True)

    def _filter_static(self, joints: list[int], ends: JointEnds) -> None:
        """Filter collisions with static bodies: PhysX does not where a joint ends on one."""
        owner = self.scene.bodies()
        solid = {int(owner[node]) for node in self.scene.colliders}
        for number in joints:
            if self.scene.joints[number].enable_collision:
                continue
            pair = int(ends.body[number]), int(ends.connected_body[number])
            for one, other in (pair, pair[::-1]):
                if (
                    self.scene.is_dynamic(one)
                    and other in solid
                    and not self.scene.is_dynamic(other)
                ):
                    self.filter(one, other)

    def filter(self, one: int, other: int) -> None:
        """Have two bodies that are on the stage not collide."""
        prim, target = self.of_node(one), self.place.paths.get(other)
        if prim is None or target is None:
            self.losses.lost(self.scene.names[one], Noun.EXCLUDED_PAIR, "it is not on the stage")
            return
        prim.apply(FILTERED)
        there = prim.targets.get(PAIRS, ())
        if target not in there:
            prim.relate(PAIRS, (*there, target))

    def _is_welded(self, articulation: Articulation) -> bool:
        motion = self.scene.motions.get(articulation.root)
        if motion is None or motion.type == MotionType.DYNAMIC:
            return False
        return articulation.is_fixed or motion.type == MotionType.STATIC

    def _welded_roots(self) -> dict[int, float]:
        """Return the mass [kg] of each root that is written as a link: PhysX needs one there."""
        roots = [a.root for a in self.scene.articulations if self._is_welded(a)]
        solids, _faults = body_solids(self.scene, roots)
        return {root: solids[root].volume * _WATER if root in solids else 1.0 for root in roots}

    def _weld(self, root: int, path: str) -> None:
        name = self.scene.names[root]
        prim = self.at(self.names.path(self.scope_path("Joints"), f"{name} Weld"))
        prim.type_name = _FIXED
        prim.apply(ARTICULATION)
        prim.relate("physics:body1", (path,))
        pose = pose_from_matrix(self.place.to_stage @ self.scene.matrices[root])
        origin = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
        set_frames([SideFrame(prim, 0, pose), SideFrame(prim, 1, origin)])
        prim.carry(WELD, self.scene.motions[root].type)
        # As a dynamic body, which PhysX needs.
        self.losses.same(name, Noun.ARTICULATION)

    def _holding(self, root: int) -> Iterator[str]:
        ends = joint_ends(self.scene)
        for number, (path, *_) in self.positions.items():
            pair = {int(ends.body[number]), int(ends.connected_body[number])}
            if root in pair and not any(map(self.scene.is_dynamic, pair - {root})):
                yield path

    def _root_prim(self, articulation: Articulation, body: Prim) -> Prim:
        """Return where the API goes: the fixed joint to the world, else the root body."""
        if articulation.is_fixed:
            for path in self._holding(articulation.root):
                return self.at(path)
        return body

    def _note_motion(self, node: int, motion: Motion) -> None:
        name = self.scene.names[node]
        if motion.gravity_factor not in (0.0, 1.0):
            self.losses.carried(
                name, Noun.GRAVITY_FACTOR, "UsdPhysics can only turn gravity on or off"
            )
        if motion.type not in set(MotionType):
            self.losses.carried(
                name, Noun.MOTION, Sentence("UsdPhysics has no motion {type}", type=motion.type)
            )

    def _note(self, joint: Joint, noun: str, how: How, text: str) -> None:
        place = joint.place or self.scene.names[joint.node]
        self.losses.found.append(Loss(place, noun, how, text))

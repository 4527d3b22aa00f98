"""A whole mechanism posed by hand, without physics: by sliders, and by dragging its bodies."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core.meaning.freedom import clamped, freedoms
from ..core.meaning.kinematics import Kinematics
from ..core.meaning.reaching import Goal, Reach
from ..core.model.graph import joint_ends, links_of, reached
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.outline.pieces import State
from ..properties.bones import Node, object_of, selected_bones
from ..properties.pose import OMI_PG_position, pose_of
from .session import Command, Preview, PreviewError

_STEPS = 4
"""Steps of a search in each moment: one that is not there yet goes on in the next."""
_AT_BOUND = 1e-6
"""Distance [m or rad] from a limit that counts as being there."""
_PIN, _APART = 100.0, 1e-3
"""Weight of a pin beside the mouse, and how far from its place [m] a pinned body may be, or from
each other [m or rad] the ends of a joint that closes a loop."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a row of positions stands for."""

    joint: int
    """Number of the joint."""
    value: int
    """Which of its six values it is (`core.meaning.freedom`)."""
    label: str
    """Name of that value."""
    low: float
    """Least value to show [m or rad]."""
    high: float
    """Largest value to show [m or rad]."""
    is_bounded: bool
    """Whether limits give both ends."""
    zero: float
    """What the joint's author counts more than that value [rad]."""
    chain: str = ""
    """Name of the last body of the chain that the joint is in."""


class PosePreview(Preview):
    """The joints of a mechanism moved by sliders, and its bodies dragged, within limits."""

    kind = "Pose"

    def __init__(self, context: bpy.types.Context) -> None:
        """Start where all is, with the active object's mechanism; raises `PreviewError`."""
        super().__init__(context)
        active: Node | None = context.object
        if context.mode == "POSE" and active is not None:
            _, active = selected_bones(object_of(active))
        self._chosen = -1 if active is None else self.live.nodes.numbers.get(active.session_uid, -1)
        self._goal: Goal | None = None
        self._pins: dict[int, Goal] = {}
        self._wanted: Array | None = None
        self._find()
        self.values = self.kinematics.rest
        self._list(context)

    @property
    def activity(self) -> str:
        """What it does now, in a word."""
        return "Following sliders and mouse"

    def move(self, context: bpy.types.Context, elapsed: float) -> None:
        """Follow the slider that was moved, and the mouse, as far as limits and pins allow."""
        rows = pose_of(context).positions
        asked = [row.position for row in rows]
        self._pin(rows)
        if self._wanted is not None:
            self._settle(self._wanted, ())
        elif self._goal is not None:
            goals = [*self._pins.values(), self._goal]
            near = self._reach(()).reach(goals, self.values, steps=_STEPS).values
            self._close(near, ())
        elif asked != self._asked:
            self._follow(asked)
        else:
            return
        self._wanted = None
        self._write(context)
        self.show(self.kinematics.matrices(self.values), self._states())

    def change(self, context: bpy.types.Context) -> None:
        """Take over a scene that was edited; joints stay where they are, as far as they may."""
        joints = self.kinematics.scene.joints
        before = {
            (joints[row.joint].node, row.value): self.values[row.joint, row.value]
            for row in self.rows
        }
        try:
            self._find()
        except PreviewError:
            self.end()
            return
        self.values = self.kinematics.rest
        self._wanted = self.values.copy()
        for row in self.rows:
            now = self._wanted[row.joint, row.value]
            key = (self.scene.joints[row.joint].node, row.value)
            self._wanted[row.joint, row.value] = before.get(key, now)
        self._pins.clear()
        self._list(context)

    def obey(self, command: Command) -> None:
        """Go back to where all is, or anywhere within limits."""
        super().obey(command)
        if command == Command.RESET:
            self._wanted = self.kinematics.rest
        elif command == Command.RANDOM:
            random, self._wanted = np.random.default_rng(), self.values.copy()
            for row in self.rows:
                self._wanted[row.joint, row.value] = random.uniform(row.low, row.high)

    def positions(self) -> dict[bpy.types.Object, float]:
        """Return where joints with one axis are [m or rad], as their author counts."""
        one = [row for row in self.rows if self.kinematics.freedoms[row.joint] is not None]
        return {
            object_of(self.objects[self.scene.joints[row.joint].node]): row.zero
            + float(self.values[row.joint, row.value])
            for row in one
        }

    def ask(self, positions: Mapping[bpy.types.Object, float], *, blend: float = 1.0) -> None:
        """Move joints with one axis to positions [m or rad], or a part of the way."""
        self._wanted = self.values.copy()
        for row in self.rows:
            joint = object_of(self.objects[self.scene.joints[row.joint].node])
            if joint in positions and self.kinematics.freedoms[row.joint] is not None:
                now = self.values[row.joint, row.value]
                way = positions[joint] - row.zero - now
                self._wanted[row.joint, row.value] = now + blend * way

    @property
    def held_bodies(self) -> Collection[int]:
        """The bodies that joints of the mechanism move."""
        return self._moved

    def grab(self, body: int, point: Sequence[float]) -> None:
        """Hold a body at a point of the world [m]."""
        motion = self.kinematics.motions(self.values)[body]
        at_rest = np.linalg.solve(motion, [*point, 1.0])[:3]
        self._goal = Goal(body=body, point=at_rest, place=np.array(point))

    def pull(
        self, context: bpy.types.Context, target: Sequence[float], direction: Sequence[float]
    ) -> None:
        """Bring the point that is held to the mouse."""
        if self._goal is not None:
            self._goal = replace(self._goal, place=np.array(target, float))

    def release(self) -> None:
        """Stay there."""
        self._goal = None

    def _find(self) -> None:
        """Find the joints that move and their ranges; raises `PreviewError`."""
        self.kinematics = tree = Kinematics(self.scene)
        numbers = self._mechanism() & tree.children.keys()
        following = {each.joint for each in tree.couplings}
        self.rows = list(self._in_chains(numbers - following))
        if not self.rows:
            raise PreviewError("No joint moves a body: connect two bodies by a joint that is free")
        self._moved = frozenset(tree.moved_by(numbers))
        self._others = tree.children.keys() - numbers

    def _in_chains(self, numbers: Collection[int]) -> Iterator[Row]:
        """Yield the rows of joints chain by chain, each from its root."""
        for chain in self.kinematics.tree.chains():
            name = self.scene.names[chain[-1]]
            for number in map(self.kinematics.tree.joints.get, chain):
                if number is not None and number in numbers:
                    yield from (replace(row, chain=name) for row in _rows(self.scene, number))

    def _mechanism(self) -> set[int]:
        """Return the joints of the active object's mechanism, all where it is in none."""
        pairs = joint_ends(self.scene).pairs()
        body = int(self.scene.bodies()[self._chosen]) if self._chosen >= 0 else -1
        joints = range(len(pairs))
        on = [pairs[n] for n in joints if self.scene.joints[n].node == self._chosen]
        start = set(on[0] if on else (body,)) - {-1}
        fixed = {each for each in self.scene.motions if not self.scene.is_dynamic(each)}
        # A floor or wall that two robots stand on does not make them one.
        linked = reached(links_of(pairs), start, blocked={-1, *(fixed - start)})
        found = {n for n in joints if not linked.isdisjoint(pairs[n])}
        return found or set(joints)

    def _follow(self, asked: Sequence[float]) -> None:
        """Bring joints to the positions that sliders ask for; loops and pins move others."""
        values, held = self.values.copy(), set[int]()
        for row, position, before in zip(self.rows, asked, self._asked, strict=True):
            if position != before:
                values[row.joint, row.value] = position - row.zero
                held.add(row.joint)
        self._settle(values, held)

    def _settle(self, values: Array, held: Collection[int]) -> None:
        """Take values as far as limits, loops and pins allow; other joints than `held` give way."""
        values = values.copy()
        for number in {row.joint for row in self.rows}:
            settings = self.scene.joints[number].settings
            values[number] = clamped(settings, values[number])
        self._close(self.kinematics.with_followers(values), held)

    def _close(self, values: Array, held: Collection[int]) -> None:
        """Take values with loops closed and pins in place, or stay where that is not possible."""
        if not self._pins and not self.kinematics.tree.loops:
            self.values = values
            return
        reach, pins = self._reach(held), list(self._pins.values())
        found = reach.reach(pins, values)
        # Loops may be open in the scene already.
        open_by = reach.reach(pins, self.values, steps=0).gap
        if found.distance <= _APART and found.gap <= max(_APART, open_by):
            self.values = found.values

    def _reach(self, held: Collection[int]) -> Reach:
        """Return the joints that may move beside those of `held`."""
        return Reach(self.kinematics, held={*held, *self._others})

    def _pin(self, rows: Iterable[OMI_PG_position]) -> None:
        """Hold the bodies of pinned rows where they were when they were pinned."""
        wanted = {
            self.kinematics.children[row.joint]
            for row, shown in zip(self.rows, rows, strict=True)
            if shown.is_pinned
        }
        for body in self._pins.keys() - wanted:
            del self._pins[body]
        if new := wanted - self._pins.keys():
            motions = self.kinematics.motions(self.values)
            for body in new:
                turn, point = motions[body, :3, :3], self.scene.matrices[body, :3, 3]
                place = turn @ point + motions[body, :3, 3]
                self._pins[body] = Goal(
                    body=body, point=point, place=place, rotation=turn, weight=_PIN
                )

    def _list(self, context: bpy.types.Context) -> None:
        """List the joints that move, a row for each degree of freedom."""
        positions = pose_of(context).positions
        positions.clear()
        chains = pose_of(context).chains
        chains.clear()
        for name in dict.fromkeys(row.chain for row in self.rows):
            chains.add().name = name
        names = [self.scene.names[self.scene.joints[row.joint].node] for row in self.rows]
        for row, name in zip(self.rows, names, strict=True):
            shown = positions.add()
            shown.name = name if names.count(name) == 1 else f"{name} {row.label}"
            shown.chain = row.chain
            shown.is_linear, shown.is_bounded = row.value < 3, row.is_bounded
            shown.low, shown.high = row.low + row.zero, row.high + row.zero
        self._write(context)

    def _write(self, context: bpy.types.Context) -> None:
        """Show in sliders where joints are."""
        positions = pose_of(context).positions
        for row, shown in zip(self.rows, positions, strict=True):
            shown.set_position(float(self.values[row.joint, row.value]) + row.zero)
        self._asked = [shown.position for shown in positions]

    def _states(self) -> dict[int, State]:
        """Return which joints are at a limit, by node."""
        found: dict[int, State] = {}
        for row in self.rows:
            value = self.values[row.joint, row.value]
            if row.is_bounded and not row.low + _AT_BOUND < value < row.high - _AT_BOUND:
                found[self.scene.joints[row.joint].node] = State.AT_LIMIT
        return found


def _rows(scene: PhysicsScene, number: int) -> Iterator[Row]:
    """Yield the rows of a joint."""
    joint = scene.joints[number]
    found = freedoms(joint.settings)
    for each in found:
        is_author = len(found) == 1 and not each.is_linear
        zero = joint.attributes.zero if is_author else 0.0
        yield Row(number, each.number, each.label, each.low, each.high, each.is_bounded, zero)

"""Joints posed by hand, without physics, one or a mechanism: by sliders and by dragging bodies."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import bpy
import numpy as np

from ..authoring.conditions import active_joint
from ..authoring.context import present
from ..core.meaning.coupling import CannotFollowError
from ..core.meaning.freedom import sweeps
from ..core.meaning.kinematics import Kinematics
from ..core.meaning.linkage import leaders_of, led, loop_of, loops_with, range_of
from ..core.meaning.mirrored import mirrored_values, other_sides
from ..core.meaning.range_of_motion import joint_number_of, moving_body_of
from ..core.meaning.reaching import Goal, Reach
from ..core.model.pose import Array
from ..core.outline.pieces import State
from ..overlay.labels import number_text
from ..properties.bones import Node, object_of, selected_bones
from ..properties.pose import OMI_PG_position, key_of, pose_of
from ..properties.preview import preview_options
from .position_rows import Row, locked_rows, mechanism_joints, rows_of
from .session import Command, Preview, PreviewError

_STEPS = 4
"""Steps of a search in each moment: one that is not there yet goes on in the next."""
_AT_BOUND = 1e-6
"""Distance [m or rad] from a limit that counts as being there."""
_PIN, _APART = 100.0, 1e-3
"""Weight of a pin beside the mouse, and how far from its place [m or rad] a pinned body may be, or
from each other the ends of a joint that closes a loop."""


class PosePreview(Preview):
    """Joints moved by sliders, and their bodies dragged, within limits: a mechanism, or one joint.

    What follows a joint goes along, loops stay closed.
    """

    def __init__(self, context: bpy.types.Context, joint: bpy.types.Object | None = None) -> None:
        """Start where all is, with a joint or the active mechanism; raises `PreviewError`."""
        super().__init__(context)
        self.kind = "Pose" if joint is None else "Range of Motion"
        self._is_one = joint is not None
        active: Node | None = context.object
        if context.mode == "POSE" and active is not None:
            _, active = selected_bones(object_of(active))
        numbers = self.live.nodes.numbers
        self._chosen = -1 if active is None else numbers.get(active.session_uid, -1)
        joint = joint or active_joint(context)
        self._node = -1 if joint is None else numbers.get(joint.session_uid, -1)
        pose_of(context).joint = "" if joint is None else key_of(joint)
        self._visited: list[Array] = []
        self._goal: Goal | None = None
        self._pins: dict[int, Goal] = {}
        self._wanted: Array | None = None
        self._path: list[tuple[int, Array]] = []
        self._find(context)
        self.values = self.kinematics.rest
        pose_of(context).positions.clear()
        self._list(context)
        self._visit()

    @property
    def activity(self) -> str:
        """What it does now: where the joint is, if it is one."""
        return self._place if self._is_one else "Following sliders and mouse"

    @property
    def is_sweeping(self) -> bool:
        """Whether joints move by themselves."""
        return bool(self._path)

    @property
    def joint_values(self) -> Array:
        """The values (6,) of the joint that it began with."""
        return np.zeros(6) if self._number is None else np.asarray(self.values[self._number])

    def values_of(self, joint: bpy.types.Object) -> Array | None:
        """Return the values (1, 6) of a joint, None for one that it does not move."""
        number = joint_number_of(self.scene.joints, self.live.nodes.numbers[joint.session_uid])
        is_moved = number in {row.joint for row in self.rows}
        return self.values[number][None] if is_moved else None

    def visited_by(self, joint: bpy.types.Object) -> Array | None:
        """Return the values (n, 6) that the joint it began with was moved to by hand."""
        is_first = self.live.nodes.numbers[joint.session_uid] == self._node
        return np.array(self._visited) if is_first else None

    def move(self, context: bpy.types.Context, elapsed: float) -> None:
        """Follow the slider that was moved, and the mouse, as far as limits and pins allow."""
        if preview_options(context).past_limits != self._past_limits:
            self.change(context)
        rows = pose_of(context).positions
        asked = [row.position for row in rows]
        self._pin(rows)
        if self._path:
            number, row = self._path.pop(0)
            values = self.values.copy()
            values[number] = row
            self._settle(values, {number})
        elif self._wanted is not None:
            self._settle(self._wanted, ())
            self._visit()
        elif self._goal is not None:
            goals = [*self._pins.values(), self._goal]
            near = self.reach.reach(goals, self.values, steps=_STEPS).values
            self._close(near, ())
            self._visit()
        elif asked != self._asked:
            self._follow(asked)
            self._visit()
        else:
            return
        self._wanted = None
        self._write(context)
        self.show(self.kinematics.matrices(self.values), self._states())

    def change(self, context: bpy.types.Context) -> None:
        """Take over a scene that was edited; joints stay where they are, as far as they may."""
        joints, asked = self.kinematics.scene.joints, self.values.copy()
        shown = pose_of(context).positions
        for row, now, last in zip(self.rows, shown, self._asked, strict=True):
            if now.position != last:
                asked[row.joint, row.value] = now.position - row.zero
        before = {joints[row.joint].node: asked[row.joint] for row in self.rows}
        try:
            self._find(context)
        except PreviewError:
            self.end()
            return
        self.values = self.kinematics.rest
        self._wanted = self.values.copy()
        for number in {row.joint for row in self.rows}:
            node = self.scene.joints[number].node
            self._wanted[number] = before.get(node, self.values[number])
        self._pins.clear()
        # Pins hold bodies where they are, not where the edited scene has them.
        self._settle(self._wanted, ())
        self._list(context)

    def obey(self, command: Command) -> None:
        """Go back to where all is, anywhere within limits, to the other side, or through ranges."""
        super().obey(command)
        numbers = list(dict.fromkeys(row.joint for row in self.rows))
        if command == Command.RESET:
            self._path, self._wanted = [], self.kinematics.rest
            self._visited = []
        elif command == Command.SWEEP:
            settings = {number: self.scene.joints[number].settings for number in numbers}
            self._path = [
                (number, row)
                for number, each in settings.items()
                for path in sweeps(each)
                for row in path.values
            ]
        elif command == Command.RANDOM:
            random, self._wanted = np.random.default_rng(), self.values.copy()
            for row in self.rows:
                self._wanted[row.joint, row.value] = random.uniform(row.low, row.high)
        elif command == Command.MIRROR:
            self._wanted = self._mirrored()

    def positions(self) -> dict[bpy.types.Object, float]:
        """Return where joints with one axis are [m or rad], as their author counts."""
        return {
            self._object(row): row.zero + float(self.values[row.joint, row.value])
            for row in self._single()
        }

    def shown_values(self) -> Iterator[tuple[bpy.types.Object, int, float]]:
        """Yield each joint with the number of each value and where it is, as rows show it."""
        for row in self.rows:
            yield self._object(row), row.value, row.zero + float(self.values[row.joint, row.value])

    def ask(self, positions: Mapping[bpy.types.Object, float], *, blend: float = 1.0) -> None:
        """Move joints with one axis to positions [m or rad], or a part of the way."""
        self._wanted = self.values.copy()
        for row in self._single():
            joint = self._object(row)
            if joint in positions:
                now = self.values[row.joint, row.value]
                way = positions[joint] - row.zero - now
                self._wanted[row.joint, row.value] = now + blend * way

    @property
    def held_bodies(self) -> Collection[int]:
        """The bodies that joints move."""
        return self._moved

    def grab(self, body: int, point: Sequence[float]) -> None:
        """Hold a body at a point of the world [m]."""
        self._path.clear()
        motion = self.kinematics.motions(self.values)[body]
        at_rest = np.linalg.solve(motion, [*point, 1.0])[:3]
        self._goal = Goal(body=body, point=at_rest, place=np.array(point))

    def pull(
        self, context: bpy.types.Context, target: Sequence[float], direction: Sequence[float]
    ) -> None:
        """Bring the point that is held to the mouse; one joint brings it below, at any depth."""
        if self._goal is not None:
            along = np.array(direction, float) if self._is_one else None
            self._goal = replace(self._goal, place=np.array(target, float), along=along)

    def release(self) -> None:
        """Stay there."""
        self._goal = None

    def _find(self, context: bpy.types.Context) -> None:
        """Find the joints that move and their ranges; raises `PreviewError`."""
        self._past_limits = preview_options(context).past_limits
        self._number = joint_number_of(self.scene.joints, self._node)
        if self._is_one:
            self.kinematics, numbers = self._one_joint(context)
        else:
            self.kinematics = Kinematics(self.scene)
            numbers = mechanism_joints(self.scene, self._chosen) & self.kinematics.children.keys()
            numbers -= {each.joint for each in self.kinematics.couplings}
        tree = self.kinematics
        moving = self._moving(numbers)
        self.reach = Reach(tree, moving=moving, past_limits=self._past_limits)
        self.rows = list(self._in_chains(numbers))
        if not self.rows and not self._is_one:
            raise PreviewError("No joint moves a body: connect two bodies by a joint that is free")
        self._moved = frozenset(tree.moved_by(moving | tree.followers_of(moving)))

    def _one_joint(self, context: bpy.types.Context) -> tuple[Kinematics, set[int]]:
        """Return the tree in which the joint moves the body that it is to move, and its number."""
        if self._number is None:
            raise PreviewError("The settings of the joint cannot be read")
        self.body = moving_body_of(self.scene, self._number, end=preview_options(context).end())
        if self.body is None:
            raise PreviewError("The ends of the joint are not on different bodies")
        whole = (self._number,) if self._past_limits else ()
        tree = Kinematics(self.scene, first=(self._number, self.body), whole=whole)
        try:
            led(tree, self._number, tree.rest)
        except CannotFollowError as error:
            raise PreviewError(str(error)) from error
        return tree, {self._number}

    def _moving(self, numbers: set[int]) -> set[int]:
        """Return joints with what they follow and, of loops with one of them, all others."""
        tree = self.kinematics
        found = numbers | leaders_of(tree, numbers)
        followers = tree.followers_of(found)
        in_loops = (loop_of(tree, each) for each in loops_with(tree, found | followers))
        return found.union(*in_loops) - {each.joint for each in tree.couplings}

    def _in_chains(self, numbers: Collection[int]) -> Iterator[Row]:
        """Yield the rows of joints chain by chain, each from its root."""
        for chain in self.kinematics.tree.chains():
            name = self.scene.names[chain[-1]]
            for number in map(self.kinematics.tree.joints.get, chain):
                if number is not None and number in numbers:
                    yield from self._rows(number, name)

    def _rows(self, number: int, chain: str) -> Iterator[Row]:
        """Yield the rows of a joint: what it may move along and about, or beyond limits all."""
        ranges = partial(self.reach.range_of, number)
        yield from rows_of(self.scene.joints[number], number, chain, ranges)
        if self._is_one and self._past_limits:
            yield from locked_rows(self.scene.joints[number], number, chain)

    def _single(self) -> Iterator[Row]:
        """Yield the rows of joints with one axis."""
        for row in self.rows:
            freedom = self.kinematics.freedoms[row.joint]
            if freedom is not None and freedom.number == row.value:
                yield row

    def _object(self, row: Row) -> bpy.types.Object:
        return object_of(self.objects[self.scene.joints[row.joint].node])

    def _mirrored(self) -> Array:
        """Return values of the other side; raises `PreviewError` where names tell none."""
        names = {self._object(row).name: row.joint for row in self.rows}
        others = other_sides(names.keys())
        if not others:
            raise PreviewError("No joint has one on the other side, such as elbow.L and elbow.R")
        pairs = {names[name]: names[other] for name, other in others.items()}
        result = self.values.copy()
        moved = list(names.values())
        result[moved] = mirrored_values(self.kinematics, self.values, pairs)[moved]
        return result

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
        if self._is_one and self._number is not None:
            values = led(self.kinematics, self._number, values)
        self._close(self.reach.within(values), held)

    def _close(self, values: Array, held: Collection[int]) -> None:
        """Take values with loops closed and pins in place, or stay where that is not possible."""
        if not self._pins and not self.reach.loops:
            self.values = values
            return
        pins = list(self._pins.values())
        found = self.reach.reach(pins, values, held=held)
        # Loops may be open in the scene already.
        open_by = self.reach.reach(pins, self.values, steps=0).gap
        if max(found.distance, found.angle) <= _APART and found.gap <= max(_APART, open_by):
            self.values = found.values
        elif self._past_limits:
            self.values = values

    def _visit(self) -> None:
        """Remember where the joint that it began with is."""
        self._visited.append(self.joint_values.copy())

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
        pinned = {(shown.joint, shown.value) for shown in positions if shown.is_pinned}
        positions.clear()
        chains = pose_of(context).chains
        chains.clear()
        for name in dict.fromkeys(row.chain for row in self.rows):
            chains.add().name = name
        names = [self.scene.names[self.scene.joints[row.joint].node] for row in self.rows]
        for row, name in zip(self.rows, names, strict=True):
            shown = positions.add()
            shown.name = name if names.count(name) == 1 else f"{name} {row.label}"
            shown.chain, shown.joint = row.chain, key_of(self._object(row))
            shown.value, shown.zero = row.value, row.zero
            shown.is_pinned = (shown.joint, shown.value) in pinned
            shown.is_linear, shown.is_bounded = row.value < 3, row.is_bounded
            shown.low, shown.high = row.low + row.zero, row.high + row.zero
        self._write(context)

    def _write(self, context: bpy.types.Context) -> None:
        """Show in sliders where joints are."""
        positions = pose_of(context).positions
        for row, shown in zip(self.rows, positions, strict=True):
            shown.set_position(float(self.values[row.joint, row.value]) + row.zero)
        self._asked = [shown.position for shown in positions]
        units = present(context.scene).unit_settings
        self._place = ", ".join(
            f"{row.label} {number_text(row_value, units, is_angle=row.value > 2)}"
            for row in self.rows
            if self._is_one
            for row_value in (float(self.values[row.joint, row.value]),)
        )

    def _states(self) -> dict[int, State]:
        """Return which joints are at a limit or beyond it, by node."""
        found: dict[int, State] = {}
        moved = {row.joint for row in self.rows}
        for number in (
            moved | leaders_of(self.kinematics, moved) | self.kinematics.followers_of(moved)
        ):
            joint, freedom = self.scene.joints[number], self.kinematics.freedoms.get(number)
            if freedom is None:
                continue
            value = float(self.values[number, freedom.number])
            low, high = range_of(joint, freedom)
            excess = max(low - value, value - high)
            if excess >= -_AT_BOUND:
                is_past = excess > _AT_BOUND
                found[joint.node] = State.VIOLATED if is_past else State.AT_LIMIT
        return found

"""The joints of a view layer as arrays, taken from the live view of their scene."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import is_

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.meaning.sides import End, moving_end
from ..core.model.body import Motion, MotionType
from ..core.model.graph import Indices, Mask, connected_groups
from ..core.model.joint import JointSettings
from ..core.model.pose import Array
from ..core.outline.far import reach_of
from ..core.outline.pieces import State
from ..core.outline.sides import drawn_from
from ..properties.bones import selected_bones, world_matrix
from ..properties.joint import SettingsCycleError, drawn_size, joint_data, joint_of, shared_settings
from ..scene.live import LiveScene
from ..scene.nodes import places
from ..scene.record import Record
from ..scene.structure import MovingEnds, body_object_of
from .colors import Emphasis
from .joint_arrays import no_joints
from .tints import NO_COLOR, NO_TINTS, Tints

_NOWHERE = np.full((4, 4), math.nan)
_UNKNOWN = {
    "sizes": 1.0,
    "reaches": 0.0,
    "versions": 0,
    "is_unread": True,
    "_is_broken": False,
    "_states": 0,
    "_unjudged": True,
}
"""Arrays of what is known of each joint, and what they hold of a new one."""
_TURNED = [1, 0, 3, 2]
"""Frames and bodies of a joint that is drawn from its connected frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A joint as a collection instance shows it."""

    obj: bpy.types.Object
    instancers: tuple[bpy.types.Object, ...]
    """Objects that instance the collection, outermost first."""

    def outer(self) -> Array:
        """Return the world matrix (4, 4) that the instances put before those of the objects."""
        matrix = np.eye(4)
        for each in self.instancers:
            matrix = matrix @ np.array(world_matrix(each))
            if each.instance_collection is not None:
                matrix[:3, 3] -= matrix[:3, :3] @ np.array(each.instance_collection.instance_offset)
        return matrix

    def worlds(self) -> Array:
        """Return the world matrices (4, 4, 4) of both frames and both bodies; NaN is missing."""
        connected = joint_data(self.obj).connected_object
        ends = (self.obj, connected, body_object_of(self.obj), body_object_of(connected))
        matrices = [_NOWHERE if end is None else np.array(world_matrix(end)) for end in ends]
        return np.asarray(self.outer() @ np.stack(matrices))


class SceneJoints:
    """The joints of one view layer, those of its objects first and then those of instances."""

    _sides: Sequence[End | None] = ()
    """The end that moves of each joint of an object, None where its two bodies decide."""
    _moving: End | None = None
    chains: Indices = np.empty(0, np.intp)
    """Number of the chain that each joint is in, shape (n,)."""

    def __init__(self, live: LiveScene) -> None:
        self.live = live
        self.generation = 0
        """Number of changes so far."""
        self.versions = np.empty(0, np.int64)
        """Generation at which each joint last changed, shape (n,)."""
        self.nodes: Indices = np.empty(0, np.intp)
        """Node of the object of each joint, of the outermost instancer for instances."""
        self.arrays = no_joints()
        self.sizes: Array = np.empty(0)
        """Size at which each joint is displayed [m], shape (n,)."""
        self.reaches: Array = np.empty(0)
        """How far the settings of each joint are drawn [m] (`reach_of`), shape (n,)."""
        self._own, self._most = 0, math.inf
        self._ends: Indices = np.empty((0, 5), np.intp)
        """Nodes of frames, bodies and followed joints of the joints of objects, -1 for none."""
        self.uids: NDArray[np.int64] = np.empty(0, np.int64)
        """`session_uid` of the object of each joint, shape (n,)."""
        self._end_uids: NDArray[np.int64] = np.empty((0, 5), np.int64)
        """The objects of `_ends`."""
        self._seen, self._seen_version = (-1, -1, -1), 0
        self._tints = NO_TINTS
        self._records: list[tuple[Record, Motion | None, Motion | None, End | None] | None] = []
        """What each joint of an object was read from: it, the motions of its bodies, its side."""
        self.is_unread = np.empty(0, bool)
        """Which joints are left to `read_more`, and not to be shown until then, shape (n,)."""
        self._is_broken = np.empty(0, bool)
        """Whether each joint is not complete, shape (n,)."""
        self._states, self._unjudged = np.empty(0, np.int8), np.empty(0, bool)

    def __len__(self) -> int:
        """Return the number of joints."""
        return len(self.nodes)

    @property
    def states(self) -> NDArray[np.int8]:
        """The gravest `State` of each joint, shape (n,)."""
        return self.states_of(np.arange(len(self)))

    def states_of(self, chosen: Indices) -> NDArray[np.int8]:
        """Return the gravest `State` of some joints, found when asked for."""
        unjudged = chosen[self._unjudged[chosen]]
        if len(unjudged):
            self._states[unjudged] = self.arrays.take(unjudged).states()
            self._unjudged[unjudged] = False
        return np.asarray(self._states[chosen])

    def object_of(self, number: int) -> bpy.types.Object:
        """Return the object of a joint, the outermost instancer of an instance."""
        return self.live.nodes.object_at(int(self.nodes[number]))

    def name_of(self, number: int) -> str:
        """Return the name of the object of a joint."""
        return self.live.records[int(self.nodes[number])].name

    def bodies(self) -> set[int]:
        """Return the nodes of the bodies that the joints of objects hold."""
        return set(self._ends[:, 2:4].ravel().tolist()) - {-1}

    def refresh(
        self,
        view_layer: bpy.types.ViewLayer,
        moving: End | None = None,
        tints: Tints = NO_TINTS,
        *,
        most: float = math.inf,
    ) -> None:
        """Bring everything up to date with the live scene.

        Joints are drawn at the end that stays, the one opposite to `moving`; None is the one that
        fits each of them. They have their own color, else that of their object among `tints`.
        Of more than `most` joints whose settings differ the rest is left to `read_more`.
        """
        live, self._most = self.live, most
        if moving != self._moving or tints is not self._tints:
            self._moving, self._tints, self._seen_version = moving, tints, -1
            self._records = [None] * len(self)
        seen = (*self._listing, live.shown.selections)
        differs = live.shown.version != self._seen_version
        if seen[:2] != self._seen[:2] or (differs and self._instances_moved()):
            self._list()
        elif differs:
            self._read(self._changed())
        if seen != self._seen:
            self._set_emphasis(view_layer)
        self._seen, self._seen_version = seen, live.shown.version

    @property
    def _listing(self) -> tuple[int, int]:
        """What decides which joints there are, and between what."""
        return self.live.links, self.live.shown.outside

    @property
    def is_read(self) -> bool:
        """Whether all joints of the scene are read, which is known once the scene is."""
        is_listed = self.live.is_current and self._seen[:2] == self._listing
        return is_listed and not self.is_unread.any()

    def read_more(self, most: int) -> None:
        """List the joints of a scene that is current, or read at most some of those left."""
        if self._seen[:2] != self._listing:
            self._most = most
            self._list()
            self._seen, self._seen_version = (*self._listing, -1), self.live.shown.version
            return
        self._most = math.inf
        self._read(np.flatnonzero(self.is_unread)[:most])

    def _changed(self) -> Indices:
        """Return the joints of objects that look different than before."""
        versions = np.append(self.live.shown.versions, 0)
        return np.flatnonzero((versions[self._ends] > self._seen_version).any(axis=1))

    def _instances_moved(self) -> bool:
        instancers = self.nodes[self._own :]
        return bool((self.live.shown.versions[instancers] > self._seen_version).any())

    def _list(self) -> None:
        """List the joints anew, keeping what is known of them where they are the same."""
        live = self.live
        ends = live.ends
        own, before = ends.joints, self.uids[: self._own]
        instances = list(_instances(live))
        self._ends = np.column_stack((own, ends.connected, ends.bodies, ends.followed))
        outer = [live.nodes.numbers[each.instancers[0].session_uid] for each in instances]
        self.nodes = np.array([*own, *outer], np.intp)
        self.uids, self._own = live.nodes.keys[self.nodes], len(own)
        self.chains = self._chained(len(outer))
        end_uids, old_ends = np.append(live.nodes.keys, -1)[self._ends], self._end_uids
        self._end_uids = end_uids
        take = places(before, self.uids)
        take[len(own) :] = -1
        if len(take) != len(before) or (take != np.arange(len(take))).any():
            self._carry_over(take)
        is_new = take[: len(own)] < 0
        is_tied = is_new.copy()
        is_tied[~is_new] = (old_ends[take[: len(own)][~is_new]] != end_uids[~is_new]).any(axis=1)
        is_changed = is_new | is_tied
        is_changed[self._changed()] = True
        is_changed |= self._turn_sides(take[: len(own)])
        self._read(np.flatnonzero(is_changed))
        self._read_instances(instances)

    def _chained(self, instances: int) -> Indices:
        """Return the chains that joints are in: two that alone hold a body that moves are in one.

        Each joint of an instance is a chain of its own.
        """
        body = self._ends[:, 2:4].ravel()
        joint = np.repeat(np.arange(self._own), 2)
        order = np.argsort(body, kind="stable")
        _, first, counts = np.unique(body[order], return_index=True, return_counts=True)
        first = first[counts == 2]
        is_moving = [
            self._is_dynamic(node) and joint[order[at]] != joint[order[at + 1]]
            for at, node in zip(first.tolist(), body[order[first]].tolist(), strict=True)
        ]
        first = first[np.array(is_moving, bool)]
        return connected_groups(self._own + instances, joint[order[first]], joint[order[first + 1]])

    def _is_dynamic(self, node: int) -> bool:
        motion = self.live.records[node].motion if node >= 0 else None
        return motion is not None and motion.type == MotionType.DYNAMIC

    def _turn_sides(self, take: Indices) -> Mask:
        """Take over which ends move; return which are others. Joint i was the `take[i]`-th."""
        before = [*self._sides, None]
        self._sides = self.live.moving_ends
        pairs = zip(self._sides, take.tolist(), strict=True)
        found = (old < 0 or side is not before[old] for side, old in pairs)
        return np.fromiter(found, bool, len(take))

    def _carry_over(self, take: Indices) -> None:
        """Renumber the joints: the i-th was the `take[i]`-th, -1 where it is new."""
        self.arrays = self.arrays.renumbered(take)
        self._records = [self._records[old] if old >= 0 else None for old in take.tolist()]
        for name, new in _UNKNOWN.items():
            old = getattr(self, name)
            setattr(self, name, np.append(old, np.array(new, old.dtype))[take])
        self._seen = (-1, -1, -1)

    def _read(self, chosen: Indices) -> None:
        """Take over poses, states and, where they are others, settings of joints of objects.

        Those that are left to `read_more` are not marked as different.
        """
        if not len(chosen):
            return
        live, ends, arrays = self.live, self._ends[chosen], self.arrays
        waiting = np.flatnonzero(self.is_unread[chosen])
        is_read = np.ones(len(chosen), bool)
        is_read[waiting[int(min(self._most, len(waiting))) :]] = False
        read = chosen[is_read]
        for number, nodes in zip(read.tolist(), ends[is_read].tolist(), strict=True):
            self.is_unread[number] = not self._read_settings(number, nodes)
        worlds = live.shown.poses.take(ends, axis=0, mode="clip")
        worlds[ends < 0] = math.nan
        turned = np.flatnonzero(arrays.is_mirrored[chosen])
        worlds[turned, :4] = worlds[turned][:, _TURNED]
        arrays.frames[chosen] = worlds[:, :2]
        arrays.bodies[chosen] = worlds[:, 2:4, :3, 3]
        arrays.followed[chosen] = worlds[:, 4, :3, 3]
        arrays.forced[chosen] = np.where(self._is_broken[chosen], int(State.ERROR), -1)
        if shown := live.shown.states:
            states, forced = (each.tolist() for each in (self.nodes[chosen], arrays.forced[chosen]))
            arrays.forced[chosen] = list(map(shown.get, states, forced))
        self._touch(read)

    def _read_settings(self, number: int, nodes: list[int]) -> bool:
        """Take over what a joint is, unless it is what was read last; `nodes` are its ends.

        Return whether it is known now: it is not where enough was read.
        """
        records, arrays = self.live.records, self.arrays
        joint, connected, own, other, _ = nodes
        record = records[joint]
        one, two = (records[body].motion if body >= 0 else None for body in (own, other))
        known, side = self._records[number], self._sides[number]
        if known is not None and all(map(is_, known, (record, one, two, side))):
            return True
        if self._most <= 0:
            return False
        self._most -= 1
        self._records[number] = (record, one, two, side)
        fitting = side or moving_end(one, two)
        moving = End.CONNECTED if connected < 0 else self._moving or fitting
        drawn = drawn_from(_settings(record), moving)
        arrays.settings[number], arrays.is_mirrored[number] = drawn.settings, drawn.is_at_connected
        self._is_broken[number] = record.joint is None or record.joint.connected is None
        tint = record.color or self._tints.get(int(self.uids[number]), NO_COLOR)
        arrays.tints[number] = tint
        self.sizes[number], self.reaches[number] = record.size, reach_of(drawn.settings)
        return True

    def _read_instances(self, instances: list[Instance]) -> None:
        self.is_unread[self._own :] = False
        fitting: dict[bpy.types.Collection | None, MovingEnds] = {}
        for number, each in enumerate(instances, start=self._own):
            worlds, is_open = each.worlds(), joint_data(each.obj).connected_object is None
            inside = each.instancers[-1].instance_collection
            if inside not in fitting:
                fitting[inside] = MovingEnds(() if inside is None else inside.all_objects)
            moving = End.CONNECTED if is_open else self._moving or fitting[inside].of(each.obj)
            try:
                drawn = drawn_from(shared_settings(each.obj), moving)
                self.arrays.settings[number] = drawn.settings
                self.arrays.is_mirrored[number] = drawn.is_at_connected
                worlds = worlds[_TURNED] if drawn.is_at_connected else worlds
            except SettingsCycleError:
                self.arrays.forced[number] = State.ERROR
            self.arrays.frames[number], self.arrays.bodies[number] = worlds[:2], worlds[2:, :3, 3]
            self.reaches[number] = reach_of(self.arrays.settings[number])
            self.arrays.tints[number] = joint_data(each.obj).color
            self.sizes[number] = drawn_size(each.obj)
            if is_open:
                self.arrays.forced[number] = State.ERROR
        self._touch(np.arange(self._own, len(self)))

    def _set_emphasis(self, view_layer: bpy.types.ViewLayer) -> None:
        """Find out how the joints stand to the selection."""
        nodes = self.live.nodes.numbers
        selected = [nodes.get(obj.session_uid, -2) for obj in view_layer.objects.selected]
        active = view_layer.objects.active
        active_node = -2 if active is None else nodes.get(active.session_uid, -2)
        is_chosen = np.isin(self.nodes, selected)
        is_active = is_chosen & (self.nodes == active_node)
        if active is not None and active.mode == "POSE":
            chosen, bone = selected_bones(active)
            selected = [nodes.get(each.session_uid, -2) for each in chosen]
            active_node = -2 if bone is None else nodes.get(bone.session_uid, -2)
            is_chosen[:] = False
            is_active[: self._own] = self._ends[:, 2] == active_node
        is_chosen[: self._own] |= np.isin(self._ends, selected).any(axis=1)
        emphasis = np.where(is_chosen, int(Emphasis.SELECTED), int(Emphasis.NONE))
        emphasis[is_active] = Emphasis.ACTIVE
        differs = np.flatnonzero(emphasis != self.arrays.emphasis)
        self.arrays.emphasis = emphasis
        if len(differs):
            self._touch(differs)

    def _touch(self, chosen: Indices) -> None:
        """Mark joints that look different now."""
        self.generation += 1
        self.versions[chosen] = self.generation
        self._unjudged[chosen] = True


def _settings(record: Record) -> JointSettings:
    return JointSettings() if record.joint is None else record.joint.settings


def _instances(live: LiveScene) -> Iterator[Instance]:
    """Yield the joints that instances of collections show."""
    for node in np.flatnonzero(live.columns.is_instancer).tolist():
        yield from _instanced(live.nodes.object_at(node), ())


def _instanced(
    obj: bpy.types.Object, instancers: tuple[bpy.types.Object, ...]
) -> Iterator[Instance]:
    """Yield the joints of the collection that an object instances."""
    collection = obj.instance_collection
    if obj.instance_type != "COLLECTION" or collection is None:
        return
    for each in collection.all_objects:
        if joint_of(each) is not None:
            yield Instance(each, (*instancers, obj))
        yield from _instanced(each, (*instancers, obj))

"""The live view of one Blender scene: what was read of it, and what has changed since.

Everything that shows or judges a scene reads it from here: checks, overlays, panels and previews.
Each node has the version at which it last changed; a reader remembers the one it has seen.
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.graph import Indices, Mask
from ..core.model.pose import Array
from ..core.model.scene import GRAVITY, Joint, PhysicsScene
from ..core.outline.pieces import State
from ..properties.joint import joint_data
from .columns import Columns, places
from .ends import Ends, ends_of
from .noted import Noted
from .reading import couplings_of, scene_gravity
from .record import Record, read_record
from .shown import Shown

T = TypeVar("T")
GLANCES = 2
"""Joints that are looked at in turn whenever the scene is read."""
MOST_AT_ONCE = 500
"""New objects that are read at once; more of them are read bit by bit."""
_TOGETHER = 8
"""Suspects that are read before the time is looked at."""
_MANY = 500
"""Objects from which on it is quicker to read where all are than where each is."""
_UNREAD = Record()


class LiveScene:
    """What was read of one scene.

    Holds references into Blender's data between `refresh` and `release`.
    """

    def __init__(self) -> None:
        self.version = 0
        """Number of changes so far."""
        self.listing = 0
        """Version at which objects last came or went."""
        self.links, self.edits, self.changed = 0, 0, 0
        """Versions at which parents, kinds of motion or ends of joints last changed, at which
        anything but a pose did, and at which anything did: what a preview shows is no part."""
        self.outside = 0
        """Number of changes of objects that are in the scene by instances only."""
        self.untold = 0
        """Number of changes after which Blender may not draw views anew by itself."""
        self.gravity = GRAVITY
        """[m/s²], in world axes."""
        self.nodes: dict[int, int] = {}
        """Node of each object by its `session_uid`."""
        # The `session_uid` of each object under itself.
        self._known: dict[int, int] = {}
        self.objects: list[bpy.types.Object] = []
        self.records: list[Record] = []
        self.columns = Columns()
        self.matrices: Array = np.empty((0, 4, 4))
        """World matrices, shape (n, 4, 4)."""
        self.versions: NDArray[np.int64] = np.empty(0, np.int64)
        """Version at which each node last changed, shape (n,)."""
        self.shown_versions: NDArray[np.int64] = np.empty(0, np.int64)
        """Version at which each node last looked different, by a preview too, shape (n,)."""
        # Version at which each node was last reported as shaded: it may be hidden, shape (n,).
        self.shaded_versions: NDArray[np.int64] = np.empty(0, np.int64)
        self.shown: Shown | None = None
        # Joints that share settings over an object, by `session_uid` of both.
        self._users: defaultdict[int, set[int]] = defaultdict(set)
        self.noted = Noted()
        self._ends: tuple[int, Ends] = (-1, ends_of(self.columns))
        self._next = 0

    def suspect_all(self) -> None:
        """Have all objects looked at: any may have changed without a word."""
        uids, is_joint = self.columns.uids, self.columns.is_joint
        self.noted.suspects = np.concatenate((uids[~is_joint], uids[is_joint]))

    def release(self) -> None:
        """Drop references into Blender's data, which undo and reading a file replace."""
        self.objects = []
        self.noted.is_listed = False
        self.outside += 1

    # Reading

    @property
    def is_current(self) -> bool:
        """Whether nothing is left to be read."""
        return self.noted.is_nothing

    @property
    def is_idle(self) -> bool:
        """Whether the scene has no joint, body or shape, so that no change matters."""
        return not self.has_physics and not len(self.noted.suspects)

    @property
    def has_physics(self) -> bool:
        """Whether a joint, a body or a shape is known."""
        known = self.columns
        return bool(known.is_joint.any() or known.is_body.any() or known.has_shapes.any())

    @property
    def ends(self) -> Ends:
        """The ends of all joints."""
        if self._ends[0] != self.links:
            self._ends = (self.links, ends_of(self.columns))
        return self._ends[1]

    def sharing(self, obj: bpy.types.Object) -> list[bpy.types.Object]:
        """Return the joints that name an object as the source of their settings."""
        nodes = (self.nodes.get(uid) for uid in self._users.get(obj.session_uid, ()))
        users = [self.objects[node] for node in nodes if node is not None]
        return [user for user in users if joint_data(user).settings_source == obj]

    def refresh(self, scene: bpy.types.Scene, *, is_glancing: bool = True) -> None:
        """Read what is known to have changed, and have a glance at what may have."""
        try:
            self._refresh(scene, is_glancing=is_glancing)
        except ReferenceError:
            # An object was removed, and Blender has not told of it yet.
            self.noted.is_listed = False
            self.suspect_all()
            self._refresh(scene, is_glancing=is_glancing)

    def _refresh(self, scene: bpy.types.Scene, *, is_glancing: bool) -> None:
        stamp, before = self.version + 1, self.version
        was_idle = self.is_idle and bool(self.nodes)
        is_much, self.noted.is_much = self.noted.is_much, False
        if not self.noted.is_listed:
            self._list(scene, stamp)
        if is_much:
            self._read_poses(scene, stamp)
            self.suspect_all()
        changed, moved = self.noted.changed, self.noted.moved - self.noted.changed
        self.noted.changed, self.noted.moved = set(), set()
        glanced = self._glance(scene) if is_glancing else set[int]()
        self._read_all(changed | glanced, stamp, scene)
        self.untold += self.version != before
        for uid in moved:
            node = self.nodes.get(uid)
            if node is None:
                self.outside += 1
            else:
                self._read_pose(node, stamp)
        self._stamp_shaded(stamp)
        if was_idle and self.has_physics:
            # Nobody kept track of what moved before.
            self._read_poses(scene, stamp)
            self.suspect_all()
        gravity = scene_gravity(scene)
        if gravity != self.gravity:
            self.gravity, self.version, self.changed, self.links = gravity, stamp, stamp, stamp

    def _stamp_shaded(self, stamp: int) -> None:
        """Have views ask again whether objects with animated visibility are hidden."""
        shaded, self.noted.shaded = self.noted.shaded, set()
        if nodes := [self.nodes[uid] for uid in shaded & self.nodes.keys()]:
            self.version, self.shaded_versions[nodes] = stamp, stamp

    def sweep(self, until: float) -> None:
        """Read suspects until a moment of `time.perf_counter`."""
        before = self.version
        while len(self.noted.suspects) and perf_counter() < until:
            last = self.noted.suspects[-_TOGETHER:]
            self.noted.suspects = self.noted.suspects[:-_TOGETHER]
            self._read_all(last.tolist(), self.version + 1)
        self.untold += self.version != before

    def settle(self, scene: bpy.types.Scene) -> None:
        """Read all that may have changed."""
        self.refresh(scene)
        self._read_all(self.noted.suspects.tolist(), self.version + 1, scene)
        self.noted.suspects = self.noted.suspects[:0]

    def _glance(self, scene: bpy.types.Scene) -> set[int]:
        """Return a few objects to look at: scripts change properties without a word."""
        actives = (layer.objects.active for layer in scene.view_layers)
        found = {obj.session_uid for obj in actives if obj is not None}
        joints = np.flatnonzero(self.columns.is_joint)
        for _ in range(min(GLANCES, len(joints))):
            self._next = (self._next + 1) % len(joints)
            found.add(int(self.columns.uids[joints[self._next]]))
        return found

    def _list(self, scene: bpy.types.Scene, stamp: int) -> None:
        """List the objects; new ones are read, what hung on old ones is read anew."""
        self.noted.is_listed = True
        self.objects = scene.objects.values()  # type: ignore[assignment]
        uids = np.empty(len(self.objects), np.int32)
        scene.objects.foreach_get("session_uid", uids)
        if not np.array_equal(uids, self.columns.uids):
            self._relist(uids.astype(np.int64), stamp)

    def _relist(self, uids: NDArray[np.int64], stamp: int) -> None:
        """Take over another list of objects."""
        self.hide()
        listed, known = uids.tolist(), self.columns.uids
        take = places(known, uids)
        numbers = np.full(len(known) + 1, -1, np.intp)
        numbers[take[take >= 0]] = np.flatnonzero(take >= 0)
        touched = self._touched_by_loss(numbers[:-1] < 0)
        records = [*self.records, _UNREAD]
        self.records = [records[number] for number in take.tolist()]
        self.columns = self.columns.renumbered(uids, take, numbers)
        self.matrices = np.concatenate((self.matrices, np.eye(4)[None]))[take]
        self.versions, self.shown_versions, self.shaded_versions = (
            np.where(take >= 0, np.append(each, 0)[take], stamp)
            for each in (self.versions, self.shown_versions, self.shaded_versions)
        )
        self.nodes = dict(zip(listed, range(len(listed)), strict=True))
        self._known = dict(zip(listed, listed, strict=True))
        self.version = self.changed = self.listing = self.links = stamp
        for uid in touched:
            self._stamp(self.nodes[uid], stamp)
        self.noted.changed |= touched
        new = uids[take < 0]
        if len(new) <= MOST_AT_ONCE or bpy.app.background:
            self.noted.changed.update(new.tolist())
        else:
            self.noted.suspects = np.concatenate((self.noted.suspects, new))

    def _touched_by_loss(self, is_gone: Mask) -> set[int]:
        """Return what refers to objects that are gone, or to some that may have come."""
        known = self.columns
        lost = known.uids[is_gone].tolist()
        users: set[int] = set().union(*(self._users.pop(uid, ()) for uid in lost))
        is_touched = known.referring(is_gone) | (known.has_ties & ~is_gone)
        return (users & self.nodes.keys()).difference(lost).union(known.uids[is_touched].tolist())

    def _read_all(
        self, uids: Iterable[int], stamp: int, scene: bpy.types.Scene | None = None
    ) -> None:
        """Read objects and the joints that share settings over them, poses of many at once."""
        wanted = set(uids)
        are_poses_read = scene is not None and len(wanted) > _MANY
        if scene is not None and are_poses_read:
            self._read_poses(scene, stamp)
        changed: list[int] = []
        try:
            for uid in wanted.union(*(self._users[uid] for uid in self._users.keys() & wanted)):
                node = self.nodes.get(uid)
                if node is None:
                    self.outside += 1
                    continue
                if self._read(uid, node, stamp):
                    changed.append(node)
                if not are_poses_read:
                    self._read_pose(node, stamp)
        finally:
            # An object may have been removed meanwhile: what was read before it counts.
            if changed:
                self._stamp(changed, stamp)
                self.edits = stamp

    def _read(self, uid: int, node: int, stamp: int) -> bool:
        """Read an object; return whether it changed."""
        old, new = self.records[node], read_record(self.objects[node], self._known)
        for source in new.sources:
            self._users[source].add(uid)
        if new == old:
            return False
        self.records[node] = new
        self.columns.put(node, new, self.nodes)
        if self.links != stamp and new.links != old.links:
            self.links = stamp
        return True

    def _read_pose(self, node: int, stamp: int) -> None:
        """Read where an object is; what a preview moves stays where it is at rest."""
        if self.shown is not None and self.shown.is_away(node):
            return
        matrix = np.array(self.objects[node].matrix_world)
        if (matrix != self.matrices[node]).any():
            self.matrices[node] = matrix
            if self.shown is not None:
                self.shown.rest_at(node, matrix)
            self._stamp(node, stamp)

    def _read_poses(self, scene: bpy.types.Scene, stamp: int) -> None:
        """Read where all objects are, by one call."""
        columns = np.empty((len(self.objects), 4, 4), np.float32)
        scene.objects.foreach_get("matrix_world", columns.reshape(-1))
        matrices = columns.swapaxes(1, 2)
        moved = np.flatnonzero((matrices != self.matrices).any(axis=(1, 2)))
        if self.shown is not None:
            for node in moved.tolist():
                self._read_pose(node, stamp)
        elif len(moved):
            self.matrices[moved] = matrices[moved]
            self._stamp(moved, stamp)

    def _stamp(self, nodes: int | Sequence[int] | Indices, stamp: int) -> None:
        self.versions[nodes] = self.shown_versions[nodes] = stamp
        self.version = self.changed = stamp

    # What a preview shows

    @property
    def poses(self) -> Array:
        """World matrices that the viewport shows, shape (n, 4, 4)."""
        return self.matrices if self.shown is None else self.shown.matrices

    def show(
        self,
        depsgraph: bpy.types.Depsgraph,
        matrices: Array,
        states: Mapping[int, State],
        *,
        all_told: bool = True,
    ) -> None:
        """Show poses (n, 4, 4) and states of joints by node in place of the scene's.

        `all_told` is whether a view has to be told of each object that moves.
        """
        if self.shown is None:
            self.shown = Shown(self.objects, self.matrices.copy())
        self._stamp_shown(self.shown.show(depsgraph, matrices, states, all_told=all_told))

    def hide(self) -> None:
        """Show the scene as it is."""
        shown, self.shown = self.shown, None
        if shown is None:
            return
        self._stamp_shown(list(shown.touched()))
        shown.hide()
        self.noted.moved -= {uid for uid, node in self.nodes.items() if shown.is_away(node)}

    @property
    def states_shown(self) -> Mapping[int, State]:
        """States of joints that a preview shows, by node."""
        return {} if self.shown is None else self.shown.states

    def _stamp_shown(self, nodes: Sequence[int]) -> None:
        if nodes:
            self.version += 1
            self.shown_versions[nodes] = self.version

    # As core values

    def core(self) -> PhysicsScene:
        """Return the scene at rest as it was read last, without volumes; node i is `objects[i]`."""
        return _finished(self.core_bit_by_bit())

    def core_bit_by_bit(self) -> Generator[None, None, PhysicsScene]:
        """Return the same after some steps, between which nothing may change."""
        units = np.flatnonzero(self.columns.is_read)
        return self._part(np.arange(len(self.records)), units)

    def part(self, nodes: Sequence[int], units: Iterable[int]) -> PhysicsScene:
        """Return some nodes, ascending, with their bodies, as a scene of its own.

        Of its joints those at `units` are there. Nodes above are to be among `nodes`; a joint whose
        connected node is not has none.
        """
        return _finished(self._part(np.array(nodes, np.intp), np.array(sorted(units), np.intp)))

    def _part(self, nodes: Indices, units: Indices) -> Generator[None, None, PhysicsScene]:
        """Return some nodes as a scene of its own after some steps; all ascending."""
        known, records = self.columns, [self.records[node] for node in nodes.tolist()]
        parents = places(nodes, known.parents[nodes])
        yield
        names = tuple(record.name for record in records)
        yield
        motions = {n: record.motion for n, record in enumerate(records) if record.motion}
        yield
        carries = {n: record.kinds for n, record in enumerate(records) if record.kinds}
        yield
        joints: list[Joint] = []
        numbers, ends = places(nodes, units).tolist(), places(nodes, known.connected[units])
        for number, end in zip(numbers, ends.tolist(), strict=True):
            if joint := records[number].joint:
                joints.append(replace(joint, node=number, connected=None if end < 0 else end))
            yield
        followed = self._followed(nodes)
        return PhysicsScene(
            names=names,
            parents=parents,
            matrices=self.matrices[nodes],
            motions=motions,
            carries=carries,
            joints=tuple(joints),
            couplings=couplings_of(joints, followed) if followed else (),
            gravity=self.gravity,
        )

    def _followed(self, nodes: Indices) -> dict[int, tuple[int, tuple[float, ...]] | None]:
        """Return which of the nodes each follows, by their places among them."""
        found: dict[int, tuple[int, tuple[float, ...]] | None] = {}
        sources = places(nodes, self.columns.followed[nodes])
        for at in np.flatnonzero(sources >= 0).tolist():
            follows = self.records[nodes[at]].follows
            if follows is not None:
                found[at] = (int(sources[at]), follows[1])
        return found


def _finished(steps: Generator[None, None, T]) -> T:
    """Return what steps lead to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result

"""The live view of one Blender scene: what was read of it, and what has changed since.

Everything that shows or judges a scene reads it from here: checks, overlays, panels and previews.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from time import perf_counter

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.meaning.sides import End, moving_end
from ..core.model.graph import Indices, Mask
from ..core.model.pose import Array
from ..core.model.scene import GRAVITY
from ..properties.joint import joint_data
from .columns import Columns
from .disabled import Followers
from .ends import Ends, ends_of
from .nodes import Nodes, keys_of, pose_of, poses_of
from .pending import Pending
from .reading import scene_gravity
from .record import Record, read_record
from .shown import ShownScene
from .structure import MovingEnds, body_bones_of

GLANCES, _FEW, _RARELY = 2, 16, 1.0
"""Joints that are looked at in turn whenever the scene is read, and of more than a few joints only
after a while [s]: the redraws after one change do not get round them.
"""
MOST_AT_ONCE = 500
"""New nodes that are read at once; more of them are read bit by bit."""
_TOGETHER = 8
"""Suspects that are read before the time is looked at."""
_MANY = 500
"""Nodes from which on it is quicker to read where all are than where each is."""
_UNREAD = Record()


class LiveScene:
    """What was read of one scene, at rest.

    A reader remembers the counter that it has seen, and works anew where it differs. Those of what
    was read hold the `version` at which it last differed; (n,) is one for each node.

    | counter | what changed | who reads it |
    | --- | --- | --- |
    | `version`, `versions` (n,) | anything | checks, checks for engines; previews: edited nodes |
    | `edits` | anything but a pose | list of joints: its order by name and kind, its search |
    | `links` | parents, motions, ends of joints | ends, dependence, list of joints, overlay |
    | `listing` | which nodes there are | previews: is it still their scene; colors, shapes |
    | `shown.version` | looks, by a preview too | overlay, previews |
    | `shown.versions` (n,) | looks of a node, by a preview too | overlay: joints and shapes |
    | `shown.shaded` (n,) | a node was reported as shaded: it may be hidden | overlay |
    | `shown.outside` | what is in the scene by instances only | overlay: instances |
    | `shown.selections` | selection or visibility | overlay: emphasis, hidden joints, colors |
    | `shown.unreported` | what Blender may not draw by itself | the watch: redraws |
    """

    def __init__(self) -> None:
        self.version, self.edits, self.links, self.listing = 0, 0, 0, 0
        self.versions: NDArray[np.int64] = np.empty(0, np.int64)
        self.gravity = GRAVITY
        """[m/s²], in world axes."""
        self.nodes = Nodes()
        self.records: list[Record] = []
        self.columns = Columns()
        self.pending = Pending()
        self.followers = Followers()
        self.shown = ShownScene(self.nodes)
        # Joints that share settings over an object, by keys of both.
        self._users: defaultdict[int, set[int]] = defaultdict(set)
        self._ends: tuple[int, Ends] = (-1, ends_of(self.columns))
        self._moving: tuple[int, list[End | None]] = (-1, [])
        self._next, self._turned = 0, -inf

    def suspect_all(self) -> None:
        """Have all nodes looked at: any may have changed without a report."""
        keys, is_joint = self.nodes.keys, self.columns.is_joint
        self._suspect(np.concatenate((keys[~is_joint], keys[is_joint])))

    def _suspect(self, keys: NDArray[np.int64]) -> None:
        """Have some nodes looked at, and where all are."""
        self.pending.suspects, self.pending.are_poses_due = keys, True

    def release(self) -> None:
        """Drop references into Blender's data, which undo and reading a file replace."""
        self.nodes.release()
        self.followers.forget()
        self.pending.is_listed = False
        self.shown.outside += bool(self.columns.is_instancer.any())

    def hide(self) -> None:
        """End what a preview shows; that its objects move back is nothing to be read."""
        self.pending.moved.difference_update(self.nodes.keys[self.shown.hide()].tolist())

    # What is known

    @property
    def is_current(self) -> bool:
        """Whether nothing is left to be read."""
        return self.pending.is_empty

    @property
    def is_idle(self) -> bool:
        """Whether the scene has no joint, body or shape, so that no change matters."""
        return not self.has_physics and not len(self.pending.suspects)

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

    @property
    def moving_ends(self) -> list[End | None]:
        """The end of each joint of `ends` that moves, None where its two bodies decide."""
        if self._moving[0] != self.links:
            dynamic, roots = (
                np.flatnonzero(each) for each in (self.columns.is_dynamic, self.columns.is_root)
            )
            self._moving = (self.links, self.ends.moving(dynamic, roots))
        return self._moving[1]

    def moving_end(self, obj: bpy.types.Object) -> End:
        """Return the end of a joint that moves."""
        ends, node = self.ends, self.nodes.numbers.get(obj.session_uid, -1)
        found = np.flatnonzero(ends.joints == node).tolist()
        if not found:
            return MovingEnds((obj,)).of(obj)
        own, connected = (self.records[n].motion if n >= 0 else None for n in ends.bodies[found[0]])
        return self.moving_ends[found[0]] or moving_end(own, connected)

    def sharing(self, obj: bpy.types.Object) -> list[bpy.types.Object]:
        """Return the joints that name an object as the source of their settings."""
        numbers = map(self.nodes.numbers.get, self._users.get(obj.session_uid, ()))
        users = [self.nodes.object_at(node) for node in numbers if node is not None]
        return [user for user in users if joint_data(user).settings_source == obj]

    # Reading

    def refresh(self, scene: bpy.types.Scene, *, is_glancing: bool = True) -> None:
        """Read what is known to have changed, and have a glance at what may have."""
        try:
            self._refresh(scene, is_glancing=is_glancing)
        except ReferenceError:
            self._suspect_removal()
            self._refresh(scene, is_glancing=is_glancing)

    def _suspect_removal(self) -> None:
        """List and read anew: an object was removed, and Blender has not reported it yet."""
        self.pending.is_listed = False
        self.suspect_all()

    def _refresh(self, scene: bpy.types.Scene, *, is_glancing: bool) -> None:
        if self.pending.is_quiet and not is_glancing:
            return
        stamp, before, pending = self.version + 1, self.edits, self.pending
        was_idle = self.is_idle and len(self.nodes) > 0
        self.shown.selections += pending.is_reselected
        has_more, pending.has_more, pending.is_reselected = pending.has_more, False, False
        glanced = self._glance(scene) if is_glancing else set[int]()
        pending.changed |= self._bones_of(pending.changed | pending.moved | glanced)
        if not pending.is_listed:
            self._list(scene, stamp)
        if has_more:
            self.suspect_all()
            self._read_poses(scene, stamp)
        changed, moved = pending.changed, pending.moved - pending.changed
        pending.changed, pending.moved = set(), set()
        changed |= glanced & self.nodes.numbers.keys()
        if has_many := len(changed) > _MANY:
            self._read_poses(scene, stamp)
        self._read_all(changed, stamp, are_poses_read=has_many)
        # Blender draws what moved by itself.
        self.shown.unreported += self.edits != before
        self._read_moved(moved, stamp)
        shaded, pending.shaded = pending.shaded, set()
        if nodes := [self.nodes.numbers[key] for key in shaded & self.nodes.numbers.keys()]:
            self.shown.stamp_shaded(nodes)
        if was_idle and self.has_physics:
            # Nobody kept track of what moved before.
            self.suspect_all()
            self._read_poses(scene, stamp)
        gravity = scene_gravity(scene)
        if gravity != self.gravity:
            self.gravity, self.version, self.links = gravity, stamp, stamp

    def sweep(self, scene: bpy.types.Scene, until: float = inf) -> None:
        """Read suspects until a moment of `time.perf_counter`."""
        try:
            self._sweep(scene, until)
        except ReferenceError:
            self._suspect_removal()
            self.refresh(scene, is_glancing=False)
            self._sweep(scene, until)

    def _sweep(self, scene: bpy.types.Scene, until: float) -> None:
        before, pending = self.version, self.pending
        if pending.are_poses_due:
            self._read_poses(scene, self.version + 1)
        while len(pending.suspects) and perf_counter() < until:
            last = pending.suspects[-_TOGETHER:]
            pending.suspects = pending.suspects[:-_TOGETHER]
            keys = set(last.tolist())
            self._read_all(keys | self._bones_of(keys), self.version + 1, are_poses_read=True)
        self.shown.unreported += self.version != before

    def settle(self, scene: bpy.types.Scene) -> None:
        """Read all that may have changed."""
        self.refresh(scene)
        self.sweep(scene)
        if not self.pending.is_listed:
            self.refresh(scene)

    def _glance(self, scene: bpy.types.Scene) -> set[int]:
        """Return a few nodes to look at: Blender does not report what scripts do to properties."""
        actives = (layer.objects.active for layer in scene.view_layers)
        keys = {obj.session_uid for obj in actives if obj is not None}
        joints = np.flatnonzero(self.columns.is_joint)
        if len(joints) > _FEW:
            now = perf_counter()
            if now - self._turned < _RARELY:
                return keys
            self._turned = now
        for _ in range(min(GLANCES, len(joints))):
            self._next = (self._next + 1) % len(joints)
            keys.add(int(self.nodes.keys[joints[self._next]]))
        return keys

    def _bones_of(self, keys: set[int]) -> set[int]:
        """Return the bones of armatures among some nodes; list anew where others are bodies."""
        bones = set[int]()
        for key in self.nodes.bones.keys() & keys if self.nodes.objects else ():
            rig = self.nodes.object_at(self.nodes.numbers[key])
            found = keys_of(body_bones_of(rig))
            if found == self.nodes.bones[key]:
                bones.update(found)
            else:
                self.pending.is_listed = False
        return bones

    def _list(self, scene: bpy.types.Scene, stamp: int) -> None:
        """List the nodes; new ones are read, what referred to lost ones is read again."""
        self.pending.is_listed = True
        keys = self.nodes.list(scene)
        if not np.array_equal(keys, self.nodes.keys):
            self._relist(keys, stamp)

    def _relist(self, keys: NDArray[np.int64], stamp: int) -> None:
        """Take over another list of nodes."""
        self.hide()
        known = self.nodes.keys
        take = self.nodes.take(keys)
        numbers = np.full(len(known) + 1, -1, np.intp)
        numbers[take[take >= 0]] = np.flatnonzero(take >= 0)
        touched = self._touched_by_loss(known, numbers[:-1] < 0)
        records = [*self.records, _UNREAD]
        self.records = [records[number] for number in take.tolist()]
        self.columns = self.columns.renumbered(take, numbers)
        self.versions = np.where(take >= 0, np.append(self.versions, 0)[take], stamp)
        self.shown.renumber(take)
        self.version = self.listing = self.links = stamp
        for key in touched:
            self._stamp(self.nodes.numbers[key], stamp)
        self.pending.changed |= touched | self._below_new_bones(take < 0)
        new = keys[take < 0]
        if len(new) <= MOST_AT_ONCE or bpy.app.background:
            self.pending.changed.update(new.tolist())
        else:
            self._suspect(np.concatenate((self.pending.suspects, new)))

    def _touched_by_loss(self, keys: NDArray[np.int64], is_gone: Mask) -> set[int]:
        """Return which of some nodes refer to others that are gone, or to some that may be new."""
        lost = keys[is_gone].tolist()
        users: set[int] = set().union(*(self._users.pop(key, ()) for key in lost))
        is_touched = self.columns.referring(is_gone) | (self.columns.has_ties & ~is_gone)
        kept = (users & self.nodes.numbers.keys()).difference(lost)
        return kept.union(keys[is_touched].tolist())

    def _below_new_bones(self, is_new: Mask) -> set[int]:
        """Return possible children of new bones: nodes below their armatures or other bones."""
        new, found = set(self.nodes.keys[is_new].tolist()), set[int]()
        for key, bones in self.nodes.bones.items():
            if not new.isdisjoint(bones):
                above = [self.nodes.numbers[each] for each in (key, *bones)]
                found |= set(self.nodes.keys[np.isin(self.columns.parents, above)].tolist())
        return found

    def _read_all(self, keys: Iterable[int], stamp: int, *, are_poses_read: bool) -> None:
        """Read nodes and the joints that share settings over them; where they are, if need be."""
        wanted = set(keys)
        changed: list[int] = []
        try:
            for key in wanted.union(*(self._users[key] for key in self._users.keys() & wanted)):
                node = self.nodes.numbers.get(key)
                if node is None:
                    self.shown.outside += 1
                    continue
                if self._read(key, node, stamp):
                    changed.append(node)
                if not are_poses_read:
                    self._read_pose(node, stamp)
        finally:
            # An object may have been removed meanwhile: what was read before it counts.
            if changed:
                self._stamp(changed, stamp)
                self.edits = stamp

    def _read(self, key: int, node: int, stamp: int) -> bool:
        """Read a node; return whether it changed."""
        old, new = self.records[node], read_record(self.nodes.objects[node], self.nodes.known)
        for source in new.sources:
            self._users[source].add(key)
        if new == old:
            return False
        self.records[node] = new
        self.columns.put(node, new, self.nodes.numbers)
        if self.links != stamp and new.links != old.links:
            self.links = stamp
        return True

    # Reading poses

    def _read_moved(self, keys: Iterable[int], stamp: int) -> None:
        """Read where some nodes are."""
        for key in keys:
            node = self.nodes.numbers.get(key)
            if node is None:
                self.shown.outside += 1
            else:
                self._read_pose(node, stamp)

    def _read_pose(self, node: int, stamp: int) -> None:
        """Read where a node is; what a preview moves stays where it is at rest.

        What is wrong with shapes depends on the scale that they get.
        """
        if self.shown.is_away(node):
            return
        matrix = pose_of(self.nodes.objects[node])
        if matrix.tolist() != self.nodes.matrices[node].tolist():
            before, has_shape = self.nodes.matrices[node], bool(self.records[node].fits)
            is_scaled = has_shape and _is_scaled(matrix, before)
            self.nodes.matrices[node] = matrix
            self.shown.rest_at(node, matrix)
            if is_scaled:
                self._read(int(self.nodes.keys[node]), node, stamp)
            self._stamp(node, stamp)

    def _read_poses(self, scene: bpy.types.Scene, stamp: int) -> None:
        """Read where all nodes are, by one call."""
        self.pending.are_poses_due = False
        matrices = poses_of(scene, self.nodes.objects)
        moved = np.flatnonzero((matrices != self.nodes.matrices).any(axis=(1, 2)))
        if self.shown.preview is not None:
            for node in moved.tolist():
                self._read_pose(node, stamp)
        elif len(moved):
            self.nodes.matrices[moved] = matrices[moved]
            self._stamp(moved, stamp)

    def _stamp(self, nodes: int | Sequence[int] | Indices, stamp: int) -> None:
        self.versions[nodes] = self.version = stamp
        self.shown.stamp(nodes)


def _is_scaled(matrix: Array, before: Array) -> bool:
    """Return whether a node has another scale than before."""
    return not np.allclose(*(np.linalg.norm(each[:3, :3], axis=0) for each in (matrix, before)))

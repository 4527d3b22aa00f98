"""The joints of a scene as arrays, kept up to date by what Blender says has changed."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.model.pose import Array
from ..core.outline.pieces import State
from ..properties.body import motion_type_of
from ..properties.joint import (
    SettingsCycleError,
    joint_data,
    joint_of,
    settings_owner,
    shared_settings,
)
from .colors import Emphasis
from .geometry import JointArrays
from .override import OVERRIDE

CHECKED = 2
"""Joints compared at each redraw in turn: scripts change properties without a word."""
_NOWHERE = np.full((4, 4), math.nan)


Bodies = dict[int, bpy.types.Object | None]
"""Nearest body at or above objects by their uid, as long as nothing changes."""


@dataclass(slots=True, eq=False)
class Item:
    """A joint, or the joint as a collection instance shows it."""

    obj: bpy.types.Object
    instancers: tuple[bpy.types.Object, ...] = ()
    """Objects that instance the collection, outermost first; none is the joint itself."""
    settings: JointSettings = field(default_factory=JointSettings)
    others: tuple[bpy.types.Object | None, ...] = ()
    """Connected object and both bodies."""
    is_broken: bool = False
    """Whether the joint has no connected object or no settings."""

    @property
    def key(self) -> tuple[int, ...]:
        """Identity among the items of a scene."""
        return tuple(each.session_uid for each in (*self.instancers, self.obj))

    @property
    def shown(self) -> bpy.types.Object:
        """The object that stands in the scene."""
        return self.instancers[0] if self.instancers else self.obj

    def find_others(self, bodies: Bodies) -> None:
        """Find connected object and both bodies."""
        connected = joint_data(self.obj).connected_object
        self.others = (connected, body_above(self.obj, bodies), body_above(connected, bodies))

    def outer(self) -> Array:
        """Return the world matrix (4, 4) that the instances put before those of the objects."""
        matrix = np.eye(4)
        for each in self.instancers:
            matrix = matrix @ np.array(each.matrix_world)
            if each.instance_collection is not None:
                matrix[:3, 3] -= matrix[:3, :3] @ np.array(each.instance_collection.instance_offset)
        return matrix


class SceneJoints:
    """The joints of one view layer.

    Holds references into Blender's data: drop it before undo and before another file is read.
    """

    def __init__(self) -> None:
        self.generation = 0
        """Number of changes so far."""
        self.listing = 0
        """Number of times that joints were listed, which selecting and hiding cause too."""
        self.items: list[Item] = []
        self.versions = np.empty(0, np.int64)
        self._states = np.empty(0, np.int8)
        self._unjudged = np.empty(0, bool)
        self.arrays = _no_joints()
        self._users: dict[int, set[int]] = {}
        self._numbers: dict[tuple[int, ...], int] = {}
        self._moved: set[int] = set()
        self._changed: set[int] = set()
        self._is_stale = True
        self._override = OVERRIDE.number
        self._next_checked = 0

    @property
    def states(self) -> NDArray[np.int8]:
        """The gravest `State` of each joint, found when asked for; shape (n,)."""
        unjudged = np.flatnonzero(self._unjudged)
        if len(unjudged):
            self._states[unjudged] = self.arrays.take(unjudged).states()
            self._unjudged[unjudged] = False
        return self._states

    def note(self, updates: Iterable[bpy.types.DepsgraphUpdate]) -> None:
        """Remember what a dependency graph says has changed."""
        if self._is_stale:
            return
        for update in updates:
            data = update.id.original if update.id else None
            if isinstance(data, bpy.types.Object):
                is_move = update.is_updated_transform and not update.is_updated_geometry
                (self._moved if is_move else self._changed).add(data.session_uid)
            elif isinstance(data, bpy.types.Scene | bpy.types.Collection):
                self._is_stale = True

    def refresh(self, view_layer: bpy.types.ViewLayer) -> None:
        """Bring everything up to date."""
        if self._is_stale:
            self._is_stale = False
            self._collect(view_layer)
        self._check_settings(view_layer.objects.active)
        if self._override != OVERRIDE.number:
            self._override = OVERRIDE.number
            self._moved.update(self._users)
        if self._moved or self._changed:
            changed, bodies = self._users_of(self._changed), Bodies()
            for number in changed:
                item = self.items[number]
                item.settings, item.is_broken = _settings_of(item.obj)
                item.find_others(bodies)
            self._read(sorted(changed | self._users_of(self._moved)))
            self._moved, self._changed = set(), set()

    def _users_of(self, uids: set[int]) -> set[int]:
        """Return the numbers of the joints that depend on some objects."""
        return set().union(*(self._users.get(uid, ()) for uid in uids))

    def _collect(self, view_layer: bpy.types.ViewLayer) -> None:
        """List the joints anew, keeping what is known of those that were listed before."""
        self.listing += 1
        old, known = self._numbers, self.items
        self.items = list(find_items(view_layer))
        self._numbers = {item.key: number for number, item in enumerate(self.items)}
        for key, number in self._numbers.items():
            _fill(self.items[number], known[old[key]] if key in old else None)
        bodies: Bodies = {}
        for item in self.items:
            item.find_others(bodies)
        self._users = _users(self.items)
        emphasis = np.array([_emphasis(item, view_layer) for item in self.items], np.intp)
        if self._numbers == old:
            differs = np.flatnonzero(emphasis != self.arrays.emphasis)
            self.arrays.emphasis = emphasis
            if len(differs):
                self._touch(differs)
            return
        self.arrays = _no_joints(len(self.items))
        self.arrays.emphasis = emphasis
        self.versions = np.zeros(len(self.items), np.int64)
        self._states = np.zeros(len(self.items), np.int8)
        self._unjudged = np.ones(len(self.items), bool)
        self._read(range(len(self.items)))

    def _check_settings(self, active: bpy.types.Object | None) -> None:
        """Find changed settings that nothing told of: the active joint's, then others' in turn."""
        count = len(self.items)
        turn = [(self._next_checked + step) % count for step in range(min(CHECKED, count))]
        self._next_checked = (self._next_checked + CHECKED) % max(count, 1)
        if active is not None and (active.session_uid,) in self._numbers:
            turn.append(self._numbers[active.session_uid,])
        for number in turn:
            item = self.items[number]
            if _settings_of(item.obj) != (item.settings, item.is_broken):
                self._changed.add(item.obj.session_uid)
                self._changed.add(settings_owner_uid(item.obj))

    def _read(self, numbers: Iterable[int]) -> None:
        """Read poses and settings of some joints."""
        chosen = np.array(list(numbers), np.intp)
        for number in chosen:
            item = self.items[number]
            worlds = np.stack([_world(each) for each in (item.obj, *item.others)])
            if item.instancers:
                worlds = item.outer() @ worlds
            self.arrays.frames[number] = worlds[:2]
            self.arrays.bodies[number] = worlds[2:, :3, 3]
            self.arrays.settings[number] = item.settings
            forced = OVERRIDE.states.get(item.obj.name, State.ERROR if item.is_broken else -1)
            self.arrays.forced[number] = forced
        self._touch(chosen)

    def _touch(self, chosen: NDArray[np.intp]) -> None:
        """Note that some joints look different now."""
        self.generation += 1
        self.versions[chosen] = self.generation
        self._unjudged[chosen] = True


def find_items(view_layer: bpy.types.ViewLayer) -> Iterator[Item]:
    """Yield the joints that a view layer holds, also those in instances of collections."""
    for obj in view_layer.objects:
        if joint_of(obj) is not None:
            yield Item(obj)
        yield from _instanced(obj, ())


def _instanced(obj: bpy.types.Object, instancers: tuple[bpy.types.Object, ...]) -> Iterator[Item]:
    """Yield the joints of the collection that an object instances."""
    collection = obj.instance_collection
    if obj.instance_type != "COLLECTION" or collection is None:
        return
    for each in collection.all_objects:
        if joint_of(each) is not None:
            yield Item(each, (*instancers, obj))
        yield from _instanced(each, (*instancers, obj))


def body_above(obj: bpy.types.Object | None, known: Bodies) -> bpy.types.Object | None:
    """Return the nearest body at or above an object, remembering what is found on the way."""
    if obj is None:
        return None
    uid = obj.session_uid
    if uid not in known:
        is_body = motion_type_of(obj) is not None
        known[uid] = obj if is_body else body_above(obj.parent, known)
    return known[uid]


def settings_owner_uid(obj: bpy.types.Object) -> int:
    """Return the uid of the object whose settings a joint uses, its own in a circle."""
    try:
        return settings_owner(obj).session_uid
    except SettingsCycleError:
        return obj.session_uid


def _settings_of(obj: bpy.types.Object) -> tuple[JointSettings, bool]:
    """Return the settings of a joint and whether it lacks them or a connected object."""
    try:
        settings = shared_settings(obj)
    except SettingsCycleError:
        return JointSettings(), True
    return settings, joint_data(obj).connected_object is None


def _fill(item: Item, known: Item | None) -> None:
    """Give an item the settings that are known of it, else those that it has now."""
    if known is None:
        item.settings, item.is_broken = _settings_of(item.obj)
    else:
        item.settings, item.is_broken = known.settings, known.is_broken


def _users(items: list[Item]) -> dict[int, set[int]]:
    """Return the numbers of the joints that depend on each object, by its uid."""
    users: dict[int, set[int]] = defaultdict(set)
    for number, item in enumerate(items):
        users[settings_owner_uid(item.obj)].add(number)
        for end in (item.obj, joint_data(item.obj).connected_object, *item.instancers):
            for each in _with_ancestors(end):
                users[each.session_uid].add(number)
    return dict(users)


def _with_ancestors(obj: bpy.types.Object | None) -> Iterator[bpy.types.Object]:
    """Yield an object and all above it."""
    while obj is not None:
        yield obj
        obj = obj.parent


def _emphasis(item: Item, view_layer: bpy.types.ViewLayer) -> Emphasis:
    """Return how a joint stands to the selection: its own, its connected object's, its bodies'."""
    is_chosen = item.shown.select_get(view_layer=view_layer)
    if is_chosen and item.shown == view_layer.objects.active:
        return Emphasis.ACTIVE
    others = () if item.instancers else item.others
    is_chosen |= any(each is not None and each.select_get(view_layer=view_layer) for each in others)
    return Emphasis.SELECTED if is_chosen else Emphasis.NONE


def _world(obj: bpy.types.Object | None) -> Array:
    """Return the world matrix (4, 4) of an object, NaN for no object."""
    if obj is None:
        return _NOWHERE
    matrix = OVERRIDE.matrices.get(obj.name)
    return np.array(obj.matrix_world) if matrix is None else np.asarray(matrix)


def _no_joints(count: int = 0) -> JointArrays:
    """Return arrays for `count` joints that are not read yet."""
    return JointArrays(
        [JointSettings()] * count,
        np.zeros((count, 2, 4, 4)),
        np.zeros((count, 2, 3)),
        np.zeros(count, np.intp),
        np.full(count, -1, np.int8),
    )

"""Which joints Blender's lists show, and in which order; worked out between redraws.

Blender wants a collection with an item for each row. Ours holds nothing: the joint of a row is
looked up by its number, so that no row can be of an object that is gone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import merge
from itertools import islice
from math import inf
from time import perf_counter
from typing import Any

import bpy

from ..core.findings.finding import Severity
from ..core.meaning.presets import settings_label
from ..properties.window import check_places, joint_sort, row_places
from .check_rows import check_rows
from .checks import LiveChecks
from .live import LiveScene
from .record import Record
from .watch import WATCH, shown_scene
from .work import WORK, Redraw

_TOGETHER = 64
"""Joints that are looked at, or rows that are added, before the time is looked at."""
_MOST_SEARCHES = 8
"""Searches that are kept: there may be a few lists in several windows."""
_SHOWN = 1 << 30
"""Blender's mark of a row that a list shows (`UIList.bitflag_filter_item`)."""
_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1}
_GONE = Record()
Listed = tuple[Record, int]
"""What was read of a joint, and the rank of its gravest problem, `len(_RANKS)` for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a list is to show."""

    text: str = ""
    """Part of the names, with * and ? as in all lists of Blender."""
    is_inverted: bool = False
    """Whether names without the text are searched for; Blender inverts all marks afterwards."""
    problems_only: bool = False

    @property
    def is_for_all(self) -> bool:
        """Whether all joints are found."""
        return not (self.text or self.problems_only)

    def mark(self, *, is_shown: bool) -> int:
        """Return Blender's mark of a row."""
        return _SHOWN if is_shown != self.is_inverted else 0

    def marks(self, listed: Sequence[Listed]) -> Iterator[int]:
        """Yield Blender's marks of joints."""
        for (_, rank), is_named in zip(listed, self._are_named(listed), strict=True):
            is_wanted = rank < len(_RANKS) or not self.problems_only
            yield self.mark(is_shown=is_named and is_wanted)

    def _are_named(self, listed: Sequence[Listed]) -> list[bool]:
        """Return whether the names of joints are searched for."""
        if not self.text:
            return [True] * len(listed)
        helpers: Any = bpy.types.UI_UL_list
        records = [record for record, _ in listed]
        found = helpers.filter_items_by_name(self.text, _SHOWN, records, "name")
        return [bool(mark) != self.is_inverted for mark in found]


class Slices:
    """Work that is done bit by bit, and begun anew where what it is of has changed."""

    def __init__(self) -> None:
        self.done: object = None
        """What it was done of last."""
        self._doing: object = None
        self._steps: Iterator[None] = iter(())

    def work(self, of: object, begin: Callable[[], Iterator[None]], until: float) -> bool:
        """Go on until a moment of `time.perf_counter`; return whether all is done."""
        if self.done == of:
            return True
        if self._doing != of:
            self._doing, self._steps = of, begin()
        for _ in self._steps:
            if perf_counter() >= until:
                return False
        self.done = of
        return True


class JointRows:
    """The joints of one scene as its lists show them."""

    def __init__(self, live: LiveScene, checks: LiveChecks) -> None:
        self.uids: list[int] = []
        """`session_uid` of the joints in their order."""
        self.rows: dict[int, int] = {}
        """Row of each of them."""
        self.live, self._checks = live, checks
        self.sort = ""
        """Order that they are in, of `SORTS`."""
        self._sorting = Slices()
        self._searching: dict[Search, tuple[Slices, list[int]]] = {}

    def joint(self, row: int) -> bpy.types.Object | None:
        """Return the joint of a row, None where it is gone."""
        node = self.live.nodes.numbers.get(self.uids[row]) if row < len(self.uids) else None
        return None if node is None else self.live.nodes.object_at(node)

    def ask(self, search: Search) -> bool:
        """Have a search worked out; return whether that is a new one."""
        if search.is_for_all:
            return False
        before = next(reversed(self._searching.values()), (None, []))[1]
        known = self._searching.pop(search, None) or (Slices(), before)
        self._searching[search] = known
        if len(self._searching) > _MOST_SEARCHES:
            del self._searching[next(iter(self._searching))]
        return known[0].done is None

    def marks(self, search: Search, places: int) -> list[int]:
        """Return Blender's mark of each row, as far as known; none where all are shown."""
        if search.is_for_all and places <= len(self.uids):
            return []
        if search.is_for_all:
            marks = [search.mark(is_shown=True)] * len(self.uids)
        else:
            marks = self._searching[search][1][:places]
        return marks + [search.mark(is_shown=False)] * (places - len(marks))

    def is_current(self, sort: str) -> bool:
        """Return whether all is known that was asked for."""
        is_sorted = self._sorting.done == self._order_of(sort)
        each = self._searching.items()
        return is_sorted and all(found[0].done == self._found_of(one) for one, found in each)

    def work(self, sort: str, until: float) -> bool:
        """Go on until a moment of `time.perf_counter`; return whether all is done."""
        begin = partial(self._order, sort)
        if not self._sorting.work(self._order_of(sort), begin, until):
            return False
        for search, (slices, _) in list(self._searching.items()):
            begin = partial(self._find, search)
            if not slices.work(self._found_of(search), begin, until):
                return False
        return True

    def _order_of(self, sort: str) -> tuple[object, ...]:
        """Return what decides an order."""
        version = self._checks.version if sort == "STATE" else 0
        return sort, self.live.links, 0 if sort == "SCENE" else self.live.edits, version

    def _found_of(self, search: Search) -> tuple[object, ...]:
        """Return what decides which rows a search finds."""
        version = self._checks.version if search.problems_only else 0
        return self._sorting.done, self.live.edits if search.text else 0, version

    def _order(self, sort: str) -> Iterator[None]:
        """Put the joints in order."""
        uids: list[int] = self.live.nodes.keys[self.live.ends.joints].tolist()
        if sort != "SCENE":
            pairs = zip(map(_KEYS[sort], self._listed(uids)), uids, strict=True)
            uids = []
            yield from _sort_into(uids, pairs)
        rows: dict[int, int] = {}
        for row, uid in enumerate(uids):
            rows[uid] = row
            if row % _TOGETHER == 0:
                yield
        self.uids, self.rows, self.sort = uids, rows, sort

    def _find(self, search: Search) -> Iterator[None]:
        """Mark the rows that a search finds."""
        listed, marks = self._listed(self.uids), list[int]()
        while some := list(islice(listed, _TOGETHER)):
            marks += search.marks(some)
            yield
        self._searching[search] = (self._searching[search][0], marks)

    def _listed(self, uids: Iterable[int]) -> Iterator[Listed]:
        """Yield what is known of joints."""
        none = len(_RANKS)
        for uid in uids:
            node = self.live.nodes.numbers.get(uid)
            record = _GONE if node is None else self.live.records[node]
            found = self._checks.about(uid, record.name)
            yield record, min((_RANKS.get(f.severity, none) for f in found), default=none)


class Lists:
    """What the lists of all scenes show."""

    def __init__(self) -> None:
        self._scenes: dict[int, JointRows] = {}
        """By `session_uid` of the scene."""
        self._is_undrawn = False

    def marks(
        self, scene: bpy.types.Scene, search: Search, places: int, *, is_urgent: bool = False
    ) -> list[int]:
        """Return Blender's mark of each row of a list, none where all are shown.

        What is not known is worked out later, where it is urgent at once if it is asked for the
        first time: Blender does not draw a pop-up again.
        """
        rows = self.of(scene)
        is_new = rows.ask(search) or rows.sort != joint_sort()
        if is_urgent and is_new:
            self._find_out(inf)
        self.work_later()
        return rows.marks(search, places)

    def of(self, scene: bpy.types.Scene) -> JointRows:
        """Return the rows of a scene, for drawing."""
        live = shown_scene(scene)
        rows = self._scenes.get(scene.session_uid)
        if rows is None or rows.live is not live:
            rows = self._scenes[scene.session_uid] = JointRows(live, WATCH.checks(scene))
        return rows

    def look(self, scene: bpy.types.Scene) -> None:
        """Have the rows of a scene worked out, for a list that is about to be drawn."""
        self.of(scene)
        self.work_later()

    def joint(self, scene: bpy.types.Scene, row: int) -> bpy.types.Object | None:
        """Return the joint of a row of a list that is being drawn, None where it is gone."""
        rows = self._scenes.get(scene.session_uid)
        return None if rows is None else rows.joint(row)

    def row_of(self, scene: bpy.types.Scene, obj: bpy.types.Object | None) -> int:
        """Return the row that shows an object, -1 where none is known to do so."""
        rows = self._scenes.get(scene.session_uid)
        return -1 if rows is None or obj is None else rows.rows.get(obj.session_uid, -1)

    def fill(self, scene: bpy.types.Scene) -> None:
        """Have all rows there before a list is opened."""
        self.of(scene)
        self.work(inf)

    def work_later(self) -> None:
        """Have what is not known worked out: between redraws, or at once where there are none."""
        if bpy.app.background:
            self.work(inf)
        elif not self._is_current:
            WORK.later(self)

    def work(self, until: float) -> bool:
        """Go on until a moment of `time.perf_counter`; return whether all is done."""
        known = {scene.session_uid for scene in bpy.data.scenes}
        self._scenes = {uid: rows for uid, rows in self._scenes.items() if uid in known}
        is_done = self._find_out(until) and all(
            _resize(places, count, until) for places, count in self._places()
        )
        self._is_undrawn |= is_done
        return is_done

    def undrawn(self) -> Redraw:
        """Return what shows the rows: panels, once all are known."""
        is_undrawn, self._is_undrawn = self._is_undrawn, False
        return Redraw.PANELS if is_undrawn else Redraw.NONE

    def _find_out(self, until: float) -> bool:
        sort = joint_sort()
        return all(rows.work(sort, until) for rows in self._scenes.values())

    @property
    def _is_current(self) -> bool:
        sort = joint_sort()
        known = all(rows.is_current(sort) for rows in self._scenes.values())
        return known and all(len(places) == count for places, count in self._places())

    def _places(self) -> tuple[tuple[Any, int], ...]:
        """Return the collections of rows, and how many the longest list of each has."""
        scenes = [scene for scene in bpy.data.scenes if scene.session_uid in self._scenes]
        joints = max((len(rows.uids) for rows in self._scenes.values()), default=0)
        checks = max((len(check_rows(scene)) for scene in scenes), default=0)
        return (row_places(), joints), (check_places(), checks)


LISTS = Lists()


def _kind(record: Record) -> str:
    return "" if record.joint is None else settings_label(record.joint.settings)


_KEYS: dict[str, Callable[[Listed], Any]] = {
    "NAME": lambda listed: listed[0].name.casefold(),
    "KIND": lambda listed: (_kind(listed[0]), listed[0].name.casefold()),
    "STATE": lambda listed: (listed[1], listed[0].name.casefold()),
}
"""What orders sort by."""


def _sort_into(uids: list[int], pairs: Iterator[tuple[Any, int]]) -> Iterator[None]:
    """Sort pairs of a key and a `session_uid` into a list of these, bit by bit."""
    runs = []
    while run := sorted(islice(pairs, _TOGETHER)):
        runs.append(run)
        yield
    for _, uid in merge(*runs):
        uids.append(uid)
        if len(uids) % _TOGETHER == 0:
            yield


def _resize(places: Any, count: int, until: float) -> bool:
    """Have as many rows as the longest list; return whether there are."""
    while (missing := count - len(places)) and perf_counter() < until:
        for _ in range(min(abs(missing), _TOGETHER)):
            places.add() if missing > 0 else places.remove(len(places) - 1)
    return count == len(places)

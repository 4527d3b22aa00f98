"""What one view shows: geometry and batches, renewed where joints, options or view differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array
from ..scene.nodes import places
from .colors import Emphasis
from .detail import CHUNK, OUT_OF_VIEW, Detail, Eye, Spheres, chunks_of, spheres_of
from .drawing import Batches, upload, upload_links, upload_points
from .geometry import PROBLEM, Stack, Style, Vertices, build, build_far, joined
from .joint_arrays import JointArrays, no_joints
from .labels import Text
from .scene_joints import SceneJoints

NEW_AT_ONCE = 1
"""Chunks that are built at once where they come into view."""
MOVED_AT_ONCE = 1000
"""Joints that look different and are built anew at once."""
BLOCK = 32
"""Chunks that are drawn together where they are far."""
MOST_VERTICES = 3_000_000
"""Vertices from which on chunks out of view are forgotten."""
Numbers = NDArray[np.intp]
_AT_ONCE = {Detail.POINT: 2, Detail.FAR: 1, Detail.FULL: 1}
"""Chunks that are built by one call where time is limited."""
_NOTHING = Stack(np.empty(0, np.intp), Vertices(), np.zeros(1, np.intp))


@dataclass(slots=True, eq=False)
class _Chunk:
    """Neighboring joints, which are drawn together."""

    joints: Numbers
    faces: Stack = _NOTHING
    """Points where it is far."""
    lines: Stack = _NOTHING
    batches: Batches | None = None
    """What is drawn at full detail."""

    def renumber(self, numbers: Numbers) -> None:
        """Take over that joint i has become joint `numbers[i]`, -1 where it is gone."""
        self.joints = numbers[self.joints]
        self.joints = self.joints[self.joints >= 0]
        self.faces, self.lines = self.faces.renumbered(numbers), self.lines.renumbered(numbers)

    @property
    def count(self) -> int:
        """Number of its vertices."""
        return len(self.faces.vertices) + len(self.lines.vertices)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """What is drawn of neighboring chunks that are far, and what it was made from."""

    builds: bytes = b""
    """How often each chunk had been built."""
    links: Batches | None = None
    eye: Any = None
    """`Eye.key` of where it was found from which points hide each other."""
    points: Batches | None = None


@dataclass(slots=True, eq=False)
class ViewGeometry:
    """Vertices and batches of one view."""

    key: Any = None
    """What the batches were made from."""
    versions: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Version of each joint that is drawn, -1 where it is not shown."""
    sizes: Array = field(default_factory=lambda: np.empty(0))
    """Size of each joint [m]."""
    chunks: list[_Chunk] = field(default_factory=list)
    texts: tuple[Any, Sequence[Text]] = (None, ())
    """What was written over it last, and what that was made from."""
    visibility_key: Any = None
    """What decided which joints are hidden."""
    visible: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    """Whether each joint is not hidden."""
    unasked: Numbers = field(default_factory=lambda: np.empty(0, np.intp))
    """Joints that may be hidden or not since they were asked."""
    _asked_at: int = 0
    """`ShownScene.version` up to which joints were asked."""
    _arrays: JointArrays = field(default_factory=no_joints)
    _style: Style | None = None
    _uids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """`SceneJoints.uids` of the joints in chunks."""
    _chunk_of: Numbers = field(default_factory=lambda: np.empty(0, np.intp))
    _built: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Version of each joint of which there are vertices, -2 for none."""
    _built_sizes: Array = field(default_factory=lambda: np.empty(0))
    _spheres: tuple[Spheres, NDArray[np.int64], Array] | None = None
    """Of all chunks, and of which versions and sizes [m] of their joints."""
    _ranges: Array = field(default_factory=lambda: np.empty(0))
    """Radius [pixels] of the largest range of each chunk that is in view."""
    _costs: Array = field(default_factory=lambda: np.empty(0))
    """How many joints each chunk in view costs as much as."""
    _is_chosen: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    """Whether a joint of each chunk in view is selected."""
    _judged: tuple[Any, NDArray[np.bool_]] = (None, np.empty(0, np.bool_))
    """`Eye.key` and shown joints that these are of."""
    _wanted: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    """`Detail` of each chunk."""
    _todo: list[int] = field(default_factory=list)
    """Chunks to be built, the most important one last."""
    details: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    """`Detail` with which each chunk was built."""
    _builds: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Number of times that each chunk was built."""
    _blocks: dict[int, _Block] = field(default_factory=dict)
    """Far chunks of each block."""
    _eye: Eye | None = None
    _drawn: list[Batches] | None = None
    """What to draw, None where something was built since or the eye moved."""

    @property
    def is_built(self) -> bool:
        """Whether no chunk in view is left to be built."""
        return not self._todo

    @property
    def is_asked(self) -> bool:
        """Whether it is known of all joints in view if they are hidden."""
        unasked = self.unasked
        return not len(unasked) or not (self._wanted[self._chunk_of[unasked]] != Detail.NONE).any()

    def update(
        self,
        joints: SceneJoints,
        shown: NDArray[np.bool_],
        sizes: Array,
        style: Style,
        *,
        eye: Eye | None = None,
        is_hurried: bool = False,
    ) -> None:
        """Renew what is in view; `shown` and `sizes` [m] have shape (n,).

        Without `eye` everything is in view at full detail. In a hurry only what looks different
        than before is built at once, and very little that is new; the rest is left to `work`.
        """
        is_restyled = self._style is not style
        self._arrays, self._style, self._eye, self._drawn = joints.arrays, style, eye, None
        self.versions, self.sizes = np.where(shown, joints.versions, -1), sizes
        if is_restyled or not np.array_equal(self._uids, joints.uids):
            self._lay_out(joints.uids, is_restyled=is_restyled)
        self._wanted = self._wanted_details(joints, shown)
        stale = (self.versions != self._built) | (shown & (sizes != self._built_sizes))
        self._plan(stale, is_hurried=is_hurried)
        if not is_hurried or len(self._todo) <= NEW_AT_ONCE:
            self.work()

    def work(self, until: float | None = None) -> None:
        """Build what is left, until a moment of `time.perf_counter`."""
        self._drawn = None
        while self._todo and (until is None or perf_counter() < until):
            detail = Detail(int(self._wanted[self._todo[-1]]))
            most = len(self._todo) if until is None else _AT_ONCE[detail]
            some = [number for number in self._todo[-most:] if self._wanted[number] == detail]
            self._build(some, detail)
            done = set(some)
            self._todo = [number for number in self._todo if number not in done]

    # Planning

    def ask_visible(self, key: Any, joints: SceneJoints) -> None:
        """Have joints asked again whether they are hidden: those whose visibility may be animated.

        Where `key` differs all are, those in view first.
        """
        live, count = joints.live, len(joints)
        is_shaded = live.shown.shaded[joints.nodes] > self._asked_at
        self._asked_at = live.shown.version
        if key == self.visibility_key:
            rest = self.unasked[~is_shaded[self.unasked]]
            self.unasked = np.concatenate((np.flatnonzero(is_shaded), rest))
            return
        self.visibility_key = key
        if len(self.visible) != count:
            self.visible = np.zeros(count, np.bool_)
        is_near = np.zeros(count, np.bool_)
        if len(self._chunk_of) == count and len(self._wanted) == len(self.chunks):
            is_near = self._wanted[self._chunk_of] != Detail.NONE
        self.unasked = np.argsort(~is_near, kind="stable")

    def _lay_out(self, uids: NDArray[np.int64], *, is_restyled: bool) -> None:
        """Put joints that are near each other into chunks.

        What was built of joints that are still there is kept, whatever their numbers are.
        """
        numbers, count = places(uids, self._uids), len(uids)
        is_unique = not (np.bincount(numbers[numbers >= 0], minlength=1) > 1).any()
        if is_restyled or not is_unique or len(self.chunks) > 2 * count / CHUNK + BLOCK:
            numbers[:] = -1
        for number, chunk in enumerate(self.chunks):
            if (numbers[chunk.joints] < 0).any():
                self._drop(number)
            chunk.renumber(numbers)
        built, sizes, is_kept = self._built, self._built_sizes, numbers >= 0
        self._built, self._built_sizes = np.full(count, -2), np.zeros(count)
        self._built[numbers[is_kept]], self._built_sizes[numbers[is_kept]] = (
            built[is_kept],
            sizes[is_kept],
        )
        kept = [number for number, chunk in enumerate(self.chunks) if len(chunk.joints)]
        new = np.setdiff1d(np.arange(count), numbers)
        members = chunks_of(self._arrays.frames[new, 0, :3, 3]) if len(new) else []
        self.chunks = [self.chunks[number] for number in kept]
        self.chunks += (_Chunk(new[each]) for each in members)
        self.details = np.append(self.details[kept], np.zeros(len(members), np.int8))
        self._builds = np.zeros(len(self.chunks), np.int64)
        self._chunk_of, self._uids = np.empty(count, np.intp), uids
        for number, chunk in enumerate(self.chunks):
            self._chunk_of[chunk.joints] = number
        self._spheres, self._blocks, self._todo, self._costs = None, {}, [], np.empty(0)

    def _wanted_details(self, joints: SceneJoints, shown: NDArray[np.bool_]) -> NDArray[np.int8]:
        """Return the `Detail` of each chunk."""
        eye, count = self._eye, len(self.chunks)
        if eye is None:
            self._ranges, self._costs = np.zeros(count), np.empty(0)
            return np.full(count, Detail.FULL, np.int8)
        spheres, is_moved = self._spheres_now(joints)
        is_near = eye.sees(spheres.center, spheres.radius)
        key, was_shown = self._judged
        if key != eye.key or len(self._costs) != count or not np.array_equal(was_shown, shown):
            self._ranges, self._costs = np.zeros(count), np.zeros(count)
            self._is_chosen, is_moved = np.zeros(count, np.bool_), np.ones(count, np.bool_)
        self._judged = (eye.key, shown)
        near = np.flatnonzero(shown & (is_near & is_moved)[self._chunk_of])
        origins, chunks = joints.arrays.frames[near, 0, :3, 3], self._chunk_of[near]
        ranges = eye.ranges(origins, self.sizes[near], joints.reaches[near])
        weights = np.where(ranges > 0.0, 1.0, OUT_OF_VIEW)
        self._ranges[is_moved], self._is_chosen[is_moved] = 0.0, False
        np.maximum.at(self._ranges, chunks, ranges)
        self._costs[is_moved] = np.bincount(chunks, weights, minlength=count)[is_moved]
        self._is_chosen[chunks[joints.arrays.emphasis[near] >= Emphasis.SELECTED]] = True
        return eye.details(spheres, is_near, self._ranges, self._costs, self._is_chosen)

    def _spheres_now(self, joints: SceneJoints) -> tuple[Spheres, NDArray[np.bool_]]:
        """Return the spheres of all chunks, and which have a joint that looks different."""
        sizes, is_moved = self.sizes, np.zeros(len(self.chunks), np.bool_)
        spheres, versions, known_sizes = self._spheres or (None, joints.versions - 1, sizes)
        moved = np.flatnonzero((joints.versions != versions) | (sizes != known_sizes))
        is_moved[self._chunk_of[moved]] = True
        if spheres is None or len(moved):
            chunks = np.flatnonzero(is_moved)
            members = [self.chunks[number].joints for number in chunks.tolist()]
            new = spheres_of(joints.arrays, joints.reaches, sizes, members)
            spheres = new if spheres is None else spheres.with_new(chunks, new)
            self._spheres = (spheres, joints.versions.copy(), sizes)
        return spheres, is_moved

    def _plan(self, stale: NDArray[np.bool_], *, is_hurried: bool) -> None:
        """List what is to be built; what looks different is built now, or not drawn till then.

        Joints that were not drawn before wait for their turn, and do not take the others away.
        """
        count = len(self.chunks)
        is_new = (self._built < 0) & (self.versions >= 0)
        counts = np.bincount(self._chunk_of[stale & ~is_new], minlength=count)
        lacks = np.bincount(self._chunk_of[is_new], minlength=count) > 0
        is_old = (self.details != Detail.NONE) & (counts > 0)
        moved = np.flatnonzero(is_old & (self._wanted == self.details))
        others = is_old & (self._wanted != self.details)
        if is_hurried:
            # The largest ones in view are those that a user follows.
            moved = self._by_importance(moved)[::-1]
            is_late = np.cumsum(counts[moved]) > MOVED_AT_ONCE
            others[moved[is_late]], moved = True, moved[~is_late]
        for detail in set(self._wanted[moved].tolist()):
            self._build(moved[self._wanted[moved] == detail].tolist(), Detail(detail), stale)
        lacks[moved] = False
        for number in np.flatnonzero(others).tolist():
            self._drop(number)
        is_missing = (self._wanted != Detail.NONE) & ((self._wanted != self.details) | lacks)
        self._todo = self._by_importance(np.flatnonzero(is_missing)).tolist()
        if self._todo and sum(chunk.count for chunk in self.chunks) > MOST_VERTICES:
            is_out_of_view = (self._wanted == Detail.NONE) & (self.details != Detail.NONE)
            for number in np.flatnonzero(is_out_of_view).tolist():
                self._drop(number)

    def _by_importance(self, chunks: Numbers) -> Numbers:
        """Return chunks sorted, the one to be built first last: what is largest in view."""
        return chunks[np.argsort(self._ranges[chunks], kind="stable")]

    # Building

    def _build(
        self, chunks: list[int], detail: Detail, stale: NDArray[np.bool_] | None = None
    ) -> None:
        """Build chunks with some detail; of those that have it already, only `stale` joints."""
        assert self._style is not None
        members = [self.chunks[number].joints for number in chunks]
        if stale is not None:
            members = [joints[stale[joints]] for joints in members]
        there = [joints[self.versions[joints] >= 0] for joints in members]
        look = (self._arrays, np.concatenate(there), self.sizes, self._style)
        if detail == Detail.FULL:
            faces, lines = build(*look)
        else:
            faces, lines = build_far(*look, has_lines=detail == Detail.FAR)
        ends = pairwise(np.cumsum([0, *map(len, there)]).tolist())
        for number, gone, (first, last) in zip(chunks, members, ends, strict=True):
            stacks = faces.part(first, last), lines.part(first, last)
            if stale is not None:
                chunk = self.chunks[number]
                stacks = (
                    chunk.faces.with_new(gone, stacks[0]),
                    chunk.lines.with_new(gone, stacks[1]),
                )
            self._put(number, detail, *stacks)
        done = np.concatenate(members)
        self._built[done], self._built_sizes[done] = self.versions[done], self.sizes[done]

    def _drop(self, number: int) -> None:
        self._put(number, Detail.NONE, _NOTHING, _NOTHING)
        self._built[self.chunks[number].joints] = -2

    def _put(self, number: int, detail: Detail, faces: Stack, lines: Stack) -> None:
        """Take over what a chunk was built as."""
        chunk = self.chunks[number]
        chunk.faces, chunk.lines = faces, lines
        is_full = detail == Detail.FULL
        chunk.batches = upload(faces.vertices, lines.vertices) if is_full else None
        self.details[number] = detail
        self._builds[number] += 1

    # Drawing

    @property
    def batches(self) -> list[Batches]:
        """What to draw."""
        if self._drawn is None:
            in_view = [self.chunks[number] for number in np.flatnonzero(self._wanted).tolist()]
            near = [chunk.batches for chunk in in_view if chunk.batches is not None]
            self._drawn = [*near, *self._far()]
        return self._drawn

    def _far(self) -> Iterator[Batches]:
        """Yield the points and lines of the far chunks in view of each block."""
        is_far = (self.details > Detail.NONE) & (self.details < Detail.FULL)
        in_view = np.flatnonzero(is_far & (self._wanted != Detail.NONE))
        eye = self._eye and self._eye.key
        for block in dict.fromkeys((in_view // BLOCK).tolist()):
            first = block * BLOCK
            builds = self._builds[first : first + BLOCK].tobytes()
            known = self._blocks.get(block, _Block())
            if known.builds != builds or known.eye != eye:
                here = (first + np.flatnonzero(is_far[first : first + BLOCK])).tolist()
                far = [self.chunks[number] for number in here]
                links = known.links
                if known.builds != builds:
                    links = upload_links(joined([chunk.lines.vertices for chunk in far]).long())
                points = self._distinct(joined([chunk.faces.vertices for chunk in far]))
                known = _Block(builds, links, eye, upload_points(points))
                self._blocks[block] = known
            yield from (each for each in (known.links, known.points) if each is not None)

    def _distinct(self, points: Vertices) -> Vertices:
        """Return points without those that are behind others."""
        if self._eye is None:
            return points
        weights = points.color[:, 3].astype(float)
        some = self._eye.distinct(points.position.astype(float), weights)
        return Vertices(points.position[some], points.color[some])


def in_scope(
    joints: SceneJoints, scope: str, *, show_problems: bool, only_chain: bool = False
) -> NDArray[np.bool_]:
    """Return which joints options of scope show, shape (n,)."""
    least = {"ALL": Emphasis.NONE, "SELECTED": Emphasis.SELECTED, "ACTIVE": Emphasis.ACTIVE}
    shown = joints.arrays.emphasis >= least[scope]
    chosen = joints.arrays.emphasis >= Emphasis.SELECTED
    if only_chain and chosen.any():
        shown &= np.isin(joints.chains, joints.chains[chosen])
    if show_problems and not shown.all():
        shown |= joints.states >= PROBLEM
    return shown

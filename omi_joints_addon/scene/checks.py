"""What is wrong with the joints of a scene, live: a change costs what depends on it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import inf
from time import perf_counter

import numpy as np

from ..core.checks.bodies import WITHOUT_SHAPE, bodies_without_shape
from ..core.checks.scene import check_places
from ..core.checks.settings import check_settings
from ..core.checks.structure import HELD_BY_NOTHING, NO_CONNECTED_NODE, loose_groups
from ..core.engines.engine import Engine
from ..core.findings.finding import Finding, Rule, rules
from ..core.model.joint import JointSettings
from ..core.model.scene import Joint, nearest_above
from .body_findings import still_without_shape, without_imported_shapes
from .copied import copy_findings
from .dependence import Dependence
from .engine_checks import EngineChecks
from .frame_findings import frame_findings
from .listing import Listing
from .live import LiveScene
from .nodes import places
from .partial import part_to_core
from .rules import (
    CONNECTED_ELSEWHERE,
    FRAME_LEFT_BEHIND,
    SHAPES_LEFT_BEHIND,
    STILL_WITHOUT_SHAPE,
)
from .work import SLICE

_FEW, _MANY = 64, 1024
"""Joints and bodies that are checked at once: a few where Blender waits, else many."""


def rule_of(code: str) -> Rule | None:
    """Return a rule by its code; those that scenes are checked by are loaded with this module."""
    return rules().get(code)


class LiveChecks:
    """Findings of one scene, worked out again for what changed."""

    def __init__(self, live: LiveScene) -> None:
        self.version = 0
        """Number of times that findings changed."""
        self.listing = Listing()
        """What is wrong, as it was last listed."""
        self._steps: Iterator[bool] | None = None
        """What is being done bit by bit, None where nothing is."""
        self._is_list_wanted = False
        """Whether somebody waits for a list of what is known so far."""
        self._listed = 0
        self._live = live
        self._seen = 0
        self._uids, self._stale = live.nodes.keys, np.zeros(len(live.nodes.keys), np.bool_)
        """The nodes, by `session_uid`, and of which the findings may differ."""
        self._is_slice, self._at_once = False, _FEW
        """Whether Blender waits, and how many nodes are checked at once then."""
        self._are_groups_stale = False
        self._may_be_gone = False
        """Whether findings about what is gone may be kept."""
        self._found: dict[int, list[Finding]] = {}
        """Findings about joints and bodies, by `session_uid`."""
        self._settings: dict[str, tuple[Finding, ...]] = {}
        """Findings about settings by the name of the object that owns them."""
        self._judged: dict[str, JointSettings] = {}
        """The settings that were checked, by the same names."""
        self._groups: list[Finding] = []
        self._groups_at: Mapping[str, list[Finding]] = {}
        self._depends = Dependence(live)
        self._engine = EngineChecks(live)

    @property
    def is_current(self) -> bool:
        """Whether all that was read has been checked."""
        is_checked = self._is_seen and self._engine.is_current and not self._is_waiting
        return is_checked and self._listed == self.version

    @property
    def _is_waiting(self) -> bool:
        return bool(self._stale.any()) or self._are_groups_stale or self._may_be_gone

    def list_soon(self) -> None:
        """Have what is known to be wrong listed before more is checked, for all who show it."""
        self._is_list_wanted = self._listed != self.version

    def about(self, uid: int, name: str) -> list[Finding]:
        """Return what is known to be wrong with one object and the settings that it owns."""
        groups = self._groups_at.get(name, ())
        return [*self._found.get(uid, ()), *groups, *self._settings.get(name, ())]

    def choose_engine(self, engine: Engine | None) -> None:
        """Check for an engine from now on, None for none."""
        if self._engine.choose(engine):
            self.version += 1

    def work(self, until: float = inf) -> None:
        """Check what changed, up to a moment of `time.perf_counter`, but a bit at least."""
        self._is_slice = until != inf
        while not self.is_current:
            self._steps = self._steps or self._work()
            for is_long in self._steps:
                if self._is_slice and (is_long or perf_counter() >= until):
                    return
            self._steps = None

    def _work(self) -> Iterator[bool]:
        """Go on with what there is to do; yield whether what follows takes a slice of its own.

        What depends on the whole scene waits for a moment in which nothing changes.
        """
        if self._is_list_wanted:
            self._list()
            yield False
        if not self._is_seen:
            yield from self._while_same(self._advance(), are_long=True)
        while self._is_seen and self._stale.any() and not self._is_list_wanted:
            yield True
            if self._is_seen:
                self._check_some()
        for is_due, check in (
            (self._are_groups_stale, self._check_groups),
            (self._may_be_gone, self._forget),
            (not self._engine.is_current, self._check_engine),
        ):
            if is_due and self._is_seen and not self._stale.any():
                yield True
                yield from self._while_same(check())
        if self._is_seen and not self._is_waiting and self._listed != self.version:
            self._list()

    @property
    def _is_seen(self) -> bool:
        """Whether it is known what may have to be checked again."""
        return self._seen == self._live.version

    def _while_same(self, steps: Iterator[None], *, are_long: bool = False) -> Iterator[bool]:
        """Take steps, but for those left when the scene has changed, which are for another one."""
        changed = self._live.version
        for _ in steps:
            yield are_long
            if self._live.version != changed:
                return

    def _list(self) -> None:
        """List what is known; what is found from now on is listed the next time."""
        found, settings, nodes = self._found, self._settings, self._live.nodes
        units = self._uids[self._depends.is_unit].tolist()
        if self._uids is not nodes.keys:
            units = [uid for uid in units if uid in nodes.numbers]
        parts = filter(None, map(found.get, units))
        known = chain(chain.from_iterable(parts), self._groups, *settings.values())
        self.listing = Listing([*known], self._engine.findings)
        self._is_list_wanted, self._listed = False, self.version

    def _advance(self) -> Iterator[None]:
        """Find out what may have to be checked again."""
        live, changed, before = self._live, self._live.version, self._depends
        is_changed = live.versions > self._seen
        if live.links <= self._seen:
            self._stale |= before.depending_on(is_changed)
            self._seen = changed
            return
        uids = live.nodes.keys
        stale = np.append(self._stale, False)[places(self._uids, uids)]
        yield
        depends = Dependence(live)
        yield
        stale |= depends.below(is_changed)
        yield
        stale[depends.differing(before)] = True
        self._uids, self._stale, self._depends, self._seen = uids, stale, depends, changed
        self._are_groups_stale = self._may_be_gone = True

    def _check_some(self) -> None:
        """Check some nodes and those that they cannot be checked without."""
        start, live = perf_counter(), self._live
        count = self._at_once if self._is_slice else _MANY
        units = self._depends.with_mates(np.flatnonzero(self._stale)[:count].tolist())
        part = part_to_core(live, self._depends.needed_by(units), units)
        by_place = _by_place((*check_places(part), *frame_findings(part)))
        self._check_settings([joint for node in units if (joint := live.records[node].joint)])
        self._stale[units] = False
        for node in units:
            record, uid = live.records[node], int(self._uids[node])
            ties = record.ties
            found = [*ties, *by_place.get(record.name, ())]
            if any(item.rule is CONNECTED_ELSEWHERE for item in ties):
                found = [item for item in found if item.rule is not NO_CONNECTED_NODE]
            self._keep(uid, found)
        # By steps: on a busy computer a check now and then takes long, however little it is about.
        share = min(max(SLICE / max(perf_counter() - start, 1e-6), 0.5), 2.0)
        self._at_once = max(_FEW, min(round(count * share**0.5), _MANY))

    def _keep(self, uid: int, found: list[Finding]) -> None:
        """Keep the findings about one joint or body."""
        if found != self._found.get(uid, []):
            self.version += 1
            self._found[uid] = found
            if not found:
                del self._found[uid]

    def _check_settings(self, joints: Iterable[Joint]) -> None:
        """Check settings that have not been checked."""
        unjudged = {joint.settings_place or joint.place: joint.settings for joint in joints}
        for place in [place for place, each in unjudged.items() if self._judged.get(place) is each]:
            del unjudged[place]
        if not unjudged:
            return
        self._judged |= unjudged
        for place, about in zip(unjudged, check_settings([*unjudged.values()]), strict=True):
            found = tuple(item.at(place) for item in about)
            if found != self._settings.get(place, ()):
                self.version += 1
                self._settings[place] = found
                if not found:
                    del self._settings[place]

    def _check_groups(self) -> Iterator[None]:
        """Check what depends on all joints."""
        live, ends = self._live, self._depends.ends
        groups, groups_at = [], defaultdict[str, list[Finding]](list)
        for number, body, count in loose_groups(ends, live.columns.is_dynamic):
            joint, first = live.records[ends.node[number]], live.records[body]
            groups.append(HELD_BY_NOTHING(joint.name, count=count, body=first.name))
            groups_at[joint.name].append(groups[-1])
            yield
        for item in (*self._without_shapes(), *self._left_behind(), *self._copies()):
            groups.append(item)
            groups_at[item.place].append(item)
            yield
        self.version += groups != self._groups
        self._groups, self._groups_at, self._are_groups_stale = groups, groups_at, False

    def _without_shapes(self) -> Iterator[Finding]:
        """Yield the findings about bodies that have no shape themselves nor below them."""
        columns, records = self._live.columns, self._live.records
        bodies = nearest_above(columns.parents, np.flatnonzero(columns.is_body))
        marks = (columns.is_dynamic, columns.is_solid, columns.is_shown)
        for body in bodies_without_shape(bodies, *marks).tolist():
            yield WITHOUT_SHAPE(records[body].name)
        # A joint on the body itself is reported already, and its shape is elsewhere in files.
        still = columns.is_body & ~columns.is_dynamic & ~columns.is_read
        for body in still_without_shape(bodies, still, *marks).tolist():
            yield STILL_WITHOUT_SHAPE(records[body].name)
        counts = np.array([record.shapes_below for record in records], np.intp)
        for body in without_imported_shapes(bodies, counts, columns.is_solid).tolist():
            yield SHAPES_LEFT_BEHIND(records[body].name, count=records[body].shapes_below)

    def _copies(self) -> Iterator[Finding]:
        """Yield the findings about copies of bodies that are in no joint."""
        ends, names = self._depends.ends, [record.name for record in self._live.records]
        yield from copy_findings(names, self._live.columns.is_body, ends.body, ends.connected_body)

    def _left_behind(self) -> Iterator[Finding]:
        """Yield the findings about connected frames of joints that are gone."""
        columns, records = self._live.columns, self._live.records
        is_left = columns.is_end.copy()
        is_left[columns.connected[columns.connected >= 0]] = False
        # The ends of joints that cannot be read are not known.
        is_known = not (columns.is_joint & ~columns.is_read).any()
        for node in np.flatnonzero(is_left).tolist() if is_known else ():
            yield FRAME_LEFT_BEHIND(records[node].name)

    def _forget(self) -> Iterator[None]:
        """Drop findings about what is gone."""
        live, is_unit = self._live, self._depends.is_unit
        nodes, records = live.nodes.numbers, live.records
        for uid in list(self._found):
            if uid not in nodes or not is_unit[nodes[uid]]:
                self._keep(uid, [])
            yield
        places = set[str]()
        for node in self._depends.ends.node.tolist() if self._judged else ():
            if joint := records[node].joint:
                places.add(joint.settings_place)
            yield
        for place in self._judged.keys() - places:
            del self._judged[place]
            self.version += self._settings.pop(place, None) is not None
        self._may_be_gone = False

    def _check_engine(self) -> Iterator[None]:
        """Check what the chosen engine loses of the scene."""
        before = self._engine.findings
        yield from self._engine.work()
        self.version += self._engine.findings is not before


def _by_place(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    found = defaultdict[str, list[Finding]](list)
    for item in findings:
        found[item.place].append(item)
    return found

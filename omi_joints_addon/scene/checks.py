"""What is wrong with the joints of a scene, live: a change costs what depends on it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from time import perf_counter

import numpy as np

from ..core.checks.scene import check_places
from ..core.checks.settings import check_settings
from ..core.checks.structure import HELD_BY_NOTHING, NO_CONNECTED_NODE, loose_groups
from ..core.engines.engine import Engine
from ..core.findings.finding import Finding, Rule, rules
from ..core.model.scene import Joint
from .columns import places
from .dependence import Dependence
from .engine_checks import EngineChecks
from .listing import Listing
from .live import LiveScene
from .rules import CONNECTED_ELSEWHERE

_FEW, _MANY = 16, 1024
"""Joints and bodies that are checked at once: a few where Blender waits, else many."""
_BRIEFLY = 0.00125
"""Time [s] in which as many as can be are checked at once, a few at least, where Blender waits."""


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
        self._steps: Iterator[None] | None = None
        """What is left to be listed, None where nothing is being listed."""
        self._listed = 0
        self._live = live
        self._seen = 0
        self._uids, self._stale = live.columns.uids, np.zeros(len(live.columns.uids), np.bool_)
        """The nodes, by `session_uid`, and of which the findings may differ."""
        self._at_once = _FEW
        """Nodes that are checked at once where Blender waits."""
        self._are_groups_stale = False
        self._may_be_gone = False
        """Whether findings about what is gone may be kept."""
        self._found: dict[int, list[Finding]] = {}
        """Findings about joints and bodies, by `session_uid`."""
        self._settings: dict[str, tuple[Finding, ...]] = {}
        """Findings about settings by the name of the object that owns them."""
        self._groups: list[Finding] = []
        self._groups_at: Mapping[str, list[Finding]] = {}
        self._depends = Dependence(live.columns, live.ends)
        self._engine = EngineChecks(live)

    @property
    def is_current(self) -> bool:
        """Whether all that was read has been checked."""
        is_seen = self._seen == self._live.changed and self._engine.is_current
        return is_seen and not self._is_waiting and self._listed == self.version

    @property
    def _is_waiting(self) -> bool:
        return bool(self._stale.any()) or self._are_groups_stale or self._may_be_gone

    def list_soon(self) -> None:
        """Have what is known to be wrong listed, for all who show it."""
        if self._steps is None and self._listed != self.version:
            self._steps = self._list()

    def _list(self) -> Iterator[None]:
        """List what is known, bit by bit; what is found meanwhile is listed the next time."""
        version, nodes, listing = self.version, self._live.nodes, Listing()
        for uid in sorted(filter(nodes.__contains__, self._found), key=nodes.__getitem__):
            listing.add(self._found.get(uid, ()))
            yield
        for items in ((item,) for item in self._groups):
            listing.add(items)
            yield
        for place in list(self._settings):
            listing.add(self._settings.get(place, ()))
            yield
        listing.add_of_engine(self._engine.findings)
        self.listing, self._listed = listing, version

    def _go_on_listing(self, until: float) -> None:
        """Go on with the list, up to a moment of `time.perf_counter`."""
        for number, _ in enumerate(self._steps or ()):
            if number % _FEW == 0 and perf_counter() >= until:
                return
        self._steps = None

    def about(self, uid: int, name: str) -> list[Finding]:
        """Return what is known to be wrong with one object and the settings that it owns."""
        groups = self._groups_at.get(name, ())
        return [*self._found.get(uid, ()), *groups, *self._settings.get(name, ())]

    def choose_engine(self, engine: Engine | None) -> None:
        """Check for an engine from now on, None for none."""
        if self._engine.choose(engine):
            self.version += 1

    def work(self, until: float = inf) -> None:
        """Check what changed, up to a moment of `time.perf_counter`.

        What depends on the whole scene waits for a moment in which nothing changes.
        """
        self._go_on_listing(until)
        self._advance()
        is_waiting = until != inf
        is_at_rest = not (is_waiting and self._stale.any())
        while self._stale.any() and perf_counter() < until:
            self._check_some(self._at_once if is_waiting else _MANY)
        for is_due, check in (
            (self._are_groups_stale, self._check_groups),
            (self._may_be_gone, self._forget),
            (not self._engine.is_current, self._check_engine),
        ):
            if is_due and is_at_rest and perf_counter() < until:
                check()
                is_at_rest = not is_waiting
        if not self._is_waiting:
            self.list_soon()
            if perf_counter() < until:
                self._go_on_listing(until)

    def _advance(self) -> None:
        """Find out what may have to be checked again."""
        live = self._live
        if self._seen == live.changed:
            return
        if live.columns.uids is not self._uids:
            known, self._uids = self._uids, live.columns.uids
            self._stale = np.append(self._stale, False)[places(known, self._uids)]
        is_changed = live.versions > self._seen
        if live.links > self._seen:
            before, self._depends = self._depends, Dependence(live.columns, live.ends)
            self._stale |= self._depends.below(is_changed)
            self._stale[self._depends.differing(before)] = True
            self._are_groups_stale = self._may_be_gone = True
        else:
            self._stale |= self._depends.depending_on(is_changed)
        self._seen = live.changed

    def _check_some(self, count: int) -> None:
        """Check some nodes and those that they cannot be checked without."""
        start, live = perf_counter(), self._live
        units = self._depends.with_mates(np.flatnonzero(self._stale)[:count].tolist())
        by_place = _by_place(check_places(live.part(self._depends.needed_by(units), units)))
        self._check_settings([joint for node in units if (joint := live.records[node].joint)])
        self._stale[units] = False
        for node in units:
            record, uid = live.records[node], int(self._uids[node])
            ties = record.ties
            found = [*ties, *by_place.get(record.name, ())]
            if any(item.rule is CONNECTED_ELSEWHERE for item in ties):
                found = [item for item in found if item.rule is not NO_CONNECTED_NODE]
            self._keep(uid, found)
        share = _BRIEFLY / max(perf_counter() - start, 1e-6)
        self._at_once = max(_FEW, min(round(count * min(share, 2.0) ** 0.5), _MANY))

    def _keep(self, uid: int, found: list[Finding]) -> None:
        """Keep the findings about one joint or body."""
        if found != self._found.get(uid, []):
            self.version += 1
            self._found[uid] = found
            if not found:
                del self._found[uid]

    def _check_settings(self, joints: Sequence[Joint]) -> None:
        for joint, about in zip(joints, check_settings([j.settings for j in joints]), strict=True):
            place = joint.settings_place or joint.place
            found = tuple(item.at(place) for item in about)
            if found != self._settings.get(place, ()):
                self.version += 1
                self._settings[place] = found
                if not found:
                    del self._settings[place]

    def _check_groups(self) -> None:
        """Check what depends on all joints."""
        self._are_groups_stale = False
        live, ends = self._live, self._depends.ends
        groups = []
        for number, body, count in loose_groups(ends, live.columns.is_dynamic):
            joint, first = live.records[ends.node[number]], live.records[body]
            groups.append(HELD_BY_NOTHING(joint.name, count=count, body=first.name))
        if groups != self._groups:
            self.version += 1
        self._groups, self._groups_at = groups, _by_place(groups)

    def _forget(self) -> None:
        """Drop findings about what is gone."""
        self._may_be_gone = False
        nodes, records, is_unit = self._live.nodes, self._live.records, self._depends.is_unit
        for uid in list(self._found):
            if uid not in nodes or not is_unit[nodes[uid]]:
                self._keep(uid, [])
        if not self._settings:
            return
        joints = (records[node].joint for node in self._depends.ends.node.tolist())
        places = {joint.settings_place for joint in joints if joint is not None}
        for place in self._settings.keys() - places:
            self.version += 1
            del self._settings[place]

    def _check_engine(self) -> None:
        """Check what the chosen engine loses of the scene."""
        if self._engine.work():
            self.version += 1


def _by_place(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    found = defaultdict[str, list[Finding]](list)
    for item in findings:
        found[item.place].append(item)
    return found

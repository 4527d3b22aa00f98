"""What is wrong with the joints of a scene, live: a change costs what depends on it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from math import inf
from time import perf_counter

import numpy as np

from ..core.checks.scene import check_places
from ..core.checks.settings import check_settings
from ..core.checks.structure import NO_CONNECTED_NODE, check_groups
from ..core.engines.engine import Engine
from ..core.findings.finding import Finding, Severity
from ..core.model.graph import Indices
from ..core.model.scene import Joint
from .engine_checks import EngineChecks
from .live import LiveScene
from .rules import CONNECTED_ELSEWHERE

_TOGETHER = 64
"""Joints and bodies that are checked at once."""


class LiveChecks:
    """Findings of one scene, worked out again for what changed."""

    def __init__(self, live: LiveScene) -> None:
        self.version = 0
        """Number of times that findings changed."""
        self._live = live
        self._seen = 0
        self._stale: dict[int, None] = {}
        """Nodes whose findings may differ, in order."""
        self._are_groups_stale = False
        self._uids: list[int] = []
        self._found: dict[int, list[Finding]] = {}
        """Findings about joints and bodies, by `session_uid`."""
        self._settings: dict[str, tuple[Finding, ...]] = {}
        """Findings about settings by the name of the object that owns them."""
        self._groups: list[Finding] = []
        self._findings: list[Finding] | None = None
        self._by_place: dict[str, list[Finding]] = {}
        self._counts: Counter[Severity] | None = None
        self._shown: dict[frozenset[Severity], list[Finding]] = {}
        self._ends = _Ends(live)
        self._engine = EngineChecks(live)

    @property
    def is_current(self) -> bool:
        """Whether all that was read has been checked."""
        is_seen = self._seen == self._live.version and self._engine.is_current
        return is_seen and not (self._stale or self._are_groups_stale)

    @property
    def findings(self) -> list[Finding]:
        """What is known to be wrong."""
        if self._findings is None:
            nodes = self._live.nodes
            order = sorted((uid for uid in self._found if uid in nodes), key=nodes.__getitem__)
            about = [item for uid in order for item in self._found[uid]]
            settings = [item for found in self._settings.values() for item in found]
            self._findings = [*about, *self._groups, *settings]
        return self._findings

    @property
    def counts(self) -> Counter[Severity]:
        """Number of known findings by severity, without those of an engine."""
        if self._counts is None:
            self._counts = Counter(item.severity for item in self.findings)
        return self._counts

    def worst_first(self, severities: frozenset[Severity]) -> list[Finding]:
        """Return the known findings of some severities, with what the chosen engine loses."""
        if severities not in self._shown:
            order = list(Severity)
            known = (*self.findings, *self._engine.findings)
            found = [item for item in known if item.severity in severities]
            found.sort(key=lambda item: order.index(item.severity))
            self._shown[severities] = found
        return self._shown[severities]

    def about(self, place: str) -> list[Finding]:
        """Return what is known to be wrong with one object."""
        if self._findings is None or not self._by_place:
            self._by_place = _by_place(self.findings)
        return self._by_place.get(place, [])

    def choose_engine(self, engine: Engine | None) -> None:
        """Check for an engine from now on, None for none."""
        if self._engine.choose(engine):
            self._note_change()

    def work(self, until: float = inf) -> None:
        """Check what changed, up to a moment of `time.perf_counter`.

        What depends on the whole scene waits for a moment in which nothing changes.
        """
        self._advance()
        is_at_rest = until == inf or not self._stale
        while self._stale and perf_counter() < until:
            self._check_some()
        if not self._stale and self._are_groups_stale and perf_counter() < until:
            self._check_groups()
        is_done = not (self._stale or self._are_groups_stale)
        if is_at_rest and is_done and not self._engine.is_current and self._engine.work():
            self._note_change()

    def _advance(self) -> None:
        """Find out what may have to be checked again."""
        live = self._live
        if self._seen == live.version:
            return
        changed = np.flatnonzero(live.versions > self._seen).tolist()
        if self._uids and live.listing > self._seen:
            self._stale = {}
        if max(live.links, live.listing) > self._seen:
            self._ends = _Ends(live)
            self._uids = list(live.nodes)
            self._stale = dict.fromkeys(changed) | dict.fromkeys(self._ends.units)
            self._are_groups_stale = True
        else:
            self._stale |= dict.fromkeys(self._ends.depending_on(changed))
        self._seen = live.version

    def _check_some(self) -> None:
        """Check some nodes and those that they cannot be checked without."""
        chosen = []
        for node in self._stale:
            chosen.append(node)
            if len(chosen) == _TOGETHER:
                break
        units = self._ends.with_mates(chosen)
        live = self._live
        part = live.part(self._ends.needed_by(units))
        by_place = _by_place(check_places(part))
        self._check_settings([joint for node in units if (joint := live.records[node].joint)])
        for node in units:
            self._stale.pop(node, None)
            record = live.records[node]
            ties = record.ties
            found = [*ties, *by_place.get(record.name, ())]
            if any(item.rule is CONNECTED_ELSEWHERE for item in ties):
                found = [item for item in found if item.rule is not NO_CONNECTED_NODE]
            self._keep(self._uids[node], found)

    def _keep(self, uid: int, found: list[Finding]) -> None:
        """Keep the findings about one joint or body."""
        if found != self._found.get(uid, []):
            self._note_change()
            self._found[uid] = found
            if not found:
                del self._found[uid]

    def _check_settings(self, joints: Sequence[Joint]) -> None:
        for joint, about in zip(joints, check_settings([j.settings for j in joints]), strict=True):
            place = joint.settings_place or joint.place
            found = tuple(item.at(place) for item in about)
            if found != self._settings.get(place, ()):
                self._note_change()
                self._settings[place] = found

    def _check_groups(self) -> None:
        """Check what depends on all joints; forget what is gone."""
        self._are_groups_stale = False
        live, groups = self._live, list(check_groups(self._live.core()))
        places = {record.joint.settings_place for record in live.records if record.joint}
        units = {self._uids[node] for node in self._ends.units}
        settings = {place: found for place, found in self._settings.items() if place in places}
        kept = {uid: found for uid, found in self._found.items() if uid in units}
        if (groups, settings, kept) != (self._groups, self._settings, self._found):
            self._note_change()
        self._groups, self._settings, self._found = groups, settings, kept

    def _note_change(self) -> None:
        self.version += 1
        self._findings, self._by_place = None, {}
        self._counts, self._shown = None, {}


def _by_place(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    found = defaultdict[str, list[Finding]](list)
    for item in findings:
        found[item.place].append(item)
    return found


class _Ends:
    """Which nodes the findings about each joint and body depend on."""

    def __init__(self, live: LiveScene) -> None:
        self._live = live
        records = live.records
        scene = live.core()
        bodies = np.append(scene.bodies(), -1)
        self.joints = np.array([joint.node for joint in scene.joints], np.intp)
        connected = [-1 if j.connected is None else j.connected for j in scene.joints]
        ends = np.array(connected, np.intp)
        self._of_joints = np.stack((self.joints, ends, bodies[self.joints], bodies[ends]), axis=1)
        self._pairs = _repeated(np.sort(self._of_joints[:, 2:], axis=1))
        frames = Counter([*self.joints.tolist(), *(end for end in connected if end >= 0)])
        self._shared_frames = {node for node, count in frames.items() if count > 1}
        self._numbers = {node: number for number, node in enumerate(self.joints.tolist())}
        tied = (node for node, record in enumerate(records) if record.ties)
        self.units = dict.fromkeys([*self.joints.tolist(), *scene.motions, *tied])
        """Nodes that findings may be about."""

    def depending_on(self, changed: Collection[int]) -> list[int]:
        """Return the joints and bodies whose findings depend on some nodes."""
        rows = np.isin(self._of_joints, list(changed)).any(axis=1)
        return [*self.joints[rows].tolist(), *(node for node in changed if node in self.units)]

    def with_mates(self, nodes: Iterable[int]) -> list[int]:
        """Return nodes and the joints between the same bodies or at the same frames as theirs."""
        found = dict.fromkeys(nodes)
        numbers = [self._numbers[node] for node in found if node in self._numbers]
        pairs = set(self._pairs[numbers].tolist()) - {-1}
        frames = self._shared_frames.intersection(self._of_joints[numbers, :2].ravel().tolist())
        if pairs or frames:
            is_mate = np.isin(self._pairs, list(pairs))
            is_mate |= np.isin(self._of_joints[:, :2], list(frames)).any(axis=1)
            found |= dict.fromkeys(self.joints[is_mate].tolist())
        return list(found)

    def needed_by(self, nodes: Iterable[int]) -> list[int]:
        """Return the nodes, ascending, that checks of some joints and bodies look at."""
        found: set[int] = set()
        for node in nodes:
            number = self._numbers.get(node)
            ends = (node,) if number is None else self._of_joints[number].tolist()
            for end in ends:
                above = end
                while above >= 0 and above not in found:
                    found.add(above)
                    above = self._live.records[above].parent
        return sorted(found)


def _repeated(pairs: Indices) -> Indices:
    """Return a number for each pair that occurs more than once, -1 for the others, shape (n,)."""
    if not len(pairs):
        return np.empty(0, np.intp)
    _, group, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    return np.where(count[group] > 1, group, -1)

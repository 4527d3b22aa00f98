"""A live scene as a core value: whole, or some of its nodes; without volumes."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..core.model.graph import Indices
from ..core.model.scene import Joint, PhysicsScene
from .live import LiveScene
from .nodes import places
from .reading import couplings_of

T = TypeVar("T")


def live_to_core(live: LiveScene) -> PhysicsScene:
    """Return a scene at rest as it was read last; node i is node i of the live scene."""
    return _finished(live_to_core_in_steps(live))


def live_to_core_in_steps(live: LiveScene) -> Generator[None, None, PhysicsScene]:
    """Return the same after some steps, between which nothing may change."""
    return _part(live, np.arange(len(live.records)), np.flatnonzero(live.columns.is_read))


def part_to_core(live: LiveScene, nodes: Sequence[int], units: Iterable[int]) -> PhysicsScene:
    """Return some nodes, ascending, with their bodies, as a scene of its own.

    Of its joints those at `units` are there. Nodes above are to be among `nodes`; a joint whose
    connected node is not has none.
    """
    return _finished(_part(live, np.array(nodes, np.intp), np.array(sorted(units), np.intp)))


def _part(live: LiveScene, nodes: Indices, units: Indices) -> Generator[None, None, PhysicsScene]:
    known, records = live.columns, [live.records[node] for node in nodes.tolist()]
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
    followed = _followed(live, nodes)
    return PhysicsScene(
        names=names,
        parents=parents,
        matrices=live.nodes.matrices[nodes],
        motions=motions,
        carries=carries,
        joints=tuple(joints),
        couplings=couplings_of(joints, followed) if followed else (),
        gravity=live.gravity,
    )


def _followed(live: LiveScene, nodes: Indices) -> dict[int, tuple[int, tuple[float, ...]] | None]:
    """Return which of the nodes each follows, by their places among them."""
    followed: dict[int, tuple[int, tuple[float, ...]] | None] = {}
    sources = places(nodes, live.columns.followed[nodes])
    for at in np.flatnonzero(sources >= 0).tolist():
        follows = live.records[nodes[at]].follows
        if follows is not None:
            followed[at] = (int(sources[at]), follows[1])
    return followed


def _finished(steps: Generator[None, None, T]) -> T:
    """Return what steps lead to."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result

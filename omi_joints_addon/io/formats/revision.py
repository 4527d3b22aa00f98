"""What is to change in the text that a scene was read from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from .format import Document

if TYPE_CHECKING:
    from ...core.checks.differences import Difference
    from ...core.model.scene import PhysicsScene
    from .format import Target, Written

_NO_NODES: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a document says, and the scene that it is to say."""

    document: Document
    before: "PhysicsScene"
    """What the document says."""
    after: "PhysicsScene"
    """What it is to say, in the place of the document."""
    match: Mapping[int, int]
    """Node in `after` of each node in `before` that is there still."""
    remeshed: frozenset[int] = _NO_NODES
    """Nodes of `after` that show or collide with another mesh than that of the document."""
    is_newer: bool = False
    """Whether `document` is newer than `before`, so that it says other things as well."""
    reach: float = 1.0
    """Distance from the origin [m] that rounding of places depends on."""
    decimals: int | None = None
    """Decimals that places [m] and angles [rad] are rounded to; None is not at all."""

    @property
    def distance(self) -> float:
        """Largest distance [m] and angle [rad] between places that count as one."""
        return 1e-6 * max(1.0, self.reach)

    def missing(
        self, again: "PhysicsScene", after: "PhysicsScene | None" = None
    ) -> "list[Difference]":
        """Return what of `after` a changed text does not say that is read as `again`.

        `after` may have further nodes. Names that a reader makes up of others do not count.
        """
        from ...core.checks.differences import differences, matched_by_name

        wanted = self.after if after is None else after
        match = matched_by_name(wanted, again)
        if len(again.names) == len(self.before.names) == len(self.match):
            match = {other: node for node, other in self.match.items()}
        own = {
            other
            for node, other in self.match.items()
            if self.before.names[node] != wanted.names[other]
        }
        missing = [
            found
            for found in differences(wanted, again, match, reach=self.reach)
            if found.noun != "name" or found.node in own or found.node < 0
        ]
        return self._edited(missing) if self.is_newer else missing

    def _edited(self, missing: "list[Difference]") -> "list[Difference]":
        """Return those of some differences that `after` has from `before` as well."""
        from ...core.checks.differences import differences

        found = differences(self.before, self.after, self.match, reach=self.reach)
        known = {(self.match.get(each.node, each.node), each.noun) for each in found}
        old = {-1, *self.match.values()}
        return [each for each in missing if each.node not in old or (each.node, each.noun) in known]


@runtime_checkable
class Editable(Protocol):
    """A format that writes into the document that a scene was read from."""

    def edit(self, revision: Revision, target: "Target") -> "Written":
        """Return the document with what differs, and losses for all that it cannot say.

        Raises `UneditableError` where there is no certain place for anything.
        """

"""What is to change in the text that a scene was read from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

import numpy as np

from ...core.findings.loss import How, Loss, Losses, Noun
from ...core.model.pose import Array, matrix_from_pose, pose_from_matrix
from .format import Document

if TYPE_CHECKING:
    from ...core.checks.difference import Difference
    from ...core.model.scene import PhysicsScene
    from .format import Target, Written

_NO_NODES: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
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
    near: float = 1e-6
    """Distance [m] and angle [rad] near the origin within which places are the same."""
    decimals: int | None = None
    """Decimals that places [m] and angles [rad] are rounded to; None is not at all."""
    motion: Array | None = None
    """Motion (4, 4) of the model as a whole, which `after` is without; None for none."""

    @property
    def distance(self) -> float:
        """Largest distance [m] and angle [rad] between places that count as one."""
        return self.near * max(1.0, self.reach)

    @cached_property
    def edits(self) -> "list[Difference]":
        """What of `before` is not in `after`."""
        from ...core.checks.differences import differences

        return differences(self.before, self.after, self.match, reach=self.reach)

    def after_in_old_names(self) -> "PhysicsScene":
        """Return the scene with the nodes and names of the document first."""
        from ...core.rewrite.tree import with_nodes

        old = sorted(self.match)
        kept = [self.match[node] for node in old]
        new = sorted({*range(len(self.after.names))}.difference(kept))
        scene = with_nodes(self.after, [*kept, *new])
        names = (*(self.before.names[node] for node in old), *scene.names[len(old) :])
        return replace(scene, names=names)

    @property
    def digits(self) -> float:
        """Part of a number that its last digits are, which new texts need not have."""
        return 6e-8 if self.decimals is not None else 1e-15

    def missing(
        self, again: "PhysicsScene", after: "PhysicsScene | None" = None
    ) -> "list[Difference]":
        """Return what of `after` a changed text does not say that is read as `again`.

        `after` may have further nodes. Names that a reader makes up of others do not count.
        """
        from ...core.checks.differences import differences
        from ...core.checks.matching import matched_by_name

        wanted = self.after if after is None else after
        if len(again.names) == len(self.before.names) == len(self.match) and all(
            again.names[node] in (self.before.names[node], wanted.names[other])
            for node, other in self.match.items()
        ):
            match = {other: node for node, other in self.match.items()}
        else:
            match = matched_by_name(wanted, again)
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

    def report(self, again: "PhysicsScene", losses: Losses) -> None:
        """Name what a changed text, read as `again`, does not say, and edits it does not have.

        Where something is named already, it is not named again.
        """
        self.report_missing(self.missing(again), losses)
        self.report_unwritten(again, losses)

    def report_missing(self, missing: "Iterable[Difference]", losses: Losses) -> None:
        """Name what a changed text does not say, but of places that are named already."""
        known = {loss.place for loss in losses}
        for found in missing:
            place = self.after.names[found.node] if found.node >= 0 else ""
            if place not in known:
                losses.lost(place, found.noun, "this edit is not in the file")

    def placement_losses(self) -> tuple[Loss, ...]:
        """Return that the model as a whole was moved, if it was."""
        text = "the model as a whole was moved; the file keeps its own origin"
        return () if self.motion is None else (Loss("", Noun.POSE, How.CONVERTED, text),)

    def report_unwritten(self, again: "PhysicsScene", losses: Losses) -> None:
        """Name edits that a changed text, read as `again`, does not have: it is as before.

        That is also what was removed. Where something is named already, it is not named again.
        """
        from ...core.checks.differences import differences
        from ...core.checks.matching import matched_by_name

        if not self.edits:
            return
        new_names = {old: self.after.names[new] for old, new in self.match.items()}
        names = [new_names.get(node, name) for node, name in enumerate(self.before.names)]
        match = matched_by_name(replace(self.before, names=tuple(names)), again)
        done = set(differences(self.before, again, match, reach=self.reach))
        known = {loss.place for loss in losses}
        for each in self.edits:
            place = names[each.node] if each.node >= 0 else ""
            is_replaced = each.node not in self.match and place in self.after.names
            if not (each in done or place in known or is_replaced):
                losses.lost(place, each.noun, "the file has it as before; write it anew")

    def _edited(self, missing: "list[Difference]") -> "list[Difference]":
        """Return those of some differences that `after` has from `before` as well."""
        known = {(self.match.get(each.node, each.node), each.noun) for each in self.edits}
        old = {-1, *self.match.values()}
        return [each for each in missing if each.node not in old or (each.node, each.noun) in known]


_Any = TypeVar("_Any", bound=Revision)


def in_place(revision: _Any) -> _Any:
    """Return a revision whose model stands where the document has it, with its motion beside it."""
    motion = placement(revision.before, revision.after, revision.match, revision.near)
    if motion is None:
        return revision
    matrices = np.linalg.solve(motion, revision.after.matrices)
    return replace(revision, motion=motion, after=replace(revision.after, matrices=matrices))


def placement(
    before: "PhysicsScene", scene: "PhysicsScene", match: Mapping[int, int], near: float
) -> Array | None:
    """Return the motion (4, 4) of a model that was moved as a whole, None where it was not.

    `near` is the distance [m] and angle [rad] near the origin below which it did not move.
    """
    roots = [node for node in match if before.parents[node] < 0]
    if not roots:
        return None
    ones = _rigid(before.matrices[roots])
    others = _rigid(scene.matrices[[match[node] for node in roots]])
    motion = others[0] @ np.linalg.inv(ones[0])
    close = near * max(1.0, float(np.abs(others[:, :3, 3]).max()))
    if np.abs(motion - np.eye(4)).max() <= close or np.abs(motion @ ones - others).max() > close:
        return None
    return np.asarray(motion)


def _rigid(matrices: Array) -> Array:
    return matrix_from_pose(pose_from_matrix(matrices))


@runtime_checkable
class Editable(Protocol):
    """A format that writes into the document that a scene was read from."""

    def edit(self, revision: Revision, target: "Target") -> "Written":
        """Return the document with what differs, and losses for all that it cannot say.

        Raises `UneditableError` where there is no certain place for anything.
        """

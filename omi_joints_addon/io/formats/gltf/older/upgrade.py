"""A document in older forms of the extensions, in today's. Findings name what was older."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from .....core.findings.finding import Finding
from .....core.model.plain import JsonObject
from ..dialect import Dialect
from ..document_members import copied, declare, extension_of
from ..document_nodes import DocumentNodes
from ..gravity import EXTENSION as GRAVITY
from ..omi import body, joint, shape
from . import joints
from .bodies import (
    has_shape_nodes,
    has_trigger_bodies,
    keep_early_capsules,
    move_shapes,
    name_parts_of_triggers,
)
from .geometries import connect_to_world, move_gravity, move_meshes
from .parts import DOCUMENT, ELSEWHERE, NODE, OLDER, PARTS, SCENE, OlderPart
from .renaming import Renaming, older_form
from .values import array_of, has_one_radius

_FORMER = "MSFT_physics"
_TOO_SHORT, _BELOW_DYNAMIC = "OMI-E119", "OMI-J005"
"""Rules of today: whole heights are what Godot reads, and joints of 2023 were below no body."""


class Upgraded(NamedTuple):
    """A document without older forms."""

    document: JsonObject
    """The document as it was where it has none, else a changed copy."""
    findings: list[Finding]
    exempt: frozenset[str] = frozenset()
    """Codes of rules that do not hold of the form that it had."""


def upgrade(document: JsonObject, nodes: DocumentNodes, dialects: Collection[Dialect]) -> Upgraded:
    """Return a document with what is in older forms of extensions of some dialects in today's.

    `nodes` are those of the document.
    """
    if not _may_be_older(document, nodes):
        return Upgraded(document, [])
    work = _Work(copied(document), nodes, dialects)
    for part in PARTS:
        work.apply(part)
    work.list_extensions()
    return Upgraded(work.document, work.findings(), frozenset(work.exempt))


class _Work:
    def __init__(
        self, document: JsonObject, nodes: DocumentNodes, dialects: Collection[Dialect]
    ) -> None:
        self.document = document
        self.exempt = {_TOO_SHORT} if _has_total_heights(document) else set()
        self._present = {*_extensions(document), *nodes.names()}
        self._dialects = dialects
        self._there = set(_extensions(document))
        self._until: dict[str, str] = {}
        """Month up to which the form was in use, by extension."""
        self._following: set[str] = set()
        """Extensions that others have become."""
        self._problems: list[Finding] = []
        self._steps: dict[tuple[str, str, str], Callable[[], bool]] = {
            (DOCUMENT, "OMI_collider", "June 2023"): self._early_capsules,
            (SCENE, _FORMER, "January 2023"): self._gravity,
            (NODE, _FORMER, "July 2023"): self._world_ends,
            (NODE, shape.EXTENSION, "August 2023"): self._shapes_of_nodes,
            (NODE, body.EXTENSION, "February 2024"): self._parts_of_triggers,
            (NODE, joint.EXTENSION, "September 2024"): self._joints,
        }

    def apply(self, part: OlderPart) -> None:
        """Turn what is of a part into the next form."""
        if _dialect(part) not in self._dialects or self._is_twin(part):
            return
        step = self._steps.get((part.owner, part.extension, part.until))
        is_older = step is not None and step()
        if any(row.name != ELSEWHERE for row in part.rows) or not part.rows:
            is_older |= Renaming(self.document, part, self._problems).apply()
        if is_older and part.owner == DOCUMENT and part.extension == "KHR_collision_shapes":
            move_meshes(self.document)
        if is_older:
            self._until.setdefault(part.extension, part.until)
            if part.extension != part.following:
                self._following.add(part.following)

    def findings(self) -> list[Finding]:
        """Return which extensions were older, and what of them could not be read."""
        found = self._until.items()
        named = [older_form(name, until) for name, until in found if name in self._present]
        return [*named, *self._problems]

    def list_extensions(self) -> None:
        """Have the lists of extensions name those of today in place of older ones."""
        older = OLDER & self._until.keys()
        for key in ("extensionsUsed", "extensionsRequired"):
            listed = self.document.get(key)
            if older and isinstance(listed, list):
                rest = [name for name in listed if name not in tuple(older)]
                self.document[key] = rest
                if not rest:
                    del self.document[key]
        declare(self.document, sorted(self._following - OLDER))

    def _is_twin(self, part: OlderPart) -> bool:
        """Return whether a document has today's extension, and an older one for older readers."""
        return part.extension in OLDER and _SUCCESSORS[part.extension] in self._there

    def _early_capsules(self) -> bool:
        keep_early_capsules(self.document)
        return False

    def _gravity(self) -> bool:
        return move_gravity(self.document, _FORMER, GRAVITY)

    def _world_ends(self) -> bool:
        connect_to_world(self.document, _FORMER)
        return False

    def _shapes_of_nodes(self) -> bool:
        if not has_shape_nodes(self.document) and not has_trigger_bodies(self.document):
            return False
        move_shapes(self.document)
        return True

    def _parts_of_triggers(self) -> bool:
        return name_parts_of_triggers(self.document)

    def _joints(self) -> bool:
        if not joints.is_of_2023(self.document):
            return False
        self._problems += joints.upgrade(self.document)
        self.exempt.add(_BELOW_DYNAMIC)
        return True


def _dialect(part: OlderPart) -> Dialect:
    return Dialect.OMI if part.following.startswith("OMI") else Dialect.KHR


def _extensions(document: JsonObject) -> JsonObject:
    extensions = document.get("extensions")
    return extensions if isinstance(extensions, dict) else {}


def _successor(extension: str) -> str:
    following = next(part.following for part in PARTS if part.extension == extension)
    return _successor(following) if following in OLDER else following


_SUCCESSORS = {name: _successor(name) for name in OLDER}
"""Extension of today for each that is not in use any more."""


def _has_total_heights(document: JsonObject) -> bool:
    """Return whether there are capsules, and all give their whole height."""
    shapes = array_of(extension_of(document, shape.EXTENSION), "shapes")
    capsules = [
        capsule
        for element in shapes
        if isinstance(element, dict) and isinstance(capsule := element.get("capsule"), dict)
    ]
    return bool(capsules) and all(map(has_one_radius, capsules))


def _may_be_older(document: JsonObject, nodes: DocumentNodes) -> bool:
    """Return whether it is worth to go through the parts: most documents are of today."""
    names = (*OLDER, shape.EXTENSION)
    if any(map(nodes.with_extension, names)) or not OLDER.isdisjoint(_extensions(document)):
        return True
    return any(
        _uses_members(document, nodes, part) for part in PARTS if part.extension == part.following
    )


def _uses_members(document: JsonObject, nodes: DocumentNodes, part: OlderPart) -> bool:
    if part.owner == DOCUMENT:
        return Renaming(document, part, []).changes()
    deep: dict[str, set[str]] = {}
    for row in part.rows:
        name, _, rest = row.path.partition(".")
        deep.setdefault(name, set()).add(rest.partition(".")[0])
    for value in nodes.column_of(part.extension).values:
        if not isinstance(value, dict) or deep.keys().isdisjoint(value):
            continue
        for name in deep.keys() & value.keys():
            member = value[name]
            inner = member if isinstance(member, dict) else {}
            if "" in deep[name] or not deep[name].isdisjoint(inner):
                return True
    return False

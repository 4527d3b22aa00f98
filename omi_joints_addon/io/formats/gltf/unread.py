"""Extensions of physics that are known and not read: each is named once, and lost elsewhere."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ....core.findings.finding import INFO, Finding, rule
from ....core.findings.sentence import Sentence
from ....core.model.plain import JsonObject
from .dialect import EXTENSIONS
from .document_nodes import DocumentNodes
from .gravity import EXTENSION as GRAVITY
from .older.parts import OLDER

if TYPE_CHECKING:
    from ....core.findings.loss import Loss

NOT_READ = rule(
    "OMI-J499",
    INFO,
    "{extension} ({what}) is not read; it stays in the file as it is, other formats lose it",
    reason="The extension is about physics, but not about what this program edits.",
)
_KNOWN = {
    GRAVITY: "volumes with a gravity of their own",
    "MOZ_hubs_components": "shapes for physics",
    "OMI_seat": "seats",
    "OMI_vehicle_body": "vehicles",
    "OMI_vehicle_hover_thruster": "thrusters of vehicles",
    "OMI_vehicle_thruster": "thrusters of vehicles",
    "OMI_vehicle_wheel": "wheels of vehicles",
    "VRM": "springs and colliders of hair and cloth",
    "VRMC_springBone": "springs and colliders of hair and cloth",
    "VRMC_springBone_extended_collider": "colliders of hair and cloth",
}
"""What extensions hold whose names do not say it, or say too little."""
_PHYSICS = re.compile("physic|collider|collision|ammo|joint|rigid|gravity|vehicle|spring", re.I)
_READ = frozenset().union(*EXTENSIONS.values()) | OLDER


def unread_findings(document: JsonObject, nodes: DocumentNodes) -> list[Finding]:
    """Return a finding for each extension of a document that is about physics and is not read."""
    return [
        NOT_READ(place, extension=name, what=_KNOWN.get(name, "physics"))
        for name, place in sorted(_unread(document, nodes))
    ]


def unread_losses(findings: list[Finding]) -> "tuple[Loss, ...]":
    """Return what other formats lose of the extensions that are named in findings."""
    if not findings:
        return ()
    from ....core.findings.loss import How, Loss, Noun

    return tuple(
        Loss("", Noun.CARRIED, How.LOST, Sentence("{problem}", problem=found.message))
        for found in findings
    )


def _unread(document: JsonObject, nodes: DocumentNodes) -> Iterator[tuple[str, str]]:
    """Yield the names of such extensions, each with the pointer to one that is there."""
    roots = document.get("extensions")
    for name, value in roots.items() if isinstance(roots, dict) else ():
        if name not in (*_READ, GRAVITY) and _is_about_physics(name, value):
            yield name, f"/extensions/{name}"
    for name in nodes.names():
        column = nodes.column_of(name)
        is_named = isinstance(roots, Mapping) and name in roots and name != GRAVITY
        if name in _READ or is_named:
            continue
        found = zip(column.nodes, column.values, strict=True)
        index = next((index for index, value in found if _is_about_physics(name, value)), None)
        if index is not None:
            yield name, f"/nodes/{index}/extensions/{name}"


def _is_about_physics(name: str, value: Any) -> bool:
    if name == "VRM":
        springs = value.get("secondaryAnimation") if isinstance(value, dict) else None
        return isinstance(springs, dict) and any(springs.values())
    if name == "MOZ_hubs_components":
        return isinstance(value, dict) and any(map(_PHYSICS.search, map(str, value)))
    return name in _KNOWN or _PHYSICS.search(name) is not None

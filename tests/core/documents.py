"""A sound glTF document that tests change in one place."""

import copy
from typing import Any

from omi_joints_addon.core.findings.finding import Finding
from omi_joints_addon.io.formats.checking import check
from omi_joints_addon.io.formats.gltf.dialect import EXTENSIONS, Dialect
from omi_joints_addon.io.formats.gltf.document import scene_from_document

JOINT, BODY = "OMI_physics_joint", "OMI_physics_body"
DOOR: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "extensionsUsed": [JOINT, BODY],
    "extensions": {
        JOINT: {
            "physicsJoints": [
                {
                    "limits": [
                        {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
                        {"angularAxes": [0, 1], "min": 0, "max": 0},
                        {"angularAxes": [2], "min": -1.5, "max": 0.5},
                    ],
                    "drives": [
                        {
                            "type": "angular",
                            "mode": "force",
                            "axis": 2,
                            "positionTarget": 0.1,
                            "stiffness": 9.0,
                        }
                    ],
                }
            ]
        }
    },
    "nodes": [
        {"name": "Wall", "children": [1], "extensions": {BODY: {"motion": {"type": "static"}}}},
        {"name": "Frame", "translation": [1, 0, 0]},
        {"name": "Door", "children": [3], "extensions": {BODY: {"motion": {"type": "dynamic"}}}},
        {
            "name": "Joint",
            "translation": [1, 0, 0],
            "extensions": {JOINT: {"joint": 0, "connectedNode": 1}},
        },
    ],
}


def door(*path: str | int, **changes: Any) -> dict[str, Any]:
    """Return the document with `changes` made to the object at `path`; None removes a member."""
    document = copy.deepcopy(DOOR)
    place: Any = document
    for step in path:
        place = place[step]
    for name, value in changes.items():
        if value is None:
            place.pop(name, None)
        else:
            place[name] = value
    return document


def joint(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to the node's joint."""
    return door("nodes", 3, "extensions", JOINT, **changes)


def settings(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to the joint settings."""
    return door("extensions", JOINT, "physicsJoints", 0, **changes)


def limit(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to the last limit."""
    return door("extensions", JOINT, "physicsJoints", 0, "limits", 2, **changes)


def drive(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to the drive."""
    return door("extensions", JOINT, "physicsJoints", 0, "drives", 0, **changes)


def motion(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to the motion of the door."""
    return door("nodes", 2, "extensions", BODY, "motion", **changes)


def dialects_of(document: Any) -> set[Dialect]:
    """Return the dialects that a document or one of its nodes has extension objects of."""
    nodes = document.get("nodes")
    owners = [document, *(nodes if isinstance(nodes, list) else ())]
    found: set[str] = set()
    for owner in owners:
        extensions = owner.get("extensions") if isinstance(owner, dict) else None
        found |= set(extensions) if isinstance(extensions, dict) else set()
    return {dialect for dialect, names in EXTENSIONS.items() if names & found}


def check_document(document: object) -> list[Finding]:
    """Return all that is wrong with a parsed glTF document."""
    return check(scene_from_document(document).as_read())

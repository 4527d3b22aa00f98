"""Documents that Godot wrote, in the specification's terms.

`core.engines.godot.written` says what joints mean; a joint without a connected node is to the
world. The generator is renamed, so that what is written again is not taken for Godot's.
"""

import math
from typing import Any

from ....core.engines.godot.written import meant_by_godot
from ....core.findings.finding import INFO, Finding, rule
from ....core.model.plain import JsonObject
from .document_members import copied, extension_of, nodes_of
from .members import CodecError
from .older.tree import Tree
from .older.values import array_of
from .omi.body import EXTENSION as BODY
from .omi.joint import EXTENSION as JOINT
from .omi.joint import settings_from_json, settings_to_json

WRITTEN_BY_GODOT = rule(
    "OMI-J494",
    INFO,
    "Godot wrote this document, so its joints are read as they move there: limits are rigid, each "
    "axis has a range of its own, and angles are mirrored; write it with --for godot to take it "
    "back",
    reason="Godot's exporter writes bias and softness of its nodes as stiffness and damping, and "
    "angles of the joint's body seen from the connected one. Measured with Godot 4.6.3 and "
    "omi-godot e421986.",
)


def as_in_godot(document: JsonObject) -> tuple[JsonObject, list[Finding]]:
    """Return a document of Godot in the specification's terms, and that it was one."""
    document = copied(document)
    asset = document["asset"]
    generator = f"OMI Physics Joints, from {asset['generator']}"
    document["asset"] = asset | {"generator": generator}
    root = document["extensions"][JOINT]
    settings = list(map(_meant, root["physicsJoints"]))
    changed = document["extensions"] | {JOINT: root | {"physicsJoints": settings}}
    document["extensions"] = changed
    _connect_to_world(document)
    return document, [WRITTEN_BY_GODOT("/asset/generator")]


def _meant(element: Any) -> Any:
    """Return settings as they are meant; what cannot be read stays for the reader to say so."""
    if not isinstance(element, dict):
        return element
    drives = [_finite(drive) for drive in array_of(element, "drives")]
    element = element | ({"drives": drives} if drives else {})
    try:
        settings, findings = settings_from_json(element, "")
        return element if findings else settings_to_json(meant_by_godot(settings))
    except CodecError:
        return element


def _finite(drive: Any) -> Any:
    """Return a drive without an infinite force, which is how Godot writes that there is no end."""
    if not isinstance(drive, dict) or drive.get("maxForce") != math.inf:
        return drive
    return {name: value for name, value in drive.items() if name != "maxForce"}


def _connect_to_world(document: JsonObject) -> None:
    """Give joints without a connected node a static body that stands where they do."""
    tree = Tree(document)
    for index, node in enumerate(nodes_of(document)):
        joint = extension_of(node, JOINT)
        if not isinstance(joint, dict) or "connectedNode" in joint:
            continue
        connected = tree.new_frame(f"{tree.name(index)} World", index, None)
        document["nodes"][connected]["extensions"] = {BODY: {"motion": {"type": "static"}}}
        changed = joint | {"connectedNode": connected}
        node["extensions"] = node["extensions"] | {JOINT: changed}

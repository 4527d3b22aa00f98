"""One fault: a sound hinge, what is changed in it, and the findings that a checker must report."""

import base64
import copy
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .dialects import (
    BASE_NODE,
    BODY,
    BODY_NODE,
    JOINT,
    JOINT_NODE,
    OMI,
    RIGID,
    SHAPE,
    Json,
    joint_document,
)
from .joints import ranges

Change = Callable[[Json], None]
_DATA = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
TRIANGLE: Json = {
    "buffers": [{"byteLength": 36, "uri": f"data:application/octet-stream;base64,{_DATA}"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "accessors": [
        {
            "bufferView": 0,
            "componentType": 5126,
            "count": 3,
            "type": "VEC3",
            "min": [0, 0, 0],
            "max": [1, 1, 0],
        }
    ],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One fault."""

    name: str
    title: str
    """What is wrong."""
    codes: tuple[str, ...]
    """Rules of this project that must report it; others may, too."""
    change: Change
    dialect: str = OMI

    def document(self) -> Json:
        """Return the document of a sound hinge with the fault."""
        document = sound(self.dialect)
        self.change(document)
        return document


def sound(dialect: str) -> Json:
    """Return the document of a hinge without faults."""
    feature = next(each for each in ranges() if each.name == "hinge_z_max")
    return copy.deepcopy(joint_document(feature, dialect))


def settings(document: Json) -> Json:
    """Return the settings of the joint."""
    name = JOINT if JOINT in document["extensions"] else RIGID
    found: Json = document["extensions"][name]["physicsJoints"][0]
    return found


def extension(document: Json, node: int, name: str) -> Json:
    """Return an extension of a node."""
    found: Json = document["nodes"][node]["extensions"][name]
    return found


def limit(**members: Any) -> Change:
    """Return a change of the limit about Z; None removes a member."""
    return lambda document: _update(settings(document)["limits"][2], members)


def joint(**members: Any) -> Change:
    """Return a change of the joint's node property."""
    return lambda document: _update(extension(document, JOINT_NODE, JOINT), members)


def motion(**members: Any) -> Change:
    """Return a change of the motion of the body."""
    return lambda document: _update(extension(document, BODY_NODE, BODY)["motion"], members)


def driving(**members: Any) -> Change:
    """Return a change that adds a drive about Z."""
    drive = {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 1.0, "damping": 1.0}
    return lambda document: settings(document).update(drives=[_updated(drive, members)])


def only_limit(**members: Any) -> Change:
    """Return a change that leaves one limit only."""
    return lambda document: settings(document).update(limits=[members])


def base_motion(**members: Any) -> Change:
    """Return a change of the motion of the base."""
    return lambda document: _update(extension(document, BASE_NODE, BODY)["motion"], members)


def node(index: int, **members: Any) -> Change:
    """Return a change of a node; None removes a member."""
    return lambda document: _update(document["nodes"][index], members)


def shape(**members: Any) -> Change:
    """Return a change that sets another shape."""
    return lambda document: document["extensions"][SHAPE].update(shapes=[members])


def _update(target: Json, members: Json) -> None:
    target.update(members)
    for name, value in members.items():
        if value is None:
            del target[name]


def _updated(target: Json, members: Json) -> Json:
    changed = dict(target)
    _update(changed, members)
    return changed


def with_triangle(change: Change) -> Change:
    """Return a change of a document that also has a mesh."""

    def changed(document: Json) -> None:
        document.update(copy.deepcopy(TRIANGLE))
        change(document)

    return changed


def added_limit(**members: Any) -> Change:
    return lambda document: settings(document)["limits"].append(members)


def fault(name: str, title: str, codes: str, change: Change, dialect: str = OMI) -> Fault:
    split = tuple(f"OMI-{code}" for code in codes.split())
    return Fault(name=name, title=title, codes=split, change=change, dialect=dialect)

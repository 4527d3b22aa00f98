"""Pairs of glTF files: a document that breaks a rule, and one that does not."""

import json
from collections.abc import Callable
from typing import Any

from conformance.generate.animations import animate
from conformance.generate.dialects import (
    BASE_NODE,
    CONNECTED,
    JOINT,
    JOINT_NODE,
    OMI,
    Json,
    joint_document,
)
from conformance.generate.fault import Change, settings, sound
from conformance.generate.feature import Animated, Feature, X, Y, Z
from conformance.generate.joints import PINNED, STIFF, angular, drive, linear

from .pair import Pair

RANGE = angular(Z, min=-0.5, max=0.5)
CONE, CONE_ABOUT_Z = angular(Y, Z, max=0.5), angular(X, Y, max=0.5)
RAIL = (linear(Y, Z, min=0.0, max=0.0), linear(X, min=-0.2, max=0.2), STIFF)
_WIDTH = 96


def pair(codes: str, title: str, bad: Json, cured: Json) -> Pair:
    """Return a pair of documents; codes are those of the rule, and of what is also found."""
    code, *also = (f"OMI-{each}" for each in codes.split())
    return Pair(
        code=code,
        title=title,
        suffix=".gltf",
        bad=_laid_out(bad) + "\n",
        cured=_laid_out(cured) + "\n",
        also=frozenset(also),
    )


def joint(*limits: Json, drives: tuple[Json, ...] = ()) -> Json:
    """Return a document of a body that a joint with limits and drives holds."""
    document = sound(OMI)
    settings(document)["limits"] = [dict(limit) for limit in limits]
    if drives:
        settings(document)["drives"] = list(drives)
    return document


def hinge(*limits: Json, drives: tuple[Json, ...] = ()) -> Json:
    """Return a document of a hinge about Z with limits about it and drives."""
    return joint(PINNED, angular(X, Y, min=0.0, max=0.0), *limits, drives=drives)


def spring(kind: str = "angular", axis: int = Z, **values: Any) -> tuple[Json]:
    """Return the drive of a spring."""
    return (
        drive(kind, axis, **{"positionTarget": 0.1, "stiffness": 20.0, "damping": 1.0} | values),
    )


def motor(kind: str = "angular", axis: int = Z, **values: Any) -> tuple[Json]:
    """Return the drive of a motor."""
    return (drive(kind, axis, velocityTarget=0.5, damping=1.0, **values),)


def changed(*changes: Change, of: Callable[[], Json] = hinge) -> Json:
    """Return a document with changes."""
    document = of()
    for change in changes:
        change(document)
    return document


def animated(member: str, *values: float, times: tuple[float, ...] = (0.0, 1.0)) -> Json:
    """Return a document of a hinge of which a number of its settings changes over time."""
    document = hinge(RANGE)
    animate(document, JOINT, Animated(member=member, times=times, values=values))
    return document


def opening() -> Json:
    """Return a document of a hinge whose maximum grows."""
    return animated("limits/2/max", 0.5, 1.0)


def still() -> Json:
    """Return the same document without its animation."""
    document = opening()
    del document["animations"]
    return document


def featured(feature: Feature) -> Json:
    """Return the document of a feature of the conformance set."""
    return joint_document(feature, OMI)


def without_base(document: Json) -> None:
    """Make the base a node that is no body."""
    del document["nodes"][BASE_NODE]["extensions"]


def swap(document: Json) -> None:
    """Put the joint on the node that it was connected to."""
    joint_node, connected = document["nodes"][JOINT_NODE], document["nodes"][CONNECTED]
    connected["extensions"] = joint_node.pop("extensions")
    connected["extensions"][JOINT]["connectedNode"] = JOINT_NODE


def _laid_out(value: Any, indent: str = "") -> str:
    """Return JSON with objects and arrays in one line where they fit."""
    line = json.dumps(value)
    if not isinstance(value, dict | list) or len(indent) + len(line) <= _WIDTH:
        return line
    inner = indent + " "
    if isinstance(value, dict):
        rows = [f"{json.dumps(name)}: {_laid_out(each, inner)}" for name, each in value.items()]
        start, end = "{}"
    else:
        rows = [_laid_out(each, inner) for each in value]
        start, end = "[]"
    return f"{start}\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}{end}"

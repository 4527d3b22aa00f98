"""Examples for rules of glTF that are about animations, extras and what is written twice."""

import copy
from collections.abc import Iterator
from typing import Any

from conformance.generate.bodies import plane
from conformance.generate.dialects import (
    BASE_NODE,
    BODY,
    BODY_NODE,
    CONNECTED,
    JOINT,
    JOINT_NODE,
    KHR,
    OMI,
    RIGID,
    SHAPE,
    SHAPES,
    Json,
    head,
    put_dynamic,
    put_static,
)
from conformance.generate.fault import extension, node, settings
from conformance.generate.feature import X, Y, Z
from conformance.generate.joints import PINNED, linear

from .gltf import RANGE, animated, changed, hinge, joint, opening, pair, swap
from .pair import Pair


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    yield from _animations()
    yield from _extras()
    yield from _written_twice()
    yield from _articulations()
    yield pair("S042", "an endless plane, and a box", plane(KHR), _on_box())
    lock = linear(X, Y, Z, min=0.0, max=0.0, stiffness=100.0, damping=10.0)
    yield pair("P006", "a pin that gives way", joint(lock), joint(PINNED))
    yield pair(
        "U050",
        "a joint to a static body, which it touches or not",
        hinge(RANGE),
        _colliding(),
    )


def _on_box() -> Json:
    document = plane(KHR)
    document["extensions"][SHAPES]["shapes"][1] = {"type": "box", "box": {"size": [9.0, 0.1, 9.0]}}
    return document


def _colliding() -> Json:
    document = hinge(RANGE)
    extension(document, JOINT_NODE, JOINT)["enableCollision"] = True
    return document


def _growing() -> Json:
    """Return a hinge between spheres whose radius changes over time."""
    document = opening()
    document["extensions"]["OMI_physics_shape"]["shapes"][0] = {
        "type": "sphere",
        "sphere": {"radius": 0.5},
    }
    target = document["animations"][0]["channels"][0]["target"]
    pointer = "/extensions/OMI_physics_shape/shapes/0/sphere/radius"
    target["extensions"]["KHR_animation_pointer"]["pointer"] = pointer
    return document


def _animations() -> Iterator[Pair]:
    member = "limits/2/max"
    wider = opening()
    yield pair("J023", "the maximum comes below the minimum", animated(member, 0.5, -0.6), wider)
    yield pair("J024", "the range becomes more than a turn", animated(member, 0.5, 4.0), wider)
    yield pair("J454", "there is no fourth limit", animated("limits/3/max", 0.5, 1.0), wider)
    yield pair("J455", "axes do not change", animated("limits/2/angularAxes", 0.5, 1.0), wider)
    yield pair("J461", "a radius that grows", _growing(), wider)
    back = animated(member, 0.5, 1.0, times=(1.0, 0.0))
    yield pair("J456", "times that do not ascend", back, wider)


def _extra(name: str, **members: Any) -> Json:
    return {"extras": {name: members}}


def _extras() -> Iterator[Pair]:
    sound = hinge(RANGE)
    yield pair(
        "J451",
        "the joint that this one follows is not there",
        changed(node(JOINT_NODE, **_extra(JOINT, follows={"node": 99}))),
        changed(),
    )
    bad = hinge(RANGE)
    settings(bad)["limits"][2]["extras"] = {"measured": float("nan")}
    yield pair("J424", "not a number", bad, _noted(0.5))
    marked = hinge(RANGE)
    marked["asset"]["extras"] = {"OMI_physics_target": "Godot 4 importer"}
    yield pair("J468", "made for Godot's importer", marked, sound)
    stale = copy.deepcopy(marked)
    original = {"OMI_specification": {"limits": [], "digest": "old"}}
    settings(stale)["extras"] = original
    yield pair("J469", "changed since it was made for Godot's importer", stale, marked)


def _noted(value: float) -> Json:
    document = hinge(RANGE)
    settings(document)["limits"][2]["extras"] = {"measured": value}
    return document


def _written_twice() -> Iterator[Pair]:
    def both(document: Json, mass: float) -> Json:
        document["extensionsUsed"] += [RIGID, SHAPES]
        document["extensions"][SHAPES] = copy.deepcopy(document["extensions"][SHAPE])
        extensions = document["nodes"][BODY_NODE]["extensions"]
        inertia = extensions[BODY]["motion"]["inertiaDiagonal"]
        geometry = {"geometry": {"shape": 0}}
        extensions[RIGID] = {
            "motion": {"mass": mass, "inertiaDiagonal": inertia},
            "collider": geometry,
        }
        return document

    yield pair(
        "J446", "two extensions, two masses", both(hinge(RANGE), 3.0), both(hinge(RANGE), 2.0)
    )
    yield pair("J449 J404", "a joint of 2023 that names one body", _of_2023(), _of_2023(nodeB=1))


def _of_2023(**other: int) -> Json:
    base: Json = {"name": "Base"}
    body: Json = {"name": "Body"}
    put_static(OMI, base)
    put_dynamic(OMI, body, {"mass": 2.0})
    frame = {"name": "Joint", "extensions": {JOINT: {"constraints": [0], "nodeA": 0, **other}}}
    document = head(OMI, [base, body, frame])
    constraint = {"linearAxes": [0, 1, 2], "lowerLimit": 0.0, "upperLimit": 0.0}
    document["extensions"][JOINT] = {"constraints": [constraint]}
    return document


def _articulations() -> Iterator[Pair]:
    root = node(BASE_NODE, **_extra(BODY, articulation={"fixed": False}))
    fixed = node(BASE_NODE, **_extra(BODY, articulation={"fixed": True}))
    yield pair("U054", "a static root, and one that is fixed", changed(root), changed(fixed))
    yield pair(
        "E610 J303",
        "the frames are apart",
        changed(node(CONNECTED, translation=[0.0, 0.0, 0.1]), fixed),
        changed(fixed),
    )
    far = joint(linear(Y, Z, max=0.3))
    near = copy.deepcopy(far)
    swap(near)
    for document in (far, near):
        fixed(document)
    yield pair("U060", "a tube on the side away from the root", far, near)

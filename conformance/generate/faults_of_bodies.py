"""Faults of bodies and their shapes."""

import copy
from collections.abc import Iterator
from typing import Any

from .dialects import (
    BODY,
    BODY_NODE,
    Json,
)
from .fault import (
    TRIANGLE,
    Change,
    Fault,
    extension,
    fault,
    motion,
    shape,
)


def of_bodies() -> Iterator[Fault]:
    yield fault("mass_zero", "no body has no mass", "B003", motion(mass=0.0))
    yield fault("motion_without_type", "type is required", "B001", motion(type=None))
    yield fault("motion_unknown", "an unknown motion type", "B002", motion(type="rigid"))
    yield fault("body_without_shape", "a dynamic body that is seen and has no shape", "B016", _bare)
    yield fault("filter_with_both_lists", "the two lists exclude each other", "B005", _both_lists)
    yield fault("shape_unknown", "an unknown shape", "S001", shape(type="torus", torus={}))
    yield fault(
        "shape_radius_negative",
        "a negative radius",
        "S002",
        shape(type="sphere", sphere={"radius": -1.0}),
    )
    yield fault("shape_missing", "there is no shape 5", "S003", _no_shape)
    yield fault(
        "inertia_impossible",
        "moments that no body has",
        "B015",
        motion(inertiaDiagonal=[1.0, 1.0, 5.0]),
    )
    yield fault(
        "inertia_not_turned",
        "an orientation that is no rotation",
        "B004",
        motion(inertiaOrientation=[0.0, 0.0, 0.0, 2.0]),
    )
    yield fault("body_below_body", "a moving body is below another", "B013", _below_moving)
    yield fault("material_missing", "there is no material 9", "B007", _collider(physicsMaterial=9))
    yield fault("material_mode_unknown", "an unknown combine mode", "B006", _odd_material)
    yield fault("system_without_name", "a collision system without a name", "J450", _empty_system)
    yield fault(
        "trigger_elsewhere", "a part of a trigger is not below it", "B008", _compound(BODY_NODE)
    )
    yield fault("trigger_of_itself", "a trigger is a part of itself", "B009", _compound(4))
    yield fault("trigger_empty", "a trigger of no nodes", "J432", _compound())
    yield fault("trigger_without_shape", "a part of a trigger is no trigger", "B010", _compound(5))
    yield fault(
        "shape_mesh_missing", "there is no mesh 3", "S004", shape(type="convex", convex={"mesh": 3})
    )


def _bare(document: Json) -> None:
    del extension(document, BODY_NODE, BODY)["collider"]
    document["nodes"][BODY_NODE]["mesh"] = 0
    document.update(TRIANGLE)


def _both_lists(document: Json) -> None:
    lists = {"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]}
    document["extensions"][BODY] = {"collisionFilters": [lists]}
    extension(document, BODY_NODE, BODY)["collider"]["collisionFilter"] = 0


def _no_shape(document: Json) -> None:
    extension(document, BODY_NODE, BODY)["collider"]["shape"] = 5


def _below_moving(document: Json) -> None:
    document["nodes"].append(
        copy.deepcopy(document["nodes"][BODY_NODE]) | {"name": "Lower", "children": []}
    )
    del document["nodes"][4]["children"]
    document["nodes"][BODY_NODE]["children"].append(4)


def _collider(**members: Any) -> Change:
    return lambda document: extension(document, BODY_NODE, BODY)["collider"].update(members)


def _odd_material(document: Json) -> None:
    document["extensions"][BODY] = {"physicsMaterials": [{"frictionCombine": "median"}]}
    extension(document, BODY_NODE, BODY)["collider"]["physicsMaterial"] = 0


def _empty_system(document: Json) -> None:
    document["extensions"][BODY] = {"collisionFilters": [{"collisionSystems": [""]}]}
    extension(document, BODY_NODE, BODY)["collider"]["collisionFilter"] = 0


def _compound(*parts: int) -> Change:
    def changed(document: Json) -> None:
        trigger = {
            "name": "Zone",
            "children": [5],
            "extensions": {BODY: {"trigger": {"nodes": list(parts)}}},
        }
        document["nodes"] += [trigger, {"name": "Part"}]
        document["scenes"][0]["nodes"].append(4)

    return changed

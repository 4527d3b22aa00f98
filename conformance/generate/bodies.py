"""Features of bodies, shapes, filters and triggers, and of how joints are put together."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .dialects import (
    BODY,
    KHR,
    OMI,
    RIGID,
    SHAPE,
    SHAPES,
    Json,
    head,
    put,
    put_dynamic,
    put_joint,
    put_settings,
    put_static,
)
from .joints import PINNED, STIFF
from .laws import G

MASSES: Json = {"mass": 2.0, "inertiaDiagonal": [0.03, 0.03, 0.03]}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A document that is not one joint with one body."""

    name: str
    title: str
    words: tuple[str, ...]
    document: Callable[[str], Json]
    """Returns the document in a dialect."""
    dialects: tuple[str, ...] = (OMI, KHR)
    poses: tuple[tuple[float, int, tuple[float, float, float]], ...] = ()
    """Time, node and translation in the world."""
    resting: float = math.inf


def falling(name: str, title: str, motion: Json, height: Callable[[float], float]) -> Scene:
    """Return a lone body that moves along Y from 1 m."""

    def document(dialect: str) -> Json:
        node: Json = {"name": "Body", "translation": [0.0, 1.0, 0.0]}
        put_dynamic(dialect, node, MASSES | motion)
        return head(dialect, [node])

    poses = tuple((t, 0, (0.0, 1.0 + height(t), 0.0)) for t in (0.1, 0.2, 0.4))
    return Scene(name=name, title=title, words=("body",), document=document, poses=poses)


def lone_bodies() -> Iterator[Scene]:
    yield falling("body_falls", "a body falls freely", {}, lambda t: -G * t * t / 2)
    yield falling(
        "body_gravity_factor",
        "half the gravity acts on a body",
        {"gravityFactor": 0.5},
        lambda t: -G * t * t / 4,
    )
    yield falling(
        "body_velocity",
        "a body starts upward",
        {"linearVelocity": [0.0, 2.0, 0.0]},
        lambda t: 2.0 * t - G * t * t / 2,
    )


def nested(dialect: str) -> Json:
    outer: Json = {"name": "Outer", "translation": [0.0, 1.0, 0.0], "children": [1]}
    inner: Json = {"name": "Inner", "translation": [1.0, 0.0, 0.0]}
    put_dynamic(dialect, outer, dict(MASSES))
    put_dynamic(dialect, inner, MASSES | {"gravityFactor": 0.5})
    return head(dialect, [outer, inner], scenes=[{"nodes": [0]}])


def _chain(dialect: str, count: int, **members: Any) -> Json:
    """Return a chain of welded bodies below a base; all joints share one settings object."""
    base: Json = {"name": "Base", "children": [1]}
    nodes: list[Json] = [base, {"name": "Connected 0"}]
    put_static(dialect, base)
    for number in range(1, count + 1):
        first = len(nodes)
        body: Json = {
            "name": f"Body {number}",
            "translation": [0.5 * number, 0.0, 0.0],
            "children": [first + 1, first + 2],
        }
        joint: Json = {"name": f"Joint {number}", "translation": [-0.25, 0.0, 0.0]}
        put_dynamic(dialect, body, dict(MASSES))
        put_joint(dialect, joint, first - 1, **members)
        nodes += [body, joint, {"name": f"Connected {number}", "translation": [0.25, 0.0, 0.0]}]
    nodes[1]["translation"] = [0.25, 0.0, 0.0]
    roots = [0, *(2 + 3 * n for n in range(count))]
    document = head(dialect, nodes, scenes=[{"nodes": roots}])
    put_settings(dialect, document, [{"limits": [PINNED, STIFF]}])
    return document


def static_owner(dialect: str) -> Json:
    document = _chain(dialect, 1)
    nodes = document["nodes"]
    nodes[1]["extensions"], nodes[3]["extensions"] = nodes[3].pop("extensions"), {}
    del nodes[3]["extensions"]
    name = "OMI_physics_joint" if dialect == OMI else RIGID
    values = nodes[1]["extensions"][name]
    (values if dialect == OMI else values["joint"])["connectedNode"] = 3
    return document


def world_anchor(dialect: str) -> Json:
    document = _chain(dialect, 1)
    del document["nodes"][0]["extensions"]
    return document


def plane(dialect: str) -> Json:
    """Return a body above an endless floor: a shape that only KHR_implicit_shapes has."""
    floor: Json = {"name": "Floor"}
    body: Json = {"name": "Body", "translation": [0.0, 0.05, 0.0]}
    put_dynamic(dialect, body, dict(MASSES))
    put(floor, RIGID, {"collider": {"geometry": {"shape": 1}}})
    document = head(dialect, [floor, body])
    document["extensions"][SHAPES]["shapes"].append({"type": "plane", "plane": {}})
    return document


SHAPE_ROWS: dict[str, tuple[Json, Json]] = {
    "sphere": ({"radius": 0.2}, {"radius": 0.2}),
    "capsule": (
        {"height": 0.6, "radiusBottom": 0.1, "radiusTop": 0.2},
        {"height": 0.6, "radiusBottom": 0.1, "radiusTop": 0.2},
    ),
    "cylinder": (
        {"height": 0.6, "radiusBottom": 0.2, "radiusTop": 0.2},
        {"height": 0.6, "radiusBottom": 0.2, "radiusTop": 0.2},
    ),
}
"""Members of each shape in OMI and in KHR."""


def shape_scene(kind: str) -> Scene:
    """Return a body with a shape of a kind."""

    def document(dialect: str) -> Json:
        body: Json = {"name": "Body", "translation": [0.0, 1.0, 0.0]}
        put_dynamic(dialect, body, dict(MASSES))
        made = head(dialect, [body])
        members = SHAPE_ROWS[kind][0 if dialect == OMI else 1]
        name = SHAPE if dialect == OMI else SHAPES
        made["extensions"][name]["shapes"] = [{"type": kind, kind: members}]
        return made

    return Scene(name=f"shape_{kind}", title=f"a {kind}", words=("shape",), document=document)


def trigger(dialect: str) -> Json:
    node: Json = {"name": "Zone", "translation": [0.0, 1.0, 0.0]}
    if dialect == OMI:
        put(node, BODY, {"trigger": {"shape": 0}})
    else:
        put(node, RIGID, {"trigger": {"geometry": {"shape": 0}}})
    document = head(dialect, [node])
    if dialect == OMI:
        document["extensionsUsed"] = [BODY, SHAPE]
    return document


def filtered(dialect: str) -> Json:
    nodes: list[Json] = [{"name": "Red"}, {"name": "Blue", "translation": [1.0, 0.0, 0.0]}]
    for number, node in enumerate(nodes):
        put_dynamic(dialect, node, dict(MASSES))
        name = BODY if dialect == OMI else RIGID
        node["extensions"][name]["collider"]["collisionFilter"] = number
    document = head(dialect, nodes)
    name = BODY if dialect == OMI else RIGID
    document["extensions"].setdefault(name, {})["collisionFilters"] = [
        {"collisionSystems": ["red"], "notCollideWithSystems": ["blue"]},
        {"collisionSystems": ["blue"], "collideWithSystems": ["blue"]},
    ]
    return document


def material(dialect: str) -> Json:
    node: Json = {"name": "Body"}
    put_dynamic(dialect, node, dict(MASSES))
    name = BODY if dialect == OMI else RIGID
    node["extensions"][name]["collider"]["physicsMaterial"] = 0
    document = head(dialect, [node])
    document["extensions"].setdefault(name, {})["physicsMaterials"] = [
        {
            "staticFriction": 0.8,
            "dynamicFriction": 0.7,
            "restitution": 0.3,
            "frictionCombine": "maximum",
            "restitutionCombine": "multiply",
        }
    ]
    return document


def _still(count: int) -> tuple[tuple[float, int, tuple[float, float, float]], ...]:
    return tuple(
        (t, 2 + 3 * n, (0.5 * (n + 1), 0.0, 0.0)) for t in (0.5, 2.0) for n in range(count)
    )


def scenes() -> list[Scene]:
    """Return all features that are not one joint with one body."""
    fall = [(t, -G * t * t / 2) for t in (0.1, 0.2, 0.4)]
    apart = [(t, node, (x, 1.0 + y * part, 0.0)) for t, y in fall for node, x, part in NESTED]
    return [
        *lone_bodies(),
        Scene(
            name="nested_bodies",
            title="a body below a body moves on its own",
            words=("nesting",),
            document=nested,
            poses=tuple(apart),
        ),
        Scene(
            name="shared_settings",
            title="two joints share one settings object",
            words=("sharing", "chain"),
            document=lambda dialect: _chain(dialect, 2),
            poses=_still(2),
        ),
        Scene(
            name="enable_collision",
            title="two joined bodies may collide",
            words=("enableCollision",),
            document=lambda dialect: _chain(dialect, 1, enableCollision=True),
            poses=_still(1),
        ),
        Scene(
            name="static_owner",
            title="the joint is on the static body and connected to the dynamic one",
            words=("static owner",),
            document=static_owner,
            poses=_still(1),
        ),
        Scene(
            name="world_anchor",
            title="the connected node is on no body: it is fixed in the world",
            words=("world",),
            document=world_anchor,
            dialects=(KHR,),
            poses=_still(1),
        ),
        Scene(
            name="plane",
            title="a box rests on an endless plane through the origin, whose normal is Y",
            words=("shape", "plane"),
            document=plane,
            dialects=(KHR,),
        ),
        *map(shape_scene, SHAPE_ROWS),
        Scene(name="trigger", title="a trigger volume", words=("trigger",), document=trigger),
        Scene(
            name="collision_filter",
            title="red and blue bodies do not collide; each filter says so in its way",
            words=("filter",),
            document=filtered,
        ),
        Scene(name="material", title="a surface", words=("material",), document=material),
    ]


NESTED = ((0, 0.0, 1.0), (1, 1.0, 0.5))
"""Node, X, and the part of gravity that acts on it."""

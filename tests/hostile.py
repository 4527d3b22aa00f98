"""Damage that knows the structure of physics in glTF: members get values that are almost right.

References point to the wrong thing or nowhere, trees become circles, axes repeat, bounds cross,
rotations are not of unit length, a dialect's words stand in the other's place. A sound door is
added beside it, which nothing touches: it must arrive wherever the file is read.
"""

import base64
import copy
import json
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.container import read_gltf
from omi_joints_addon.io.formats.gltf.dialect import Dialect
from tests.core.documents import BODY, DOOR, JOINT
from tests.mutation import HUGE, damage, value

Document = dict[str, Any]
SHAPE, KHR, SHAPES = "OMI_physics_shape", "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
EXTENSIONS = (JOINT, BODY, SHAPE, KHR, SHAPES)
NUMBERS = (0, -0.0, 1, -1, 0.5, 1e-30, -1e-30, 1e19, 1e308, -1e308, 10**400, "1", None, True, [1])
WORDS = (
    "static", "kinematic", "dynamic", "linear", "angular", "force", "acceleration", "box", "plane",
    "capsule", "convex", "trimesh", "cylinder", "sphere", "average", "", "Dynamic", "\ud800", None,
    "\x1b\ufffe", 7, {}, "X",
)  # fmt: skip
REFERENCES = {
    "joint", "connectedNode", "shape", "mesh", "node", "physicsMaterial", "collisionFilter",
    "nodeA", "nodeB", "skin", "material", "bufferView", "POSITION", "indices", "buffer", "scene",
}  # fmt: skip
LISTS = {"children", "nodes", "constraints"}
AXES = {"linearAxes", "angularAxes", "axis"}
VECTORS = {
    "translation", "rotation", "scale", "matrix", "centerOfMass", "inertiaDiagonal",
    "inertiaOrientation", "linearVelocity", "angularVelocity", "size",
}  # fmt: skip
WORDED = {
    "type", "mode", "name", "frictionCombine", "restitutionCombine", "collisionSystems",
    "collideWithSystems", "notCollideWithSystems",
}  # fmt: skip


def door_of_everything() -> Document:
    """Return bodies with every kind of shape, materials, filters, a trigger and four joints."""
    points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    triangles = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    data = base64.b64encode(points + triangles).decode()
    document = copy.deepcopy(DOOR)
    document |= {
        "buffers": [
            {"byteLength": 72, "uri": f"data:application/octet-stream;base64,{data}"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "scenes": [{"name": "Everything", "nodes": [0, 2, 8, 10]}],
        "scene": 0,
    }  # fmt: skip
    kinds: tuple[Document, ...] = (
        {"type": "box", "box": {"size": [1, 2, 3]}},
        {"type": "sphere", "sphere": {"radius": 0.5}},
        {"type": "capsule", "capsule": {"height": 1, "radiusBottom": 0.25, "radiusTop": 0.5}},
        {"type": "cylinder", "cylinder": {"height": 1, "radiusBottom": 0.5, "radiusTop": 0.5}},
        {"type": "convex", "convex": {"mesh": 0}},
        {"type": "trimesh", "trimesh": {"mesh": 0}},
    )
    document["extensions"][SHAPE] = {"shapes": list(kinds)}
    document["extensions"][BODY] = {
        "physicsMaterials": [{"staticFriction": 0.4, "restitution": 0.5}],
        "collisionFilters": [{"collisionSystems": ["a"], "notCollideWithSystems": ["b"]}],
    }
    document["extensionsUsed"] = [JOINT, BODY, SHAPE]
    servo = {"type": "linear", "mode": "acceleration", "axis": 0, "velocityTarget": 1, "damping": 3}
    document["extensions"][JOINT]["physicsJoints"] += [
        {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0, "stiffness": 9, "damping": 1}]},
        {"limits": [{"angularAxes": [0, 1, 2]}], "drives": [servo]},
    ]
    nodes = document["nodes"]
    nodes[2]["children"] = [3, 4, 5, 6, 7]
    surface = {"physicsMaterial": 0, "collisionFilter": 0}
    nodes += [
        {"name": f"Shape {n}", "extensions": {BODY: {"collider": {"shape": n, **surface}}}}
        for n in range(1, 4)
    ]
    motion = {"type": "dynamic", "mass": 3, "inertiaDiagonal": [1, 2, 2], "gravityFactor": 0.5}
    half = 0.5**0.5
    nodes += [
        {"name": "Trigger", "extensions": {BODY: {"trigger": {"shape": 4}}}},
        {
            "name": "Weight", "mesh": 0, "children": [9], "translation": [2, 0, 1],
            "rotation": [0, half, 0, half], "scale": [2, 2, 2],
            "extensions": {BODY: {"motion": motion, "collider": {"shape": 5}}},
        },
        {"name": "Second", "extensions": {JOINT: {"joint": 1, "connectedNode": 2}}},
        {
            "name": "Both", "translation": [0, 3, 0],
            "extensions": {
                BODY: {"motion": {"type": "kinematic", "linearVelocity": [1, 0, 0]}},
                JOINT: {"joint": 2, "connectedNode": 8, "enableCollision": True},
            },
        },
    ]  # fmt: skip
    return document


def in_dialects(document: Document, folder: Path, *dialects: Dialect) -> Document:
    """Return a document written anew in some dialects."""
    return written(document, folder, {"dialect": frozenset(dialects)})


def written(document: Document, folder: Path, options: dict[str, Any]) -> Document:
    """Return a document written anew with some options of the format."""
    path = folder / "base.gltf"
    path.write_text(json.dumps(document))
    (read,) = GLTF.read(Source(path=path))
    target = Target(path=folder / "out.gltf", options=options)
    return json.loads(GLTF.write(read.scene, target).files["out.gltf"])


OLD: Document = {
    "asset": {"version": "2.0"},
    "extensionsUsed": [JOINT],
    "extensions": {JOINT: {"constraints": [{"linearAxes": [0, 1, 2]}, {"angularAxes": [0, 1]}]}},
    "scenes": [{"nodes": [0, 1, 2]}],
    "nodes": [
        {
            "name": "Pin",
            "translation": [3, 4, 5],
            "extensions": {JOINT: {"constraints": [0, 1], "nodeA": 1, "nodeB": 2}},
        },
        {"name": "A", "extensions": {BODY: {"motion": {"type": "dynamic"}}}},
        {"name": "B", "rotation": [0, 0, 0.6, 0.8]},
    ],
}
"""A joint in the form of 2023."""


def sound_documents(corpus: Path, folder: Path) -> list[Document]:
    """Return documents to damage, in both dialects, in both at once and in the form of 2023."""
    rich = door_of_everything()
    found = [
        in_dialects(document, folder, *dialects)
        for document in (rich, DOOR)
        for dialects in ((Dialect.OMI,), (Dialect.KHR,), (Dialect.OMI, Dialect.KHR))
    ]
    found += [written(rich, folder, {"for": "godot"})]
    files = [*sorted(corpus.rglob("*.gltf")), *sorted(corpus.rglob("*.glb"))]
    official = [read_gltf(file).document for file in files]
    return [rich, DOOR, OLD, *found, *(each for each in official if "nodes" in each)]


def hostile(
    base: Document,
    source: random.Random,
    doors: dict[str, Document],
    *,
    generic: bool,
    only_physics: bool = False,
) -> Document:
    """Return a document damaged in its structure, with a sound door beside it.

    `doors` has the door in each dialect; `generic` damage may hit any value below the damaged ones.
    """
    document = copy.deepcopy(base)
    parts = list(physics_of(document) if only_physics else damageable(document))
    for _ in range(source.randrange(1, 7)):
        _spoil(source.choice(parts), document, source)
    if generic and parts:
        damage(source.choice(parts), source, times=source.randrange(1, 4))
    is_khr = KHR in document.get("extensions", {}) and source.random() < 0.8
    add_door(document, doors["khr" if is_khr else "omi"])
    return document


def physics_of(document: Document) -> Iterator[Any]:
    """Yield elements of physics, and what nodes have of it."""
    for name in EXTENSIONS:
        for elements in document.get("extensions", {}).get(name, {}).values():
            yield from (each for each in elements if isinstance(each, dict))
    for node in document["nodes"]:
        # As a whole each stays an object: Blender's importer refuses the file otherwise.
        found = node.get("extensions", {})
        if isinstance(found, dict):
            yield from (found[name] for name in EXTENSIONS if isinstance(found.get(name), dict))


def damageable(document: Document) -> Iterator[Any]:
    """Yield the objects of a document that are damaged: nodes, physics, and data of meshes."""
    yield from document["nodes"]
    yield from physics_of(document)
    for name in ("meshes", "accessors", "bufferViews", "buffers"):
        yield from document.get(name, [])


def add_door(document: Document, door: Document) -> None:
    """Add a sound door, whose bodies are `Sound Wall` and `Sound Door`."""
    nodes, first = document["nodes"], len(document["nodes"])
    extensions = document.setdefault("extensions", {})
    moved: dict[str, int] = {}
    for name, holder in door["extensions"].items():
        for kind, elements in holder.items():
            mine = extensions.setdefault(name, {}).setdefault(kind, [])
            moved[kind] = len(mine)
            mine.extend(copy.deepcopy(elements))
    for node in copy.deepcopy(door["nodes"]):
        node["name"] = f"Sound {node['name']}"
        if "children" in node:
            node["children"] = [child + first for child in node["children"]]
        for extension in node.get("extensions", {}).values():
            joint = extension.get("joint", extension)
            for holder in (extension, joint) if isinstance(joint, dict) else (extension,):
                if isinstance(holder.get("joint"), int):
                    holder["joint"] += moved["physicsJoints"]
                    holder["connectedNode"] += first
        nodes.append(node)
    scenes = document.setdefault("scenes", [{"nodes": _roots(document["nodes"][:first])}])
    scenes[document.get("scene", 0)]["nodes"] += [first + n for n in _roots(door["nodes"])]
    used = document.setdefault("extensionsUsed", [])
    used += [name for name in door["extensionsUsed"] if name not in used]


def _roots(nodes: list[Any]) -> list[int]:
    below = [node.get("children") for node in nodes]
    children = {
        child for each in below if isinstance(each, list) for child in each if type(child) is int
    }
    return [number for number in range(len(nodes)) if number not in children]


def _spoil(part: Any, document: Document, source: random.Random) -> None:
    """Damage one member below a part, or the structure around it."""
    if source.random() < 0.25:
        source.choice(_MOVES)(part, document, source)
        return
    places = [(holder, key) for holder, key in _members(part) if key in _KINDS]
    if places:
        holder, key = source.choice(places)
        holder[key] = _KINDS[key](holder[key], document, source)


def _members(part: Any) -> Iterator[tuple[Document, str]]:
    """Yield each member of the objects at and below a part."""
    waiting = [part]
    while waiting:
        place = waiting.pop()
        if isinstance(place, dict):
            yield from ((place, key) for key in list(place))
            waiting += place.values()
        elif isinstance(place, list):
            waiting += place


def _reference(old: Any, document: Document, source: random.Random) -> Any:
    count = len(document["nodes"])
    wrong = (-1, count, HUGE, -HUGE, 0.5, 1.0, "0", None, True, [], {}, 2**31, 2**63)
    return source.choice((source.randrange(count), source.randrange(3), source.choice(wrong)))


def _references(old: Any, document: Document, source: random.Random) -> Any:
    few = [_reference(None, document, source) for _ in range(source.randrange(5))]
    return source.choice((few, few * 2, None, {}, 0))


def _axes(old: Any, document: Document, source: random.Random) -> Any:
    wrong = ([], [0, 0], [0, 1, 2, 0], [3], [-1], ["x"], [0.5], [None], [[0]], None, 1, "x", {})
    return source.choice((*wrong, [source.randrange(3)], [2, 1, 0]))


def _number(old: Any, document: Document, source: random.Random) -> Any:
    return source.choice((*NUMBERS, -old if isinstance(old, int | float) else 0))


def _vector(old: Any, document: Document, source: random.Random) -> Any:
    if not isinstance(old, list) or not old:
        return value(source)
    changed = list(old)
    for _ in range(source.randrange(1, 3)):
        changed[source.randrange(len(changed))] = source.choice(NUMBERS)
    return source.choice((changed, [0] * len(old), old[1:], [*old, 1], [1e30] * len(old)))


def _word(old: Any, document: Document, source: random.Random) -> Any:
    return source.choice((*WORDS, [source.choice(WORDS)], ["a", "a"], [""]))


def _any(old: Any, document: Document, source: random.Random) -> Any:
    return value(source)


_KINDS = (
    dict.fromkeys(
        ("motion", "collider", "trigger", "limits", "drives", "extensions", "extras"), _any
    )
    | dict.fromkeys(("attributes", "primitives", "geometry", "convex", "box", "uri"), _any)
    | dict.fromkeys(
        ("min", "max", "stiffness", "damping", "mass", "gravityFactor", "radius", "height"), _number
    )
    | dict.fromkeys(("radiusBottom", "radiusTop", "maxForce", "positionTarget"), _number)
    | dict.fromkeys(("velocityTarget", "staticFriction", "dynamicFriction", "restitution"), _number)
    | dict.fromkeys(("count", "byteLength", "byteOffset", "byteStride", "componentType"), _number)
    | dict.fromkeys(REFERENCES, _reference)
    | dict.fromkeys(LISTS, _references)
    | dict.fromkeys(AXES, _axes)
    | dict.fromkeys(VECTORS, _vector)
    | dict.fromkeys(WORDED, _word)
)
"""What spoils a member, by its name."""


def _hang_elsewhere(part: Document, document: Document, source: random.Random) -> None:
    """Give a part children: circles, nodes with two parents, itself."""
    some = [source.randrange(len(document["nodes"])) for _ in range(source.randrange(1, 4))]
    part["children"] = some


def _take_extensions(part: Document, document: Document, source: random.Random) -> None:
    """Give a part the extensions of another, or a dialect's words in another's name."""
    other = source.choice(list(damageable(document)))
    mine = part.setdefault("extensions", {})
    theirs = other.get("extensions")
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name, extension in copy.deepcopy(theirs).items():
            mine[source.choice((name, name, *EXTENSIONS))] = extension


def _lose_member(part: Document, document: Document, source: random.Random) -> None:
    places = list(_members(part))
    if places:
        holder, key = source.choice(places)
        del holder[key]


def _rename_member(part: Document, document: Document, source: random.Random) -> None:
    places = list(_members(part))
    if places:
        holder, key = source.choice(places)
        holder[source.choice(sorted(_KINDS))] = holder.pop(key)


def _share_name(part: Document, document: Document, source: random.Random) -> None:
    part["name"] = source.choice(document["nodes"]).get("name", "")


_MOVES = (_hang_elsewhere, _take_extensions, _lose_member, _rename_member, _share_name)

"""Documents of io_scene_gltf2 as JSON: what of a `gltf2_io.Gltf` physics depends on, and back.

References are indices: on import, and on export once the list of nodes is final.
"""

from typing import Any

from ...core.model.plain import JsonObject
from ..formats.gltf.dialect import EXTENSIONS as DIALECTS
from ..formats.gltf.gravity import EXTENSION as GRAVITY
from ..formats.gltf.khr.rigid_bodies import EXTENSION as KHR
from ..formats.gltf.older.parts import OLDER
from ..formats.gltf.omi.body import EXTENSION as BODY

EXTENSIONS = frozenset(name for names in DIALECTS.values() for name in names) | {GRAVITY}
"""Names of the extensions that are written."""
READ = EXTENSIONS | OLDER
"""Names of the extensions that are read."""
_PLACE = ("translation", "rotation", "scale", "matrix")
_MESH = ("mesh", "weights")
_READ = ("name", "children", "camera", "skin", "extensions", "extras", *_MESH, *_PLACE)


def written_document(data: Any, *, has_places: bool) -> JsonObject:
    """Return a document that is written, without physics; `has_places` is with those of nodes.

    Lists of children and of roots are those of `data`, so that a change to them is one there.
    """
    nodes = [_written_node(node) for node in data.nodes]
    if has_places:
        for node, value in zip(data.nodes, nodes, strict=True):
            value |= {n: found for n in (*_PLACE, "weights") if (found := getattr(node, n))}
    return {
        "asset": {"version": "2.0", "extras": data.asset.extras or {}},
        "nodes": nodes,
        "scenes": [{"nodes": scene.nodes} for scene in data.scenes or () if scene.nodes],
    }


def _written_node(node: Any) -> JsonObject:
    value: JsonObject = {}
    if node.children:
        value["children"] = node.children
    if node.mesh is not None:
        value["mesh"] = node.mesh
    if node.skin is not None:
        value["skin"] = node.skin
    if node.name:
        value["name"] = node.name
    return value


def set_written(data: Any, document: JsonObject, *, has_places: bool) -> None:
    """Change a document that is written to what its JSON has become."""
    from io_scene_gltf2.io.com import gltf2_io

    nodes = document["nodes"]
    count = len(data.nodes)
    for node, value in zip(data.nodes, nodes, strict=False):
        if "extensions" in value:
            node.extensions = (node.extensions or {}) | _declared(value["extensions"])
        if "extras" in value:
            node.extras = (node.extras or {}) | value["extras"]
        if has_places:
            _set_place(node, value)
            _set_mesh(node, value)
            node.children = value.get("children")
    data.nodes.extend(gltf2_io.Node.from_dict(value) for value in nodes[count:])
    data.asset.extras = document["asset"].get("extras") or None
    data.extensions = (data.extensions or {}) | _kept(document.get("extensions", {}))
    used = [name for name in document.get("extensionsUsed", ()) if name not in data.extensions_used]
    data.extensions_used.extend(used)


def _declared(extensions: JsonObject) -> JsonObject:
    """Return extensions of a node, with something in each collider and trigger.

    The exporter drops empty objects (`export.__fix_json`); -1 is how the specification says no
    shape.
    """
    body = extensions.get(BODY)
    if body is None or {} not in (body.get("collider"), body.get("trigger")):
        return extensions
    declared = {name: value if value != {} else {"shape": -1} for name, value in body.items()}
    return extensions | {BODY: declared}


def _kept(extensions: JsonObject) -> JsonObject:
    """Return extensions of the document, with tuples for limits of joints that have none.

    The exporter of Blender 4.5 drops empty lists (`export.__fix_json`), not empty tuples.
    """
    joints = extensions.get(KHR, {}).get("physicsJoints")
    if joints is None:
        return extensions
    kept = [joint | {"limits": joint["limits"] or ()} for joint in joints]
    return extensions | {KHR: extensions[KHR] | {"physicsJoints": kept}}


def read_document(data: Any) -> JsonObject:
    """Return what an import knows of a document that matters to physics, without a copy."""
    asset = {"version": "2.0", "generator": data.asset.generator, "extras": data.asset.extras or {}}
    document: JsonObject = {
        "asset": asset,
        "nodes": [_read_node(node) for node in data.nodes or ()],
        "scenes": [_read_scene(scene) for scene in data.scenes or () if scene.nodes],
        "meshes": [{} for _ in data.meshes or ()],
        "skins": [{"joints": skin.joints} for skin in data.skins or ()],
        "extensions": data.extensions or {},
        "extensionsUsed": data.extensions_used or [],
    }
    return document


def _read_scene(scene: Any) -> JsonObject:
    value: JsonObject = {"nodes": scene.nodes}
    return value | ({"extensions": scene.extensions} if scene.extensions else {})


def _read_node(node: Any) -> JsonObject:
    members = vars(node)
    return {name: value for name in _READ if (value := members[name]) is not None}


def set_read(data: Any, document: JsonObject) -> None:
    """Change the tree of a document that is read, before objects are made of its nodes."""
    from io_scene_gltf2.io.com import gltf2_io

    nodes = document["nodes"]
    for node, value in zip(data.nodes, nodes, strict=False):
        _set_place(node, value)
        _set_mesh(node, value)
        node.children = value.get("children")
    del data.nodes[len(nodes) :]
    data.nodes.extend(gltf2_io.Node.from_dict(value) for value in nodes[len(data.nodes) :])
    lists = [scene["nodes"] for scene in document["scenes"]]
    for scene, roots in zip((s for s in data.scenes or () if s.nodes), lists, strict=True):
        scene.nodes = roots


def _set_mesh(node: Any, value: JsonObject) -> None:
    for name in _MESH:
        setattr(node, name, value.get(name))


def _set_place(node: Any, value: JsonObject) -> None:
    for name in _PLACE:
        if (value.get(name) or None) != (getattr(node, name) or None):
            setattr(node, name, value.get(name))

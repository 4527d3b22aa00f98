"""Faults of whole documents, and those of KHR_physics_rigid_bodies."""

from collections.abc import Iterator
from typing import Any

from .dialects import (
    BASE_NODE,
    BODY_NODE,
    CONNECTED,
    JOINT,
    JOINT_NODE,
    KHR,
    RIGID,
    Json,
)
from .fault import (
    Change,
    Fault,
    extension,
    fault,
    node,
    settings,
    with_triangle,
)


def of_documents() -> Iterator[Fault]:
    yield fault("nodes_in_a_circle", "a node is below itself", "J407", _circle)
    yield fault("node_with_two_parents", "a node has two parents", "J407", _two_parents)
    yield fault("child_missing", "there is no node 77", "J401", _child)
    yield fault("scene_node_missing", "a scene names a node that does not exist", "J401", _root)
    title = "a mesh refers to an accessor that does not exist"
    yield fault("accessor_missing", title, "J401", with_triangle(_no_accessor))
    yield fault(
        "buffer_too_short", "a view ends behind its buffer", "J497", with_triangle(_short_buffer)
    )
    yield fault(
        "view_too_short", "an accessor ends behind its view", "J497", with_triangle(_short_view)
    )
    yield fault("version_missing", "asset.version is required", "J414", _version)
    yield fault(
        "transform_of_text",
        "a translation is three numbers",
        "J408",
        node(CONNECTED, translation="left"),
    )
    yield fault(
        "children_of_text", "children are an array", "J409", node(BASE_NODE, children="all")
    )
    yield fault("written_by_godot", "a release of Godot wrote the document", "J494", _by_godot)
    yield fault("extension_not_read", "vehicles are not joints", "J499", _vehicle)
    yield fault("gravity_without_direction", "a direction of no length", "J490", _gravity)
    yield fault("extension_listed_twice", "an extension is listed twice", "J431", _listed_twice)
    yield fault(
        "extension_required", "viewers without physics would refuse the file", "J412", _required
    )
    yield fault(
        "buffer_elsewhere", "a buffer outside of the folder", "J411", with_triangle(_elsewhere)
    )


def _circle(document: Json) -> None:
    document["nodes"][JOINT_NODE]["children"] = [BODY_NODE]


def _two_parents(document: Json) -> None:
    document["nodes"][BASE_NODE]["children"].append(JOINT_NODE)


def _child(document: Json) -> None:
    document["nodes"][BASE_NODE]["children"].append(77)


def _root(document: Json) -> None:
    document["scenes"][0]["nodes"].append(99)


def _version(document: Json) -> None:
    del document["asset"]["version"]


def _no_accessor(document: Json) -> None:
    document["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 4


def _short_buffer(document: Json) -> None:
    document["bufferViews"][0]["byteLength"] = 48


def _short_view(document: Json) -> None:
    document["accessors"][0]["count"] = 4


def _listed_twice(document: Json) -> None:
    document["extensionsUsed"].append(JOINT)


def _required(document: Json) -> None:
    document["extensionsRequired"] = [JOINT]


def _elsewhere(document: Json) -> None:
    document["buffers"][0]["uri"] = "../../secret.bin"


def of_khr() -> Iterator[Fault]:
    def both(document: Json) -> None:
        settings(document)["limits"][2]["linearAxes"] = [2]

    yield fault("khr_limit_of_both_kinds", "linear or angular axes, not both", "K001", both, KHR)
    yield fault("khr_mass_missing", "engines compute the mass", "B041", _khr_motion(mass=None), KHR)
    yield fault("khr_mass_zero", "a mass of 0 means infinite", "B042", _khr_motion(mass=0.0), KHR)
    yield fault(
        "khr_inertia_zero",
        "a moment of 0 means infinite",
        "B043",
        _khr_motion(inertiaDiagonal=[0.0, 0.03, 0.03]),
        KHR,
    )
    yield fault(
        "khr_geometry_missing", "a collider without geometry", "S040", _khr_collider({}), KHR
    )
    yield fault(
        "khr_geometry_empty",
        "a geometry without shape or mesh",
        "S041",
        _khr_collider({"geometry": {}}),
        KHR,
    )


def _khr_motion(**members: Any) -> Change:
    def changed(document: Json) -> None:
        values = extension(document, BODY_NODE, RIGID)["motion"]
        values.update(members)
        for name in [name for name, value in members.items() if value is None]:
            del values[name]

    return changed


def _khr_collider(values: Json) -> Change:
    return lambda document: extension(document, BODY_NODE, RIGID).update(collider=values)


def _by_godot(document: Json) -> None:
    document["asset"]["generator"] = "Godot Engine v4.6.3.stable.official"


def _vehicle(document: Json) -> None:
    extensions = document["nodes"][BODY_NODE]["extensions"]
    extensions["OMI_vehicle_body"] = {"angularDampeners": True}
    document["extensionsUsed"].append("OMI_vehicle_body")


def _gravity(document: Json) -> None:
    document["extensions"]["OMI_physics_gravity"] = {"gravity": 1.62, "direction": [0, 0, 0]}
    document["extensionsUsed"].append("OMI_physics_gravity")

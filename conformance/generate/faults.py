"""Documents with one fault each, and the findings that a checker must report."""

import base64
import copy
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .dialects import (
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
        feature = next(each for each in ranges() if each.name == "hinge_z_max")
        document = copy.deepcopy(joint_document(feature, self.dialect))
        self.change(document)
        return document


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


def added_limit(**members: Any) -> Change:
    return lambda document: settings(document)["limits"].append(members)


def fault(name: str, title: str, codes: str, change: Change, dialect: str = OMI) -> Fault:
    split = tuple(f"OMI-{code}" for code in codes.split())
    return Fault(name=name, title=title, codes=split, change=change, dialect=dialect)


def of_limits() -> Iterator[Fault]:
    yield fault("limit_without_axes", "a limit names no axes", "J101", limit(angularAxes=None))
    yield fault("limit_without_bounds", "neither min nor max", "J102", limit(min=None, max=None))
    yield fault("limit_reversed", "min is above max", "J103", limit(min=1.0, max=-1.0))
    yield fault(
        "limits_contradict",
        "two limits on one axis have nothing in common",
        "J107",
        added_limit(angularAxes=[2], min=1.5, max=2.0),
    )
    yield fault("limit_in_degrees", "90 radians", "J106 J113", limit(min=-90.0, max=90.0))
    yield fault(
        "limit_in_millimeters",
        "300 meters",
        "J114",
        lambda document: settings(document)["limits"].append(
            {"linearAxes": [2], "min": -300.0, "max": 300.0}
        ),
    )
    yield fault(
        "limit_of_rounding", "a lock but for rounding", "J115", limit(min=1.0, max=1.0000001)
    )
    yield fault("limit_axis_3", "axes are 0, 1 and 2", "J430", limit(angularAxes=[3]))
    yield fault("limit_axis_twice", "an axis is named twice", "J431", limit(angularAxes=[2, 2]))
    yield fault("limit_min_text", "min is a text", "J421", limit(min="wide"))
    yield fault(
        "limit_damping_negative", "damping is negative", "J423", limit(stiffness=10.0, damping=-1.0)
    )
    yield fault(
        "limit_undamped", "a soft limit without damping rings", "J109", limit(stiffness=10.0)
    )


def of_drives() -> Iterator[Fault]:
    yield fault("drive_without_type", "type is required", "J427", driving(type=None))
    yield fault("drive_without_mode", "mode is required", "J427", driving(mode=None))
    yield fault("drive_without_axis", "axis is required", "J428", driving(axis=None))
    yield fault(
        "drive_without_target",
        "no target: the drive does nothing",
        "J201",
        driving(velocityTarget=None),
    )
    yield fault(
        "drive_beyond_limit",
        "the target is outside of the limits",
        "J205",
        driving(positionTarget=2.0, stiffness=10.0),
    )
    yield fault(
        "drive_too_stiff",
        "the body would swing 4,300 times a second",
        "J208",
        driving(positionTarget=0.5, stiffness=4e8),
    )
    yield fault(
        "drive_too_damped",
        "the body needs 1,000 seconds for most of the way",
        "J209",
        driving(positionTarget=0.5, stiffness=10.0, damping=10000.0),
    )


def of_joints() -> Iterator[Fault]:
    yield fault("joint_unconnected", "connectedNode is required", "J429", joint(connectedNode=None))
    yield fault("joint_node_missing", "there is no node 99", "J401", joint(connectedNode=99))
    yield fault("joint_settings_missing", "there are no settings 7", "J401", joint(joint=7))
    yield fault(
        "joint_within_one_body",
        "both frames are on the same body",
        "J009",
        joint(connectedNode=JOINT_NODE),
    )
    yield fault("joint_of_statics", "neither body can move", "J007", motion(type="static"))

    def on_nothing(document: Json) -> None:
        del document["nodes"][BASE_NODE]["extensions"]

    yield fault("joint_to_no_body", "the connected node is on no body", "J006", on_nothing)

    def on_body(document: Json) -> None:
        joint_ = document["nodes"][JOINT_NODE].pop("extensions")[JOINT]
        document["nodes"][BODY_NODE]["extensions"][JOINT] = joint_

    yield fault("joint_on_body", "the joint is on the node of the body", "J012", on_body)

    def twice(document: Json) -> None:
        copy_ = copy.deepcopy(document["nodes"][JOINT_NODE])
        document["nodes"].append(copy_ | {"name": "Joint again"})
        document["nodes"][BODY_NODE]["children"].append(len(document["nodes"]) - 1)

    yield fault("joint_twice", "two joints connect the same frames", "J013", twice)

    def stretched(document: Json) -> None:
        document["nodes"][CONNECTED]["scale"] = [1.0, 2.0, 1.0]

    yield fault("frame_stretched", "an attachment frame is stretched", "J301", stretched)

    def unlisted(document: Json) -> None:
        document["extensionsUsed"].remove(JOINT)

    yield fault("extension_unlisted", "extensionsUsed lacks an extension", "J402", unlisted)

    def old(document: Json) -> None:
        document["extensions"][JOINT] = {"constraints": settings(document)["limits"]}
        values = {"constraints": [0, 1, 2], "nodeA": BODY_NODE, "nodeB": BASE_NODE}
        document["nodes"][JOINT_NODE]["extensions"][JOINT] = values

    yield fault("form_of_2023", "the form that the extension had in 2023", "J447", old)


def of_bodies() -> Iterator[Fault]:
    yield fault("mass_zero", "no body has no mass", "B003", motion(mass=0.0))
    yield fault("motion_without_type", "type is required", "B001", motion(type=None))
    yield fault("motion_unknown", "an unknown motion type", "B002", motion(type="rigid"))

    def bare(document: Json) -> None:
        del extension(document, BODY_NODE, BODY)["collider"]
        document["nodes"][BODY_NODE]["mesh"] = 0
        document.update(TRIANGLE)

    yield fault("body_without_shape", "a dynamic body that is seen and has no shape", "B016", bare)

    def both_lists(document: Json) -> None:
        lists = {"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]}
        document["extensions"][BODY] = {"collisionFilters": [lists]}
        extension(document, BODY_NODE, BODY)["collider"]["collisionFilter"] = 0

    yield fault("filter_with_both_lists", "the two lists exclude each other", "B005", both_lists)
    yield fault("shape_unknown", "an unknown shape", "S001", shape(type="torus", torus={}))
    yield fault(
        "shape_radius_negative",
        "a negative radius",
        "S002",
        shape(type="sphere", sphere={"radius": -1.0}),
    )

    def no_shape(document: Json) -> None:
        extension(document, BODY_NODE, BODY)["collider"]["shape"] = 5

    yield fault("shape_missing", "there is no shape 5", "S003", no_shape)


def of_documents() -> Iterator[Fault]:
    def circle(document: Json) -> None:
        document["nodes"][JOINT_NODE]["children"] = [BODY_NODE]

    yield fault("nodes_in_a_circle", "a node is below itself", "J407", circle)

    def two_parents(document: Json) -> None:
        document["nodes"][BASE_NODE]["children"].append(JOINT_NODE)

    yield fault("node_with_two_parents", "a node has two parents", "J407", two_parents)

    def child(document: Json) -> None:
        document["nodes"][BASE_NODE]["children"].append(77)

    yield fault("child_missing", "there is no node 77", "J401", child)

    def root(document: Json) -> None:
        document["scenes"][0]["nodes"].append(99)

    yield fault("scene_node_missing", "a scene names a node that does not exist", "J401", root)

    def version(document: Json) -> None:
        del document["asset"]["version"]

    def meshes(change: Change) -> Change:
        def changed(document: Json) -> None:
            document.update(copy.deepcopy(TRIANGLE))
            change(document)

        return changed

    def no_accessor(document: Json) -> None:
        document["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 4

    def short_buffer(document: Json) -> None:
        document["bufferViews"][0]["byteLength"] = 48

    def short_view(document: Json) -> None:
        document["accessors"][0]["count"] = 4

    title = "a mesh refers to an accessor that does not exist"
    yield fault("accessor_missing", title, "J401", meshes(no_accessor))
    yield fault("buffer_too_short", "a view ends behind its buffer", "J497", meshes(short_buffer))
    yield fault("view_too_short", "an accessor ends behind its view", "J497", meshes(short_view))
    yield fault("version_missing", "asset.version is required", "J414", version)


def of_khr() -> Iterator[Fault]:
    def both(document: Json) -> None:
        settings(document)["limits"][2]["linearAxes"] = [2]

    yield fault("khr_limit_of_both_kinds", "linear or angular axes, not both", "K001", both, KHR)


def faults() -> list[Fault]:
    """Return all faults."""
    return [
        *of_limits(),
        *of_drives(),
        *of_joints(),
        *of_bodies(),
        *of_documents(),
        *of_khr(),
    ]

"""Examples for what Godot's importer makes of files."""

from collections.abc import Iterator
from typing import Any

from conformance.generate import joints
from conformance.generate.dialects import (
    BODY,
    BODY_NODE,
    CONNECTED,
    JOINT_NODE,
    KHR,
    OMI,
    Json,
)
from conformance.generate.fault import (
    extension,
    motion,
    node,
    shape,
    sound,
    with_triangle,
)
from conformance.generate.feature import Feature, X, Y, Z
from conformance.generate.joints import PINNED, STIFF, angular, linear, turned

from .gltf import (
    CONE,
    RAIL,
    RANGE,
    changed,
    featured,
    hinge,
    joint,
    motor,
    opening,
    pair,
    spring,
    still,
    swap,
    without_base,
)
from .pair import Pair


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    yield from _axes()
    yield from _limits()
    yield from _drives()
    yield from _frames()
    yield from _bodies()


def _about(axis: int, **values: Any) -> Feature:
    return joints.hinge("hinge", "", axis, angular(axis, min=-0.5, max=0.5), **values)


def _along(axis: int) -> Feature:
    return joints.slider("slider", "", axis, joints.linear(axis, min=-0.2, max=0.2))


def _axes() -> Iterator[Pair]:
    x, y, z = (featured(_about(axis)) for axis in (X, Y, Z))
    yield pair("E104", "a hinge about X, and about Z", x, z)
    yield pair("E105", "a hinge about Y, and about Z", y, z)
    yield pair("E106", "a slider along Y, and along X", featured(_along(Y)), featured(_along(X)))
    rail = (linear(Y, Z, min=0.0, max=0.0), angular(Y, Z, min=0.0, max=0.0), RAIL[1])
    yield pair(
        "E115",
        "a slider that can turn",
        joint(*rail),
        joint(*rail, angular(X, min=0.0, max=0.0)),
    )
    yield pair(
        "E117 E113 E114 E126 E116",
        "a lock at an angle, and frames turned by that angle",
        featured(joints.hinge("lock", "", Z, angular(Z, min=0.5, max=0.5), start=turned(0.5, Z))),
        joint(PINNED, STIFF),
    )


def _limits() -> Iterator[Pair]:
    yield pair("E101 E114", "one bound", hinge(angular(Z, max=0.5)), hinge(RANGE))
    yield pair(
        "E107", "a soft bound", hinge(RANGE | {"stiffness": 50.0, "damping": 1.0}), hinge(RANGE)
    )
    ranges = [angular(axis, min=-0.5, max=0.5) for axis in (Y, Z)]
    yield pair("E108", "a cone", joint(PINNED, CONE), joint(PINNED, *ranges))
    yield pair(
        "E109 J108",
        "two limits on one axis",
        hinge(angular(Z, min=-1.0, max=1.0), RANGE),
        hinge(RANGE),
    )
    yield pair("E114", "an uneven range", hinge(RANGE | {"max": 0.9}), hinge(RANGE))
    yield pair("E116", "a bound without damping", hinge(RANGE), hinge(RANGE | {"damping": 1.0}))
    yield pair("E126 J305 E114", "a range without zero", hinge(RANGE | {"min": 0.2}), hinge(RANGE))
    yield pair("E129", "a bound that changes over time", opening(), still())


def _drives() -> Iterator[Pair]:
    about_x = _about(X, drives=list(spring(axis=X)))
    yield pair(
        "E102 E116",
        "a spring on a hinge about Z, and about X",
        hinge(RANGE, drives=spring()),
        featured(about_x),
    )
    yield pair(
        "E110 E116",
        "a spring and a velocity target on a hinge about Z, and a spring about X",
        hinge(RANGE, drives=spring(velocityTarget=0.5)),
        featured(about_x),
    )
    on_rail = spring("linear", X)
    yield pair(
        "E103",
        "a spring with a velocity target",
        joint(*RAIL, drives=spring("linear", X, velocityTarget=0.5)),
        joint(*RAIL, drives=on_rail),
    )
    yield pair(
        "E111",
        "a drive in acceleration mode",
        joint(*RAIL, drives=spring("linear", X, mode="acceleration")),
        joint(*RAIL, drives=on_rail),
    )
    yield pair(
        "E118",
        "the damping of a motor, and that of a spring",
        joint(*RAIL, drives=motor("linear", X)),
        joint(*RAIL, drives=on_rail),
    )


def _frames() -> Iterator[Pair]:
    pivot = {"name": "Pivot", "children": [JOINT_NODE]}
    yield pair(
        "E112 J010",
        "a node between the joint and its body",
        changed(lambda document: document["nodes"].append(pivot), node(BODY_NODE, children=[4])),
        hinge(),
    )

    def sliding() -> Json:
        return joint(*RAIL)

    yield pair(
        "E113 J303",
        "the frames are apart",
        changed(node(CONNECTED, translation=[0.0, 0.0, 0.1]), of=sliding),
        sliding(),
    )
    yield pair(
        "E123 J005",
        "the joint is below the node that is no body",
        changed(without_base, swap),
        changed(without_base),
    )
    yield pair("E125", "KHR_physics_rigid_bodies alone", sound(KHR), sound(OMI))
    yield pair("E128", "two nodes of one name", changed(node(BODY_NODE, name="Base")), hinge())


def _bodies() -> Iterator[Pair]:
    seen = {"name": "Seen", "mesh": 0}

    def below(document: Json) -> None:
        document["nodes"].append(seen)
        document["nodes"][BODY_NODE]["children"].append(4)

    yield pair(
        "E124",
        "the mesh of a body, and of a node below it",
        changed(with_triangle(node(BODY_NODE, mesh=0))),
        changed(with_triangle(below)),
    )
    tube = {"height": 0.2, "radiusBottom": 0.05, "radiusTop": 0.05}
    cylinder = changed(shape(type="cylinder", cylinder=tube))
    yield pair(
        "E119",
        "a capsule, and a cylinder",
        changed(shape(type="capsule", capsule=tube)),
        cylinder,
    )
    yield pair(
        "E120",
        "a taper",
        changed(shape(type="cylinder", cylinder=tube | {"radiusTop": 0.02})),
        cylinder,
    )
    yield pair("E121", "half the gravity", changed(motion(gravityFactor=0.5)), hinge())
    half = [0.0, 0.0, 0.7071068, 0.7071068]
    yield pair(
        "E122",
        "an inertia that is turned by a quarter, and the same one about the body's axes",
        changed(motion(inertiaDiagonal=[0.01, 0.02, 0.025], inertiaOrientation=half)),
        changed(motion(inertiaDiagonal=[0.02, 0.01, 0.025])),
    )
    yield pair("E127", "a collision filter", changed(_filtered), hinge())
    yield pair("E130", "a body on a bone, and beside it", changed(_skinned), hinge())


def _skinned(document: Json) -> None:
    document["skins"] = [{"joints": [BODY_NODE]}]


def _filtered(document: Json) -> None:
    document["extensions"][BODY] = {"collisionFilters": [{"collisionSystems": ["door"]}]}
    extension(document, BODY_NODE, BODY)["collider"]["collisionFilter"] = 0

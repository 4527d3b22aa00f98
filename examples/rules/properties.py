"""Examples for what engines make of bodies, surfaces, and several drives."""

import base64
import struct
from collections.abc import Iterator

from conformance.generate.dialects import BASE_NODE, BODY, BODY_NODE, JOINT, JOINT_NODE, SHAPE, Json
from conformance.generate.fault import (
    Change,
    base_motion,
    extension,
    motion,
    node,
    shape,
    with_triangle,
)
from conformance.generate.feature import X

from .gltf import RAIL, RANGE, changed, hinge, joint, motor, pair, spring
from .pair import Pair

_ROUGH = {"staticFriction": 0.7, "dynamicFriction": 0.3}
_PLAIN = {"staticFriction": 0.3, "dynamicFriction": 0.3}
_THROWN = {"linearVelocity": [0.2, 0.1, 0.0]}
_TURNED = node(BODY_NODE, rotation=[0.2588190451, 0.0, 0.0, 0.9659258263])
_TUBE = {"height": 0.2, "radiusBottom": 0.05, "radiusTop": 0.05}
_FLAT = {"type": "trimesh", "trimesh": {"mesh": 0}}
_FOLDED = "two triangles that form a valley, and a ridge"
_HULL = {"type": "convex", "convex": {"mesh": 0}}


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    yield from _of_godot()
    yield from _of_khr()
    yield from _of_physx()
    yield from _of_newton()
    yield from _of_mujoco()


def _surface(*materials: Json) -> Change:
    """Return a change that gives the body, and the base, the first and the last material."""

    def change(document: Json) -> None:
        document["extensions"][BODY] = {"physicsMaterials": [dict(each) for each in materials]}
        for place, index in ((BODY_NODE, 0), (BASE_NODE, len(materials) - 1)):
            extension(document, place, BODY)["collider"]["physicsMaterial"] = index

    return change


def _loose(document: Json) -> None:
    """Take the joint away."""
    del document["extensions"]["OMI_physics_joint"]
    document["nodes"][3].pop("extensions")
    document["extensionsUsed"].remove("OMI_physics_joint")


def _base(sizes: Json) -> Change:
    """Return a change that gives the base a shape of its own."""

    def change(document: Json) -> None:
        document["extensions"][SHAPE]["shapes"].append(sizes)
        extension(document, BASE_NODE, BODY)["collider"]["shape"] = 1

    return change


def _folded(change: Change, *triangles: int) -> Change:
    """Return a change of a document that also has a mesh of two triangles which meet at an edge."""
    points = struct.pack("<12f", *(0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1))
    data = points + struct.pack(f"<{len(triangles)}H", *triangles)
    text = base64.b64encode(data).decode("ascii")
    views = [
        {"buffer": 0, "byteLength": 48},
        {"buffer": 0, "byteOffset": 48, "byteLength": len(data) - 48},
    ]
    bounds = {"min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0]}
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", **bounds},
        {"bufferView": 1, "componentType": 5123, "count": len(triangles), "type": "SCALAR"},
    ]
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}

    def changed(document: Json) -> None:
        uri = f"data:application/octet-stream;base64,{text}"
        document.update(
            buffers=[{"uri": uri, "byteLength": len(data)}],
            bufferViews=[dict(each) for each in views],
            accessors=[dict(each) for each in accessors],
            meshes=[{"primitives": [primitive]}],
        )
        change(document)

    return changed


def _box(x: float, y: float, z: float) -> Json:
    return {"type": "box", "box": {"size": [x, y, z]}}


def _two(**second: object) -> Json:
    return joint(*RAIL, drives=(*spring("linear", X), *motor("linear", X, **second)))


def _of_godot() -> Iterator[Pair]:
    one = joint(*RAIL, drives=spring("linear", X))
    yield pair("E131", "a friction of 0.3", changed(_surface(_PLAIN)), hinge())
    yield pair(
        "E132",
        "a velocity of a body that is turned, and of one that is not",
        changed(_TURNED, motion(**_THROWN), _loose),
        changed(motion(**_THROWN), _loose),
    )
    yield pair(
        "E133",
        "a velocity of a kinematic body",
        changed(motion(type="kinematic", **_THROWN), _loose),
        changed(motion(type="kinematic"), _loose),
    )
    yield pair(
        "E134",
        "90 m/s, and 0.9",
        changed(motion(linearVelocity=[90.0, 0.0, 0.0], gravityFactor=0.0), _loose),
        changed(motion(linearVelocity=[0.9, 0.0, 0.0], gravityFactor=0.0), _loose),
    )
    yield pair("E135", "a body that moves", hinge(), changed(motion(type="static")))
    yield pair(
        "E136",
        "a spring with a maximum force",
        joint(*RAIL, drives=spring("linear", X, maxForce=2.3)),
        one,
    )
    yield pair(
        "E137",
        "a motor with a maximum torque on a hinge about Z",
        hinge(RANGE, drives=motor(maxForce=2.3)),
        hinge(RANGE, drives=motor()),
    )
    yield pair("E138 E118 J204", "a spring and a motor on one axis", _two(), one)


def _of_khr() -> Iterator[Pair]:
    yield pair("E212", "an inertia, and a mass of 2 kg", hinge(), changed(motion(mass=1.0)))
    one = joint(*RAIL, drives=motor("linear", X))
    yield pair("E213 J204", "a spring and a motor on one axis", _two(), one)
    yield pair("E214 J204", "a motor with a maximum force beside a spring", _two(maxForce=2.3), one)
    yield pair("E215 E212", "a body that moves", hinge(), changed(motion(type="static")))


def _of_physx() -> Iterator[Pair]:
    yield pair(
        "E313",
        "a velocity of a body that is turned, and of one that is not",
        changed(_TURNED, motion(**_THROWN), _loose),
        changed(motion(**_THROWN), _loose),
    )
    yield pair(
        "E314",
        "a velocity of a kinematic body",
        changed(motion(type="kinematic", **_THROWN), _loose),
        changed(motion(type="kinematic"), _loose),
    )
    yield pair("E315", "half the gravity", changed(motion(gravityFactor=0.5)), hinge())
    tube = shape(type="cylinder", cylinder=_TUBE)
    yield pair(
        "E316",
        "a cylinder above a floor of 40 m, and of 10 m",
        changed(tube, _base(_box(40.0, 0.2, 4.0))),
        changed(tube, _base(_box(10.0, 0.2, 4.0))),
    )


def _of_mujoco() -> Iterator[Pair]:
    yield pair("E801", "a body that moves", hinge(), changed(motion(type="static")))
    bounces = changed(_surface(_PLAIN | {"restitution": 0.4}))
    yield pair("E802", "a bounce", bounces, changed(_surface(_PLAIN)))
    yield pair(
        "E804 E801",
        "a body without a joint",
        changed(_loose),
        changed(motion(type="static"), _loose),
    )
    yield pair("E803", _FOLDED, *_valley_and_ridge())


def _valley_and_ridge() -> tuple[Json, Json]:
    one, two = (_folded(_base(_FLAT), *each) for each in ((0, 1, 2, 3, 2, 1), (0, 2, 1, 3, 1, 2)))
    return changed(one), changed(two)


def _of_newton() -> Iterator[Pair]:
    fixed = node(BASE_NODE, extras={BODY: {"articulation": {"fixed": True}}})
    yield pair("E612", "a joint in no articulation", hinge(), changed(fixed))
    yield pair("E625 E612", "a body that moves", hinge(), changed(motion(type="static")))
    yield pair("E613", "half the gravity", changed(motion(gravityFactor=0.5)), hinge())
    yield pair(
        "E614",
        "a velocity of a kinematic body",
        changed(motion(type="kinematic", **_THROWN), _loose),
        changed(motion(type="kinematic"), _loose),
    )
    plain = changed(_surface(_PLAIN))
    yield pair("E615", "two frictions of a surface", changed(_surface(_ROUGH)), plain)
    yield pair(
        "E616",
        "a friction of 0.3 upon 0.5",
        changed(_surface(_PLAIN, _PLAIN | {"staticFriction": 0.5, "dynamicFriction": 0.5})),
        plain,
    )
    yield pair("E627", "a surface", plain, hinge())
    yield pair("E617", "a bounce", changed(_surface(_PLAIN | {"restitution": 0.4})), plain)
    yield pair(
        "E618",
        "a flat mesh, and its hull",
        changed(with_triangle(_base(_FLAT))),
        changed(with_triangle(_base(_HULL))),
    )
    yield pair(
        "E626",
        _FOLDED,
        *_valley_and_ridge(),
    )
    yield pair(
        "E619",
        "a convex hull, and a box",
        changed(with_triangle(shape(**_HULL))),
        changed(with_triangle(shape(**_box(0.1, 0.1, 0.1)))),
    )
    yield pair(
        "E620",
        "90 m/s, and 0.9",
        changed(motion(linearVelocity=[90.0, 0.0, 0.0], gravityFactor=0.0), _loose),
        changed(motion(linearVelocity=[0.9, 0.0, 0.0], gravityFactor=0.0), _loose),
    )
    yield pair(
        "E621 J015",
        "200 kg and 2 kg",
        changed(base_motion(type="dynamic", mass=200.0)),
        changed(base_motion(type="dynamic", mass=20.0)),
    )
    beside = joint(*RAIL, drives=motor("linear", X))
    yield pair("E622 J204", "a spring and a motor on one axis", _two(), beside)
    weak = node(JOINT_NODE, extras={JOINT: {"breakForce": 9.0}})
    yield pair("E624", "a joint that breaks", changed(weak), hinge())
    yield pair(
        "E623 J021",
        "a velocity of a body on a joint",
        changed(motion(**_THROWN)),
        changed(),
    )

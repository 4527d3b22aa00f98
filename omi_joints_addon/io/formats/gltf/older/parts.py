"""Members that the extensions had in older forms, and what each is in the next form: data.

Taken from the texts, schemas and examples in the histories of the extensions' repositories, and
from what Godot 4.0 to 4.6 reads and writes. Each part leads to the next one, the last of them to
the form of today. SI units, radians, glTF axes (Y up).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ..khr import implicit_shapes, rigid_bodies
from ..omi import body, joint, shape
from .values import (
    DYNAMIC_TYPES,
    SHAPE_TYPES,
    as_list,
    doubled,
    lower,
    principal_inertia,
    with_radii,
    with_total_height,
    word_of,
)

DOCUMENT, NODE, SCENE = "document", "node", "scene"
NOT_READ = ""
"""Name of a member that is not read: the report names it."""
ELSEWHERE = "?"
"""Name of a member that `bodies`, `geometries` or `joints` take care of."""
Convert = Callable[[Any], Any]


class Row(NamedTuple):
    """A member of an older form."""

    path: str
    """Where it is in the extension object; `[]` is an element of an array."""
    name: str
    """Its name in the next form, in the object that it was in.

    A dotted one is deeper, `{type}` is the type of the shape, `*` stands for the members of its
    value, and `/array/name` is a member of a new element of an array of the document.
    """
    convert: Convert | None = None
    """What makes its value one of the next form."""
    means: str = ""
    """What it becomes, in words, where the name does not say it."""
    default: Any = None
    """Value that says nothing, which is not worth a finding."""


class OlderPart(NamedTuple):
    """An extension object as it was until some month, and its members that have changed."""

    owner: str
    extension: str
    until: str
    following: str
    """Extension that it is read as; its own name where only members have changed."""
    rows: tuple[Row, ...] = ()


def _volume(name: str) -> tuple[Row, ...]:
    """Return the members of a collider or trigger that held its own shape and filter."""
    return (
        Row(f"{name}.sphere", "/colliders/sphere"),
        Row(f"{name}.box", "/colliders/box"),
        Row(f"{name}.capsule", "/colliders/capsule", with_radii),
        Row(f"{name}.cylinder", "/colliders/cylinder", with_radii),
        Row(f"{name}.convex", "/colliders/convex"),
        Row(f"{name}.mesh", "/colliders/trimesh"),
        Row(f"{name}.trimesh", "/colliders/trimesh"),
        Row(f"{name}.collisionSystem", "/collisionFilters/collisionSystems", as_list),
        Row(f"{name}.collideWithLayers", "/collisionFilters/collideWithSystems"),
        Row(f"{name}.collideWithSystems", "/collisionFilters/collideWithSystems"),
        Row(f"{name}.notCollideWithSystems", "/collisionFilters/notCollideWithSystems"),
        Row(f"{name}.collisionLayers", NOT_READ),
        Row(f"{name}.collisionMask", NOT_READ),
        Row(f"{name}.isHollow", NOT_READ, default=False),
    )


def _geometry(name: str) -> tuple[Row, ...]:
    """Return the members of a collider or trigger before there were geometries."""
    return (
        Row(f"{name}.shape", "geometry.shape"),
        Row(f"{name}.convexHull", "geometry.convexHull"),
        Row(f"{name}.useNodeWeights", NOT_READ, default=False),
        Row(f"{name}.mesh", "geometry"),
        Row(f"{name}.mesh.skin", NOT_READ),
        Row(f"{name}.mesh.weights", NOT_READ),
        Row(f"{name}.mesh.useNodeWeights", NOT_READ, default=False),
    )


_INLINE = ("type", "size", "radius", "height", "mesh", "isTrigger", "center")
_MATERIALS = (
    Row("physicsMaterials[].frictionCombine", "frictionCombine", lower, "in lower case"),
    Row("physicsMaterials[].restitutionCombine", "restitutionCombine", lower, "in lower case"),
)
_SPRINGS = (
    Row("physicsJointLimits[].limits[].springConstant", "stiffness"),
    Row("physicsJointLimits[].limits[].springDamping", "damping"),
)
_KHR, _IMPLICIT = rigid_bodies.EXTENSION, implicit_shapes.EXTENSION
_SHAPE, _BODY, _JOINT = shape.EXTENSION, body.EXTENSION, joint.EXTENSION
PARTS = (
    OlderPart(
        NODE,
        "MSFT_CollisionPrimitives",
        "July 2023",
        "MSFT_physics",
        (
            Row(
                "collider",
                "collider",
                lambda value: value if isinstance(value, dict) else {"collider": value},
            ),
        ),
    ),
    OlderPart(
        DOCUMENT,
        "MSFT_CollisionPrimitives",
        "July 2023",
        "MSFT_collision_primitives",
        (
            Row("colliders[].collisionSystem", NOT_READ),
            Row("colliders[].collideWithSystems", NOT_READ),
            Row("colliders[].notCollideWithSystems", NOT_READ),
        ),
    ),
    OlderPart(
        NODE,
        "MSFT_RigidBodies",
        "July 2023",
        "MSFT_physics",
        (Row("physicsMaterial", "collider.physicsMaterial"),),
    ),
    OlderPart(DOCUMENT, "MSFT_RigidBodies", "July 2023", "MSFT_rigid_bodies"),
    OlderPart(
        SCENE, "MSFT_physics", "January 2023", "OMI_physics_gravity", (Row("gravity", ELSEWHERE),)
    ),
    OlderPart(DOCUMENT, "MSFT_physics", "July 2023", "MSFT_rigid_bodies"),
    OlderPart(
        NODE,
        "MSFT_physics",
        "July 2023",
        "MSFT_rigid_bodies",
        (
            Row("rigidBody", "motion"),
            Row(
                "rigidBody.inertiaTensor",
                "*",
                principal_inertia,
                "`motion.inertiaDiagonal`, `motion.inertiaOrientation`",
            ),
            Row("rigidBody.isEnabled", NOT_READ, default=True),
            *_volume("collider"),
            *_volume("trigger"),
            Row("joint.constraints", "/physicsJointLimits/limits"),
        ),
    ),
    OlderPart(
        DOCUMENT,
        "MSFT_collision_primitives",
        "August 2023",
        "KHR_collision_shapes",
        (Row("colliders", "shapes"),),
    ),
    OlderPart(DOCUMENT, "MSFT_rigid_bodies", "August 2023", "KHR_rigid_bodies"),
    OlderPart(
        NODE,
        "MSFT_rigid_bodies",
        "August 2023",
        "KHR_rigid_bodies",
        (Row("collider.collider", "shape"), Row("trigger.collider", "shape")),
    ),
    OlderPart(
        DOCUMENT,
        "KHR_rigid_bodies",
        "November 2023",
        _KHR,
        (Row("physicsJointLimits", "physicsJoints"), *_SPRINGS, *_MATERIALS),
    ),
    OlderPart(
        NODE,
        "KHR_rigid_bodies",
        "November 2023",
        _KHR,
        (Row("trigger.collider", "shape"), Row("joint.jointLimits", "joint")),
    ),
    OlderPart(NODE, _KHR, "September 2024", _KHR, (*_geometry("collider"), *_geometry("trigger"))),
    OlderPart(
        DOCUMENT,
        "KHR_collision_shapes",
        "October 2024",
        _IMPLICIT,
        (
            Row("colliders", "shapes"),
            Row("shapes[].convex", ELSEWHERE, means="`geometry.mesh`, `geometry.convexHull`"),
            Row("shapes[].trimesh", ELSEWHERE, means="`geometry.mesh`"),
            Row("shapes[].mesh", ELSEWHERE, means="`geometry.mesh`"),
            Row("shapes[].mesh.convexHull", "convexHull", means="`geometry.convexHull`"),
            Row("shapes[].mesh.skin", NOT_READ),
            Row("shapes[].mesh.weights", NOT_READ),
            Row("shapes[].mesh.useNodeWeights", NOT_READ, default=False),
        ),
    ),
    OlderPart(
        DOCUMENT,
        "OMI_collider",
        "June 2023",
        _SHAPE,
        (
            Row("colliders", "shapes"),
            Row("colliders[].extents", "size", doubled, "`box.size`, twice the number"),
            Row("colliders[].isTrigger", ELSEWHERE, means="`trigger` in place of `collider`"),
            Row("colliders[].center", ELSEWHERE, means="a node below"),
        ),
    ),
    OlderPart(
        NODE,
        "OMI_collider",
        "June 2023",
        _SHAPE,
        (
            Row("collider", "shape"),
            *(Row(name, f"/shapes/{name}") for name in _INLINE),
            Row("extents", "/shapes/size", doubled, "`box.size`, twice the number"),
        ),
    ),
    OlderPart(
        DOCUMENT,
        _SHAPE,
        "June 2023",
        _SHAPE,
        (
            Row("shapes[].type", "type", word_of(SHAPE_TYPES), "`hull` and `mesh` by other names"),
            Row("shapes[].size", "{type}.size"),
            Row("shapes[].radius", "{type}.radius"),
            Row("shapes[].height", "{type}.height"),
            Row("shapes[].mesh", "{type}.mesh"),
        ),
    ),
    OlderPart(
        DOCUMENT,
        _SHAPE,
        "September 2024",
        _SHAPE,
        (
            Row(
                "shapes[].capsule",
                "capsule",
                with_total_height,
                "`height` less both of `radius`, which is `radiusBottom` and `radiusTop`",
            ),
            Row(
                "shapes[].cylinder",
                "cylinder",
                with_radii,
                "`radius` is `radiusBottom` and `radiusTop`",
            ),
        ),
    ),
    OlderPart(
        NODE,
        _SHAPE,
        "August 2023",
        _BODY,
        (Row("shape", ELSEWHERE, means="`collider.shape`, of a trigger `trigger.shape`"),),
    ),
    OlderPart(
        NODE,
        _BODY,
        "August 2023",
        _BODY,
        (
            Row(
                "type",
                "motion.type",
                word_of(DYNAMIC_TYPES),
                "`rigid` and `vehicle` as dynamic, `character` as kinematic, `trigger` as "
                "`trigger`",
            ),
            Row("mass", "motion.mass"),
            Row("linearVelocity", "motion.linearVelocity"),
            Row("angularVelocity", "motion.angularVelocity"),
            Row("centerOfMass", "motion.centerOfMass"),
            Row(
                "inertiaTensor",
                "motion.*",
                principal_inertia,
                "`motion.inertiaDiagonal`, `motion.inertiaOrientation`",
            ),
            Row("shape_index", NOT_READ),
        ),
    ),
    OlderPart(
        NODE,
        _BODY,
        "February 2024",
        _BODY,
        (Row("trigger", ELSEWHERE, means="`trigger.nodes`, where it has no shape"),),
    ),
    OlderPart(
        DOCUMENT,
        _JOINT,
        "September 2024",
        _JOINT,
        (
            Row("constraints", ELSEWHERE, means="`physicsJoints[].limits`"),
            *(
                Row(f"constraints[].{name}", ELSEWHERE, means=f"`physicsJoints[].limits[].{new}`")
                for name, new in (
                    ("linearAxes", "linearAxes"),
                    ("angularAxes", "angularAxes"),
                    ("lowerLimit", "min"),
                    ("upperLimit", "max"),
                    ("stiffness", "stiffness"),
                    ("damping", "damping"),
                )
            ),
        ),
    ),
    OlderPart(
        NODE,
        _JOINT,
        "September 2024",
        _JOINT,
        (
            Row("constraints", ELSEWHERE, means="`joint`"),
            Row("nodeA", ELSEWHERE, means="the node is put below it"),
            Row("nodeB", ELSEWHERE, means="`connectedNode`, a new node below it"),
        ),
    ),
)
"""In the order of their time, those of one extension before those of the next."""
OLDER = frozenset(part.extension for part in PARTS if part.extension != part.following) - {_SHAPE}
"""Extensions that are not in use any more."""
ARRAYS = {
    "colliders": ("MSFT_collision_primitives", "collider"),
    "collisionFilters": ("MSFT_rigid_bodies", "collisionFilter"),
    "physicsJointLimits": ("MSFT_rigid_bodies", "jointLimits"),
    "shapes": (_SHAPE, "shape"),
}
"""Extension that has an array which values of nodes move into, and the member that refers to it."""

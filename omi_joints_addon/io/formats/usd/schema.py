"""What prims say of physics: the one list that reading, writing, edits and the inventory follow.

A row is an attribute. What UsdPhysics has itself is of the type and with the default that OpenUSD's
schema registry tells; rows of PhysX, Newton and MuJoCo have them here.
"""

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from ....core.model.body import CombineMode, MotionType
from .layer import plain
from .pxr_access import usd
from .units import AxisUnit, Unit

NUMBER, LENGTH, ANGLE, MASS = Unit(), Unit(length=1), Unit(degrees=1), Unit(mass=1)
FORCE, DENSITY = Unit(1, 1), Unit(1, -3)
TORQUE = Unit(1, 2)
"""Also that of moments of inertia, and of stiffness and damping per radian."""
BOUND = AxisUnit(LENGTH, ANGLE)
"""Limits, targets and velocities of one axis."""
EFFORT = AxisUnit(FORCE, TORQUE)
SPRING = AxisUnit(MASS, TORQUE)
"""Stiffness and damping of a soft limit of PhysX; also what a rotor adds to the inertia."""
GAIN = AxisUnit(MASS, Unit(1, 2, -1))
"""Stiffness and damping of a drive that is a force."""
ACCELERATION_GAIN = AxisUnit(NUMBER, Unit(degrees=-1))

RIGID_BODY, COLLISION = "PhysicsRigidBodyAPI", "PhysicsCollisionAPI"
TRIGGER, MIMIC, OLD_MIMIC = "PhysxTriggerAPI", "NewtonMimicAPI", "PhysxMimicJointAPI"
ARTICULATION, FILTERED = "PhysicsArticulationRootAPI", "PhysicsFilteredPairsAPI"
MARKS = frozenset((RIGID_BODY, COLLISION, TRIGGER, MIMIC, OLD_MIMIC, ARTICULATION, FILTERED))
"""Schemas that make a prim what it is, whatever attributes it has."""
PAIRS = "physics:filteredPairs"
"""Relationship to what a prim does not collide with."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One attribute; each is in the table once."""

    name: str
    """`{}` is the instance of a schema that is applied several times."""
    field: str = ""
    """What it is in the scene: a record, and a field of that."""
    unit: Unit | AxisUnit = NUMBER
    default: Any = ...
    """In the units of the stage; None is not given, `...` is what the registry tells."""
    kind: str = ""
    """Type of what no registry has; empty is that of its default."""
    is_endless: bool = False
    """Whether it may be infinite."""
    is_always: bool = False
    """Whether it is written where it is the default, too."""
    is_kept: bool = False
    """Whether a prim keeps it where the scene has nothing of it."""
    words: tuple[tuple[Any, Any], ...] = ()
    """Values of the scene with those of the attribute; others are the first one."""

    @property
    def record(self) -> str:
        """The record that it is a field of, empty for none."""
        return self.field.partition(".")[0]

    @property
    def member(self) -> str:
        """The field of that record."""
        return self.field.partition(".")[2]

    def named(self, instance: str) -> str:
        """Return the name for an instance of the schema."""
        return self.name.format(instance)


_DRIVE, _SURFACE = "drive:{}:physics:", "physxMaterial:"
_JOINT, _AXIS = "physxJoint:", "physxJointAxis:{}:"
_NOT = ((True, False), (False, True))
_MOVING = ((MotionType.DYNAMIC, False), (MotionType.KINEMATIC, True))
_MODES = tuple(zip(CombineMode, ("average", "min", "max", "multiply"), strict=True))
_TABLE = (
    Row("physics:axis"),
    Row("physics:lowerLimit", "limits.min", BOUND),
    Row("physics:upperLimit", "limits.max", BOUND),
    Row("physics:coneAngle0Limit", "limits.max", ANGLE, is_endless=True),
    Row("physics:coneAngle1Limit", "limits.max", ANGLE, is_endless=True),
    Row("physics:minDistance", "limits.min", LENGTH, is_endless=True),
    Row("physics:maxDistance", "limits.max", LENGTH, is_endless=True),
    Row("limit:{}:physics:low", "limits.min", BOUND),
    Row("limit:{}:physics:high", "limits.max", BOUND),
    Row("physxLimit:{}:stiffness", "limits.stiffness", SPRING, 0.0, is_endless=True),
    Row("physxLimit:{}:damping", "limits.damping", SPRING, 0.0),
    Row("physxPhysicsDistanceJoint:springEnabled", default=False),
    Row("physxPhysicsDistanceJoint:springStiffness", unit=MASS, default=0.0),
    Row("physxPhysicsDistanceJoint:springDamping", unit=MASS, default=0.0),
    Row(_DRIVE + "type", "drives.mode", is_always=True, is_kept=True),
    Row(_DRIVE + "targetPosition", "drives.position_target", BOUND, None, is_kept=True),
    Row(_DRIVE + "targetVelocity", "drives.velocity_target", BOUND, None, is_kept=True),
    Row(_DRIVE + "stiffness", "drives.stiffness", GAIN, is_always=True, is_kept=True),
    Row(_DRIVE + "damping", "drives.damping", GAIN, is_always=True, is_kept=True),
    Row(_DRIVE + "maxForce", "drives.max_force", EFFORT, is_kept=True),
    Row("physics:collisionEnabled"),
    Row("physics:localPos0"),
    Row("physics:localPos1"),
    Row("physics:localRot0"),
    Row("physics:localRot1"),
    Row("physics:jointEnabled", "joint.enabled"),
    Row("physics:excludeFromArticulation", "joint.in_articulation", words=_NOT),
    Row("physics:breakForce", "joint.break_force", FORCE),
    Row("physics:breakTorque", "joint.break_torque", TORQUE),
    Row(_JOINT + "jointFriction", "joint.friction", EFFORT, 0.0),
    Row(_JOINT + "armature", "joint.armature", SPRING, 0.0),
    Row(_JOINT + "maxJointVelocity", "joint.velocity", BOUND, math.inf),
    Row(_AXIS + "armature", "joint.armature", SPRING, is_kept=True),
    Row(_AXIS + "maxJointVelocity", "joint.velocity", BOUND, is_kept=True),
    Row(_AXIS + "staticFrictionEffort", "joint.friction", EFFORT, is_kept=True),
    Row(_AXIS + "dynamicFrictionEffort", "joint.friction", EFFORT, is_kept=True),
    Row("newton:armature", "joint.armature", SPRING, is_kept=True),
    Row("newton:friction", "joint.friction", EFFORT, is_kept=True),
    Row("newton:velocityLimit", "joint.velocity", BOUND, is_kept=True),
    Row("mjc:armature", "joint.armature", SPRING, is_kept=True),
    Row("mjc:frictionloss", "joint.friction", EFFORT, is_kept=True),
    Row("newton:mimicEnabled", default=True),
    Row("newton:mimicCoef0", unit=BOUND, default=0.0),
    Row("newton:mimicCoef1", default=1.0),
    Row("physxMimicJoint:{}:offset", unit=BOUND, default=0.0),
    Row("physxMimicJoint:{}:gearing", default=1.0),
    Row("physxMimicJoint:{}:referenceJointAxis", default=""),
    Row("state:{}:physics:position", unit=BOUND, default=0.0, is_kept=True),
    Row("physics:rigidBodyEnabled"),
    Row("physics:kinematicEnabled", "motion.type", words=_MOVING),
    Row("physics:velocity"),
    Row("physics:angularVelocity", "motion.angular_velocity", ANGLE),
    Row("physics:mass", "motion.mass", MASS, is_always=True),
    Row("physics:density", unit=DENSITY),
    Row("physics:centerOfMass", "motion.center_of_mass", is_always=True),
    Row("physics:diagonalInertia", "motion.inertia_diagonal", TORQUE),
    Row("physics:principalAxes"),
    Row("physxRigidBody:disableGravity", default=False, is_kept=True),
    Row("physxRigidBody:angularDamping", default=0.0, is_kept=True),
    Row("physxRigidBody:linearDamping", default=0.0, is_kept=True),
    Row("physxRigidBody:enableCCD", default=False, is_kept=True),
    Row("physics:approximation"),
    Row("physics:staticFriction", "material.static_friction", is_always=True),
    Row("physics:dynamicFriction", "material.dynamic_friction", is_always=True),
    Row("physics:restitution", "material.restitution", is_always=True),
    Row(_SURFACE + "frictionCombineMode", "material.friction_combine", words=_MODES),
    Row(_SURFACE + "restitutionCombineMode", "material.restitution_combine", words=_MODES),
    Row("physics:invertFilteredGroups", default=False),
    Row("physics:mergeGroup", default=""),
    Row("physics:gravity", default=()),
    Row("physics:gravityDirection"),
    Row("physics:gravityMagnitude", unit=LENGTH),
    Row("physxScene:enableCCD", default=False, is_kept=True),
)
ACTUATOR = (
    *(Row(f"mjc:{of}Prm", default=(), kind="double[]") for of in ("gain", "bias", "dyn")),
    Row("mjc:gear", default=(), kind="double[]"),
    Row("mjc:gainType", default="fixed"),
    Row("mjc:biasType", default="none"),
    Row("mjc:dynType", default="none"),
    *(Row(f"mjc:{of}Limited", default="auto") for of in ("ctrl", "force")),
    *(
        Row(f"mjc:{of}Range:{end}", default=0.0, kind="double")
        for of in ("ctrl", "force")
        for end in ("min", "max")
    ),
    *(Row(f"newton:{name}", default=0.0) for name in ("constEffort", "kp", "kd")),
    Row("newton:maxEffort", default=math.inf),
)
"""Of prims that are actuators; others keep them."""
ROWS = {row.name: row for row in (*_TABLE, *ACTUATOR)}
_KNOWN = frozenset(row.name for row in _TABLE if not row.is_kept)
DRIVE = tuple(row for row in _TABLE if row.record == "drives")
MOTION = tuple(row for row in _TABLE if row.record == "motion")
MASS_ROWS = tuple(
    ROWS[f"physics:{name}"] for name in ("mass", "centerOfMass", "diagonalInertia", "principalAxes")
)
"""What UsdPhysics works out of colliders where a body does not have it."""
MATERIAL = tuple(row for row in _TABLE if row.record == "material")
JOINT = tuple(row for row in _TABLE if row.record == "joint" and not row.is_kept)
ALIASES = tuple(row for row in _TABLE if row.record == "joint" and row.is_kept)
"""Names that other schemas give to attributes of joints; of several the last counts."""


@lru_cache(maxsize=4096)
def row_of(name: str) -> tuple[Row, str] | None:
    """Return the row of an attribute and the instance that its name has; None for an unknown."""
    if name in ROWS:
        return ROWS[name], ""
    first, _, rest = name.partition(":")
    instance, _, last = rest.partition(":")
    row = ROWS.get(f"{first}:{{}}:{last}")
    return None if row is None else (row, instance)


class Standard(NamedTuple):
    """What a schema tells of an attribute."""

    schema: str
    """API that is applied where the attribute is written; empty for none."""
    kind: str
    default: Any
    is_uniform: bool = False


_SCHEMAS = (
    "PhysicsRevoluteJoint",
    "PhysicsSphericalJoint",
    "PhysicsDistanceJoint",
    "PhysicsLimitAPI",
    "PhysicsDriveAPI",
    "PhysicsRigidBodyAPI",
    "PhysicsMassAPI",
    "PhysicsMeshCollisionAPI",
    "PhysicsMaterialAPI",
    "PhysicsScene",
    "PhysicsCollisionGroup",
)
_KINDS = {bool: "bool", str: "token"}


@cache
def standard(row: Row) -> Standard:
    """Return what the schema of a row tells, OpenUSD's own for UsdPhysics."""
    registry = usd().Usd.SchemaRegistry()
    several, name = ":{}" if "{}" in row.name else "", row.named("__INSTANCE_NAME__")
    for schema in _SCHEMAS:
        api = registry.FindAppliedAPIPrimDefinition(schema)
        found = (api or registry.FindConcretePrimDefinition(schema)).GetAttributeDefinition(name)
        if found:
            default = plain(found.GetFallbackValue()) if row.default is ... else row.default
            is_uniform = found.GetVariability() == usd().Sdf.VariabilityUniform
            return Standard(
                schema + several if api else "", str(found.GetTypeName()), default, is_uniform
            )
    default = row.words[0][1] if row.words else row.default
    kind = row.kind or _KINDS.get(type(default), "float")
    first = row.name.partition(":")[0]
    api = f"{first[0].upper()}{first[1:]}API{several}" if first.startswith("physx") else ""
    return Standard(api, kind, default, kind == "token" or first == "mjc")


def is_known(name: str) -> bool:
    """Return whether an attribute is in scenes, so that no prim keeps it."""
    row, _instance = row_of(name) or (None, "")
    return row is not None and row.name in _KNOWN


@cache
def known_schemas() -> frozenset[str]:
    """Return the schemas of what is in scenes."""
    return MARKS | {standard(row).schema for row in _TABLE if row not in ALIASES}

"""Motions of bodies as RigidBodyAPI and MassAPI of a prim, and back.

Velocities and the center of mass are in the prim's own axes, whose scale they go with.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType, Vector
from ....core.model.plain import text_from_value, value_from_text
from ....core.model.pose import Array
from ..carrier import Carried
from .prim import Prim
from .rules import STALE, TURNED_OFF, WRONG_TYPE
from .units import DEGREES, Units
from .unknown import restore_unknown, unknown_text

RIGID_BODY, MASS = "PhysicsRigidBodyAPI", "PhysicsMassAPI"
_PHYSX_BODY = "PhysxRigidBodyAPI"
_DAMPING = ("physxRigidBody:angularDamping", "physxRigidBody:linearDamping")
_KNOWN = (
    "physics:rigidBodyEnabled",
    "physics:kinematicEnabled",
    "physics:velocity",
    "physics:angularVelocity",
    "physics:mass",
    "physics:density",
    "physics:centerOfMass",
    "physics:diagonalInertia",
    "physics:principalAxes",
    "physxRigidBody:disableGravity",
)


_MOTION = Carried(lru_cache(maxsize=4096)(partial(value_from_text, Motion)))


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyRead:
    """What a prim says about its motion."""

    motion: Motion
    unknown: str = ""
    """What `unknown.unknown_text` keeps."""
    needs_mass: bool = False
    """Whether the mass is to be worked out from the colliders."""
    needs_center: bool = False
    """Whether the center of mass is to be worked out from the colliders."""
    findings: tuple[Finding, ...] = ()


def set_motion(
    prim: Prim,
    motion: Motion,
    scale: Array,
    units: Units,
    *,
    carried: Motion | None = None,
    unknown: str = "",
    physx: bool = True,
) -> None:
    """Say a motion on a prim whose axes are `scale` meters long, shape (3,).

    A static body has no API: its colliders are static then. `physx` adds what PhysX needs to move
    it as written: no damping, and no gravity where the factor is 0.
    """
    if unknown:
        restore_unknown(prim, unknown)
    if motion.type in (MotionType.DYNAMIC, MotionType.KINEMATIC):
        prim.apply(RIGID_BODY)
        if motion.type == MotionType.KINEMATIC:
            prim.set("physics:kinematicEnabled", "bool", True)
        _set_velocity(prim, motion, scale)
        _set_mass(prim, motion, scale, units)
        if physx and motion.type == MotionType.DYNAMIC:
            _set_physx(prim, motion)
    prim.carry("motion", text_from_value(carried or motion))


def read_motion(prim: Prim, scale: Array, units: Units) -> BodyRead | None:
    """Return what a prim says of a body, None where it is none."""
    if RIGID_BODY not in prim.schemas and "motion" not in prim.data:
        return None
    carried = prim.carried("motion", _MOTION)
    if carried is not None:
        return BodyRead(motion=carried, unknown=_unknown(prim))
    if RIGID_BODY not in prim.schemas:
        return None
    body = _read(prim, scale, units)
    if "motion" in prim.data:
        return replace(body, findings=(*body.findings, STALE(prim.path)))
    return body


def _unknown(prim: Prim) -> str:
    """Return what is neither known nor the damping of 0 that is written for PhysX."""
    still = [name for name in _DAMPING if prim.attributes.get(name, ("", 0.0))[1] == 0.0]
    return unknown_text(prim, (*_KNOWN, *still))


def _set_velocity(prim: Prim, motion: Motion, scale: Array) -> None:
    if any(motion.linear_velocity):
        prim.set("physics:velocity", "vector3f", _divided(motion.linear_velocity, scale))
    if any(motion.angular_velocity):
        turning = tuple(value * DEGREES for value in motion.angular_velocity)
        prim.set("physics:angularVelocity", "vector3f", turning)


def _set_mass(prim: Prim, motion: Motion, scale: Array, units: Units) -> None:
    prim.apply(MASS)
    prim.set("physics:mass", "float", motion.mass * units.mass)
    prim.set("physics:centerOfMass", "point3f", _divided(motion.center_of_mass, scale))
    if any(motion.inertia_diagonal):
        diagonal = tuple(value * units.torque for value in motion.inertia_diagonal)
        x, y, z, w = motion.inertia_orientation
        prim.set("physics:diagonalInertia", "float3", diagonal)
        prim.set("physics:principalAxes", "quatf", (w, x, y, z))


def _set_physx(prim: Prim, motion: Motion) -> None:
    prim.apply(_PHYSX_BODY)
    for name in _DAMPING:
        if name not in prim.attributes:
            prim.set(name, "float", 0.0)
    if motion.gravity_factor == 0.0:
        prim.set("physxRigidBody:disableGravity", "bool", True)


def _divided(vector: Vector, scale: Array) -> tuple[float, ...]:
    return tuple((np.asarray(vector) / np.where(scale > 0.0, scale, 1.0)).tolist())


def _read(prim: Prim, scale: Array, units: Units) -> BodyRead:
    values = _Values(prim)
    enabled = values.get("physics:rigidBodyEnabled", bool, True)
    if not enabled:
        values.findings.append(TURNED_OFF(prim.path))
    is_kinematic = values.get("physics:kinematicEnabled", bool, False)
    moving = MotionType.KINEMATIC if is_kinematic else MotionType.DYNAMIC
    mass = values.get("physics:mass", float, 0.0) / units.mass
    center = values.vector("physics:centerOfMass")
    diagonal = values.vector("physics:diagonalInertia") or (0.0, 0.0, 0.0)
    axes = values.vector("physics:principalAxes", 4) or (1.0, 0.0, 0.0, 0.0)
    is_fallen = values.get("physxRigidBody:disableGravity", bool, False)
    is_given = mass > 0.0 and math.isfinite(mass)
    angular = values.vector("physics:angularVelocity") or (0.0, 0.0, 0.0)
    motion = Motion(
        type=moving if enabled else MotionType.STATIC,
        mass=mass if is_given else 1.0 / units.mass,
        center_of_mass=_scaled(center or (0.0, 0.0, 0.0), scale),
        inertia_diagonal=_triple(value / units.torque for value in diagonal),
        inertia_orientation=_orientation(axes),
        linear_velocity=_scaled(values.vector("physics:velocity") or (0.0, 0.0, 0.0), scale),
        angular_velocity=_triple(value / DEGREES for value in angular),
        gravity_factor=0.0 if is_fallen else 1.0,
    )
    return BodyRead(
        motion=motion,
        unknown=_unknown(prim),
        needs_mass=not is_given,
        needs_center=center is None,
        findings=tuple(values.findings),
    )


def _orientation(axes: tuple[float, ...]) -> tuple[float, float, float, float]:
    """Return w x y z as x y z w; zero means "not given" in UsdPhysics."""
    w, x, y, z = axes
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-6:
        return (0.0, 0.0, 0.0, 1.0)
    return (x / length, y / length, z / length, w / length)


def _scaled(vector: tuple[float, ...], scale: Array) -> Vector:
    return _triple((np.asarray(vector) * scale).tolist())


def _triple(values: Any) -> Vector:
    x, y, z = values
    return (float(x), float(y), float(z))


class _Values:
    """Attributes of a prim; those of a wrong type cost a finding and themselves."""

    def __init__(self, prim: Prim) -> None:
        self._prim = prim
        self.findings: list[Finding] = []

    def get(self, name: str, kind: type, default: object) -> Any:
        """Return a number or truth value, the default where it is not one."""
        value = self._prim.attributes.get(name, ("", None))[1]
        if value is None:
            return default
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if (kind is float and is_number and not math.isnan(value)) or (
            kind is bool and isinstance(value, bool)
        ):
            return value
        self._refuse(name, value)
        return default

    def vector(self, name: str, length: int = 3) -> tuple[float, ...] | None:
        """Return a vector, None where it is not given or says so by infinite parts."""
        value = self._prim.attributes.get(name, ("", None))[1]
        if value is None:
            return None
        is_vector = isinstance(value, tuple) and len(value) == length
        if not is_vector or not all(isinstance(part, int | float) for part in value):
            self._refuse(name, value)
            return None
        return tuple(value) if all(map(math.isfinite, value)) else None

    def _refuse(self, name: str, value: object) -> None:
        self.findings.append(WRONG_TYPE(self._prim.path, name=name, value=str(value)[:40]))

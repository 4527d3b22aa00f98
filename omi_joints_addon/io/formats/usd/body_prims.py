"""Motions of bodies as RigidBodyAPI and MassAPI of a prim, and back.

Velocities and the center of mass are in the prim's own axes, whose scale they go with.
"""

import math
from collections.abc import Iterable
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
from .rules import STALE, TURNED_OFF
from .units import DEGREES, Units
from .unknown import restore_unknown, unknown_text

RIGID_BODY, MASS = "PhysicsRigidBodyAPI", "PhysicsMassAPI"
_PHYSX_BODY = "PhysxRigidBodyAPI"
_DAMPING = ("physxRigidBody:angularDamping", "physxRigidBody:linearDamping")
_CCD = "physxRigidBody:enableCCD"
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


_ROUNDING = 3e-7
"""Part of a moment that single precision may lose."""
_ZERO = (0.0, 0.0, 0.0)
_NO_CENTER = (-math.inf, -math.inf, -math.inf)
"""Center of mass that UsdPhysics leaves to the colliders."""
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
    is_fast: bool = False,
) -> None:
    """Say a motion on a prim whose axes are `scale` meters long, shape (3,).

    The center of mass is in those axes, as UsdPhysics has it.

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
        _set_mass(prim, motion, units)
        if physx and motion.type == MotionType.DYNAMIC:
            _set_physx(prim, motion, is_fast=is_fast)
    prim.carry("motion", text_from_value(carried or motion))


def read_motion(prim: Prim, scale: Array, units: Units) -> BodyRead | None:
    """Return what a prim says of a body, None where it is not one.

    Its axes are `scale` meters long, shape (3,), negative where the prim is mirrored; the center
    of mass is in them.
    """
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
    """Return what is neither known nor written for PhysX: no damping, fast bodies seen by it."""
    still = [name for name in _DAMPING if prim.get(name, 0.0) == 0.0]
    fast = (_CCD,) if "motion" in prim.data else ()
    return unknown_text(prim, (*_KNOWN, *still, *fast))


def _set_velocity(prim: Prim, motion: Motion, scale: Array) -> None:
    if any(motion.linear_velocity):
        prim.set("physics:velocity", "vector3f", _divided(motion.linear_velocity, scale))
    if any(motion.angular_velocity):
        turning = tuple(value * DEGREES for value in motion.angular_velocity)
        prim.set("physics:angularVelocity", "vector3f", turning)


def _set_mass(prim: Prim, motion: Motion, units: Units) -> None:
    prim.apply(MASS)
    prim.set("physics:mass", "float", motion.mass * units.mass)
    prim.set("physics:centerOfMass", "point3f", motion.center_of_mass)
    if any(motion.inertia_diagonal):
        diagonal = _possible(value * units.torque for value in motion.inertia_diagonal)
        x, y, z, w = motion.inertia_orientation
        prim.set("physics:diagonalInertia", "float3", diagonal)
        prim.set("physics:principalAxes", "quatf", (w, x, y, z))


def _possible(moments: Iterable[float]) -> tuple[float, ...]:
    """Return moments of which none is larger than the others together, in single precision too.

    Those of a flat plate, whose largest is exactly their sum, may be after rounding, and Newton
    rejects the file then.
    """
    rounded = np.array([*moments], np.float32).astype(float)
    largest = int(rounded.argmax())
    others = float(rounded.sum() - rounded[largest])
    if others * (1.0 - _ROUNDING) < rounded[largest] < others * (1.0 + _ROUNDING):
        rounded[largest] = others * (1.0 - _ROUNDING)
    x, y, z = rounded.tolist()
    return (x, y, z)


def _set_physx(prim: Prim, motion: Motion, *, is_fast: bool) -> None:
    prim.apply(_PHYSX_BODY)
    for name in _DAMPING:
        if name not in prim.attributes:
            prim.set(name, "float", 0.0)
    if motion.gravity_factor == 0.0:
        prim.set("physxRigidBody:disableGravity", "bool", True)
    if is_fast:
        prim.set(_CCD, "bool", True)


def _divided(vector: Vector, scale: Array) -> tuple[float, ...]:
    return tuple((np.asarray(vector) / np.where(scale != 0.0, scale, 1.0)).tolist())


def _read(prim: Prim, scale: Array, units: Units) -> BodyRead:
    findings: list[Finding] = []
    enabled = prim.flag("physics:rigidBodyEnabled", True, findings)
    if not enabled:
        findings.append(TURNED_OFF(prim.path))
    is_kinematic = prim.flag("physics:kinematicEnabled", False, findings)
    moving = MotionType.KINEMATIC if is_kinematic else MotionType.DYNAMIC
    mass = prim.number("physics:mass", 0.0, findings) / units.mass
    center = prim.vector("physics:centerOfMass", _NO_CENTER, findings)
    diagonal = prim.vector("physics:diagonalInertia", _ZERO, findings)
    axes = prim.vector("physics:principalAxes", (1.0, 0.0, 0.0, 0.0), findings)
    is_fallen = prim.flag("physxRigidBody:disableGravity", False, findings)
    angular = prim.vector("physics:angularVelocity", _ZERO, findings)
    velocity = prim.vector("physics:velocity", _ZERO, findings)
    motion = Motion(
        type=moving if enabled else MotionType.STATIC,
        mass=mass if mass > 0.0 else 1.0 / units.mass,
        center_of_mass=_ZERO if center == _NO_CENTER else _triple(center),
        inertia_diagonal=_triple(value / units.torque for value in diagonal),
        inertia_orientation=_orientation(axes),
        linear_velocity=_scaled(velocity, scale),
        angular_velocity=_triple(value / DEGREES for value in angular),
        gravity_factor=0.0 if is_fallen else 1.0,
    )
    return BodyRead(
        motion=motion,
        unknown=_unknown(prim),
        needs_mass=mass <= 0.0,
        needs_center=center == _NO_CENTER,
        findings=tuple(findings),
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

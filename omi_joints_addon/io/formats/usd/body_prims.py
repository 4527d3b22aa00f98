"""Motions of bodies as RigidBodyAPI and MassAPI of a prim, and back.

Velocities and the center of mass are in the prim's own axes, whose scale they go with.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType, Vector
from ....core.model.plain import text_from_value, value_from_text
from ....core.model.pose import Array
from ..carrier import Carried
from .prim import Prim
from .rules import STALE, TURNED_OFF
from .schema import MOTION, RIGID_BODY
from .units import Units
from .unknown import restore_unknown, unknown_text
from .values import Values

_PHYSX_BODY = "PhysxRigidBodyAPI"
_DAMPING = ("physxRigidBody:angularDamping", "physxRigidBody:linearDamping")
_FAST, _FLOATING = "physxRigidBody:enableCCD", "physxRigidBody:disableGravity"
_MOMENTS = "physics:diagonalInertia"
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
        values = Values(prim, units)
        if any(motion.linear_velocity):
            values.put("physics:velocity", _divided(motion.linear_velocity, scale))
        values.put_record(MOTION, motion)
        if _MOMENTS in prim.attributes:
            kind, moments = prim.attributes[_MOMENTS]
            prim.set(_MOMENTS, kind, _possible(moments))
            x, y, z, w = motion.inertia_orientation
            values.put("physics:principalAxes", (w, x, y, z))
        if physx and motion.type == MotionType.DYNAMIC:
            _set_physx(values, motion, is_fast=is_fast)
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
    fast = (_FAST,) if "motion" in prim.data else ()
    return unknown_text(prim, (_FLOATING, *still, *fast))


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


def _set_physx(values: Values, motion: Motion, *, is_fast: bool) -> None:
    values.prim.apply(_PHYSX_BODY)
    for name in _DAMPING:
        if name not in values.prim.attributes:
            values.put(name, 0.0)
    if motion.gravity_factor == 0.0:
        values.put(_FLOATING, True)
    if is_fast:
        values.put(_FAST, True)


def _divided(vector: Vector, scale: Array) -> tuple[float, ...]:
    return tuple((np.asarray(vector) / np.where(scale != 0.0, scale, 1.0)).tolist())


def _read(prim: Prim, scale: Array, units: Units) -> BodyRead:
    values = Values(prim, units)
    enabled = values.get("physics:rigidBodyEnabled")
    if not enabled:
        values.findings.append(TURNED_OFF(prim.path))
    found = values.record(MOTION)
    needs_mass, needs_center = found["mass"] <= 0.0, found["center_of_mass"] == _NO_CENTER
    found |= {} if enabled else {"type": MotionType.STATIC}
    found |= {"mass": units.kilograms} if needs_mass else {}
    found |= {"center_of_mass": _ZERO} if needs_center else {}
    motion = Motion(
        inertia_orientation=_orientation(values.get("physics:principalAxes")),
        linear_velocity=_scaled(values.get("physics:velocity"), scale),
        gravity_factor=0.0 if values.get(_FLOATING) else 1.0,
        **found,
    )
    return BodyRead(
        motion=motion,
        unknown=_unknown(prim),
        needs_mass=needs_mass,
        needs_center=needs_center,
        findings=tuple(values.findings),
    )


def _orientation(axes: tuple[float, ...]) -> tuple[float, float, float, float]:
    """Return w x y z as x y z w; zero means "not given" in UsdPhysics."""
    w, x, y, z = axes
    length = math.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-6:
        return (0.0, 0.0, 0.0, 1.0)
    return (x / length, y / length, z / length, w / length)


def _scaled(vector: Vector, scale: Array) -> Vector:
    x, y, z = (np.asarray(vector) * scale).tolist()
    return (x, y, z)

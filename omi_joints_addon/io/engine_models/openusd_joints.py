"""Numbers of joints on a stage in SI units and radians, as UsdPhysics says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.model.pose import Array
from .model import EngineJoint


@dataclass(frozen=True, slots=True, kw_only=True)
class StageJoint:
    """A joint between two bodies, -1 for the world."""

    name: str
    prim: Any
    bodies: tuple[int, int]
    frames: tuple[Array, Array]
    """Rigid, in the bodies without their scale (4, 4) [m]."""
    axes: tuple[int, ...]
    """Along (0 to 2) and about (3 to 5) which axes of the frames it moves."""
    kind: str
    """hinge, slide, ball, free or fixed."""

    @property
    def axis(self) -> int:
        """The axis of a joint that has one."""
        return self.axes[0] % 3


@dataclass(frozen=True, slots=True)
class JointNumbers:
    """What joints of a stage say of limits, drives and servos."""

    physics: Any
    """Module of OpenUSD."""
    meters: float
    kilograms: float
    prims: Sequence[Any]

    def of(self, joint: StageJoint, screws: Array) -> EngineJoint:
        """Return a joint with the screws of its axes."""
        low, high = self._bounds(joint)
        effort = velocity = stiffness = damping = drive = None
        if joint.kind in ("hinge", "slide"):
            stiffness = damping = 0.0
            drive = self._drive(joint)
        if drive is not None:
            unit = 180.0 / np.pi if joint.kind == "hinge" else 1.0
            scale = self.kilograms * (self.meters**2 if joint.kind == "hinge" else 1.0)
            stiffness = float(drive.GetStiffnessAttr().Get() or 0.0) * unit * scale
            damping = float(drive.GetDampingAttr().Get() or 0.0) * unit * scale
            effort = (
                float(drive.GetMaxForceAttr().Get())
                * scale
                * (1.0 if joint.kind == "hinge" else self.meters)
            )
        for more_stiffness, more_damping in self._servos(joint):
            stiffness = (stiffness or 0.0) + more_stiffness
            damping = (damping or 0.0) + more_damping
        speed = joint.prim.GetAttribute("physxJoint:maxJointVelocity")
        if speed and speed.HasAuthoredValue():
            factor = np.pi / 180.0 if joint.kind == "hinge" else self.meters
            velocity = float(speed.Get()) * factor
        return EngineJoint(
            kind=joint.kind,
            lower=low,
            upper=high,
            effort=effort,
            velocity=velocity,
            stiffness=stiffness,
            damping=damping,
            screws=screws,
        )

    def _servos(self, joint: StageJoint) -> Iterator[tuple[float, float]]:
        """Yield stiffness and damping of actuators of MuJoCo that act on a joint [SI]."""
        for prim in self.prims:
            bias = prim.GetAttribute("mjc:biasPrm").Get()
            target = prim.GetRelationship("mjc:target")
            if bias and target and joint.prim.GetPath() in target.GetTargets():
                gear = float((prim.GetAttribute("mjc:gear").Get() or [1.0])[0])
                yield -gear * gear * float(bias[1]), -gear * gear * float(bias[2])

    def _bounds(self, joint: StageJoint) -> tuple[float, float]:
        if joint.kind not in ("hinge", "slide"):
            return -np.inf, np.inf
        factor = np.pi / 180.0 if joint.kind == "hinge" else self.meters
        physics = self.physics
        for schema in (physics.RevoluteJoint, physics.PrismaticJoint):
            if joint.prim.IsA(schema):
                part = schema(joint.prim)
                ends = part.GetLowerLimitAttr().Get(), part.GetUpperLimitAttr().Get()
                return float(ends[0]) * factor, float(ends[1]) * factor
        limit = physics.LimitAPI(joint.prim, _dof(joint))
        low, high = limit.GetLowAttr().Get(), limit.GetHighAttr().Get()
        is_limited = joint.prim.HasAPI(physics.LimitAPI, _dof(joint))
        return (float(low) * factor, float(high) * factor) if is_limited else (-np.inf, np.inf)

    def _drive(self, joint: StageJoint) -> Any:
        """Return the drive along or about the axis of a joint, None without one."""
        api = self.physics.DriveAPI
        for name in ("angular" if joint.kind == "hinge" else "linear", _dof(joint)):
            if joint.prim.HasAPI(api, name):
                return api(joint.prim, name)
        return None


def _dof(joint: StageJoint) -> str:
    return f"{'trans' if joint.kind == 'slide' else 'rot'}{'XYZ'[joint.axis]}"

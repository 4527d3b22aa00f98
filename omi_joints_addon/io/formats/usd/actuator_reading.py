"""Actuators of the schemas of MuJoCo and Newton as values of joints.

`MjcActuator` is a general actuator of MuJoCo (mjcPhysics, "MjcActuator"). `NewtonActuator` has the
law of the schemas that it applies (newton_usd_schemas, "NewtonPDControlAPI"). Both count angles in
radians. Those whose law or target values do not hold are left to the inventory.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ....core.findings.finding import Finding
from ....core.meaning.axes import joint_axes
from ....core.model.actuator import Actuator, Span, actuators_from_text
from ....core.model.joint import DriveType, JointDrive
from ....core.model.scene import Joint
from ..carrier import Carried
from .actuator_prims import TARGET, law_digest
from .couplings import JointPosition
from .joint_placing import JointPlacing
from .joint_stacks import stack_axes
from .prim import Prim
from .rules import DRIVEN_TWICE
from .values import Values

TARGETS = {"MjcActuator": TARGET, "NewtonActuator": "newton:targets"}
"""Types of prims that are actuators, and the relationship to what they act on."""
_FILTERS = ("integrator", "filter", "filterexact")
_PD, _CLAMP = "NewtonPDControlAPI", "NewtonMaxEffortClampingAPI"
_BASES = ("NewtonActuatorControlBaseAPI", "NewtonActuatorClampingBaseAPI")


@dataclass(frozen=True, slots=True)
class ActuatorPrim:
    """An actuator as its prim has it, in the units of the prim."""

    declared: Prim
    joint: str
    """Path of the joint that it acts on."""
    actuator: Actuator
    kept: Actuator | None = None
    """What this program wrote it of, where nobody edited it since."""

    @property
    def is_alone(self) -> bool:
        """Whether the drives of its joint have no effect: Isaac Sim sets their gains to zero."""
        return self.declared.type_name == "NewtonActuator"


def read_actuator(declared: Prim, name: str, findings: list[Finding]) -> ActuatorPrim | None:
    """Return what a prim of a type in `TARGETS` is; None for a law that values do not hold."""
    targets = declared.targets.get(TARGETS[declared.type_name], ())
    read = _mujoco if declared.type_name == "MjcActuator" else _newton
    actuator = read(declared, findings) if len(targets) == 1 else None
    if actuator is None:
        return None
    text = declared.data.get("actuator")
    kept = _KEPT.read(text, is_unchanged=declared.data.get("law") == law_digest(declared))
    return ActuatorPrim(declared, targets[0], replace(actuator, name=name), kept)


def _kept(text: str) -> Actuator:
    (actuator,) = actuators_from_text(text)
    return actuator


_KEPT = Carried(_kept)


def _mujoco(prim: Prim, findings: list[Finding]) -> Actuator | None:
    values = Values(prim, findings=findings)
    gain_kind, bias_kind, filter_ = (values.get(f"mjc:{of}Type") for of in ("gain", "bias", "dyn"))
    if gain_kind != "fixed" or bias_kind not in ("none", "affine"):
        return None
    gain, bias, time, gear = (
        _parts(values.get(f"mjc:{name}")) for name in ("gainPrm", "biasPrm", "dynPrm", "gear")
    )
    bias = (*bias, 0.0, 0.0, 0.0)[:3] if bias_kind == "affine" else (0.0, 0.0, 0.0)
    if filter_ not in ("none", *_FILTERS) or max(bias[1:]) > 0.0:
        # A positive damping is a ratio, which depends on the mass that moves.
        return None
    return Actuator(
        gear=gear or (1.0,),
        gain=(*gain, 1.0)[0],
        bias=(bias[0], bias[1], bias[2]),
        control_range=_range(values, "ctrl"),
        force_range=_range(values, "force"),
        filter="" if filter_ == "none" else filter_,
        time_constant=(*time, 1.0)[0] if filter_ != "none" else 0.0,
    )


def _parts(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of a list without the zeros at its end, which stand for none."""
    while numbers and not numbers[-1]:
        numbers = numbers[:-1]
    return numbers


def _range(values: Values, name: str) -> Span | None:
    """Return the range of controls or forces, None where it does not count."""
    limited = values.get(f"mjc:{name}Limited")
    low, high = (values.get(f"mjc:{name}Range:{end}") for end in ("min", "max"))
    is_limited = limited == "true" or (limited == "auto" and low != high)
    return (low, high) if is_limited else None


def _newton(prim: Prim, findings: list[Finding]) -> Actuator | None:
    if {*prim.schemas} - {_PD, _CLAMP, *_BASES} or _PD not in prim.schemas:
        return None
    values = Values(prim, findings=findings)
    effort, stiffness, damping = (
        values.get(f"newton:{name}") for name in ("constEffort", "kp", "kd")
    )
    most = values.get("newton:maxEffort") if _CLAMP in prim.schemas else math.inf
    return Actuator(
        kind="position" if stiffness else "velocity",
        gain=stiffness or damping,
        bias=(effort, -stiffness, -damping),
        force_range=(-most, most) if math.isfinite(most) else None,
    )


@dataclass(eq=False)
class ActuatedJoints:
    """Joints with their actuators, and the prims of these."""

    joints: list[Joint]
    paths: dict[str, dict[int, str]]
    """Path of each actuator of a joint by its order, by the path of the joint."""
    unread: list[Prim]
    """Actuators of what is not a joint with one axis."""


def actuated(
    placing: JointPlacing,
    actuators: Sequence[ActuatorPrim],
    shifted: Collection[str],
    findings: list[Finding],
) -> ActuatedJoints:
    """Give joints their actuators and the drives that those are.

    `shifted` are paths of joints that MuJoCo counts from another zero: their unit is not certain.
    """
    found = ActuatedJoints(list(placing.joints), {}, [])
    wanted = {each.joint for each in actuators}.difference(shifted)
    places = {
        path: (number, axis)
        for number, joint in enumerate(placing.joints)
        if not wanted.isdisjoint(placing.prims_of(number))
        for path, axis in zip(placing.prims_of(number), _axes(joint), strict=False)
        if path in wanted
    }
    by_joint: dict[int, list[ActuatorPrim]] = {}
    orders = [each.kept.order for each in actuators if each.kept is not None]
    for order, each in enumerate(actuators, start=1 + max(orders, default=-1)):
        if each.joint not in places:
            found.unread.append(each.declared)
            continue
        number, axis = places[each.joint]
        placed = each.kept or replace(
            _placed(each.actuator, placing.positions[number], axis), order=order
        )
        by_joint.setdefault(number, []).append(replace(each, actuator=placed))
    for number, own in by_joint.items():
        paths = {each.actuator.order: each.declared.path for each in own}
        found.paths[placing.paths[number]] = paths
        found.joints[number] = _driven(found.joints[number], own, findings)
    return found


def _axes(joint: Joint) -> list[int]:
    """Return the axis of each prim of a joint, about axes from 3 on; none of one with several."""
    if slots := stack_axes(joint.attributes):
        return slots
    moving = joint_axes(joint.settings).moving
    return list(moving) if len(moving) == 1 else []


def _placed(actuator: Actuator, position: JointPosition, axis: int) -> Actuator:
    """Return an actuator whose length is by the joint's own position."""
    sign = position.sign
    return replace(
        actuator,
        axis=axis % 3,
        is_angular=axis >= 3,
        gear=(sign * actuator.ratio, *actuator.gear[1:]),
        zero=sign * position.zero,
    )


def _driven(joint: Joint, own: Sequence[ActuatorPrim], findings: list[Finding]) -> Joint:
    drives = list(joint.settings.drives)
    for each in own:
        if each.is_alone and any(_is_beside(drive, each.actuator) for drive in drives):
            findings.append(DRIVEN_TWICE(each.joint, name=each.declared.path))
            drives = [drive for drive in drives if not _is_beside(drive, each.actuator)]
    views = (each.actuator.drive() for each in own)
    settings = replace(joint.settings, drives=(*drives, *(view for view in views if view)))
    actuators = (*joint.attributes.actuators, *(each.actuator for each in own))
    in_order = tuple(sorted(actuators, key=lambda each: each.order))
    attributes = replace(joint.attributes, actuators=in_order)
    return replace(joint, settings=settings, attributes=attributes)


def _is_beside(drive: JointDrive, actuator: Actuator) -> bool:
    is_angular = drive.type == DriveType.ANGULAR
    return (drive.axis, is_angular) == (actuator.axis, actuator.is_angular)

"""Joints that follow others: NewtonMimicAPI, and PhysX's older PhysxMimicJointAPI where that is.

Both say it in the joint's own degrees or lengths; here it is in radians and meters.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....core.findings.finding import Finding
from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import joint_axes
from ....core.model.articulation import Coupling
from ....core.model.scene import Joint, PhysicsScene
from ....core.rewrite.turning import TURNS
from .prim import Prim
from .rules import MIMIC_LEFT_OUT
from .schema import MIMIC, OLD_MIMIC
from .units import Units
from .values import Values

_JOINT, _OLD_JOINT = "newton:mimicJoint", "physxMimicJoint:{}:referenceJoint"


class JointPosition(NamedTuple):
    """How the prim of a joint counts its position: sign times the joint's, plus zero."""

    path: str
    sign: float = 1.0
    """-1 where body0 is the connected node's, and the frames are not turned for it."""
    zero: float = 0.0
    """[rad]."""
    is_swapped: bool = False
    """Whether body0 is the connected node's."""


def sign_of(shift: int, *, is_swapped: bool) -> float:
    """Return the sign of a prim's position, whose frames are turned by `FRAME_TURNS` of `shift`."""
    return -1.0 if is_swapped and shift < len(TURNS) else 1.0


def set_couplings(
    scene: PhysicsScene,
    prims: Mapping[str, Prim],
    positions: Mapping[int, JointPosition],
    units: Units,
    losses: Losses,
    older: Mapping[str, str] = {},
) -> None:
    """Say which joints follow others on their prims; `positions` are those of the joints.

    `older` has the axis of each prim, by its path, that says it in the older way.
    """
    for coupling in scene.couplings:
        joint = scene.joints[coupling.joint]
        problem = _problem(scene, coupling, positions)
        if problem:
            losses.lost(joint.place or scene.names[joint.node], Noun.COUPLING, problem)
            continue
        offset, factor = (*coupling.coefficients, 0.0, 0.0)[:2]
        own, source = positions[coupling.joint], positions[coupling.source]
        factor *= own.sign * source.sign
        offset = own.sign * offset - factor * source.zero + own.zero
        prim = prims[own.path]
        values = Values(prim, units)
        if axis := older.get(own.path):
            prim.relate(_OLD_JOINT.format(axis), (source.path,))
            _set_older(values, axis, offset, factor)
            continue
        prim.apply(MIMIC)
        prim.relate(_JOINT, (source.path,))
        values.put("newton:mimicCoef0", offset, "angular" if _is_angular(joint) else "linear")
        values.put("newton:mimicCoef1", factor)


def _set_older(values: Values, axis: str, offset: float, factor: float) -> None:
    """Set what in PhysX makes the sum of position, offset and geared reference zero."""
    values.put("physxMimicJoint:{}:offset", 0.0 - offset, axis)
    values.put("physxMimicJoint:{}:gearing", 0.0 - factor, axis)


def older_axis(schemas: Sequence[str]) -> str:
    """Return the axis for which a prim has the older schema alone, empty for none."""
    axes = [
        axis for kind, _, axis in (each.partition(":") for each in schemas) if kind == OLD_MIMIC
    ]
    return axes[0] if axes and MIMIC not in schemas else ""


def _problem(scene: PhysicsScene, coupling: Coupling, paths: Mapping[int, JointPosition]) -> str:
    """Return why a coupling cannot be written, empty where it can."""
    if coupling.joint not in paths or coupling.source not in paths:
        return "one of its joints is not written"
    if any(coupling.coefficients[2:]):
        return "only linear couplings can be written"
    kinds = {_is_angular(scene.joints[number]) for number in (coupling.joint, coupling.source)}
    if len(kinds) != 1 or None in kinds:
        return "only two hinges or two sliders can be coupled"
    return ""


def _is_angular(joint: Joint) -> bool | None:
    """Return whether the one axis of a joint is an angle, None where it has not one axis."""
    moving = joint_axes(joint.settings).moving
    return moving[0] >= 3 if len(moving) == 1 else None


def read_couplings(
    prims: Mapping[str, Prim],
    positions: Sequence[JointPosition],
    joints: Sequence[Joint],
    units: Units,
    findings: list[Finding],
) -> tuple[Coupling, ...]:
    """Return which joints follow others.

    `positions` are those of the joints.
    """
    numbers = {position.path: number for number, position in enumerate(positions)}
    found = []
    for number, (path, sign, zero, _) in enumerate(positions):
        instance = "angular" if _is_angular(joints[number]) else "linear"
        for target, offset, factor in _declared(Values(prims[path], units, findings), instance):
            source = numbers.get(target, -1)
            kinds = {_is_angular(joints[n]) for n in (number, source) if n >= 0}
            is_usable = source >= 0 and source != number and len(kinds) == 1 and None not in kinds
            if not is_usable:
                findings.append(MIMIC_LEFT_OUT(path, source=target))
                continue
            first = sign * (offset + factor * positions[source].zero - zero)
            second = factor * sign * positions[source].sign
            found.append(Coupling(joint=number, source=source, coefficients=(first, second)))
            break
    return tuple(found)


def _declared(values: Values, instance: str) -> Iterator[tuple[str, float, float]]:
    """Yield the path of the joint that a prim follows, the offset and the factor."""
    prim = values.prim
    if MIMIC in prim.schemas and values.get("newton:mimicEnabled"):
        offset, factor = (values.get(f"newton:mimicCoef{n}", instance) for n in (0, 1))
        for target in prim.targets.get(_JOINT, ("",))[:1]:
            yield target, offset, factor
    for schema in prim.schemas:
        kind, _, axis = schema.partition(":")
        if kind == OLD_MIMIC and axis:
            factor = -values.get("physxMimicJoint:{}:gearing", axis) + 0.0
            offset = -values.get("physxMimicJoint:{}:offset", axis) + 0.0
            for target in prim.targets.get(_OLD_JOINT.format(axis), ("",))[:1]:
                yield target, offset, factor

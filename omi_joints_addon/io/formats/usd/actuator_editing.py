"""Edited drives of joints as opinions about the actuators that they are views of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....core.findings.loss import Noun
from ....core.model.actuator import Actuator, matched_drives
from ....core.model.joint import JointDrive
from ....core.model.scene import Joint
from .layer import plain
from .overs import Overs
from .prim import Prim
from .values import Values


def edit_actuators(
    overs: Overs, paths: Mapping[int, str], before: Joint, after: Joint, place: str
) -> tuple[Joint, Joint]:
    """Edit the actuators of a joint; return the joint before and after without their drives.

    `paths` are those of its actuators that are prims, by their order.
    """
    found, found_after = (
        [each for each in joint.attributes.actuators if each.order in paths]
        for joint in (before, after)
    )
    _same, own_before = matched_drives(found, before.settings.drives)
    fitted, own_after = matched_drives(found_after, after.settings.drives)
    there = {actuator.order: actuator for actuator in fitted}
    for actuator in found:
        path, now = paths[actuator.order], there.get(actuator.order)
        if now is None:
            overs.remove(path, place)
        elif now != actuator:
            _edit(overs, path, actuator, now, place)
    return _with_drives(before, own_before), _with_drives(after, own_after)


def _with_drives(joint: Joint, drives: Sequence[JointDrive]) -> Joint:
    return replace(joint, settings=replace(joint.settings, drives=tuple(drives)))


def _edit(overs: Overs, path: str, before: Actuator, after: Actuator, place: str) -> None:
    prim = overs.prim(path, place)
    if prim is None:
        return
    if before.control != after.control:
        text = "the target of an actuator is its control, which the stage does not have"
        overs.losses.lost(place, Noun.DRIVE, text)
    declared = Prim(path)
    if prim.GetTypeName() == "NewtonActuator":
        _set_newton(declared, after)
    else:
        for name, values in (("mjc:gainPrm", (after.gain,)), ("mjc:biasPrm", after.bias)):
            old = plain(prim.GetAttribute(name).Get()) or ()
            Values(declared).put(name, (*values, *old[len(values) :]))
        _set_range(declared, before, after)
    overs.put(declared, Prim(path), place)


def _set_newton(prim: Prim, actuator: Actuator) -> None:
    values, (_effort, stiffness, damping) = Values(prim), actuator.bias
    values.put("newton:kp", -stiffness)
    values.put("newton:kd", -damping)
    if actuator.force_range is not None:
        prim.apply("NewtonMaxEffortClampingAPI")
        values.put("newton:maxEffort", actuator.force_range[1])


def _set_range(prim: Prim, before: Actuator, after: Actuator) -> None:
    values, span = Values(prim), after.force_range
    if span is None and before.force_range is not None:
        values.put("mjc:forceLimited", "false")
    elif span is not None and span != before.force_range:
        values.put("mjc:forceRange:min", span[0])
        values.put("mjc:forceRange:max", span[1])

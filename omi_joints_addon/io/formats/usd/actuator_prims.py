"""Actuators of joints as prims of MuJoCo's schema, where no drive of UsdPhysics is the same.

A servo is the drive of its joint. Motors, filters, and a servo beside another drive are prims of
the type MjcActuator, which count angles in radians (mjcPhysics, "MjcActuator").
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ....core.meaning.axes import joint_axes
from ....core.model.actuator import Actuator, matched_drives, text_of
from ....core.model.scene import Joint
from ..carrier import digest, json_text
from .couplings import JointPosition
from .joint_stacks import stack_axes
from .names import printable
from .prim import Prim
from .values import Values

TARGET = "mjc:target"
_SERVOS = ("position", "velocity", "general")
_LONG = 10
"""Length of the lists of numbers of the schema, gear aside."""
_WORDS = ("ctrlrange", "ctrllimited", "forcerange", "forcelimited", "gear", "dyntype", "dynprm")
_NOUNS = ("{}", *(f"{word} of {{}}" for word in (*_WORDS, "timeconst")))


def apart(joint: Joint) -> tuple[Joint, tuple[Actuator, ...]]:
    """Return a joint without the actuators that are prims of their own, and these."""
    actuators = joint.attributes.actuators
    if not actuators or stack_axes(joint.attributes):
        return joint, ()
    if len(joint_axes(joint.settings).moving) != 1:
        return joint, ()
    drives = joint.settings.drives
    found = tuple(each for each in actuators if _is_apart(each, len(drives)))
    if not found:
        return joint, ()
    others = tuple(each for each in actuators if each not in found)
    fitted, rest = matched_drives(found, drives)
    settings = replace(joint.settings, drives=tuple(rest))
    attributes = replace(joint.attributes, actuators=others)
    return replace(joint, settings=settings, attributes=attributes), tuple(fitted)


def _is_apart(actuator: Actuator, drives: int) -> bool:
    """Return whether an actuator of a joint with so many drives is a prim of its own."""
    acts_on_joint = actuator.target_kind == "joint" and not actuator.target
    is_law = actuator.is_affine and actuator.bias[2] <= 0.0
    is_plain = acts_on_joint and is_law and actuator.ratio != 0.0
    return is_plain and (actuator.drive() is None or drives > 1)


def without_law(joint: Joint) -> tuple[Actuator, ...]:
    """Return the servos of a joint that are neither its drive nor prims of their own.

    Actuators of other kinds are named by what MJCF calls them.
    """
    left = (each for each in joint.attributes.actuators if each.drive() is None)
    return tuple(each for each in left if each.kind in _SERVOS)


def set_actuator(prim: Prim, actuator: Actuator, position: JointPosition) -> None:
    """Make a prim the actuator of the joint that `position` is of."""
    prim.type_name = "MjcActuator"
    prim.relate(TARGET, (position.path,))
    if prim.path.rpartition("/")[2] != actuator.name:
        prim.info["displayName"] = printable(actuator.name)
    offset, stiffness, damping = actuator.bias
    # The stage counts positions from the zero of its joint.
    offset += stiffness * actuator.ratio * (actuator.zero - position.sign * position.zero)
    lists = {"gear": (position.sign * actuator.ratio, *actuator.gear[1:])}
    lists["gainPrm"] = (actuator.gain,)
    values = Values(prim)
    if any((offset, stiffness, damping)):
        lists["biasPrm"] = (offset, stiffness, damping)
        values.put("mjc:biasType", "affine")
    if actuator.filter:
        lists["dynPrm"] = (actuator.time_constant,)
        values.put("mjc:dynType", actuator.filter)
    for name, numbers in lists.items():
        whole = 6 if name == "gear" else _LONG
        values.put(f"mjc:{name}", (*numbers, *(0.0,) * (whole - len(numbers))))
    for name, span in (("ctrl", actuator.control_range), ("force", actuator.force_range)):
        if span is not None:
            values.put(f"mjc:{name}Limited", "true")
            values.put(f"mjc:{name}Range:min", span[0])
            values.put(f"mjc:{name}Range:max", span[1])
    prim.data |= {"actuator": text_of((actuator,)), "law": law_digest(prim)}


def law_digest(prim: Prim) -> str:
    """Return a digest of the attributes of an actuator."""
    return digest(json_text({name: value for name, (_kind, value) in prim.attributes.items()}))


def held_nouns(written: Iterable[Actuator], all_of_them: Sequence[Actuator]) -> frozenset[str]:
    """Return the words of MJCF about actuators that are all on the stage."""
    names = {each.name for each in written}
    left = {each.kind for each in all_of_them if each.name not in names}
    kinds = {each.kind for each in written} - left
    return frozenset(noun.format(kind) for kind in kinds for noun in _NOUNS)

"""The two ends of a joint: exchanging them, and moving their frames."""

import bpy

from ..core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ..core.rewrite.followed import by_rewriting
from ..core.rewrite.swap import swapped_attributes, swapped_settings
from ..properties.joint import joint_data, shared_settings
from ..properties.joint_reading import read_joint
from .joint_curves import JointCurves
from .profiles import profiles_of, put_profiles
from .sharing import Sharing


def connected_of(joint: bpy.types.Object) -> bpy.types.Object:
    """Return the connected object of a joint that has one."""
    connected = joint_data(joint).connected_object
    assert connected is not None
    return connected


def swap_ends(data: bpy.types.BlendData, old: bpy.types.Object) -> bpy.types.Object:
    """Make the connected frame the joint and the joint its connected frame; return the new joint.

    Raises `SwapError` where no settings mean the same from the other end.
    """
    new, before = connected_of(old), shared_settings(old)
    settings, kept = swapped_settings(before), profiles_of(old)
    profiles = {name: swapped_settings(each) for name, each in kept.items()}
    if settings != before or profiles != kept:
        Sharing(data).end([old])
    _hand_over(old, new, data)
    JointCurves().hand_over(old, new, by_rewriting(before, swapped_settings))
    if joint_data(new).settings_source is None:
        joint_data(new).settings_from_core(settings)
        put_profiles(joint_data(new), profiles)
    _exchange_looks(old, new)
    return new


def _hand_over(old: bpy.types.Object, new: bpy.types.Object, data: bpy.types.BlendData) -> None:
    """Make `new` the joint instead of `old`, to which it is connected; joints that share follow."""
    before, after = joint_data(old), joint_data(new)
    after.enabled, before.enabled = True, False
    before.connected_object = None
    after.connect(old)
    after.enable_collision = before.enable_collision
    after.carried, before.carried = before.carried, ""
    after.attributes.from_core(swapped_attributes(_attributes_of(old)))
    before.attributes.from_core(DEFAULT_ATTRIBUTES)
    after.display_size, before.display_size = before.display_size, 0.0
    after.settings_source, before.settings_source = before.settings_source, None
    after.settings_from_core(before.settings_to_core())
    before.limits.clear()
    before.drives.clear()
    before.profiles.clear()
    for other in data.objects:
        if joint_data(other).settings_source == old:
            joint_data(other).settings_source = new


def _attributes_of(joint: bpy.types.Object) -> JointAttributes:
    found = read_joint(joint)
    return DEFAULT_ATTRIBUTES if found is None else found.values.attributes


def _exchange_looks(one: bpy.types.Object, two: bpy.types.Object) -> None:
    """Exchange name and display of two empties, so that both still look like their ends."""
    if one.type != "EMPTY":
        return
    for name in ("empty_display_type", "empty_display_size"):
        first, second = getattr(one, name), getattr(two, name)
        setattr(one, name, second)
        setattr(two, name, first)
    first_name, second_name = one.name, two.name
    one.name = "Joint"
    two.name = first_name
    one.name = second_name

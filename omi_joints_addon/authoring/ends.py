"""The two ends of a joint: exchanging them, and choosing their bodies."""

import bpy

from ..core.findings.sentence import Sentence
from ..core.meaning.sides import End
from ..core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ..core.rewrite.followed import by_rewriting
from ..core.rewrite.swap import swapped_attributes, swapped_settings
from ..properties.body import motion_of
from ..properties.bones import BodyBone, Node, object_of, world_matrix
from ..properties.joint import joint_data, shared_settings
from ..properties.joint_reading import read_joint
from ..scene.structure import body_object_of, is_dynamic, joint_bodies, nodes_above
from .bodies import BodyMaker
from .conditions import bony, locked
from .frames import place_under, rigid_matrix
from .joint_curves import JointCurves
from .joints import JointBuilder
from .profiles import profiles_of, put_profiles
from .sharing import Sharing


def connected_of(joint: bpy.types.Object) -> bpy.types.Object:
    """Return the connected object of a joint that has one."""
    connected = joint_data(joint).connected_object
    assert connected is not None
    return connected


def body_at(joint: bpy.types.Object, end: End) -> Node | None:
    """Return the body at an end of a joint."""
    return joint_bodies(joint)[end == End.CONNECTED]


def unfit_body(joint: bpy.types.Object, end: End, body: Node | None) -> str | None:
    """Return why `body`, none being the world, cannot be at an end of a joint."""
    frame = joint if end == End.JOINT else joint_data(joint).connected_object
    if end == End.JOINT and motion_of(joint) is not None:
        return Sentence("{joint} is a body itself, and its own joint", joint=joint.name)
    reason = None if frame is None else locked(frame)
    if body is None or reason is not None:
        return reason
    if (body_object_of(body) or body) == body_at(joint, end.other):
        return Sentence("{body} is at the other end of this joint already", body=body.name)
    if frame is not None and frame in (body, *nodes_above(body)):
        return Sentence("{body} is below the frame of this joint", body=body.name)
    if isinstance(body, BodyBone) or body_object_of(body) is not None:
        return None
    return bony(body) or locked(body)


def set_body(
    context: bpy.types.Context, joint: bpy.types.Object, end: End, body: Node | None
) -> None:
    """Put an end of a joint on another body, or into the world; its frame stays where it is.

    An object that is not a body becomes one, DYNAMIC where the other end is not. `unfit_body` says
    what cannot be done.
    """
    frame = joint if end == End.JOINT else joint_data(joint).connected_object
    held = body if body is None else body_object_of(body) or body
    if held is not None:
        is_held = is_dynamic(body_at(joint, end.other))
        BodyMaker(context).make(held, "STATIC" if is_held else "DYNAMIC")
    world = rigid_matrix(world_matrix(frame or joint))
    if frame is None or motion_of(frame) is not None:
        beside = object_of(held or joint)
        frame = JointBuilder(context).frame(f"{joint.name} Connected", beside, beside, world)
        joint_data(joint).connect(frame)
    if held is None:
        frame.parent = None
        frame.matrix_world = world
    else:
        place_under(frame, held, world)


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

"""Pairs of bones that do not collide though no joint is between them, by their collision filters.

The bodies of a pair belong to a system that only they have, and do not collide with it.
"""

from collections.abc import Iterator

import bpy

from ..properties.body import body_data, motion_of
from ..properties.body_reading import CUSTOM
from ..properties.bones import BodyBone
from ..properties.surface import OMI_PG_collision_filter
from ..scene.structure import body_bones_of
from .conditions import locked
from .context import present

_LISTS = ("systems", "other_systems")


def no_pair_of_bones(context: bpy.types.Context) -> str | None:
    """Return why there are no two selected bones that could be kept from colliding."""
    active = active_body_bone(context)
    if active is None:
        return "The active bone is not a physics body"
    if not selected_body_bones(context):
        return "Select the bones that the active bone is to pass through, too"
    if not all(map(_has_collider, (active, *selected_body_bones(context)))):
        return "Only bones with a collider of their own have a collision filter"
    return locked(active.armature)


def active_body_bone(context: bpy.types.Context) -> BodyBone | None:
    """Return the active bone in Pose Mode where it is a body."""
    bone = context.active_pose_bone
    body = None if bone is None else BodyBone(present(context.object), bone.name)
    return body if motion_of(body) is not None else None


def selected_body_bones(context: bpy.types.Context) -> list[BodyBone]:
    """Return the other selected bones of the active armature that are bodies."""
    active = context.active_pose_bone
    bones = context.selected_pose_bones_from_active_object
    others = [BodyBone(present(context.object), bone.name) for bone in bones if bone != active]
    return [bone for bone in others if motion_of(bone) is not None]


def exclude_bones(one: BodyBone, other: BodyBone) -> bool:
    """Keep two bodies from colliding; return whether their filters allow that.

    Filters that list what they collide with stay, so that one of the two must not be one.
    """
    filters = [_filter(bone) for bone in (one, other)]
    if all(each.use_filter and each.mode == "ONLY" for each in filters):
        return False
    if _shared(one, other):
        return True
    name = _new_name(one, other)
    for each in filters:
        if not each.use_filter:
            each.systems.clear()
            each.other_systems.clear()
        each.use_filter = True
        if each.mode == "ALL":
            each.other_systems.clear()
            each.mode = "EXCEPT"
        for listed in _LISTS if each.mode == "EXCEPT" else _LISTS[:1]:
            getattr(each, listed).add().system = name
    return True


def include_bones(one: BodyBone, other: BodyBone) -> None:
    """Let two bodies collide again that systems of their own keep apart."""
    names = _shared(one, other)
    for each in (_filter(one), _filter(other)):
        for items in (getattr(each, listed) for listed in _LISTS):
            for number in reversed(range(len(items))):
                if items[number].system in names:
                    items.remove(number)
        if not each.systems and not each.other_systems and each.mode == "EXCEPT":
            each.use_filter = False


def passed_bones(bone: BodyBone) -> list[BodyBone]:
    """Return the bones of the armature that systems of their own keep a bone from colliding with.

    In the order of the armature.
    """
    if not _filter(bone).use_filter:
        return []
    return [each for each in body_bones_of(bone.armature) if each != bone and _shared(bone, each)]


def _shared(one: BodyBone, other: BodyBone) -> set[str]:
    """Return the systems that keep two bodies apart, and have no other member on the armature."""
    some, others = _filter(one), _filter(other)
    if not (some.use_filter and others.use_filter):
        return set()
    names = set(_names(some, "systems")) & set(_names(others, "systems"))
    names &= {
        name
        for each in (some, others)
        if each.mode == "EXCEPT"
        for name in _names(each, "other_systems")
    }
    if names:
        for each in body_bones_of(one.armature):
            if each not in (one, other):
                names.difference_update(_names(_filter(each), "systems"))
    return names


def _new_name(one: BodyBone, other: BodyBone) -> str:
    bones = body_bones_of(one.armature)
    taken = {name for bone in bones for name in _names(_filter(bone), "systems")}
    name = f"{one.armature.name} {one.name}-{other.name}"
    while name in taken:
        name += "'"
    return name


def _names(each: OMI_PG_collision_filter, listed: str) -> Iterator[str]:
    return (item.system for item in getattr(each, listed))


def _filter(bone: BodyBone) -> OMI_PG_collision_filter:
    found: OMI_PG_collision_filter = body_data(bone).collider.collision_filter
    return found


def _has_collider(bone: BodyBone) -> bool:
    return bool(body_data(bone).collider.source == CUSTOM)

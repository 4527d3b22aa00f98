"""What animates an object: keyframes, drivers and NLA strips."""

from collections.abc import Iterator
from typing import Any

import bpy

from ..properties.bones import Node
from ..properties.joint_position import PATH

_PHYSICS = ("omi_joint.", "omi_body.", f"{PATH}.", "rigid_body.")


def is_animated(obj: Node) -> bool:
    """Return whether keyframes or drivers change more of the object than its physics."""
    paths = animated_paths(obj)
    return bool(paths) and any(not path.startswith(_PHYSICS) for path in paths)


def animated_settings(obj: bpy.types.Object) -> int:
    """Return how many properties of a joint keyframes and drivers change."""
    paths = animated_paths(obj)
    return sum(path.startswith("omi_joint.") for path in paths) if paths else 0


def is_position_animated(joint: bpy.types.Object) -> bool:
    """Return whether keyframes or drivers say where a joint is."""
    return any(path.startswith(f"{PATH}.") for path in animated_paths(joint))


def animated_paths(obj: Node) -> list[str]:
    """Return the data paths of an object that keyframes, drivers and NLA strips change."""
    data = obj.animation_data
    if data is None:
        return []
    curves = [*data.drivers]
    for action, slot in actions_of(obj):
        curves += curves_in(action, slot)
    return list(dict.fromkeys(curve.data_path for curve in curves))


def strips_of(obj: Node) -> list[Any]:
    """Return the NLA strips of an object that act."""
    data = obj.animation_data
    tracks = data.nla_tracks if data is not None and data.use_nla else ()
    return [strip for track in tracks if not track.mute for strip in track.strips]


def is_evaluated(obj: Node, path: str) -> bool:
    """Return whether a driver or a strip decides about a value."""
    data: Any = obj.animation_data
    return bool(strips_of(obj)) or any(curve.data_path == path for curve in data.drivers)


def exists(obj: bpy.types.Object, path: str) -> bool:
    """Return whether an object has a property, which keys and drivers may outlive."""
    try:
        obj.path_resolve(path)
    except ValueError:
        return False
    return True


def actions_of(obj: Node) -> Iterator[tuple[Any, Any]]:
    """Yield the actions of an object with their slots: the active one, then those of strips."""
    data = obj.animation_data
    if data is None:
        return
    users: list[Any] = [data, *(strip for track in data.nla_tracks for strip in track.strips)]
    seen = set[tuple[Any, Any]]()
    for user in users:
        found = user.action, getattr(user, "action_slot", None)
        if user.action is not None and found not in seen:
            seen.add(found)
            yield found


def curves_of(data: Any) -> list[Any]:
    """Return the F-curves of the animation data of an ID, of slots and layers too."""
    if data is None or data.action is None:
        return []
    return curves_in(data.action, getattr(data, "action_slot", None))


def curves_in(action: Any, slot: Any) -> list[Any]:
    """Return the F-curves of one slot of an action."""
    return [curve for curves in channels_of(action, slot) for curve in curves]


def channels_of(action: Any, slot: Any) -> list[Any]:
    """Return the collections that the F-curves of one slot of an action are in."""
    if hasattr(action, "layers") and slot is not None:
        strips = [strip for layer in action.layers for strip in layer.strips]
        bags = [strip.channelbag(slot) for strip in strips]
        return [bag.fcurves for bag in bags if bag is not None]
    return [action.fcurves] if hasattr(action, "fcurves") else []


def action_curves(action: Any) -> list[Any]:
    """Return the F-curves of an action, of all its slots and layers; None has none."""
    if action is None:
        return []
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]

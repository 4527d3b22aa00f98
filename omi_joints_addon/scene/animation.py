"""What animates an object: keyframes, drivers and NLA strips."""

from collections.abc import Iterator
from typing import Any

import bpy


def is_animated(obj: bpy.types.Object) -> bool:
    """Return whether keyframes or drivers move the object."""
    data = obj.animation_data
    return data is not None and (
        data.action is not None or bool(data.drivers) or bool(data.nla_tracks)
    )


def animated_settings(obj: bpy.types.Object) -> int:
    """Return how many properties of a joint keyframes and drivers change."""
    data = obj.animation_data
    if data is None:
        return 0
    return len({path for path in _paths(data) if path.startswith("omi_joint.")})


def _paths(data: bpy.types.AnimData) -> Iterator[str]:
    yield from (curve.data_path for curve in (*data.drivers, *curves_of(data)))
    for track in data.nla_tracks:
        for strip in track.strips:
            yield from (curve.data_path for curve in action_curves(strip.action))


def curves_of(data: Any) -> list[Any]:
    """Return the F-curves of the animation data of an ID, of slots and layers too."""
    if data is None or data.action is None:
        return []
    if hasattr(data.action, "layers") and data.action_slot is not None:
        strips = [strip for layer in data.action.layers for strip in layer.strips]
        bags = [strip.channelbag(data.action_slot) for strip in strips]
        return [curve for bag in bags if bag is not None for curve in bag.fcurves]
    return list(getattr(data.action, "fcurves", ()))


def action_curves(action: Any) -> list[Any]:
    """Return the F-curves of an action, of all its slots and layers; None has none."""
    if action is None:
        return []
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]

"""Keys and drivers of limits and drives: they follow their limit or drive where it goes.

The only place that changes the data paths of what animates a joint. What a change of the settings
leaves without a limit or drive is removed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any

import bpy
import numpy as np

from ..core.model.joint import JointSettings
from ..core.rewrite.followed import Follow, Member, by_axes
from ..properties.joint import joint_data
from ..scene.animation import actions_of, channels_of, curves_in
from ..scene.joint_tracks import COLLISION

Object = bpy.types.Object
_PATH = re.compile(
    r"omi_joint\.(limits|drives)\[(\d+)\]\.(use_)?(\w+?)(_angle|_distance)?(\[\d\])?"
)
_NUMBERS = frozenset(
    ("min", "max", "stiffness", "damping", "max_force", "position_target", "velocity_target")
)
_ELEMENT = "damping"
"""A number that each limit and drive has: it goes where the whole element goes."""


class JointCurves:
    """Follows limits and drives; one for all joints of one operation."""

    def replace(self, joint: Object, settings: JointSettings) -> None:
        """Give a joint other settings of its own; what animates the same axes stays."""
        data = joint_data(joint)
        before = data.settings_to_core()
        data.settings_from_core(settings)
        self.follow(joint, by_axes(before, settings))

    def follow(self, joint: Object, follow: Follow) -> None:
        """Let keys, drivers and what reads the numbers elsewhere follow them within a joint."""
        for curves, curve in _own_curves(joint):
            _put(curves, curve, _followed(curve.data_path, follow))
        self._follow_readers(joint, follow)

    def copy(self, source: Object, target: Object, follow: Follow) -> None:
        """Give a joint the keys and drivers that another has, and no others on its settings."""
        self.remove(target)
        data: Any = source.animation_data
        if data is None or source == target:
            return
        for curve in curves_in(data.action, data.action_slot) if data.action is not None else ():
            place = _followed(curve.data_path, follow)
            if place is not None:
                _copy_keys(curve, target, place[0])
                _scale(_curve_at(target, place[0]), place[1])
        for curve in data.drivers:
            place = _followed(curve.data_path, follow)
            if place is not None:
                made: Any = target.animation_data_create()
                new = made.drivers.from_existing(src_driver=curve)
                new.data_path = place[0]
                _scale(new, place[1])

    def remove(self, joint: Object) -> None:
        """Remove the keys and drivers of a joint's own settings."""
        for curves, curve in _own_curves(joint):
            curves.remove(curve)

    def hand_over(self, old: Object, new: Object, follow: Follow) -> None:
        """Let all that animates a joint animate another one instead, and its readers read that."""
        self.copy(old, new, follow)
        self._hand_over_collision(old, new)
        self.remove(old)
        readers = self._readers.pop(old, [])
        for target, _driver, _name in readers:
            target.id = new
        self._readers[new] = self._readers.get(new, []) + readers
        self._follow_readers(new, follow)

    def _follow_readers(self, joint: Object, follow: Follow) -> None:
        """Let drivers elsewhere that read numbers of a joint read them where they are now."""
        for target, driver, name in self._readers.get(joint, ()):
            if (place := _followed(target.data_path, follow)) is not None:
                target.data_path = place[0]
                if place[1] < 0.0:
                    driver.expression = re.sub(rf"\b{name}\b", f"(-{name})", driver.expression)

    @staticmethod
    def _hand_over_collision(old: Object, new: Object) -> None:
        for action, slot in list(actions_of(old)):
            for curves in channels_of(action, slot):
                for curve in [each for each in curves if each.data_path == COLLISION]:
                    _copy_keys(curve, new, COLLISION)
                    curves.remove(curve)

    @cached_property
    def _readers(self) -> dict[bpy.types.ID, list[tuple[Any, Any, str]]]:
        """Targets of drivers that read numbers of joints, driver and variable name."""
        found = defaultdict[bpy.types.ID, list[tuple[Any, Any, str]]](list)
        for owner in _all_ids():
            for curve in owner.animation_data.drivers:
                for variable in curve.driver.variables:
                    for target in variable.targets:
                        if target.id is not None and _PATH.fullmatch(target.data_path):
                            found[target.id].append((target, curve.driver, variable.name))
        return found


def settings_curves(joint: Object) -> int:
    """Return how many keyed or driven numbers the settings of an object have."""
    return sum(1 for _ in _own_curves(joint))


def _all_ids() -> Iterator[Any]:
    """Yield all that has animation data, once: newer Blenders list some data twice."""
    data = bpy.data
    members = [each.identifier for each in data.bl_rna.properties if each.type == "COLLECTION"]
    for each in dict.fromkeys(each for name in members for each in getattr(data, name)):
        if getattr(each, "animation_data", None) is not None:
            yield each


def _own_curves(joint: Object) -> list[tuple[Any, Any]]:
    """Return the F-curves and drivers on the settings of an object, with what they are in.

    An action that others use, too, is copied first.
    """
    data: Any = joint.animation_data
    if data is None:
        return []
    found = [(data.drivers, curve) for curve in data.drivers if _PATH.fullmatch(curve.data_path)]
    for action, slot in list(actions_of(joint)):
        if any(_PATH.fullmatch(curve.data_path) for curve in curves_in(action, slot)):
            for curves in channels_of(*_single_user(data, action, slot)):
                found += [(curves, each) for each in curves if _PATH.fullmatch(each.data_path)]
    return found


def _single_user(data: Any, action: Any, slot: Any) -> tuple[Any, Any]:
    """Return action and slot for one user: the active one is copied where it has others."""
    if action != data.action or slot is None or len(slot.users()) < 2:
        return action, slot
    data.action = action.copy()
    data.action_slot = data.action.slots[slot.identifier]
    return data.action, data.action_slot


def _followed(path: str, follow: Follow) -> tuple[str, float] | None:
    """Return the data path of a number afterwards and the factor of its value.

    None for what is gone and what is not of limits and drives.
    """
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    kind, number, use, name, unit, index = match.groups(default="")
    is_number = name in _NUMBERS
    found = follow(Member(kind, int(number), name if is_number else _ELEMENT))
    if found is None:
        return None
    place = found.place
    named = place.member if is_number else name
    factor = found.factor if is_number and not use else 1.0
    return f"omi_joint.{place.kind}[{place.number}].{use}{named}{unit}{index}", factor


def _put(curves: Any, curve: Any, place: tuple[str, float] | None) -> None:
    if place is None:
        curves.remove(curve)
        return
    curve.data_path, factor = place
    _scale(curve, factor)


def _scale(curve: Any, factor: float) -> None:
    """Multiply the values of an F-curve or driver."""
    if factor == 1.0:
        return
    if (driver := curve.driver) is not None:
        names = [variable.name for variable in driver.variables]
        sums = {"SUM": "+".join(names), "AVERAGE": f"({'+'.join(names)})/{max(1, len(names))}"}
        text = sums.get(driver.type) or f"{driver.type.lower()}({','.join(names)})"
        text = driver.expression if driver.type == "SCRIPTED" else text
        driver.type, driver.expression = "SCRIPTED", f"-({text})"
        return
    points = curve.keyframe_points
    for name in ("co", "handle_left", "handle_right"):
        values = np.empty(2 * len(points), np.float32)
        points.foreach_get(name, values)
        values[1::2] *= factor
        points.foreach_set(name, values)
    curve.update()


def _curve_at(obj: Object, path: str) -> Any:
    data: Any = obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(obj.name)
    return data.action.fcurve_ensure_for_datablock(obj, path)


def _copy_keys(source: Any, target: Object, path: str) -> None:
    """Give an object an F-curve at a data path with the keys and modifiers of another one."""
    curve = _curve_at(target, path)
    curve.keyframe_points.clear()
    curve.keyframe_points.add(len(source.keyframe_points))
    for old, new in zip(source.keyframe_points, curve.keyframe_points, strict=True):
        _copy_members(old, new)
    for modifier in source.modifiers:
        _copy_members(modifier, curve.modifiers.new(modifier.type))
    _copy_members(source, curve, only=("extrapolation", "mute", "auto_smoothing"))
    curve.update()


def _copy_members(source: Any, target: Any, only: tuple[str, ...] = ()) -> None:
    for member in source.bl_rna.properties:
        name = member.identifier
        if member.is_readonly or (only and name not in only):
            continue
        with suppress(AttributeError, TypeError):
            setattr(target, name, getattr(source, name))

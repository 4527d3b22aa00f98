"""Settings that several joints share: ending it, and giving copies."""

from collections.abc import Iterable
from contextlib import suppress

import bpy

from ..core.model.joint import JointSettings
from ..core.rewrite.followed import Followed
from ..properties.joint import SettingsCycleError, joint_data, settings_owner, shared_settings
from ..scene.structure import sharing_joints
from .joint_curves import JointCurves
from .profiles import profiles_of, put_profiles


class Sharing:
    """Who shares settings with whom, looked up once for many joints."""

    def __init__(self, data: bpy.types.BlendData) -> None:
        # Dictionaries as ordered sets: joints leave them one by one.
        self._joints = {
            source: dict.fromkeys(joints) for source, joints in sharing_joints(data.objects).items()
        }
        self._curves = JointCurves()

    def end(self, joints: Iterable[bpy.types.Object]) -> None:
        """Give each joint settings that no other joint uses, with the values it has now.

        Where others share a joint's, the first of them keeps the values and the rest share that
        one's. Owners come last: by then few share their settings.
        """
        for joint in sorted(joints, key=lambda joint: joint_data(joint).settings_source is None):
            self._end(joint)

    def _end(self, joint: bpy.types.Object) -> None:
        own = joint_data(joint)
        if own.settings_source is not None:
            with suppress(SettingsCycleError):
                self._curves.copy(settings_owner(joint), joint, Followed)
            own.settings_from_core(_settings_now(joint))
            put_profiles(own, _profiles_now(joint))
            del self._joints[own.settings_source][joint]
            own.settings_source = None
        others = list(self._joints.pop(joint, ()))
        for other in others:
            joint_data(other).settings_from_core(own.settings_to_core())
            joint_data(other).settings_source = others[0] if other != others[0] else None
        if others:
            put_profiles(joint_data(others[0]), _profiles_now(joint))
            self._curves.copy(joint, others[0], Followed)
        for other in others[1:]:
            self._joints.setdefault(others[0], {})[other] = None


def copy_settings(
    data: bpy.types.BlendData, settings: JointSettings, joints: Iterable[bpy.types.Object]
) -> None:
    """Give joints the settings as their own; who shared with them keeps what it had."""
    joints = list(joints)
    Sharing(data).end(joints)
    curves = JointCurves()
    for joint in joints:
        curves.replace(joint, settings)


def share_settings(joint: bpy.types.Object, joints: Iterable[bpy.types.Object]) -> None:
    """Let joints share the settings of `joint`, also over time; raises `SettingsCycleError`."""
    curves = JointCurves()
    owner = settings_owner(joint)
    settings = shared_settings(joint)
    for other in joints:
        if other != owner:
            joint_data(other).settings_source = owner
            # A deleted owner leaves the joint whole.
            joint_data(other).settings_from_core(settings)
            curves.remove(other)


def _settings_now(joint: bpy.types.Object) -> JointSettings:
    """Return the settings that the joint uses; its own where the sharing forms a loop."""
    try:
        return shared_settings(joint)
    except SettingsCycleError:
        return joint_data(joint).settings_to_core()


def _profiles_now(joint: bpy.types.Object) -> dict[str, JointSettings]:
    """Return the profiles that the joint uses, none where the sharing forms a loop."""
    try:
        return profiles_of(joint)
    except SettingsCycleError:
        return {}

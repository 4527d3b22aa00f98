"""Named profiles of joints: several sets of limits and drives, one of which is in use.

Each joint has its own, in the .blend file; joints of one name can be switched together, such as all
of a character from "Walking" to "Limp". Files of other formats hold what is in use.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress

import bpy

from ..core.findings.sentence import Sentence
from ..core.model.joint import JointSettings
from ..properties.joint import (
    OMI_PG_joint,
    SettingsCycleError,
    joint_data,
    settings_owner,
    shared_settings,
)
from .joint_curves import JointCurves
from .joints import show_range
from .own_presets import SettingsTextError, settings_from_text, settings_to_text


class OverrideError(Exception):
    """A profile that a library override cannot take; the text is the reason."""


def store_profile(joints: Iterable[bpy.types.Object], name: str) -> int:
    """Keep the limits and drives of joints under a name; return how many sets there were.

    Raises `SettingsCycleError`.
    """
    owners = dict.fromkeys(map(settings_owner, joints))
    for owner in owners:
        data = joint_data(owner)
        put_profiles(data, {name: data.settings_to_core()})
    return len(owners)


def apply_profile(joints: Iterable[bpy.types.Object], name: str) -> int:
    """Give joints the limits and drives that they keep under a name; return how many had some.

    Raises `SettingsCycleError`, `SettingsTextError` where another program changed them, and
    `OverrideError`; nothing is changed then.
    """
    found = {}
    for owner in dict.fromkeys(map(settings_owner, joints)):
        profile = joint_data(owner).profiles.get(name)
        if profile is not None:
            found[owner] = settings_from_text(profile.settings)
            _check_override(owner, found[owner])
    curves = JointCurves()
    for owner, settings in found.items():
        curves.replace(owner, settings)
        show_range(joint_data(owner))
    return len(found)


def _check_override(joint: bpy.types.Object, settings: JointSettings) -> None:
    """Raise `OverrideError` where limits or drives that a library has would have to go."""
    data = joint_data(joint)
    is_other = (len(settings.limits), len(settings.drives)) != (len(data.limits), len(data.drives))
    if joint.override_library is not None and is_other:
        raise OverrideError(
            Sentence(
                "{joint} is a library override, which keeps as many limits and drives as it has",
                joint=joint.name,
            )
        )


def remove_profile(joints: Iterable[bpy.types.Object], name: str) -> int:
    """Remove what joints keep under a name; return how many had it. Raises `SettingsCycleError`."""
    count = 0
    for owner in dict.fromkeys(map(settings_owner, joints)):
        profiles = joint_data(owner).profiles
        if (number := profiles.find(name)) >= 0:
            profiles.remove(number)
            count += 1
    return count


def profiles_in_use(joints: Iterable[bpy.types.Object]) -> dict[str, bool]:
    """Return for each profile of joints by name whether all that have it use it now."""
    found: dict[str, bool] = {}
    for joint in joints:
        with suppress(SettingsCycleError):
            settings = shared_settings(joint)
            for name, kept in profiles_of(joint).items():
                found[name] = found.get(name, True) and kept == settings
    return dict(sorted(found.items()))


def profiles_of(joint: bpy.types.Object) -> dict[str, JointSettings]:
    """Return the profiles of a joint by name; one that is unreadable is left out.

    Raises `SettingsCycleError`.
    """
    found = {}
    for profile in joint_data(settings_owner(joint)).profiles:
        with suppress(SettingsTextError):
            found[profile.name] = settings_from_text(profile.settings)
    return found


def put_profiles(data: OMI_PG_joint, profiles: Mapping[str, JointSettings]) -> None:
    """Keep settings under their names in the data of a joint; others that it has stay."""
    for name, settings in profiles.items():
        profile = data.profiles.get(name)
        if profile is None:
            profile = data.profiles.add()
            profile.name = name
        profile.settings = settings_to_text(settings)

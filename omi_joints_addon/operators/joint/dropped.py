"""Reports of keys and drivers that are removed with their limit or drive."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import bpy

from ... import authoring
from ...properties.joint import SettingsCycleError, settings_owner
from ...translation import report


@contextmanager
def dropped_reported(operator: Any, joints: Sequence[bpy.types.Object]) -> Iterator[None]:
    """Report how many keyed or driven numbers joints have lost while their settings changed."""
    before = _animated(joints)
    yield
    lost = before - _animated(joints)
    if lost > 0:
        report(
            operator,
            "WARNING",
            "Removed keys and drivers that have no limit or drive any longer: {count}",
            count=lost,
        )


def _animated(joints: Sequence[bpy.types.Object]) -> int:
    """Return how many numbers of joints are keyed or driven, each as often as joints use it."""
    count = 0
    for joint in joints:
        with suppress(SettingsCycleError):
            count += authoring.joint_curves.settings_curves(settings_owner(joint))
    return count

"""Checks of joint settings, wherever they are from: all of them at once.

The places of the findings are empty, their parts lead to the limit or drive.
"""

from collections.abc import Sequence

import numpy as np

from ..findings.finding import WARNING, Finding, rule
from ..meaning.axis_bounds import axis_bounds
from ..model.joint import JointSettings
from ..model.settings_columns import SettingsColumns, columns_of
from .drives import check_drives, check_drives_together
from .limits import check_contradictions, check_limits

EMPTY_SETTINGS = rule(
    "OMI-J112",
    WARNING,
    "the joint has neither limits nor drives, so it does nothing",
    reason="OMI_physics_joint: at least one of limits and drives should have contents.",
)


def check_settings(settings: Sequence[JointSettings]) -> list[tuple[Finding, ...]]:
    """Return what is wrong with each of some joint settings."""
    found = check_columns(columns_of(settings))
    return [found.get(number, ()) for number in range(len(settings))]


def check_columns(settings: SettingsColumns) -> dict[int, tuple[Finding, ...]]:
    """Return what is wrong with joint settings, by their number; sound ones are left out."""
    bounds = axis_bounds(settings)
    hits = [
        *((number, EMPTY_SETTINGS()) for number in np.flatnonzero(settings.is_empty()).tolist()),
        *check_limits(settings.limits),
        *check_contradictions(settings.limits, bounds),
        *check_drives(settings.drives),
        *check_drives_together(settings.drives, bounds),
    ]
    found: dict[int, list[Finding]] = {}
    for number, said in hits:
        found.setdefault(number, []).append(said)
    return {number: tuple(found[number]) for number in sorted(found)}

"""Checks of joint settings, wherever they are from: all of them at once.

The places of the findings are empty, their parts lead to the limit or drive.
"""

from collections.abc import Sequence

import numpy as np

from ..findings.finding import INFO, Finding, rule
from ..model.joint import JointSettings
from .axis_bounds import axis_bounds
from .drives import check_drives, check_drives_together
from .limits import check_contradictions, check_limits
from .settings_columns import columns_of

EMPTY_SETTINGS = rule(
    "OMI-J112",
    INFO,
    "the joint has neither limits nor drives, so it only decides whether its bodies collide",
    reason="OMI_physics_joint: at least one of limits and drives should have contents.",
)


def check_settings(settings: Sequence[JointSettings]) -> list[tuple[Finding, ...]]:
    """Return what is wrong with each of some joint settings."""
    columns = columns_of(settings)
    bounds = axis_bounds(columns)
    hits = [
        *((number, EMPTY_SETTINGS()) for number in np.flatnonzero(columns.are_empty()).tolist()),
        *check_limits(columns.limits),
        *check_contradictions(columns.limits, bounds),
        *check_drives(columns.drives),
        *check_drives_together(columns.drives, bounds),
    ]
    findings: dict[int, list[Finding]] = {}
    for number, finding in hits:
        findings.setdefault(number, []).append(finding)
    return [tuple(findings.get(number, ())) for number in range(len(settings))]

"""Checks of joint settings, wherever they are from.

The places of the findings are empty, their parts lead to the limit or drive.
"""

from functools import lru_cache

from ..findings.finding import WARNING, Finding, rule
from ..model.joint import JointSettings
from .drives import check_drive, check_drives_together
from .limits import check_contradictions, check_limit

EMPTY_SETTINGS = rule(
    "OMI-J112",
    WARNING,
    "the joint has neither limits nor drives, so it does nothing",
    reason="OMI_physics_joint: at least one of limits and drives should have contents.",
)


@lru_cache(maxsize=65536)
def check_settings(settings: JointSettings) -> tuple[Finding, ...]:
    """Return what is wrong with joint settings."""
    if not settings.limits and not settings.drives:
        return (EMPTY_SETTINGS(),)
    return (
        *(found for n, limit in enumerate(settings.limits) for found in check_limit(limit, n)),
        *check_contradictions(settings),
        *(found for n, drive in enumerate(settings.drives) for found in check_drive(drive, n)),
        *check_drives_together(settings),
    )

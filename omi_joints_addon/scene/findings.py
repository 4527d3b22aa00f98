"""Findings about the joints of a scene: as they are now, or as far as they are known."""

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

import bpy

from ..core.findings.finding import Finding, Rule, Severity
from ..properties.checks import checks_options
from ..properties.joint import joint_data
from .watch import WATCH

if TYPE_CHECKING:
    from .checks import LiveChecks


def settled_findings(scene: bpy.types.Scene) -> list[Finding]:
    """Return what is wrong with a scene when all of it was looked at."""
    return WATCH.settled(scene).listing.findings


def scene_findings(scene: bpy.types.Scene) -> list[Finding]:
    """Return what `settled_findings` does, as release 0.1.0 called it."""
    warnings.warn("use settled_findings", DeprecationWarning, stacklevel=2)
    return settled_findings(scene)


def shown_by_rule(scene: bpy.types.Scene) -> Mapping[Rule, list[Finding]]:
    """Return the known findings that the scene's options show by their rule, worst first."""
    return _known(scene).listing.by_rule(_shown(scene))


def is_any_safe(scene: bpy.types.Scene) -> bool:
    """Return whether one of the findings that are shown can be fixed without a thought."""
    return _known(scene).listing.has_safe_fix(_shown(scene))


def _shown(scene: bpy.types.Scene) -> frozenset[Severity]:
    """Return the severities that the scene's options show."""
    options = checks_options(scene)
    return frozenset(severity for severity in Severity if options.shows(severity))


def known_counts(scene: bpy.types.Scene) -> Mapping[Severity, int]:
    """Return how many findings are known of each severity, without those of an engine."""
    return _known(scene).listing.counts


def joint_findings(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[Finding]:
    """Return what is known to be wrong with one joint, its settings and their owner."""
    source = joint_data(obj).settings_source
    places = [obj] if source is None else [obj, source]
    checks = _known(scene)
    return [item for place in places for item in checks.about(place.session_uid, place.name)]


def _known(scene: bpy.types.Scene) -> "LiveChecks":
    """Return the checks of a scene, complete only where no timer would complete them."""
    if bpy.app.background:
        checks = WATCH.settled(scene)
    else:
        WATCH.scene(scene)
        checks = WATCH.checks(scene)
    options = checks_options(scene)
    checks.choose_engine(options.target() if options.use_engine else None)
    if bpy.app.background:
        checks.work()
    return checks

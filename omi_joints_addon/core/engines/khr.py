"""What viewers of KHR_physics_rigid_bodies make of a joint; read in the extension's text."""

from collections.abc import Iterator

from ..findings.finding import INFO, WARNING, Finding, rule
from ..findings.words import limit_part
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene
from . import names
from .engine import Engine

NEEDS_KHR = rule(
    "OMI-E201",
    INFO,
    "KHR viewers: they only read KHR_physics_rigid_bodies; export that dialect as well",
    reason="The two extensions share limits and drives, not the way nodes refer to them. "
    "Read in both specifications.",
)
MIXED_AXES = rule(
    "OMI-E202",
    WARNING,
    "KHR viewers: limit {number} names linear and angular axes, which is not valid there; "
    "split it in two",
    reason="A limit has either linear or angular axes. Read in KHR_physics_rigid_bodies.",
)


def _becomes(_settings: JointSettings) -> str:
    return "KHR joint"


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    for index, limit in enumerate(settings.limits):
        if limit.linear_axes and limit.angular_axes:
            yield MIXED_AXES("", limit_part(index), number=index + 1)


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    if scene.joints:
        yield NEEDS_KHR(scene.joints[0].place)


KHR = Engine(
    **names.KHR._asdict(),
    becomes=_becomes,
    check_settings=_check_settings,
    check_scene=_check_scene,
)

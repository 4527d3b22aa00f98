"""What physics engines make of a joint: the class it becomes, and what is lost on the way."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from ..checks.frames import joint_poses
from ..findings.finding import Finding
from ..findings.words import amount
from ..meaning.recognition import joint_kind
from ..model.graph import joint_ends
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene
from .godot import CONNECTED_FRAME_IGNORED, NOT_DIRECT_CHILD, check_godot, godot_class
from .native import bullet_class, check_bullet, check_khr, check_physx, khr_class, physx_class

_VISIBLE = 1e-3
"""Gaps between frames that matter [m] and [rad]."""


class Engine(StrEnum):
    """Where a joint is to work."""

    ANY = "any"
    """In every one of the others."""
    GODOT = "godot"
    """Godot 4 with the OMI importer."""
    KHR = "khr"
    """Viewers of KHR_physics_rigid_bodies."""
    PHYSX = "physx"
    """Engines built on PhysX."""
    BULLET = "bullet"
    """Engines built on Bullet."""

    @property
    def label(self) -> str:
        """Name to show."""
        return _LABELS[self]


_LABELS = {
    Engine.ANY: "Any",
    Engine.GODOT: "Godot 4",
    Engine.KHR: "KHR Viewers",
    Engine.PHYSX: "PhysX",
    Engine.BULLET: "Bullet",
}


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What an engine makes of joint settings."""

    becomes: str
    """Class or kind of joint there."""
    findings: tuple[Finding, ...]
    """What is lost or goes wrong there; their places are empty."""


_Class = Callable[[JointSettings], str]
_Check = Callable[[JointSettings], Iterator[Finding]]
_ENGINES: dict[Engine, tuple[_Class, _Check]] = {
    Engine.GODOT: (godot_class, check_godot),
    Engine.KHR: (khr_class, check_khr),
    Engine.PHYSX: (physx_class, check_physx),
    Engine.BULLET: (bullet_class, check_bullet),
}


@lru_cache(maxsize=65536)
def engine_report(settings: JointSettings, engine: Engine) -> EngineReport:
    """Return what an engine makes of joint settings, whatever bodies they are between."""
    if engine == Engine.ANY:
        found = (item for _, check in _ENGINES.values() for item in check(settings))
        return EngineReport(joint_kind(settings).label, tuple(found))
    name, check = _ENGINES[engine]
    return EngineReport(name(settings), tuple(check(settings)))


def check_engine(scene: PhysicsScene, engine: Engine) -> list[Finding]:
    """Return what an engine loses of the joints of a scene, at the places of the joints."""
    found = [
        item.at(joint.place)
        for joint in scene.joints
        for item in engine_report(joint.settings, engine).findings
    ]
    if scene.joints and engine in (Engine.GODOT, Engine.ANY):
        found += [*_check_nesting(scene), *_check_frames(scene)]
    return found


def _check_nesting(scene: PhysicsScene) -> Iterator[Finding]:
    ends = joint_ends(scene)
    deep = (ends.body >= 0) & (scene.parents[ends.node] != ends.body) & (ends.body != ends.node)
    for index in np.flatnonzero(deep):
        yield NOT_DIRECT_CHILD(scene.joints[index].place)


def _check_frames(scene: PhysicsScene) -> Iterator[Finding]:
    joints = np.flatnonzero([joint.connected is not None for joint in scene.joints])
    poses = joint_poses(scene, joints)
    distance = np.linalg.norm(poses.position, axis=-1)
    angle = 2.0 * np.arctan2(
        np.linalg.norm(poses.rotation[..., :3], axis=-1), np.abs(poses.rotation[..., 3])
    )
    for at in np.flatnonzero((distance > _VISIBLE) | (angle > _VISIBLE)):
        is_angular = bool(distance[at] <= _VISIBLE)
        gap = amount(float(angle[at] if is_angular else distance[at]), is_angular=is_angular)
        yield CONNECTED_FRAME_IGNORED(scene.joints[joints[at]].place, gap=gap)

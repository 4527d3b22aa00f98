"""All engines that there is a report for, by name."""

from collections.abc import Iterator, Mapping
from itertools import chain

from ..findings.finding import Finding
from ..meaning.recognition import joint_kind
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene
from . import names
from .bullet import BULLET
from .engine import Engine
from .godot import GODOT
from .jolt import JOLT
from .khr import KHR
from .mujoco import MUJOCO
from .newton import NEWTON
from .physx import PHYSX

_EACH = (GODOT, KHR, PHYSX, BULLET, JOLT, NEWTON, MUJOCO)


def _check_settings(settings: JointSettings) -> Iterator[Finding]:
    for engine in _EACH:
        yield from engine.report(settings).findings


def _check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    for engine in _EACH:
        yield from engine.check_scene(scene)


ANY = Engine(
    **names.ANY._asdict(),
    becomes=lambda settings: joint_kind(settings).label,
    check_settings=_check_settings,
    check_scene=_check_scene,
    animated=tuple(dict.fromkeys(chain.from_iterable(each.animated for each in _EACH))),
    best_axis=GODOT.best_axis,
    rewritten=GODOT.rewritten,
)

ENGINES: Mapping[str, Engine] = {engine.name: engine for engine in (ANY, *_EACH)}

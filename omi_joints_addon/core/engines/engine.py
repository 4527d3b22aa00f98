"""What a physics engine is to the report: an `Engine` in a module of its own for each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ..findings.finding import Finding, Rule
from ..meaning.animated import animated_joints, animated_motions
from ..model.joint import JointSettings
from ..model.scene import PhysicsScene


class EngineReport(NamedTuple):
    """What an engine makes of joint settings."""

    becomes: str
    """Class or kind of joint there."""
    findings: tuple[Finding, ...]
    """What is lost or goes wrong there; their places are empty."""


class Rewritten(NamedTuple):
    """Settings that mean the same and that an engine understands better."""

    settings: JointSettings
    steps: tuple[str, ...] = ()
    """What was changed, in words; empty is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Engine:
    """Where a joint is to work."""

    name: str
    """Word for it on the command line and in Blender's properties."""
    label: str
    """Name to show."""
    description: str
    """What it stands for, without full stop."""
    becomes: Callable[[JointSettings], str]
    """Return the class or kind of joint that settings become."""
    check_settings: Callable[[JointSettings], Iterable[Finding]]
    """Yield what goes wrong or is lost of joint settings; the places are empty."""
    check_scene: Callable[[PhysicsScene], Iterable[Finding]] = lambda _scene: ()
    """Yield what goes wrong or is lost of bodies, shapes and frames."""
    animated: tuple[Rule, ...] = ()
    """What it makes of joints and bodies whose numbers change over time."""
    best_axis: Callable[[JointSettings], int | None] = lambda _settings: None
    """Return where the main axis of a joint is understood best, None where that is all the same."""
    rewritten: Callable[[JointSettings], Rewritten] = field(default=Rewritten)
    """Return settings that mean the same, once the main axis is where it is understood best."""

    def report(self, settings: JointSettings) -> EngineReport:
        """Return what the engine makes of joint settings, whatever bodies they are between."""
        return _report(self, settings)

    def check(self, scene: PhysicsScene) -> list[Finding]:
        """Return what the engine loses of a scene; of settings at the places of the joints."""
        return list(chain.from_iterable(self.check_bit_by_bit(scene)))

    def check_bit_by_bit(self, scene: PhysicsScene) -> Iterator[tuple[Finding, ...]]:
        """Yield the same of one joint after the other, then of all else."""
        for joint in scene.joints:
            yield tuple(item.at(joint.place) for item in self.report(joint.settings).findings)
        places = [scene.joints[number].place for number in animated_joints(scene)]
        places += [scene.place_of(node) for node in animated_motions(scene)]
        yield tuple(rule(place) for place in places for rule in self.animated)
        for item in self.check_scene(scene):
            yield (item,)

    def __str__(self) -> str:
        """Return the word for it."""
        return self.name


@lru_cache(maxsize=65536)
def _report(engine: Engine, settings: JointSettings) -> EngineReport:
    return EngineReport(engine.becomes(settings), tuple(engine.check_settings(settings)))

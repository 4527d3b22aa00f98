"""Steps and contacts that stop bodies which MuJoCo's own let through.

Contacts take 0.02 s to stop what meets them, at 7 m/s a way of 14 cm. Stiffer ones need smaller
steps: a ball of 23 mm stopped at a wall of 13 mm with steps in which it went a third of the two
(MuJoCo 4.0.0).
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ....core.engines.passing import passing_bodies
from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.scene import PhysicsScene
from .printing import Attributes

_TIME = 0.02
"""Time constant of MuJoCo's contacts [s]."""
_STEP, _SMALLEST = 0.002, 1e-4
"""MuJoCo's step, and the smallest that is written, with which it takes 20 times as long [s]."""
_PART = 1.0 / 3.0
"""Part of what is in the way that a body goes in a step."""


class Stepping(NamedTuple):
    """The step of a model [s], and attributes of geoms by their body."""

    step: float = _STEP
    geoms: Mapping[int, Attributes] = MappingProxyType({})

    def set_step(self, option: ET.Element) -> None:
        """Give a model the step, where it has none that is smaller."""
        if self.step < float(option.get("timestep", _STEP)):
            option.set("timestep", f"{self.step:g}")


def stepping(scene: PhysicsScene, losses: Losses) -> Stepping:
    """Return how a model is stepped; report bodies that no such step stops."""
    passing = list(passing_bodies(scene, _TIME))
    if not passing:
        return Stepping()
    wanted = {each.body: _PART * each.thickness / each.speed for each in passing}
    step = min(_STEP, max(_SMALLEST, min(wanted.values())))
    for each in passing:
        if wanted[each.body] < _SMALLEST:
            text = Sentence(
                "at {speed:.3g} m/s it passes what is {thickness:.2g} m thick; MuJoCo would need "
                "steps of {step:.1g} s",
                speed=each.speed,
                thickness=2.0 * each.thickness,
                step=wanted[each.body],
            )
            losses.converted(scene.names[each.body], Noun.COLLIDER, text)
    stiff = {"solref": f"{2.0 * step:g} 1", "priority": "1"}
    return Stepping(step, {each.body: stiff for each in passing})

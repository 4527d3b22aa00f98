"""Gravity of a Shift file, and models turned so that it points down."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.axes import AXIS_LETTERS
from ....core.model.body import Quaternion, Vector
from ....core.model.plain import JsonObject
from ....core.model.scene import GRAVITY, PhysicsScene
from ....core.rewrite.turning import turned_scene
from ..format import Source
from .layout import numbers_of
from .rules import TURNED, WRONG_TYPE

_HALF = math.sqrt(0.5)
TURNS: dict[str, Quaternion] = {
    "+Z": (1.0, 0.0, 0.0, 0.0),
    "+Y": (-_HALF, 0.0, 0.0, _HALF),
    "-Y": (_HALF, 0.0, 0.0, _HALF),
    "+X": (0.0, _HALF, 0.0, _HALF),
    "-X": (0.0, -_HALF, 0.0, _HALF),
}
"""Rotation x y z w that has gravity along an axis of the file point down."""


def gravity_of(document: JsonObject, findings: list[Finding]) -> tuple[float, float, float]:
    """Return the gravity of a document [m/s²], in its own axes."""
    parameters: Any = document.get("model_parameters")
    value = parameters.get("gravity") if isinstance(parameters, dict) else None
    if value is None:
        return GRAVITY
    gravity = numbers_of(value, 3)
    if gravity is None:
        place = "/model_parameters/gravity"
        findings.append(WRONG_TYPE(place, name="gravity", expected="three numbers"))
        return GRAVITY
    x, y, z = gravity.tolist()
    return (x, y, z)


def upright(scene: PhysicsScene, source: Source, findings: list[Finding]) -> PhysicsScene:
    """Return the scene with gravity pointing down, unless the option `turn` is "keep".

    Gravity that is not along an axis stays as it is.
    """
    name = _turn_of(scene.gravity, source)
    if not name:
        return scene
    findings.append(TURNED("/model_parameters/gravity", axis=name))
    return _turned(scene, TURNS[name])


def as_in_file(scene: PhysicsScene, document: JsonObject, source: Source) -> PhysicsScene:
    """Return a scene that was turned upright in the axes of its document."""
    name = _turn_of(gravity_of(document, []), source)
    if not name:
        return scene
    x, y, z, w = TURNS[name]
    return _turned(scene, (-x, -y, -z, w))


def _turn_of(gravity: Vector, source: Source) -> str:
    """Return the axis that gravity is along and that is turned downward, empty for none."""
    largest = int(np.abs(gravity).argmax())
    name = ("+" if gravity[largest] > 0.0 else "-") + AXIS_LETTERS[largest]
    is_along = np.count_nonzero(np.abs(gravity) > 1e-9) == 1
    is_turned = is_along and name in TURNS and source.options.get("turn") != "keep"
    return name if is_turned else ""


def _turned(scene: PhysicsScene, rotation: Quaternion) -> PhysicsScene:
    turned = turned_scene(scene, rotation)
    return replace(turned, gravity=tuple(np.round(turned.gravity, 12).tolist()))

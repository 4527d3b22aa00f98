"""Surfaces whose friction with each other is not what MuJoCo makes of it: the larger of two."""

from typing import NamedTuple

from ..model.body import CombineMode, PhysicsMaterial
from ..model.scene import PhysicsScene


class Frictions(NamedTuple):
    """Different frictions of a scene."""

    node: int
    """A collider of which another friction than the larger one is wanted."""
    low: float
    high: float


def combined_frictions(scene: PhysicsScene) -> Frictions | None:
    """Return the frictions of a scene, None where the larger of any two is what is wanted."""
    surfaces = {
        node: collider.material
        for node, collider in scene.colliders.items()
        if collider.material is not None
    }
    frictions = [material.dynamic_friction for material in surfaces.values()]
    for node, material in surfaces.items():
        if _is_combined(material, frictions):
            return Frictions(node, min(frictions), max(frictions))
    return None


def _is_combined(material: PhysicsMaterial, frictions: list[float]) -> bool:
    if material.friction_combine == CombineMode.MAXIMUM:
        return False
    return material.friction_combine == CombineMode.MULTIPLY or len({*frictions}) > 1

"""Masses and moments of inertia of bodies as MuJoCo takes them."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.velocities import center_in_meters
from ....core.model.body import Motion, Vector
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled, settled_rotation
from ....core.shapes.assumed import assumed_moment, assumed_radii, assumed_text
from ....core.shapes.body_solids import body_solids
from ....core.shapes.inertia import balanced, inertia_at, principal_axes
from .printing import Attributes, placed_at, texts

_LEAST = 1e-15
"""Mass [kg] and moment [kg·m²] below which digits are noise and MuJoCo refuses bodies that move."""
_SMALL = 1e-6
"""Mass [kg] and moment [kg·m²] of bodies that have none: MuJoCo refuses those that move."""


class InertialWriter:
    """Writes the inertials of a scene; losses gather on the way."""

    def __init__(self, scene: PhysicsScene, losses: Losses, compiler: ET.Element) -> None:
        """`compiler` gets options that moments need."""
        self._scene = scene
        self._losses = losses
        self._compiler = compiler
        self._moments = _moments(scene)
        self._turns = _inertia_turns(scene, self._moments)

    def written(self, body: int, *, is_welded: bool) -> Attributes:
        """Return mass and inertia; `is_welded` is that the body is part of the one above it."""
        name, motion = self._scene.names[body], self._scene.motions[body]
        mass = motion.mass
        center = center_in_meters(self._scene, body)
        if is_welded and not (mass > 0.0 or any(motion.inertia_diagonal)):
            return {"pos": texts(center), "mass": "0", "diaginertia": "0 0 0"}
        if mass < _LEAST:
            self._losses.converted(
                name,
                Noun.MASS,
                Sentence("moving bodies need a mass, so {least:g} kg is written", least=_SMALL),
            )
            mass = _mass(motion)
        moments, text = self._required(body, mass, motion.inertia_diagonal)
        if text:
            self._losses.converted(name, Noun.INERTIA, text)
        elif moments != motion.inertia_diagonal:
            self._losses.same(name, Noun.INERTIA)
        moments = self._possible(name, moments)
        where = {"pos": texts(center)} | placed_at(center, self._turns[body])
        return {**where, "mass": repr(mass), "diaginertia": texts(moments)}

    def _required(self, body: int, mass: float, moments: Vector) -> tuple[Vector, str]:
        """Return moments that are as large as MuJoCo requires, and why they are others."""
        if min(moments) >= _LEAST:
            return moments, ""
        if min(moments) > 0.0:
            text = "MuJoCo requires at least {least:g} kg·m², which is written"
            x, y, z = (max(each, _LEAST) for each in moments)
            return (x, y, z), Sentence(text, least=_LEAST)
        own = self._moments.get(body)
        if own is not None:
            # Other engines work out the same from its shapes.
            one, two, three = own[0]
            return (one, two, three), ""
        radius = assumed_radii(self._scene, [body])[body]
        return (max(assumed_moment(mass, radius), 1e-9),) * 3, assumed_text(radius)

    def _possible(self, name: str, moments: Vector) -> Vector:
        """Return moments that MuJoCo takes, with the compiler's help where no body has such."""
        even = balanced(moments)
        if len({*even}) > 1 or moments == even:
            return even
        self._compiler.set("balanceinertia", "true")
        text = "no body has such moments, so MuJoCo is asked to make them equal: {even:.4g}"
        self._losses.converted(name, Noun.INERTIA, Sentence(text, even=even[0]))
        return moments


def _moments(scene: PhysicsScene) -> dict[int, tuple[list[float], Array]]:
    """Return moments and axes x y z w by their shapes of bodies that have none."""
    wanted = {
        body
        for body, motion in scene.motions.items()
        if scene.is_dynamic(body) and not min(motion.inertia_diagonal) > 0.0
    }
    solids = body_solids(scene, wanted)[0] if wanted else {}
    if not solids:
        return {}
    tensors = np.array([inertia_at(solid, 1.0) for solid in solids.values()])
    masses = [_mass(scene.motions[body]) for body in solids]
    moments, turns = principal_axes(tensors)
    found = settled(moments * np.array(masses)[:, None], least=_LEAST).tolist()
    return dict(zip(solids, zip(found, turns, strict=True), strict=True))


def _mass(motion: Motion) -> float:
    """Return the mass [kg] that is written of a body that moves."""
    return motion.mass if motion.mass >= _LEAST else _SMALL


def _inertia_turns(
    scene: PhysicsScene, computed: Mapping[int, tuple[list[float], Array]]
) -> dict[int, list[float]]:
    """Return the rotations x y z w of the axes of inertia of bodies."""
    turns = [
        computed[body][1] if body in computed else motion.inertia_orientation
        for body, motion in scene.motions.items()
    ]
    settled_turns = settled_rotation(np.array(turns).reshape(-1, 4)).tolist()
    return dict(zip(scene.motions, settled_turns, strict=True))

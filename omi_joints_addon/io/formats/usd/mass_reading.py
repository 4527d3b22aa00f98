"""Masses that a stage leaves to the colliders (UsdPhysics, Body Mass Properties)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ....core.model.body import Motion
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.shapes.body_solids import body_solids
from .body_prims import BodyRead
from .collider_reading import ColliderReading


class Solids(NamedTuple):
    """A scene as far as masses need it."""

    scene: PhysicsScene
    stands_for: Mapping[int, int]
    """Node that has the collider of each node that was made for a shape."""


def with_masses(
    bodies: Mapping[int, BodyRead],
    declared: ColliderReading,
    solids_of: Callable[[ColliderReading], Solids],
    axes: Array,
) -> dict[int, Motion]:
    """Return the motions with masses and centers worked out where they are not given.

    `declared` has densities and masses of colliders, `solids_of` places their shapes. Axes of
    nodes, in which centers are, have the length `axes` (n, 3) [m]. A body without volume keeps its
    mass.
    """
    motions = {node: body.motion for node, body in bodies.items()}
    wanted = [n for n, body in bodies.items() if body.needs_mass or body.needs_center]
    if not wanted:
        return motions
    scene, stands_for = solids_of(declared)
    owner = scene.bodies()
    solids, _faults = body_solids(scene, wanted)
    for node in solids:
        body, solid = bodies[node], solids[node]
        motion = body.motion
        if body.needs_mass:
            parts = [c for c in scene.colliders if owner[c] == node]
            ones = [stands_for.get(part, part) for part in parts]
            masses = [declared.mass_of(one) for one in ones]
            densities = [declared.density_of(one) for one in ones]
            alone = replace(scene, colliders={part: scene.colliders[part] for part in parts})
            mass = _mass(alone, masses, densities, node, solid.volume)
            motion = replace(motion, mass=mass)
        if body.needs_center:
            x, y, z = (solid.center / axes[node]).tolist()
            motion = replace(motion, center_of_mass=(x, y, z))
        motions[node] = motion
    return motions


def _mass(
    scene: PhysicsScene, masses: list[float], densities: list[float], body: int, volume: float
) -> float:
    """Return the mass [kg] of the colliders of a body.

    They may differ in density, or have masses of their own, 0 where they have none.
    """
    if not any(masses) and len(set(densities)) == 1:
        return volume * densities[0]
    total = 0.0
    for part, mass, density in zip(scene.colliders, masses, densities, strict=True):
        alone = replace(scene, colliders={part: scene.colliders[part]})
        solids, _faults = body_solids(alone, [body])
        total += mass or (solids[body].volume * density if body in solids else 0.0)
    return total

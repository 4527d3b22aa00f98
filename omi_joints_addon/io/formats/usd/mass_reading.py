"""Masses that a stage leaves to the colliders (UsdPhysics, Body Mass Properties)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from ....core.model.body import Motion
from ....core.model.scene import PhysicsScene
from ....core.shapes.body_solids import body_solids
from .body_prims import BodyRead
from .collider_reading import ColliderReading


def with_masses(
    bodies: Mapping[int, BodyRead],
    declared: ColliderReading,
    solid_scene: Callable[[ColliderReading], PhysicsScene],
) -> dict[int, Motion]:
    """Return the motions with masses and centers worked out where they are not given.

    `declared` has densities and masses of colliders, `solid_scene` makes the scene as far as
    masses need it. A body without volume keeps its mass.
    """
    motions = {node: body.motion for node, body in bodies.items()}
    wanted = [n for n, body in bodies.items() if body.needs_mass or body.needs_center]
    if not wanted:
        return motions
    scene = solid_scene(declared)
    owner = scene.bodies()
    solids, _faults = body_solids(scene, wanted)
    for node in solids:
        body, solid = bodies[node], solids[node]
        motion = body.motion
        if body.needs_mass:
            parts = [c for c in scene.colliders if owner[c] == node]
            mass = _mass(parts, declared, scene, node, solid.volume)
            motion = replace(motion, mass=mass)
        if body.needs_center:
            x, y, z = solid.center.tolist()
            motion = replace(motion, center_of_mass=(x, y, z))
        motions[node] = motion
    return motions


def _mass(
    parts: list[int], declared: ColliderReading, scene: PhysicsScene, body: int, volume: float
) -> float:
    """Return the mass [kg] of colliders that may differ in density, or have masses of their own."""
    masses = [declared.mass_of(part) for part in parts]
    densities = [declared.density_of(part) for part in parts]
    if not any(masses) and len(set(densities)) == 1:
        return volume * densities[0]
    total = 0.0
    for part, mass, density in zip(parts, masses, densities, strict=True):
        alone = replace(scene, colliders={part: scene.colliders[part]})
        solids, _faults = body_solids(alone, [body])
        total += mass or (solids[body].volume * density if body in solids else 0.0)
    return total

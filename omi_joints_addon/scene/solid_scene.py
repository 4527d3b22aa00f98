"""A live scene with what collides: its colliders and triggers, meshes, and pairs that do not."""

import math
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core.model.body import Collider
from ..core.model.graph import joint_ends
from ..core.model.mesh import MeshData
from ..core.model.scene import PhysicsScene
from ..core.model.scene_builder import SceneBuilder
from ..core.model.shape import Box, MeshShape, Shape
from ..core.shapes.surface import shape_surface
from ..properties.body_reading import read_body
from ..properties.mesh_points import MeshReader
from .live import LiveScene
from .reading import excluded_pairs
from .volumes import volumes_of

_FLOOR = (1000.0, 1000.0, 10.0)
"""Size of a floor [m]: its edges are out of reach, and nothing falls through."""


@dataclass(frozen=True, slots=True)
class SolidParts:
    """What collides in a live scene, by the numbers of its nodes."""

    volumes: SceneBuilder
    """Colliders and triggers; nodes of shapes of their own are behind those of the scene."""
    excluded_pairs: tuple[tuple[int, int], ...]

    def with_motions(self, core: PhysicsScene) -> PhysicsScene:
        """Return the bodies and joints of the same nodes with what collides."""
        return replace(self.volumes.behind(core), excluded_pairs=self.excluded_pairs)


def solid_parts(
    live: LiveScene,
    core: PhysicsScene,
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    *,
    floor: bool | None = False,
) -> SolidParts:
    """Return what collides in a live scene that is `core`; `depsgraph` has its modified meshes.

    The `floor` is the last node: static, at the height of the world's origin or of the lowest
    collider below. None adds one where gravity pulls down and nothing static or kinematic is there.
    """
    objects = live.nodes.objects
    read = {node: read_body(obj) for node, obj in enumerate(objects)}
    bodies = {node: body for node, body in read.items() if body is not None}
    volumes = volumes_of(
        scene,
        {obj: node for node, obj in enumerate(objects)},
        {body.obj: body for body in bodies.values()},
        MeshReader(depsgraph),
    )
    if floor or (floor is None and core.gravity[2] < 0.0 and not _has_still(core, volumes)):
        matrix = np.eye(4)
        matrix[2, 3] = min(0.0, _lowest(volumes.behind(core))) - 0.5 * _FLOOR[2]
        volumes.colliders[volumes.add("Floor", -1, matrix)] = Collider(shape=Box(size=_FLOOR))
    return SolidParts(volumes, excluded_pairs(bodies, core.motions, live.nodes.numbers))


def _has_still(core: PhysicsScene, volumes: SceneBuilder) -> bool:
    """Return whether anything could hold bodies: others that do not fall, or the world."""
    ends, owner = joint_ends(core), volumes.behind(core).bodies()
    worlds = (owner[list(volumes.colliders)], ends.body, ends.connected_body)
    is_loose = all(map(core.is_dynamic, core.motions))
    return not is_loose or any(bool((each < 0).any()) for each in worlds)


def _lowest(scene: PhysicsScene) -> float:
    """Return the height [m] of the lowest point of all colliders; infinite where there is none."""
    lowest = math.inf
    for node, collider in scene.colliders.items():
        surface = None if collider.shape is None else _surface(scene, collider.shape)
        if surface is not None and len(surface.points):
            row = scene.matrices[node, 2]
            lowest = min(lowest, float((surface.points @ row[:3] + row[3]).min()))
    return lowest


def _surface(scene: PhysicsScene, shape: Shape) -> MeshData | None:
    """Return the surface of a shape in its node's axes; None where there is none."""
    if not isinstance(shape, MeshShape):
        return shape_surface(shape)
    return None if shape.mesh is None else scene.meshes[shape.mesh].read()

"""Settings of Blender's Rigid Bodies that files and previews do not have."""

from collections.abc import Iterable, Iterator

import bpy

from ..core.findings.finding import Finding
from ..properties.body_reading import ObjectBody
from ..properties.bones import object_of
from ..properties.collider import stops_between_modifiers
from .rules import NOT_IN_WORLD, ONLY_IN_BLENDER, OTHER_TIME

_DEFAULTS = {"linear_damping": 0.04, "angular_damping": 0.1, "use_deform": False}
_ENLARGED = frozenset(("CONVEX_HULL", "MESH", "CONE"))
"""Shapes that a margin makes larger, measured in Bullet."""


def rigid_body_findings(scene: bpy.types.Scene, bodies: Iterable[ObjectBody]) -> list[Finding]:
    """Return what of the Rigid Bodies of a scene moves differently elsewhere."""
    world = scene.rigidbody_world
    if world is None:
        return []
    simulated = set() if world.collection is None else {*world.collection.all_objects}
    findings = [] if world.time_scale == 1.0 else [OTHER_TIME(scene.name, scale=world.time_scale)]
    for body in bodies:
        if body.rigid is None:
            continue
        names = list(_only_in_blender(body.rigid))
        if stops_between_modifiers(object_of(body.obj), body.rigid):
            names.append(body.rigid.bl_rna.properties["mesh_source"].name)
        if names:
            findings.append(ONLY_IN_BLENDER(body.obj.name, names=", ".join(names)))
        if body.obj not in simulated:
            findings.append(NOT_IN_WORLD(body.obj.name))
    return findings


def _only_in_blender(rigid: bpy.types.RigidBodyObject) -> Iterator[str]:
    """Yield the names of settings that matter in Blender and are not the usual ones."""
    for name, default in _DEFAULTS.items():
        if abs(getattr(rigid, name) - default) > 1e-6:
            yield rigid.bl_rna.properties[name].name
    if rigid.use_margin and rigid.collision_margin > 0.0 and rigid.collision_shape in _ENLARGED:
        yield "Collision Margin"

"""Closing loops: bodies moved along their joints until the joints that close loops fit, too."""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ..core.rewrite.loops import close_loops
from ..scene.reading import objects_to_core
from .nesting import keeps_parent

_STILL = 1e-7
"""Bodies that move by less stay as they are [m, and parts of a unit vector]."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What closing the loops of a scene came to."""

    before: float
    """Largest misfit of a joint [m and rad]."""
    after: float
    moved: int
    """Number of bodies that moved."""
    held: tuple[str, ...]
    """Names of bodies that would have moved, but for keyframes or a library that hold them."""


def close_scene_loops(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Closed:
    """Move the bodies of a scene along their joints so that loops close, bodies above first."""
    objects = list(scene.objects)
    before, _findings = objects_to_core(objects)
    closed = close_loops(before)
    gaps = np.abs(closed.scene.matrices - before.matrices).max(axis=(1, 2))
    bodies = [node for node in before.motions if node < len(objects) and gaps[node] > _STILL]
    held = tuple(objects[node].name for node in bodies if keeps_parent(objects[node]))
    moving = sorted(
        (node for node in bodies if objects[node].name not in held),
        key=lambda node: _depth(objects[node]),
    )
    for node in moving:
        objects[node].matrix_world = Matrix(closed.scene.matrices[node].tolist())
        # What is below is placed relative to where this one is now.
        if objects[node].children:
            view_layer.update()
    return Closed(closed.before, closed.after, len(moving), held)


def _depth(obj: bpy.types.Object) -> int:
    depth, above = 0, obj.parent
    while above is not None:
        depth, above = depth + 1, above.parent
    return depth

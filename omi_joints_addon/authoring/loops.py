"""Closing loops: bodies moved along their joints until the joints that close loops fit, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.rewrite.loops import close_loops
from ..core.rewrite.tree import depth_first
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


def close_scene_loops(scene: bpy.types.Scene) -> Closed:
    """Move the bodies of a scene along their joints so that loops close, bodies above first."""
    objects = list(scene.objects)
    before, _findings = objects_to_core(objects)
    closed = close_loops(before)
    gaps = np.abs(closed.scene.matrices - before.matrices).max(axis=(1, 2))
    bodies = [node for node in before.motions if node < len(objects) and gaps[node] > _STILL]
    held = {node for node in bodies if keeps_parent(objects[node])}
    moving = {node: closed.scene.matrices[node] for node in bodies if node not in held}
    _place(objects, before, moving)
    names = tuple(objects[node].name for node in bodies if node in held)
    return Closed(closed.before, closed.after, len(moving), names)


def _place(
    objects: Sequence[bpy.types.Object], before: PhysicsScene, moving: Mapping[int, Array]
) -> None:
    """Give nodes their world matrices, also below others that move, without an update."""
    # World matrices of all that moves, of itself or with what it is below.
    after: dict[int, Array] = {}
    for node in depth_first(before):
        above = int(before.parents[node])
        if node in moving:
            after[node] = moving[node]
            _put(objects[node], Matrix(moving[node].tolist()), after.get(above))
        elif above in after:
            offset = np.linalg.lstsq(before.matrices[above], before.matrices[node], rcond=None)[0]
            after[node] = after[above] @ offset


def _put(obj: bpy.types.Object, world: Matrix, above: Array | None) -> None:
    """Give an object a world matrix; `above` is that of its parent where it has just moved."""
    if above is None:
        obj.matrix_world = world
    else:
        parent = Matrix(above.tolist()) @ obj.matrix_parent_inverse
        obj.matrix_basis = parent.inverted_safe() @ world

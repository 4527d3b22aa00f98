"""Bodies below bodies, moved beside each other on a stage that Blender's exporter has made."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.model.scene import PhysicsScene
from ..formats.usd.names import Names
from ..formats.usd.pxr_access import usd

_SHEAR = 1e-5
"""Cosine of an angle between axes that rounding may make."""


def flatten_bodies(
    stage: Any, scene: PhysicsScene, paths: dict[int, str], scope: str, names: Names
) -> list[int]:
    """Move the prims of bodies that are below others to `scope`; return the nodes moved.

    `paths` are those of all nodes, and follow. What a moved prim is placed by is left to set. One
    that is animated, itself or above, stays, since its motion is that of the one above, too, and so
    does one that is sheared, which Blender cannot place alone.
    """
    found = [node for node in scene.motions if node in paths and is_nested(scene, node)]
    nested = [
        node for node in found if not _is_animated(scene, node) and not _is_sheared(scene, node)
    ]
    # The deepest come first, so that what is below a body is not a body any more when it moves.
    nested.sort(key=lambda node: -paths[node].count("/"))
    sdf, moved = usd().Sdf, {}
    edits = sdf.BatchNamespaceEdit()
    for node in nested:
        target = names.path(scope, paths[node].rpartition("/")[2])
        edits.Add(paths[node], target)
        moved[paths[node]] = target
    layer = stage.GetRootLayer()
    if not nested or not layer.Apply(edits):
        return []
    for node, path in paths.items():
        paths[node] = _moved(path, moved)
    _follow(layer, moved)
    return nested


def is_nested(scene: PhysicsScene, node: int) -> bool:
    """Return whether a body is below another one."""
    return any(above in scene.motions for above in _above(scene, node))


def _above(scene: PhysicsScene, node: int) -> Iterator[int]:
    above = int(scene.parents[node])
    while above >= 0:
        yield above
        above = int(scene.parents[above])


def _is_animated(scene: PhysicsScene, node: int) -> bool:
    chain = (node, *_above(scene, node))
    return any("animation" in scene.carries.get(each, ()) for each in chain)


def _is_sheared(scene: PhysicsScene, node: int) -> bool:
    axes = scene.matrices[node][:3, :3]
    products = axes.T @ axes
    apart = products - np.diag(np.diag(products))
    return bool(np.abs(apart).max() > _SHEAR * np.abs(products).max())


def _moved(path: str, moved: dict[str, str]) -> str:
    """Return where a path is now: below the nearest prim above it that was moved."""
    above = path
    while above:
        if above in moved:
            return moved[above] + path[len(above) :]
        above = above.rpartition("/")[0]
    return path


def _follow(layer: Any, moved: dict[str, str]) -> None:
    """Have relationships and connections lead to where prims are now."""
    sdf = usd().Sdf
    found: list[Any] = []
    layer.Traverse(sdf.Path.absoluteRootPath, found.append)
    with sdf.ChangeBlock():
        for path in found:
            spec: Any = layer.GetObjectAtPath(path) if path.IsPropertyPath() else None
            listed: Any = getattr(spec, "targetPathList", getattr(spec, "connectionPathList", None))
            for target in () if listed is None else listed.GetAddedOrExplicitItems():
                there = _moved(str(target), moved)
                if there != str(target):
                    listed.ReplaceItemEdits(target, sdf.Path(there))

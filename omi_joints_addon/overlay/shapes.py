"""Collision shapes of objects as lines in the world, in plain numpy."""

from collections.abc import Iterable

import bpy
import numpy as np

from ..core.model.graph import Indices
from ..core.model.pose import Array, rotation_matrix
from ..core.shapes.fit import Fit
from ..core.shapes.outline import shape_segments
from ..scene.live import LiveScene
from .geometry import Vertices
from .paint import color_bytes

COLLIDER = (0.25, 0.85, 0.45, 0.9)
TRIGGER = (0.35, 0.65, 1.0, 0.9)
"""RGBA of outlines, distinguished by readers of any color vision through their brightness."""


class SceneShapes:
    """The nodes of a live scene that have shapes to draw."""

    def __init__(self) -> None:
        self._links = -1
        self._nodes: Indices = np.empty(0, np.intp)

    def nodes(self, live: LiveScene) -> Indices:
        """Return the nodes with shapes."""
        if live.links != self._links:
            self._links = live.links
            found = (node for node, record in enumerate(live.records) if record.fits)
            self._nodes = np.fromiter(found, np.intp)
        return self._nodes

    def version(self, live: LiveScene) -> int:
        """Return the version at which shapes last looked different."""
        nodes = self.nodes(live)
        return int(live.shown.versions[nodes].max(initial=0))


def shape_lines(live: LiveScene, nodes: Iterable[int]) -> Vertices:
    """Return the outlines of the shapes that objects have themselves, in world axes."""
    points: list[Array] = [np.empty((0, 3))]
    colors: list[tuple[tuple[float, ...], int]] = []
    for node in nodes:
        for fit, is_trigger in live.records[node].fits:
            segments = world_segments(live.shown.poses[node], fit)
            points.append(segments)
            colors.append((TRIGGER if is_trigger else COLLIDER, len(segments)))
    position = np.concatenate(points).astype(np.float32)
    rgba = color_bytes(np.array([color for color, _ in colors]).reshape(-1, 4))
    return Vertices(position, np.repeat(rgba, [count for _, count in colors], axis=0))


def world_segments(matrix: Array, fit: Fit) -> Array:
    """Return the outline of a shape of a node with a world matrix, two points a line, (p, 3)."""
    local = shape_segments(fit.shape).reshape(-1, 3) @ rotation_matrix(fit.rotation).T + fit.center
    world: Array = local @ matrix[:3, :3].T + matrix[:3, 3]
    return world


def shown_nodes(
    live: LiveScene,
    nodes: Iterable[int],
    layer: bpy.types.ViewLayer,
    space: bpy.types.SpaceView3D | None,
) -> list[int]:
    """Return the nodes whose shapes are shown: of empties always, of others where selected."""
    return [
        node
        for node in nodes
        if (obj := live.nodes.object_at(node))
        and (obj.type == "EMPTY" or obj.select_get(view_layer=layer))
        and obj.visible_get(view_layer=layer, viewport=space)
    ]

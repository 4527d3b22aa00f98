"""Scenes as figures of matplotlib: bodies, joints and what these allow."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from omi_joints_addon.core.model.mesh import MeshData
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import MeshShape, Shape
from omi_joints_addon.core.shapes.surface import shape_surface

from .joints import draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BODY, _RANGE = (0.62, 0.66, 0.72, 0.55), (0.16, 0.45, 0.86, 0.35)
_JOINT_SIZE = 0.12
"""Size of a joint's drawing as a part of the scene's."""


def figure_of(scene: PhysicsScene) -> "Figure":
    """Return a figure with the surfaces of a scene and its joints.

    Raises `ImportError` without matplotlib.
    """
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    surfaces = list(_surfaces(scene))
    corners = np.concatenate([np.zeros((1, 3)), *(faces.reshape(-1, 3) for faces, _ in surfaces)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    extent = float(max(*(high - low), 1e-3))
    figure = Figure(figsize=(7.0, 7.0))
    axes = figure.add_subplot(projection="3d")
    for faces, color in surfaces:
        axes.add_collection3d(Poly3DCollection(faces, facecolor=color, edgecolor="none"))
    for joint in scene.joints:
        drawing = draw(joint.settings, size=_JOINT_SIZE * extent)
        frame = scene.matrices[joint.node]
        axes.add_collection3d(Line3DCollection(_placed(drawing.lines, frame), color=_RANGE[:3]))
        axes.add_collection3d(
            Poly3DCollection(_placed(drawing.faces, frame), facecolor=_RANGE, edgecolor="none")
        )
        axes.text(*frame[:3, 3], scene.names[joint.node], fontsize=7, zorder=1000)
    middle = (low + high) / 2.0
    for set_range, at in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), middle, strict=True):
        set_range(at - extent / 2.0, at + extent / 2.0)
    axes.set_box_aspect((1.0, 1.0, 1.0))
    axes.set(xlabel="X [m]", ylabel="Y [m]", zlabel="Z [m]")
    return figure


def _surfaces(scene: PhysicsScene) -> Iterator[tuple[Array, tuple[float, ...]]]:
    """Yield triangles (t, 3, 3) in the world and their color, of visuals, else of colliders."""
    owner = scene.bodies()
    seen = {int(owner[node]) for node in scene.visuals}
    for node, visual in scene.visuals.items():
        data = _data(scene, visual.mesh, visual.shape)
        if data is not None:
            color = _BODY if visual.color is None else _display(visual.color)
            yield _triangles(data, scene.matrices[node]), color
    for node, collider in scene.colliders.items():
        shape = collider.shape
        number = shape.mesh if isinstance(shape, MeshShape) else None
        data = None if int(owner[node]) in seen else _data(scene, number, shape)
        if data is not None:
            yield _triangles(data, scene.matrices[node]), _BODY


def _data(scene: PhysicsScene, number: int | None, shape: Shape | None) -> MeshData | None:
    """Return the surface of a mesh or a shape, None where it cannot be had."""
    if number is None:
        return None if shape is None else shape_surface(shape)
    try:
        return scene.meshes[number].read()
    except ValueError:
        return None


def _display(color: tuple[float, float, float, float]) -> tuple[float, ...]:
    """Return a linear color as screens have it (approximately sRGB)."""
    *light, alpha = np.clip(color, 0.0, 1.0).tolist()
    return (*(part ** (1.0 / 2.2) for part in light), alpha)


def _triangles(data: MeshData, matrix: Array) -> Array:
    return _placed(data.points[data.triangles], matrix)


def _placed(points: Array, matrix: Array) -> Array:
    return np.asarray(points @ matrix[:3, :3].T + matrix[:3, 3])

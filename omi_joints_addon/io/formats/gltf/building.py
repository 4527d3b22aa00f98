"""A new glTF document of the nodes and meshes of a scene, without its physics."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....core.findings.loss import Loss
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, pose_from_matrix
from ....core.model.scene import PhysicsScene
from .document_frames import FRAME_NAME, ends_of, in_gltf
from .mesh_writing import MeshWriter

_GENERATOR = "OMI Physics Joints"


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A new document."""

    document: JsonObject
    nodes: tuple[int, ...]
    """Node of the document for each node of the scene."""
    frames: dict[int, int]
    """Node of the document that is the frame of a node of the scene, where that means more."""
    meshes: dict[int, int]
    """Mesh of the document for each mesh of the scene that a shape refers to."""
    buffer: bytes
    losses: tuple[Loss, ...]


def build(scene: PhysicsScene, shape_meshes: set[int]) -> Built:
    """Return a document with the nodes and meshes of a scene.

    `shape_meshes` are the meshes that shapes refer to.
    """
    writer = MeshWriter(scene.meshes)
    ends = ends_of(scene.joints)
    means_more = {*scene.motions, *scene.colliders, *scene.triggers, *scene.visuals}
    nodes = _nodes(scene, ends - means_more)
    for node, visual in scene.visuals.items():
        mesh = writer.visual(visual)
        if mesh is not None:
            nodes[node]["mesh"] = mesh
    frames = _add_frames(scene, sorted(ends & means_more), nodes)
    found = {index: writer.mesh(index) for index in sorted(shape_meshes)}
    roots = np.flatnonzero(scene.parents < 0).tolist()
    document: JsonObject = {"asset": {"version": "2.0", "generator": _GENERATOR}}
    if roots:
        title = {"name": scene.name} if scene.name else {}
        document |= {"scene": 0, "scenes": [title | {"nodes": roots}], "nodes": nodes}
    return Built(
        document | writer.members(),
        tuple(range(len(scene.names))),
        frames,
        {index: mesh for index, mesh in found.items() if mesh is not None},
        bytes(writer.data),
        tuple(writer.losses),
    )


def _add_frames(
    scene: PhysicsScene, owners: Sequence[int], nodes: list[JsonObject]
) -> dict[int, int]:
    """Add a node that is the frame of each of some nodes; return which it is."""
    turn = [-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]
    frames = {}
    for owner in owners:
        frames[owner] = len(nodes)
        nodes[owner].setdefault("children", []).append(len(nodes))
        nodes.append({"name": FRAME_NAME.format(scene.names[owner]), "rotation": turn})
    return frames


def _nodes(scene: PhysicsScene, kept: set[int]) -> list[JsonObject]:
    """Return nodes in their places; the axes of the nodes `kept` keep their names."""
    world = in_gltf(scene.matrices, kept)
    local = world.copy()
    below = np.flatnonzero(scene.parents >= 0)
    above = world[scene.parents[below]]
    with np.errstate(all="ignore"):
        solvable = np.abs(np.linalg.det(above[:, :3, :3])) > 0.0
    below, above = below[solvable], above[solvable]
    local[below] = np.linalg.solve(above, world[below])
    nodes = [{"name": name} if name else {} for name in scene.names]
    found = [node | placed(matrix) for node, matrix in zip(nodes, local, strict=True)]
    for child, parent in enumerate(scene.parents.tolist()):
        if parent >= 0:
            found[parent].setdefault("children", []).append(child)
    return found


def placed(matrix: Array) -> JsonObject:
    """Return the place of a node by a local matrix (4, 4), members at their defaults left out."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    pose = pose_from_matrix(matrix)
    columns = matrix[:3, :3] / np.where(scale > 0.0, scale, 1.0)
    is_plain = np.linalg.det(columns) > 0.0 and np.allclose(
        columns.T @ columns, np.eye(3), atol=1e-6
    )
    if not is_plain:
        return {"matrix": _numbers(matrix.T)}
    members: JsonObject = {}
    if pose.position.any():
        members["translation"] = _numbers(pose.position)
    if np.abs(pose.rotation[:3]).max() > 1e-15:
        members["rotation"] = _numbers(pose.rotation)
    if np.abs(scale - 1.0).max() > 1e-12:
        members["scale"] = _numbers(scale)
    return members


def _numbers(values: Array) -> list[float]:
    """Return numbers as they are written, without the rounding noise of zeros."""
    flat = np.where(np.abs(values) < 1e-15, 0.0, values)
    return [float(number) for number in flat.reshape(-1)]

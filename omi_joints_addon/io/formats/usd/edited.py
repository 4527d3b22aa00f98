"""A scene that was read from a stage and edited since, beside the stage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ..format import Document
from ..revision import Revision, in_place
from .overs import Overs
from .prim import CARRIER, Prim
from .pxr_access import usd
from .reading import StageRead


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRevision(Revision):
    """A scene that was read from a stage, and what the stage is to say."""

    joints: Mapping[str, int]
    """Number of each joint that is still there, by the path of its prim."""
    names: Mapping[str, str] = field(default_factory=dict)
    """New names of prims, by path."""
    unnamed: tuple[str, ...] = ()
    """New names of nodes that have no prim."""
    unknown: frozenset[str] = frozenset()
    """Paths of bodies and joints that the scene never had."""
    elsewhere: frozenset[int] = frozenset()
    """Nodes that are of other stages."""
    has_looks: bool = True
    """Whether it has meshes, lights and a name as the stage has them."""
    has_gravity: bool = True
    """Whether its gravity is that of the stage, edited or not."""


def revision_by_number(document: Document, read: StageRead, scene: PhysicsScene) -> StageRevision:
    """Return a scene whose nodes are those of the stage, by number; joints are those of nodes."""
    nodes = range(min(len(read.paths), len(scene.names)))
    numbers = {joint.node: number for number, joint in enumerate(scene.joints)}
    joints = {
        path: numbers[joint.node]
        for path, joint in zip(read.joint_paths, read.scene.joints, strict=True)
        if joint.node in numbers
    }
    path_of = {
        joint.node: path
        for path, joint in zip(read.joint_paths, read.scene.joints, strict=True)
        if path in joints
    }
    path_of |= {node: path for node, path in enumerate(read.paths) if path}
    renamed = [node for node in nodes if scene.names[node] != read.scene.names[node]]
    return StageRevision(
        document=document,
        before=read.scene,
        after=scene,
        match={node: node for node in nodes},
        joints=joints,
        names={path_of[node]: scene.names[node] for node in renamed if node in path_of},
        unnamed=tuple(scene.names[node] for node in renamed if node not in path_of),
    )


@dataclass(eq=False)
class EditedStage:
    """A stage, what it was read as, what that is to be, and the layer of edits."""

    stage: Any
    read: StageRead
    revision: StageRevision
    overs: Overs

    def __post_init__(self) -> None:
        revision = self.revision = in_place(self.revision)
        self.before, self.after, self.match = revision.before, revision.after, revision.match
        paths = self.read.paths
        self.path_of = {other: paths[n] for n, other in self.match.items() if paths[n]}
        """Path of each node of the edited scene that has a prim."""
        self._cache = usd().UsdGeom.XformCache(usd().Usd.TimeCode.EarliestTime())
        self.world_before = self.before.rigid_matrices
        self.world = self.after.rigid_matrices
        self.reach = max(1.0, float(np.abs(self.world[:, :3, 3]).max(initial=0.0)))
        """Distance [m] from the origin up to which nodes are."""
        self.overs.losses.found += revision.placement_losses()

    def carry_as_before(self, *prims: Prim) -> None:
        """Take out what is to be carried with prims that carry nothing on the stage."""
        for prim in prims:
            if not self.stage.GetPrimAtPath(prim.path).GetCustomDataByKey(CARRIER):
                prim.data = {}

    def stage_world(self, prim: Any) -> Array:
        """Return the matrix (4, 4) from the axes of a prim to those of the stage, in its unit."""
        return np.array(self._cache.GetLocalToWorldTransform(prim), dtype=float).T

    def are_same(self, one: Array, other: Array) -> bool:
        """Return whether matrices (..., 4, 4) are the same place, rounded as the scene is."""
        return bool(np.abs(one - other).max() <= self.revision.near * self.reach)

"""A scene that was read from a stage and edited since, beside the stage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....core.model.body import CollisionFilter, Motion, Part, Trigger
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ..format import Document
from ..revision import Revision, in_place
from .collider_reading import PartPrim
from .names import Names
from .overs import Overs
from .physics_prims import PhysicsPrims, Place
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
    rescaled: Mapping[int, Array] = field(default_factory=dict)
    """What the axes of nodes grew by (3,), which are seen and have shapes along."""
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


class PartEdit(NamedTuple):
    """A collider or trigger that is in both scenes."""

    node: int
    other: int
    prim: PartPrim
    one: Part
    new: Part
    was_on: bool = True
    is_on: bool = True


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
        self.owner, self.owner_before = self.after.bodies(), self.before.bodies()
        self.made = set[int]()
        """Nodes of the edited scene that have new prims."""
        self.world_before = self.before.rigid_matrices
        self.world = self.after.rigid_matrices
        self.reach = max(1.0, float(np.abs(self.world[:, :3, 3]).max(initial=0.0)))
        """Distance [m] from the origin up to which nodes are."""
        self.overs.losses.found += revision.placement_losses()

    @cached_property
    def new(self) -> PhysicsPrims:
        """What the stage does not have: prims to be defined, below its default prim."""
        root = self.stage.GetDefaultPrim()
        place = Place(
            paths=self.path_of,
            scope=str(root.GetPath()) if root else "",
            units=self.read.units,
            to_stage=np.linalg.inv(self.read.to_scene),
            rate=self.read.rate,
        )
        nothing: dict[str, Any] = dict.fromkeys(("joints", "articulations", "couplings"), ())
        scene = replace(self.after, motions=self.new_motions(), tracks=(), **nothing)
        losses, names = self.overs.losses, Names.of(self.stage)
        return PhysicsPrims(scene=scene, place=place, losses=losses, names=names)

    def new_motions(self) -> dict[int, Motion]:
        """Return the bodies that the stage has no prim for."""
        here = {*self.match.values(), *self.revision.elsewhere}
        return {
            node: motion
            for node, motion in self.after.motions.items()
            if node not in here and (self.after.is_dynamic(node) or node in self.after.colliders)
        }

    def mark(self, path: str, schema: str, *, is_marked: bool = True) -> None:
        """Apply a schema to a prim, new or not, or take it off."""
        marked = Prim(path, schemas=[schema])
        if path in {self.path_of[node] for node in self.made}:
            self.new.at(path).apply(schema)
        elif is_marked:
            self.overs.put(marked, Prim(path), path)
        else:
            self.overs.put(Prim(path), marked, path)

    def filters_before(self) -> Iterator[tuple[str, CollisionFilter | None]]:
        """Yield the path of each collider and trigger with its filter."""
        solid = {**self.before.disabled_colliders, **self.before.colliders}
        for (kind, node), prim in self.read.parts.items():
            part = self.before.triggers[node] if kind is Trigger else solid[node]
            yield prim.path, part.collision_filter

    def _relative(self, node: int, other: int) -> tuple[int, Array, Array]:
        """Return the node above of both scenes, -1 for none, and both places on it."""
        above = int(self.before.parents[node])
        while above >= 0 and above not in self.match:
            above = int(self.before.parents[above])
        one, two = self.world_before[node], self.world[other]
        if above >= 0:
            one = np.linalg.solve(self.world_before[above], one)
            two = np.linalg.solve(self.world[self.match[above]], two)
        return above, one, two

    def is_moved(self, node: int, other: int) -> bool:
        """Return whether a node stands otherwise on the one above it than before."""
        _above, one, two = self._relative(node, other)
        return not self.are_same(one, two)

    def place_on_stage(self, node: int, other: int) -> Array:
        """Return where a node is to be on the stage (4, 4) while those above are as before."""
        above, _one, two = self._relative(node, other)
        world = two if above < 0 else self.world_before[above] @ two
        return np.asarray(np.linalg.solve(self.read.to_scene, world))

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

"""A stage as a scene: nodes, bodies, joints, colliders, materials, groups, articulations.

Every prim with a place is a node. Scale goes into shapes and meshes, so that nodes are rigid, in
meters and Z up; what was read of which prim is kept for the import hook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import CollisionFilter, Motion, Part
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, Pose, matrix_from_pose
from ....core.model.scene import PhysicsScene
from ....core.shapes.fit import Fit
from .actuator_reading import ActuatedJoints, actuated
from .articulation_reading import read_articulations
from .body_prims import BodyRead, read_motion
from .collider_reading import ColliderReading, PartPrim
from .couplings import JointPosition, read_couplings
from .gravity import read_gravity
from .joint_placing import JointPlacing
from .mass_reading import Solids, with_masses
from .measures import measures_of
from .prim import Prim
from .pxr_access import usd
from .schema import COLLISION, PAIRS
from .shape_prims import GEOMETRY
from .stage_prims import PrimPlace, StagePrims
from .units import Units

_Y_UP = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))


@dataclass(frozen=True, kw_only=True, eq=False)
class StageRead:
    """A scene and where it was read."""

    scene: PhysicsScene
    findings: tuple[Finding, ...]
    paths: tuple[str, ...]
    """Path of the prim of each node; empty for nodes that were made in reading."""
    units: Units
    rate: float
    """Time codes per second."""
    joint_paths: tuple[str, ...]
    """Path of the prim of each joint."""
    positions: tuple[JointPosition, ...]
    """How the prim of each joint counts its position."""
    actuators: Mapping[str, Mapping[int, str]]
    """Path of the prim of each actuator of a joint by its order, by the path of the joint."""
    to_scene: Array
    """Matrix (4, 4) from the world of the stage to Z up in meters."""
    fits: Mapping[int, Fit]
    """Where colliders and triggers stand on their nodes, where that was asked for."""
    scales: tuple[Array, ...]
    """What the axes of each prim measure in its node's axes [m], (3, 3)."""
    resets: tuple[str, ...]
    """Paths of the prims that take no transform from those above."""
    physics_scene: str
    """Path of the prim that has the gravity, empty for none."""
    parts: Mapping[tuple[type[Part], int], PartPrim]
    """Prim of each collider and trigger, by what it is and its node."""
    filters: Mapping[str, tuple[Any, CollisionFilter | None]]
    """What knows who is in each collision group, and its filter, by path."""
    pairs: Sequence[tuple[tuple[int, int], tuple[str, str]]]
    """Bodies that do not collide, with the paths of the prim that names another, and of that."""
    roots: tuple[str, ...]
    """Path of the prim that makes each articulation one."""


def read_stage(stage: Any, *, meters: float | None = None, is_local: bool = False) -> StageRead:
    """Return what a stage says, at its first time.

    `meters` replaces the stage's own length of its unit. With `is_local`, for objects that are
    there, shapes keep the axes of their prims, scale and all, and are in `fits` rather than on
    nodes of their own; what is shown and names are not read.
    """
    return _StageReading(stage, meters, is_local).read()


@dataclass(eq=False)
class _StageReading:
    stage: Any
    meters: float | None
    is_local: bool
    findings: list[Finding] = field(default_factory=list)
    bodies: dict[int, BodyRead] = field(default_factory=dict)
    placed: Array = field(default_factory=lambda: np.empty((0, 4, 4)))
    """World matrices of all prims with a place [m], Z up."""

    def read(self) -> StageRead:
        """Return the scene; its parts build on each other in this order."""
        time = usd().Usd.TimeCode.EarliestTime()
        self.units, self._is_y_up = measures_of(self.stage, self.findings)
        if self.meters is not None:
            self.units = Units(self.meters, self.units.kilograms)
        prims = StagePrims(self.stage, time, self.is_local)
        prims.read()
        self.findings += prims.findings
        self.nodes = prims.nodes
        self.placed = prims.placed(self._to_scene())
        self._read_bodies(prims.places)
        colliders = ColliderReading(self.nodes, self.units, time, prims.groups, self.is_local)
        for place in prims.places:
            is_shown = place.declared.type_name in GEOMETRY and not self.is_local
            if is_shown or COLLISION in place.declared.schemas:
                colliders.add(place.prim, place.declared, place.node, self._axes_of(place))
        motions = with_masses(self.bodies, colliders, self._solids, self._axes())
        colliders.set_aside()
        placing = JointPlacing(
            self.nodes,
            motions,
            self.units,
            self._to_scene(),
            self._is_there,
            prims.samples,
            self.stage.GetTimeCodesPerSecond(),
        )
        placing.add(prims.joints)
        motions = placing.motions
        driven = self._actuated(placing, prims)
        articulations = read_articulations(prims.roots, self.nodes, placing, self.findings)
        pairs = self._filtered_pairs(prims.pairs, motions)
        # Joints say it of the bodies that they join.
        jointed = {frozenset(pair) for pair in placing.separate_pairs}
        excluded = (pair for pair, _paths in pairs if frozenset(pair) not in jointed)
        scene = PhysicsScene(
            names=tuple(self.nodes.names),
            parents=np.array(self.nodes.parents, dtype=np.intp),
            matrices=np.array(self.nodes.matrices, dtype=float).reshape(-1, 4, 4),
            motions=motions,
            carries=self._carries(colliders),
            joints=tuple(driven.joints),
            colliders=colliders.colliders,
            disabled_colliders=colliders.disabled,
            triggers=colliders.triggers,
            meshes=tuple(colliders.meshes),
            visuals=colliders.visuals,
            articulations=tuple(articulations.values()),
            couplings=read_couplings(
                {declared.path: declared for declared in prims.joints},
                placing.positions,
                placing.joints,
                self.units,
                self.findings,
            ),
            excluded_pairs=tuple(dict.fromkeys(excluded)),
            name=_name_of(self.stage),
            tracks=tuple(placing.tracks),
            carried=self._carried(),
            gravity=read_gravity(prims.scenes, self._is_y_up, self.units, self.findings),
        )
        return StageRead(
            scene=scene,
            findings=(*self.findings, *colliders.findings, *placing.findings),
            paths=tuple(self.nodes.paths),
            units=self.units,
            rate=placing.rate,
            joint_paths=tuple(placing.paths),
            positions=tuple(placing.positions),
            actuators=driven.paths,
            to_scene=self._to_scene(),
            fits=colliders.fits,
            scales=tuple(self.nodes.scales),
            resets=tuple(prims.resets),
            physics_scene=prims.scenes[0].path if prims.scenes else "",
            parts=colliders.parts,
            filters=colliders.filters,
            pairs=pairs,
            roots=tuple(articulations),
        )

    def _actuated(self, placing: JointPlacing, prims: StagePrims) -> ActuatedJoints:
        """Return the joints with their actuators; what is left of the stage is reported."""
        shifted = {declared.path for declared in prims.joints if declared.get("mjc:ref")}
        found = actuated(placing, prims.actuators, shifted, self.findings)
        for unread in found.unread:
            prims.inventory.note_type(unread.path, unread.type_name)
        self.findings += prims.inventory.findings()
        return found

    def _is_there(self, path: str) -> bool:
        is_path = usd().Sdf.Path.IsValidPathString(path)
        return bool(is_path and self.stage.GetPrimAtPath(path))

    def _read_bodies(self, places: list[PrimPlace]) -> None:
        lengths = self.nodes.lengths()
        for place in places:
            if place.is_part or not (place.declared.schemas or place.declared.data):
                continue
            length = lengths[place.node]
            body = read_motion(place.declared, length, self.units)
            if body is not None:
                self.bodies[place.node] = body if self.is_local else _in_meters(body, length)
                self.findings += body.findings

    def _axes(self) -> Array:
        """Return how long the axes of nodes are [m], shape (n, 3): those of rigid nodes are 1."""
        lengths = self.nodes.lengths()
        return np.where(lengths != 0.0, lengths, 1.0) if self.is_local else np.ones_like(lengths)

    def _axes_of(self, place: PrimPlace) -> Array:
        """Return the matrix (4, 4) from the axes of a geometry prim to those of its node."""
        node = place.node
        if not place.is_part:
            matrix = np.eye(4)
            matrix[:3, :3] = np.eye(3) if self.is_local else self.nodes.scales[node]
            return matrix
        frame = np.array(self.nodes.matrices[node])
        if self.is_local:
            frame[:3, :3] = frame[:3, :3] @ self.nodes.scales[node]
        if abs(np.linalg.det(frame[:3, :3])) < 1e-15:
            return np.eye(4)
        return np.asarray(np.linalg.solve(frame, self.placed[place.number]))

    def _to_scene(self) -> Array:
        """Return the matrix (4, 4) from the world of the stage to Z up in meters."""
        matrix = np.eye(4)
        matrix[:3, :3] = (_Y_UP if self._is_y_up else np.eye(3)) * self.units.meters
        return matrix

    def _solids(self, colliders: ColliderReading) -> Solids:
        """Return the colliders, each on a node where its shape stands."""
        matrices = np.array(self.nodes.matrices, dtype=float).reshape(-1, 4, 4)
        if self.is_local and len(matrices):
            matrices[:, :3, :3] = matrices[:, :3, :3] @ np.array(self.nodes.scales)
        nodes = {
            node: len(matrices) + number
            for number, node in enumerate(colliders.fits.keys() & colliders.colliders.keys())
        }
        fits = [colliders.fits[node] for node in nodes]
        inside = Pose(
            np.array([fit.center for fit in fits], float).reshape(-1, 3),
            np.array([fit.rotation for fit in fits], float).reshape(-1, 4),
        )
        scene = PhysicsScene(
            names=(*self.nodes.names, *("" for _ in nodes)),
            parents=np.array([*self.nodes.parents, *nodes], dtype=np.intp),
            matrices=np.concatenate((matrices, matrices[list(nodes)] @ matrix_from_pose(inside))),
            motions={node: body.motion for node, body in self.bodies.items()},
            colliders={nodes.get(n, n): each for n, each in colliders.colliders.items()},
            meshes=tuple(colliders.meshes),
        )
        return Solids(scene, {other: node for node, other in nodes.items()})

    def _carries(self, colliders: ColliderReading) -> dict[int, frozenset[str]]:
        carries: dict[int, set[str]] = {}
        for kind, nodes in (
            ("collider", colliders.colliders),
            ("trigger", colliders.triggers),
            ("mesh", colliders.visuals),
        ):
            for node in nodes:
                carries.setdefault(node, set()).add(kind)
        return {node: frozenset(kinds) for node, kinds in carries.items()}

    def _filtered_pairs(
        self, pairs: list[Prim], motions: dict[int, Motion]
    ) -> list[tuple[tuple[int, int], tuple[str, str]]]:
        """Return the pairs of bodies that are filtered.

        With each are the paths of the prim that names another one, and of that.
        """
        found = []
        for declared in pairs:
            one = self._body(declared.path, motions)
            for target in declared.targets[PAIRS]:
                other = self._body(target, motions)
                if one >= 0 <= other and one != other:
                    found.append(((one, other), (declared.path, target)))
        return found

    def _body(self, path: str, motions: dict[int, Motion]) -> int:
        """Return the nearest body at or above a path, else the node itself."""
        start = self.nodes.at_or_above(path)
        body = self.nodes.body_of(start, motions)
        return start if body < 0 else body

    def _carried(self) -> JsonObject:
        unknown = {node: body.unknown for node, body in self.bodies.items() if body.unknown}
        return {"usd": {"bodies": unknown}} if unknown else {}


def _in_meters(body: BodyRead, length: Array) -> BodyRead:
    """Return a body with the center of mass in axes of a meter, whose own have a length (3,)."""
    # Twelve digits are what products of matrices leave of a scale.
    a, b, c = (float(f"{factor:.12g}") for factor in length.tolist())
    x, y, z = body.motion.center_of_mass
    return replace(body, motion=replace(body.motion, center_of_mass=(x * a, y * b, z * c)))


def _name_of(stage: Any) -> str:
    data = stage.GetRootLayer().customLayerData.get("omi")
    name = data.get("name") if isinstance(data, dict) else ""
    return name if isinstance(name, str) else ""

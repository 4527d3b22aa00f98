"""A stage as a scene: nodes, bodies, joints, colliders, materials, groups, articulations.

Every prim with a place is a node. Scale goes into shapes and meshes, so that nodes are rigid, in
meters and Z up; what was read of which prim is kept for the import hook.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.shapes.fit import Fit
from .articulation_reading import read_articulations
from .body_prims import BodyRead, read_motion
from .collider_prims import COLLISION
from .collider_reading import ColliderReading
from .couplings import read_couplings
from .gravity_reading import read_gravity
from .joint_placing import JointPlacing
from .joint_prims import JOINT_TYPES
from .joint_reading import MISPRINTS
from .layer import read_prim, schemas_of
from .mass_reading import with_masses
from .nodes import StageNodes
from .prim import Prim
from .pxr_access import usd
from .shape_prims import GEOMETRY
from .units import Units

_JOINTS = frozenset((*JOINT_TYPES, *MISPRINTS))
_Y_UP = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))


@dataclass(frozen=True, kw_only=True, eq=False)
class StageRead:
    """A scene and where it was read."""

    scene: PhysicsScene
    findings: tuple[Finding, ...]
    paths: tuple[str, ...]
    """Path of the prim of each node; empty for nodes that were made in reading."""
    units: Units
    joint_paths: tuple[str, ...]
    """Path of the prim of each joint."""
    fits: Mapping[int, Fit]
    """Where colliders and triggers stand on their nodes, where that was asked for."""
    scales: tuple[Array, ...]
    """What the axes of each prim measure in its node's axes [m], (3, 3)."""
    resets: tuple[str, ...]
    """Paths of the prims that take no transform from those above."""


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
    nodes: StageNodes = field(default_factory=StageNodes)
    bodies: dict[int, BodyRead] = field(default_factory=dict)
    joints: list[Prim] = field(default_factory=list)
    scenes: list[Prim] = field(default_factory=list)
    groups: list[Any] = field(default_factory=list)
    roots: list[Prim] = field(default_factory=list)
    pairs: list[Prim] = field(default_factory=list)
    geometry: list[tuple[Any, Prim, int]] = field(default_factory=list)
    """Each prim with a place, what it says, and its node."""
    worlds: list[Any] = field(default_factory=list)
    is_part: list[bool] = field(default_factory=list)
    """Whether the prim is a shape of its node, made by the writer, and no node itself."""
    resets: list[str] = field(default_factory=list)
    _places: dict[str, bool] = field(default_factory=dict)
    placed: Array = field(default_factory=lambda: np.empty((0, 4, 4)))
    """World matrices of these prims [m], Z up."""

    def read(self) -> StageRead:
        """Return the scene; its parts build on each other in this order."""
        pxr = usd()
        self._pxr = pxr
        self._time = pxr.Usd.TimeCode.EarliestTime()
        self._cache = pxr.UsdGeom.XformCache(self._time)
        self.units = _units_of(pxr, self.stage)
        if self.meters is not None:
            self.units = Units(self.meters, self.units.kilograms)
        self._is_y_up = pxr.UsdGeom.GetStageUpAxis(self.stage) == pxr.UsdGeom.Tokens.y
        predicate = pxr.Usd.TraverseInstanceProxies()
        for prim in self.stage.Traverse(predicate):
            self._sort(prim)
        self._place()
        self._read_bodies()
        colliders = ColliderReading(self.nodes, self.units, self._time, self.groups, self.is_local)
        for at, (prim, said, node) in enumerate(self.geometry):
            is_shown = said.type_name in GEOMETRY and not self.is_local
            if is_shown or COLLISION in said.schemas:
                colliders.add(prim, said, node, self._axes_at(at, node))
        motions = with_masses(self.bodies, colliders, self._solids(colliders))
        placing = JointPlacing(self.nodes, motions, self.units, self._to_scene())
        placing.add(self.joints)
        motions = placing.motions
        articulations = read_articulations(self.roots, self.nodes, placing, self.findings)
        scene = PhysicsScene(
            names=tuple(self.nodes.names),
            parents=np.array(self.nodes.parents, dtype=np.intp),
            matrices=np.array(self.nodes.matrices, dtype=float).reshape(-1, 4, 4),
            motions=motions,
            carries=self._carries(colliders),
            joints=tuple(placing.joints),
            colliders=colliders.colliders,
            triggers=colliders.triggers,
            meshes=tuple(colliders.meshes),
            visuals=colliders.visuals,
            articulations=articulations,
            couplings=read_couplings(
                {said.path: said for said in self.joints},
                placing.paths,
                placing.joints,
                placing.turns,
                self.units,
                self.findings,
            ),
            excluded_pairs=self._excluded_pairs(placing, motions),
            name=_name_of(self.stage),
            carried=self._carried(),
            gravity=read_gravity(self.scenes, self._is_y_up, self.units, self.findings),
        )
        findings = (*self.findings, *colliders.findings, *placing.findings)
        return StageRead(
            scene=scene,
            findings=findings,
            paths=tuple(self.nodes.paths),
            units=self.units,
            joint_paths=tuple(placing.paths),
            fits=colliders.fits,
            scales=tuple(self.nodes.scales),
            resets=tuple(self.resets),
        )

    def _sort(self, prim: Any) -> None:
        """Note what a prim is."""
        kind = str(prim.GetTypeName())
        if kind in _JOINTS:
            said = read_prim(prim, self._time)
            self.joints.append(said)
            self._note_schemas(said)
        elif kind == "PhysicsScene":
            self.scenes.append(read_prim(prim, self._time))
        elif kind == "PhysicsCollisionGroup":
            self.groups.append((prim, read_prim(prim, self._time)))
        elif self._is_place(prim, kind):
            self._add_node(prim, kind)
        elif prim.GetPrimTypeInfo().GetAppliedAPISchemas():
            self._note_schemas(read_prim(prim, self._time))

    def _is_place(self, prim: Any, kind: str) -> bool:
        """Return whether prims of a type have a place."""
        if kind not in self._places:
            self._places[kind] = bool(prim.IsA(self._pxr.UsdGeom.Xformable))
        return self._places[kind]

    def _add_node(self, prim: Any, kind: str) -> None:
        schemas = schemas_of(prim)
        is_said = bool(schemas) or prim.HasAuthoredCustomData()
        said = read_prim(prim, self._time, schemas) if is_said else Prim(str(prim.GetPath()), kind)
        path = said.path
        if "root" in said.data:
            self._note_schemas(said)
            return
        parent = self.nodes.at_or_above(path.rpartition("/")[0])
        is_part = bool(said.data.keys() & {"part", "visual"}) and parent >= 0
        node = parent if is_part else self.nodes.add(path, self._name(prim, path), parent)
        self.geometry.append((prim, said, node))
        self.worlds.append(self._cache.GetLocalToWorldTransform(prim))
        self.is_part.append(is_part)
        _local, is_reset = self._cache.GetLocalTransformation(prim)
        if is_reset:
            self.resets.append(path)
        if is_said:
            self._note_schemas(said)

    def _name(self, prim: Any, path: str) -> str:
        """Return the name of a node; objects that are there have one of their own."""
        return path.rpartition("/")[2] if self.is_local else _display_name(prim)

    def _place(self) -> None:
        """Place all nodes at once."""
        worlds = np.array(self.worlds, dtype=float).reshape(-1, 4, 4).swapaxes(1, 2)
        worlds = np.where(np.isfinite(worlds).all(axis=(1, 2))[:, None, None], worlds, np.eye(4))
        self.placed = self._to_scene() @ worlds
        self.nodes.place(self.placed[~np.array(self.is_part, dtype=bool)])

    def _read_bodies(self) -> None:
        for (_prim, said, node), is_part in zip(self.geometry, self.is_part, strict=True):
            if is_part or not (said.schemas or said.data):
                continue
            body = read_motion(said, self.nodes.lengths(node), self.units)
            if body is not None:
                self.bodies[node] = body
                self.findings += body.findings

    def _axes_at(self, at: int, node: int) -> Array:
        """Return the matrix (4, 4) from the axes of a geometry prim to those of its node."""
        if not self.is_part[at]:
            matrix = np.eye(4)
            matrix[:3, :3] = np.eye(3) if self.is_local else self.nodes.scales[node]
            return matrix
        frame = np.array(self.nodes.matrices[node])
        if self.is_local:
            frame[:3, :3] = frame[:3, :3] @ self.nodes.scales[node]
        if abs(np.linalg.det(frame[:3, :3])) < 1e-15:
            return np.eye(4)
        return np.asarray(np.linalg.solve(frame, self.placed[at]))

    def _note_schemas(self, said: Prim) -> None:
        if "PhysicsArticulationRootAPI" in said.schemas:
            self.roots.append(said)
        if "physics:filteredPairs" in said.targets:
            self.pairs.append(said)

    def _to_scene(self) -> Array:
        """Return the matrix (4, 4) from the world of the stage to Z up in meters."""
        matrix = np.eye(4)
        matrix[:3, :3] = (_Y_UP if self._is_y_up else np.eye(3)) * self.units.meters
        return matrix

    def _solids(self, colliders: ColliderReading) -> PhysicsScene:
        """Return the scene as far as masses need it."""
        return PhysicsScene(
            names=tuple(self.nodes.names),
            parents=np.array(self.nodes.parents, dtype=np.intp),
            matrices=self._solid_matrices(),
            motions={node: body.motion for node, body in self.bodies.items()},
            colliders=colliders.colliders,
            meshes=tuple(colliders.meshes),
        )

    def _solid_matrices(self) -> Array:
        """Return the matrices that shapes are in, shape (n, 4, 4)."""
        matrices = np.array(self.nodes.matrices, dtype=float).reshape(-1, 4, 4)
        if self.is_local and len(matrices):
            matrices[:, :3, :3] = matrices[:, :3, :3] @ np.array(self.nodes.scales)
        return matrices

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

    def _excluded_pairs(
        self, placing: JointPlacing, motions: dict[int, Motion]
    ) -> tuple[tuple[int, int], ...]:
        """Return the pairs of bodies that are filtered, but for those of joints that say so."""
        jointed = {frozenset(pair) for pair in placing.separate_pairs}
        found: dict[tuple[int, int], None] = {}
        for said in self.pairs:
            one = self._body(said.path, motions)
            for target in said.targets["physics:filteredPairs"]:
                other = self._body(target, motions)
                if one >= 0 <= other and one != other and frozenset((one, other)) not in jointed:
                    found[one, other] = None
        return tuple(found)

    def _body(self, path: str, motions: dict[int, Motion]) -> int:
        """Return the nearest body at or above a path, else the node itself."""
        node = start = self.nodes.at_or_above(path)
        while node >= 0 and node not in motions:
            node = self.nodes.parents[node]
        return start if node < 0 else node

    def _carried(self) -> JsonObject:
        unknown = {node: body.unknown for node, body in self.bodies.items() if body.unknown}
        return {"usd": {"bodies": unknown}} if unknown else {}


def _units_of(pxr: Any, stage: Any) -> Units:
    meters = float(pxr.UsdGeom.GetStageMetersPerUnit(stage))
    kilograms = float(pxr.UsdPhysics.GetStageKilogramsPerUnit(stage))
    is_sane = [np.isfinite(value) and value > 0.0 for value in (meters, kilograms)]
    return Units(meters if is_sane[0] else 0.01, kilograms if is_sane[1] else 1.0)


def _display_name(prim: Any) -> str:
    """Return the name that the writer or Blender's exporter kept, else that of the prim."""
    shown = prim.GetMetadata("displayName")
    if isinstance(shown, str) and shown:
        return shown
    kept = prim.GetAttribute("userProperties:blender:object_name")
    name = kept.Get() if kept else None
    return name if isinstance(name, str) and name else str(prim.GetName())


def _name_of(stage: Any) -> str:
    data = stage.GetRootLayer().customLayerData.get("omi")
    name = data.get("name") if isinstance(data, dict) else ""
    return name if isinstance(name, str) else ""

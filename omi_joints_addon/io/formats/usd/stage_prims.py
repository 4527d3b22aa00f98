"""The prims of a stage in one pass: what has a place, and what else says something of physics."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.numbers import LARGEST
from ....core.model.pose import Array
from .actuator_reading import TARGETS, ActuatorPrim, read_actuator
from .inventory import Inventory
from .joint_prims import JOINT_TYPES
from .joint_reading import MISPRINTS
from .layer import read_prim, schemas_of
from .nodes import StageNodes
from .prim import Prim
from .pxr_access import classes, message_of, usd
from .rules import COMPOSITION, INSTANCES
from .schema import ACTUATOR, ARTICULATION, PAIRS, RIGID_BODY
from .shape_prims import GEOMETRY
from .time_samples import Samples, read_samples

_ACTUATOR = frozenset(row.name for row in ACTUATOR)
_JOINTS = frozenset((*JOINT_TYPES, *MISPRINTS))


@dataclass(frozen=True, slots=True)
class PrimPlace:
    """A prim with a place that says something, or is shown."""

    prim: Any
    declared: Prim
    node: int
    number: int
    """Which of the places it is."""
    is_part: bool
    """Whether the prim is a shape of its node, made by the writer, and no node itself."""


@dataclass(eq=False)
class StagePrims:
    """The prims of a stage by what they are."""

    stage: Any
    time: Any
    is_local: bool
    """Whether what is shown and names are left out (`reading.read_stage`)."""
    nodes: StageNodes = field(default_factory=StageNodes)
    places: list[PrimPlace] = field(default_factory=list)
    joints: list[Prim] = field(default_factory=list)
    samples: dict[str, dict[str, Samples]] = field(default_factory=dict)
    """What changes over time of joints, by path and name of the attribute."""
    scenes: list[Prim] = field(default_factory=list)
    groups: list[tuple[Any, Prim]] = field(default_factory=list)
    roots: list[Prim] = field(default_factory=list)
    """Roots of articulations."""
    actuators: list[ActuatorPrim] = field(default_factory=list)
    pairs: list[Prim] = field(default_factory=list)
    """What names others that it does not collide with."""
    resets: list[str] = field(default_factory=list)
    """Paths of the prims that take no transform from those above."""
    findings: list[Finding] = field(default_factory=list)
    inventory: Inventory = field(default_factory=Inventory)
    _worlds: list[Any] = field(default_factory=list)
    """World matrix of each prim with a place, as OpenUSD has it."""
    _is_node: list[bool] = field(default_factory=list)
    """Whether each of these prims is a node."""

    def read(self) -> None:
        """Sort all prims."""
        self._pxr = usd()
        self._cache = self._pxr.UsdGeom.XformCache(self.time)
        self._prims, _attributes, _relationships = classes()
        layers = self.stage.GetUsedLayers()
        self._is_animated = any(layer.ListAllTimeSamples() for layer in layers)
        sorters: dict[str, Callable[[Any, str], None]] = {}
        prims = iter(self.stage.Traverse(self._pxr.Usd.TraverseInstanceProxies()))
        for prim in prims:
            kind = self._prims.GetTypeName(prim)
            if kind == "PointInstancer":
                self._leave_instances(prim)
                prims.PruneChildren()
            if kind not in sorters:
                sorters[kind] = self._sorter(prim, kind)
            sorters[kind](prim, kind)

    def placed(self, to_scene: Array) -> Array:
        """Place all nodes; return the world matrices (n, 4, 4) of all places [m], Z up.

        `to_scene` (4, 4) leads from the world of the stage to that of the scene.
        """
        worlds = np.array(self._pxr.Vt.Matrix4dArray(self._worlds), dtype=float)
        worlds = worlds.reshape(-1, 4, 4).swapaxes(1, 2)
        with np.errstate(invalid="ignore"):
            is_usable = (np.abs(worlds) <= LARGEST).all(axis=(1, 2))
        worlds = np.where(is_usable[:, None, None], worlds, np.eye(4))
        placed: Array = to_scene @ worlds
        self.nodes.place(placed[np.array(self._is_node, dtype=bool)])
        return placed

    def _sorter(self, prim: Any, kind: str) -> Callable[[Any, str], None]:
        if kind in _JOINTS:
            return self._add_joint
        if kind == "PhysicsScene":
            return lambda prim, _kind: self.scenes.append(self._read(prim))
        if kind == "PhysicsCollisionGroup":
            return lambda prim, _kind: self.groups.append((prim, self._read(prim)))
        if kind in TARGETS:
            return self._add_actuator
        is_place = prim.IsA(self._pxr.UsdGeom.Xformable)
        return self._add_place if is_place else self._add_other

    def _leave_instances(self, prim: Any) -> None:
        """Report the instances of a prim; its prototypes are not where they stand."""
        below = map(schemas_of, self._pxr.Usd.PrimRange(prim))
        if not any(schema.startswith("Physics") for schemas in below for schema in schemas):
            return
        indices = prim.GetAttribute("protoIndices").Get(self.time)
        path = str(self._prims.GetPath(prim))
        self.findings.append(INSTANCES(path, count=len(indices or ())))

    def _read(self, prim: Any, schemas: list[str] | None = None) -> Prim:
        """Return what a prim says, taken up in the inventory."""
        declared = read_prim(prim, self.time, schemas)
        is_kept = declared.type_name in _JOINTS or RIGID_BODY in declared.schemas
        self.inventory.note_prim(declared, is_kept=is_kept)
        return declared

    def _add_joint(self, prim: Any, _kind: str) -> None:
        declared = self._read(prim)
        if not self.is_local:
            declared.info["displayName"] = _display_name(prim)
        if self._is_animated and (samples := read_samples(prim, declared)):
            self.samples[declared.path] = samples
        self.joints.append(declared)
        self._note_schemas(declared)

    def _add_actuator(self, prim: Any, _kind: str) -> None:
        declared = read_prim(prim, self.time)
        actuator = read_actuator(declared, _display_name(prim), self.findings)
        if actuator is None:
            self.inventory.note_type(declared.path, declared.type_name)
        else:
            self.inventory.note_prim(declared, is_kept=False, read=_ACTUATOR)
            self.actuators.append(actuator)

    def _add_other(self, prim: Any, kind: str) -> None:
        self.inventory.note_type(str(self._prims.GetPath(prim)), kind)
        if schemas := schemas_of(prim):
            self._note_schemas(self._read(prim, schemas))

    def _add_place(self, prim: Any, kind: str) -> None:
        schemas = schemas_of(prim)
        if not schemas and not self._prims.HasAuthoredCustomData(prim):
            path = str(self._prims.GetPath(prim))
            node = self._add_node(prim, path, *self._above(path))
            if kind in GEOMETRY and not self.is_local:
                self._keep(prim, Prim(path, kind), node, is_part=False)
            return
        declared = self._read(prim, schemas)
        self._note_schemas(declared)
        if "root" in declared.data:
            return
        name, parent = self._above(declared.path)
        is_part = parent >= 0 and ("part" in declared.data or "visual" in declared.data)
        if is_part:
            node = parent
            self._add_world(prim, declared.path, is_node=False)
        else:
            node = self._add_node(prim, declared.path, name, parent)
        self._keep(prim, declared, node, is_part=is_part)

    def _above(self, path: str) -> tuple[str, int]:
        """Return the name of a prim and the node above it, -1 for none."""
        above, _, name = path.rpartition("/")
        return name, self.nodes.at_or_above(above)

    def _add_node(self, prim: Any, path: str, name: str, parent: int) -> int:
        """Add the node of a prim; objects that are there have a name of their own."""
        self._add_world(prim, path, is_node=True)
        return self.nodes.add(path, name if self.is_local else _display_name(prim), parent)

    def _keep(self, prim: Any, declared: Prim, node: int, *, is_part: bool) -> None:
        self.places.append(PrimPlace(prim, declared, node, len(self._worlds) - 1, is_part))

    def _add_world(self, prim: Any, path: str, *, is_node: bool) -> None:
        """Note where a prim is; steps of its transform that are damaged leave it in place."""
        try:
            world = self._cache.GetLocalToWorldTransform(prim)
            _local, is_reset = self._cache.GetLocalTransformation(prim)
        except self._pxr.Tf.ErrorException as error:
            self.findings.append(COMPOSITION(path, problem=message_of(error)))
            # By now the cache has the matrix without these steps.
            world = self._cache.GetLocalToWorldTransform(prim)
            is_reset = self._pxr.UsdGeom.Xformable(prim).GetResetXformStack()
        self._worlds.append(world)
        self._is_node.append(is_node)
        if is_reset:
            self.resets.append(path)

    def _note_schemas(self, declared: Prim) -> None:
        if ARTICULATION in declared.schemas:
            self.roots.append(declared)
        if PAIRS in declared.targets:
            self.pairs.append(declared)


def _display_name(prim: Any) -> str:
    """Return the name that the writer or Blender's exporter kept, else that of the prim."""
    shown = prim.GetMetadata("displayName")
    if isinstance(shown, str) and shown:
        return shown
    kept = prim.GetAttribute("userProperties:blender:object_name")
    name = kept.Get() if kept else None
    return name if isinstance(name, str) and name else str(prim.GetName())

"""Poses that views show in place of a scene's own, in Blender's evaluated copies of objects.

The objects themselves stay as they are: files, undo steps, exports and scripts never hold what a
preview shows, whatever window they are made in, and to put all back is to have Blender evaluate the
objects again. Bones are another matter (`posed`).

A matrix that is assigned has Blender evaluate its object anew, which sets the matrix back: all is
done twice a redraw. Where many objects move, their matrices are written all at once instead, of
which Blender learns nothing. Either way it has to be asked to draw (`witness`).
"""

from collections.abc import Iterable, Mapping, Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.graph import Indices
from ..core.model.pose import Array
from ..core.outline.pieces import State
from ..properties.bones import BodyBone, Node, object_of
from .posed import PosedArmature
from .structure import followers_of
from .witness import Witness

_SAME = 1e-7
"""Difference of matrices that is rounding."""
_FEW = 0.05
"""Share of all objects up to which it is quicker to assign the matrix of each that moves."""


class PreviewPoses:
    """What a preview shows of one scene."""

    def __init__(self, objects: Sequence[Node], rest: Array) -> None:
        """Show nothing yet; node i is `objects[i]`, at rest at `rest[i]`."""
        self._objects = objects
        self._rest = rest
        self._nodes = {obj.session_uid: node for node, obj in enumerate(objects)}
        self._bones: dict[int, dict[int, BodyBone]] = {}
        """The bones that move with nodes, by the node of their armature."""
        for node, obj in enumerate(objects):
            if isinstance(obj, BodyBone):
                armature = self._nodes[obj.armature.session_uid]
                self._bones.setdefault(armature, {})[node] = obj
            elif obj.type == "ARMATURE" and (following := self._following(obj)):
                self._bones[node] = following
        self._witness = Witness(objects, self._nodes)
        self._posed: dict[int, PosedArmature] = {}
        """Armatures that are posed."""
        self._is_moved = np.zeros(len(objects), bool)
        """Which nodes were moved, shape (n,)."""
        self._is_linked = np.array([object_of(obj).library is not None for obj in objects], bool)
        """Which nodes are in libraries, shape (n,)."""
        self._copied: Indices | None = None
        """Node of each evaluated copy, -1 for others, until Blender evaluates anything."""
        self.matrices = rest.copy()
        """World matrices of all nodes, shape (n, 4, 4)."""
        self.states: Mapping[int, State] = {}
        """States of joints by node; a joint that is not among them has the state of its pose."""
        self._reported: set[tuple[str, str]] = set()
        """Types and names of the IDs that Blender evaluates only to draw them."""
        self._depsgraph = 0
        """Address of the depsgraph that views show."""

    def show(
        self,
        depsgraph: bpy.types.Depsgraph,
        matrices: Array,
        states: Mapping[int, State],
        *,
        all_reported: bool = True,
    ) -> list[int]:
        """Show nodes at world matrices (n, 4, 4); return the nodes that look different now.

        `all_reported` is whether Blender has to learn of each object that moves.
        """
        is_away = np.abs(matrices - self._rest).max(axis=(1, 2)) > _SAME
        wanted = np.where(is_away[:, None, None], matrices, self._rest)
        moved = np.flatnonzero((wanted != self.matrices).any(axis=(1, 2)))
        turned = {node for node, _ in self.states.items() ^ states.items()}
        self.matrices, self.states = wanted, dict(states)
        self._depsgraph = depsgraph.as_pointer()
        self._pose(set(moved.tolist()))
        self._move(depsgraph, moved, all_reported=all_reported)
        return [*moved.tolist(), *turned]

    def keep(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Show again what Blender evaluated anew, but not what exporters and renders evaluate."""
        if depsgraph.as_pointer() != self._depsgraph:
            return
        self._copied = None
        if self._are_few(int(self._is_moved.sum())):
            for node in self.moved().tolist():
                self._assign(depsgraph, node)
        else:
            self._write(depsgraph)
        self._reported.clear()

    def hide(self) -> None:
        """Show all where it is."""
        for posed in self._posed.values():
            posed.hide()
        self.renew()

    def renew_for(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Have Blender evaluate what was moved, where it is to evaluate what was edited."""
        edited = (each.id for each in depsgraph.updates if each.id is not None)
        if any((each.id_type, each.name) not in self._reported for each in edited):
            self.renew()

    def renew(self) -> None:
        """Have Blender evaluate what was moved, and then what depends on it.

        What follows a copy that is shown elsewhere would be there too, and so would its object.
        """
        for node in self.moved().tolist():
            try:
                object_of(self._objects[node]).update_tag(refresh={"OBJECT"})
            except ReferenceError:
                # The object was removed meanwhile: there is nothing to put back.
                continue

    def is_away(self, node: int) -> bool:
        """Return whether a node is shown elsewhere."""
        return bool(self._is_moved[node])

    def rest_at(self, node: int, matrix: Array) -> None:
        """Take over where a node that is not shown elsewhere is at rest."""
        self._rest[node] = self.matrices[node] = matrix

    def moved(self) -> Indices:
        """Return the nodes that were moved."""
        return np.flatnonzero(self._is_moved)

    def touched(self) -> Iterable[int]:
        """Return the nodes that were moved or have a state."""
        return {*self.moved().tolist(), *self.states}

    def _following(self, armature: bpy.types.Object) -> dict[int, BodyBone]:
        """Return the bones that follow bodies beside the skeleton, by the nodes of these.

        Constraints of Blender do not see what is shown in evaluated copies.
        """
        return {
            self._nodes[body.session_uid]: BodyBone(armature, name)
            for name, (body, each) in followers_of(armature).items()
            if not each.mute and each.influence == 1.0 and body.session_uid in self._nodes
        }

    def _pose(self, moved: set[int]) -> None:
        """Pose the armatures of bones that moved: all of its bodies, as bones carry others."""
        for armature, bones in self._bones.items():
            if moved.isdisjoint((armature, *bones)):
                continue
            nodes = list(bones)
            if armature not in self._posed:
                self._posed[armature] = PosedArmature(list(bones.values()))
                self._is_moved[nodes] = True
            self._posed[armature].show(self.matrices[armature], self.matrices[nodes])

    def _move(self, depsgraph: bpy.types.Depsgraph, nodes: Indices, *, all_reported: bool) -> None:
        self._is_moved[nodes] = True
        if len(nodes):
            reported = self._witness.report(depsgraph, self._is_moved)
            if reported is not None:
                self._reported.add((reported.id_type, reported.name))
        if not (all_reported or self._are_few(len(nodes))):
            self._write(depsgraph)
            return
        for node in nodes.tolist():
            self._assign(depsgraph, node)

    def _are_few(self, count: int) -> bool:
        return count <= _FEW * len(self._objects)

    def _assign(self, depsgraph: bpy.types.Depsgraph, node: int) -> None:
        """Show one node, and have Blender evaluate it, where it is elsewhere."""
        copy, pose = self._copy(node, depsgraph), Matrix(self.matrices[node].tolist())
        if copy is not None and copy.matrix_world != pose:
            copy.matrix_world = pose
            self._reported.add((copy.id_type, copy.name))

    def _write(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Write the matrices of all nodes that were moved, which Blender does not learn of."""
        copies, uids = depsgraph.objects, self._nodes
        if self._copied is None or len(self._copied) != len(copies):
            found = (uids.get(copy.original.session_uid, -1) for copy in copies)  # type: ignore[union-attr]
            self._copied = np.fromiter(found, np.intp)
        nodes = self._copied
        rows = np.flatnonzero((nodes >= 0) & self._is_moved[nodes])
        columns = np.empty((len(copies), 4, 4), np.float32)
        copies.foreach_get("matrix_world", columns.reshape(-1))
        columns[rows] = self.matrices[nodes[rows]].swapaxes(1, 2)
        copies.foreach_set("matrix_world", columns.reshape(-1))
        # Blender writes nothing of what is linked this way.
        for node in np.flatnonzero(self._is_moved & self._is_linked).tolist():
            self._assign(depsgraph, node)

    def _copy(self, node: int, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object | None:
        """Return the evaluated copy of an object, None where it was removed, and for a bone."""
        obj = self._objects[node]
        if isinstance(obj, BodyBone):
            return None
        try:
            return obj.evaluated_get(depsgraph)
        except ReferenceError:
            return None

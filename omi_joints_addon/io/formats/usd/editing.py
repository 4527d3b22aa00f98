"""A scene written as a layer above the stage that it was read from: edits are opinions.

Edits are found noun by noun: both scenes are written as prims and compared. Frames and
places are compared on the bodies that they are on, so that a body that moved takes them along.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.checks.difference import Difference, is_read_back
from ....core.checks.differences import differences
from ....core.findings.loss import Losses, Noun
from ....core.model.body import Motion
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled_matrix
from .body_prims import set_motion
from .edited import StageRevision
from .gravity import set_gravity
from .joint_editing import JointEdits
from .layer import plain
from .overs import Overs
from .pair_editing import edit_pairs
from .part_editing import PartEdits
from .prim import Prim
from .pxr_access import usd
from .reading import StageRead
from .schema import ARTICULATION, MASS_ROWS, standard
from .values import Values

_UNEXPRESSED = frozenset(
    (Noun.SHAPE, Noun.VISUAL, Noun.COLOR, Noun.LOOK, Noun.TEXTURE, Noun.LIGHT, Noun.NAMED_POSE)
)
"""Nouns of what is seen, and others, that a layer does not say yet."""


def write_edits(stage: Any, layer: Any, read: StageRead, revision: StageRevision) -> Losses:
    """Write into a layer what was edited; return what cannot be expressed there."""
    overs = Overs(stage, layer)
    edits = _Edits(stage, read, revision, overs)
    with usd().Sdf.ChangeBlock():
        edits.write()
        overs.seal()
    return overs.losses


class _Edits(JointEdits, PartEdits):
    """Writes what differs of bodies and of all else."""

    def write(self) -> None:
        """Write everything."""
        for node, path in enumerate(self.read.paths):
            if path and node in self.before.motions and path not in self.revision.unknown:
                self._edit_body(node, path)
        self._edit_other_places()
        self._rename()
        for node, other in self.match.items():
            if node not in self.before.motions and other in self.after.motions:
                self._set_body(node, other, None, self.after.motions[other])
        self.add_nodes()
        self.edit_parts()
        self._keep_masses()
        self.edit_joints()
        self._edit_rest()
        if "new" in self.__dict__:
            for prim in self.new.prims.values():
                self.overs.define(prim)

    def _rename(self) -> None:
        for path, name in self.revision.names.items():
            self.overs.rename(path, name, name)
        for name in self.revision.unnamed:
            self.overs.losses.lost(name, Noun.NAME, "no prim stands for it; it is called as before")

    def _edit_other_places(self) -> None:
        """Place colliders, visuals and frames where they are on what they are a part of.

        Frames of joints that have no prim are placed by those of the joints.
        """
        frames = {end for joint in self.before.joints for end in (joint.node, joint.other)}
        compared = self.match.keys() if self.revision.has_looks else self._physical(frames)
        for node in sorted(compared & self.match.keys()):
            path = self.read.paths[node]
            if node not in self.before.motions and path:
                self._edit_place(node, self.match[node], path)

    def _physical(self, frames: set[int]) -> set[int]:
        """Return the nodes that are physics, `frames` among them, and those above them."""
        before = self.before
        left = [*before.motions, *before.colliders, *before.triggers, *frames]
        found: set[int] = set()
        while left:
            node = left.pop()
            if node >= 0 and node not in found:
                found.add(node)
                left.append(int(before.parents[node]))
        return found

    def _edit_body(self, node: int, path: str) -> None:
        other = self.match.get(node)
        if other is None:
            self.overs.remove(path, self.before.names[node])
            return
        motion, now = self.before.motions[node], self.after.motions.get(other)
        if motion != now:
            self._set_body(node, other, motion, now)
        self._edit_place(node, other, path)

    def _set_body(self, node: int, other: int, motion: Motion | None, now: Motion | None) -> None:
        scale = np.linalg.norm(self.read.scales[node], axis=0)
        path = self.read.paths[node]
        before, after = (self._body_prim(path, each, scale) for each in (motion, now))
        self.overs.put(after, before, self.after.names[other])

    def _keep_masses(self) -> None:
        """Write the masses of bodies that the stage has from colliders which were edited."""
        for node, other in self.match.items():
            motion, path = self.after.motions.get(other), self.read.paths[node]
            if motion is not None and path and other in self.weighed:
                scale = np.linalg.norm(self.read.scales[node], axis=0)
                declared = self._body_prim(path, motion, scale).attributes
                prim = Prim(path, schemas=[standard(MASS_ROWS[0]).schema])
                prim.attributes = {
                    row.name: declared[row.name] for row in MASS_ROWS if row.name in declared
                }
                self.overs.put(prim, Prim(path), self.after.names[other])

    def _body_prim(self, path: str, motion: Motion | None, scale: Array) -> Prim:
        prim = Prim(path)
        if motion is not None:
            center = np.array(motion.center_of_mass) / np.where(scale > 0.0, scale, 1.0)
            x, y, z = center.tolist()
            local = replace(motion, center_of_mass=(x, y, z))
            set_motion(prim, local, scale, self.read.units)
        self.carry_as_before(prim)
        return prim

    def _edit_place(self, node: int, other: int, path: str) -> None:
        """Place a prim where its node stands otherwise on the one above it than before."""
        if not self.is_moved(node, other):
            return
        prim = self.overs.prim(path, self.after.names[other])
        if prim is not None:
            outer = self.stage_world(prim.GetParent())
            local = np.linalg.solve(outer, self.place_on_stage(node, other))
            local[:3, :3] = local[:3, :3] @ self.read.scales[node]
            self._set_place(prim, local)

    def _set_place(self, prim: Any, local: Array) -> None:
        """Set the steps of a transform that are there, or else give the prim one matrix.

        A reset of what is above it stays.
        """
        from .tree_prims import set_matrix, set_steps

        declared = Prim(str(prim.GetPath()))
        if set_steps(declared, plain(prim.GetAttribute("xformOpOrder").Get()), local):
            self.overs.put(declared, Prim(), declared.path)
            return
        is_reset = usd().UsdGeom.Xformable(prim).GetResetXformStack()
        matrix = self.stage_world(prim.GetParent()) @ local if is_reset else local
        if np.array_equal(settled_matrix(matrix), np.eye(4)):
            declared.set("xformOpOrder", "token[]", (), is_uniform=True)
        set_matrix(declared, matrix, is_reset=is_reset)
        self.overs.put(declared, Prim(), declared.path)

    def _edit_rest(self) -> None:
        """Write roots, pairs and gravity; name what a layer of this program does not have."""
        self._edit_roots()
        links = [
            (frozenset(self.match.get(node, -1) for node in pair), paths)
            for pair, paths in self.read.pairs
        ]
        edit_pairs(self, links)
        self._edit_gravity()
        if self.revision.has_looks and self.before.name != self.after.name:
            self.overs.rename_stage(self.after.name)
        for noun, place in self._unexpressed():
            self.overs.losses.lost(place, noun, "the layer does not say it; write the whole stage")

    def _edit_roots(self) -> None:
        """Write which bodies are roots of articulations; which are fixed, their joints say."""
        before = {self.match.get(each.root, -1): each for each in self.before.articulations}
        after = {each.root: each for each in self.after.articulations}
        for path, root in zip(self.read.roots, before, strict=False):
            if root >= 0 and root not in after and not self.overs.is_removed(path):
                self.mark(path, ARTICULATION, is_marked=False)
        for root, each in after.items():
            place = self.after.names[root]
            if root in before and each.is_fixed != before[root].is_fixed:
                text = "whether its root is fixed is what joints of the stage say"
                self.overs.losses.lost(place, Noun.ARTICULATION, text)
            elif root not in before and root in self.path_of:
                self.mark(self.path_of[root], ARTICULATION)

    def _edit_gravity(self) -> None:
        """Write gravity on the prim that the stage has for it, else on a new one."""
        path, to_stage = self.read.physics_scene, np.linalg.inv(self.read.to_scene)
        if is_read_back(self.before.gravity, self.after.gravity):
            return
        if not self.revision.has_gravity:
            self.overs.losses.lost(
                "", Noun.GRAVITY, "it is that of another stage; write the whole stage"
            )
            return
        if not path:
            self.new.scene = replace(self.new.scene, gravity=self.after.gravity)
            self.new.add_scene()
            return
        after, before = Prim(path), Prim(path)
        set_gravity(Values(after, self.read.units), self.after.gravity, to_stage)
        set_gravity(Values(before, self.read.units), self.before.gravity, to_stage)
        self.overs.put(after, before, "")

    def _unexpressed(self) -> Iterator[tuple[Noun, str]]:
        """Yield what differs and is not written."""
        before, after = self._compared()
        there = self.revision.joints
        joints = {
            joint.node: after.joints[there[path]].node
            for path, joint in zip(self.read.joint_paths, before.joints, strict=True)
            if path in there
        }
        match = {**self.match, **joints}
        back = {other: node for node, other in match.items()}
        seen = set[Difference]()
        for found in differences(before, after, match):
            seen.add(Difference(match.get(found.node, -1), found.noun))
            is_written = found.noun == Noun.SHAPE and found.node in self.looks
            is_expressed = is_written or found.noun not in _UNEXPRESSED
            if not is_expressed:
                yield found.noun, before.names[found.node] if found.node >= 0 else ""
        for found in differences(after, before, back):
            is_here = found.node not in self.revision.elsewhere
            if is_here and found.noun in _UNEXPRESSED and found not in seen:
                yield found.noun, after.names[found.node] if found.node >= 0 else ""

    def _compared(self) -> tuple[PhysicsScene, PhysicsScene]:
        """Return both scenes with what is not written yet of what both can have."""
        parts: dict[str, Any] = {"colliders": {}, "disabled_colliders": {}, "triggers": {}}
        if not self.revision.has_looks:
            parts |= {"visuals": {}, "lights": {}, "name": ""}
        before, after = (replace(each, **parts) for each in (self.before, self.after))
        return before, after

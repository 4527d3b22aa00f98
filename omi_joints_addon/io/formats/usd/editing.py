"""A scene written as a layer above the stage that it was read from: edits are opinions.

Edits are found noun by noun: both scenes are written as prims and compared. Frames and
places are compared on the bodies that they are on, so that a body that moved takes them along.
"""

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.checks.difference import Difference
from ....core.checks.differences import differences
from ....core.findings.loss import Losses, Noun
from ....core.model.body import Motion
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled_matrix
from .body_prims import set_motion
from .collider_prims import set_material
from .edited import StageRevision
from .gravity import set_gravity
from .joint_editing import JointEdits
from .layer import plain
from .overs import Overs
from .pair_editing import edit_pairs
from .prim import Prim
from .pxr_access import usd
from .reading import StageRead
from .schema import ARTICULATION
from .values import Values

_WHOLE_NAME = Difference(-1, Noun.NAME)
_UNEXPRESSED = frozenset(
    (
        *(Noun.COLLIDER, Noun.SHAPE, Noun.MATERIAL, Noun.COLLISION_FILTER, Noun.TRIGGER),
        *(Noun.COUPLING, Noun.GRAVITY, Noun.ARTICULATION, Noun.VISUAL, Noun.COLOR, Noun.LIGHT),
    )
)
"""Nouns that a layer does not say yet."""


def write_edits(stage: Any, layer: Any, read: StageRead, revision: StageRevision) -> Losses:
    """Write into a layer what was edited; return what cannot be expressed there."""
    overs = Overs(stage, layer)
    edits = _Edits(stage, read, revision, overs)
    with usd().Sdf.ChangeBlock():
        edits.write()
        overs.seal()
    return overs.losses


class _Edits(JointEdits):
    """Writes what differs of bodies and of all else."""

    def write(self) -> None:
        """Write everything."""
        for node, path in enumerate(self.read.paths):
            if path and node in self.before.motions and path not in self.revision.unknown:
                self._edit_body(node, path)
        self._edit_other_places()
        for path, name in self.revision.names.items():
            self.overs.rename(path, name, name)
        for name in self.revision.unnamed:
            self.overs.losses.lost(name, Noun.NAME, "no prim stands for it; it is called as before")
        self._report_new_bodies()
        for node, other in self.match.items():
            if node not in self.before.motions and other in self.after.motions:
                self._set_body(node, other, None, self.after.motions[other])
        self.edit_joints()
        self._edit_rest()

    def _edit_other_places(self) -> None:
        """Place colliders, visuals and frames where they are on what they are a part of.

        Frames of joints that have no prim are placed by those of the joints.
        """
        frames = {end for joint in self.before.joints for end in (joint.node, joint.other)}
        compared = self.match.keys() if self.revision.has_looks else self._physical(frames)
        for node in sorted(compared & self.match.keys()):
            path = self.read.paths[node]
            if node not in self.before.motions and (path or node not in frames):
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

    def _report_new_bodies(self) -> None:
        here = {*self.match.values(), *self.revision.elsewhere}
        for node in self.after.motions.keys() - here:
            if self.after.is_dynamic(node) or node in self.after.colliders:
                text = "a new body has no prim; write the whole stage"
                self.overs.losses.lost(self.after.names[node], Noun.MOTION, text)

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
        above = int(self.before.parents[node])
        while above >= 0 and above not in self.match:
            above = int(self.before.parents[above])
        one, two = self.world_before[node], self.world[other]
        if above >= 0:
            one = np.linalg.solve(self.world_before[above], one)
            two = np.linalg.solve(self.world[self.match[above]], two)
        if self.are_same(one, two):
            return
        if not path:
            text = "it has no prim of its own; write the whole stage"
            self.overs.losses.lost(self.after.names[other], Noun.POSE, text)
            return
        world = two.copy() if above < 0 else self.world_before[above] @ two
        world[:3, :3] = world[:3, :3] @ self.read.scales[node]
        prim = self.overs.prim(path, self.after.names[other])
        if prim is not None:
            outer = self.stage_world(prim.GetParent())
            local = np.linalg.solve(outer, np.linalg.solve(self.read.to_scene, world))
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
        """Write new roots of articulations; name what a layer of this program does not have."""
        roots = {a.root for a in self.before.articulations}
        for articulation in self.after.articulations:
            path = self.path_of.get(articulation.root)
            if path is not None and self.read.paths.index(path) not in roots:
                root = Prim(path, schemas=[ARTICULATION])
                self.overs.put(root, Prim(path), self.after.names[articulation.root])
        before = (
            [self.match.get(node, -1) for node in pair] for pair in self.before.excluded_pairs
        )
        for pair in edit_pairs(self.overs, before, self.after.excluded_pairs, self.path_of):
            text = "the stage does not say this of the bodies; write the whole stage"
            self.overs.losses.lost(self.after.names[pair[0]], Noun.EXCLUDED_PAIR, text)
        written = self._edit_materials() | self._edit_gravity()
        for noun, place in self._unexpressed(written):
            self.overs.losses.lost(place, noun, "the layer does not say it; write the whole stage")

    def _edit_materials(self) -> set[Difference]:
        """Write materials that all of their colliders have edited alike; return what that is."""
        sharing: dict[str, list[int]] = {}
        for node, path in self.read.materials.items():
            if node in self.before.colliders and self.match.get(node) in self.after.colliders:
                sharing.setdefault(path, []).append(node)
        written = set[Difference]()
        for path, nodes in sharing.items():
            old = self.before.colliders[nodes[0]].material
            new, *others = {self.after.colliders[self.match[node]].material for node in nodes}
            if others or old is None or new is None or new == old or new.name != old.name:
                continue
            after, before = Prim(path), Prim(path)
            set_material(after, new, self.read.units)
            set_material(before, old, self.read.units)
            self.carry_as_before(after, before)
            self.overs.put(after, before, self.after.names[self.match[nodes[0]]])
            written |= {Difference(node, Noun.MATERIAL) for node in nodes}
        return written

    def _edit_gravity(self) -> set[Difference]:
        """Write gravity where the stage has a prim for it; return what that is."""
        path, to_stage = self.read.physics_scene, np.linalg.inv(self.read.to_scene)
        if not (path and self.revision.has_gravity):
            return set()
        after, before = Prim(path), Prim(path)
        set_gravity(Values(after, self.read.units), self.after.gravity, to_stage)
        set_gravity(Values(before, self.read.units), self.before.gravity, to_stage)
        self.overs.put(after, before, "")
        return {Difference(-1, Noun.GRAVITY)}

    def _unexpressed(self, written: Container[Difference]) -> Iterator[tuple[Noun, str]]:
        """Yield what differs and is not `written`."""
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
            is_expressed = found in written or found.noun not in _UNEXPRESSED
            if not is_expressed or found == _WHOLE_NAME:
                yield found.noun, before.names[found.node] if found.node >= 0 else ""
        for found in differences(after, before, back):
            is_here = found.node not in self.revision.elsewhere
            if is_here and found.noun in _UNEXPRESSED and found not in seen:
                yield found.noun, after.names[found.node] if found.node >= 0 else ""

    def _compared(self) -> tuple[PhysicsScene, PhysicsScene]:
        """Return both scenes with what both can have."""
        if self.revision.has_looks:
            return self.before, self.after
        before, after = (
            replace(each, visuals={}, lights={}, disabled_colliders={}, name="")
            for each in (self.before, self.after)
        )
        return before, after

"""Joints of a scene written as edits of the stage that it was read from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ....core.findings.loss import Loss, Losses, Noun
from ....core.meaning.animated import animated_joints
from ....core.model.animation import Track
from ....core.model.pose import (
    Pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
)
from ....core.model.scene import Joint, PhysicsScene
from ....core.rewrite.turning import FRAME_TURNS, moved_connected_frames
from .actuator_editing import edit_actuators
from .animation_writing import animated_joint_prim
from .couplings import JointPosition, older_axis, set_couplings
from .edited import EditedStage
from .joint_prims import JointPrim, joint_prim
from .joint_stacks import StackPart, parts_of
from .joint_states import is_own_state, set_joint_states
from .layer import read_prim, schemas_of
from .prim import Prim
from .pxr_access import usd
from .units import DEGREES

_LOCAL = ("physics:localPos", "physics:localRot")


@dataclass(eq=False)
class _Starts:
    """Where the joints of a scene start, for the prims that they are written on."""

    scene: PhysicsScene
    prims: dict[str, Prim] = field(default_factory=dict)
    positions: dict[int, JointPosition] = field(default_factory=dict)

    def note(self, number: int, prim: Prim, found: JointPrim, sign: float = 1.0) -> None:
        """Note the prim of a joint, `sign` as `JointPosition` has it."""
        self.prims[prim.path] = prim
        self.positions[number] = JointPosition(prim.path, sign, found.zero[1])


class JointEdits(EditedStage):
    """Writes what differs of each joint, and new ones whole."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._tracks_before, self._tracks = map(animated_joints, (self.before, self.after))
        self._starts = _Starts(self.before), _Starts(self.after)

    def edit_joints(self) -> None:
        """Edit, remove and add joints."""
        for number, path in enumerate(self.read.joint_paths):
            if path in self.revision.unknown:
                continue
            if path not in self.revision.joints:
                self._remove_joint(path, self.before.joints[number])
                continue
            self._edit_joint(number, path)
        new = []
        for number in self._new_joints():
            new += self._new_joint_prims(number)
        self._edit_starts()
        self._edit_couplings(new)
        for prim in new:
            self.overs.define(prim)

    def _remove_joint(self, path: str, joint: Joint) -> None:
        """Remove the prim of a joint, or all that it was read from."""
        parts = parts_of(joint.settings, joint.attributes)
        above = path.rpartition("/")[0]
        for each in [f"{above}/{part.name}" for part in parts] or [path]:
            self.overs.remove(each, joint.place)

    def _new_joints(self) -> Iterator[int]:
        """Yield the joints that the stage does not have, but for those of other stages."""
        there = set(self.revision.joints.values())
        for number, joint in enumerate(self.after.joints):
            if number in there:
                continue
            bodies = {int(self.owner[node]) for node in (joint.node, joint.other)}
            if joint.node not in self.revision.elsewhere and not bodies & self.revision.elsewhere:
                yield number
            elif bodies & self.path_of.keys():
                text = "it joins a body of this stage and one of another"
                self.overs.losses.lost(self.after.names[joint.node], Noun.JOINT, text)

    def _edit_joint(self, number: int, path: str) -> None:
        position = self.read.positions[number]
        before = self.before.joints[number]
        after = self.after.joints[self.revision.joints[path]]
        tracks = (
            self._tracks_before.get(number, ()),
            self._tracks.get(self.revision.joints[path], ()),
        )
        is_same = before.settings == after.settings and before.attributes == after.attributes
        parts = parts_of(before.settings, before.attributes)
        if parts:
            self._edit_parts(path, () if is_same else parts, after)
            return
        if actuators := self.read.actuators.get(path, {}):
            place = after.place or self.after.names[after.node]
            before, after = edit_actuators(self.overs, actuators, before, after, place)
        is_swapped, is_turned = position.is_swapped, position.sign > 0.0
        one, two = (
            self._joint_prim(joint, each, is_swapped=is_swapped, is_turned=is_turned)
            for joint, each in zip((before, after), tracks, strict=True)
        )
        prim, there = _on_path(path, two, after), _on_path(path, one, before)
        place = after.place or self.after.names[after.node]
        starts = zip(self._starts, (number, self.revision.joints[path]), (one, two), strict=True)
        for each, joint, found in starts:
            each.note(joint, Prim(path, found.prim.type_name), found, position.sign)
        has_new_losses = self._note_losses(place, two, one)
        self.carry_as_before(there, *(() if has_new_losses else (prim,)))
        for side, end in enumerate(("other", "node") if is_swapped else ("node", "other")):
            ends = getattr(before, end), getattr(after, end)
            if two.prim.type_name != one.prim.type_name or not self._is_same_frame(*ends):
                self._set_frame(prim, side, ends[1], two)
        self.overs.put(prim, there, place)

    def _note_losses(self, place: str, found: JointPrim, before: JointPrim | None = None) -> bool:
        """Note what is newly lost of a joint on its prim; return whether there is anything."""
        losses = [loss for loss in found.losses if before is None or loss not in before.losses]
        self.overs.losses.found += [Loss(place, *loss) for loss in losses]
        return bool(losses)

    def _edit_starts(self) -> None:
        """Write where joints of articulations start, where nothing else on the stage does."""
        before, after = self._starts
        for starts in self._starts:
            set_joint_states(starts.scene, starts.prims, starts.positions, self.read.units)
        near = self.revision.near * self.reach * max(DEGREES, 1.0 / self.read.units.meters)
        for path in before.prims.keys() & after.prims.keys():
            one, two = (_start(starts.prims[path]) for starts in self._starts)
            if abs(one - two) > near:
                declared = read_prim(self.stage.GetPrimAtPath(path), usd().Usd.TimeCode.Default())
                states = [name for name in declared.attributes if name.startswith("state:")]
                if all(is_own_state(declared, name) for name in states):
                    self.overs.put(after.prims[path], before.prims[path], path)

    def _edit_couplings(self, new: Sequence[Prim]) -> None:
        """Write which joints follow others, in the words that their prims have for it."""
        prims = [
            {path: Prim(path, prim.type_name) for path, prim in starts.prims.items()}
            for starts in self._starts
        ]
        before, after = prims
        after |= {prim.path: prim for prim in new}
        there = {path: schemas_of(self.stage.GetPrimAtPath(path)) for path in before}
        older = {path: axis for path, schemas in there.items() if (axis := older_axis(schemas))}
        found = []
        for starts, each in zip(self._starts, prims, strict=True):
            losses = Losses()
            set_couplings(starts.scene, each, starts.positions, self.read.units, losses, older)
            found.append(losses.found)
        self.overs.losses.found += [loss for loss in found[1] if loss not in found[0]]
        for path in before.keys() & after.keys():
            self.overs.put(after[path], before[path], path)

    def _edit_parts(self, path: str, before: Sequence[StackPart], after: Joint) -> None:
        """Write what was edited on the prims of one axis each that the joint was read from."""
        parts = parts_of(after.settings, after.attributes)
        if before and not parts:
            text = "the stage has a joint for each axis, which its limits are not any more"
            self.overs.losses.lost(self.after.names[after.node], Noun.LIMIT, text)
        for one, two in zip(before, parts, strict=False):
            each = path.rpartition("/")[0] + "/" + one.name
            prim, there = (
                joint_prim(part.settings, part.attributes, self.read.units).prim.copied(each)
                for part in (two, one)
            )
            self.carry_as_before(prim, there)
            self.overs.put(prim, there, self.after.names[after.node])

    def _joint_prim(
        self, joint: Joint, tracks: Sequence[Track], *, is_swapped: bool, is_turned: bool = True
    ) -> JointPrim:
        units, sides = self.read.units, {"is_swapped": is_swapped, "is_turned": is_turned}
        if tracks:
            return animated_joint_prim(joint, tracks, units, self.read.rate, **sides)
        return joint_prim(joint.settings, joint.attributes, units, **sides)

    def _is_same_frame(self, before: int, after: int) -> bool:
        """Return whether a frame is on the same body, and there where it was."""
        body, other = int(self.owner_before[before]), int(self.owner[after])
        if (body < 0) != (other < 0) or (body >= 0 and self.match.get(body, other) != other):
            return False
        one, two = self.world_before[before], self.world[after]
        if body >= 0:
            one = np.linalg.solve(self.world_before[body], one)
            two = np.linalg.solve(self.world[other], two)
        return self.are_same(one, two)

    def _set_frame(self, prim: Prim, side: int, node: int, found: JointPrim) -> None:
        """Relate one side of a joint to the prim of its body and place its frame there."""
        body = int(self.owner[node])
        path = self.path_of.get(body, "")
        world = self.world[node]
        if path:
            prim.relate(f"physics:body{side}", (path,))
        else:
            prim.relate(f"physics:body{side}", ())
        if body in self.made:
            outer, place = self.after.matrices[body], world
        else:
            if path:
                origin = self.read.paths.index(path)
                world = self.world_before[origin] @ np.linalg.solve(self.world[body], world)
            outer = self.stage_world(self.stage.GetPrimAtPath(path or "/"))
            place = np.linalg.solve(self.read.to_scene, world)
        position = np.linalg.solve(outer, place)[:3, 3]
        turns = [pose_from_matrix(each).rotation for each in (outer, place)]
        rotation = quaternion_product(quaternion_conjugate(turns[0]), turns[1])
        if found.shift:
            rotation = quaternion_product(rotation, FRAME_TURNS[found.shift].rotation)
        pose = Pose(position, rotation)
        axis, zero = found.zero
        if side == 1 and zero:
            pose = moved_connected_frames(pose, is_angular=True, axis=axis, by=-zero)
        x, y, z, w = pose.rotation.tolist()
        prim.set(f"{_LOCAL[0]}{side}", "point3f", tuple(pose.position.tolist()))
        prim.set(f"{_LOCAL[1]}{side}", "quatf", (w, x, y, z))

    def _new_joint_prims(self, number: int) -> list[Prim]:
        """Return the prim of a joint that the stage does not have; none where it cannot be."""
        joint = self.after.joints[number]
        name = self.after.names[joint.node]
        if joint.connected is None:
            self.overs.losses.lost(name, Noun.JOINT, "it has no connected frame")
            return []
        found = self._joint_prim(joint, self._tracks.get(number, ()), is_swapped=False)
        self._note_losses(joint.place or name, found)
        prim = _on_path(self.new.names.path(self.new.scope_path("Joints"), name), found, joint)
        self._starts[1].note(number, prim, found)
        for side, node in enumerate((joint.node, joint.other)):
            self._set_frame(prim, side, node, found)
        return [prim]


def _on_path(path: str, found: JointPrim, joint: Joint) -> Prim:
    prim = found.prim.copied(path)
    if joint.enable_collision:
        prim.set("physics:collisionEnabled", "bool", True)
    return prim


def _start(prim: Prim) -> float:
    """Return the state of a joint, which is 0 where the prim does not have it."""
    value: float = sum(value for _kind, value in prim.attributes.values())
    return value

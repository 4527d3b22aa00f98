"""Forward kinematics: where bodies are with joints at positions, many configurations at once.

Positions are what limits measure: the six values of `freedom`, of which a joint with one axis uses
one. SI units and radians, world axes at rest.
"""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ..model.articulation import Coupling
from ..model.graph import WORLD, joint_ends, spanning_tree
from ..model.pose import (
    Array,
    Pose,
    compose,
    inverse_pose,
    matrix_from_pose,
    pose_from_matrix,
    relative_pose,
    rotation_matrix,
)
from ..model.scene import PhysicsScene
from .coupling import only_freedom_of, usable_couplings
from .freedom import Freedom, cone_axis_of, pose_of_values, rotation_of_angles, values_of_pose

Indices = NDArray[np.intp]
_NUDGE = 1e-5
"""Half of a difference of values [m or rad] by which slopes of joints with several axes are taken.
"""


class Kinematics:
    """The tree in which joints connect bodies to those that do not move (`spanning_tree`).

    Joints that close a loop, or connect no two bodies, move nothing.
    """

    def __init__(
        self,
        scene: PhysicsScene,
        *,
        first: tuple[int, int] | None = None,
        whole: Collection[int] = (),
    ) -> None:
        """Take a scene at rest, with its tree (`first` as in `spanning_tree`).

        Joints of `whole` move by all of their six values, also by those that their limits lock.
        """
        self.scene, self.tree = scene, spanning_tree(scene, first=first)
        own = joint_ends(scene).body
        self.children = {number: body for body, number in self.tree.joints.items()}
        """Body that each joint of the tree moves."""
        self.freedoms = {n: only_freedom_of(scene.joints[n].settings) for n in self.children}
        """The one degree of freedom of each joint of the tree, None where it has another number."""
        single = [(n, f) for n, f in self.freedoms.items() if f is not None and n not in whole]
        self._one = np.array([n for n, _ in single], dtype=np.intp)
        self._axis = np.array([f.number for _, f in single], dtype=np.intp)
        self._places = {n: at for at, (n, _) in enumerate(single)}
        self._others = np.array([n for n in self.freedoms if n not in self._places], dtype=np.intp)
        self._thirds = [cone_axis_of(scene.joints[n].settings) for n in self._others]
        self._is_own = {n: int(own[n]) == body for n, body in self.children.items()}
        self._pivots, self._directions = self._screws()
        self._one_above = np.array(
            [self.tree.parents[self.children[n]] for n, _ in single], dtype=np.intp
        )
        self._levels = tuple(self._by_level())
        self.couplings = tuple(_sources_first(usable_couplings(scene)))
        """Couplings that act, those that others depend on first."""
        self._follows = tuple(
            (each, one.number, other.number)
            for each in self.couplings
            if (one := self._only(each.joint)) and (other := self._only(each.source))
        )
        poses = scene.relative_poses()
        values = [values_of_pose(j.settings, poses.at(n)) for n, j in enumerate(scene.joints)]
        self.rest: Array = np.array(values).reshape(-1, 6)
        """Values at which joints are at rest, shape (j, 6)."""
        self._frames = self._fixed_frames()

    def screw(self, number: int) -> tuple[Array, Array]:
        """Return a point on a one-axis joint's axis and the unit direction, in the world at rest.

        The body that the joint moves goes along it, or counterclockwise about it, where its
        position grows. Raises `ValueError` for a joint that does not have exactly one axis, or
        moves nothing.
        """
        at = self._places.get(number, -1)
        if at < 0:
            name = self.scene.names[self.scene.joints[number].node]
            raise ValueError(f"{name} does not move along or about exactly one axis")
        return self._pivots[at], self._directions[at]

    def with_followers(self, values: Array, *, placed: Collection[int] = ()) -> Array:
        """Return values (..., j, 6) in which joints that follow others are where these put them.

        Those of `placed` stay.
        """
        result = np.array(values, float)
        for each, own, other in self._follows:
            if each.joint not in placed:
                source = result[..., each.source, other]
                result[..., each.joint, own] = np.polyval(each.coefficients[::-1], source)
        return result

    def follow_slopes(self, values: Array) -> Iterator[tuple[int, int, int, int, float]]:
        """Yield each joint that follows with its axis, its source and how fast it goes with it.

        Sources come before what follows them.
        """
        for each, own, other in self._follows:
            slope = np.polyder(each.coefficients[::-1])
            at = float(values[each.source, other])
            yield each.joint, own, each.source, other, float(np.polyval(slope, at))

    def followers_of(self, numbers: Collection[int]) -> set[int]:
        """Return the joints that follow any of some joints, directly or by others."""
        found: set[int] = set()
        for each in self.couplings:
            if each.source in numbers or each.source in found:
                found.add(each.joint)
        return found

    def matrices(self, values: Array) -> Array:
        """Return the world matrices (..., n, 4, 4) of all nodes with joints at values (..., j, 6).

        Nodes that are not bodies go with the body they are on.
        """
        bodies = self.scene.bodies()
        return np.asarray(self.motions(values)[..., bodies, :, :] @ self.scene.matrices)

    def motions(self, values: Array) -> Array:
        """Return what takes each body from rest to values (..., j, 6), shape (..., n + 1, 4, 4).

        By nodes; those that are not bodies and the world, which is the last one, have identities.
        """
        values = np.asarray(values, float)
        count, leading = len(self.scene.names), values.shape[:-2]
        result = np.broadcast_to(np.eye(4), (*leading, count + 1, 4, 4)).copy()
        steps = self._steps(values)
        for level, above, numbers in self._levels:
            result[..., level, :, :] = result[..., above, :, :] @ steps[..., numbers, :, :]
        return result

    def twists(self, values: Array, motions: Array) -> Array:
        """Return how each value of each joint moves the body on it, in the world, (j, 6, 6).

        At values (j, 6) with their motions: how fast it turns [rad], and how fast the point at the
        world's origin goes along [m]. Rows of joints that move nothing, and of values that do not
        count, are 0.
        """
        result = np.zeros((len(self.scene.joints), 6, 6))
        above = motions[self._one_above]
        way = np.squeeze(above[:, :3, :3] @ self._directions[..., None], -1)
        at = np.squeeze(above[:, :3, :3] @ self._pivots[..., None], -1) + above[:, :3, 3]
        is_linear = (self._axis < 3)[:, None]
        result[self._one, self._axis, :3] = np.where(is_linear, 0.0, way)
        result[self._one, self._axis, 3:] = np.where(is_linear, way, np.cross(at, way))
        if len(self._others):
            above = motions[[self.tree.parents[self.children[int(n)]] for n in self._others]]
            result[self._others] = _carried(self._slopes(values[self._others]), above)
        return result

    def path(self, body: int) -> list[int]:
        """Return the joints between a body and its root."""
        found = []
        while body in self.tree.joints:
            found.append(self.tree.joints[body])
            body = self.tree.parents[body]
        return found

    def root(self, body: int) -> int:
        """Return the body from which a body is reached, or the world."""
        while body in self.tree.joints:
            body = self.tree.parents[body]
        return body

    def moved_by(self, numbers: Collection[int]) -> list[int]:
        """Return the bodies that any of some joints moves, each after its parent."""
        found: set[int] = set()
        for body in self.tree.order:
            if self.tree.joints.get(body) in numbers or self.tree.parents.get(body) in found:
                found.add(body)
        return [body for body in self.tree.order if body in found]

    def _only(self, number: int) -> Freedom | None:
        return only_freedom_of(self.scene.joints[number].settings)

    def _by_level(self) -> Iterator[tuple[Indices, Indices, Indices]]:
        """Yield bodies, their parents and the joints between, by their distance from the root."""
        depth: dict[int, int] = {WORLD: 0}
        levels: dict[int, list[tuple[int, int, int]]] = {}
        for body in self.tree.order:
            number = self.tree.joints.get(body)
            depth[body] = 0 if number is None else depth[self.tree.parents[body]] + 1
            if number is not None:
                row = body, self.tree.parents[body], number
                levels.setdefault(depth[body], []).append(row)
        for at in sorted(levels):
            bodies, parents, numbers = np.array(levels[at], dtype=np.intp).T
            yield bodies, parents, numbers

    def _screws(self) -> tuple[Array, Array]:
        """Return pivots and directions (k, 3) of the joints with one axis."""
        nodes = self.scene.joint_nodes[self._one]
        frames = pose_from_matrix(self.scene.matrices[nodes])
        axes = np.swapaxes(rotation_matrix(frames.rotation), -1, -2)
        # Limits measure the connected frame, so a body that has the joint's goes the other way.
        signs = np.array([-1.0 if self._is_own[int(n)] else 1.0 for n in self._one])
        directions = axes[np.arange(len(nodes)), self._axis % 3] * signs[:, None]
        return frames.position.reshape(-1, 3), directions.reshape(-1, 3)

    def _steps(self, values: Array) -> Array:
        """Return how each joint alone moves its body from rest, (..., j, 4, 4)."""
        result = np.broadcast_to(np.eye(4), (*values.shape[:-1], 4, 4)).copy()
        if len(self._one):
            by = values[..., self._one, self._axis] - self.rest[self._one, self._axis]
            result[..., self._one, :, :] = self._along_or_about(by)
        if len(self._others):
            result[..., self._others, :, :] = self._moved(values[..., self._others, :])
        return result

    def _along_or_about(self, by: Array) -> Array:
        """Return motions (..., k, 4, 4) of one-axis joints by distances and angles (..., k)."""
        is_linear = self._axis < 3
        half = np.where(is_linear, 0.0, by / 2.0)[..., None]
        rotation = np.concatenate((np.sin(half) * self._directions, np.cos(half)), axis=-1)
        turn = rotation_matrix(rotation)
        about = self._pivots - np.squeeze(turn @ self._pivots[..., None], -1)
        result = np.broadcast_to(np.eye(4), (*by.shape, 4, 4)).copy()
        result[..., :3, :3] = turn
        along = by[..., None] * self._directions
        result[..., :3, 3] = np.where(is_linear[:, None], along, about)
        return result

    def _slopes(self, values: Array) -> Array:
        """Return how values (m, 6) of joints with several axes move bodies, by differences.

        Shape (m, 6, 6).
        """
        nudges = _NUDGE * np.concatenate((np.eye(6), -np.eye(6)))
        steps = self._moved(values + nudges[:, None])
        change = (steps[:6] - steps[6:]) @ np.linalg.inv(self._moved(values)) / (2.0 * _NUDGE)
        turn = np.stack((change[..., 2, 1], change[..., 0, 2], change[..., 1, 0]), axis=-1)
        return np.swapaxes(np.concatenate((turn, change[..., :3, 3]), axis=-1), 0, 1)

    def _fixed_frames(self) -> tuple[Array, Array]:
        """Return what is before and behind the poses of values, of joints with several axes."""
        before, behind = np.zeros((2, len(self._others), 4, 4))
        for at, number in enumerate(self._others):
            joint = self.scene.joints[number]
            frames = pose_from_matrix(self.scene.matrices[[joint.node, joint.other]])
            here, there = frames.at(0), frames.at(1)
            rest = pose_of_values(joint.settings, self.rest[number])
            # What the values do not describe of the pose at rest stays.
            left = compose(inverse_pose(rest), relative_pose(here, there))
            ends = matrix_from_pose(here), matrix_from_pose(compose(left, inverse_pose(there)))
            is_own = self._is_own[int(number)]
            before[at], behind[at] = map(np.linalg.inv, ends[::-1]) if is_own else ends
        return before, behind

    def _moved(self, values: Array) -> Array:
        """Return the motions (..., m, 4, 4) of joints with several axes, or none."""
        rotation = np.zeros((*values.shape[:-1], 4))
        for third in {*self._thirds}:
            chosen = [at for at, each in enumerate(self._thirds) if each == third]
            rotation[..., chosen, :] = rotation_of_angles(third, values[..., chosen, 3:])
        pose = matrix_from_pose(Pose(values[..., :3], rotation))
        own = [at for at, n in enumerate(self._others) if self._is_own[int(n)]]
        pose[..., own, :, :] = np.linalg.inv(pose[..., own, :, :])
        before, behind = self._frames
        return np.asarray(before @ pose @ behind)


def _carried(twists: Array, motion: Array) -> Array:
    """Return twists (n, k, 6) as motions (n, 4, 4) take them along."""
    turned = np.swapaxes(motion[:, :3, :3], -1, -2)
    turn = twists[..., :3] @ turned
    along = twists[..., 3:] @ turned + np.cross(motion[:, None, :3, 3], turn)
    return np.concatenate((turn, along), axis=-1)


def _sources_first(couplings: tuple[Coupling, ...]) -> Iterator[Coupling]:
    """Yield couplings after those that move their sources; those in a loop are left out."""
    left = {each.joint: each for each in couplings}
    while ready := [each for each in left.values() if each.source not in left]:
        for each in ready:
            yield left.pop(each.joint)

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
from .freedom import pose_of_values, values_of_pose

Indices = NDArray[np.intp]


class Kinematics:
    """The tree in which joints connect bodies to those that do not move (`spanning_tree`).

    Joints that close a loop, or connect no two bodies, move nothing.
    """

    def __init__(self, scene: PhysicsScene) -> None:
        """Take a scene at rest."""
        self.scene, self.tree = scene, spanning_tree(scene)
        own = joint_ends(scene).body
        self.children = {number: body for body, number in self.tree.joints.items()}
        """Body that each joint of the tree moves."""
        self.freedoms = {n: only_freedom_of(scene.joints[n].settings) for n in self.children}
        """The one degree of freedom of each joint of the tree, None where it has another number."""
        one = [(n, f) for n, f in self.freedoms.items() if f is not None]
        self._one = np.array([n for n, _ in one], dtype=np.intp)
        self._axis = np.array([f.number for _, f in one], dtype=np.intp)
        self._places = {n: at for at, (n, _) in enumerate(one)}
        self._others = [n for n, f in self.freedoms.items() if f is None]
        self._is_own = {n: int(own[n]) == body for n, body in self.children.items()}
        self._pivots, self._directions = self._screws()
        self.couplings = tuple(_sources_first(usable_couplings(scene)))
        """Couplings that act, those that others depend on first."""
        poses = scene.relative_poses()
        values = [values_of_pose(j.settings, poses.at(n)) for n, j in enumerate(scene.joints)]
        self.rest: Array = np.array(values).reshape(-1, 6)
        """Values at which joints are at rest, shape (j, 6)."""

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
        for each in self.couplings:
            one = only_freedom_of(self.scene.joints[each.joint].settings)
            other = only_freedom_of(self.scene.joints[each.source].settings)
            if each.joint not in placed and one is not None and other is not None:
                source = result[..., each.source, other.number]
                result[..., each.joint, one.number] = np.polyval(each.coefficients[::-1], source)
        return result

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
        for level, numbers in self._levels():
            above = [self.tree.parents[body] for body in level]
            result[..., level, :, :] = result[..., above, :, :] @ steps[..., numbers, :, :]
        return result

    def moved_by(self, numbers: Collection[int]) -> list[int]:
        """Return the bodies that any of some joints moves, each after its parent."""
        found: set[int] = set()
        for body in self.tree.order:
            if self.tree.joints.get(body) in numbers or self.tree.parents.get(body) in found:
                found.add(body)
        return [body for body in self.tree.order if body in found]

    def _levels(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield bodies with the joints that they are on, by their distance from the root."""
        depth: dict[int, int] = {WORLD: 0}
        levels: dict[int, tuple[list[int], list[int]]] = {}
        for body in self.tree.order:
            number = self.tree.joints.get(body)
            depth[body] = 0 if number is None else depth[self.tree.parents[body]] + 1
            if number is not None:
                level, numbers = levels.setdefault(depth[body], ([], []))
                level.append(body)
                numbers.append(number)
        yield from (levels[at] for at in sorted(levels))

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
        for number in self._others:
            result[..., number, :, :] = self._step(number, values[..., number, :])
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

    def _step(self, number: int, values: Array) -> Array:
        """Return the motion (..., 4, 4) of a joint with several axes, or none."""
        joint = self.scene.joints[number]
        frames = pose_from_matrix(self.scene.matrices[[joint.node, joint.other]])
        here, there = frames.at(0), frames.at(1)
        wanted, start = pose_of_values(joint.settings, values), relative_pose(here, there)
        rest = pose_of_values(joint.settings, self.rest[number])
        # What the values do not describe of the pose at rest stays.
        left = compose(inverse_pose(rest), start)
        wanted = compose(wanted, Pose(left.position, left.rotation))
        if self._is_own[number]:
            return matrix_from_pose(
                compose(compose(there, inverse_pose(wanted)), inverse_pose(here))
            )
        return matrix_from_pose(compose(compose(here, wanted), inverse_pose(there)))


def _sources_first(couplings: tuple[Coupling, ...]) -> Iterator[Coupling]:
    """Yield couplings after those that move their sources; those in a loop are left out."""
    left = {each.joint: each for each in couplings}
    while ready := [each for each in left.values() if each.source not in left]:
        for each in ready:
            yield left.pop(each.joint)

"""Closing loops: bodies moved along their joints until the joints that close loops fit, too.

Gauss-Newton on the free coordinates of the spanning tree, each step the smallest that helps
(Nocedal and Wright, "Numerical Optimization", 2006, chapter 10).
"""

from dataclasses import dataclass, replace

import numpy as np

from ..meaning.freedom import clamped, freedoms, pose_of_values, values_of_pose
from ..model.graph import SpanningTree, spanning_tree
from ..model.pose import (
    Array,
    Pose,
    compose,
    matrix_from_pose,
    pose_from_matrix,
    quaternion_conjugate,
    relative_pose,
    rotate,
)
from ..model.scene import PhysicsScene

_STEP = 1e-6
"""Of the finite differences [m and rad]."""
_CLOSED = 1e-9
"""Largest misfit of a closed loop [m and rad]."""
_LONGEST = 0.3
"""Largest change of a coordinate in one step [m or rad]."""
_ITERATIONS = 200


@dataclass(frozen=True, slots=True, eq=False)
class ClosedLoops:
    """A scene whose loops are closed as far as they can be."""

    scene: PhysicsScene
    """The scene with its bodies moved."""
    before: float
    """Largest misfit of a joint before [m and rad]."""
    after: float
    """Largest misfit of a joint after it [m and rad]."""

    @property
    def is_closed(self) -> bool:
        """Whether every loop is closed."""
        return self.after <= 10.0 * _CLOSED


def close_loops(scene: PhysicsScene) -> ClosedLoops:
    """Return the scene with its bodies moved so that all loops close, or nearly so.

    Bodies that do not move stay, all others go along their joints; limits of the joints in loops
    hold afterwards, where there is a way.
    """
    problem = _Problem(scene)
    before = problem.before
    if not problem.count:
        return ClosedLoops(scene, before, before)
    values = problem.start
    misfit = problem.misfits(values[None])[0]
    for _ in range(_ITERATIONS):
        if _largest(misfit) <= _CLOSED:
            break
        step = problem.step(values, misfit)
        for _ in range(12):
            tried = problem.moved(values, step)
            new = problem.misfits(tried[None])[0]
            if np.linalg.norm(new) < np.linalg.norm(misfit):
                break
            step = step / 2.0
        else:
            break
        values, misfit = tried, new
    return ClosedLoops(problem.scene_at(values), before, _largest(misfit))


class _Problem:
    """The bodies of a scene as a function of the free coordinates of its tree."""

    def __init__(self, scene: PhysicsScene) -> None:
        self._scene = scene
        self._tree: SpanningTree = spanning_tree(scene)
        self._owner = scene.bodies()
        self._frames = pose_from_matrix(scene.matrices)
        self._hung = [body for body in self._tree.order if body in self._tree.joints]
        poses = scene.relative_poses()
        rest = [
            values_of_pose(joint.settings, Pose(poses.position[n], poses.rotation[n]))
            for n, joint in enumerate(scene.joints)
        ]
        allowed = [
            clamped(joint.settings, row) for joint, row in zip(scene.joints, rest, strict=True)
        ]
        # What is open within the tree is closed at once, so that only loops are left to close.
        self.start = np.array(allowed).reshape(-1, 6)
        self.before = (
            _largest(np.array(rest).reshape(-1, 6) - self.start) if self._tree.loops else 0.0
        )
        free = [
            (number, freedom.number)
            for number in map(self._tree.joints.__getitem__, self._hung)
            for freedom in freedoms(scene.joints[number].settings)
        ]
        self._free = np.array(free, dtype=np.intp).reshape(-1, 2)
        self.count = len(free) if self._tree.loops else 0

    def misfits(self, values: Array) -> Array:
        """Return how far joints of loops are from what they allow, (k, 6·loops) for (k, j, 6)."""
        bodies = self._bodies(values)
        found = [np.zeros((len(values), 0))]
        for number in self._tree.loops:
            joint = self._scene.joints[number]
            pose = relative_pose(self._frame(joint.node, bodies), self._frame(joint.other, bodies))
            measured = values_of_pose(joint.settings, pose)
            found += [measured - np.array([clamped(joint.settings, row) for row in measured])]
        return np.concatenate(found, axis=-1)

    def step(self, values: Array, misfit: Array) -> Array:
        """Return the smallest change of the free coordinates that should close the loops."""
        changes = np.repeat(values[None], 2 * self.count, axis=0)
        rows = np.arange(self.count)
        changes[rows, self._free[:, 0], self._free[:, 1]] += _STEP
        changes[rows + self.count, self._free[:, 0], self._free[:, 1]] -= _STEP
        ahead, behind = np.split(self.misfits(changes), 2)
        slopes = (ahead - behind).T / (2.0 * _STEP)
        change = np.linalg.lstsq(slopes, -misfit, rcond=1e-10)[0]
        return np.asarray(change * min(1.0, _LONGEST / max(np.abs(change).max(), 1e-300)))

    def moved(self, values: Array, change: Array) -> Array:
        """Return values (j, 6) with the free coordinates changed."""
        result = values.copy()
        result[self._free[:, 0], self._free[:, 1]] += change
        return result

    def scene_at(self, values: Array) -> PhysicsScene:
        """Return the scene with its bodies, and all that is on them, at some values (j, 6)."""
        matrices = self._scene.matrices.copy()
        for body, pose in self._bodies(values[None]).items():
            rest = np.linalg.inv(matrix_from_pose(_at(self._frames, body)))
            on = self._owner == body
            matrices[on] = matrix_from_pose(_at(pose, 0)) @ rest @ self._scene.matrices[on]
        return replace(self._scene, matrices=matrices)

    def _bodies(self, values: Array) -> dict[int, Pose]:
        """Return the poses (k,) of the bodies that hang on others."""
        found: dict[int, Pose] = {}
        for body in self._hung:
            number = self._tree.joints[body]
            joint = self._scene.joints[number]
            motion = pose_of_values(joint.settings, values[:, number])
            is_own = int(self._owner[joint.node]) == body
            held, holder = (joint.node, joint.other) if is_own else (joint.other, joint.node)
            motion = _inverse(motion) if is_own else motion
            frame = compose(self._frame(holder, found), motion)
            on_body = relative_pose(_at(self._frames, held), _at(self._frames, body))
            found[body] = compose(frame, on_body)
        return found

    def _frame(self, node: int, bodies: dict[int, Pose]) -> Pose:
        """Return the pose of a node, (k,) where its body is among `bodies`."""
        body = int(self._owner[node])
        rest = _at(self._frames, node)
        if body not in bodies:
            return rest
        return compose(bodies[body], relative_pose(_at(self._frames, body), rest))


def _at(poses: Pose, index: int) -> Pose:
    return Pose(poses.position[index], poses.rotation[index])


def _inverse(pose: Pose) -> Pose:
    rotation = quaternion_conjugate(pose.rotation)
    return Pose(-rotate(rotation, pose.position), rotation)


def _largest(misfit: Array) -> float:
    return float(np.abs(misfit).max(initial=0.0))

"""Closing loops: bodies moved along their joints until the joints that close loops fit, too.

Gauss-Newton on the free coordinates of the spanning tree, each step the smallest that helps
(Nocedal and Wright, "Numerical Optimization", 2006, chapter 10).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..meaning.freedom import clamped, freedoms, pose_of_values, values_of_pose
from ..model.graph import WORLD, Indices, SpanningTree, links_of, reached, spanning_tree
from ..model.pose import (
    Array,
    Pose,
    compose,
    inverse_pose,
    matrix_from_pose,
    pose_from_matrix,
    relative_pose,
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
    tree = spanning_tree(scene)
    if not tree.loops:
        return ClosedLoops(scene, 0.0, 0.0)
    poses = scene.relative_poses()
    found = [values_of_pose(joint.settings, poses.at(n)) for n, joint in enumerate(scene.joints)]
    rest = np.array(found).reshape(-1, 6)
    # What is open within the tree is closed at once, so that only loops are left to close.
    values = np.array(
        [clamped(joint.settings, row) for joint, row in zip(scene.joints, rest, strict=True)]
    ).reshape(-1, 6)
    before, after = _largest(rest - values), 0.0
    if not any(freedoms(scene.joints[number].settings) for number in tree.joints.values()):
        return ClosedLoops(scene, before, before)
    motion = _Motion(scene, tree)
    for loops, bodies in _groups(tree, motion.owner, scene):
        problem = _Problem(motion, loops, bodies)
        closed, misfit = problem.solved(values[problem.joints])
        values[problem.joints] = closed
        after = max(after, _largest(misfit))
    return ClosedLoops(motion.scene_at(values, rest), before, after)


def _groups(
    tree: SpanningTree, owner: Indices, scene: PhysicsScene
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield joints of loops that have bodies in common, and these bodies, parents first."""
    depth: dict[int, int] = {}
    for body in tree.order:
        depth[body] = depth.get(tree.parents[body], 0) + 1 if body in tree.joints else 0
    places = {body: place for place, body in enumerate(tree.order)}
    around = {
        number: _around(tree, depth, *(int(owner[end]) for end in (joint.node, joint.other)))
        for number in tree.loops
        for joint in (scene.joints[number],)
    }
    # Loops are numbered below all bodies.
    links = links_of((-2 - number, body) for number in tree.loops for body in around[number])
    left = dict.fromkeys(tree.loops)
    while left:
        group = reached(links, [-2 - next(iter(left))])
        loops = sorted(-2 - key for key in group if key < WORLD)
        for number in loops:
            del left[number]
        yield loops, sorted((key for key in group if key > WORLD), key=places.__getitem__)


def _around(tree: SpanningTree, depth: Mapping[int, int], one: int, other: int) -> list[int]:
    """Return the bodies between two bodies, which end where their ways up meet."""
    found = []
    while one != other:
        if depth.get(one, 0) < depth.get(other, 0):
            one, other = other, one
        if one not in tree.joints:
            break
        found.append(one)
        one = tree.parents[one]
    return found


class _Problem:
    """Bodies of some loops as a function of the free coordinates of their joints."""

    def __init__(self, motion: "_Motion", loops: Sequence[int], bodies: Sequence[int]) -> None:
        self._motion = motion
        self._loops = loops
        self._hung = bodies
        joints = motion.scene.joints
        self.joints = [motion.tree.joints[body] for body in bodies]
        """Numbers of the joints of the bodies."""
        free = [
            (place, freedom.number)
            for place, number in enumerate(self.joints)
            for freedom in freedoms(joints[number].settings)
        ]
        self._free = np.array(free, dtype=np.intp).reshape(-1, 2)

    def solved(self, values: Array) -> tuple[Array, Array]:
        """Return values (j, 6) that close the loops as far as can be, and what is left open."""
        misfit = self.misfits(values[None])[0]
        for _ in range(_ITERATIONS):
            if _largest(misfit) <= _CLOSED or not len(self._free):
                break
            step = self.step(values, misfit)
            for _ in range(12):
                tried = self.moved(values, step)
                new = self.misfits(tried[None])[0]
                if np.linalg.norm(new) < np.linalg.norm(misfit):
                    break
                step = step / 2.0
            else:
                break
            values, misfit = tried, new
        return values, misfit

    def misfits(self, values: Array) -> Array:
        """Return how far joints of loops are from what they allow, (k, 6·loops) for (k, j, 6)."""
        motion = self._motion
        bodies = motion.bodies({body: values[:, n] for n, body in enumerate(self._hung)})
        found = [np.zeros((len(values), 0))]
        for number in self._loops:
            joint = motion.scene.joints[number]
            pose = relative_pose(
                motion.frame(joint.node, bodies), motion.frame(joint.other, bodies)
            )
            measured = np.broadcast_to(values_of_pose(joint.settings, pose), (len(values), 6))
            found += [measured - np.array([clamped(joint.settings, row) for row in measured])]
        return np.concatenate(found, axis=-1)

    def step(self, values: Array, misfit: Array) -> Array:
        """Return the smallest change of the free coordinates that should close the loops."""
        count = len(self._free)
        changes = np.repeat(values[None], 2 * count, axis=0)
        rows = np.arange(count)
        changes[rows, self._free[:, 0], self._free[:, 1]] += _STEP
        changes[rows + count, self._free[:, 0], self._free[:, 1]] -= _STEP
        ahead, behind = np.split(self.misfits(changes), 2)
        slopes = (ahead - behind).T / (2.0 * _STEP)
        change = np.linalg.lstsq(slopes, -misfit, rcond=1e-10)[0]
        return np.asarray(change * min(1.0, _LONGEST / max(np.abs(change).max(), 1e-300)))

    def moved(self, values: Array, change: Array) -> Array:
        """Return values (j, 6) with the free coordinates changed."""
        result = values.copy()
        result[self._free[:, 0], self._free[:, 1]] += change
        return result


class _Motion:
    """Where bodies are by the values of their joints."""

    def __init__(self, scene: PhysicsScene, tree: SpanningTree) -> None:
        self.scene = scene
        self.tree = tree
        self.owner = scene.bodies()
        self._frames = pose_from_matrix(scene.matrices)

    def scene_at(self, values: Array, rest: Array) -> PhysicsScene:
        """Return the scene with its bodies, and all that is on them, at some values (j, 6).

        Bodies whose joints are at their values at rest, `rest`, all the way up stay as they are.
        """
        is_changed = (values != rest).any(axis=1)
        going: dict[int, Array] = {}
        for body in self.tree.order:
            number = self.tree.joints.get(body)
            if number is not None and (is_changed[number] or self.tree.parents[body] in going):
                going[body] = values[None, number]
        matrices, places = self.scene.matrices.copy(), np.full(len(self.owner) + 1, -1)
        found = self.bodies(going)
        bodies = list(found)
        if not bodies:
            return self.scene
        places[bodies] = range(len(bodies))
        after = np.stack([matrix_from_pose(pose.at(0)) for pose in found.values()])
        motions = after @ np.linalg.inv(matrix_from_pose(self._frames.at(bodies)))
        place = places[self.owner]
        matrices[place >= 0] = motions[place[place >= 0]] @ matrices[place >= 0]
        return replace(self.scene, matrices=matrices)

    def bodies(self, values: Mapping[int, Array]) -> dict[int, Pose]:
        """Return the poses (k,) of bodies by the values (k, 6) of their joints, parents first."""
        found: dict[int, Pose] = {}
        for body, own in values.items():
            joint = self.scene.joints[self.tree.joints[body]]
            motion = pose_of_values(joint.settings, own)
            is_own = int(self.owner[joint.node]) == body
            held, holder = (joint.node, joint.other) if is_own else (joint.other, joint.node)
            motion = inverse_pose(motion) if is_own else motion
            frame = compose(self.frame(holder, found), motion)
            on_body = relative_pose(self._frames.at(held), self._frames.at(body))
            found[body] = compose(frame, on_body)
        return found

    def frame(self, node: int, bodies: Mapping[int, Pose]) -> Pose:
        """Return the pose of a node, (k,) where its body is among `bodies`."""
        body = int(self.owner[node])
        rest = self._frames.at(node)
        if body not in bodies:
            return rest
        return compose(bodies[body], relative_pose(self._frames.at(body), rest))


def _largest(misfit: Array) -> float:
    return float(np.abs(misfit).max(initial=0.0))

"""Positions of joints over time as poses of their bodies, without physics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..model.graph import SpanningTree, joint_ends, spanning_tree
from ..model.joint import DriveType
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
from .coupling import only_freedom_of
from .freedom import pose_of_values
from .programs import joint_named_in
from .range_of_motion import current_values


@dataclass(frozen=True, slots=True, eq=False)
class BodyPoses:
    """What became of columns of positions."""

    matrices: dict[int, Array] = field(default_factory=dict)
    """World matrices (t, 4, 4) of each body that moves, by its node."""
    followed: list[str] = field(default_factory=list)
    """Joints that are at the positions of columns."""
    unknown: list[str] = field(default_factory=list)
    """Columns that name no joint of the scene."""
    unmoved: list[str] = field(default_factory=list)
    """Joints that close a loop or join no two bodies, and those whose column names no axis of
    several."""

    def record(self, scene: PhysicsScene) -> Iterator[Array]:
        """Yield the world matrices (n, 4, 4) of all nodes at each time; others stay."""
        for row in zip(*self.matrices.values(), strict=True):
            matrices = scene.matrices.copy()
            matrices[list(self.matrices)] = row
            yield matrices


def posed_bodies(scene: PhysicsScene, seconds: Array, columns: Mapping[str, Array]) -> BodyPoses:
    """Return where bodies are with joints at positions [m or rad] at times (t,), ascending.

    Bodies hang from those that do not move (`spanning_tree`), and joints without a column stay.
    Missing positions (nan) follow linearly from those around them.
    """
    found, tree = BodyPoses(), spanning_tree(scene)
    values = _values(scene, tree, seconds, columns, found)
    frames = pose_from_matrix(scene.matrices)
    ends = joint_ends(scene)
    poses: dict[int, Pose] = {}
    for body in tree.order:
        number, parent = tree.joints.get(body), tree.parents.get(body, -1)
        if number is None or not (number in values or parent in poses):
            continue
        joint = scene.joints[number]
        wanted = pose_of_values(joint.settings, values.get(number, current_values(scene, number)))
        here, there = joint.node, joint.other
        if int(ends.body[number]) == body:
            here, there = there, here
            wanted = inverse_pose(wanted)
        held = frames.at(here)
        if parent in poses:
            held = compose(poses[parent], relative_pose(frames.at(parent), held))
        own = relative_pose(frames.at(there), frames.at(body))
        poses[body] = compose(compose(held, wanted), own)
    for body, pose in poses.items():
        way = matrix_from_pose(compose(pose, inverse_pose(frames.at(body))))
        found.matrices[body] = np.asarray(way @ scene.matrices[body])
    return found


def _values(
    scene: PhysicsScene,
    tree: SpanningTree,
    seconds: Array,
    columns: Mapping[str, Array],
    found: BodyPoses,
) -> dict[int, Array]:
    """Return the values (t, 6) of joints that columns move, and say what became of each column."""
    numbers = {scene.names[joint.node]: number for number, joint in enumerate(scene.joints)}
    hanging = set(tree.joints.values())
    values: dict[int, Array] = {}
    for column, positions in columns.items():
        meant = joint_named_in(column, numbers)
        if meant is None:
            found.unknown.append(column)
            continue
        name, axis = meant
        number = numbers[name]
        freedom = only_freedom_of(scene.joints[number].settings)
        if axis is not None:
            at = axis[1] + (3 if axis[0] == DriveType.ANGULAR else 0)
        else:
            at = freedom.number if freedom is not None else -1
        is_there = np.isfinite(positions)
        if at < 0 or number not in hanging or not is_there.any():
            if name not in found.unmoved:
                found.unmoved.append(name)
            continue
        if number not in values:
            values[number] = np.tile(current_values(scene, number), (len(seconds), 1))
            found.followed.append(name)
        values[number][:, at] = np.interp(seconds, seconds[is_there], positions[is_there])
    return values

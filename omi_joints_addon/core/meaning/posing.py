"""Positions of joints over time as poses of their bodies, without physics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..model.joint import DriveType
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .authored import authored_angle
from .axes import joint_axes
from .freedom import Freedom
from .kinematics import Kinematics
from .programs import joint_named_in


def values_at(tree: Kinematics, positions: Mapping[int, ArrayLike]) -> Array:
    """Return the values (..., j, 6) of all joints with some at their author's positions.

    Positions [m or rad] are numbers or arrays of shape (...), by the numbers of joints. Others stay
    at rest, and those that follow others go along. Raises `ValueError` for a joint that closes a
    loop or has not exactly one axis.
    """
    scene = tree.scene
    found = {number: np.asarray(value, float) for number, value in positions.items()}
    shape = np.broadcast_shapes(*(value.shape for value in found.values()))
    values = np.broadcast_to(tree.rest, (*shape, *tree.rest.shape)).copy()
    for number, value in found.items():
        joint, freedom = scene.joints[number], tree.freedoms.get(number)
        name = scene.names[joint.node]
        if number not in tree.children:
            raise ValueError(f"{name} closes a loop, so its position follows from others")
        if freedom is None:
            raise ValueError(f"{name} does not move along or about exactly one axis")
        zero = 0.0 if freedom.is_linear else joint.attributes.zero
        values[..., number, freedom.number] = value - zero
    return tree.with_followers(values, placed=found.keys())


def posed_scene(scene: PhysicsScene, positions: Mapping[int, float]) -> PhysicsScene:
    """Return a scene at rest with joints at their author's positions; raises `ValueError`."""
    tree = Kinematics(scene)
    return replace(scene, matrices=tree.matrices(values_at(tree, positions)))


def positions_at_rest(scene: PhysicsScene) -> dict[str, tuple[float, bool]]:
    """Return the positions of `positions_by_joint` by the names of joints."""
    nodes = {number: joint.node for number, joint in enumerate(scene.joints)}
    return {scene.names[nodes[n]]: found for n, found in positions_by_joint(scene).items()}


def positions_by_joint(scene: PhysicsScene) -> dict[int, tuple[float, bool]]:
    """Return where joints with one axis are [m or rad], as their author counts, by their numbers.

    And whether it is an angle. Joints that move nothing are left out.
    """
    tree, found = Kinematics(scene), dict[int, tuple[float, bool]]()
    for number, freedom in sorted(tree.freedoms.items()):
        if freedom is None:
            continue
        joint, at = scene.joints[number], float(tree.rest[number, freedom.number])
        if not freedom.is_linear and joint.attributes.zero:
            own = joint_axes(joint.settings).all[freedom.number].own
            at = authored_angle(at, joint.attributes.zero, own)
        found[number] = (at, not freedom.is_linear)
    return found


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

    Trees begin at bodies that do not move (`Kinematics`), and joints without a column stay, but
    for those that follow others. Missing positions (nan) follow linearly from those around them.
    """
    found, kinematics = BodyPoses(), Kinematics(scene)
    values, moved = _values(kinematics, seconds, columns, found)
    motions = kinematics.motions(kinematics.with_followers(values, placed=moved))
    for body in kinematics.moved_by(moved | kinematics.followers_of(moved)):
        found.matrices[body] = np.asarray(motions[:, body] @ scene.matrices[body])
    return found


def _values(
    kinematics: Kinematics, seconds: Array, columns: Mapping[str, Array], found: BodyPoses
) -> tuple[Array, set[int]]:
    """Return the values (t, j, 6) that columns ask for and the joints that they move.

    Reports what became of each column.
    """
    scene, moved = kinematics.scene, set[int]()
    numbers = {scene.names[joint.node]: number for number, joint in enumerate(scene.joints)}
    values = np.tile(kinematics.rest, (len(seconds), 1, 1))
    for column, positions in columns.items():
        meant = joint_named_in(column, numbers)
        if meant is None:
            found.unknown.append(column)
            continue
        name, axis = meant
        number = numbers[name]
        at = _value_of(axis, kinematics.freedoms.get(number))
        is_there = np.isfinite(positions)
        if at < 0 or number not in kinematics.children or not is_there.any():
            if name not in found.unmoved:
                found.unmoved.append(name)
            continue
        if number not in moved:
            moved.add(number)
            found.followed.append(name)
        values[:, number, at] = np.interp(seconds, seconds[is_there], positions[is_there])
    return values, moved


def _value_of(axis: tuple[DriveType, int] | None, freedom: Freedom | None) -> int:
    """Return which of six values is that along or about an axis, else the only one, -1 for none."""
    if axis is not None:
        return axis[1] + (3 if axis[0] == DriveType.ANGULAR else 0)
    return -1 if freedom is None else freedom.number

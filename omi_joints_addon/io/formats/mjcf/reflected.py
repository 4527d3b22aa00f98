"""What a joint moves at rest, all joints beside it free to give way: MuJoCo's reflected inertia.

It is 1 / (J M⁻¹ Jᵀ) of the inertia M in joint space; damping ratios of servos are by it.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from ....core.model.body import Motion
from ....core.model.pose import Array, cross, rotation_matrix
from .attributes import Values
from .skeleton import Body, Element, Skeleton
from .speeds import columns_of

Rotors = Mapping[str, float]
"""Inertia that actuators add to joints, by name [kg or kg·m²]."""


class Reflected:
    """The inertia in joint space of a model at rest."""

    def __init__(
        self,
        skeleton: Skeleton,
        values: Values,
        motions: Callable[[Body], Motion],
    ) -> None:
        """`motions` gives the mass of each body."""
        self._skeleton = skeleton
        self._values = values
        self._motions = motions
        self._rows: dict[str, int] = {}
        """Row of each hinge and slide by its name."""
        self._roots: list[int] = []
        """Row that the tree of each row begins with."""

    def inertia(self, name: str, rotors: Rotors) -> float:
        """Return mass [kg] or moment of inertia [kg·m²] of a hinge or slide; 0 for none."""
        matrix, rows = self._matrix, self._rows
        tree = self._tree_of(rows[name])
        own = {row: at for at, row in enumerate(tree)}
        total = matrix[np.ix_(tree, tree)]
        for joint, rotor in rotors.items():
            if rows.get(joint) in own:
                at = own[rows[joint]]
                total[at, at] += rotor
        unit = np.eye(len(tree))[own[rows[name]]]
        try:
            moved = float(np.linalg.solve(total, unit) @ unit)
        except np.linalg.LinAlgError:
            return 0.0
        return 1.0 / moved if moved > 0.0 else 0.0

    def _tree_of(self, row: int) -> list[int]:
        """Return the rows of all joints of the tree that one is in."""
        first = self._roots[row]
        return [at for at, root in enumerate(self._roots) if root == first]

    @cached_property
    def _matrix(self) -> Array:
        """Inertia in the speeds of all joints, with their armature, shape (n, n)."""
        twists: list[Array] = []
        holders: dict[Body, list[int]] = {}
        armatures: list[float] = []
        for body in self._skeleton.numbered:
            own = [*(holders.get(body.parent, []) if body.parent is not None else [])]
            columns = columns_of(body, self._values)
            for at, column in enumerate(columns):
                if at < len(body.joints):
                    self._rows[body.joints[at].name] = len(twists)
                armature = self._armature(body, at)
                for twist in column.T:
                    own.append(len(twists))
                    self._roots.append(own[0])
                    twists.append(_at_origin(twist, body))
                    armatures.append(armature)
            holders[body] = own
        total = np.diag(np.array(armatures, float))
        for body, rows in holders.items():
            if rows and not body.is_still:
                part = _inertia_of(body, self._motions(body), np.array([twists[n] for n in rows]))
                total[np.ix_(rows, rows)] += part
        return total

    def _armature(self, body: Body, at: int) -> float:
        joints: list[Element] = body.joints
        if at >= len(joints):
            return 0.0
        return self._values.number(joints[at].name, joints[at].attributes, "armature")


def _at_origin(twist: Array, body: Body) -> Array:
    """Return a motion of a body's origin as one of the world's origin; linear, then angular."""
    linear, angular = twist[:3], twist[3:]
    return np.concatenate((linear - np.cross(angular, body.world[:3, 3]), angular))


def _inertia_of(body: Body, motion: Motion, twists: Array) -> Array:
    """Return what a body adds to the inertia of motions (k, 6), shape (k, k)."""
    axes = body.world[:3, :3]
    center = axes @ np.array(motion.center_of_mass) + body.world[:3, 3]
    turn = axes @ rotation_matrix(np.array(motion.inertia_orientation))
    tensor = turn @ np.diag(motion.inertia_diagonal) @ turn.T
    angular = twists[:, 3:]
    linear = twists[:, :3] + cross(angular, np.broadcast_to(center, angular.shape))
    return np.asarray(motion.mass * linear @ linear.T + angular @ tensor @ angular.T)

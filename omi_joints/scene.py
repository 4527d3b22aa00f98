"""Scenes by name: joints and bodies as people ask for them, poses, and edited values.

Everything here is a view of `PhysicsScene`, which keeps the numbers: nothing is stored twice.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from omi_joints_addon.core.meaning.authored import authored_angle
from omi_joints_addon.core.meaning.axes import Interval, joint_axes, one_axis_limit
from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.posing import positions_at_rest, values_at
from omi_joints_addon.core.meaning.reaching import Goal, Reach
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array, Pose, pose_from_matrix, rotation_matrix
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.settled import settled_unit
from omi_joints_addon.core.model.shape import Shape

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_ANGULAR = 3
"""Number of the first angular axis."""


class Mimic(NamedTuple):
    """Which joint another one follows: `position = multiplier * position of it + offset`."""

    joint: str
    """Name of the joint that is followed."""
    multiplier: float
    offset: float
    """[m or rad]."""


class Reached(NamedTuple):
    """How near a search came to what was asked."""

    positions: dict[str, float]
    """Position [m or rad] of each joint with one axis, for `posed` and `pose_at`."""
    distance: float
    """What is left to the place [m]."""
    angle: float
    """What is left to the rotation [rad]."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyView:
    """A body of a scene."""

    scene: "Scene"
    node: int
    """Its node in the scene."""

    def __repr__(self) -> str:
        return f"<body {self.name!r}, {self.motion.type}, {self.mass:g} kg>"

    @property
    def name(self) -> str:
        """Its name."""
        return self.scene.names[self.node]

    @property
    def motion(self) -> Motion:
        """How it moves, with its mass properties."""
        return self.scene.motions[self.node]

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.motion.mass

    @property
    def pose(self) -> Pose:
        """Where it is in the world at rest, shapes (3,) and (4,)."""
        return pose_from_matrix(self.scene.matrices[self.node])

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Its collision shapes, each in the axes of its own node."""
        owner = self.scene.bodies()
        here = (c for node, c in self.scene.colliders.items() if owner[node] == self.node)
        return tuple(each.shape for each in here if each.shape is not None)


@dataclass(frozen=True, slots=True, eq=False)
class JointView:
    """A joint of a scene.

    Positions are counted so that the child moves along `axis`, or counterclockwise about it, where
    they grow.
    """

    scene: "Scene"
    number: int
    """Its number in `scene.joints`."""

    def __repr__(self) -> str:
        parent, child = (each.name if each else "world" for each in (self.parent, self.child))
        bounds = f", {self.lower:g} to {self.upper:g}" if self.has_one_axis else ""
        return f"<{self.kind} joint {self.name!r}, {parent!r} to {child!r}{bounds}>"

    @property
    def joint(self) -> Joint:
        """Frames, settings and attributes."""
        return self.scene.joints[self.number]

    @property
    def name(self) -> str:
        """Its name."""
        return self.scene.names[self.joint.node]

    @property
    def settings(self) -> JointSettings:
        """Limits and drives."""
        return self.joint.settings

    @property
    def kind(self) -> JointKind:
        """What its limits make of it, such as hinge or slider."""
        return joint_kind(self.settings)

    @property
    def parent(self) -> BodyView | None:
        """The body that holds it; None is the world."""
        return self._end(is_child=False)

    @property
    def child(self) -> BodyView | None:
        """The body that it moves; None is the world."""
        return self._end(is_child=True)

    @property
    def is_fixed(self) -> bool:
        """Whether it allows no motion at all."""
        return self.kind == JointKind.FIXED

    @property
    def has_one_axis(self) -> bool:
        """Whether it moves its child along or about exactly one axis."""
        return self.scene.kinematics.freedoms.get(self.number) is not None

    @property
    def axis_number(self) -> int:
        """That axis of its frame: 0 to 2 along, 3 to 5 about X, Y, Z.

        Raises `ValueError` where it has not exactly one, as all that counts positions does.
        """
        freedom = self.scene.kinematics.freedoms.get(self.number)
        if freedom is None:
            raise ValueError(f"{self.name} does not move along or about exactly one axis")
        return freedom.number

    @property
    def axis(self) -> Array:
        """The child's direction of motion in the world at rest, shape (3,)."""
        return settled_unit(self.scene.kinematics.screw(self.number)[1])

    @property
    def pivot(self) -> Array:
        """A point on the axis, in the world at rest [m], shape (3,)."""
        return self.scene.kinematics.screw(self.number)[0]

    @property
    def lower(self) -> float:
        """Least position [m or rad]; -inf is unbounded."""
        return self._bounds()[0]

    @property
    def upper(self) -> float:
        """Largest position [m or rad]; inf is unbounded."""
        return self._bounds()[1]

    @property
    def position(self) -> float:
        """Position at rest [m or rad]."""
        rest = float(self.scene.kinematics.rest[self.number, self.axis_number])
        if not self.zero:
            return rest
        return authored_angle(rest, self.zero, joint_axes(self.settings).all[self.axis_number].own)

    @property
    def zero(self) -> float:
        """Position at which `settings` measure 0 [rad]: they have no angle beyond half a turn."""
        freedom = self.scene.kinematics.freedoms.get(self.number)
        is_hinge = freedom is not None and freedom.number >= _ANGULAR
        return self.joint.attributes.zero if is_hinge else 0.0

    @property
    def effort(self) -> float:
        """Largest force or torque of its actuator [N or N·m]; inf is unlimited."""
        return self.joint.attributes.effort

    @property
    def velocity(self) -> float:
        """Largest velocity of its actuator [m/s or rad/s]; inf is unlimited."""
        return self.joint.attributes.velocity

    @property
    def mimic(self) -> Mimic | None:
        """The joint that it follows in proportion, None where it follows none."""
        for each in self.scene.couplings:
            if each.joint == self.number and len(each.coefficients) <= 2:
                offset, multiplier = (*each.coefficients, 0.0, 0.0)[:2]
                source = self.scene.joint(each.source)
                offset += self.zero - multiplier * source.zero
                return Mimic(source.name, multiplier, offset)
        return None

    def _end(self, *, is_child: bool) -> BodyView | None:
        owner, joint = self.scene.bodies(), self.joint
        ends = {int(owner[joint.node]), int(owner[joint.other])}
        child = self.scene.kinematics.children.get(self.number, int(owner[joint.node]))
        node = child if is_child else next(iter(ends - {child}), -1)
        return BodyView(self.scene, node) if node >= 0 else None

    def _bounds(self) -> tuple[float, float]:
        axis, whole = joint_axes(self.settings).all[self.axis_number], self._whole_range()
        if whole is not None and axis.own.is_free:
            return whole
        return axis.min + self.zero, axis.max + self.zero

    def _whole_range(self) -> tuple[float, float] | None:
        return self.joint.attributes.whole_range if self.axis_number >= _ANGULAR else None


class Scene(PhysicsScene):
    """A scene of a file, whatever its format: bodies and joints by name, poses, edited values.

    Values are frozen; what changes something returns a new scene.
    """

    def __repr__(self) -> str:
        bodies = ", ".join(self.body_names[:5]) + (", …" if len(self.motions) > 5 else "")
        counts = f"{len(self.motions)} bodies ({bodies}), {len(self.joints)} joints"
        return f"<Scene {self.name!r}: {counts}>"

    @classmethod
    def of(cls, scene: PhysicsScene) -> "Scene":
        """Return the same scene with the functions of this class."""
        return cls(**{each.name: getattr(scene, each.name) for each in fields(PhysicsScene)})

    @cached_property
    def kinematics(self) -> Kinematics:
        """The tree of bodies that joints make."""
        return Kinematics(self)

    @property
    def body_names(self) -> list[str]:
        """Names of all bodies."""
        return [self.names[node] for node in self.motions]

    @property
    def joint_names(self) -> list[str]:
        """Names of all joints."""
        return [self.names[joint.node] for joint in self.joints]

    def body(self, name: str | int) -> BodyView:
        """Return the body of a name or node.

        Raises `KeyError` for an unknown name, and for one that several bodies have.
        """
        if isinstance(name, int) and name in self.motions:
            return BodyView(self, name)
        return BodyView(self, _found(name, list(self.motions), self.body_names, "body"))

    def joint(self, name: str | int) -> JointView:
        """Return the joint of a name or number.

        Raises `KeyError` for an unknown name, and for one that several joints have.
        """
        numbers = range(len(self.joints))
        if isinstance(name, int) and name in numbers:
            return JointView(self, name)
        return JointView(self, _found(name, numbers, self.joint_names, "joint"))

    def moving_joints(self) -> Iterator[JointView]:
        """Yield the joints that allow motion."""
        views = (JointView(self, number) for number in range(len(self.joints)))
        return (joint for joint in views if not joint.is_fixed)

    def positions(self) -> dict[str, float]:
        """Return the position at rest [m or rad] of each joint with one axis, by its name."""
        return {name: at for name, (at, _) in positions_at_rest(self).items()}

    def named_pose(self, name: str) -> dict[str, float]:
        """Return the positions of a pose that the file has, for `posed` and `pose_at`.

        Keyframes of MJCF, and group states in the SRDF file beside a URDF. Raises `KeyError`.
        """
        found = next((pose for pose in self.poses if pose.name == name), None)
        if found is None:
            raise KeyError(f"no pose {name!r} (there are {[pose.name for pose in self.poses]})")
        return dict(found.positions)

    def pose_at(self, positions: Mapping[str, ArrayLike]) -> Array:
        """Return the world matrices of all nodes with joints at positions [m or rad].

        Shape (n, 4, 4); (..., n, 4, 4) where positions are arrays of shape (...). A joint without a
        position stays, and one that follows others goes along. Nodes are numbered as in `names`:
        `matrices[..., scene.body("hand").node, :, :]`. Raises `KeyError` for an unknown joint and
        `ValueError` for one that has several axes or closes a loop.
        """
        found = {self.joint(name).number: value for name, value in positions.items()}
        return self.kinematics.matrices(values_at(self.kinematics, found))

    def posed(self, positions: Mapping[str, float]) -> "Scene":
        """Return the scene at rest with joints at positions [m or rad], as in `pose_at`."""
        return replace(self, matrices=self.pose_at(positions))

    def reach(
        self,
        body: str | int,
        place: ArrayLike,
        *,
        point: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        attempts: int = 12,
    ) -> "Reached":
        """Return positions of joints, within limits, that bring a body to a place [m] (3,).

        `point` (3,) is what arrives there, in the world at rest, the body's origin by default;
        `rotation` (3, 3) are the axes that the body is to have in the world. Loops stay closed. Of
        several searches the first starts at rest, see `core.meaning.reaching`.
        """
        view, tree = self.body(body), self.kinematics
        matrix = self.matrices[view.node]
        turn = None
        if rotation is not None:
            turn = np.asarray(rotation, float) @ rotation_matrix(view.pose.rotation).T
        goal = Goal(
            body=view.node,
            point=matrix[:3, 3] if point is None else np.asarray(point, float),
            place=np.asarray(place, float),
            rotation=turn,
        )
        found = Reach(tree).search([goal], tree.rest, attempts=attempts)
        one = ((number, free) for number, free in sorted(tree.freedoms.items()) if free is not None)
        views = ((self.joint(n), free) for n, free in one)
        positions = {
            view.name: float(found.values[view.number, free.number]) + view.zero
            for view, free in views
        }
        return Reached(positions, found.distance, found.angle)

    def with_joint(
        self,
        name: str | int,
        *,
        lower: float | None = None,
        upper: float | None = None,
        **attributes: Any,
    ) -> "Scene":
        """Return the scene with other values of a joint.

        `lower` and `upper` [m or rad] are of a joint with one axis; `attributes` are those of
        `JointAttributes`, such as `effort`, `velocity` and `friction`. `write` with `original` puts
        just these into the file. Raises `TypeError` for another value.
        """
        view = self.joint(name)
        joint = view.joint
        if not (lower is None and upper is None):
            low, high = (
                view.lower if lower is None else lower,
                view.upper if upper is None else upper,
            )
            joint = replace(joint, settings=_bounded(view, low, high))
        if attributes:
            joint = replace(joint, attributes=replace(joint.attributes, **attributes))
        joints = (*self.joints[: view.number], joint, *self.joints[view.number + 1 :])
        return replace(self, joints=joints)

    def show(self, positions: Mapping[str, float] | None = None) -> "Figure":
        """Return a figure of matplotlib with bodies and what joints allow, for notebooks too.

        `positions` are joints' as in `posed`. Raises `ImportError` without matplotlib.
        """
        from .figures import figure_of

        return figure_of(self.posed(positions) if positions else self)


def _found(name: str | int, keys: Sequence[int], names: Sequence[str], what: str) -> int:
    """Return the one key whose name is asked for."""
    found = [key for key, each in zip(keys, names, strict=True) if each == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise KeyError(f"{len(found)} {what} names are {name!r}; use one of the numbers {found}")
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise KeyError(f"no {what} {name!r}{hint}")


def _bounded(view: JointView, low: float, high: float) -> JointSettings:
    """Return the settings of a one-axis joint with other bounds."""
    number = view.axis_number
    if not low <= high:
        raise ValueError(f"{view.name}: lower {low:g} is above upper {high:g}")
    low, high = low - view.zero, high - view.zero
    limits = list(view.settings.limits)
    own = [at for at, limit in enumerate(limits) if _is_about(limit, number)]
    for at in own:
        limits[at] = replace(limits[at], min=low, max=high)
    if not own:
        limits.append(one_axis_limit(number, Interval(min=low, max=high)))
    return replace(view.settings, limits=tuple(limits))


def _is_about(limit: JointLimit, number: int) -> bool:
    return limit.parts() == [(number >= 3, (number % 3,))]

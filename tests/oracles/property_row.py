"""A row of the table of properties: a scene with one property, and what it must come to.

No value is 0, 1 or a default, so that an engine that drops, halves or swaps one is seen. A scene is
a body, mostly one, at or above a static base.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from omi_joints_addon.core.meaning.metric import angular_metric, linear_metric
from omi_joints_addon.core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose, compose, pose_from_matrix, relative_pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Shape, Sphere
from tests.core.probe import LOCK
from tests.core.solver_scenes import matrix, turn
from tests.oracles.files import Poses

G = 9.81
SIDE = 0.5
"""Tolerance of rows that only tell on which side of a wall a body is: 0 and 1."""
DOWN = (0.0, 0.0, -G)
STILL = (0.0, 0.0, 0.0)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
BODY = "Body"
MASS, ARM, RADIUS = 2.3, 0.37, 0.17
"""Of the body on a joint: [kg], distance from the joint [m], radius of its sphere [m]."""
MOMENT = 0.4 * MASS * RADIUS**2
ABOUT_JOINT = MOMENT + MASS * ARM**2
"""Moment of inertia of that body about the joint [kg·m²]."""
LOAD = MASS * G * ARM
"""Torque of its weight about the joint, level [N·m]."""


@dataclass(frozen=True, kw_only=True)
class Property:
    """A property, a scene that shows it, and a number that tells whether it acts."""

    group: str
    name: str
    scene: PhysicsScene
    seconds: float
    """When it is measured."""
    around: float = 0.0
    """Where the largest value within so long before and after that is what counts [s]."""
    value: Callable[[PhysicsScene, Poses], float]
    """Return what is measured [m or rad], by the names of bodies."""
    expected: float
    """By a closed form, an integration of its own or the text of a specification."""
    is_angular: bool = False
    is_default: bool = False
    """Whether the engine runs with its own steps, dampings and sleep, which else are taken away."""

    most: float = 0.0
    """What counts as the same [m or rad]; 0 is half a degree, 5 mm."""

    @property
    def stops(self) -> tuple[float, ...]:
        """When it is measured, 240 times a second where the largest value counts [s]."""
        more = round(240.0 * self.around)
        return tuple(self.seconds + each / 240.0 for each in range(-more, more + 1))

    @property
    def is_side(self) -> bool:
        """Whether it only tells on which side of a wall a body is."""
        return self.most == SIDE

    @property
    def tolerance(self) -> float:
        """What counts as the same [m or rad]."""
        return self.most or (math.radians(0.5) if self.is_angular else 0.005)

    def measured(self, stops: Sequence[Poses]) -> float:
        """Return what is measured of the poses at each stop."""
        return max(self.value(self.scene, poses) for poses in stops)

    def differs(self, value: float) -> bool:
        """Return whether a measured value is another one; what is not a number is."""
        return not abs(value - self.expected) <= self.tolerance


@dataclass(frozen=True, kw_only=True)
class Item:
    """A node of a scene."""

    name: str
    position: Sequence[float] = STILL
    rotation: Sequence[float] = UPRIGHT
    scale: Sequence[float] = (1.0, 1.0, 1.0)
    parent: int = -1
    motion: Motion | None = None
    collider: Collider | None = None

    @property
    def matrix(self) -> np.ndarray:
        """World matrix."""
        return matrix(self.position, self.rotation) @ np.diag((*self.scale, 1.0))


def scene_of(
    *items: Item, joints: Sequence[Joint] = (), gravity: Sequence[float] = DOWN, **more: object
) -> PhysicsScene:
    """Return a scene of nodes."""
    return PhysicsScene(
        names=tuple(item.name for item in items),
        parents=np.array([item.parent for item in items], dtype=np.intp),
        matrices=np.array([item.matrix for item in items]),
        motions={number: item.motion for number, item in enumerate(items) if item.motion},
        colliders={number: item.collider for number, item in enumerate(items) if item.collider},
        joints=tuple(joints),
        gravity=tuple(gravity),
        **more,
    )


def static(name: str, shape: Shape, position: Sequence[float] = STILL, **more: object) -> Item:
    """Return a static body with a shape."""
    collider = Collider(shape=shape, **more)
    return Item(
        name=name, position=position, motion=Motion(type=MotionType.STATIC), collider=collider
    )


def pose_of(scene: PhysicsScene, poses: Poses, name: str) -> Pose:
    """Return the world pose of a body, NaN where the engine has none; static ones stay."""
    if name in poses:
        return poses[name]
    node = scene.names.index(name)
    if scene.is_dynamic(node):
        return Pose(np.full(3, math.nan), np.full(4, math.nan))
    return pose_from_matrix(scene.matrices[node])


def along(axis: int, name: str = BODY) -> Callable[[PhysicsScene, Poses], float]:
    """Return what measures where a body is along a world axis."""
    return lambda scene, poses: float(pose_of(scene, poses, name).position[axis])


def turned_about(axis: int, name: str = BODY) -> Callable[[PhysicsScene, Poses], float]:
    """Return what measures how far a body has turned from its start about its own axis."""

    def value(scene: PhysicsScene, poses: Poses) -> float:
        start = pose_from_matrix(scene.matrices[scene.names.index(name)])
        moved = relative_pose(start, pose_of(scene, poses, name))
        return float(angular_metric((axis,), moved.rotation))

    return value


def metric_of(axes: tuple[int, ...], *, is_angular: bool) -> Callable[[PhysicsScene, Poses], float]:
    """Return what measures the first joint as a limit on the axes would."""

    def value(scene: PhysicsScene, poses: Poses) -> float:
        pose = pose_at(scene, poses, scene.joints[0])
        if is_angular:
            return float(angular_metric(axes, pose.rotation))
        return float(linear_metric(axes, pose.position))

    return value


def pose_at(scene: PhysicsScene, poses: Poses, joint: Joint) -> Pose:
    """Return the connected frame of a joint in the joint's frame, as bodies carry them."""
    frames, owner = pose_from_matrix(scene.matrices), scene.bodies()

    def moved(node: int) -> Pose:
        if owner[node] < 0:
            return frames.at(node)
        body = int(owner[node])
        now = pose_of(scene, poses, scene.names[body])
        return compose(now, relative_pose(frames.at(body), frames.at(node)))

    return relative_pose(moved(joint.node), moved(joint.other))


@dataclass(frozen=True, kw_only=True)
class OnJoint:
    """A body on one joint below a static base, whose frames start in one place."""

    limits: tuple[JointLimit, ...] = ()
    drives: tuple[JointDrive, ...] = ()
    gravity: Sequence[float] = STILL
    arm: Sequence[float] = (ARM, 0.0, 0.0)
    motion: Motion = field(default_factory=lambda: Motion(mass=MASS))
    attributes: JointAttributes = DEFAULT_ATTRIBUTES
    more: Mapping[str, object] = field(default_factory=dict)

    def scene(self) -> PhysicsScene:
        """Return base, body, the joint's node and the connected one."""
        settings = JointSettings(limits=self.limits, drives=self.drives)
        joint = Joint(
            node=2, connected=3, settings=settings, attributes=self.attributes, place="Joint"
        )
        ball = Collider(shape=Sphere(radius=RADIUS))
        return scene_of(
            static("Base", Sphere(radius=0.012)),
            Item(name=BODY, position=self.arm, motion=self.motion, collider=ball),
            Item(name="Joint", parent=0),
            Item(name="Connected", parent=1),
            joints=(joint,),
            gravity=self.gravity,
            **self.more,
        )


def linear(*axes: int, **values: float) -> JointLimit:
    """Return a limit of linear axes."""
    return JointLimit(linear_axes=axes, **values)


def angular(*axes: int, **values: float) -> JointLimit:
    """Return a limit of angular axes."""
    return JointLimit(angular_axes=axes, **values)


PINNED = linear(0, 1, 2, **LOCK)
STIFF = angular(0, 1, 2, **LOCK)
HINGE = (PINNED, angular(0, 2, **LOCK))
"""Turns about Y, which weight on an arm along X does forward."""
SLIDER = (linear(0, 1, **LOCK), STIFF)
"""Slides along Z."""


def tilted(degrees: float) -> tuple[float, float, float]:
    """Return gravity that pulls along X as on a slope of an angle."""
    angle = math.radians(degrees)
    return (G * math.sin(angle), 0.0, -G * math.cos(angle))


def turn_of(axis: Sequence[float], degrees: float) -> tuple[float, ...]:
    """Return a quaternion."""
    return tuple(turn(axis, math.radians(degrees)).tolist())

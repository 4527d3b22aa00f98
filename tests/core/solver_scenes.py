"""Scenes for the tests of the solver, and finely integrated equations."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    quaternion_product,
    rotate,
)
from omi_joints_addon.core.model.scene import Joint, PhysicsScene

G = 9.81
LINEAR = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
LOCK_YZ = JointLimit(angular_axes=(1, 2), min=0.0, max=0.0)


def turn(axis: Sequence[float], angle: float) -> Array:
    """Return the quaternion of a turn [rad] about an axis."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.append(unit * math.sin(angle / 2.0), math.cos(angle / 2.0))


def matrix(position: Sequence[float], rotation: Sequence[float] = (0, 0, 0, 1)) -> Array:
    """Return a world matrix."""
    return matrix_from_pose(Pose(np.asarray(position, float), np.asarray(rotation, float)))


class SceneBuilder:
    """Collects nodes, bodies and joints."""

    def __init__(self, gravity: Sequence[float] = (0.0, 0.0, -G)) -> None:
        self.nodes: list[tuple[str, int, Array]] = []
        self.motions: dict[int, Motion] = {}
        self.joints: list[Joint] = []
        self.gravity = gravity

    def node(self, position, rotation=(0, 0, 0, 1), *, parent=-1) -> int:
        self.nodes.append((f"node{len(self.nodes)}", parent, matrix(position, rotation)))
        return len(self.nodes) - 1

    def body(self, position, rotation=(0, 0, 0, 1), *, inertia=0.01, **motion) -> int:
        node = self.node(position, rotation)
        diagonal = (inertia,) * 3 if np.isscalar(inertia) else tuple(inertia)
        self.motions[node] = Motion(inertia_diagonal=diagonal, **motion)
        return node

    def joint(
        self, settings, first, second, position, rotation=(0, 0, 0, 1), *, turned=None
    ) -> int:
        """Joint body `first` (-1: the world) to `second` with both frames at one place."""
        a = self.node(position, rotation, parent=first)
        b = self.node(position, rotation if turned is None else turned, parent=second)
        return self.join(settings, a, b)

    def join(self, settings, node, connected) -> int:
        """Add a joint between two frames."""
        self.joints.append(Joint(node=node, connected=connected, settings=settings))
        return len(self.joints) - 1

    def scene(self) -> PhysicsScene:
        names, parents, matrices = zip(*self.nodes, strict=True)
        return PhysicsScene(
            names=names,
            parents=np.array(parents, dtype=np.intp),
            matrices=np.array(matrices),
            motions=self.motions,
            joints=tuple(self.joints),
            gravity=tuple(self.gravity),
        )


def pendulum(
    settings: JointSettings, *, angle=0.0, axis=(1, 0, 0), length=1.0, frame=(0, 0, 0, 1), **body
) -> PhysicsScene:
    """Return a body that hangs `length` below the world's origin, turned by `angle` about `axis`.

    The joint's frame has the orientation `frame`; the connected one turns with the body.
    """
    build = SceneBuilder()
    rotation = turn(axis, angle)
    node = build.body(rotate(rotation, (0.0, 0.0, -length)), rotation, **body)
    build.joint(settings, -1, node, (0, 0, 0), frame, turned=quaternion_product(rotation, frame))
    return build.scene()


def slider_body(settings: JointSettings, *, gravity=(0.0, 0.0, 0.0), **body) -> PhysicsScene:
    """Return one body jointed to the world at the origin."""
    build = SceneBuilder(gravity)
    node = build.body((0, 0, 0), **body)
    build.joint(settings, -1, node, (0, 0, 0))
    return build.scene()


def chain(settings: JointSettings, count: int, *, end_mass=0.1, link=0.1, mass=0.1) -> PhysicsScene:
    """Return `count` links that hang from the world, the last one heavier."""
    build = SceneBuilder()
    before = -1
    for number in range(count):
        weight = end_mass if number == count - 1 else mass
        node = build.body((0, 0, -link * (number + 0.5)), mass=weight, inertia=weight * link**2 / 6)
        build.joint(settings, before, node, (0, 0, -link * number))
        before = node
    return build.scene()


def twist(pose: Pose, joint=0, axis=0) -> float:
    """Return the twist of one joint about an axis [rad]."""
    q = pose.rotation[joint]
    angle = 2.0 * math.atan2(q[axis], q[3])
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


def integrate(
    acceleration: Callable[[float, float], float], x: float, v: float, duration: float, step=1e-4
) -> Array:
    """Return x at every step of x'' = acceleration(x, x') by the classic Runge-Kutta method."""
    xs = [x]
    for _ in range(round(duration / step)):
        k1v, k1x = acceleration(x, v), v
        k2v, k2x = acceleration(x + step / 2 * k1x, v + step / 2 * k1v), v + step / 2 * k1v
        k3v, k3x = acceleration(x + step / 2 * k2x, v + step / 2 * k2v), v + step / 2 * k2v
        k4v, k4x = acceleration(x + step * k3x, v + step * k3v), v + step * k3v
        x += step / 6 * (k1x + 2 * k2x + 2 * k3x + k4x)
        v += step / 6 * (k1v + 2 * k2v + 2 * k3v + k4v)
        xs.append(x)
    return np.array(xs)


class Together:
    """Scenes simulated as islands of one: a step of many costs little more than a step of one.

    Each is turned so that its gravity points down, which no relative pose and no energy sees.
    """

    def __init__(self, scenes: Mapping[str, PhysicsScene]) -> None:
        self._turns = {name: _down(scene.gravity) for name, scene in scenes.items()}
        self._nodes: dict[str, slice] = {}
        self.joints: dict[str, slice] = {}
        names, parents, matrices, joints = list[str](), list[int](), list[Array](), list[Joint]()
        motions: dict[int, Motion] = {}
        for name, scene in scenes.items():
            first, factor = len(names), float(np.linalg.norm(scene.gravity)) / G
            self._nodes[name] = slice(first, first + len(scene.names))
            self.joints[name] = slice(len(joints), len(joints) + len(scene.joints))
            names += [f"{name} {own}" for own in scene.names]
            parents += [int(parent) + first if parent >= 0 else -1 for parent in scene.parents]
            matrices += list(self._turns[name] @ scene.matrices)
            for node, motion in scene.motions.items():
                heavy = replace(motion, gravity_factor=motion.gravity_factor * factor)
                motions[node + first] = heavy
            for joint in scene.joints:
                own, other = joint.node + first, joint.other + first
                joints.append(replace(joint, node=own, connected=other))
        couplings = [
            replace(each, joint=each.joint + start, source=each.source + start)
            for name, scene in scenes.items()
            for start in (self.joints[name].start,)
            for each in scene.couplings
        ]
        self.scene = PhysicsScene(
            names=tuple(names),
            parents=np.array(parents, dtype=np.intp),
            matrices=np.array(matrices),
            motions=motions,
            joints=tuple(joints),
            couplings=tuple(couplings),
            gravity=(0.0, 0.0, -G),
        )

    def bodies(self, name: str, nodes: Sequence[int]) -> list[int]:
        """Return the nodes of one scene as they are numbered in all."""
        return [node + self._nodes[name].start for node in nodes]

    def matrices(self, name: str, matrices: Array) -> Array:
        """Return the world matrices of one scene, turned back, from those of all."""
        return np.asarray(self._turns[name].T @ matrices[self._nodes[name]])


def _down(gravity: Sequence[float]) -> Array:
    """Return the matrix (4, 4) of a turn that brings gravity to -Z."""
    size, result = float(np.linalg.norm(gravity)), np.eye(4)
    if size:
        third = -np.asarray(gravity, float) / size
        first = np.cross(third, np.eye(3)[int(np.argmin(np.abs(third)))])
        first /= np.linalg.norm(first)
        result[:3, :3] = first, np.cross(third, first), third
    return result

"""Small scenes of plain data that tests of checks start from."""

from dataclasses import replace
from typing import Any

import numpy as np

from omi_joints_addon.core.model.body import Motion, MotionType
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene

WALL, DOOR, JOINT, FRAME = range(4)
HINGE = JointSettings(
    limits=(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(2,), min=-1.0, max=1.0),
    )
)


def door(settings: JointSettings = HINGE, **changes: Any) -> PhysicsScene:
    """Return a static wall and a dynamic door with a joint, connected to a frame of the wall."""
    scene = PhysicsScene(
        names=("Wall", "Door", "Joint", "Frame"),
        parents=np.array([-1, -1, DOOR, WALL]),
        matrices=np.tile(np.eye(4), (4, 1, 1)),
        motions={WALL: motion("static"), DOOR: motion("dynamic")},
        joints=(Joint(node=JOINT, connected=FRAME, settings=settings, place="Joint"),),
    )
    return replace(scene, **changes)


def motion(type_: str, **values: Any) -> Motion:
    return Motion(type=MotionType(type_), **values)


def limited(**values: Any) -> PhysicsScene:
    """Return the door with one limit."""
    return door(JointSettings(limits=(JointLimit(**values),)))


def placed(node: int, matrix: Any) -> PhysicsScene:
    """Return the door with another world matrix of one node."""
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[node] = matrix
    return door(matrices=matrices)


def moved(x: float, y: float = 0.0, z: float = 0.0) -> Any:
    """Return the matrix of a translation."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def two_joints(connected: int) -> PhysicsScene:
    """Return the door with a second joint on it; node 5 is a frame of the wall elsewhere."""
    matrices = np.tile(np.eye(4), (6, 1, 1))
    matrices[5] = moved(1.0)
    if connected == 5:
        matrices[4] = moved(1.0)
    second = Joint(node=4, connected=connected, settings=HINGE, place="Second")
    return door(
        names=("Wall", "Door", "Joint", "Frame", "Second", "Away"),
        parents=np.array([-1, -1, DOOR, WALL, DOOR, WALL]),
        matrices=matrices,
        joints=(*door().joints, second),
    )


def chain(first: str) -> PhysicsScene:
    """Return three bodies jointed in a row; the first has the motion type `first`."""
    joints = tuple(
        Joint(node=3 + n, connected=5 + n, settings=HINGE, place=f"Joint {n}") for n in range(2)
    )
    return PhysicsScene(
        names=("A", "B", "C", "Joint 0", "Joint 1", "Frame 0", "Frame 1"),
        parents=np.array([-1, -1, -1, 1, 2, 0, 1]),
        matrices=np.tile(np.eye(4), (7, 1, 1)),
        motions={0: motion(first), 1: motion("dynamic"), 2: motion("dynamic")},
        joints=joints,
    )

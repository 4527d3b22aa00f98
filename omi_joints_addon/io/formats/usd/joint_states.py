"""Where joints of articulations start: PhysicsJointStateAPI, in the joint's own degrees or lengths.

PhysX starts an articulation with each joint at its state, wherever the stage places the bodies.
"""

from collections.abc import Mapping

import numpy as np

from ....core.checks.frames import joint_poses
from ....core.meaning.axes import joint_axes
from ....core.meaning.metric import angular_metric, linear_metric
from ....core.model.graph import articulated_joints
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from .couplings import JointPosition
from .joint_aliases import INSTANCES
from .prim import Prim
from .units import Units
from .values import Values

SCHEMA = "PhysicsJointStateAPI"
_WRITTEN = "state"
"""Carried with what was written, so that it does not become data of another program."""
_NEAR = 1e-9
"""Positions that are zero [m] and [rad]."""


def set_joint_states(
    scene: PhysicsScene,
    prims: Mapping[str, Prim],
    positions: Mapping[int, JointPosition],
    units: Units,
) -> None:
    """Write the positions of joints with one axis; `positions` are those of the joints written."""
    joints = [number for number in articulated_joints(scene) if number in positions]
    poses = joint_poses(scene, np.array(joints, dtype=np.intp))
    for at, number in enumerate(joints):
        path, sign, zero, _ = positions[number]
        prim, moving = prims[path], joint_axes(scene.joints[number].settings).moving
        instance = INSTANCES.get(prim.type_name, "")
        name = f"state:{instance}:physics:position"
        if not instance or len(moving) != 1 or name in prim.attributes:
            continue
        position = _position(moving[0], poses.position[at], poses.rotation[at])
        position = sign * position + zero
        if abs(position) > _NEAR:
            prim.apply(f"{SCHEMA}:{instance}")
            Values(prim, units).put("state:{}:physics:position", position, instance)
            prim.carry(_WRITTEN, str(prim.get(name)))


def is_own_state(prim: Prim, name: str) -> bool:
    """Return whether an attribute is the state that this program wrote, which the poses have."""
    return name in prim.attributes and prim.data.get(_WRITTEN) == str(prim.get(name))


def _position(axis: int, position: Array, rotation: Array) -> float:
    if axis < 3:
        return float(linear_metric((axis,), position))
    return float(angular_metric((axis - 3,), rotation))

"""What moves with a joint at rest: the diagonal of MuJoCo's joint-space inertia (`dof_M0`)."""

from collections.abc import Callable, Mapping

import numpy as np

from ....core.model.body import Motion
from ....core.model.pose import rotation_matrix
from .joints import JointReader
from .skeleton import Body, Element, Skeleton


def reflected_inertias(
    skeleton: Skeleton, motions: Mapping[Body, Motion], joints: JointReader
) -> Callable[[str], float]:
    """Return what gives the mass [kg] or moment of inertia [kg·m²] of a hinge or slide by name.

    It is of the body and all that hang on it, with the joint's own armature.
    """
    held = {joint.name: (body, joint) for body in skeleton.bodies for joint in body.joints}

    def inertia(name: str) -> float:
        body, joint = held[name]
        below = _below(skeleton, body)
        total = sum(_inertia(each, motions[each], body, joint, joints) for each in below)
        return total + joints.armature(joint)

    return inertia


def _below(skeleton: Skeleton, top: Body) -> list[Body]:
    """Return a body with all that hang on it; parents come before their children."""
    found = {top}
    for body in skeleton.bodies:
        if body.parent in found:
            found.add(body)
    return [body for body in skeleton.bodies if body in found]


def _inertia(
    body: Body, motion: Motion, holder: Body, joint: Element, joints: JointReader
) -> float:
    """Return what one body adds to the inertia of a joint of `holder`."""
    if joint.attributes.get("type") == "slide":
        return motion.mass
    turn = holder.world[:3, :3]
    axis = turn @ joints.axis(joint)
    anchor = turn @ joints.anchor(joint) + holder.world[:3, 3]
    axes = body.world[:3, :3] @ rotation_matrix(np.array(motion.inertia_orientation))
    own = float(np.array(motion.inertia_diagonal) @ (axes.T @ axis) ** 2)
    center = body.world[:3, :3] @ np.array(motion.center_of_mass) + body.world[:3, 3]
    arm = np.cross(axis, center - anchor)
    return own + motion.mass * float(arm @ arm)

"""Mass and inertia of a link as a motion."""

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType, Quaternion, Vector
from ....core.model.pose import Array, quaternion_product, rotation_from_matrix
from ....core.shapes.inertia import principal_axes
from .document import Inertial, Link
from .rules import BAD_INERTIA, NO_MASS


def motion_of_link(link: Link, motion_type: str, findings: list[Finding]) -> Motion:
    """Return the motion of the body that a link is."""
    inertial = link.inertial
    if inertial is None or not inertial.mass > 0.0:
        if motion_type != MotionType.DYNAMIC:
            return Motion(type=motion_type)
        findings.append(NO_MASS(link.name))
        return Motion(type=motion_type, mass=0.0)
    diagonal, orientation = _principal(link.name, inertial, findings)
    x, y, z = inertial.origin.xyz
    return Motion(
        type=motion_type,
        mass=inertial.mass,
        center_of_mass=(x, y, z),
        inertia_diagonal=diagonal,
        inertia_orientation=_turned(inertial.origin.matrix(), orientation),
    )


def _principal(place: str, inertial: Inertial, findings: list[Finding]) -> tuple[Vector, Array]:
    tensor = inertial.tensor()
    if tensor is None:
        return (0.0, 0.0, 0.0), np.array((0.0, 0.0, 0.0, 1.0))
    moments, orientation = principal_axes(tensor)
    low, middle, high = sorted(moments.tolist())
    if low <= 0.0:
        findings.append(BAD_INERTIA(place, problem="a principal moment is not positive"))
    elif low + middle < high * (1.0 - 1e-9):
        problem = "the sum of two principal moments is less than the third"
        findings.append(BAD_INERTIA(place, problem=problem))
    x, y, z = moments.tolist()
    return (x, y, z), orientation


def _turned(matrix: Array, orientation: Array) -> Quaternion:
    rotation = rotation_from_matrix(matrix[:3, :3])
    x, y, z, w = quaternion_product(rotation, orientation).tolist()
    return (x, y, z, w)

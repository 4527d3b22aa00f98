"""Mass and inertia of a link as a motion."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType, Vector
from ....core.model.pose import Array, quaternion_product, rotation_from_matrix
from ....core.shapes.inertia import principal_axes
from .document import Inertial, Link
from .rules import BAD_INERTIA, NO_MASS


def motions_of_links(
    links: Sequence[tuple[Link, str]], findings: list[Finding]
) -> dict[str, Motion]:
    """Return the motions of the bodies that links are, with their types, by name of the link."""
    found: dict[str, Motion] = {}
    heavy: list[tuple[str, Inertial]] = []
    turns: list[Array] = []
    for link, motion_type in links:
        inertial = link.inertial
        found[link.name] = Motion(type=motion_type)
        if inertial is not None and inertial.mass > 0.0:
            diagonal, orientation = _principal(link.name, inertial, findings)
            found[link.name] = Motion(
                type=motion_type,
                mass=inertial.mass,
                center_of_mass=inertial.origin.xyz,
                inertia_diagonal=diagonal,
            )
            heavy.append((link.name, inertial))
            turns.append(orientation)
        elif motion_type == MotionType.DYNAMIC:
            findings.append(NO_MASS(link.name))
            found[link.name] = Motion(type=motion_type, mass=0.0)
    matrices = np.array([inertial.origin.matrix() for _, inertial in heavy]).reshape(-1, 4, 4)
    rotations = rotation_from_matrix(matrices[:, :3, :3])
    turned = quaternion_product(rotations, np.array(turns).reshape(-1, 4)).tolist()
    for (name, _), (x, y, z, w) in zip(heavy, turned, strict=True):
        found[name] = replace(found[name], inertia_orientation=(x, y, z, w))
    return found


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

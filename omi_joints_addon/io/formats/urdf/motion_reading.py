"""Mass and inertia of a link as a motion."""

from collections.abc import Iterator, Sequence

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType, Quaternion, Vector
from ....core.model.pose import quaternion_product, rotation_from_matrix
from ....core.shapes.inertia import principal_axes
from ..origins import matrices_of_origins
from .document import Inertial, Link
from .rules import BAD_INERTIA, NO_MASS


def motions_of_links(
    links: Sequence[tuple[Link, str]], findings: list[Finding]
) -> dict[str, Motion]:
    """Return the motions of the bodies that links are, with their types, by name of the link."""
    heavy = {
        link.name: link.inertial for link, _ in links if link.inertial and link.inertial.mass > 0.0
    }
    axes = dict(zip(heavy, _principal_axes(list(heavy.values())), strict=True))
    found: dict[str, Motion] = {}
    for link, motion_type in links:
        found[link.name] = Motion(type=motion_type)
        if link.name in heavy:
            inertial, (moments, orientation) = heavy[link.name], axes[link.name]
            if inertial.inertia is not None:
                findings += _findings(link.name, moments)
            found[link.name] = Motion(
                type=motion_type,
                mass=inertial.mass,
                center_of_mass=inertial.origin.xyz,
                inertia_diagonal=moments,
                inertia_orientation=orientation,
            )
        elif motion_type == MotionType.DYNAMIC:
            findings.append(NO_MASS(link.name))
            found[link.name] = Motion(type=motion_type, mass=0.0)
    return found


def _principal_axes(inertials: Sequence[Inertial]) -> list[tuple[Vector, Quaternion]]:
    """Return principal moments and their axes x y z w in the link; moments not given are 0."""
    tensors = np.array([inertial.tensor() for inertial in inertials]).reshape(-1, 3, 3)
    moments, turns = principal_axes(tensors)
    matrices = matrices_of_origins([inertial.origin for inertial in inertials])
    turned = quaternion_product(rotation_from_matrix(matrices[:, :3, :3]), turns)
    pairs = zip(moments.tolist(), turned.tolist(), strict=True)
    return [((one, two, three), (x, y, z, w)) for (one, two, three), (x, y, z, w) in pairs]


def _findings(place: str, moments: Vector) -> Iterator[Finding]:
    """Yield what is wrong with the principal moments of a link."""
    low, middle, high = sorted(moments)
    if low <= 0.0:
        yield BAD_INERTIA(place, problem="a principal moment is not positive")
    elif low + middle < high * (1.0 - 1e-9):
        yield BAD_INERTIA(place, problem="the largest moment exceeds the sum of the other two")

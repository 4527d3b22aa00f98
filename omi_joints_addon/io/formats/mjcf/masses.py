"""Mass and inertia of MJCF bodies: as they are given, else from their geoms as MuJoCo does."""

from dataclasses import replace

import numpy as np

from ....core.model.body import Motion, MotionType
from ....core.model.pose import Array
from ....core.shapes.inertia import Solid, combined, principal_axes
from .attributes import Values
from .geoms import Geoms
from .skeleton import Body

BETWEEN = 0.01
"""Part of a body's mass that a body between two of its joints has; inertia by it is 0.01 m²."""


def motion_of(body: Body, geoms: Geoms, values: Values) -> Motion:
    """Return the motion of a moving body."""
    choice = values.compiler.inertia_from_geom
    given = body.inertial
    factor = 1.0 - values.number(body.name, body.attributes, "gravcomp", 0.0)
    motion = Motion()
    if given is not None and choice != "true":
        motion = _given(body, given, values)
    elif choice != "false":
        motion = _from_geoms(body, geoms)
    return replace(_bounded(motion, values), gravity_factor=factor)


def _bounded(motion: Motion, values: Values) -> Motion:
    """Return a motion with at least the mass and moments that the compiler sets."""
    compiler = values.compiler
    x, y, z = (max(each, compiler.least_inertia) for each in motion.inertia_diagonal)
    least, middle, most = sorted((x, y, z))
    if compiler.balances_inertia and least + middle < most:
        x = y = z = (x + y + z) / 3.0
    mass = max(motion.mass, compiler.least_mass)
    return replace(motion, mass=mass, inertia_diagonal=(x, y, z))


def _given(body: Body, given: dict[str, str], values: Values) -> Motion:
    pose = np.eye(4) if body.center is None else body.center
    diagonal = values.numbers(body.name, given, "diaginertia", (0.0, 0.0, 0.0))
    tensor = np.diag(diagonal)
    if "fullinertia" in given:
        xx, yy, zz, xy, xz, yz = values.numbers(body.name, given, "fullinertia", (0.0,) * 6)
        tensor = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    mass = values.number(body.name, given, "mass", 0.0)
    return _motion(mass, pose[:3, 3], pose[:3, :3] @ tensor @ pose[:3, :3].T)


def _from_geoms(body: Body, geoms: Geoms) -> Motion:
    weighed = [found for geom in body.geoms if (found := geoms.solid(geom)) is not None]
    if not weighed:
        return Motion(mass=0.0)
    # Solids of another density are as if they had another volume of the same inertia by mass.
    scaled = [_of_mass(solid, mass) for solid, mass in weighed]
    whole = combined(scaled)
    assert whole is not None
    return _motion(whole.volume, whole.center, whole.inertia)


def _of_mass(solid: Solid, mass: float) -> Solid:
    factor = mass / solid.volume
    return Solid(mass, solid.center, solid.inertia * factor)


def _motion(mass: float, center: Array, tensor: Array) -> Motion:
    moments, turn = principal_axes(tensor) if tensor.any() else (np.zeros(3), np.eye(4)[3])
    x, y, z = center.tolist()
    one, two, three = moments.tolist()
    a, b, c, w = turn.tolist()
    return Motion(
        type=MotionType.DYNAMIC,
        mass=mass,
        center_of_mass=(x, y, z),
        inertia_diagonal=(one, two, three),
        inertia_orientation=(a, b, c, w),
    )

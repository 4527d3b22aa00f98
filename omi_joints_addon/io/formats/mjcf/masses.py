"""Mass and inertia of MJCF bodies: as they are given, else from their geoms as MuJoCo does."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ....core.model.body import Motion, MotionType
from ....core.model.pose import Array, quaternion_product, rotation_from_matrix
from ....core.shapes.inertia import Solid, combined, principal_axes
from .attributes import Values
from .geoms import Geoms
from .skeleton import Body, Element

BETWEEN = 0.01
"""Part of a body's mass that a body between two of its joints has; inertia by it is 0.01 m²."""


class _Weight(NamedTuple):
    """Mass [kg], center of mass [m] and inertia tensor [kg·m²] in axes turned from the body's."""

    mass: float
    center: Array
    tensor: Array
    turn: Array = np.eye(3)


_NOTHING = _Weight(0.0, np.zeros(3), np.zeros((3, 3)))


def motions_of(bodies: Sequence[Body], geoms: Geoms, values: Values) -> list[Motion]:
    """Return the motions of moving bodies."""
    given = _given(bodies, values)
    choice = values.compiler.inertia_from_geom
    known = {} if choice == "true" else given
    rest = [body for body in bodies if body not in known and choice != "false"]
    solids = geoms.weighed([geom for body in rest for geom in body.geoms])
    known = known | {body: _from_geoms(body, solids) for body in rest}
    weights = [known.get(body, _NOTHING) for body in bodies]
    return [
        _motion(body, weight, moments, turn, values)
        for body, weight, moments, turn in zip(bodies, weights, *_axes(weights), strict=True)
    ]


def _axes(weights: Sequence[_Weight]) -> tuple[list[list[float]], list[list[float]]]:
    """Return principal moments [kg·m²] and the rotations x y z w of their axes."""
    tensors = np.array([weight.tensor for weight in weights]).reshape(-1, 3, 3)
    turned = np.array([weight.turn for weight in weights]).reshape(-1, 3, 3)
    moments, turns = principal_axes(tensors)
    back = rotation_from_matrix(turned)
    return moments.tolist(), quaternion_product(back, turns).tolist()


def _motion(
    body: Body, weight: _Weight, moments: list[float], turn: list[float], values: Values
) -> Motion:
    """Return a motion with at least the mass and moments that the compiler sets."""
    compiler = values.compiler
    x, y, z = (max(each, compiler.least_inertia) for each in moments)
    least, middle, most = sorted((x, y, z))
    if compiler.balances_inertia and least + middle < most:
        x = y = z = (x + y + z) / 3.0
    one, two, three = weight.center.tolist()
    a, b, c, w = turn
    return Motion(
        type=MotionType.DYNAMIC,
        mass=max(weight.mass, compiler.least_mass),
        center_of_mass=(one, two, three),
        inertia_diagonal=(x, y, z),
        inertia_orientation=(a, b, c, w),
        gravity_factor=1.0 - values.number(body.name, body.attributes, "gravcomp"),
    )


def _given(bodies: Sequence[Body], values: Values) -> dict[Body, _Weight]:
    found = [body for body in bodies if body.inertial is not None]
    if not found:
        return {}
    poses = np.array([np.eye(4) if body.center is None else body.center for body in found])
    tensors = np.array([_tensor(body, values) for body in found])
    masses = [values.number(b.name, b.inertial or {}, "mass", 0.0) for b in found]
    return {
        body: _Weight(mass, pose[:3, 3], tensor, pose[:3, :3])
        for body, mass, pose, tensor in zip(found, masses, poses, tensors, strict=True)
    }


def _tensor(body: Body, values: Values) -> tuple[tuple[float, ...], ...]:
    given = body.inertial or {}
    xx, yy, zz = values.floats(body.name, given, "diaginertia")
    xy = xz = yz = 0.0
    if "fullinertia" in given:
        full = values.floats(body.name, given, "fullinertia")
        xx, yy, zz, xy, xz, yz = full
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def _from_geoms(body: Body, solids: Mapping[Element, Solid]) -> _Weight:
    whole = combined([solids[geom] for geom in body.geoms if geom in solids])
    return _NOTHING if whole is None else _Weight(whole.volume, whole.center, whole.inertia)

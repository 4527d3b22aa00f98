"""Values of older forms in the next one: sizes, words, inertia. Anything else comes back as it is.

SI units, glTF axes (Y up).
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .....core.model.body import MotionType
from .....core.model.numbers import double
from .....core.model.pose import rotation_from_matrix
from .....core.model.shape import ShapeType

DYNAMIC_TYPES = {
    "rigid": MotionType.DYNAMIC.value,
    "vehicle": MotionType.DYNAMIC.value,
    "character": MotionType.KINEMATIC.value,
}
"""Types of bodies by their names before August 2023."""
SHAPE_TYPES = {"hull": ShapeType.CONVEX.value, "mesh": ShapeType.TRIMESH.value}
"""Types of shapes by their names before June 2023."""
_CAPSULE_HEIGHT = 2.0
"""Total height of a capsule that gives none, up to September 2024 [m]."""


def word_of(words: Mapping[str, str]) -> Callable[[Any], Any]:
    """Return what turns an older word into that of today."""
    return lambda value: words.get(value, value) if isinstance(value, str) else value


def lower(value: Any) -> Any:
    """Return a word in lower case."""
    return value.lower() if isinstance(value, str) else value


def as_list(value: Any) -> Any:
    """Return one text as a list."""
    return [value] if isinstance(value, str) else value


def doubled(value: Any) -> Any:
    """Return half sizes as sizes."""
    numbers = [double(number) for number in value] if isinstance(value, list) else [None]
    sizes = [2.0 * number for number in numbers if number is not None]
    return sizes if len(sizes) == len(numbers) else value


def with_radii(value: Any) -> Any:
    """Return an upright shape with its one radius at both ends."""
    if not isinstance(value, dict) or not has_one_radius(value):
        return value
    return value | {"radiusBottom": value["radius"], "radiusTop": value["radius"]}


def with_total_height(value: Any) -> Any:
    """Return a capsule with the height between the centers of its ends.

    One with a single radius gives its whole height.
    """
    if not isinstance(value, dict) or not has_one_radius(value):
        return value
    radius, height = double(value["radius"]), double(value.get("height", _CAPSULE_HEIGHT))
    if radius is None or height is None:
        return value
    # One that is no taller than wide is a sphere, which has no middle.
    middle = max(height - 2.0 * radius, SMALLEST_MIDDLE * radius)
    return with_radii(value) | {"height": middle}


SMALLEST_MIDDLE = 1e-6
"""Height of the middle of a capsule that is a sphere, in radii: sizes are above zero."""


def has_one_radius(value: Mapping[str, Any]) -> bool:
    """Return whether an upright shape gives one radius for both ends."""
    return "radius" in value and value.keys().isdisjoint(("radiusBottom", "radiusTop"))


def principal_inertia(value: Any) -> dict[str, Any]:
    """Return the principal moments of a symmetric tensor [kg·m²] and the rotation to its axes.

    Nothing for one that is zero, which engines work out, and for what is not a tensor.
    """
    numbers = [double(number) for number in value] if isinstance(value, list) else []
    if len(numbers) != 9 or None in numbers or not any(numbers):
        return {}
    tensor = np.array(numbers, dtype=float).reshape(3, 3)
    tensor = (tensor + tensor.T) / 2.0
    if np.array_equal(tensor, np.diag(tensor.diagonal())):
        return {"inertiaDiagonal": tensor.diagonal().tolist()}
    moments, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    rotation = rotation_from_matrix(axes)
    return {"inertiaDiagonal": moments.tolist(), "inertiaOrientation": rotation.tolist()}


def array_of(owner: object, name: str) -> list[Any]:
    """Return an array that an object has, an empty one for anything else."""
    value = owner.get(name) if isinstance(owner, dict) else None
    return value if isinstance(value, list) else []

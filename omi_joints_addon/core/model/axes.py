"""Blender's axes (Z up) and glTF's axes (Y up): the same vector, rotation or size in either.

An object's node has the axes of the object turned by -90° about X (glTF's x is Blender's x, y is z
and z is -y). Every function only swaps and negates numbers, so that a double comes back as it was.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from .body import Motion, Quaternion, Vector
from .shape import Box, Shape

AXIS_LETTERS = "XYZ"


def remaining_axis(axes: Iterable[int]) -> int:
    """Return the axis that two others leave of the three."""
    return 3 - sum(axes)


def other_axes(axis: int) -> tuple[int, int]:
    """Return the two axes beside one, ascending."""
    first, second = (other for other in range(3) if other != axis)
    return first, second


def vector_to_gltf(vector: Vector) -> Vector:
    """Return a vector given in Blender's axes in glTF's."""
    x, y, z = vector
    return (x, z, _negative(y))


def vector_from_gltf(vector: Vector) -> Vector:
    """Return a vector given in glTF's axes in Blender's."""
    x, y, z = vector
    return (x, _negative(z), y)


def size_to_gltf(size: Vector) -> Vector:
    """Return numbers without sign along Blender's axes (extents, moments, scales) along glTF's."""
    x, y, z = size
    return (x, z, y)


def quaternion_to_gltf(rotation: Quaternion) -> Quaternion:
    """Return a rotation x y z w given in Blender's axes in glTF's."""
    return (*vector_to_gltf(rotation[:3]), rotation[3])


def quaternion_from_gltf(rotation: Quaternion) -> Quaternion:
    """Return a rotation x y z w given in glTF's axes in Blender's."""
    return (*vector_from_gltf(rotation[:3]), rotation[3])


def motion_to_gltf(motion: Motion) -> Motion:
    """Return a motion given in Blender's axes in glTF's."""
    if _vectors(motion) == _AT_REST:
        return motion
    return _converted(motion, vector_to_gltf, quaternion_to_gltf)


def motion_from_gltf(motion: Motion) -> Motion:
    """Return a motion given in glTF's axes in Blender's."""
    if _vectors(motion) == _AT_REST:
        return motion
    return _converted(motion, vector_from_gltf, quaternion_from_gltf)


def shape_to_gltf(shape: Shape) -> Shape:
    """Return a shape given in Blender's axes, capsule and cylinder along Z, in glTF's, along Y."""
    return replace(shape, size=size_to_gltf(shape.size)) if isinstance(shape, Box) else shape


def shape_from_gltf(shape: Shape) -> Shape:
    """Return a shape given in glTF's axes, capsule and cylinder along Y, in Blender's, along Z."""
    return shape_to_gltf(shape)


def _converted(
    motion: Motion,
    vector: Callable[[Vector], Vector],
    quaternion: Callable[[Quaternion], Quaternion],
) -> Motion:
    return replace(
        motion,
        center_of_mass=vector(motion.center_of_mass),
        inertia_diagonal=size_to_gltf(motion.inertia_diagonal),
        inertia_orientation=quaternion(motion.inertia_orientation),
        linear_velocity=vector(motion.linear_velocity),
        angular_velocity=vector(motion.angular_velocity),
    )


def _vectors(motion: Motion) -> tuple[tuple[float, ...], ...]:
    return (
        motion.center_of_mass,
        motion.inertia_diagonal,
        motion.inertia_orientation,
        motion.linear_velocity,
        motion.angular_velocity,
    )


_AT_REST = _vectors(Motion())
"""Vectors that are the same in any axes."""


def _negative(number: float) -> float:
    """Return -number, never the negative zero."""
    return 0.0 - number

"""Meshes as points and triangles, read only when asked for, and what nodes show."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pose import Array
from .shape import Shape


@dataclass(frozen=True, slots=True, eq=False)
class MeshData:
    """Points and triangles of a mesh in the axes of its node."""

    points: Array
    """[m], shape (n, 3)."""
    triangles: NDArray[np.intp]
    """Indices of points, counterclockwise from outside, shape (t, 3)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mesh:
    """A mesh, or where it is."""

    name: str = ""
    """Name of the mesh in the document."""
    uri: str = ""
    """File that holds it as the document names it, empty where the document itself does."""
    read: Callable[[], MeshData]
    """Return the points and triangles; raises `ValueError` saying why where they cannot be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visual:
    """What a node shows: a mesh or a shape, in the node's axes."""

    mesh: int | None = None
    """Index into the meshes of the scene; None for none."""
    shape: Shape | None = None
    """Primitive that is shown instead; None for none."""
    color: tuple[float, float, float, float] | None = None
    """Linear red, green, blue and alpha, 0 to 1; None is not given."""
    material: str = ""
    """Name of the material that the color is of; empty where it has no name."""
    texture: str = ""
    """File of the material's texture, as the document calls it; empty for none."""
    carried: tuple[tuple[str, str], ...] = ()
    """What a format keeps of it for itself: name of the format and JSON object text."""

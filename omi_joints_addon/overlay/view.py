"""What one view shows: geometry and batches, renewed where joints, options or view differ."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array
from .colors import Emphasis
from .drawing import Batches, upload
from .geometry import (
    PROBLEM,
    JointArrays,
    Stack,
    Style,
    build,
)
from .scene_joints import SceneJoints

CHUNK = 64
"""Joints that share batches, which are written anew where one of them changed."""


@dataclass(slots=True, eq=False)
class _Chunk:
    """Vertices and batches of neighbouring joints."""

    faces: Stack
    lines: Stack
    batches: Batches


@dataclass(slots=True, eq=False)
class ViewGeometry:
    """Vertices and batches of one view."""

    key: Any = None
    """What the batches were made from."""
    chunks: list[_Chunk] = field(default_factory=list)
    style: Style | None = None
    versions: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    """Version of each joint that is drawn, -1 where it is not shown."""
    visibility_key: Any = None
    """What decided which joints are hidden."""
    visible: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    """Whether each joint is not hidden."""
    sizes: Array = field(default_factory=lambda: np.empty(0))
    """[m]"""

    @property
    def batches(self) -> list[Batches]:
        """What to draw."""
        return [chunk.batches for chunk in self.chunks]

    def update(
        self, joints: SceneJoints, shown: NDArray[np.bool_], sizes: Array, style: Style
    ) -> None:
        """Renew the batches; `shown` and `sizes` [m] have shape (n,)."""
        versions = np.where(shown, joints.versions, -1)
        if self.style is not style or len(versions) != len(self.versions):
            self._build(joints.arrays, shown, sizes, style)
        else:
            is_changed = (versions != self.versions) | (shown & (sizes != self.sizes))
            self._renew(joints.arrays, np.flatnonzero(is_changed), shown, sizes, style)
        self.style, self.versions, self.sizes = style, versions, sizes

    def _build(
        self, arrays: JointArrays, shown: NDArray[np.bool_], sizes: Array, style: Style
    ) -> None:
        """Make all vertices and batches."""
        all_faces, all_lines = build(arrays, np.flatnonzero(shown), sizes, style)
        self.chunks = []
        for first in range(0, len(shown), CHUNK):
            faces, lines = (each.between(first, first + CHUNK) for each in (all_faces, all_lines))
            self.chunks.append(_Chunk(faces, lines, upload(faces.vertices, lines.vertices)))

    def _renew(
        self,
        arrays: JointArrays,
        changed: NDArray[np.intp],
        shown: NDArray[np.bool_],
        sizes: Array,
        style: Style,
    ) -> None:
        """Put new vertices in place of those of some joints."""
        if not len(changed):
            return
        faces, lines = build(arrays, changed[shown[changed]], sizes, style)
        for number in set((changed // CHUNK).tolist()):
            chunk = self.chunks[number]
            here = changed[changed // CHUNK == number]
            ends = (number * CHUNK, (number + 1) * CHUNK)
            chunk.faces = chunk.faces.with_new(here, faces.between(*ends))
            chunk.lines = chunk.lines.with_new(here, lines.between(*ends))
            chunk.batches = upload(chunk.faces.vertices, chunk.lines.vertices)


def in_scope(joints: SceneJoints, scope: str, *, show_problems: bool) -> NDArray[np.bool_]:
    """Return which joints an option of scope shows, shape (n,)."""
    least = {"ALL": Emphasis.NONE, "SELECTED": Emphasis.SELECTED, "ACTIVE": Emphasis.ACTIVE}
    shown = joints.arrays.emphasis >= least[scope]
    if show_problems and not shown.all():
        shown |= joints.states >= PROBLEM
    return shown


def pixel_sizes(points: Array, perspective: Array, width: float) -> Array:
    """Return the size of a pixel [m] at world points (n, 3) of a view `width` pixels wide.

    `perspective` (4, 4) takes world to clip space.
    """
    depth = points @ perspective[3, :3] + perspective[3, 3]
    across = np.linalg.norm(perspective[0, :3])
    return np.asarray(2.0 * np.maximum(depth, 1e-6) / (across * width))

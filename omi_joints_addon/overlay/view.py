"""What one view shows: geometry and batches, renewed where joints, options or view differ."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.pose import Array
from .colors import Emphasis
from .drawing import Batches, upload
from .geometry import PROBLEM, JointArrays, Style, Vertices, build
from .scene_joints import SceneJoints


@dataclass(slots=True, eq=False)
class ViewGeometry:
    """Vertices and batches of one view."""

    key: Any = None
    """What the batches were made from."""
    batches: Batches = field(default_factory=lambda: Batches(None, None))
    faces: Vertices = field(default_factory=Vertices)
    lines: Vertices = field(default_factory=Vertices)
    style: Style | None = None
    versions: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    sizes: Array = field(default_factory=lambda: np.empty(0))

    def update(
        self, joints: SceneJoints, shown: NDArray[np.bool_], sizes: Array, style: Style
    ) -> None:
        """Renew the batches; `shown` and `sizes` [m] have shape (n,)."""
        versions = np.where(shown, joints.versions, -1)
        if self.style is not style or len(versions) != len(self.versions):
            chosen = np.flatnonzero(shown)
            self.faces, self.lines = build(joints.arrays, chosen, sizes, style)
        else:
            chosen = np.flatnonzero((versions != self.versions) | (shown & (sizes != self.sizes)))
            if not len(chosen):
                return
            self._renew(joints.arrays, chosen, shown, sizes, style)
        self.style, self.versions, self.sizes = style, versions, sizes
        self.batches = upload(self.faces, self.lines)

    def _renew(
        self,
        arrays: JointArrays,
        chosen: NDArray[np.intp],
        shown: NDArray[np.bool_],
        sizes: Array,
        style: Style,
    ) -> None:
        """Put new vertices in place of those of some joints."""
        faces, lines = build(arrays, chosen[shown[chosen]], sizes, style)
        self.faces.replace(chosen, faces)
        self.lines.replace(chosen, lines)


def in_scope(joints: SceneJoints, scope: str, *, show_problems: bool) -> NDArray[np.bool_]:
    """Return which joints an option of scope shows, shape (n,)."""
    least = {"ALL": Emphasis.NONE, "SELECTED": Emphasis.SELECTED, "ACTIVE": Emphasis.ACTIVE}
    shown = joints.arrays.emphasis >= least[scope]
    return shown | (joints.states >= PROBLEM) if show_problems else shown


def display_sizes(joints: SceneJoints) -> Array:
    """Return the display size of each joint's object, 1 for those that have none; shape (n,)."""
    return np.array(
        [item.obj.empty_display_size if item.obj.type == "EMPTY" else 1.0 for item in joints.items]
    )


def pixel_sizes(points: Array, perspective: Array, width: float) -> Array:
    """Return the size of a pixel [m] at world points (n, 3) of a view `width` pixels wide.

    `perspective` (4, 4) takes world to clip space.
    """
    depth = points @ perspective[3, :3] + perspective[3, 3]
    across = np.linalg.norm(perspective[0, :3])
    return np.asarray(2.0 * np.maximum(depth, 1e-6) / (across * width))

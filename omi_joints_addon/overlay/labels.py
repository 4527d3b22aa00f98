"""Numbers of joints as text on screen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import blf
import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array, pose_from_matrix, rotate
from ..core.outline.labels import labels
from ..core.outline.pieces import State
from .joint_arrays import JointArrays

TEXT_SIZE = 12.0
"""[pixels at interface scale 1]."""
MARK_SIZE = 22.0
"""Size of signs of states [pixels at interface scale 1]."""
CLEAR = 6.0
"""Distance of numbers from handles [pixels at interface scale 1]."""
_FONT = 0
_MARKS = {State.AT_LIMIT: "|", State.VIOLATED: "!", State.ERROR: "!", State.BROKEN: "×"}
"""Signs of states beside their colors."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Page:
    """Region of a view that texts are written in."""

    perspective: Array
    """Takes world to clip space, shape (4, 4)."""
    viewport: tuple[float, float]
    """Width and height [pixels]."""
    scale: float
    """Interface scale."""
    color: Sequence[float]
    state_colors: Mapping[State, Sequence[float]] = field(default_factory=dict)

    def on_screen(self, place: Array) -> tuple[float, float] | None:
        """Return where a world place (3,) [m] is, None where it is behind the view."""
        clip = self.perspective @ np.append(place, 1.0)
        if clip[3] <= 0.0:
            return None
        x, y = (clip[:2] / clip[3] * 0.5 + 0.5) * self.viewport
        return float(x), float(y)

    def draw_mark(self, state: State, place: Array) -> None:
        """Write the sign of a state beside a world place (3,) [m], in its color."""
        seen = self.on_screen(place)
        if seen is None:
            return
        blf.size(_FONT, MARK_SIZE * self.scale)
        blf.color(_FONT, *self.state_colors[state][:3], 1.0)
        blf.position(_FONT, *(each + 0.7 * MARK_SIZE * self.scale for each in seen), 0.0)
        blf.draw(_FONT, _MARKS[state])

    def draw_text(self, text: str, place: Array, *, away_from: Array | None = None) -> None:
        """Write a text around a world place (3,) [m]; nothing where that is behind the view.

        With `away_from` it stands clear of what is at the place, on the side away from that point.
        """
        seen = self.on_screen(place)
        if seen is None:
            return
        x, y = seen
        blf.size(_FONT, TEXT_SIZE * self.scale)
        blf.color(_FONT, *self.color[:3], 1.0)
        width, height = blf.dimensions(_FONT, text)
        middle = None if away_from is None else self.on_screen(away_from)
        if middle is not None and (distance := math.dist(middle, seen)) > 0.0:
            clear = CLEAR * self.scale
            x += (seen[0] - middle[0]) / distance * (width / 2.0 + clear)
            y += (seen[1] - middle[1]) / distance * (height / 2.0 + clear)
        blf.position(_FONT, x - width / 2.0, y - height / 2.0, 0.0)
        blf.draw(_FONT, text)


def draw_labels(
    page: Page,
    joints: JointArrays,
    chosen: NDArray[np.intp],
    sizes: Array,
    *,
    units: bpy.types.UnitSettings,
) -> None:
    """Write the bounds of some joints."""
    signed = sizes[chosen] * joints.take(chosen).handedness()
    for number, size in zip(chosen, signed.tolist(), strict=True):
        frame = pose_from_matrix(joints.frames[number, 0])
        for label in labels(joints.settings[number], is_mirrored=bool(joints.is_mirrored[number])):
            offset = label.anchor + size * label.offset
            place = np.asarray(frame.position + rotate(frame.rotation, offset))
            text = number_text(label.value, units, is_angle=label.is_angle)
            page.draw_text(text, place, away_from=frame.position)


def draw_marks(
    page: Page,
    joints: JointArrays,
    states: NDArray[np.int8],
    shown: NDArray[np.intp],
) -> None:
    """Mark the joints that are at a limit or violated, since not everybody tells the colors.

    `states` are those of the joints `shown`.
    """
    for number, state in zip(shown.tolist(), states.tolist(), strict=True):
        if state != State.NORMAL:
            page.draw_mark(State(state), joints.frames[number, 0, :3, 3])


def number_text(value: float, units: bpy.types.UnitSettings, *, is_angle: bool) -> str:
    """Return an angle [rad] or a distance [m] in the units of the scene."""
    if is_angle:
        if units.system_rotation == "RADIANS":
            return f"{value:.3g}"
        return f"{math.degrees(value):.4g}°"
    system = units.system
    if system == "NONE":
        return f"{value:.4g}"
    return bpy.utils.units.to_string(system, "LENGTH", value * units.scale_length, precision=4)

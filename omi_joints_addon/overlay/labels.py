"""Numbers of joints as text on screen."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import blf
import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array, handedness, pose_from_matrix, rotate
from ..core.outline.labels import labels
from ..core.outline.pieces import State
from .joint_arrays import JointArrays

TEXT_SIZE = 12.0
"""[pixels at interface scale 1]."""
MARK_SIZE = 22.0
"""Size of signs of states [pixels at interface scale 1]."""
CLEAR = 0.5
"""Distance of numbers from handles [their size]."""
_FONT = 0
_MARKS = {State.AT_LIMIT: "|", State.VIOLATED: "!", State.ERROR: "!", State.BROKEN: "×"}
"""Signs of states beside their colors."""


class Text(NamedTuple):
    """What is written at one place of a region."""

    text: str
    size: float
    """[pixels]"""
    color: tuple[float, ...]
    place: tuple[float, float]
    """[pixels]"""
    away: tuple[float, float] | None = None
    """Direction in which its middle is clear of the place; None where it begins there."""

    def draw(self) -> None:
        """Write the text."""
        blf.size(_FONT, self.size)
        blf.color(_FONT, *self.color)
        x, y = self.place
        if self.away is not None:
            width, height = blf.dimensions(_FONT, self.text)
            clear = self.size * CLEAR
            x += self.away[0] * (width / 2.0 + clear) - width / 2.0
            y += self.away[1] * (height / 2.0 + clear) - height / 2.0
        blf.position(_FONT, x, y, 0.0)
        blf.draw(_FONT, self.text)


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

    def mark(self, state: State, place: Array) -> Iterator[Text]:
        """Yield the sign of a state beside a world place (3,) [m], in its color."""
        seen = self.on_screen(place)
        if seen is not None:
            size = MARK_SIZE * self.scale
            x, y = (each + 0.7 * size for each in seen)
            yield Text(_MARKS[state], size, (*self.state_colors[state][:3], 1.0), (x, y))

    def text(self, text: str, place: Array, *, away_from: Array | None = None) -> Iterator[Text]:
        """Yield a text around a world place (3,) [m]; nothing where that is behind the view.

        With `away_from` it stands clear of what is at the place, on the side away from that point.
        """
        seen = self.on_screen(place)
        if seen is None:
            return
        middle, away = None if away_from is None else self.on_screen(away_from), (0.0, 0.0)
        if middle is not None and (distance := math.dist(middle, seen)) > 0.0:
            away = (seen[0] - middle[0]) / distance, (seen[1] - middle[1]) / distance
        yield Text(text, TEXT_SIZE * self.scale, (*self.color[:3], 1.0), seen, away)


def bound_texts(
    page: Page,
    joints: JointArrays,
    chosen: NDArray[np.intp],
    sizes: Array,
    *,
    units: bpy.types.UnitSettings,
) -> Iterator[Text]:
    """Yield the bounds of some joints."""
    signed = sizes[chosen] * handedness(joints.frames[chosen, 0])
    for number, size in zip(chosen, signed.tolist(), strict=True):
        frame = pose_from_matrix(joints.frames[number, 0])
        for label in labels(joints.settings[number], is_mirrored=bool(joints.is_mirrored[number])):
            offset = label.anchor + size * label.offset
            place = np.asarray(frame.position + rotate(frame.rotation, offset))
            text = number_text(label.value, units, is_angle=label.is_angle)
            yield from page.text(text, place, away_from=frame.position)


def marks(
    page: Page,
    joints: JointArrays,
    states: NDArray[np.int8],
    shown: NDArray[np.intp],
) -> Iterator[Text]:
    """Yield signs of joints at a limit or violated, since not everybody tells the colors.

    `states` are those of the joints `shown`.
    """
    for number, state in zip(shown.tolist(), states.tolist(), strict=True):
        if state != State.NORMAL:
            yield from page.mark(State(state), joints.frames[number, 0, :3, 3])


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

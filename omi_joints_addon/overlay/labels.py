"""Numbers of joints as text on screen."""

import math
from typing import Any

import blf
import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array, Pose, pose_from_matrix, rotate
from ..core.outline.labels import Label, labels
from ..core.outline.pieces import State
from .joint_arrays import JointArrays

TEXT_SIZE = 12.0
"""[pixels at interface scale 1]."""
CLEAR = 6.0
"""Distance of numbers from handles [pixels at interface scale 1]."""
_FONT = 0
_MARKS = {State.AT_LIMIT: "|", State.VIOLATED: "!", State.ERROR: "!"}
"""Signs of states beside their colors."""


def draw_labels(
    joints: JointArrays,
    chosen: NDArray[np.intp],
    sizes: Array,
    *,
    perspective: Array,
    viewport: tuple[float, float],
    scale: float,
    units: bpy.types.UnitSettings,
    color: tuple[float, ...],
) -> None:
    """Write the bounds of some joints, in a view with pixel coordinates.

    `perspective` (4, 4) takes world to clip space; `scale` is that of the interface.
    """
    for number in chosen:
        frame = pose_from_matrix(joints.frames[number, 0])
        for label in labels(joints.settings[number], is_mirrored=bool(joints.is_mirrored[number])):
            place = _place(label, frame, float(sizes[number]))
            text = number_text(label.value, units, is_angle=label.is_angle)
            draw_text(
                text,
                place,
                away_from=frame.position,
                perspective=perspective,
                viewport=viewport,
                scale=scale,
                color=color,
            )


def draw_marks(
    joints: JointArrays,
    states: NDArray[np.int8],
    shown: NDArray[np.intp],
    sizes: Array,
    *,
    perspective: Array,
    viewport: tuple[float, float],
    scale: float,
    color: tuple[float, ...],
) -> None:
    """Mark the joints that are at a limit or violated, since not everybody tells the colors.

    `states` are those of the joints `shown`, `sizes` those of all joints.
    """
    for number, state in zip(shown.tolist(), states.tolist(), strict=True):
        if state == State.NORMAL:
            continue
        above = joints.frames[number, 0, :3, 3] + (0.0, 0.0, 1.2 * sizes[number])
        page: dict[str, Any] = {"perspective": perspective, "viewport": viewport, "scale": scale}
        draw_text(_MARKS[State(state)], above, color=color, **page)


def draw_text(
    text: str,
    place: Array,
    *,
    away_from: Array | None = None,
    perspective: Array,
    viewport: tuple[float, float],
    scale: float,
    color: tuple[float, ...],
) -> None:
    """Write a text around a world place (3,) [m]; nothing where that is behind the view.

    With `away_from` it stands clear of what is at the place, on the side away from that point.
    """
    seen = on_screen(place, perspective, viewport)
    if seen is None:
        return
    x, y = seen
    blf.size(_FONT, TEXT_SIZE * scale)
    blf.color(_FONT, *color[:3], 1.0)
    width, height = blf.dimensions(_FONT, text)
    middle = None if away_from is None else on_screen(away_from, perspective, viewport)
    if middle is not None and (distance := math.dist(middle, seen)) > 0.0:
        clear = CLEAR * scale
        x += (seen[0] - middle[0]) / distance * (width / 2.0 + clear)
        y += (seen[1] - middle[1]) / distance * (height / 2.0 + clear)
    blf.position(_FONT, x - width / 2.0, y - height / 2.0, 0.0)
    blf.draw(_FONT, text)


def on_screen(
    place: Array, perspective: Array, viewport: tuple[float, float]
) -> tuple[float, float] | None:
    """Return where a world place (3,) [m] is in the region, None where it is behind the view."""
    clip = perspective @ np.append(place, 1.0)
    if clip[3] <= 0.0:
        return None
    x, y = (clip[:2] / clip[3] * 0.5 + 0.5) * viewport
    return float(x), float(y)


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


def _place(label: Label, frame: Pose, size: float) -> Array:
    """Return where a label is in the world [m], shape (3,)."""
    return np.asarray(frame.position + rotate(frame.rotation, label.anchor + size * label.offset))

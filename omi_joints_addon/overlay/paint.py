"""Colors of the vertices of joints, one byte a channel as on the graphics card."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.outline.pieces import Role, State
from .colors import Colors, shades
from .joint_arrays import JointArrays
from .templates import Fixed

Bytes = NDArray[np.uint8]
_NORMAL = np.array([State.NORMAL], np.int8)


def color_bytes(colors: ArrayLike) -> Bytes:
    """Return colors (..., 4) in [0, 1] as bytes."""
    return np.asarray(np.rint(255.0 * np.clip(colors, 0.0, 1.0)), np.uint8)


class Paint:
    """The colors of some joints, from the states of their shapes."""

    def __init__(
        self,
        joints: JointArrays,
        table: Colors,
        *,
        states: NDArray[np.int8],
        first: NDArray[np.intp],
        gravest: NDArray[np.int8],
    ) -> None:
        """Take the `State` of all shapes and the number of each joint's first one (n,).

        `gravest` (n,) are those of joints, which the gaps between their frames have.
        """
        self._joints = joints
        self._shape = table.shape[:-1]
        self._table = table.reshape(-1, 4)
        self._has_tints = bool(joints.tints[:, 3].any())
        self._shades = shades()
        self._first = first
        self._states = np.concatenate((states, _NORMAL))
        self._gravest = gravest

    def vertices(self, parts: Sequence[Fixed], owners: NDArray[np.intp]) -> Bytes:
        """Return RGBA (v, 4) of the vertices of parts; `owners` are the numbers of their joints."""
        joint = np.repeat(owners, [len(part.runs) for part in parts])
        looks = np.concatenate([np.empty((0, 3), np.intp), *(part.looks for part in parts)])
        runs = np.concatenate([np.empty(0, np.intp), *(part.runs for part in parts)])
        colors = color_bytes(self._colors(joint, *looks.T)).view(np.uint32)
        return np.repeat(colors, runs).view(np.uint8).reshape(-1, 4)

    def _colors(
        self,
        joint: NDArray[np.intp],
        role: NDArray[np.intp],
        axis: NDArray[np.intp],
        shape: NDArray[np.intp],
    ) -> Colors:
        """Return RGBA (m, 4) of what has a joint, a `Role`, an axis and a shape, each (m,)."""
        joints = self._joints
        state = self._states[np.where(shape >= 0, self._first[joint] + shape, -1)]
        state = np.where(role == Role.GAP, self._gravest[joint], state)
        forced = joints.forced[joint]
        state = np.where(forced >= 0, forced, state).astype(np.intp)
        _, roles, axes, emphases = self._shape
        row = ((state * roles + role) * axes + axis % axes) * emphases
        color: Colors = self._table.take(row + joints.emphasis[joint], axis=0)
        if self._has_tints:
            tint, shade = joints.tints[joint], self._shades[role]
            share = np.where((state == State.NORMAL) & (shade > 0.0), tint[:, 3], 0.0)[:, None]
            color[:, :3] += share * (tint[:, :3] * shade[:, None] - color[:, :3])
        return color

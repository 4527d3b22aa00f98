"""Numbers of joints and bodies that change over time, as glTF animates them. SI and radians."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .pose import Array

ENABLE_COLLISION = "enable_collision"
"""Member of a track that turns the collision of a joint's bodies on and off."""
MOTION = "motion"
"""Kind of the tracks of bodies."""
MEMBERS = {
    "limits": ("min", "max", "stiffness", "damping"),
    "drives": ("max_force", "position_target", "velocity_target", "stiffness", "damping"),
}
"""Numbers of `JointLimit` and `JointDrive` that may change over time, by kind."""
LENGTHS = frozenset(("min", "max", "position_target", "velocity_target"))
"""Those in the unit of the axes."""


class Interpolation(StrEnum):
    """How values between two keys follow from them; the names are those of glTF."""

    LINEAR = "LINEAR"
    STEP = "STEP"
    CUBICSPLINE = "CUBICSPLINE"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """A number of joints or a body over time; before its first key and after its last it stays."""

    joints: tuple[int, ...] = ()
    """Numbers of the joints in the scene, which share the settings."""
    body: int | None = None
    """Node of the body, if it is not of joints."""
    kind: str = ""
    """`limits`, `drives`, `MOTION`, or empty for `ENABLE_COLLISION`."""
    number: int = 0
    """Number of the limit or drive in its settings, or of the component of a vector."""
    member: str
    """Name of the number in `JointLimit`, `JointDrive` or `Motion`."""
    seconds: Array
    """Times of the keys [s], ascending, shape (n,)."""
    values: Array
    """Shape (n,); of `CUBICSPLINE` (n, 3): tangent in per second, value, tangent out."""
    interpolation: Interpolation = Interpolation.LINEAR
    animation: str = ""
    """Name of the animation that it is in."""
    place: str = ""
    """Where findings about it point."""

    def value_at(self, seconds: float) -> float:
        """Return the value at a time (glTF 2.0, appendix C)."""
        times, heights = self.seconds, self.values.reshape(len(self.seconds), -1)
        middle = heights[:, heights.shape[1] // 2]
        after = int(np.searchsorted(times, seconds, side="right"))
        if after == 0 or after == len(times) or self.interpolation == Interpolation.STEP:
            return float(middle[max(0, after - 1)])
        span = times[after] - times[after - 1]
        part = (seconds - times[after - 1]) / span
        first, last = middle[after - 1], middle[after]
        if self.interpolation == Interpolation.LINEAR:
            return float(first + part * (last - first))
        out, back = span * heights[after - 1, 2], span * heights[after, 0]
        rest = 1.0 - part
        return float(
            rest**2 * ((1.0 + 2.0 * part) * first + part * out)
            + part**2 * ((3.0 - 2.0 * part) * last - rest * back)
        )

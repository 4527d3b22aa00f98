"""Where things of an SDF document are: scopes of names, poses relative to other frames.

Source: `pose.sdf`, `frame.sdf`, `joint.sdf` of the specification, its page "Specifying pose".
Matrices are (4, 4), in meters. A scope is a model or a world; its own frame is `__model__` or
`world`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ....core.model.pose import Array, Pose, matrix_from_pose
from ...documents.xml_source import SourceElement
from ..origins import Origin, origin_of_matrix
from .schema import Version

OWN = ("", "__model__", "world")
"""Names of a scope's own frame."""
SEPARATOR = "::"
_MODERN: Version = (1, 7)
"""Version with `relative_to`."""


class FrameError(ValueError):
    """A frame that cannot be had; the text is the reason, in one line."""


@dataclass(slots=True, eq=False)
class Scope:
    """Names of a model or a world: frames by their matrices in others, and nested models."""

    name: str
    frames: dict[str, tuple[Array, str]] = field(default_factory=dict)
    """Matrix of each frame in the one that it is relative to, and the name of that."""
    attached: dict[str, str] = field(default_factory=dict)
    """What each frame that is not a link moves with."""
    inner: "dict[str, Scope]" = field(default_factory=dict)
    _known: dict[str, Array | None] = field(default_factory=dict)

    def add(self, name: str, matrix: Array, relative_to: str, kind: str) -> str:
        """Add a frame and return its name, with the kind behind one that is taken already."""
        while name in self.frames:
            name += f"_{kind}"
        self.frames[name] = (matrix, relative_to)
        return name

    def at(self, name: str) -> Array:
        """Return a frame in the scope's own frame; raises `FrameError`."""
        if name in OWN:
            return np.eye(4)
        if name in self._known:
            found = self._known[name]
            if found is None:
                raise FrameError(f"the pose of {name!r} is relative to itself")
            return found
        self._known[name] = None
        try:
            self._known[name] = found = self._found(name)
        except FrameError:
            del self._known[name]
            raise
        return found

    def move(self, name: str, matrix: Array) -> None:
        """Give a frame another matrix in the one that it is relative to."""
        self.frames[name] = (matrix, self.frames[name][1])
        self._known.clear()

    def _found(self, name: str) -> Array:
        if name in self.frames:
            matrix, relative_to = self.frames[name]
            return np.asarray(self.at(relative_to) @ matrix)
        head, _, rest = name.partition(SEPARATOR)
        if rest and head in self.inner:
            return np.asarray(self.at(head) @ self.inner[head].at(rest))
        raise FrameError(f"frame {name!r} does not exist")

    def link_of(self, name: str) -> str:
        """Return the path of the link that a link or frame is or is attached to; "" is the world.

        Raises `FrameError`.
        """
        seen = set()
        while name in self.attached:
            if name in seen:
                raise FrameError(f"frame {name!r} is attached to itself")
            seen.add(name)
            name = self.attached[name]
        if name in OWN:
            return ""
        head, _, rest = name.partition(SEPARATOR)
        if rest and head in self.inner and name not in self.frames:
            return head + SEPARATOR + self.inner[head].link_of(rest)
        return name


def pose_of(holder: SourceElement, version: Version) -> tuple[Array, str]:
    """Return the matrix of an element's `pose` and the frame that it names, "" where none.

    Raises `FrameError` for numbers that are not usable.
    """
    element = holder.find("pose")
    if element is None:
        return np.eye(4), ""
    named = element.get("relative_to") if version >= _MODERN else element.get("frame")
    return matrix_of(element.content, element.attrib), named


def matrix_of(text: str, attributes: Mapping[str, str]) -> Array:
    """Return the matrix of a pose's text; an empty one is the identity. Raises `FrameError`."""
    words = text.split()
    is_quaternion = attributes.get("rotation_format") == "quat_xyzw"
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if not words:
        return np.eye(4)
    if len(values) != (7 if is_quaternion else 6) or not all(map(math.isfinite, values)):
        raise FrameError(f"the pose {text.strip()[:40]!r} is not usable")
    if is_quaternion:
        rotation = np.array(values[3:])
        length = float(np.linalg.norm(rotation))
        rotation = rotation / length if length > 0.0 else np.array((0.0, 0.0, 0.0, 1.0))
        return matrix_from_pose(Pose(np.array(values[:3]), rotation))
    unit = math.pi / 180.0 if attributes.get("degrees", "").lower() in ("1", "true") else 1.0
    x, y, z, *angles = values
    roll, pitch, yaw = (unit * angle for angle in angles)
    return Origin((x, y, z), (roll, pitch, yaw)).matrix()


def numbers_of(matrix: Array) -> tuple[float, ...]:
    """Return the six numbers of a pose: place [m], then roll, pitch and yaw [rad]."""
    xyz, rpy = origin_of_matrix(matrix)
    return (*xyz, *rpy)

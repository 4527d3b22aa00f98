"""Vertices of outlines in world space, in plain numpy: rebuilt for the joints that changed only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import (
    Array,
    Pose,
    rotation_matrix,
)
from ..core.outline.joint import (
    OutlinedJoints,
    Part,
    driven_outline,
    joined_shapes,
    joint_states,
    shape_states,
)
from ..core.outline.pieces import State
from ..core.outline.ties import METERS, ROWS
from .colors import Colors
from .joint_arrays import JointArrays
from .paint import Bytes, Paint
from .templates import WIDTH, Fixed, Templates, vertices_of


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """How joints are drawn."""

    parts: tuple[Part, ...]
    colors: Colors
    """`colors.color_table`."""
    templates: Templates = field(default_factory=Templates)
    """What was drawn of settings before."""


@dataclass(frozen=True, slots=True, eq=False)
class Vertices:
    """Vertices of faces or of lines."""

    position: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 3), np.float32))
    """[m], in world axes, shape (v, 3)."""
    color: Bytes = field(default_factory=lambda: np.empty((0, 4), np.uint8))
    """RGBA, shape (v, 4)."""

    def __len__(self) -> int:
        """Return the number of vertices."""
        return len(self.position)

    def __getitem__(self, rows: slice | NDArray[np.bool_]) -> "Vertices":
        """Return some of the vertices, which a slice shares."""
        return Vertices(self.position[rows], self.color[rows])

    def long(self) -> "Vertices":
        """Return lines without those that end where they begin, of which no pixel is drawn."""
        is_long = (self.position[::2] != self.position[1::2]).any(axis=1)
        return self[np.repeat(is_long, 2)]


def joined(parts: Sequence[Vertices]) -> Vertices:
    """Return vertices as one."""
    none = Vertices()
    return Vertices(
        np.concatenate([none.position, *(part.position for part in parts)]),
        np.concatenate([none.color, *(part.color for part in parts)]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Vertices of joints, one joint's behind the other's."""

    joints: NDArray[np.intp]
    """Numbers of the n joints."""
    vertices: Vertices
    starts: NDArray[np.intp]
    """First vertex of each joint and the end of the last, shape (n + 1,)."""

    def of(self, number: int) -> Vertices:
        """Return the vertices of a joint."""
        found = np.flatnonzero(self.joints == number)
        if not len(found):
            return Vertices()
        place = int(found[0])
        return self.vertices[self.starts[place] : self.starts[place + 1]]

    def part(self, first: int, last: int) -> "Stack":
        """Return the joints at places from the first to before the last; vertices stay shared."""
        starts = self.starts[first : last + 1]
        return Stack(
            self.joints[first:last], self.vertices[starts[0] : starts[-1]], starts - starts[0]
        )

    def renumbered(self, numbers: NDArray[np.intp]) -> "Stack":
        """Return the stack where joint i has become joint `numbers[i]`."""
        return Stack(numbers[self.joints], self.vertices, self.starts)

    @property
    def bounds(self) -> tuple[list[int], list[int]]:
        """First vertex of each joint, and the one after its last."""
        return self.starts[:-1].tolist(), self.starts[1:].tolist()

    def _takes(self, new: "Stack") -> bool:
        """Return whether the joints of another stack are here with as many vertices each."""
        if not len(self.joints):
            return False
        places = np.searchsorted(self.joints, new.joints).clip(max=len(self.joints) - 1)
        is_here = self.joints[places] == new.joints
        counts = self.starts[places + 1] - self.starts[places]
        return bool((is_here & (counts == new.starts[1:] - new.starts[:-1])).all())

    def with_new(self, changed: NDArray[np.intp], new: "Stack") -> "Stack":
        """Return the stack with `new` in place of all changed joints; it is lost itself."""
        if len(new.joints) == len(self.joints) and (new.joints == self.joints).all():
            return new
        if self._takes(new) and len(new.joints) == len(changed):
            places = np.searchsorted(self.joints, new.joints)
            rows = zip(self.starts[places].tolist(), *new.bounds, strict=True)
            for start, first, last in rows:
                here = slice(start, start + last - first)
                self.vertices.position[here] = new.vertices.position[first:last]
                self.vertices.color[here] = new.vertices.color[first:last]
            return self
        there = set(new.joints.tolist())
        joints = np.array(sorted({*self.joints.tolist()} - {*changed.tolist()} | there), np.intp)
        sources = ((number, number in there) for number in joints.tolist())
        parts = [(new if is_here else self).of(number) for number, is_here in sources]
        return Stack(joints, joined(parts), np.cumsum([0, *map(len, parts)]))


def build(
    joints: JointArrays, chosen: NDArray[np.intp], size: Array, style: Style
) -> tuple[Stack, Stack]:
    """Return faces and lines of the chosen joints, drawn at sizes [m] of shape (n,)."""
    some, count = joints.take(chosen), len(chosen)
    frames, drawn = some.outlined()
    templates = style.templates.of(some.settings, drawn.there(), style.parts)
    shapes = joined_shapes([each.shapes for each in templates])
    first = np.searchsorted(shapes.joint, np.arange(count))
    states, gravest = shape_states(shapes, drawn), np.zeros(count, np.int8)
    np.maximum.at(gravest, shapes.joint, states)
    paint = Paint(some, style.colors, states=states, first=first, gravest=gravest)
    columns = [[each.lines for each in templates], [each.tied for each in templates]]
    driven = list(driven_outline(drawn, style.parts))
    if driven:
        columns.append(vertices_of(driven, count))
    parts = [each.faces for each in templates]
    parts += chain.from_iterable(zip(*columns, strict=True))
    owners = np.concatenate((np.arange(count), np.repeat(np.arange(count), len(columns))))
    placing = _placing(frames, drawn, size[chosen] * some.handedness())
    vertices, starts = _placed(parts, owners, placing, paint)
    middle = starts[count]
    faces = Stack(chosen, vertices[:middle], starts[: count + 1])
    return faces, Stack(chosen, vertices[middle:], starts[count :: len(columns)] - middle)


def build_far(
    joints: JointArrays, chosen: NDArray[np.intp], size: Array, style: Style, *, has_lines: bool
) -> tuple[Stack, Stack]:
    """Return points and lines of the chosen joints where they are a few pixels large."""
    some, numbers = joints.take(chosen), np.arange(len(chosen))
    frames, drawn = some.outlined()
    states = joint_states(drawn)
    paint = Paint(some, style.colors, states=states, first=numbers, gravest=states)
    there, placing = drawn.there(), _placing(frames, drawn, size[chosen] * some.handedness())
    if not has_lines:
        there[:] = 0
    far = style.templates.far(there, style.parts)
    points = _placed([each for each, _ in far], numbers, placing, paint)
    lines = _placed([each for _, each in far], numbers, placing, paint)
    return Stack(chosen, *points), Stack(chosen, *lines)


def _placing(frames: Pose, drawn: OutlinedJoints, sizes: Array) -> NDArray[np.float32]:
    """Return the matrices (n, 20, 3) that vertices of joints are multiplied by.

    `sizes` (n,) are negative below what mirrors.
    """
    found = np.empty((len(sizes), WIDTH, 3), np.float32)
    axes = np.swapaxes(rotation_matrix(frames.rotation), -1, -2)
    ties = drawn.ties()
    ties[:, METERS:] *= sizes[:, None, None]
    found[:, :ROWS] = ties @ axes
    found[:, -7:-4], found[:, -4:-1] = axes, sizes[:, None, None] * axes
    found[:, -1] = frames.position
    return found


def _placed(
    parts: Sequence[Fixed],
    owners: NDArray[np.intp],
    placing: NDArray[np.float32],
    paint: Paint,
) -> tuple[Vertices, NDArray[np.intp]]:
    """Return the vertices of parts of joints, and where each one's start and the last one's end."""
    ends = np.cumsum([len(part.place) for part in parts])
    starts = np.concatenate(([0], ends)).astype(np.intp)
    vertices = Vertices(np.empty((starts[-1], 3), np.float32), paint.vertices(parts, owners))
    position, start, matrices = vertices.position, 0, list(placing)
    for part, owner, end in zip(parts, owners.tolist(), ends.tolist(), strict=True):
        if end > start:
            place = part.place
            np.dot(place, matrices[owner][-place.shape[1] :], out=position[start:end])
            if part.strength is not None:
                opacity = vertices.color[start:end, 3]
                opacity[:] = np.rint(opacity * part.strength)
            start = end
    return vertices, starts


PROBLEM = State.VIOLATED
"""Least state that is drawn whatever the scope."""

"""Attachment frames in the file: which node is one, and its axes.

A frame keeps the names of its axes: what is local Z in Blender is local Z in the file. Other nodes
are converted from Z up to Y up by renaming their axes, so the node of a frame carries one more
rotation, as nodes of cameras do. Where the node means more than the frame, such as a mesh or a
body, a node of its own stands for the frame.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from mathutils import Matrix

from ...properties.bones import BodyBone
from ...properties.joint import joint_data
from .report import Report
from .rules import ANIMATED_FRAME
from .upstream import (
    CAMERA_CORRECTION,
    ExportSettings,
    FileNode,
    WrittenNode,
    file_world,
    new_node,
    parent_world,
    place_node,
)

NAME = "{} Joint Frame"
"""Name of a node or an object that stands for the frame of another."""
BETWEEN = "{} Unscaled"
"""Name of a node that takes the scale of the node above away from a frame."""
SAME_PLACE = 1e-5
"""Difference of matrices, relative to their size, that a person cannot have meant."""
_OBLIQUE = 1e-4
"""Cosine between the axes of a place that is rounding."""


class FrameNodes:
    """Finds or makes the nodes of attachment frames, once all scenes are gathered."""

    def __init__(self, settings: ExportSettings, animations: list[Any], report: Report) -> None:
        self._settings = settings
        self._report = report
        self._animations = animations
        self._animated = {id(c.target.node) for a in animations for c in a.channels}
        self._found: dict[int, FileNode] = {}
        self._turned: list[FileNode] = []
        self._still: set[int] = set()
        self._taken: set[int] = set()

    def node_of(self, written: WrittenNode) -> FileNode:
        """Return the node that is the frame of an object; the same one when asked again."""
        found = self._found.get(id(written))
        if found is None:
            found = self._found[id(written)] = self._node_of(written)
            if found is written.node:
                self._straighten(written)
        return found

    def _straighten(self, written: WrittenNode) -> None:
        """Put a node between a frame and an unevenly scaled one that it stands oblique on.

        It takes that one's scale away, which the frame's own place could not.
        """
        node, above = written.node, parent_world(written, self._settings)
        if id(node) in self._animated or not all(above.to_scale().to_tuple()):
            return
        if not is_sheared(above.inverted_safe() @ written.world):
            return
        position, rotation, scale = above.decompose()
        rigid = Matrix.LocRotScale(position, rotation, None)
        inverse = Matrix.Diagonal((*(1.0 / factor for factor in scale.to_tuple()), 1.0))
        between = new_node(BETWEEN.format(node.name), self._settings, inverse)
        place_node(node, rigid.inverted_safe() @ written.world, self._settings)
        numbers = [number for number, each in enumerate(written.siblings) if each is node]
        written.siblings[numbers[0]] = between
        between.children.append(node)

    def finish(self) -> None:
        """Turn the frames, once all are found, and take their own animation away."""
        for node in self._turned:
            turn_axes(node)
        if not self._still:
            return
        for animation in self._animations:
            kept = [c for c in animation.channels if id(c.target.node) not in self._still]
            animation.channels = kept
        self._animations[:] = [animation for animation in self._animations if animation.channels]

    def _node_of(self, written: WrittenNode) -> FileNode:
        node = written.node
        if self._stands_for_parent(written):
            return self._fold(written)
        is_moving = id(node) in self._animated
        if not _is_frame_only(written):
            moves_alone = is_moving and not written.physics.is_body_part
            return self._beside(written) if moves_alone else self._beneath(written)
        if is_moving and node.children:
            return self._beside(written)
        if any(id(child) in self._animated for child in node.children):
            # What moves them is in the axes of the node as it is.
            return self._beneath(written)
        if is_moving:
            self._stop(written)
            self._still.add(id(node))
        if self._settings["gltf_yup"]:
            self._turned.append(node)
        return node

    def _stands_for_parent(self, written: WrittenNode) -> bool:
        """Return whether an empty that an import made is still the frame of the node above."""
        above, node = written.parent, written.node
        if above is None or written.obj is None or isinstance(written.obj, BodyBone):
            return False
        if not joint_data(written.obj).is_frame_of_parent:
            return False
        if node.children or id(node) in self._animated or id(above) in self._taken:
            return False
        if above.node.skin is not None or _is_frame_only(above):
            return False
        return _is_same_place(file_world(above, self._settings), self._frame_world(written))

    def _fold(self, written: WrittenNode) -> FileNode:
        """Leave out the node of an empty and return the one above."""
        above = written.parent
        assert above is not None
        self._taken.add(id(above))
        above.node.children[:] = [c for c in above.node.children if c is not written.node]
        return above.node

    def _beneath(self, written: WrittenNode) -> FileNode:
        """Return a new node for the frame below the object's."""
        turn, place = self._turn(written), file_world(written, self._settings)
        local = turn if place is written.world else place.inverted_safe() @ written.world @ turn
        return self._add(written, local, written.node.children)

    def _beside(self, written: WrittenNode) -> FileNode:
        """Return a new node at rest for the frame next to the object's, which moves."""
        self._stop(written)
        local = parent_world(written, self._settings).inverted_safe() @ self._frame_world(written)
        return self._add(written, local, written.siblings)

    def _add(self, written: WrittenNode, local: Matrix, siblings: list[FileNode]) -> FileNode:
        assert written.obj is not None
        frame = new_node(NAME.format(written.obj.name), self._settings, local)
        siblings.append(frame)
        return frame

    def _frame_world(self, written: WrittenNode) -> Matrix:
        """Return the world matrix of a frame in the file, as of a node that is only renamed."""
        return written.world @ self._turn(written)

    def _turn(self, written: WrittenNode) -> Matrix:
        if written.is_turned or not self._settings["gltf_yup"]:
            return Matrix()
        return CAMERA_CORRECTION.to_matrix().to_4x4()

    def _stop(self, written: WrittenNode) -> None:
        assert written.obj is not None
        self._report.add([ANIMATED_FRAME(written.obj.name)])


def hang_under_bodies(frames: Iterable[WrittenNode], settings: ExportSettings) -> None:
    """Hang nodes from the nearest body above them, which a flattened hierarchy took away."""
    moved: dict[int, list[FileNode]] = {}
    nodes: set[int] = set()
    for written in frames:
        body = _body_above(written)
        if body is None or body is written.parent or id(written.node) in nodes:
            continue
        nodes.add(id(written.node))
        moved[id(written.siblings)] = written.siblings
        place = file_world(body, settings).inverted_safe() @ written.world
        place_node(written.node, place, settings)
        body.node.children.append(written.node)
        written.parent, written.siblings = body, body.node.children
    for siblings in moved.values():
        siblings[:] = [node for node in siblings if id(node) not in nodes]


def keep_below_skins(frames: Iterable[WrittenNode], settings: ExportSettings) -> None:
    """Put what is below a skinned mesh, and a frame or above one, where it is in Blender.

    `nodes.__gather_trans_rot_scale` takes skinned meshes for unmoved, unless they are right below
    their armature. A node without place is where its parent is.
    """
    for written in frames:
        above: WrittenNode | None = written
        while above is not None and above.parent is not None:
            if above.parent.node.skin is not None and above.node.skin is None:
                inverse = file_world(above.parent, settings).inverted_safe()
                place = inverse @ file_world(above, settings)
                place_node(above.node, place, settings)
            above = above.parent


def turn_axes(node: FileNode) -> None:
    """Turn a node of the file by the correction, its children staying where they are.

    Exact also for scaled nodes, as the correction only swaps axes.
    """
    half = 0.5**0.5
    turn = (-half, 0.0, 0.0, half)
    node.rotation = _product(node.rotation, turn) if node.rotation else list(turn)
    if node.scale is not None:
        x, y, z = node.scale
        node.scale = [x, z, y]
    for child in node.children:
        back = (half, 0.0, 0.0, half)
        child.rotation = _product(back, child.rotation) if child.rotation else list(back)
        if child.translation is not None:
            x, y, z = child.translation
            child.translation = [x, 0.0 - z, y]


def _body_above(written: WrittenNode) -> WrittenNode | None:
    above = written.origin
    while above is not None and above.physics.motion_type is None:
        above = above.origin
    return above


def _is_frame_only(written: WrittenNode) -> bool:
    """Return whether the node of an object has no meaning that depends on its axes."""
    return written.is_plain and not written.physics.is_body_part


def _is_same_place(first: Matrix, second: Matrix) -> bool:
    one, other = (np.array([matrix[row] for row in range(4)]) for matrix in (first, second))
    size = max(1.0, float(np.abs(one).max()))
    return bool(np.abs(one - other).max() <= SAME_PLACE * size)


def is_sheared(matrix: Matrix) -> bool:
    """Return whether the axes of a place are not at right angles."""
    x, y, z = matrix.to_3x3().normalized().col
    return bool(max(abs(x @ y), abs(y @ z), abs(z @ x)) > _OBLIQUE)


def _product(first: Any, second: Any) -> list[float]:
    """Return the product of two quaternions x y z w, of unit length."""
    ax, ay, az, aw = first
    bx, by, bz, bw = second
    product = (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
    # Zeros that rounding leaves behind would make a frame at rest look turned.
    clean = [0.0 if abs(number) < 1e-7 else number for number in product]
    length = math.hypot(*clean)
    return [number / length for number in clean]

"""Elements of MJCF as text: numbers that come back as they were."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np

from ....core.model.pose import Array, pose_from_matrix
from ....core.model.settled import settled, settled_rotation
from ..xml_text import printed_xml

Attributes = dict[str, str]
PLACE = ("pos", "quat")
"""What says where an element is, as this program writes it."""
_NO_TURN = (0.0, 0.0, 0.0, 1.0)


def numbers(values: Array) -> str:
    """Return numbers as text, without the negative zero."""
    return texts(np.asarray(values, float).tolist())


def placed(matrix: Array) -> Attributes:
    """Return `pos` and `quat` of a matrix (4, 4), those of the origin left out."""
    return placed_all(matrix[None])[0]


def placed_all(matrices: Array) -> list[Attributes]:
    """Return `pos` and `quat` of rigid matrices (n, 4, 4), those of the origin left out."""
    pose = pose_from_matrix(matrices)
    positions, rotations = settled(pose.position), settled_rotation(pose.rotation)
    pairs = zip(positions.tolist(), rotations.tolist(), strict=True)
    return [placed_at(position, rotation) for position, rotation in pairs]


def placed_at(position: Sequence[float], rotation: Sequence[float]) -> Attributes:
    """Return `pos` and `quat` [m] of a place, those of the origin left out."""
    found: Attributes = {}
    if any(position):
        found["pos"] = texts(position)
    if tuple(rotation) != _NO_TURN:
        found["quat"] = texts([rotation[3], *rotation[:3]])
    return found


def texts(values: Sequence[float]) -> str:
    """Return numbers as text, without the negative zero."""
    return " ".join([repr(value + 0.0) for value in values])


def document(root: ET.Element) -> bytes:
    """Return the text of a document."""
    return printed_xml(root) + b"\n"

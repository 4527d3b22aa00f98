"""Elements of MJCF as text: numbers that come back as they were."""

import xml.etree.ElementTree as ET

import numpy as np

from ....core.model.pose import Array

Attributes = dict[str, str]


def numbers(values: Array) -> str:
    """Return numbers as text, without the negative zero."""
    return " ".join(repr(float(value) + 0.0) for value in values)


def placed(matrix: Array, rotation: Array) -> Attributes:
    """Return `pos` and `quat` of a pose, those of the origin left out."""
    found: Attributes = {}
    if np.any(matrix[:3, 3]):
        found["pos"] = numbers(matrix[:3, 3])
    if not np.array_equal(rotation, (0.0, 0.0, 0.0, 1.0)):
        found["quat"] = numbers(np.roll(rotation, 1))
    return found


def document(root: ET.Element) -> bytes:
    """Return the text of a document."""
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8")
    return text + b"\n"

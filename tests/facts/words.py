"""Numbers, tensors and kinds as texts of robots have them."""

import math

import numpy as np

from tests.facts.facts import Array, Weight

KINDS = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "fixed": "fixed",
    "floating": "floating",
}


def numbers(text: str | None, default: str) -> Array:
    return np.array((text or default).split(), float)


def limited(text: str | None) -> float:
    """Return a largest force or speed, infinite where it is none."""
    value = float(text) if text else math.inf
    return value if 0.0 < value < 1e5 else math.inf


def tensor_of(values: dict[str, float]) -> Array:
    xx, xy, xz, yy, yz, zz = (
        values.get(f"i{n}", 0.0) for n in ("xx", "xy", "xz", "yy", "yz", "zz")
    )
    return np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))


def weight_of(mass: float, place: Array, tensor: Array) -> Weight:
    turn = place[:3, :3]
    return Weight(mass, place[:3, 3], turn @ tensor @ turn.T if tensor.any() else None)

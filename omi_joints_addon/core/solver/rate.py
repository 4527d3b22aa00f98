"""How often the solver steps."""

import math

STEP = 1.0 / 240.0
"""Longest step [s] at which the accuracy in docs/solver.md was measured."""


def steps_within(duration: float) -> int:
    """Return how many steps a duration [s] takes at the solver's own choice."""
    return max(1, math.ceil(duration / STEP - 1e-6))

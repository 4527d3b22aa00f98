"""How often the solver steps."""

STEP = 1.0 / 240.0
"""Longest step [s] at which the accuracy in docs/solver.md was measured."""

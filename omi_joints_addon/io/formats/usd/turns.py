"""Axes of a joint renamed so that the axis of a cone is X, as D6 joints of PhysX have it."""

from ....core.rewrite.turning import IDENTITY, X_BECOMES_Y, X_BECOMES_Z

TURNS = (IDENTITY, X_BECOMES_Y, X_BECOMES_Z)
"""Turns that move the names of the axes by 0, 1 and 2 places."""

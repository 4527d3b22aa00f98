"""Settings and poses as points, lines and triangles to draw."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        angular,
        drives,
        far,
        frames,
        handles,
        joint,
        labels,
        linear,
        pieces,
        shapes,
        sides,
        ties,
    )

__getattr__ = rooms.loader(__name__)

"""Collision shapes: fitting, hulls, inertia, outlines."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        anchor,
        assumed,
        body_solids,
        fit,
        handles,
        hull,
        inertia,
        outline,
        placement,
        shell,
        surface,
    )

__getattr__ = rooms.loader(__name__)

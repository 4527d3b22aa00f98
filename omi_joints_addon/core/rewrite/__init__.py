"""Exact changes of settings and scenes."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        articulating,
        fixes,
        followed,
        loops,
        merging,
        mirror,
        portable,
        same_joints,
        scale,
        swap,
        tree,
        turning,
        unmirrored,
    )

__getattr__ = rooms.loader(__name__)

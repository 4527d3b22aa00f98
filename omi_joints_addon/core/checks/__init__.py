"""What is wrong or surprising in a scene."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        alignment,
        bodies,
        differences,
        drives,
        frames,
        limits,
        sag,
        scene,
        settings,
        structure,
        velocities,
    )

__getattr__ = rooms.loader(__name__)

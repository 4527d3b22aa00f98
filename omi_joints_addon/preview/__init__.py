"""Previews of joints that run in Blender and restore all they move."""

from types import ModuleType
from typing import TYPE_CHECKING

from .. import rooms
from . import draw, driven, session

if TYPE_CHECKING:
    from . import (
        action_poses,
        body_keys,
        followed,
        forces,
        frames,
        keeping,
        mechanism,
        pace,
        pose,
        position_rows,
        positions,
        rest,
        simulated,
        timeline,
    )

MODULES: tuple[ModuleType, ...] = (session, driven)

__getattr__ = rooms.loader(__name__)

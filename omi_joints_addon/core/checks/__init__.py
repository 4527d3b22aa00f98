"""What is wrong or surprising in a scene."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        acting_alike,
        alignment,
        animation,
        axis_bounds,
        bodies,
        difference,
        difference_values,
        differences,
        drives,
        frames,
        joint_differences,
        limits,
        matching,
        plausibility,
        sag,
        scene,
        settings,
        settings_columns,
        springs,
        structure,
        velocities,
    )

__getattr__ = rooms.loader(__name__)

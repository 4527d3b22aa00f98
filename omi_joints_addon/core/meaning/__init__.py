"""What joints mean: measures, freedom, kinds, presets, words."""

from typing import TYPE_CHECKING

from ... import rooms

if TYPE_CHECKING:
    from . import (
        animated,
        authored,
        axes,
        coupling,
        description,
        freedom,
        kinematics,
        linkage,
        metric,
        mirrored,
        moved_inertia,
        naming,
        posing,
        preset_parameters,
        presets,
        programs,
        range_of_motion,
        reaching,
        recognition,
        recording,
        sag,
        sides,
        velocities,
    )

__getattr__ = rooms.loader(__name__)

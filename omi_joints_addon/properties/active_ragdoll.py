"""How a ragdoll follows the animation of its armature: `Object.omi_active_ragdoll`."""

import bpy

from .overridable import BoolProperty, FloatProperty


class OMI_PG_active_ragdoll(bpy.types.PropertyGroup):
    """How a ragdoll follows the animation of its armature."""

    is_on = BoolProperty(
        name="Follow Animation",
        description=(
            "Aim the position drives between bones of the armature at the pose of its "
            "animation while joints are simulated"
        ),
    )
    strength = FloatProperty(
        name="Strength",
        description=(
            "Factor of stiffness and damping of these drives in a simulation, from limp at 0 "
            "to as stiff as each drive is at 1; it can be keyed"
        ),
        default=1.0,
        min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )


def active_ragdoll(armature: bpy.types.Object) -> OMI_PG_active_ragdoll:
    """Return how the ragdoll of an armature follows its animation."""
    group: OMI_PG_active_ragdoll = armature.omi_active_ragdoll  # type: ignore[attr-defined]
    return group

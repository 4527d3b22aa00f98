"""The table of the joints of a scene in a pop-up: what can be edited in place."""

import bpy

from ..core.meaning.presets import settings_label
from ..operators.joint.table import columns
from ..properties.joint import joint_data
from ..scene.structure import settings_of
from .joint_list import JointList, draw_limits, draw_target, state_icon

MOST_LIMITS = 3
"""Limits in a row of the table; a joint can have more than the table is wide."""


class OMI_UL_joint_table(JointList, bpy.types.UIList):
    """Joints of a scene with what can be edited in place"""

    is_popup = True

    def draw_joint(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, joint: bpy.types.Object
    ) -> None:
        settings = settings_of(joint)
        name, kind, limits, target = columns(layout)
        name.prop(joint, "name", text="", emboss=False, icon=state_icon(joint, context))
        if settings is None:
            kind.label(text="")
            return
        kind.label(
            text=settings_label(settings.settings_to_core()),
            icon="LINKED" if joint_data(joint).settings_source else "NONE",
        )
        draw_limits(limits, settings, most=MOST_LIMITS)
        draw_target(target, settings)


CLASSES = (OMI_UL_joint_table,)

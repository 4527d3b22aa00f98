"""The table of the joints of a scene in a pop-up: what can be edited in place."""

import bpy

from ..core.meaning.presets import settings_label
from ..properties.joint import joint_data
from ..scene.structure import settings_of
from .joint_list import JointList, draw_ranges, state_icon


class OMI_UL_joint_table(JointList, bpy.types.UIList):
    """Joints of a scene with what can be edited in place"""

    is_popup = True

    def draw_joint(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, joint: bpy.types.Object
    ) -> None:
        settings = settings_of(joint)
        split = layout.split(factor=0.32)
        split.prop(joint, "name", text="", emboss=False, icon=state_icon(joint, context))
        split = split.split(factor=0.22)
        if settings is None:
            split.label(text="")
            return
        split.label(
            text=settings_label(settings.settings_to_core()),
            icon="LINKED" if joint_data(joint).settings_source else "NONE",
        )
        draw_ranges(split, settings)


CLASSES = (OMI_UL_joint_table,)

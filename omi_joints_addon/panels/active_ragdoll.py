"""How a ragdoll follows the animation of the active armature."""

import bpy

from .. import authoring
from ..authoring.context import present
from ..properties.active_ragdoll import active_ragdoll
from .joint_tools import has_bones
from .places import Documented, Sidebar


class OMI_PT_active_ragdoll(Documented, Sidebar, bpy.types.Panel):
    """Following the animation of the armature in a simulation"""

    bl_label = "Active Ragdoll"
    page = "how-to/characters"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return has_bones(context.object)

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        group = active_ragdoll(present(authoring.skins.armature_of(context.object)))
        layout.operator("omi.ragdoll_activate", icon="ARMATURE_DATA")
        layout.prop(group, "is_on")
        column = layout.column()
        column.active = group.is_on
        column.prop(group, "strength")
        layout.operator("omi.ragdoll_targets_key", icon="KEY_HLT")


CLASSES = (OMI_PT_active_ragdoll,)

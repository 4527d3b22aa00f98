"""Making joints portable."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained, locked, no_selected_joint, not_object_mode
from ...classes import OperatorResult
from ...core.engines.names import CHOICES
from ...declared import EnumProperty
from ...properties.joint import settings_owner
from ...scene.structure import joint_objects
from ...translation import report


class OMI_OT_joint_portable_make(Explained, bpy.types.Operator):
    """Rotate frames and split limits so that an engine can read the joints; they mean the same"""

    bl_idname = "omi.joint_portable_make"
    bl_label = "Make Portable"
    conditions = (not_object_mode, no_selected_joint)
    engine = EnumProperty(
        name="Engine",
        description="Target engine of the joints",
        items=CHOICES,
        default="GODOT",
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        selected = [obj for obj in joint_objects(context.selected_objects) if not locked(obj)]
        owners = dict.fromkeys(settings_owner(obj) for obj in selected)
        # Reports are loaded when one is asked for.
        from ...core.engines.engines import ENGINES

        maker = authoring.portable.PortableMaker(context, ENGINES[self.engine.lower()])
        changed = [owner for owner in owners if self._made(maker, owner)]
        if not changed:
            report(self, "INFO", "No changes were needed")
        # Finished even so: where it is cancelled, the redo panel keeps what another engine needed.
        return {"FINISHED"}

    def _made(self, maker: "authoring.portable.PortableMaker", owner: bpy.types.Object) -> bool:
        """Rewrite the settings of one joint; return whether that changed anything."""
        try:
            steps = maker.make(owner)
        except authoring.portable.NotPortableError as error:
            report(
                self, "WARNING", "{owner} was not changed: {error}", owner=owner.name, error=error
            )
            return False
        if steps:
            report(self, "INFO", "{owner}: {steps}", owner=owner.name, steps="; ".join(steps))
        return bool(steps)

"""What a preview shows as the pose of the scene."""

import bpy

from ... import preview as previews
from ...authoring.conditions import Explained
from ...authoring.context import present
from ...classes import OperatorResult
from ...preview.session import running, stop
from ...translation import report
from .preview import nothing_running


class OMI_OT_preview_keep(Explained, bpy.types.Operator):
    """Leave the preview with bodies and bones where it shows them; Auto Keying keys them"""

    bl_idname = "omi.preview_keep"
    bl_label = "Keep Pose"
    conditions = (nothing_running,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview = present(running())
        matrices = preview.shown_matrices
        stop()
        present(context.view_layer).update()
        scene = present(context.scene)
        is_keyed = present(scene.tool_settings).use_keyframe_insert_auto
        frame = scene.frame_current if is_keyed else None
        count = previews.keeping.keep_pose(preview, matrices, frame=frame)
        if count:
            report(
                self,
                "WARNING",
                "{count} objects are animated: their poses are lost when the frame changes, "
                "unless they are keyed",
                count=count,
            )
        return {"FINISHED"}


CLASSES = (OMI_OT_preview_keep,)

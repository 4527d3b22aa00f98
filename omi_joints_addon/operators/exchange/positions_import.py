"""File > Import: positions of joints over time, as keys of their drives."""

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ... import authoring
from ...authoring.conditions import Explained, no_joint_in_scene, other_mode
from ...authoring.context import present
from ...translation import report

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems


class OMI_OT_positions_import(Explained, bpy.types.Operator):
    """Key targets of drives to positions over time, from a table: time in seconds, then joints"""

    bl_idname = "omi.positions_import"
    bl_label = "Import Joint Positions"
    bl_options = {"UNDO"}
    conditions = (no_joint_in_scene, other_mode)

    if TYPE_CHECKING:
        filepath: str
        filter_glob: str
    else:
        filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
        filter_glob: StringProperty(default="*.csv", options={"HIDDEN"})

    def invoke(
        self, context: bpy.types.Context, _event: bpy.types.Event
    ) -> "set[OperatorReturnItems]":
        present(context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        from ...io.positions import PositionsError, positions_of  # has numpy

        path, scene = Path(self.filepath), present(context.scene)
        try:
            found = positions_of(path)
        except PositionsError as error:
            report(self, "ERROR", "{path}: {error}", path=path.name, error=error)
            return {"CANCELLED"}
        program = authoring.programs.key_targets(
            scene, found.seconds, found.columns, first=scene.frame_current
        )
        for names, text in (
            (program.unknown, "Not joints of this scene: {names}"),
            (program.undriven, "Without a drive with stiffness of their own: {names}"),
        ):
            if names:
                report(self, "WARNING", text, names=", ".join(names))
        if not program.followed:
            return {"CANCELLED"}
        report(
            self,
            "INFO",
            "{keys} keys for targets of {joints} joints",
            keys=len(found.seconds),
            joints=len(program.followed),
        )
        return {"FINISHED"}


def draw_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry in File > Import."""
    entry = present(self.layout)
    entry.operator(OMI_OT_positions_import.bl_idname, text="Joint Positions (.csv)")


CLASSES = (OMI_OT_positions_import,)


def attach() -> None:
    """Add the table to the menu."""
    bpy.types.TOPBAR_MT_file_import.append(draw_menu)


def detach() -> None:
    """Remove it."""
    bpy.types.TOPBAR_MT_file_import.remove(draw_menu)

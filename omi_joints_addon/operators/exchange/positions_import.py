"""File > Import: positions of joints over time, as keys of their drives."""

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ... import authoring
from ...authoring.conditions import Explained, no_joint_in_scene, other_mode
from ...authoring.context import present
from ...io.files import opened
from ...translation import report

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

_MOST = 64 * 2**20
"""Bytes that are read."""


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
        from ...io.positions import PositionsError, positions_from_csv  # has numpy

        path, scene = Path(self.filepath), present(context.scene)
        try:
            with opened(path) as file:
                found = positions_from_csv(file.read(_MOST).decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError, PositionsError) as error:
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
        if not program.keyed:
            return {"CANCELLED"}
        report(
            self,
            "INFO",
            "{keys} keys for targets of {joints} joints",
            keys=len(found.seconds),
            joints=len(program.keyed),
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

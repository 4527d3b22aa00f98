"""File > Import: positions of joints over time, as keys of their drives."""

from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ... import authoring
from ... import preview as previews
from ... import scene as scenes
from ...authoring.conditions import Explained, no_joint_in_scene, other_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import meaning
from ...declared import EnumProperty, StringProperty
from ...translation import refused, report

if TYPE_CHECKING:
    from ...io.positions import Positions


class OMI_OT_positions_import(Explained, bpy.types.Operator):
    """Key drives or bodies to positions over time, from a table: time in seconds, then joints"""

    bl_idname = "omi.positions_import"
    bl_label = "Import Joint Positions"
    bl_options = {"UNDO"}
    conditions = (no_joint_in_scene, other_mode)

    filepath = StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob = StringProperty(default="*.csv", options={"HIDDEN"})
    keyed = EnumProperty(
        name="Keyed",
        description="What follows the positions",
        items=(
            ("TARGETS", "Targets of Drives", "Drives pull to the positions in simulations"),
            ("POSES", "Poses of Bodies", "Bodies are at the positions, without physics"),
        ),
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        present(context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        from ...io.positions import PositionsError, positions_of  # has numpy

        path, scene = Path(self.filepath), present(context.scene)
        try:
            found = positions_of(path)
        except PositionsError as error:
            return refused(self, "ERROR", "{path}: {error}", path=path.name, error=error)
        if self.keyed == "POSES":
            return self._key_poses(scene, found)
        program = authoring.programs.key_targets(
            scene, found.seconds, found.columns, first=scene.frame_current
        )
        return self._reported(
            len(found.seconds),
            (program.followed, "{keys} keys for targets of {joints} joints"),
            (program.unknown, "Not joints of this scene: {names}"),
            (program.undriven, "Without a drive with stiffness of their own: {names}"),
        )

    def _key_poses(self, scene: bpy.types.Scene, found: "Positions") -> OperatorResult:
        core, _ = scenes.reading.scene_to_core(scene)
        posed = meaning.posing.posed_bodies(core, found.seconds, found.columns)
        rate = scene.render.fps / scene.render.fps_base
        frames = (scene.frame_current + rate * found.seconds).tolist()
        objects = scenes.reading.nodes_of(scene)
        record, where = list(posed.record(core)), previews.body_keys.Keys.PRESENT
        previews.body_keys.insert_keys(
            scene, objects, core, posed.matrices, record, frames, keys=where
        )
        return self._reported(
            len(found.seconds),
            (posed.followed, "{keys} keys for the bodies of {joints} joints"),
            (posed.unknown, "Not joints of this scene: {names}"),
            (posed.unmoved, "Close a loop, join no two bodies or need an axis: {names}"),
        )

    def _reported(
        self, keys: int, followed: tuple[list[str], str], *left: tuple[list[str], str]
    ) -> OperatorResult:
        """Report what became of the columns."""
        for names, text in left:
            if names:
                report(self, "WARNING", text, names=", ".join(names))
        joints, text = followed
        if not joints:
            return {"CANCELLED"}
        report(self, "INFO", text, keys=keys, joints=len(joints))
        return {"FINISHED"}


def draw_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry in File > Import."""
    entry = present(self.layout)
    entry.operator(OMI_OT_positions_import.bl_idname, text="Joint Positions (.csv)")


MENUS = (("TOPBAR_MT_file_import", draw_menu),)

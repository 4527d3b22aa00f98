"""File > Export: edits of an imported USD file as a layer above it, or in it."""

from pathlib import Path

import bpy

from ...authoring.conditions import drawn_afterwards
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.finding import Finding
from ...core.findings.loss import Losses
from ...declared import BoolProperty, EnumProperty, StringProperty
from ...io.collector import without_collections
from ...io.formats.format import UnwritableError
from ...io.staging import OutputError, staged
from ...properties.usd_origin import OMI_PG_usd_origin, chosen_origin, origin_files
from ...translation import refused
from .report import show_report


class OMI_OT_usd_layer_export(bpy.types.Operator):
    """Write what was edited of an imported USD file, as a layer above it"""

    bl_idname = "omi.usd_layer_export"
    bl_label = "Export USD Physics Layer"
    bl_options = {"PRESET"}

    filepath = StringProperty(subtype="FILE_PATH")
    check_existing = BoolProperty(default=True, options={"HIDDEN"})
    filter_glob = StringProperty(default="*.usda;*.usdc;*.usd", options={"HIDDEN"})
    target = EnumProperty(
        name="Write",
        description="Where the edits go",
        items=(
            ("ABOVE", "Layer Above", "A new file that has the imported one below it"),
            (
                "INTO",
                "Into the File",
                "The imported file itself; what was not edited stays as it is",
            ),
        ),
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.scene is None or not origin_files(context.scene):
            cls.poll_message_set("No object of the scene was imported from a USD file")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        origin = chosen_origin(present(context.scene), context.active_object)
        if origin is None:
            return self._refuse(context)
        source = Path(origin.file)
        self.filepath = str(source.with_name(f"{source.stem}_physics.usda"))
        present(context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    @drawn_afterwards
    def execute(self, context: bpy.types.Context) -> OperatorResult:
        origin = chosen_origin(present(context.scene), context.active_object)
        if origin is None:
            return self._refuse(context)
        try:
            with without_collections():
                findings, losses = self._write(context, origin)
        except (OutputError, UnwritableError) as error:
            return refused(self, "ERROR", error)
        title = f"Exported {Path(self.filepath).name}"
        show_report(self, context, title=title, findings=findings, losses=tuple(losses))
        return {"FINISHED"}

    def _refuse(self, context: bpy.types.Context) -> OperatorResult:
        files = origin_files(present(context.scene))
        names = ", ".join(sorted(Path(origin.file).name for origin in files))
        text = "Objects are from several USD files ({names}); make one of the file to write active"
        return refused(self, "ERROR", text, names=names)

    def _write(
        self, context: bpy.types.Context, origin: OMI_PG_usd_origin
    ) -> tuple[list[Finding], Losses]:
        """Write the layer; raises `UnwritableError` and `OutputError`."""
        from ...io.formats.format import Document
        from ...io.formats.usd.layering import edited_file
        from ...io.usd.origins import digest_of, edited_objects
        from ...scene.reading import scene_to_core

        source, path = Path(origin.file), Path(self.filepath)
        if not source.is_file():
            raise UnwritableError(f"{source.name} is gone; export the whole stage")
        if digest_of(source) != origin.digest:
            raise UnwritableError(f"{source.name} was changed since; import it again")
        scene = present(context.scene)
        core, findings = scene_to_core(scene, depsgraph=context.evaluated_depsgraph_get())
        document = Document(format="usd", path=source, files={})
        target = source if self.target == "INTO" else path
        data, losses = edited_file(
            document,
            target,
            lambda read: edited_objects(scene, core, document, read),
            is_above=self.target == "ABOVE",
            meters=origin.meters,
        )
        with staged(target, force=True) as folder:
            (folder / target.name).write_bytes(data)
        return findings, losses


def draw_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry in File > Export."""
    layout = present(self.layout)
    layout.operator_context = "INVOKE_DEFAULT"
    layout.operator(OMI_OT_usd_layer_export.bl_idname, text="USD Physics Layer (.usda)")


MENUS = (("TOPBAR_MT_file_export", draw_menu),)

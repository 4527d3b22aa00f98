"""File > Export for formats of physics scenes."""

from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ... import scene as scenes
from ...authoring.conditions import drawn_afterwards
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.finding import Finding
from ...core.findings.loss import Kind, counted
from ...declared import BoolProperty, EnumProperty, StringProperty
from ...io import registry
from ...io.collector import without_collections
from ...io.formats.format import Format, Target, UnwritableError, Written
from ...io.formats.keeping import written_scene
from ...io.staging import OutputError, staged
from ...translation import refused, report
from .documents import part_of, proposed_path, with_document
from .formats import draw_options, offered, pattern, title
from .report import show_report

if TYPE_CHECKING:
    from ...core.model.scene import PhysicsScene
    from ...io.formats.format import Kept


class OMI_OT_scene_export(bpy.types.Operator):
    """Export bodies, joints and shapes to another program's file format"""

    bl_idname = "omi.scene_export"
    bl_label = "Export Physics Scene"
    bl_options = {"PRESET"}

    filepath = StringProperty(subtype="FILE_PATH")
    check_existing = BoolProperty(default=True, options={"HIDDEN"})
    filter_glob = StringProperty(options={"HIDDEN"})
    suffix = StringProperty(options={"HIDDEN"})
    scope = EnumProperty(
        name="Objects",
        description="Which objects to export",
        items=(
            ("SCENE", "Scene", "All objects of the scene"),
            ("SELECTION", "Selection", "Selected objects and their children"),
            ("COLLECTION", "Active Collection", "Objects in the active collection"),
        ),
    )
    source = EnumProperty(
        name="Imported File",
        description="What to do with the text of the file that was imported",
        items=(
            ("keep", "Edit", "Change only edited values; keep the rest of the text"),
            ("new", "Write Anew", "Write a new file, without comments and unknown elements"),
        ),
    )
    names = EnumProperty(
        name="Names",
        description="Allowed names of links and joints",
        items=(
            ("any", "As They Are", "Any characters, including spaces"),
            ("ros", "ROS", "Letters, digits and underscores only"),
        ),
    )
    meshes = EnumProperty(
        name="Meshes",
        description="Format of the mesh files, which are written to a folder next to the file",
        items=(
            ("obj", "OBJ", "Full precision"),
            ("stl", "STL", "Smaller, single precision"),
            ("none", "None", "Only refer to meshes that already have files"),
        ),
    )
    package = StringProperty(
        name="Package",
        description=(
            "Name of the ROS package that contains the file; meshes are then referred to as "
            "package://NAME/meshes/…"
        ),
    )
    carry = BoolProperty(
        name="Keep Unsupported Data",
        description=(
            "Keep data that the format cannot express in elements that only this extension reads"
        ),
        default=True,
    )
    version = EnumProperty(
        name="Version",
        description="Dialect of the Shift file",
        items=(
            ("0.2", "0.2", "What most Shift files are in; it has no spherical joints"),
            ("2.0.0", "2.0.0", "With spherical joints"),
        ),
    )
    sdf_version = EnumProperty(
        name="Version",
        description="Version of SDFormat that the file is written in",
        items=(
            ("auto", "Automatic", "1.9, or 1.11 where a joint follows another"),
            ("1.9", "1.9", "Read by Gazebo Fortress and later; it has no mimics"),
            ("1.11", "1.11", "With joints that follow others"),
        ),
    )
    hard_limits = EnumProperty(
        name="Hard Limits",
        description="How to write hard limits, which Shift does not have",
        items=(
            ("carry", "Keep", "Keep them where only this extension reads them"),
            ("springs", "Stiff Springs", "Also write stiff springs, which Shift simulates"),
        ),
    )
    strict = BoolProperty(
        name="Refuse Changes",
        description="Do not write the file if anything would move or collide differently in it",
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        suffix = self.suffix or offered()[0].suffixes[0]
        proposed = Path(self.filepath or proposed_path(context))
        self.filepath = str(proposed.with_suffix(suffix))
        present(context.window_manager).fileselect_add(self)
        return {"RUNNING_MODAL"}

    def check(self, _context: bpy.types.Context) -> bool:
        """Keep the suffix of the format while the name is typed."""
        path = Path(self.filepath)
        if not self.suffix or not path.name or path.suffix.lower() == self.suffix:
            return False
        self.filepath = str(path.with_suffix(self.suffix))
        return True

    def draw(self, _context: bpy.types.Context) -> None:
        row = registry.format_for(Path(f"_{self.suffix}") if self.suffix else Path(self.filepath))
        draw_options(self, ("scope", *(row.writing_options if row else ()), "strict"))

    @drawn_afterwards
    def execute(self, context: bpy.types.Context) -> OperatorResult:
        path = Path(self.filepath)
        row = registry.format_for(path)
        if row is None or row not in offered():
            known = ", ".join(suffix for found in offered() for suffix in found.suffixes)
            return refused(
                self,
                "ERROR",
                "{path} is not in a format that can be exported ({known})",
                path=path.name,
                known=known,
            )
        try:
            return self._write(context, path, row)
        except (OutputError, UnwritableError) as error:
            return refused(self, "ERROR", error)

    def _write(self, context: bpy.types.Context, path: Path, row: Format) -> OperatorResult:
        options = {name: getattr(self, name) for name in row.writing_options}
        with without_collections():
            scene, findings, kept = self._scene(context, row)
            written = written_scene(row, scene, Target(path=path, options=options, kept=kept))
        changed = counted(written.losses).get(Kind.CHANGED, 0)
        is_refused = self.strict and changed > 0
        if not is_refused:
            _save(path, written)
        done = f"{path.name} was not written" if is_refused else f"Exported {path.name}"
        shown = (*findings, *written.findings)
        show_report(self, context, title=done, findings=shown, losses=written.losses)
        if is_refused:
            report(
                self,
                "ERROR",
                "{path} was not written: {count} changed values; turn off Refuse Changes",
                path=path.name,
                count=changed,
            )
        return {"CANCELLED"} if is_refused else {"FINISHED"}

    def _scene(
        self, context: bpy.types.Context, row: Format
    ) -> "tuple[PhysicsScene, list[Finding], Kept | None]":
        """Return the scene, or the part of it that is to be exported, and what it came from."""
        scene = present(context.scene)
        core, findings = scenes.reading.scene_to_core(
            scene, depsgraph=context.evaluated_depsgraph_get()
        )
        objects = list(scene.objects)
        if self.scope == "SCENE":
            core, kept = with_document(core, objects, scene.collection, row)
            return core, findings, kept
        wanted = set(self._wanted(context))
        numbers = [number for number, obj in enumerate(objects) if obj in wanted]
        part = part_of(core, len(objects), numbers)
        if self.scope == "SELECTION":
            # What is not selected is not deleted.
            return part, findings, None
        top = present(context.collection)
        part, kept = with_document(part, [objects[number] for number in numbers], top, row)
        return part, findings, kept

    def _wanted(self, context: bpy.types.Context) -> list[bpy.types.Object]:
        if self.scope == "COLLECTION":
            return list(present(context.collection).all_objects)
        selected = list(context.selected_objects)
        return [*selected, *(child for obj in selected for child in obj.children_recursive)]


def _save(path: Path, written: Written) -> None:
    """Write all files or none; Blender's dialog has asked about those that are there."""
    from ...io.contents import write_files

    with staged(path, force=True) as folder:
        write_files(folder, written.files)


def draw_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the formats in File > Export."""
    layout = present(self.layout)
    for row in offered():
        layout.operator_context = "INVOKE_DEFAULT"
        entry = layout.operator(OMI_OT_scene_export.bl_idname, text=title(row))
        entry.suffix, entry.filter_glob = row.suffixes[0], pattern((row,))


MENUS = (("TOPBAR_MT_file_export", draw_menu),)

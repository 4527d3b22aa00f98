"""File > Import for formats of physics scenes, and dropping their files into the viewport."""

from pathlib import Path

import bpy

from ... import authoring
from ...authoring.conditions import Explained, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.finding import Finding
from ...core.findings.sentence import Sentence
from ...declared import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from ...io import registry
from ...io.collector import without_collections
from ...io.formats.format import Format, Read, Source, UnreadableError
from ...translation import report
from .documents import earlier_import, merged_read, text_of_document
from .formats import draw_options, offered, pattern, title
from .report import show_report

_PACKAGE = "package"
_FOLDERS = (_PACKAGE, "folder")
"""Options that the dialog has as a list of folders."""


class OMI_OT_scene_import(Explained, bpy.types.Operator):
    """Import bodies, joints and shapes from another program's file format"""

    bl_idname = "omi.scene_import"
    bl_label = "Import Physics Scene"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filepath = StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    directory = StringProperty(subtype="DIR_PATH", options={"SKIP_SAVE", "HIDDEN"})
    files = CollectionProperty(
        type=bpy.types.OperatorFileListElement, options={"SKIP_SAVE", "HIDDEN"}
    )
    filter_glob = StringProperty(options={"HIDDEN"})
    base = EnumProperty(
        name="Base",
        description="Whether the root of a robot is static",
        items=(
            ("auto", "As in the File", "Fixed if the root link has no mass"),
            ("fixed", "Fixed", "The root link is a static body"),
            ("floating", "Floating", "The root link moves freely"),
        ),
    )
    nested = BoolProperty(
        name="Nest Bodies",
        description=(
            "Parent each body to the one that holds it, so that posing one moves the others; "
            "physics engines need bodies side by side"
        ),
    )
    bare_limits = EnumProperty(
        name="Bare Limits",
        description="Meaning of a URDF limit that has neither lower nor upper",
        items=(
            ("locked", "Locked", "From 0 to 0, as URDF specifies"),
            ("free", "Free", "No limit, as the author may have intended"),
        ),
    )
    stacked = EnumProperty(
        name="Stacked Joints",
        description="How to import several joints of one MJCF body",
        items=(
            ("chain", "Chain", "A joint each, with light bodies between them"),
            ("combine", "Combine", "One joint of hinges with a common anchor; not exact"),
        ),
    )
    planes = EnumProperty(
        name="Planes",
        description="How to import planes of an MJCF file",
        items=(
            ("keep", "Keep", "No shape; kept for exporting MJCF"),
            ("box", "Boxes", "Boxes 1 cm thick, 100 m wide where the plane is infinite"),
        ),
    )
    turn = EnumProperty(
        name="Gravity",
        description="Shift models whose gravity does not point down",
        items=(
            ("auto", "Turn Down", "Turn the model until gravity points down"),
            ("keep", "As in the File", "Keep the axes of the file"),
        ),
    )
    again = EnumProperty(
        name="Imported Before",
        description="What to do with the objects of an earlier import of the same file",
        items=(
            (
                "KEEP",
                "Update, Keep Edits",
                "Read changes of the file; keep your edits",
            ),
            ("DISCARD", "Update, Discard Edits", "Make the objects as the file has them"),
            ("NEW", "Import Again", "Make new objects beside them"),
        ),
    )
    packages = StringProperty(
        name="Folders",
        description=(
            "Folders beside that of the file that meshes and included files may be in: FOLDER, "
            "or NAME=FOLDER for a package of ROS, separated by semicolons"
        ),
    )

    conditions = (not_object_mode,)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        manager = present(context.window_manager)
        if self.files or self.filepath:
            # Dropped files: only the options are asked for.
            return manager.invoke_props_dialog(self)
        self.filter_glob = self.filter_glob or pattern(offered())
        manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self, _context: bpy.types.Context) -> None:
        shown = [name for row in self._formats() for name in row.reading_options]
        draw_options(
            self,
            (*(name for name in dict.fromkeys(shown) if name not in _FOLDERS), "packages", "again"),
        )

    def _formats(self) -> tuple[Format, ...]:
        """Return the formats that are being chosen from, or those of the files by their names."""
        chosen = tuple(row for row in offered() if self.filter_glob == pattern((row,)))
        paths = [self.filepath, *(item.name for item in self.files)]
        suffixes = {Path(path).suffix.lower() for path in paths}
        named = tuple(row for row in offered() if suffixes & {*row.suffixes})
        return chosen or named or offered()

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        paths = [Path(self.directory, item.name) for item in self.files if item.name]
        read = [found for path in paths or [Path(self.filepath)] for found in self._read(path)]
        findings: list[Finding] = []
        problems: list[str] = []
        objects: list[bpy.types.Object] = []
        for path, found in read:
            built = self._built(context, path, found)
            objects += built.objects
            findings += found.findings
            problems += built.problems
        if not read:
            return {"CANCELLED"}
        bodies = sum(len(found.scene.motions) for _, found in read)
        joints = sum(len(found.scene.joints) for _, found in read)
        authoring.selection.bring_into_view(objects)
        done = f"Imported {bodies} bodies and {joints} joints"
        show_report(self, context, title=done, findings=findings, problems=problems)
        return {"FINISHED"}

    def _built(
        self, context: bpy.types.Context, path: Path, found: Read
    ) -> "authoring.build.Built":
        """Make the objects of a scene, or update those of an earlier import of the file."""
        document = found.document
        earlier = None
        if document is not None and self.again != "NEW":
            earlier = earlier_import(present(context.scene), document)
        if earlier is None:
            built = authoring.build.build_scene(context, found.scene, name=found.name or path.stem)
        else:
            if self.again == "KEEP":
                found = merged_read(context, registry.format_of(path), found, earlier[0])
            built = authoring.documents.updated(context, found.scene, earlier[0])
        if found.document is not None:
            text = text_of_document(found.document, found.scene.name)
            authoring.documents.keep_document(built, found.scene, text)
        return built

    def _read(self, path: Path) -> list[tuple[Path, Read]]:
        """Return the scenes of a file; report why there are none."""
        packages = [text.strip() for text in self.packages.split(";") if text.strip()]
        named = (text.partition("=")[2] or text for text in packages)
        folders = tuple(path.parent / folder for folder in named)
        try:
            row = registry.format_of(path)
            if row not in offered():
                raise UnreadableError(
                    Sentence("is {label}; use Blender's own importer", label=row.label)
                )
            known = [name for name in row.reading_options if name not in _FOLDERS]
            options = {name: getattr(self, name) for name in known} | {_PACKAGE: packages}
            source = Source(path=path, options=options, folders=folders)
            with without_collections():
                return [(path, found) for found in row.read(source)]
        except UnreadableError as error:
            report(self, "ERROR", "{path} {error}", path=path.name, error=error)
            return []


class OMI_FH_scene(bpy.types.FileHandler):
    """Physics files dropped into a window"""

    bl_idname = "OMI_FH_scene"
    bl_label = "Physics Scene"
    bl_import_operator = OMI_OT_scene_import.bl_idname
    bl_file_extensions = ";".join(suffix for row in offered() for suffix in row.suffixes)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        area = context.area
        return area is not None and area.type in {"VIEW_3D", "OUTLINER"}


def draw_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the formats in File > Import."""
    for row in offered():
        entry = present(self.layout).operator(OMI_OT_scene_import.bl_idname, text=title(row))
        entry.filter_glob = pattern((row,))


MENUS = (("TOPBAR_MT_file_import", draw_menu),)

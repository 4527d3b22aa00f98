"""The class that Blender's own glTF importer looks up and calls.

Each hook is one guarded call of the parts that do the work.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from ...properties.gltf_options import options_of
from .animation_import import AnimationImport
from .body_import import BodyImport
from .document_import import ImportedDocument, has_physics, keep, set_gravity
from .document_json import READ
from .garbage import spare_collector
from .human_bones import mark_human_bones
from .joint_import import JointImport
from .report import EARLY_LOG, Guard, Report, caught
from .rules import OTHER_ADDON_LEFT_OUT
from .upstream import (
    OTHER_ADDON,
    import_scene,
    leave_out_other_addon,
    nodes_of,
    remove_imported,
    remove_own_extras,
    supported_extensions,
)

NodeHook = Callable[[Any, Any, Any], None]


class glTF2ImportUserExtension:
    """Reads physics; the importer makes one instance for all files of a run."""

    @caught
    def __init__(self) -> None:
        self.extensions: list[Any] = []
        """What files may require: the importer refuses to read those that require anything else."""
        with Report(EARLY_LOG).guard("glTF import"):
            self.extensions = supported_extensions(READ)
        self._document: ImportedDocument | None = None
        self._joints: JointImport | None = None
        self._bodies: BodyImport | None = None
        self._report: Report | None = None
        spare_collector()
        self.gather_import_node_before_hook: NodeHook | None = self._begin
        """Called for each node, as long as it is one."""

    @caught
    def gather_import_gltf_before_hook(self, importer: Any) -> None:
        """Start anew for a file, and read what it says of physics."""
        if self._report is not None:
            spare_collector()  # what the file before left
        self._document = self._joints = self._bodies = self._report = None
        self.gather_import_node_before_hook = self._begin
        with self._guard(importer) as report:
            if has_physics(importer):
                self._document = ImportedDocument(importer, report)

    def _leave_out_other_addon(self, importer: Any, report: Report) -> None:
        """Leave out another add-on that would read the same physics."""
        kept = leave_out_other_addon(importer.import_user_extensions)
        options = options_of(import_scene(importer))
        is_read = options.import_joints or options.import_bodies
        if is_read and len(kept) < len(importer.import_user_extensions):
            importer.import_user_extensions = kept
            report.add([OTHER_ADDON_LEFT_OUT(addon=OTHER_ADDON, action="read")])

    @caught
    def gather_import_scene_before_hook(self, scene: Any, _blender: Any, importer: Any) -> None:
        """Keep out what others leaked of our properties, and what would read physics, too."""
        with self._guard(importer) as report:
            remove_own_extras([scene])
            if self._document is not None:
                self._leave_out_other_addon(importer, report)

    @caught
    def _begin(self, _vnode: Any, _node: Any, importer: Any) -> None:
        """Turn frames before the first object is made; what follows needs no hook per node."""
        self.gather_import_node_before_hook = None
        with self._guard(importer):
            remove_own_extras(nodes_of(importer))
            if self._document is None:
                return
            options = options_of(import_scene(importer))
            if options.import_bodies:
                self._bodies = BodyImport(self._document.read)
                self._bodies.prepare(importer)
            if options.import_joints:
                self._joints = JointImport(self._document.read)
                self._joints.turn_frames(importer)

    @caught
    def gather_import_scene_after_nodes_hook(
        self, _scene: Any, _blender: bpy.types.Scene, importer: Any
    ) -> None:
        """Set bodies and joints, all objects being there."""
        with self._guard(importer):
            mark_human_bones(importer)
        if self._document is None:
            return
        with self._guard(importer):
            keep(import_scene(importer), self._document.read.physics)
        if self._bodies is not None:
            with self._guard(importer) as report:
                set_gravity(import_scene(importer), self._document.read.document, report)
            with self._guard(importer) as report:
                self._bodies.finish(importer, report)
        if self._joints is not None:
            with self._guard(importer) as report:
                self._joints.finish(importer, report)

    @caught
    def gather_import_scene_after_animation_hook(
        self, _scene: Any, _blender: bpy.types.Scene, importer: Any
    ) -> None:
        """Remove what only lent its mesh to shapes, and set the animations of joints."""
        if self._document is not None and self._document.mesh_nodes:
            with self._guard(importer):
                remove_imported(importer, self._document.mesh_nodes)
        if self._joints is not None:
            with self._guard(importer) as report:
                animations = AnimationImport(self._joints.owners, self._joints.objects)
                animations.finish(importer, report)
        if self._document is not None:
            with self._guard(importer) as report:
                report.keep(import_scene(importer), f"glTF import: {Path(importer.filename).name}")

    def _guard(self, importer: Any) -> Guard:
        if self._report is None:
            self._report = Report(importer.log)
        return self._report.guard("glTF import")

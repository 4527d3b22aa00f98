"""The class that Blender's own glTF exporter looks up and calls.

Each hook is one guarded call of the parts that do the work.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy

from ...properties.bones import BodyBone
from ...properties.gltf_options import OMI_PG_gltf_options, options_of
from ...properties.named_poses import poses_of
from ...properties.rigid_body import PREVIEW_TAG
from ...scene.constraints import constraints_left_out
from ...scene.rules import NOT_PLACED
from ...scene.watch import WATCH
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.kept import KeptObjects
from .animation_export import AnimationExport
from .body_animation import BodyAnimation
from .body_export import add_bodies
from .bones import loose_bones, written_bones
from .disabled_nodes import place_disabled
from .document_json import EXTENSIONS
from .frames import FrameNodes, hang_under_bodies, keep_below_skins
from .garbage import spare_collector
from .gathered import Gathered
from .joint_checks import excluded_joints, hidden_bodies, hidden_joints, report_checks
from .joint_export import JointExport
from .keyed_numbers import KeyedNumbers
from .physics_export import PhysicsExport
from .report import EARLY_LOG, Guard, Report, caught
from .rules import OTHER_ADDON_LEFT_OUT, POSES_LEFT_OUT
from .target_choice import is_for_godot
from .upstream import (
    OTHER_ADDON,
    ExportSettings,
    WrittenNode,
    hang_from_armature,
    keep_bones,
    keep_nodes,
    leave_out_other_addon,
    leave_out_previews,
    lost_places,
    place_nodes,
    remove_own_extras,
    tree_parents,
    written_nodes,
)
from .upstream_animation import drop_unpointed


class glTF2ExportUserExtension:
    """Writes physics; the exporter makes a new instance for each run."""

    @caught
    def __init__(self) -> None:
        with Report(EARLY_LOG).guard("glTF export"):
            WATCH.hide()
        spare_collector()
        self._report: Report | None = None
        self._scene: bpy.types.Scene | None = None
        """The first scene, which keeps the report."""
        self._parents: dict[str, str | None] = {}
        self._bones: dict[str, BodyBone] = {}
        """Bones of a scene that are bodies, by their nodes in the exporter's tree."""
        self._gathered = Gathered()
        self._joints = JointExport()
        self._animations: AnimationExport | None = None
        self._keyed_bodies: BodyAnimation | None = None
        self._dialects: set[str] = set()
        self._targets: set[str] = set()

    @caught
    def pre_export_hook(self, settings: ExportSettings) -> None:
        """Leave out another add-on that would write the same physics."""
        with self._guard(settings) as report:
            kept = leave_out_other_addon(settings["gltf_user_extensions"])
            options = map(options_of, bpy.data.scenes)
            if len(kept) < len(settings["gltf_user_extensions"]) and any(
                each.export_joints or each.export_bodies for each in options
            ):
                settings["gltf_user_extensions"] = kept
                report.add([OTHER_ADDON_LEFT_OUT(addon=OTHER_ADDON, action="write")])

    @caught
    def post_export_hook(self, settings: ExportSettings) -> None:
        """Keep what there was to say for the panel."""
        if self._scene is not None and self._gathered.nodes:
            with self._guard(settings) as report:
                report.keep(self._scene, f"glTF export: {Path(settings['gltf_filepath']).name}")

    @caught
    def vtree_before_filter_hook(self, tree: Any, settings: ExportSettings) -> None:
        """Place what is disabled; note the hierarchy that is flattened or is of collections."""
        with self._guard(settings):
            place_disabled(tree)
        flattens = settings["gltf_flatten_obj_hierarchy"]
        if flattens or settings["gltf_hierarchy_full_collections"]:
            with self._guard(settings):
                self._parents = tree_parents(tree)
        with self._guard(settings):
            self._bones = written_bones(tree, settings)
            if hang_from_armature(tree, loose_bones(self._bones, settings)):
                # Curves of bones are relative to the bones above.
                settings["gltf_force_sampling"] = True

    @caught
    def gather_tree_filter_tag_hook(self, tree: Any, settings: ExportSettings) -> None:
        """Leave out what the rigid body preview made, and no bone that is a body."""
        with self._guard(settings):
            keep_bones(tree, self._bones)
        if any(scene.get(PREVIEW_TAG) is not None for scene in bpy.data.scenes):
            with self._guard(settings):
                leave_out_previews(tree)

    @caught
    def gather_scene_hook(
        self, scene: Any, blender_scene: bpy.types.Scene, settings: ExportSettings
    ) -> None:
        """Write bodies onto the nodes of a scene and note its joints."""
        with self._guard(settings) as report:
            nodes = written_nodes(settings, scene, self._parents)
            report.add(NOT_PLACED(name) for name in lost_places(nodes))
            if settings["gltf_extras"]:
                remove_own_extras([scene, *(written.node for written in nodes)])
            collection = bpy.data.collections.get(settings["gltf_collection"] or "")
            options = options_of(collection or blender_scene)
            self._dialects |= options.dialects()
            self._targets.add(options.export_for)
            if options.export_bodies:
                add_bodies(self._gathered, nodes, blender_scene, settings, report)
                report.add(hidden_bodies(_offered(blender_scene, settings), nodes))
            if options.export_joints:
                self._add_joints(nodes, blender_scene, options, settings, report)
            self._scene = self._scene or blender_scene

    def _add_joints(
        self,
        nodes: list[WrittenNode],
        scene: bpy.types.Scene,
        options: OMI_PG_gltf_options,
        settings: ExportSettings,
        report: Report,
    ) -> None:
        report.add(excluded_joints(scene))
        if names := ", ".join(pose.name for pose in poses_of(scene).poses):
            report.add([POSES_LEFT_OUT(names=names)])
        frames = self._joints.add_scene(nodes, options.dialects(), report)
        if _is_limited(settings):
            report.add(hidden_joints(scene.objects, nodes))
        self._gathered.kept |= KeptObjects(joints=options_of(scene).joints_carried)
        if any(written.node.skin is not None for written in nodes):
            keep_below_skins(frames, settings)
        if self._parents:
            hang_under_bodies(frames, settings)
        if options.export_constraints:
            from .constraint_export import add_constraints  # here, since few are asked for

            add_constraints(self._joints, nodes, settings, report)
        else:
            written = {written.obj for written in nodes}
            report.add(constraints_left_out(scene, written))
        report_checks(nodes, scene, self._joints.reader, report)

    @caught
    def gather_gltf_hook(
        self, _scene: int, _scenes: list[Any], animations: list[Any], settings: ExportSettings
    ) -> None:
        """Give attachment frames their nodes, the animations being known."""
        with self._guard(settings) as report:
            frames = FrameNodes(settings, animations, report)
            self._joints.place_frames(frames, self._gathered, report)
        if self._scene is not None and settings["gltf_animations"]:
            dialects = [Dialect(name) for name in self._dialects]
            numbers = KeyedNumbers(self._scene, settings)
            with self._guard(settings) as report:
                self._animations = AnimationExport(animations, numbers, dialects)
                self._animations.add(self._joints.animated(), report)
            with self._guard(settings) as report:
                is_z_up = not settings["gltf_yup"]
                self._keyed_bodies = BodyAnimation(animations, numbers, is_z_up=is_z_up)
                self._keyed_bodies.add(self._gathered.animated, dialects, report)
        with self._guard(settings):
            if settings["gltf_gpu_instances"]:
                keep_nodes(self._gathered.nodes)

    @caught
    def gather_gltf_extensions_hook(self, document: Any, settings: ExportSettings) -> None:
        """Write what refers to nodes by index, the list of nodes being final."""
        if not self._gathered.nodes:
            return
        with self._guard(settings) as report:
            path = Path(settings["gltf_filepath"])
            for_godot = is_for_godot(self._targets, self._dialects, path, report)
            PhysicsExport(
                self._gathered,
                self._dialects,
                is_for_godot=for_godot,
                is_z_up=not settings["gltf_yup"],
                report=report,
            ).write(document)
            if for_godot and self._animations is not None:
                self._animations.leave_out(report)
            else:
                self._point(document)
        with self._guard(settings):
            place_nodes(document)
        with self._guard(settings):
            # Also those of what a fault left out: a channel without its target is invalid.
            drop_unpointed(document)

    def _point(self, document: Any) -> None:
        """Have the channels of animations point at what is in the document."""
        for each in (self._animations, self._keyed_bodies):
            if each is not None:
                each.point(document)

    @caught
    def passthrough_extension_data(
        self, names: list[str], _document: Any, _settings: ExportSettings
    ) -> None:
        """Have Blender 5.2 write physics as it is; 4.5 drops nulls and empty objects from it."""
        names.extend(EXTENSIONS)

    def _guard(self, settings: ExportSettings) -> Guard:
        if self._report is None:
            self._report = Report(settings["log"])
        return self._report.guard("glTF export")


def _is_limited(settings: ExportSettings) -> bool:
    return bool(settings["gltf_visible"] or settings["gltf_renderable"])


def _offered(scene: bpy.types.Scene, settings: ExportSettings) -> Sequence[bpy.types.Object]:
    """Return the objects of an export of visible ones that are exported unless they are hidden."""
    is_other = settings["gltf_collection"] or settings["gltf_active_collection"]
    if is_other or not _is_limited(settings):
        return ()
    return [obj for obj in scene.objects if obj.select_get() or not settings["gltf_selected"]]

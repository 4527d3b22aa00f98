"""Findings of the checks: going to what one is about, and fixing it."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, StringProperty

from ...authoring.conditions import Explained, locked, no_selected_joint, not_object_mode
from ...authoring.context import present
from ...authoring.fixes import FixError, fix, object_of
from ...authoring.turning import turn_frames, turn_problem
from ...core.engines.engines import ENGINES
from ...core.findings.finding import Finding, rules
from ...core.rewrite.portable import portable
from ...properties.joint import SettingsCycleError, joint_data, settings_owner
from ...scene.checks import live_checks
from ...scene.structure import joint_objects
from ..joint.select import select_only

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

_ROUNDS = 8
"""Fixing one thing can bring up another, which must come to an end."""


class FindingOperator(Explained):
    """Operator on one finding."""

    conditions = (not_object_mode,)
    if TYPE_CHECKING:
        code: str
        place: str
        part: str
    else:
        code: StringProperty(name="Rule", options={"SKIP_SAVE"})
        place: StringProperty(name="Object", options={"SKIP_SAVE"})
        part: StringProperty(name="Limit or Drive", options={"SKIP_SAVE"})

    def named(self) -> Finding:
        """Return the finding that the properties name."""
        return Finding(rules()[self.code], self.place, "", self.part)


class OMI_OT_check_select(FindingOperator, bpy.types.Operator):
    """Select the object that this is about and bring it into view"""

    bl_idname = "omi.check_select"
    bl_label = "Go to Finding"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        obj = object_of(context, self.place)
        if obj is None:
            self.report({"ERROR"}, f"There is no object {self.place!r}")
            return {"CANCELLED"}
        if not select_only(context, [obj]):
            self.report({"WARNING"}, f"{self.place} is hidden or not in this view layer")
            return {"CANCELLED"}
        if isinstance(context.space_data, bpy.types.SpaceView3D) and context.region_data:
            _frame(context.region_data, obj)
        return {"FINISHED"}


class OMI_OT_check_fix(FindingOperator, bpy.types.Operator):
    """Fix this"""

    bl_idname = "omi.check_fix"
    bl_label = "Fix Finding"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        rule = rules().get(properties.code)
        return rule.reason.rstrip(".") if rule else ""

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        if self.code not in rules():
            self.report({"ERROR"}, f"There is no rule {self.code!r}")
            return {"CANCELLED"}
        try:
            fix(context, self.named())
        except (FixError, SettingsCycleError) as error:
            self.report({"ERROR"}, f"Cannot fix {self.place}: {error}")
            return {"CANCELLED"}
        _changed(context)
        return {"FINISHED"}


class OMI_OT_check_fix_safe(Explained, bpy.types.Operator):
    """Fix everything whose fix changes nothing of what the joints mean"""

    bl_idname = "omi.check_fix_safe"
    bl_label = "Fix All Safe Ones"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        fixed, failed = 0, dict[str, str]()
        for _ in range(_ROUNDS):
            found = _one_of_each_list(
                live_checks(present(context.scene)).findings(present(context.scene))
            )
            waiting = [item for item in found if item.place + item.code not in failed]
            for item in waiting:
                try:
                    fix(context, item)
                    fixed += 1
                except (FixError, SettingsCycleError) as error:
                    failed[item.place + item.code] = f"Cannot fix {item.place}: {error}"
            if not waiting:
                break
            _changed(context)
        for problem in failed.values():
            self.report({"WARNING"}, problem)
        self.report({"INFO"}, f"Fixed {fixed} findings")
        return {"FINISHED"} if fixed else {"CANCELLED"}


class OMI_OT_joint_portable_make(Explained, bpy.types.Operator):
    """Turn frames and split limits so that an engine understands the joints, which mean the same"""

    bl_idname = "omi.joint_portable_make"
    bl_label = "Make Portable"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (not_object_mode, no_selected_joint)
    if TYPE_CHECKING:
        engine: str
    else:
        engine: EnumProperty(
            name="Engine",
            description="Engine that the joints are for",
            items=tuple(
                (engine.name.upper(), engine.label, engine.description)
                for engine in ENGINES.values()
            ),
            default="GODOT",
        )

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        selected = [obj for obj in joint_objects(context.selected_objects) if not locked(obj)]
        owners = dict.fromkeys(settings_owner(obj) for obj in selected)
        changed = [owner for owner in owners if self._rewrite(context, owner)]
        if not changed:
            self.report({"INFO"}, "Nothing had to be changed")
            return {"CANCELLED"}
        _changed(context)
        return {"FINISHED"}

    def _rewrite(self, context: bpy.types.Context, owner: bpy.types.Object) -> bool:
        """Rewrite the settings of one joint and turn the frames of all joints that share them."""
        data = joint_data(owner)
        result = portable(data.settings_to_core(), ENGINES[self.engine.lower()])
        if not result.steps:
            return False
        sharing = [
            obj for obj in joint_objects(present(context.blend_data).objects) if _uses(obj, owner)
        ]
        if result.is_turned:
            problem = next(filter(None, (turn_problem(obj) for obj in sharing)), None)
            if problem:
                self.report({"WARNING"}, f"{owner.name} stays as it is: {problem}")
                return False
            for obj in sharing:
                turn_frames(context, obj, result.turn)
        data.settings_from_core(result.settings)
        self.report({"INFO"}, f"{owner.name}: {'; '.join(result.steps)}")
        return True


def _uses(obj: bpy.types.Object, owner: bpy.types.Object) -> bool:
    try:
        return settings_owner(obj) == owner
    except SettingsCycleError:
        return False


def _one_of_each_list(findings: list[Finding]) -> list[Finding]:
    """Return safe findings, of the limits or drives of one joint only one: its fix moves others."""
    chosen: dict[tuple[str, str, str], Finding] = {}
    for item in findings:
        if item.rule.is_safe:
            kind = item.part.rpartition("/")[0]
            chosen.setdefault((item.place, kind, "" if kind else item.code), item)
    return list(chosen.values())


def _changed(context: bpy.types.Context) -> None:
    """Bring world matrices and live checks up to date after a change."""
    present(context.view_layer).update()
    live_checks(present(context.scene)).note(None)


def _frame(view: bpy.types.RegionView3D, obj: bpy.types.Object) -> None:
    """Bring an object into the middle of a view, at a distance that shows what is around it."""
    extent = obj.dimensions
    size = obj.empty_display_size if obj.type == "EMPTY" else max(extent[0], extent[1], extent[2])
    view.view_location = obj.matrix_world.translation
    view.view_distance = max(6.0 * size, 0.1)


CLASSES = (
    OMI_OT_check_select,
    OMI_OT_check_fix,
    OMI_OT_check_fix_safe,
    OMI_OT_joint_portable_make,
)

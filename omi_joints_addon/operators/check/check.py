"""Findings of the checks: going to what one is about, and fixing it."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import bpy

from ... import authoring
from ... import scene as scenes
from ...authoring.conditions import Explained, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.finding import Finding
from ...core.findings.fix import Fix
from ...core.findings.sentence import Sentence
from ...declared import StringProperty
from ...properties.joint import SettingsCycleError
from ...scene.findings import settled_findings
from ...translation import refused, report

_ROUNDS = 8
"""Fixing one thing can bring up another, which must come to an end."""


class FindingOperator(Explained):
    """Operator on one finding."""

    conditions = (not_object_mode,)
    code = StringProperty(name="Rule", options={"SKIP_SAVE"})
    place = StringProperty(name="Object", options={"SKIP_SAVE"})
    part = StringProperty(name="Limit or Drive", options={"SKIP_SAVE"})


class OMI_OT_check_select(FindingOperator, bpy.types.Operator):
    """Select the object of this finding and bring it into view"""

    bl_idname = "omi.check_select"
    bl_label = "Go to Finding"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        obj = authoring.fixes.object_of(context, self.place)
        if obj is None:
            return refused(self, "ERROR", "The object {place!r} does not exist", place=self.place)
        if not authoring.selection.select_only(context, [obj]):
            return refused(
                self, "WARNING", "{place} is hidden or not in this view layer", place=self.place
            )
        if isinstance(context.space_data, bpy.types.SpaceView3D) and context.region_data:
            _frame(context.region_data, obj)
        return {"FINISHED"}


class FixOperator(FindingOperator):
    """Does what can be done about a finding, or about all of its rule where none is named."""

    bl_options: Any = {"REGISTER", "UNDO", "INTERNAL"}
    if TYPE_CHECKING:
        how: Fix

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Return what the fix does, and why; Blender adds a period."""
        rule = scenes.checks.rule_of(properties.code)
        texts = (cls.how.description, rule.reason.rstrip(".") if rule else "")
        return ". ".join(filter(None, texts))

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            rule = scenes.checks.rule_of(self.code)
            if rule is None or rule.fix != self.how:
                wrong = {"fix": self.how.label, "code": self.code}
                raise authoring.fixes.FixError(
                    Sentence("{fix} is not the fix of {code!r}", **wrong)
                )
            if not self.place:
                return _fix_all(self, context, lambda found: found.code == self.code)
            authoring.fixes.fix(context, Finding(rule, self.place, "", self.part))
        except (authoring.fixes.FixError, SettingsCycleError) as error:
            return refused(
                self, "ERROR", "Cannot fix {place}: {error}", place=self.place, error=error
            )
        _changed(context)
        return {"FINISHED"}


def fix_operator(how: Fix) -> str:
    """Return the operator of a fix; there is one for each, since undo steps are named after it."""
    return f"omi.check_fix_{how}"


def _fix_class(how: Fix) -> type:
    """Return the class of the operator of a fix."""
    fields = {
        "bl_idname": fix_operator(how),
        "bl_label": how.label,
        "__doc__": how.description,
        "how": how,
    }
    return type(f"OMI_OT_check_fix_{how}", (FixOperator, bpy.types.Operator), fields)


class OMI_OT_check_fix_safe(Explained, bpy.types.Operator):
    """Fix all findings whose fix does not change the meaning of the joints"""

    bl_idname = "omi.check_fix_safe"
    bl_label = "Fix All (Safe)"
    conditions = (not_object_mode,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        return _fix_all(self, context, lambda found: found.rule.is_safe)


def _fix_all(
    operator: Any,
    context: bpy.types.Context,
    is_wanted: Callable[[Finding], bool],
) -> OperatorResult:
    """Fix the findings that are wanted, and those of them that fixes bring up."""
    fixed, failed = 0, dict[str, str]()
    for _ in range(_ROUNDS):
        found = _one_of_each_list(filter(is_wanted, settled_findings(present(context.scene))))
        waiting = [item for item in found if item.place + item.code not in failed]
        objects = authoring.fixes.objects_by_name(context) if waiting else {}
        for item in waiting:
            try:
                authoring.fixes.fix(context, item, objects)
                fixed += 1
            except (authoring.fixes.FixError, SettingsCycleError) as error:
                text = "Cannot fix {place}: {error}"
                failed[item.place + item.code] = Sentence(text, place=item.place, error=error)
        if not waiting:
            break
        _changed(context)
    for problem in failed.values():
        report(operator, "WARNING", problem)
    report(operator, "INFO", "Fixed {fixed} findings", fixed=fixed)
    return {"FINISHED"} if fixed else {"CANCELLED"}


def _one_of_each_list(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, of the limits or drives of one joint only one: its fix moves others."""
    chosen: dict[tuple[str, str, str], Finding] = {}
    for item in findings:
        kind = item.part.rpartition("/")[0]
        chosen.setdefault((item.place, kind, "" if kind else item.code), item)
    return list(chosen.values())


def _changed(context: bpy.types.Context) -> None:
    """Bring world matrices up to date after a change."""
    present(context.view_layer).update()


def _frame(view: bpy.types.RegionView3D, obj: bpy.types.Object) -> None:
    """Bring an object into the middle of a view, at a distance that shows what is around it."""
    extent = obj.dimensions
    size = obj.empty_display_size if obj.type == "EMPTY" else max(extent[0], extent[1], extent[2])
    view.view_location = obj.matrix_world.translation
    view.view_distance = max(6.0 * size, 0.1)


CLASSES = tuple(map(_fix_class, Fix))

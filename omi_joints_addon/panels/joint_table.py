"""The table of the joints of a scene: what can be edited in place, sorted and filtered."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty

from ..core.findings.finding import Severity
from ..core.meaning.presets import settings_label
from ..properties.joint import joint_data
from ..scene.findings import known_findings
from ..scene.structure import settings_of
from ..scene.watch import live_scene
from .joint_list import JointFilter, draw_ranges, state_icon
from .rows import Rows


class OMI_UL_joint_table(JointFilter, Rows, bpy.types.UIList):
    """Joints of a scene with what can be edited in place"""

    if TYPE_CHECKING:
        sort_by: str
        problems_only: bool
    else:
        sort_by: EnumProperty(
            name="Sort By",
            description="Order of the joints",
            items=(
                ("SCENE", "Scene", "As Blender lists the objects"),
                ("NAME", "Name", "By name"),
                ("KIND", "Kind", "By the kind of joint, then by name"),
                ("STATE", "State", "Joints with errors first, then those with warnings"),
            ),
            options={"SKIP_SAVE"},
        )
        problems_only: BoolProperty(
            name="Problems",
            description="Only list joints with errors or warnings",
            options={"SKIP_SAVE"},
        )

    def draw_row(self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any) -> None:
        settings = settings_of(item)
        split = layout.split(factor=0.32)
        split.prop(item, "name", text="", emboss=False, icon=state_icon(item, context))
        split = split.split(factor=0.22)
        if settings is None:
            split.label(text="")
            return
        split.label(
            text=settings_label(settings.settings_to_core()),
            icon="LINKED" if joint_data(item).settings_source else "NONE",
        )
        draw_ranges(split, settings)

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        row = layout.row(align=True)
        row.prop(self, "filter_name", text="", icon="VIEWZOOM")
        row.prop(self, "use_filter_invert", text="", icon="ARROW_LEFTRIGHT")
        row.separator()
        row.prop(self, "problems_only", toggle=True)
        row.separator()
        row.prop(self, "sort_by", expand=True)
        row.prop(self, "use_filter_sort_reverse", text="", icon="SORT_DESC")

    def filter_items(
        self,
        context: bpy.types.Context,
        data: Any,
        property: Any,  # noqa: A002
    ) -> Any:
        """Return which joints are listed, by name, kind or state, and in which order."""
        options: Any = self
        flags, _ = JointFilter.filter_items(options, context, data, property)
        objects = getattr(data, property)
        if options.problems_only:
            grave = _severities(data)
            kept = [obj.name in grave for obj in objects]
            # Blender inverts afterwards, which must not show what has no problem.
            other = options.bitflag_filter_item if options.use_filter_invert else 0
            flags = [flag if keep else other for flag, keep in zip(flags, kept, strict=True)]
        keys = _sort_keys(options.sort_by, data)
        return flags, [] if keys is None else _order(keys)


def _sort_keys(sort_by: str, scene: bpy.types.Scene) -> list[Any] | None:
    """Return what the objects of a scene are sorted by, None for their own order."""
    names = [name.casefold() for name in scene.objects.keys()]  # noqa: SIM118 - not a dictionary
    if sort_by == "NAME":
        return names
    if sort_by == "KIND":
        records = live_scene(scene).records
        joints = [record.joint for record in records]
        kinds = ["" if joint is None else settings_label(joint.settings) for joint in joints]
        return list(zip(kinds, names, strict=True))
    if sort_by == "STATE":
        grave, order = _severities(scene), list(Severity)
        found = (grave.get(name) for name in scene.objects.keys())  # noqa: SIM118
        ranks = [len(order) if each is None else order.index(each) for each in found]
        return list(zip(ranks, names, strict=True))
    return None


def _severities(scene: bpy.types.Scene) -> dict[str, Severity]:
    """Return the gravest known problem of each object that has one, by name."""
    grave: dict[str, Severity] = {}
    for item in known_findings(scene):
        if item.severity == Severity.ERROR:
            grave[item.place] = item.severity
        elif item.severity == Severity.WARNING:
            grave.setdefault(item.place, item.severity)
    return grave


def _order(keys: Iterable[Any]) -> list[int]:
    """Return the place of each item when sorted by its key."""
    ranked = sorted(enumerate(keys), key=lambda pair: pair[1])
    places = {number: place for place, (number, _) in enumerate(ranked)}
    return [places[number] for number in range(len(ranked))]


CLASSES = (OMI_UL_joint_table,)

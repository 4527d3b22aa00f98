"""What the last import or export of a scene had to say, for its panel: `Scene.omi_report`."""

import bpy

from ..declared import CollectionProperty, IntProperty, StringProperty


class OMI_PG_report_line(bpy.types.PropertyGroup):
    """One finding, loss or problem."""

    kind = StringProperty(
        name="Kind", description="Severity of a finding, or what became of something"
    )
    place = StringProperty(name="Object", description="Name of the object that it is about")
    noun = StringProperty(name="About", description="Rule of a finding, or what was lost")
    text = StringProperty(name="Message", description="What happened")


class OMI_PG_report(bpy.types.PropertyGroup):
    """All of one import or export."""

    title = StringProperty(name="Report", description="What was imported or exported")
    lines = CollectionProperty(type=OMI_PG_report_line)
    active = IntProperty(name="Line", description="Line that is shown in full", min=0)

    def clear(self, title: str) -> None:
        """Begin a new report."""
        self.title, self.active = title, 0
        self.lines.clear()

    def add(self, kind: str, text: str, *, place: str = "", noun: str = "") -> None:
        """Add a line."""
        line = self.lines.add()
        line.kind, line.place, line.noun, line.text = kind, place, noun, text

    def __str__(self) -> str:
        """Return all lines as text."""
        parts = ((each.kind, each.place, each.noun, each.text) for each in self.lines)
        return "".join(": ".join(filter(None, line)) + "\n" for line in parts)


def report_data(scene: bpy.types.Scene) -> OMI_PG_report:
    """Return the report of a scene."""
    data: OMI_PG_report = scene.omi_report  # type: ignore[attr-defined]
    return data

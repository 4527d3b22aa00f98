"""Formats that File > Import and Export offer: those that Blender itself has no importer for."""

from collections.abc import Iterable

import bpy

from ...authoring.context import present
from ...io import registry
from ...io.formats.format import Format

_BLENDERS_OWN = frozenset(("blend", "gltf", "usd"))
"""Formats whose physics goes through Blender's own importers and exporters."""

_ROBOTS = frozenset(("urdf", "mjcf", "sdf"))
"""Formats that robots are described in: searched for by that word."""


def offered() -> tuple[Format, ...]:
    """Return the formats to offer."""
    return tuple(row for row in registry.FORMATS if row.name not in _BLENDERS_OWN)


def pattern(rows: tuple[Format, ...]) -> str:
    """Return the file names of formats, as Blender's file browser filters them."""
    return ";".join(f"*{suffix}" for row in rows for suffix in row.suffixes)


def title(row: Format) -> str:
    """Return what a menu calls a format."""
    kind = " Robot" if row.name in _ROBOTS else ""
    return f"{row.label}{kind} ({'/'.join(row.suffixes)})"


GROUPS = {
    "Scene": ("scope", "base", "nested", "names", "version", "sdf_version"),
    "Physics": ("bare_limits", "stacked", "planes", "turn", "hard_limits"),
    "Files": ("meshes", "package", "packages"),
    "Imported Before": ("source", "again"),
    "What Does Not Fit": ("carry", "strict"),
}
"""Options of all formats below the headings that dialogs show."""


def draw_options(operator: bpy.types.Operator, names: Iterable[str]) -> None:
    """Draw properties of an operator in its dialog, in groups."""
    layout, wanted = present(operator.layout), set(names)
    layout.use_property_split = True
    layout.use_property_decorate = False
    for heading, group in GROUPS.items():
        shown = [name for name in group if name in wanted]
        column = layout.column()
        if shown:
            column.label(text=heading)
        for name in shown:
            column.prop(operator, name)

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


def draw_options(operator: bpy.types.Operator, names: Iterable[str]) -> None:
    """Draw properties of an operator in its dialog."""
    layout = present(operator.layout)
    layout.use_property_split = True
    layout.use_property_decorate = False
    for name in names:
        layout.prop(operator, name)

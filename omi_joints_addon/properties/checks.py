"""Which findings the panel of checks shows: `Scene.omi_checks`."""

from typing import TYPE_CHECKING

import bpy

from ..core.engines.names import CHOICES
from ..declared import BoolProperty, EnumProperty

if TYPE_CHECKING:
    from ..core.engines.engine import Engine
    from ..core.findings.finding import Severity


class OMI_PG_checks(bpy.types.PropertyGroup):
    """Which findings are shown, and for which engine."""

    show_error = BoolProperty(
        name="Errors", description="Show problems that keep joints from working", default=True
    )
    show_warning = BoolProperty(
        name="Warnings",
        description="Show issues that can cause surprises in an engine",
        default=True,
    )
    show_info = BoolProperty(
        name="Notes", description="Show notes that are good to know", default=False
    )
    use_engine = BoolProperty(
        name="Check for Engine",
        description="Also show which joint features an engine does not support",
    )
    engine = EnumProperty(
        name="Engine",
        description="Target engine of the joints",
        items=CHOICES,
        default="GODOT",
    )

    def target(self) -> "Engine":
        """Return the engine that the joints are for."""
        # Reports are loaded when one is asked for.
        from ..core.engines.engines import ENGINES

        return ENGINES[self.engine.lower()]

    def shows(self, severity: "Severity") -> bool:
        """Return whether findings of a severity are shown."""
        return bool(getattr(self, f"show_{severity}"))


def checks_options(scene: bpy.types.Scene) -> OMI_PG_checks:
    """Return which findings of a scene are shown."""
    options: OMI_PG_checks = scene.omi_checks  # type: ignore[attr-defined]
    return options

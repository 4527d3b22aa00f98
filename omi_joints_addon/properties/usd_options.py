"""How Blender's USD export and import handle physics: `Scene.omi_usd`.

Their dialogs have no room for options of others, so these are in the properties of the scene.
"""

import bpy

from ..declared import BoolProperty, EnumProperty, StringProperty


class OMI_PG_usd_options(bpy.types.PropertyGroup):
    """Options for files that Blender's own USD exporter and importer write and read."""

    export_physics = BoolProperty(
        name="Export Physics",
        description="Write bodies, colliders and joints (UsdPhysics) into USD files",
        default=True,
    )
    import_physics = BoolProperty(
        name="Import Physics",
        description="Read bodies, colliders and joints (UsdPhysics) from USD files",
        default=True,
    )
    nesting = EnumProperty(
        name="Bodies",
        description="How to write bodies that are parented to bodies",
        items=(
            ("NESTED", "As Parented", "Bodies below bodies, as the objects are", 0),
            (
                "RESET",
                "Reset",
                "Bodies below bodies, but placed in the world (!resetXformStack!), for "
                "programs older than OpenUSD 25.11; Blender's importer ignores it",
                1,
            ),
            (
                "FLAT",
                "Side by Side",
                "No body below another, for programs that do not know nested bodies; objects "
                "stay parented, and animated ones stay nested in the file",
                2,
            ),
        ),
    )
    physx = BoolProperty(
        name="PhysX",
        description=(
            "Write additional data for PhysX: soft limits, no damping of its own, bodies "
            "without gravity"
        ),
        default=True,
    )
    imported = StringProperty(options={"HIDDEN"})


def usd_options(scene: bpy.types.Scene) -> OMI_PG_usd_options:
    """Return the options of a scene."""
    options: OMI_PG_usd_options = scene.omi_usd  # type: ignore[attr-defined]
    return options

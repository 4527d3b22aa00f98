"""The hook that Blender's own USD exporter and importer call, where Blender has USD."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import bpy

from ..collector import without_collections

_BASE: Any = getattr(bpy.types, "USDHook", object)


class OMI_USD_hook(_BASE):  # type: ignore[misc]
    """Physics joints and bodies (UsdPhysics) in USD files."""

    bl_idname = "OMI_USD_hook"
    bl_label = "OMI Physics Joints"
    bl_description = "Writes and reads bodies, colliders and joints (UsdPhysics)"

    @staticmethod
    def on_export(context: Any) -> bool:
        """Write physics onto the stage; always True, since the file is written by now."""
        from .report import UsdReport

        scene = context.get_depsgraph().scene
        with UsdReport(scene, "USD export") as report, without_collections():
            from .stage_export import export_physics

            export_physics(context, scene, report)
        return True

    @staticmethod
    def on_import(context: Any) -> bool:
        """Read physics from the stage onto the objects that were made of it."""
        from .report import UsdReport

        # Blender tells the hook no scene; its importer puts objects into that of the context.
        scene = bpy.context.scene  # noqa: TID251
        if scene is None:
            return True
        with UsdReport(scene, "USD import") as report, without_collections():
            from .stage_import import import_physics

            import_physics(context, scene, report)
        return True


def problem() -> str:
    """Return why physics is not in Blender's USD files, empty where it is.

    A hook without OpenUSD's Python modules, or with those of another build, would end Blender.
    """
    if not hasattr(bpy.types, "USDHook"):
        return "This Blender was built without USD"
    loaded = sys.modules.get("pxr")
    if loaded is not None:
        return "" if _is_blenders(Path(loaded.__file__ or "")) else "Another OpenUSD is loaded"
    bpy.utils.expose_bundled_modules()
    found = importlib.util.find_spec("pxr")
    if found is None or found.origin is None:
        return "This Blender does not include OpenUSD's Python modules"
    return "" if _is_blenders(Path(found.origin)) else "Another OpenUSD comes first"


def _is_blenders(file: Path) -> bool:
    """Return whether a module belongs to this Blender, be it a program or a module."""
    # The file of bpy is four folders below that of the release, which has a Python of its own.
    homes = [Path(bpy.__file__).parents[3]]
    if not bpy.app.module:
        homes.append(Path(sys.prefix))
    return any(home in file.parents for home in homes)


def attach() -> None:
    """Register the hook where Blender can call it."""
    if not problem():
        bpy.utils.register_class(OMI_USD_hook)


def detach() -> None:
    """Remove the hook; Blender 4.5 as a module hangs at exit while one is registered."""
    if getattr(OMI_USD_hook, "is_registered", False):
        bpy.utils.unregister_class(OMI_USD_hook)

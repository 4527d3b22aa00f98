"""Author, preview and exchange physics joints (OMI_physics_joint) in Blender.

Imports no Blender module, so that `omi_joints_addon.core` and `omi_joints_addon.io.formats` work in
any Python.
"""

from typing import Any


def register() -> None:
    """Register every part of the extension."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Remove every part of the extension."""
    from . import registration

    registration.unregister()


def __getattr__(name: str) -> Any:
    """Return the glTF hook classes, which io_scene_gltf2 looks up by name on this module."""
    if name == "glTF2ExportUserExtension":
        from .io.gltf.export_hooks import glTF2ExportUserExtension

        return glTF2ExportUserExtension
    if name == "glTF2ImportUserExtension":
        from .io.gltf.import_hooks import glTF2ImportUserExtension

        return glTF2ImportUserExtension
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

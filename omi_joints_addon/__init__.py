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
    if name in {"glTF2ExportUserExtension", "glTF2ImportUserExtension"}:
        from .io.gltf import hooks as gltf_hooks

        return getattr(gltf_hooks, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

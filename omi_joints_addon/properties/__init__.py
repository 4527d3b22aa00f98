"""Blender data of joints and bodies: the public contract of scripts and other tools."""

from typing import Any

import bpy

from . import (
    active_ragdoll,
    body,
    checks,
    colors,
    coupling,
    gltf_options,
    joint,
    joint_attributes,
    joint_position,
    joint_settings,
    named_poses,
    overlay,
    overridable,
    pose,
    preview,
    report,
    shape,
    surface,
    usd_options,
    usd_origin,
    window,
)

MODULES = (
    active_ragdoll,
    coupling,
    joint_attributes,
    joint_settings,
    joint,
    joint_position,
    shape,
    surface,
    body,
    checks,
    overlay,
    colors,
    named_poses,
    pose,
    preview,
    gltf_options,
    usd_options,
    usd_origin,
    window,
    report,
)

_GROUPS: tuple[tuple[Any, str, type[bpy.types.PropertyGroup]], ...] = (
    (bpy.types.Collection, "omi_gltf", gltf_options.OMI_PG_gltf_options),
    (bpy.types.Object, "omi_active_ragdoll", active_ragdoll.OMI_PG_active_ragdoll),
    (bpy.types.Object, "omi_body", body.OMI_PG_body),
    (bpy.types.Object, "omi_joint", joint.OMI_PG_joint),
    (bpy.types.Object, "omi_position", joint_position.OMI_PG_position_values),
    (bpy.types.PoseBone, "omi_body", body.OMI_PG_body),
    (bpy.types.Object, "omi_usd", usd_origin.OMI_PG_usd_origin),
    (bpy.types.Scene, "omi_checks", checks.OMI_PG_checks),
    (bpy.types.Scene, "omi_gltf", gltf_options.OMI_PG_gltf_options),
    (bpy.types.Scene, "omi_report", report.OMI_PG_report),
    (bpy.types.Scene, "omi_overlay", overlay.OMI_PG_scene_overlay),
    (bpy.types.Scene, "omi_poses", named_poses.OMI_PG_named_poses),
    (bpy.types.Scene, "omi_usd", usd_options.OMI_PG_usd_options),
    (bpy.types.Scene, "omi_physics", surface.OMI_PG_physics_scene),
    (bpy.types.WindowManager, "omi_pose", pose.OMI_PG_pose),
    (bpy.types.WindowManager, "omi_preview", preview.OMI_PG_preview),
)
"""Property groups on Blender's types: owner, name, group."""


def property_names() -> set[str]:
    """Return the names of the property groups on Blender's types."""
    return {name for _owner, name, _group in _GROUPS}


def attach() -> None:
    """Add the properties to Blender's types; the classes of groups are registered before."""
    define: Any = bpy.props
    for owner, name, group in _GROUPS:
        setattr(owner, name, define.PointerProperty(type=group, override=overridable.KEPT))
    for name, definition in window.window_properties().items():
        setattr(bpy.types.WindowManager, name, definition)


def detach() -> None:
    """Remove the properties from Blender's types."""
    groups = [(owner, name) for owner, name, _group in _GROUPS]
    windows = [(bpy.types.WindowManager, name) for name in window.window_properties()]
    for owner, name in reversed(groups + windows):
        if hasattr(owner, name):
            delattr(owner, name)

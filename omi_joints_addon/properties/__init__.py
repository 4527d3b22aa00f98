"""Blender data of joints and bodies: the public contract of scripts and other tools."""

import bpy

from . import body, joint

MODULES = (joint, body)


def attach() -> None:
    """Add the pointers to Blender's types; the classes are registered before."""
    bpy.types.Object.omi_joint = bpy.props.PointerProperty(type=joint.OMI_PG_joint)
    bpy.types.Object.omi_body = bpy.props.PointerProperty(type=body.OMI_PG_body)


def detach() -> None:
    """Remove the pointers from Blender's types."""
    del bpy.types.Object.omi_joint
    del bpy.types.Object.omi_body

"""Modules of Blender, which the model and the formats must not need."""

BLENDER = (
    "bpy",
    "bpy_extras",
    "mathutils",
    "gpu",
    "gpu_extras",
    "blf",
    "bmesh",
    "addon_utils",
    "io_scene_gltf2",
)

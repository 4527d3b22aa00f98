"""Options of Blender's glTF exporter: those that are known, and which values are tried."""

from typing import Any

import bpy

Options = dict[str, Any]
KNOWN = {
    "at_collection_center",
    "collection",
    "export_action_filter",
    "export_active_vertex_color_when_no_material",
    "export_all_influences",
    "export_all_vertex_colors",
    "export_anim_scene_split_object",
    "export_anim_single_armature",
    "export_anim_slide_to_zero",
    "export_animation_mode",
    "export_animations",
    "export_apply",
    "export_armature_object_remove",
    "export_attributes",
    "export_bake_animation",
    "export_cameras",
    "export_convert_animation_pointer",
    "export_copyright",
    "export_current_frame",
    "export_def_bones",
    "export_draco_color_quantization",
    "export_draco_generic_quantization",
    "export_draco_mesh_compression_enable",
    "export_draco_mesh_compression_level",
    "export_draco_normal_quantization",
    "export_draco_position_quantization",
    "export_draco_texcoord_quantization",
    "export_extra_animations",
    "export_extras",
    "export_force_sampling",
    "export_format",
    "export_frame_range",
    "export_frame_step",
    "export_gn_mesh",
    "export_gpu_instances",
    "export_hierarchy_flatten_bones",
    "export_hierarchy_flatten_objs",
    "export_hierarchy_full_collections",
    "export_image_add_webp",
    "export_image_format",
    "export_image_quality",
    "export_image_webp_fallback",
    "export_import_convert_lighting_mode",
    "export_influence_nb",
    "export_jpeg_quality",
    "export_keep_originals",
    "export_leaf_bone",
    "export_lights",
    "export_materials",
    "export_merge_animation",
    "export_meshopt_compression_enable",
    "export_meshopt_extension",
    "export_morph",
    "export_morph_animation",
    "export_morph_normal",
    "export_morph_reset_sk_data",
    "export_morph_tangent",
    "export_negative_frame",
    "export_nla_strips",
    "export_nla_strips_merged_animation_name",
    "export_normals",
    "export_optimize_animation_keep_anim_armature",
    "export_optimize_animation_keep_anim_object",
    "export_optimize_animation_size",
    "export_optimize_disable_viewport",
    "export_original_specular",
    "export_pointer_animation",
    "export_reset_pose_bones",
    "export_rest_position_armature",
    "export_sampling_interpolation_fallback",
    "export_shared_accessors",
    "export_skins",
    "export_tangents",
    "export_texcoords",
    "export_texture_dir",
    "export_try_omit_sparse_sk",
    "export_try_sparse_sk",
    "export_unused_images",
    "export_unused_textures",
    "export_vertex_color",
    "export_vertex_color_name",
    "export_yup",
    "gltf_export_id",
    "use_active_collection",
    "use_active_collection_with_nested",
    "use_active_scene",
    "use_mesh_edges",
    "use_mesh_vertices",
    "use_renderable",
    "use_selection",
    "use_visible",
}
BESIDE_THE_FILE = {
    "check_existing",
    "export_loglevel",
    "filepath",
    "filter_glob",
    "rna_type",
    "ui_tab",
    "will_save_settings",
}
"""Options that say nothing of the file; `export_loglevel` makes both releases fail."""
PROGRAM = "export_gltfpack", "export_use_gltfpack"
"""Options of a program of its own, which writes files anew."""
CHOSEN: Options = {
    "collection": ["All"],
    "export_copyright": ["Somebody"],
    "export_format": ["GLB", "GLTF_SEPARATE"],
    "export_nla_strips_merged_animation_name": ["Name"],
    "export_texture_dir": ["textures"],
    "export_vertex_color_name": ["Name"],
    "gltf_export_id": ["somebody"],
}
"""Values of options whose type does not tell them."""


def options_of_the_exporter() -> dict[str, Any]:
    """Return the options that tell what is in the file, by name."""
    found = bpy.ops.export_scene.gltf.get_rna_type().properties
    return {
        option.identifier: option
        for option in found
        if option.identifier not in BESIDE_THE_FILE and not option.identifier.startswith(PROGRAM)
    }


def values_of(option: Any) -> list[Any]:
    """Return values of an option, the default left out."""
    if option.identifier in CHOSEN:
        return list(CHOSEN[option.identifier])
    if option.type == "BOOLEAN":
        return [not option.default]
    if option.type == "ENUM":
        items = [item.identifier for item in option.enum_items]
        return [item for item in items if item != option.default]
    assert option.type == "INT", f"{option.identifier} needs values"
    return [option.default - 1 if option.default > option.hard_min else option.default + 1]

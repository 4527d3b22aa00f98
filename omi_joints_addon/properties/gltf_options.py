"""What Blender's glTF export and import do about physics: `Scene.omi_gltf`, `Collection.omi_gltf`.

A collection has options of its own for its exporters.
"""

import bpy

from ..declared import BoolProperty, EnumFlagProperty, EnumProperty, StringProperty


class OMI_PG_gltf_options(bpy.types.PropertyGroup):
    """Options shown in the dialogs of Blender's glTF exporter and importer, and with the scene."""

    export_joints = BoolProperty(
        name="Joints", description="Write physics joints (OMI_physics_joint)", default=True
    )
    export_bodies = BoolProperty(
        name="Bodies and Shapes",
        description="Write physics bodies and their shapes (OMI_physics_body, OMI_physics_shape)",
        default=True,
    )
    export_bones_nested = BoolProperty(
        name="Keep Bones Nested",
        description="Keep bones that are bodies below each other, as in the armature. Most "
        "engines need them side by side, which is written otherwise; use this for files that "
        "are to come back to Blender",
    )
    export_constraints = BoolProperty(
        name="Constraints",
        description="Write Blender's own Rigid Body Constraints as physics joints too",
    )
    export_dialects = EnumFlagProperty(
        name="Format",
        description="glTF extensions used to store physics",
        items=(
            ("OMI", "OMI", "OMI_physics_joint, OMI_physics_body and OMI_physics_shape", 1),
            ("KHR", "KHR", "KHR_physics_rigid_bodies and KHR_implicit_shapes", 2),
        ),
        options={"ENUM_FLAG"},
        default={"OMI"},
    )
    export_for = EnumProperty(
        name="Target",
        description="Target importer whose interpretation of physics the file is written for",
        # Files store the number: one that nobody has touched takes a new default.
        items=(
            (
                "AUTO",
                "Automatic",
                "Godot 4 Importer for files in the folder of a Godot project, also where Godot "
                "imports a Blender file; else Specification",
                2,
            ),
            (
                "SPECIFICATION",
                "Specification",
                "Follow the extensions' specifications, which every engine should read",
                0,
            ),
            (
                "GODOT",
                "Godot 4 Importer",
                "Follow Godot's importer, which differs: angles are mirrored, capsules "
                "longer. Only Godot reads the file correctly; importing it here restores the "
                "original data",
                1,
            ),
        ),
        default="AUTO",
    )
    import_joints = BoolProperty(
        name="Joints", description="Read physics joints (OMI_physics_joint)", default=True
    )
    import_bodies = BoolProperty(
        name="Bodies and Shapes",
        description="Read physics bodies and their shapes (OMI_physics_body, OMI_physics_shape)",
        default=True,
    )
    import_rigid_bodies = BoolProperty(
        name="Blender Rigid Bodies",
        description=(
            "Also create Blender Rigid Bodies for bodies with a mesh, for its own playback, "
            "which ignores the joints, so connected bodies fall apart"
        ),
    )
    joints_carried = StringProperty(options={"HIDDEN"})

    def dialects(self) -> set[str]:
        """Return the dialects to write, as `io.formats.gltf.dialect` names them."""
        return {dialect.lower() for dialect in self.export_dialects}


def options_of(owner: bpy.types.Scene | bpy.types.Collection) -> OMI_PG_gltf_options:
    """Return the options of a scene or a collection."""
    options: OMI_PG_gltf_options = owner.omi_gltf  # type: ignore[union-attr]
    return options

"""Add > Physics Examples: files of the extension to try it with."""

from pathlib import Path
from typing import Any

import bpy

from ...authoring.conditions import Explained, not_object_mode
from ...classes import OperatorResult
from ...declared import EnumProperty

EXAMPLES = (
    ("character.glb", "Character", "A rigged character that walks, to make a ragdoll of"),
    ("arm.urdf", "Robot Arm", "An arm with a gripper, as ROS describes robots"),
    ("buggy.glb", "Buggy", "A car on a stand, with a spring and a hub for each wheel"),
)
"""File, name and description of each."""
_FOLDER = Path(__file__).resolve().parents[2] / "examples"


class OMI_OT_example_add(Explained, bpy.types.Operator):
    """Add an example of physics joints to the scene"""

    bl_idname = "omi.example_add"
    bl_label = "Add Physics Example"
    bl_options = {"UNDO"}
    conditions = (not_object_mode,)

    example = EnumProperty(
        name="Example", description="File of the extension to import", items=EXAMPLES
    )

    @classmethod
    def description(
        cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties
    ) -> str:
        """Return what the example is."""
        return next(text for file, _, text in EXAMPLES if file == properties.example)

    def execute(self, _context: bpy.types.Context) -> OperatorResult:
        path = _FOLDER / self.example
        if path.suffix == ".urdf":
            operators: Any = bpy.ops  # noqa: TID251 - as its user would
            operators.omi.scene_import(filepath=str(path))
        else:
            bpy.ops.import_scene.gltf(filepath=str(path))  # noqa: TID251 - Blender's own importer
        return {"FINISHED"}

"""Imported parts look as they are: edges of boxes and of CAD are sharp, round parts are round."""

import math
from pathlib import Path

import bpy
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("empty_scene")

ROBOT = """<robot name="parts"><link name="base">
  <visual><geometry><box size=".4 .3 .1"/></geometry></visual>
  <visual><origin xyz="1 0 0"/><geometry><cylinder radius=".2" length=".5"/></geometry></visual>
  <visual><origin xyz="2 0 0"/><geometry><sphere radius=".2"/></geometry></visual>
  <visual><origin xyz="3 0 0"/><geometry><mesh filename="wedge.obj"/></geometry></visual>
</link></robot>"""
WEDGE = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""


def largest_turns(mesh: bpy.types.Mesh) -> float:
    """Return the largest angle [rad] between the normals of a face and of its corners."""
    normals = np.array([corner.vector for corner in mesh.corner_normals])
    faces = np.array([face.normal for face in mesh.polygons])
    owner = np.repeat(np.arange(len(faces)), [face.loop_total for face in mesh.polygons])
    cosines = np.clip((normals * faces[owner]).sum(axis=1), -1.0, 1.0)
    return float(np.arccos(cosines).max())


def test_boxes_and_wedges_are_flat_and_round_parts_are_smooth(tmp_path: Path) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    path = tmp_path / "parts.urdf"
    path.write_text(ROBOT)
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    meshes = sorted(
        (obj for obj in bpy.context.scene.objects if obj.type == "MESH"),
        key=lambda obj: obj.matrix_world.translation.x,
    )
    box, cylinder, sphere, wedge = (obj.data for obj in meshes)
    assert largest_turns(box) < 1e-3
    assert largest_turns(wedge) < 1e-3
    assert 0.01 < largest_turns(sphere) < math.radians(30.0)
    sides = [edge for edge in cylinder.edges if not edge.use_edge_sharp]
    assert len(sides) > 8, "its mantle is faceted"
    assert any(edge.use_edge_sharp for edge in cylinder.edges), "its rim is rounded"

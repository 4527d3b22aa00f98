"""Shapes of a USD stage in Blender are as large as OpenUSD says, in any unit and on any axis."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Sphere
from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.scene.reading import scene_to_core

pytestmark = pytest.mark.skipif(bool(problem()), reason=problem() or "-")

STAGE = """#usda 1.0
(
    metersPerUnit = {meters}
    upAxis = "{up}"
)
def Xform "World"
{{
    def Xform "body" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
    {{
        double3 xformOp:translate = (1, 2, 3)
        float3 xformOp:scale = {outer}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
        def {kind} "geo" (prepend apiSchemas = [{schemas}])
        {{
            {values}
        }}
        {beside}
    }}
}}
"""
KINDS = {
    "Cube": "double size = 3",
    "Sphere": "double radius = 2",
    "Capsule": 'uniform token axis = "X"\ndouble height = 4\ndouble radius = 0.5',
    "Mesh": (
        "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]\n"
        "int[] faceVertexCounts = [3, 3, 3, 3]\n"
        "int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n"
        'uniform token physics:approximation = "convexHull"'
    ),
}
SCALED = {"": "(1, 1, 1)", "scaled": "(2, 2, 2)", "stretched": "(1, 2, 3)"}


@pytest.mark.parametrize("meters", [1, 0.01])
@pytest.mark.parametrize("up", "YZ")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scaled", SCALED)
@pytest.mark.parametrize("beside", ["", 'def Xform "beside" {\n}'], ids=["merged", "apart"])
def test_a_shape_is_as_large_as_openusd_says(
    tmp_path: Path, meters: float, up: str, kind: str, scaled: str, beside: str
) -> None:
    if scaled == "stretched" and kind in ("Sphere", "Capsule"):
        pytest.skip("these shapes cannot be stretched; they become larger and are named")
    schemas = '"PhysicsCollisionAPI"' + (', "PhysicsMeshCollisionAPI"' if kind == "Mesh" else "")
    path = tmp_path / "stage.usda"
    path.write_text(
        STAGE.format(
            meters=meters,
            up=up,
            kind=kind,
            schemas=schemas,
            values=KINDS[kind],
            outer=SCALED[scaled],
            beside=beside,
        )
    )
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    wanted = _bounds_of_stage(path, meters, is_y_up=up == "Y")
    assert _bounds_in_blender() == pytest.approx(wanted, abs=2e-6)


def _bounds_of_stage(path: Path, meters: float, *, is_y_up: bool) -> np.ndarray:
    """Return the least and the largest corner [m] of the shape, Z up, shape (2, 3)."""
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    cache = UsdGeom.BBoxCache(Usd.TimeCode.Default(), ["default"])
    found = cache.ComputeWorldBound(stage.GetPrimAtPath("/World/body/geo")).ComputeAlignedRange()
    corners = meters * np.array([found.GetMin(), found.GetMax()])
    turned = corners * (1, 1, -1) if is_y_up else corners
    turned = turned[:, [0, 2, 1]] if is_y_up else turned
    return np.sort(turned, axis=0)


def _bounds_in_blender() -> np.ndarray:
    scene, _findings = scene_to_core(bpy.context.scene)
    ((node, collider),) = scene.colliders.items()
    matrix, shape = scene.matrices[node], collider.shape
    if isinstance(shape, Convex):
        points = scene.meshes[shape.mesh].read().points @ matrix[:3, :3].T + matrix[:3, 3]
        return np.array([points.min(axis=0), points.max(axis=0)])
    half = {
        Box: lambda: np.abs(matrix[:3, :3]) @ np.array(shape.size) / 2.0,
        Sphere: lambda: np.full(3, shape.radius),
        Capsule: lambda: np.abs(matrix[:3, 2]) * shape.height / 2.0 + shape.radius_top,
    }[type(shape)]()
    return np.array([matrix[:3, 3] - half, matrix[:3, 3] + half])

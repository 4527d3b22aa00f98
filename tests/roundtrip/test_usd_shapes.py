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
# Round shapes cannot be stretched: they become larger, and are named.
CASES = [(k, s) for k in KINDS for s in SCALED if k in ("Cube", "Mesh") or s != "stretched"]


def import_stage(path: Path, text: str) -> None:
    """Write a stage and import it into an empty scene."""
    path.write_text(text)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()


@pytest.mark.parametrize("meters", [1, 0.01])
@pytest.mark.parametrize("up", "YZ")
@pytest.mark.parametrize(("kind", "scaled"), CASES)
@pytest.mark.parametrize("beside", ["", 'def Xform "beside" {\n}'], ids=["merged", "apart"])
def test_a_shape_is_as_large_as_openusd_says(
    tmp_path: Path, meters: float, up: str, kind: str, scaled: str, beside: str
) -> None:
    schemas = '"PhysicsCollisionAPI"' + (', "PhysicsMeshCollisionAPI"' if kind == "Mesh" else "")
    path = tmp_path / "stage.usda"
    text = STAGE.format(
        meters=meters,
        up=up,
        kind=kind,
        schemas=schemas,
        values=KINDS[kind],
        outer=SCALED[scaled],
        beside=beside,
    )
    import_stage(path, text)
    wanted = _bounds_of_stage(path, meters, is_y_up=up == "Y")
    assert _bounds_in_blender() == pytest.approx(wanted, abs=2e-6)


@pytest.mark.parametrize("meters", [1, 0.01])
def test_a_plane_is_a_large_box_in_any_unit(tmp_path: Path, meters: float) -> None:
    path = tmp_path / "stage.usda"
    text = STAGE.format(
        meters=meters,
        up="Z",
        kind="Plane",
        schemas='"PhysicsCollisionAPI"',
        values='uniform token axis = "Z"',
        outer="(1, 1, 1)",
        beside="",
    )
    import_stage(path, text)
    low, high = _bounds_in_blender()
    assert high - low == pytest.approx((100.0, 100.0, 1.0))
    assert high[2] == pytest.approx(3.0 * meters)


@pytest.mark.parametrize("kind", ["boundingCube", "boundingSphere"])
def test_a_body_is_balanced_about_the_middle_of_what_is_around_its_mesh(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "stage.usda"
    text = STAGE.format(
        meters=0.01,
        up="Z",
        kind="Mesh",
        schemas='"PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"',
        values=KINDS["Mesh"].replace("convexHull", kind),
        outer="(2, 2, 2)",
        beside="",
    )
    import_stage(path, text)
    scene, _findings = scene_to_core(bpy.context.scene)
    ((node, motion),) = scene.motions.items()
    place = scene.matrices[node] @ (*motion.center_of_mass, 1.0)
    assert place[:3] == pytest.approx(np.array((1 + 1, 2 + 2, 3 + 3)) * 0.01)


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


CENTERED = """#usda 1.0
(
    metersPerUnit = {meters}
    upAxis = "Z"
)
def Xform "World"
{{
    def Xform "body" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {{
        point3f physics:centerOfMass = (1, 2, 3)
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
        def Cube "geo" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {{
            double size = 10
        }}
    }}
}}
"""


@pytest.mark.parametrize("meters", [1, 0.01])
def test_a_center_of_mass_is_where_the_stage_has_it(tmp_path: Path, meters: float) -> None:
    path, out = tmp_path / "stage.usda", tmp_path / "out.xml"
    import_stage(path, CENTERED.format(meters=meters))
    wanted = np.array((2.0, 4.0, 6.0)) * meters
    scene, _findings = scene_to_core(bpy.context.scene)
    ((node, motion),) = scene.motions.items()
    place = scene.matrices[node] @ (*motion.center_of_mass, 1.0)
    assert place[:3] == pytest.approx(wanted, rel=1e-6)
    mujoco = pytest.importorskip("mujoco")
    bpy.ops.omi.scene_export(filepath=str(out))
    model = mujoco.MjModel.from_xml_path(str(out))
    assert model.body_ipos[1] == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("meters", [1, 0.01])
def test_a_center_of_mass_goes_back_as_it_came(tmp_path: Path, meters: float) -> None:
    from pxr import Usd, UsdPhysics

    path, out = tmp_path / "stage.usda", tmp_path / "out.usda"
    import_stage(path, CENTERED.format(meters=meters))
    assert bpy.ops.wm.usd_export(filepath=str(out)) == {"FINISHED"}
    stage = Usd.Stage.Open(str(out))
    (body,) = [prim for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    center = UsdPhysics.MassAPI(body).GetCenterOfMassAttr().Get()
    assert tuple(center) == pytest.approx((1.0, 2.0, 3.0), rel=1e-6)

"""Whole scenes through USD files: written, judged by OpenUSD, read again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.body import Collider, CollisionFilter, MotionType, Trigger
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh

from .usd_scenes import (
    ARM,
    ICE,
    by_name,
    chain,
    parsed,
    read,
    validator_errors,
    write,
    written,
)

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

STAGES: tuple[dict[str, Any], ...] = (
    {},
    {"up_axis": "Y", "meters_per_unit": 0.01},
    {"nesting": "flat"},
    {"nesting": "reset", "meters_per_unit": 0.01, "kilograms_per_unit": 0.001},
)


@pytest.mark.parametrize("options", STAGES)
@pytest.mark.parametrize("nested", [False, True])
def test_scene_comes_back_as_it_was(tmp_path: Path, nested: bool, options: dict[str, Any]) -> None:
    scene = chain(nested=nested, articulations=ARM, gravity=(0.0, 1.0, -5.0), name="Arm")
    found = read(written(scene, tmp_path, **options))
    assert not found.findings
    at = by_name(scene, found.scene)
    assert np.abs(found.scene.matrices[at] - scene.matrices).max() < 1e-11
    assert [j.settings for j in found.scene.joints] == [j.settings for j in scene.joints]
    assert [(at[j.node], at[j.other]) for j in scene.joints] == [
        (j.node, j.other) for j in found.scene.joints
    ]
    assert found.scene.motions == {at[node]: m for node, m in scene.motions.items()}
    assert found.scene.colliders == {at[node]: c for node, c in scene.colliders.items()}
    assert found.scene.articulations == (Articulation(root=at[0], is_fixed=True),)
    assert found.scene.gravity == pytest.approx(scene.gravity, rel=1e-6)
    assert found.scene.name == "Arm"
    assert not found.scene.carried
    if options.get("nesting") != "flat":
        parents = [-1 if p < 0 else at[p] for p in scene.parents]
        assert found.scene.parents[at].tolist() == parents


@pytest.mark.parametrize("suffix", [".usdc", ".usdz", ".usd"])
def test_binary_files_and_packages(tmp_path: Path, suffix: str) -> None:
    scene = chain(3)
    found = read(written(scene, tmp_path, suffix=suffix)).scene
    assert found.motions.keys() == {by_name(scene, found)[node] for node in scene.motions}
    assert [j.settings for j in found.joints] == [j.settings for j in scene.joints]


@pytest.mark.parametrize("options", STAGES)
@pytest.mark.parametrize("articulations", [(), ARM, (Articulation(root=1),)])
def test_openusd_finds_no_fault_and_the_same_counts(
    tmp_path: Path, articulations: tuple[Articulation, ...], options: dict[str, Any]
) -> None:
    scene = chain(nested=True, articulations=articulations)
    path = written(scene, tmp_path, **options)
    assert validator_errors(path) == []
    counts = parsed(path)
    welds = int(articulations == ARM)
    joints = [counts[kind][0] for kind in counts if kind.endswith("Joint")]
    assert sum(joints) == len(scene.joints) + welds
    assert counts["RigidBody"][0] == 11 + welds
    shapes = [counts[kind][0] for kind in counts if kind.endswith("Shape")]
    assert sum(shapes) == len(scene.colliders)
    assert counts["RigidBodyMaterial"][0] == counts["CollisionGroup"][0] == 1
    assert counts.get("Articulation", (0, 0))[0] == len(articulations)
    assert all(found == valid for found, valid in counts.values())


def test_parser_reports_the_weld_as_root_of_a_fixed_arm(tmp_path: Path) -> None:
    from pxr import Usd, UsdPhysics

    path = written(chain(3, articulations=ARM), tmp_path)
    stage = Usd.Stage.Open(str(path))
    load = getattr(UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", None)
    found = (load or UsdPhysics.LoadUsdPhysicsFromRange)(stage, ["/"])
    _paths, (articulation,) = found[UsdPhysics.ObjectType.Articulation]
    (root,) = articulation.rootPrims
    assert stage.GetPrimAtPath(root).IsA(UsdPhysics.FixedJoint)


@pytest.mark.parametrize("options", STAGES)
def test_frames_are_where_openusd_puts_them(tmp_path: Path, options: dict[str, Any]) -> None:
    """Both frames of each joint, computed by OpenUSD's own matrices, are the scene's."""
    from pxr import Gf, Usd, UsdGeom, UsdPhysics

    scene = chain(nested=True)
    stage = Usd.Stage.Open(str(written(scene, tmp_path, **options)))
    back = np.linalg.inv(_stage_matrix(stage))
    prims = [p for p in stage.Traverse() if p.IsA(UsdPhysics.Joint)]
    for joint, prim in zip(scene.joints, prims, strict=True):
        api = UsdPhysics.Joint(prim)
        for node, body, place in (
            (joint.node, api.GetBody0Rel(), api.GetLocalPos0Attr()),
            (joint.other, api.GetBody1Rel(), api.GetLocalPos1Attr()),
        ):
            (target,) = body.GetTargets()
            matrix = UsdGeom.Xformable(stage.GetPrimAtPath(target)).ComputeLocalToWorldTransform(
                Usd.TimeCode.Default()
            )
            point = np.array(matrix.Transform(Gf.Vec3d(place.Get())))
            at = back[:3, :3] @ point
            assert at == pytest.approx(scene.matrices[node][:3, 3], abs=1e-5)


def _stage_matrix(stage: Any) -> np.ndarray:
    from pxr import UsdGeom

    matrix = np.eye(4)
    if UsdGeom.GetStageUpAxis(stage) == "Y":
        matrix[:3, :3] = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
    matrix[:3, :3] /= UsdGeom.GetStageMetersPerUnit(stage)
    return matrix


def test_without_carriers_everything_still_means_the_same(tmp_path: Path) -> None:
    from pxr import Sdf

    scene = chain(6, articulations=())
    path = written(scene, tmp_path, up_axis="Y", meters_per_unit=0.01)
    layer = Sdf.Layer.FindOrOpen(str(path))
    layer.Traverse(
        Sdf.Path.absoluteRootPath,
        lambda at: layer.GetObjectAtPath(at).ClearInfo("customData") if at.IsPrimPath() else None,
    )
    layer.Export(str(tmp_path / "bare.usda"))
    found = read(tmp_path / "bare.usda").scene
    at = by_name(scene, found)
    assert np.abs(found.matrices[at] - scene.matrices).max() < 2e-6
    for node, motion in scene.motions.items():
        other = found.motions[at[node]]
        assert other.type == motion.type
        if motion.type == MotionType.DYNAMIC:
            assert other.mass == pytest.approx(motion.mass)
            assert other.center_of_mass == pytest.approx(motion.center_of_mass, rel=1e-5)
            assert other.inertia_diagonal == pytest.approx(motion.inertia_diagonal, rel=1e-5)
            assert other.linear_velocity == pytest.approx(motion.linear_velocity, rel=1e-5)
            assert other.angular_velocity == pytest.approx(motion.angular_velocity, rel=1e-5)
    poses = scene.relative_poses(), found.relative_poses()
    assert np.abs(poses[0].position - poses[1].position).max() < 1e-5


TETRAHEDRON = Mesh(
    name="Rock",
    read=lambda: MeshData(
        np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
        np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
    ),
)
SHAPES = (
    Box(size=(1.0, 2.0, 3.0)),
    Sphere(radius=0.25),
    Capsule(height=1.0, radius_bottom=0.25, radius_top=0.25),
    Capsule(height=1.0, radius_bottom=0.25, radius_top=0.125),
    Cylinder(height=1.0, radius_bottom=0.5, radius_top=0.5),
    Cylinder(height=1.0, radius_bottom=0.5, radius_top=0.0),
    Cylinder(height=1.0, radius_bottom=0.0, radius_top=0.5),
    Convex(mesh=0),
    Trimesh(mesh=0),
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_shapes_materials_and_filters(tmp_path: Path, shape: Shape) -> None:
    inverted = CollisionFilter(collision_systems=("a", "b"), collide_with_systems=("a",))
    collider = Collider(shape=shape, material=ICE, collision_filter=inverted)
    trigger = Trigger(shape=Box(size=(4.0, 4.0, 4.0)))
    scene = chain(1, colliders={1: collider}, triggers={1: trigger}, meshes=(TETRAHEDRON,))
    path = written(scene, tmp_path)
    assert validator_errors(path) == []
    found = read(path).scene
    body = by_name(scene, found)[1]
    assert found.colliders == {body: collider}
    assert found.triggers == {body: trigger}


def test_a_mesh_that_is_shown_and_collides_is_one_prim(tmp_path: Path) -> None:
    scene = chain(
        1,
        colliders={1: Collider(shape=Convex(mesh=0))},
        visuals={1: Visual(mesh=0, color=(1.0, 0.5, 0.25, 1.0))},
        meshes=(TETRAHEDRON,),
    )
    path = written(scene, tmp_path, meters_per_unit=0.01)
    assert path.read_text("utf-8").count("def Mesh") == 1
    found = read(path).scene
    body = by_name(scene, found)[1]
    data = found.meshes[found.visuals[body].mesh].read()
    assert np.abs(data.points - TETRAHEDRON.read().points).max() < 1e-6
    assert data.triangles.tolist() == TETRAHEDRON.read().triangles.tolist()
    assert found.visuals[body].color == (1.0, 0.5, 0.25, 1.0)
    assert isinstance(found.colliders[body].shape, Convex)


def test_excluded_pairs_and_static_ends(tmp_path: Path) -> None:
    scene = chain(3, excluded_pairs=((1, 7),))
    path = written(scene, tmp_path)
    assert "prepend" not in path.read_text("utf-8").partition("physics:filteredPairs")[0][-20:]
    found = read(path).scene
    at = by_name(scene, found)
    assert found.excluded_pairs == ((at[1], at[7]),)
    (pairs,) = (p for p in _filtered_pairs(path) if p[0].endswith("Link_0"))
    assert [target.rpartition("/")[2] for target in pairs[1]] == ["Base", "Link_2"]


def _filtered_pairs(path: Path) -> list[tuple[str, list[str]]]:
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    return [
        (
            str(p.GetPath()),
            list(map(str, UsdPhysics.FilteredPairsAPI(p).GetFilteredPairsRel().GetTargets())),
        )
        for p in stage.Traverse()
        if p.HasAPI(UsdPhysics.FilteredPairsAPI)
    ]


def test_losses_name_what_usd_does_not_say(tmp_path: Path) -> None:
    scene = chain(8)
    scene = replace(
        scene,
        motions=scene.motions | {1: replace(scene.motions[1], gravity_factor=0.5)},
        joints=(*scene.joints, replace(scene.joints[0], connected=None, place="Lonely")),
    )
    _path, result = write(scene, tmp_path)
    lines = [str(loss) for loss in result.losses]
    assert any("gravity factor" in line for line in lines)
    assert any(line.startswith("changed:") and "(Lonely)" in line for line in lines)
    assert any("pyramid" in line for line in lines)

"""Meshes that MuJoCo would reject with the whole file: flat, open and inside out."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Convex, Shape, Trimesh
from omi_joints_addon.io.formats.format import Target, Written
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.solver_scenes import matrix, turn

mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")

SQUARE = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
UP = np.array([(0, 1, 2), (0, 2, 3)])
CORNER = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
OUTWARD = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
MESHES = {
    "flat": MeshData(SQUARE, UP),
    "flat, from below": MeshData(SQUARE, UP[:, ::-1]),
    "inside out": MeshData(CORNER, OUTWARD[:, ::-1]),
    "open": MeshData(CORNER, OUTWARD[:2]),
    "one triangle": MeshData(SQUARE[:3], UP[:1]),
}


def scene(
    data: MeshData,
    *,
    shapes: Mapping[int, Shape],
    visuals: Mapping[int, Visual] | None = None,
    floor: Array | None = None,
) -> PhysicsScene:
    """Return a static floor, and a box of 20 cm whose lower side is 5 cm above it."""
    return PhysicsScene(
        names=("Floor", "Box"),
        parents=np.array((-1, -1)),
        matrices=np.array((np.eye(4) if floor is None else floor, matrix((0.2, 0.2, 0.15)))),
        motions={0: Motion(type=MotionType.STATIC), 1: Motion(mass=1.0)},
        colliders={node: Collider(shape=shape) for node, shape in shapes.items()},
        visuals=visuals or {},
        meshes=(Mesh(name="Mesh", read=lambda: data),),
    )


def written(scene: PhysicsScene, folder: Path) -> tuple[Written, Path]:
    found = MJCF.write(scene, Target(path=folder / "scene.xml"))
    for name, content in found.files.items():
        (folder / name).write_bytes(bytes(content))
    return found, folder / "scene.xml"


def height_after(path: Path, seconds: float) -> float:
    loaded = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(loaded)
    while data.time < seconds:
        mujoco.mj_step(loaded, data)
    return float(data.body("Box").xpos[2])


@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("flat", np.eye(4)),
        ("flat", matrix((0, 0, 0), turn((0, 0, 1), 0.7))),
        ("flat, from below", matrix((0, 0, 0), turn((1, 0, 0), np.pi))),
    ],
)
@pytest.mark.parametrize("kind", [Convex, Trimesh])
def test_a_box_rests_on_a_flat_mesh(
    name: str, floor: Array, kind: type[Convex | Trimesh], tmp_path: Path
) -> None:
    shapes = {0: kind(mesh=0), 1: Box(size=(0.2, 0.2, 0.2))}
    found, path = written(scene(MESHES[name], shapes=shapes, floor=floor), tmp_path)
    assert height_after(path, 1.0) == pytest.approx(0.1, abs=1e-3)
    texts = [loss.text for loss in found.losses if loss.noun == Noun.SHAPE]
    assert "flat triangles become a plate of 0.2 m below them" in texts
    hull = "MuJoCo collides with the convex hull of the triangles"
    assert (hull in texts) == (kind is Trimesh)


@pytest.mark.parametrize("name", MESHES)
@pytest.mark.parametrize("node", [0, 1])
def test_what_is_only_shown_stays_as_it_is(name: str, node: int, tmp_path: Path) -> None:
    visuals = {node: Visual(mesh=0)}
    shapes = {1: Box(size=(0.2, 0.2, 0.2))}
    found, path = written(scene(MESHES[name], shapes=shapes, visuals=visuals), tmp_path)
    height_after(path, 0.01)
    # MuJoCo wants four corners at least.
    is_changed = any(loss.noun == Noun.SHAPE for loss in found.losses)
    assert is_changed == (name == "one triangle")


@pytest.mark.parametrize("name", MESHES)
@pytest.mark.parametrize("node", [0, 1])
def test_every_mesh_that_collides_can_be_loaded(name: str, node: int, tmp_path: Path) -> None:
    _, path = written(scene(MESHES[name], shapes={node: Convex(mesh=0)}), tmp_path)
    height_after(path, 0.01)


def test_triangles_that_are_shown_and_collide_are_one_file(tmp_path: Path) -> None:
    shapes = dict.fromkeys((0, 1), Trimesh(mesh=0))
    visuals = dict.fromkeys((0, 1), Visual(mesh=0))
    found, path = written(
        scene(MeshData(CORNER, OUTWARD), shapes=shapes, visuals=visuals), tmp_path
    )
    assert len([name for name in found.files if name.endswith(".stl")]) == 1
    height_after(path, 0.01)


def test_every_body_whose_triangles_become_a_plate_is_named(tmp_path: Path) -> None:
    shapes = dict.fromkeys((0, 1), Trimesh(mesh=0))
    found, path = written(scene(MESHES["flat"], shapes=shapes), tmp_path)
    named = [loss.place for loss in found.losses if "become a plate" in str(loss.text)]
    assert named == ["Floor", "Box"]
    height_after(path, 0.01)


@pytest.mark.parametrize(
    "data",
    [
        MeshData(np.zeros((3, 3)), UP[:1]),
        MeshData(SQUARE[[0, 1, 0]], UP[:1]),
        MeshData(SQUARE, UP[:0]),
        MeshData(SQUARE[:0], UP[:0]),
    ],
)
def test_triangles_without_area_are_left_out_and_named(data: MeshData, tmp_path: Path) -> None:
    shapes = {0: Convex(mesh=0), 1: Box(size=(0.2, 0.2, 0.2))}
    found, path = written(scene(data, shapes=shapes), tmp_path)
    height_after(path, 0.01)
    assert [loss.text for loss in found.losses if loss.noun == Noun.COLLIDER] == [
        "its triangles have no area"
    ]

"""Meshes of URDF with scales of any sign and an origin, beside what yourdfpy loads."""

from pathlib import Path

import numpy as np
import pytest

from .urdf_robots import INERTIAL, link, read, robot, write

OBJ = "v 0 0 0\nv .9 0 0\nv 0 .5 0\nv .1 .2 .3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def loaded(path: Path) -> tuple[np.ndarray, float]:
    """Return the points of a collision mesh in its link, and the volume that faces outward."""
    yourdfpy = pytest.importorskip("yourdfpy")
    found = yourdfpy.URDF.load(
        str(path), load_collision_meshes=True, build_collision_scene_graph=True
    ).collision_scene
    (node,) = found.graph.nodes_geometry
    place, name = found.graph[node]
    mesh = found.geometry[name].copy()
    mesh.apply_transform(place)
    return mesh.vertices, mesh.volume


@pytest.mark.parametrize("scale", ["1 1 1", "2 1.5 .7", "1 -1 1", "-2 .5 1.1", "-1 -1 -1"])
@pytest.mark.parametrize("origin", ["", '<origin xyz=".1 .2 .3" rpy=".3 .5 -.7"/>'])
def test_a_mesh_is_where_another_reader_has_it(scale: str, origin: str, tmp_path: Path) -> None:
    (tmp_path / "m.obj").write_text(OBJ)
    mesh = f'<geometry><mesh filename="m.obj" scale="{scale}"/></geometry>'
    text = robot(link("a", f"{INERTIAL}<collision>{origin}{mesh}</collision>"))
    scene = read(text, tmp_path).scene
    points, volume = loaded(tmp_path / "robot.urdf")
    (node,) = scene.colliders
    data = scene.meshes[scene.colliders[node].shape.mesh].read()
    inside = np.linalg.inv(scene.matrices[scene.names.index("a")]) @ scene.matrices[node]
    own = data.points @ inside[:3, :3].T + inside[:3, 3]
    corners = own[data.triangles]
    outward = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()
    assert _apart(points, own) < 1e-9
    assert outward * np.sign(np.linalg.det(inside[:3, :3])) / 6.0 == pytest.approx(volume)
    write(scene, tmp_path)
    again, other = loaded(tmp_path / "out.urdf")
    assert _apart(points, again) < 1e-9
    assert other == pytest.approx(volume)


def _apart(ones: np.ndarray, others: np.ndarray) -> float:
    return float(np.linalg.norm(ones[:, None] - others[None], axis=2).min(axis=1).max())

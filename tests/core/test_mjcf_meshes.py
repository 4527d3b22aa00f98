"""Attributes of meshes in every combination, beside the geom that MuJoCo compiles."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.scene import PhysicsScene

from .mjcf_models import assert_as_mujoco, mujoco, read

POINTS = "0 0 0 .9 0 0 0 .5 0 .1 .2 .3 .6 .1 .2"
SCALES = ("", "scale='2 1.5 .7'", "scale='2 -1 .5'", "scale='1.3 1.3 1.3'")
PLACES = ("", "refpos='.1 .2 .3'")
TURNS = ("", "refquat='.8 .2 .5 .1'")
WEIGHTS = ("", "inertia='shell'", "inertia='exact'")
GEOMS = (
    *("type='mesh'", "type='mesh' pos='.3 .1 .2' euler='20 30 40'", "type='box'"),
    *("type='capsule' fitscale='1.3'", "type='sphere' pos='.1 0 .3'", "type='ellipsoid'"),
)
FITS = ("", "<compiler fitaabb='true'/>")


def text_of(scale: str, place: str, turn: str, weight: str, geom: str, fit: str) -> str:
    mesh = f"<mesh name='m' vertex='{POINTS}' {scale} {place} {turn} {weight}/>"
    return (
        f"<mujoco>{fit}<asset>{mesh}</asset><worldbody><body name='b' pos='1 2 3' "
        f"euler='10 50 70'><freejoint/><geom name='g' mesh='m' {geom}/></body></worldbody></mujoco>"
    )


def points_of(scene: PhysicsScene) -> np.ndarray:
    """Return the points of the collider "g" in the world."""
    node = scene.names.index("g")
    points = scene.meshes[scene.colliders[node].shape.mesh].read().points
    return points @ scene.matrices[node][:3, :3].T + scene.matrices[node][:3, 3]


@pytest.mark.parametrize("geom", GEOMS)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_a_mesh_is_where_and_as_heavy_as_in_mujoco(weight: str, geom: str, tmp_path: Path) -> None:
    fits = FITS[:1] if "'mesh'" in geom else FITS
    for case in itertools.product(SCALES, PLACES, TURNS, fits):
        text = text_of(*case[:3], weight, geom, case[3])
        judge = mujoco.MjModel.from_xml_string(text)
        scene = read(text, tmp_path).scene
        assert_as_mujoco(text, scene)
        data = mujoco.MjData(judge)
        mujoco.mj_kinematics(judge, data)
        if "'mesh'" in geom:
            turn = data.geom_xmat[0].reshape(3, 3)
            expected = judge.mesh_vert @ turn.T + data.geom_xpos[0]
            apart = np.linalg.norm(points_of(scene)[:, None] - expected[None], axis=2)
            assert apart.min(axis=0).max() < 1e-6, case
        elif "g" in scene.names:
            place = scene.matrices[scene.names.index("g")][:3, 3]
            assert np.allclose(place, data.geom_xpos[0], atol=1e-6), case

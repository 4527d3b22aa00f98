"""The solver takes inertia from the scene's shapes, against closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Sphere, Trimesh
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import SceneBuilder, matrix, pendulum, turn

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
"""Of a unit cube with a corner at the origin."""


def colliding(colliders, *, nodes=(), meshes=(), **body):
    """Return a body of 3 kg without inertia at node 0, with further nodes below it."""
    build = SceneBuilder()
    build.body((0, 0, 0), inertia=0.0, **{"mass": 3.0, **body})
    for place, rotation in nodes:
        build.node(place, rotation, parent=0)
    return replace(build.scene(), colliders=colliders, meshes=tuple(meshes))


def moments(scene):
    """Return the inertia tensor of the only body and the codes of findings."""
    simulation = Simulation(scene)
    return simulation.bodies.inertia[:, :, 1], [found.code for found in simulation.findings]


def test_box_gives_its_inertia():
    tensor, codes = moments(colliding({0: Collider(shape=Box(size=(1.0, 2.0, 3.0)))}))
    np.testing.assert_allclose(tensor, np.diag((13.0, 10.0, 5.0)) * 3.0 / 12.0, rtol=1e-12)
    assert codes == []


def test_shapes_below_a_body_are_placed_and_added():
    """Two balls half a metre to both sides along Y, the nodes turned and one scaled by two."""
    ball = Collider(shape=Sphere(radius=0.1))
    half = Collider(shape=Sphere(radius=0.05))
    scene = colliding(
        {1: ball, 2: half},
        nodes=[((0, 0.5, 0), turn((1, 2, 3), 1.0)), ((0, -0.5, 0), turn((1, 0, 0), 0.3))],
    )
    scene.matrices[2, :3, :3] *= 2.0
    own, arm = 0.4 * 0.1**2, 0.5**2
    expected = 3.0 * np.diag((own + arm, own, own + arm))
    np.testing.assert_allclose(moments(scene)[0], expected, atol=1e-12)


def test_scale_of_the_body_counts_and_its_turn_does_not():
    scene = colliding({0: Collider(shape=Box(size=(1.0, 1.0, 1.0)))})
    scene.matrices[0] = matrix((4, 5, 6), turn((1, 2, 3), 0.7))
    scene.matrices[0, :3, :3] *= (1.0, 2.0, -3.0)
    np.testing.assert_allclose(moments(scene)[0], np.diag((13.0, 10.0, 5.0)) * 0.25, atol=1e-9)


@pytest.mark.parametrize("shape", [Convex(mesh=0), Trimesh(mesh=0)])
def test_meshes_give_theirs(shape):
    """A cube whose triangles are missing counts as its hull."""
    data = MeshData(CORNERS, np.empty((0, 3), np.intp))
    scene = colliding({0: Collider(shape=shape)}, meshes=[Mesh(read=lambda: data)])
    np.testing.assert_allclose(moments(scene)[0], np.eye(3) * 0.5, rtol=1e-9)


def test_mesh_that_cannot_be_read_is_told_and_other_shapes_count():
    def read():
        raise ValueError("the buffer is missing")

    scene = colliding(
        {0: Collider(shape=Convex(mesh=0)), 1: Collider(shape=Sphere(radius=0.5))},
        nodes=[((0, 0, 0), (0, 0, 0, 1))],
        meshes=[Mesh(read=read)],
    )
    tensor, codes = moments(scene)
    assert codes == ["OMI-P010"]
    np.testing.assert_allclose(tensor, np.eye(3) * 0.3, rtol=1e-9)


def test_bad_sizes_give_none():
    assert moments(colliding({0: Collider(shape=Sphere(radius=float("nan")))}))[1] == ["OMI-P002"]
    assert moments(colliding({0: Collider(shape=Convex(mesh=7))}))[1] == ["OMI-P010", "OMI-P002"]


def test_compound_pendulum_swings_at_the_rate_of_its_capsule():
    """Half a period of a rod about its end, T = 2 pi sqrt((I + m l²) / (m g l))."""
    capsule = Capsule(height=1.0, radius_bottom=0.1, radius_top=0.1)
    scene = pendulum(presets.hinge(axis=0), angle=0.05, length=0.6, inertia=0.0)
    simulation = Simulation(replace(scene, colliders={0: Collider(shape=capsule)}))
    cylinder, ball = np.pi * 0.01, np.pi * 0.004 / 3.0
    cap = 83.0 / 320.0 * 0.01 + (0.5 + 3.0 / 80.0) ** 2
    across = cylinder * (1.0 / 12.0 + 0.01 / 4.0) + ball * cap
    inertia = across / (cylinder + ball) + 0.6**2
    period = 2.0 * np.pi * np.sqrt(inertia / (9.81 * 0.6)) * (1.0 + 0.05**2 / 16.0)
    simulation.advance(period)
    np.testing.assert_allclose(simulation.matrices()[0], scene.matrices[0], atol=2e-4)

"""Gravity factors above 1 in MJCF: MuJoCo looks at none unless one body has one below 1."""

from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Sphere
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.solver_scenes import matrix

mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")

SECONDS = 0.3


def balls(*factors: float, is_held: bool) -> PhysicsScene:
    """Return balls that fall with these factors, beside a static body or alone."""
    motions = {n: Motion(mass=0.37, gravity_factor=f) for n, f in enumerate(factors)}
    if is_held:
        motions[len(factors)] = Motion(type=MotionType.STATIC)
    count = len(motions)
    return PhysicsScene(
        names=tuple(f"Ball {n}" for n in range(count)),
        parents=np.full(count, -1),
        matrices=np.array([matrix((2.0 * n, 0.0, 5.0)) for n in range(count)]),
        motions=motions,
        colliders={n: Collider(shape=Sphere(radius=0.11)) for n in motions},
    )


def fallen(path: Path) -> dict[str, float]:
    """Return the gravity factor with which MuJoCo lets each body fall."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    while data.time < SECONDS - 1e-9:
        mujoco.mj_step(model, data)
    names = [model.body(number).name for number in range(1, model.nbody)]
    way = 0.5 * 9.81 * data.time**2
    mujoco.mj_kinematics(model, data)
    return {name: (5.0 - data.body(name).xpos[2]) / way for name in names}


@pytest.mark.parametrize(
    ("factors", "is_held"),
    [((1.48,), True), ((1.48, 1.0), False), ((1.48, 0.3), False), ((0.5,), True)],
)
def test_balls_fall_as_the_scene_says(
    factors: tuple[float, ...], is_held: bool, tmp_path: Path
) -> None:
    scene = balls(*factors, is_held=is_held)
    path = tmp_path / "balls.xml"
    path.write_bytes(bytes(MJCF.write(scene, Target(path=path)).files[path.name]))
    found = fallen(path)
    assert [found[f"Ball {n}"] for n in range(len(factors))] == pytest.approx(factors, rel=0.01)
    again = MJCF.read(Source(path=path))[0].scene
    read = {again.names[n]: motion.gravity_factor for n, motion in again.motions.items()}
    assert [read[f"Ball {n}"] for n in range(len(factors))] == pytest.approx(factors)


def test_a_heavy_ball_alone_is_named_and_read_as_it_falls(tmp_path: Path) -> None:
    path = tmp_path / "balls.xml"
    written = MJCF.write(balls(1.48, is_held=False), Target(path=path))
    path.write_bytes(bytes(written.files[path.name]))
    assert "Ball 0" in [each.place for each in written.losses if each.noun == Noun.GRAVITY_FACTOR]
    assert fallen(path) == {"Ball 0": pytest.approx(1.0, rel=0.01)}
    again = MJCF.read(Source(path=path))[0].scene
    (motion,) = (motion for node, motion in again.motions.items() if again.names[node] == "Ball 0")
    assert motion.gravity_factor == 1.0

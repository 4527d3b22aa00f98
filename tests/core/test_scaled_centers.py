"""The center of mass of a scaled body is at the same place of the world in every file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.velocities import center_of
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.registry import FORMATS
from tests.core.solver_scenes import pendulum

SUFFIXES = {".gltf", ".usda", ".urdf", ".xml", ".json"}


def scaled(scale: tuple[float, float, float]) -> PhysicsScene:
    """Return a pendulum whose body is scaled and has its mass off its origin."""
    scene = pendulum(presets.hinge(axis=0, min_angle=-1.0, max_angle=1.0))
    ((body, motion),) = scene.motions.items()
    matrices = scene.matrices.copy()
    matrices[body, :3, :3] = matrices[body, :3, :3] @ np.diag(scale)
    moved = replace(
        motion, center_of_mass=(0.1, 0.2, 0.3), inertia_diagonal=(0.1, 0.2, 0.25), mass=2.0
    )
    return replace(scene, matrices=matrices, motions={body: moved})


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 2.0, 2.0), (1.0, 2.0, 0.5)])
def test_a_center_of_mass_stays_in_the_world(
    tmp_path: Path, suffix: str, scale: tuple[float, float, float]
) -> None:
    if suffix == ".usda":
        pytest.importorskip("pxr.Usd")
    scene = scaled(scale)
    ((body, _motion),) = scene.motions.items()
    row = next(row for row in FORMATS if suffix in row.suffixes)
    path = tmp_path / f"scene{suffix}"
    write_files(tmp_path, row.write(scene, Target(path=path)).files)
    again = row.read(Source(path=path))[0].scene
    node = next(n for n in again.motions if again.names[n] == scene.names[body])
    assert center_of(again, node) == pytest.approx(center_of(scene, body), abs=1e-6)

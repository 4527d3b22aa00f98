"""Bodies with joints at positions over time, without Blender."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning.posing import posed_bodies
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.scene import PhysicsScene
from tests.core.solver_scenes import SceneBuilder


def chain(*, swapped: bool = False) -> PhysicsScene:
    """Return two links of 1 m along X on the world, hinged about Z."""
    build = SceneBuilder((0.0, 0.0, 0.0))
    hinge = preset_settings(Preset.HINGE)
    first, second = build.body((1.0, 0.0, 0.0)), build.body((2.0, 0.0, 0.0))
    build.joint(hinge, -1, first, (0.0, 0.0, 0.0))
    build.joint(hinge, *((second, first) if swapped else (first, second)), (1.0, 0.0, 0.0))
    return build.scene()


@pytest.mark.parametrize("swapped", [False, True])
def test_angles_of_a_chain_add_up(swapped: bool) -> None:
    scene = chain(swapped=swapped)
    one, two = (scene.names[joint.node] for joint in scene.joints)
    seconds = np.array([0.0, 1.0, 2.0])
    columns = {one: np.array([0.0, math.nan, 1.0]), two: np.array([0.0, 0.25, -0.5])}
    found = posed_bodies(scene, seconds, columns)
    assert found.followed == [one, two]
    end = found.matrices[max(found.matrices)]
    sign = -1.0 if swapped else 1.0
    for row, (first, second) in enumerate(((0.0, 0.0), (0.5, 0.25), (1.0, -0.5))):
        angle = first + sign * second
        expected = np.array((math.cos(first), math.sin(first), 0.0))
        expected += (math.cos(angle), math.sin(angle), 0.0)
        assert end[row][:3, 3] == pytest.approx(expected, abs=1e-9)
        assert math.atan2(end[row][1, 0], end[row][0, 0]) == pytest.approx(angle, abs=1e-9)


def test_a_column_with_an_axis_moves_along_it_alone() -> None:
    scene = chain()
    name = scene.names[scene.joints[0].node]
    found = posed_bodies(scene, np.array([0.0, 1.0]), {f"{name}.rz": np.array([0.0, 0.5])})
    assert found.followed == [name]
    assert len(found.matrices) == 2
    assert not found.unmoved


def test_joints_of_a_loop_are_named() -> None:
    build = SceneBuilder((0.0, 0.0, 0.0))
    hinge = preset_settings(Preset.HINGE)
    body = build.body((1.0, 0.0, 0.0))
    build.joint(hinge, -1, body, (0.0, 0.0, 0.0))
    build.joint(hinge, -1, body, (2.0, 0.0, 0.0))
    scene = build.scene()
    names = [scene.names[joint.node] for joint in scene.joints]
    found = posed_bodies(
        scene,
        np.array([0.0, 1.0]),
        {**dict.fromkeys(names, np.array([0.0, 1.0])), "none": np.zeros(2)},
    )
    assert (found.unmoved, found.unknown) == (names[1:], ["none"])

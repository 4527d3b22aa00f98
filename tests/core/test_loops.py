"""Mechanisms that were saved open are closed along their joints."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.loops import close_loops
from tests.core.solver_scenes import SceneBuilder, turn

FREE = {"min_angle": -math.inf, "max_angle": math.inf}
HINGE = presets.hinge(axis=2, **FREE)


def four_bar(angle: float) -> PhysicsScene:
    """Return one four-bar alone."""
    build = SceneBuilder()
    add_four_bar(build, angle)
    return build.scene()


def add_four_bar(build: SceneBuilder, angle: float) -> None:
    """Bars of 1, 2 and 1.5 m over a ground of 2 m, hinged about Z; the first stands at `angle`.

    The other two lie straight on from it, so that the far end of the last misses its post.
    """
    ground = build.body((0, 0, 0), type="static")
    rotation = turn((0, 0, 1), angle)
    along = np.array((math.cos(angle), math.sin(angle), 0.0))
    starts = [np.zeros(3), along, 3.0 * along]
    bars = [build.body(start, rotation) for start in starts]
    for body, held, start in zip(bars, (ground, *bars), starts, strict=False):
        build.joint(HINGE, body, held, start)
    end = build.node(4.5 * along, parent=bars[-1])
    post = build.node((2.0, 0.0, 0.0), parent=ground)
    build.joint(HINGE, bars[-1], ground, (0, 0, 0))
    last = build.joints[-1]
    build.nodes[last.node] = build.nodes[end]
    build.nodes[last.connected] = build.nodes[post]


@pytest.mark.parametrize("angle", [0.9, 1.7, -2.2])
def test_four_bar_closes(angle: float) -> None:
    scene = four_bar(angle)
    closed = close_loops(scene)
    assert closed.before > 1.0
    assert closed.is_closed
    for joint in closed.scene.joints:
        one, other = closed.scene.matrices[[joint.node, joint.connected]]
        # Hinges about Z: same origins, same Z.
        assert np.allclose(one[:3, 3], other[:3, 3], atol=1e-8)
        assert np.allclose(one[:3, 2], other[:3, 2], atol=1e-8)
    bodies = scene.bodies()
    for node, body in enumerate(bodies):
        if body >= 0:
            was = np.linalg.inv(scene.matrices[body]) @ scene.matrices[node]
            now = np.linalg.inv(closed.scene.matrices[body]) @ closed.scene.matrices[node]
            assert np.allclose(was, now, atol=1e-12), "a node has moved on its body"
    ground = [node for node in scene.motions if not scene.is_dynamic(node)]
    assert np.array_equal(closed.scene.matrices[ground], scene.matrices[ground])


def test_bars_that_are_too_short_come_as_close_as_they_can() -> None:
    build = SceneBuilder()
    ground = build.body((0, 0, 0), type="static")
    bar = build.body((0, 0, 0))
    build.joint(HINGE, bar, ground, (0, 0, 0))
    post = build.node((0.0, 3.0, 0.0), parent=ground)
    end = build.node((1.0, 0.0, 0.0), parent=bar)
    build.joint(HINGE, bar, ground, (0, 0, 0))
    last = build.joints[-1]
    build.nodes[last.node], build.nodes[last.connected] = build.nodes[end], build.nodes[post]
    closed = close_loops(build.scene())
    assert not closed.is_closed
    assert closed.after == pytest.approx(2.0, abs=1e-3)
    assert np.isfinite(closed.scene.matrices).all()


def test_scene_without_loops_stays_as_it_is() -> None:
    build = SceneBuilder()
    ground = build.body((0, 0, 0), type="static")
    build.joint(HINGE, build.body((0, 0, 0)), ground, (0, 0, 0))
    scene = build.scene()
    closed = close_loops(scene)
    assert closed.before == closed.after == 0.0
    assert np.array_equal(closed.scene.matrices, scene.matrices)


def test_mechanisms_that_share_no_body_close_as_each_does_alone() -> None:
    angles, build = (0.9, 1.7, -2.2), SceneBuilder()
    for angle in angles:
        add_four_bar(build, angle)
    together = close_loops(build.scene())
    alone = [close_loops(four_bar(angle)) for angle in angles]
    matrices = np.concatenate([closed.scene.matrices for closed in alone])
    np.testing.assert_allclose(together.scene.matrices, matrices, atol=1e-8)
    assert together.before == max(closed.before for closed in alone)
    assert together.is_closed


def test_what_hangs_on_no_loop_stays() -> None:
    build = SceneBuilder()
    add_four_bar(build, 0.9)
    above = build.body((5.0, 0.3, 0.2), type="static")
    first = len(build.nodes)
    for number in range(1, 6):
        body = build.body((5.0 + number / 3.0, 0.3, 0.2), turn((1, 2, 3), 0.1 * number))
        build.joint(HINGE, body, above, (5.0 + number / 3.0, 0.3, 0.2))
        above = body
    scene = build.scene()
    closed = close_loops(scene)
    assert closed.is_closed
    np.testing.assert_allclose(closed.scene.matrices[first:], scene.matrices[first:], atol=1e-12)

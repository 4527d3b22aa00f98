"""Every format gives back each field of a random scene, or names it in its report."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from omi_joints_addon.core.checks.acting_alike import without_alike
from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.graph import joint_ends
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.same_joints import with_joints_described_as
from omi_joints_addon.io import registry
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.advice import WHOLES
from omi_joints_addon.io.formats.format import Format, Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from tests.core.scene_strategies import scenes
from tests.core.solver_scenes import SceneBuilder

FREE = ("settings name", "in articulation", "details")
"""What no report has, or as another noun."""
ROWS = [row for row in registry.FORMATS if row.name != "blend"]


def unnamed(row: Format, scene: PhysicsScene, folder: Path) -> list[str]:
    """Return the fields that a file of a format has lost and does not report."""
    path = folder / f"scene{row.suffixes[0]}"
    written = written_scene(row, scene, Target(path=path))
    write_files(folder, written.files)
    again = row.read(Source(path=path))[0].scene
    match = matched_by_name(scene, again)
    again = with_joints_described_as(scene, again, match)[0]
    # What a writer expresses in other words is not reported, nor what is part of a reported whole.
    named = (*written.losses, *row.write(scene, Target(path=path)).losses)
    reported = {(loss.place, str(loss.noun)) for loss in named}
    # Joints of couplings are compared as they are; the bounds of one count from the reported zero.
    numbers = {number for each in again.couplings for number in (each.joint, each.source)}
    coupled = {again.names[again.joints[number].node] for number in numbers}
    reported |= {(place, "limit") for place in coupled if (place, "zero") in reported}
    # One of two frames that are apart is left: the ends of the joint may be exchanged by that.
    reported |= {(place, "joint") for place in coupled if (place, "frames") in reported}
    # What has no shape collides with nothing, whatever its joint says.
    owner, pairs = scene.bodies(), joint_ends(scene).pairs()
    solid = {int(owner[node]) for node in scene.colliders}
    reported |= {
        (scene.names[joint.node], str(Noun.ENABLE_COLLISION))
        for joint, pair in zip(scene.joints, pairs, strict=True)
        if not {*pair} <= solid
    }
    found = without_alike(differences(scene, again, match), scene, again, match)
    return [
        f"{place}: {difference.noun}"
        for difference in found
        for place in [scene.names[difference.node] if difference.node >= 0 else ""]
        if difference.noun not in FREE and not (difference.node < 0 and difference.noun == "name")
        if not {
            (where, noun)
            for where in (place, "")
            for noun in (difference.noun, *WHOLES.get(difference.noun, ()))
        }
        & reported
    ]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
@given(scene=scenes())
@settings(suppress_health_check=list(HealthCheck))
def test_each_field_comes_back_or_is_named(tmp_path, row, scene):
    assert unnamed(row, scene, tmp_path) == []


def test_a_coupled_joint_of_a_robot_whose_frames_are_apart_counts_as_before(tmp_path: Path) -> None:
    """Its ends are exchanged and so is its axis: bounds and couplings stay what they are."""
    build = SceneBuilder()
    post, one, two = (
        build.body((0, 0, 0), type="static"),
        build.body((0, 0, 0)),
        build.body((0, 0, 0)),
    )
    build.joint(hinge(axis=0, min_angle=-0.3, max_angle=1.0), post, one, (0, 0, 0))
    build.joint(hinge(), two, post, (0, 0, 0))
    scene = build.scene()
    joint, matrices = scene.joints[0], scene.matrices.copy()
    matrices[joint.node, :3, :3] = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]
    matrices[joint.other, 2, 3] = 1.0
    coupling = Coupling(joint=1, source=0, coefficients=(0.5, 2.0, 0.1))
    scene = replace(scene, matrices=matrices, couplings=(coupling,))
    (row,) = (row for row in ROWS if row.name == "urdf")
    assert unnamed(row, scene, tmp_path) == []
    again = row.read(Source(path=tmp_path / "scene.urdf"))[0].scene
    assert again.couplings[0].coefficients == coupling.coefficients
    ways = []
    for each in (scene, again):
        source = each.joints[each.couplings[0].source]
        limits = [limit for limit in source.settings.limits if limit.min < limit.max]
        assert [(limit.min, limit.max) for limit in limits] == [(-0.3, 1.0)]
        # The direction about which the body turns, seen from the post, as angles grow.
        sign = -1.0 if each.names[each.bodies()[source.node]] == scene.names[one] else 1.0
        (axis,) = limits[0].angular_axes
        ways.append(sign * each.matrices[source.node, :3, axis])
    np.testing.assert_allclose(ways, [(0.6, 0.8, 0.0)] * 2, atol=1e-9)

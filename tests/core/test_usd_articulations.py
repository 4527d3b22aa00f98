"""Roots of articulations in USD: what cannot be said as it is gets named."""

from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.scene import Joint
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import SceneBuilder

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


def test_free_root_that_a_fixed_joint_holds_is_named(tmp_path: Path) -> None:
    build = SceneBuilder()
    root = build.body((0, 0, 0), type="static")
    node, end = build.node((0, 0, 0), parent=root), build.node((0, 0, 0))
    build.joints.append(Joint(node=node, connected=end, settings=presets.fixed()))
    scene = replace(build.scene(), articulations=(Articulation(root=root),))
    written = USD.write(scene, Target(path=tmp_path / "held.usda"))
    assert [str(loss.noun) for loss in written.losses] == ["articulation"]

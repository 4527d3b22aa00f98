"""What PhysX makes of scenes, and that the writer writes what works there."""

from dataclasses import replace

import pytest

from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.scene import PhysicsScene

from .usd_scenes import ARM, chain


def codes(scene: PhysicsScene) -> list[str]:
    return [found.code for found in PHYSX.check(scene) if found.code.startswith("OMI-U")]


def with_attributes(scene: PhysicsScene, **values: float | bool) -> PhysicsScene:
    first = replace(scene.joints[0], attributes=JointAttributes(**values))
    return replace(scene, joints=(first, *scene.joints[1:]))


def test_a_joint_to_a_solid_static_body() -> None:
    scene = chain(3)
    assert codes(scene) == ["OMI-U050"]
    assert codes(replace(scene, colliders={})) == []


@pytest.mark.parametrize("name", ["friction", "armature", "velocity"])
def test_attributes_act_in_articulations_only(name: str) -> None:
    scene = with_attributes(replace(chain(3), colliders={}), **{name: 1.0})
    assert codes(scene) == ["OMI-U051"]
    assert codes(replace(scene, articulations=ARM)) == []


def test_loops_and_kinematic_bodies_of_articulations() -> None:
    scene = replace(chain(3, articulations=ARM), colliders={})
    last = scene.joints[-1]
    loop = replace(last, connected=scene.joints[0].connected, settings=hinge())
    looped = replace(scene, joints=(*scene.joints, loop))
    assert codes(looped) == ["OMI-U052"]
    out = replace(loop, attributes=JointAttributes(in_articulation=False))
    assert codes(replace(scene, joints=(*scene.joints, out))) == []
    # A chain from a static base: its last body is kinematic, and hangs on it at both ends.
    moved = scene.motions | {7: Motion(type="kinematic")}
    assert "OMI-U053" not in codes(replace(scene, motions=moved))

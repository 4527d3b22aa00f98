"""What PhysX makes of scenes, and that the writer writes what works there."""

import math
from dataclasses import replace

import pytest

from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.articulation import Coupling
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


@pytest.mark.parametrize("whole", [False, True])
def test_ranges_beyond_half_a_turn_act_in_articulations_only(*, whole: bool) -> None:
    scene = replace(chain(3), colliders={})
    most = math.inf if whole else 2.3
    settings = hinge(min_angle=-most, max_angle=most)
    own = {"whole_range": (-6.2, 6.2)} if whole else {"zero": 1.83}
    joint = replace(scene.joints[2], settings=settings, attributes=JointAttributes(**own))
    scene = replace(scene, joints=(*scene.joints[:2], joint))
    assert codes(scene) == ["OMI-U062"]
    assert codes(replace(scene, articulations=ARM)) == []
    within = replace(joint, attributes=JointAttributes(zero=0.5))
    assert codes(replace(scene, joints=(*scene.joints[:2], within))) == []


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


@pytest.mark.parametrize("bounds", [(), ((-1.0, 1.0),), ((-1.0, 1.0), (-2.0, math.inf))])
def test_joints_follow_only_between_two_bounds_each(
    bounds: tuple[tuple[float, float], ...],
) -> None:
    free = (-math.inf, math.inf)
    ranges = (*bounds, *(free for _ in range(2 - len(bounds))))
    assert "OMI-U056" in codes(followed(*ranges))
    assert "OMI-U056" not in codes(followed((-1.0, 1.0), (-2.0, 2.0)))


def followed(*ranges: tuple[float, float]) -> PhysicsScene:
    """Return a chain whose second joint follows its first, two hinges of these ranges."""
    scene = chain(2)
    joints = (
        replace(joint, settings=hinge(min_angle=low, max_angle=high))
        for joint, (low, high) in zip(scene.joints, ranges, strict=True)
    )
    coupling = Coupling(joint=1, source=0, coefficients=(0.0, -2.0))
    return replace(scene, joints=tuple(joints), couplings=(coupling,))

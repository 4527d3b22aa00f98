"""Checks of bodies: for each rule a bad example and a good twin."""

from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.checks.bodies import check_bodies, check_shapes
from omi_joints_addon.core.model.body import Collider, Motion
from omi_joints_addon.core.model.scene import PhysicsScene


def scene(motions, parents=None):
    count = max(motions) + 1
    return PhysicsScene(
        names=tuple("ABCDEF"[:count]),
        parents=np.array(parents or [-1] * count, dtype=np.intp),
        matrices=np.tile(np.eye(4), (count, 1, 1)),
        motions=motions,
    )


def found(motions, parents=None):
    return [(each.code, each.place) for each in check_bodies(scene(motions, parents))]


@pytest.mark.parametrize("holder", ["dynamic", "kinematic"])
@pytest.mark.parametrize("body", ["dynamic", "kinematic", "static"])
def test_a_body_below_a_moving_one(holder, body):
    motions = {0: Motion(type=holder), 2: Motion(type=body)}
    # A plain node is between the two.
    assert found(motions, [-1, 0, 1]) == [("OMI-B013", "C")]
    assert found(motions, [-1, 0, -1]) == []


def test_a_body_below_a_static_one_is_fine():
    assert found({0: Motion(type="static"), 1: Motion()}, [-1, 0]) == []


@pytest.mark.parametrize("mass", [0.0, -1.0, float("nan")])
def test_a_dynamic_body_without_mass(mass):
    assert found({0: Motion(mass=mass)}) == [("OMI-B014", "A")]
    assert found({0: Motion(type="static", mass=mass)}) == []
    assert found({0: Motion(mass=1e-6)}) == []


def test_moments_that_no_body_has():
    assert found({0: Motion(inertia_diagonal=(1.0, 1.0, 2.5))}) == [("OMI-B015", "A")]
    # A flat disc is the limit.
    assert found({0: Motion(inertia_diagonal=(1.0, 1.0, 2.0))}) == []
    assert found({0: Motion(inertia_diagonal=(0.0, 0.0, 0.0))}) == []


MESH, SHAPE = frozenset(("mesh",)), frozenset(("collider",))


@pytest.mark.parametrize(
    ("parts", "is_found"),
    [
        ({"carries": {2: MESH}}, True),
        ({"carries": {2: MESH | SHAPE}}, False),
        ({"carries": {2: MESH}, "colliders": {1: Collider()}}, False),
        ({}, False),  # a frame of a sensor: nothing to see
    ],
)
def test_a_dynamic_body_that_is_seen_but_cannot_be_touched(parts, is_found):
    """A plain node and its child are below the body; either may have the shape."""
    whole = PhysicsScene(
        names=("Body", "Part", "Mesh"),
        parents=np.array([-1, 0, 1], dtype=np.intp),
        matrices=np.tile(np.eye(4), (3, 1, 1)),
        motions={0: Motion()},
        **parts,
    )
    expected = [("OMI-B016", "Body")] if is_found else []
    assert [(each.code, each.place) for each in check_shapes(whole)] == expected


def test_static_bodies_may_be_without_shape():
    parts = {"carries": {0: MESH}}
    whole = scene({0: Motion(type="static")})
    assert not list(check_shapes(replace(whole, **parts)))
    assert list(check_shapes(replace(scene({0: Motion()}), **parts)))

"""Outlines of shapes lie on their surfaces."""

import numpy as np
import pytest

from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Sphere, Trimesh
from omi_joints_addon.core.shapes.outline import SIDES, shape_segments


def points(shape):
    return shape_segments(shape).reshape(-1, 3)


def test_a_box_has_its_twelve_edges():
    segments = shape_segments(Box(size=(2.0, 4.0, 6.0)))
    assert segments.shape == (12, 2, 3)
    assert np.abs(segments).reshape(-1, 3).tolist() == [[1.0, 2.0, 3.0]] * 24
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    assert sorted(lengths) == [2.0] * 4 + [4.0] * 4 + [6.0] * 4


def test_a_sphere_has_three_circles_of_its_radius():
    found = points(Sphere(radius=1.5))
    assert len(found) == 3 * 2 * SIDES
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.full(len(found), 1.5))
    assert np.ptp(found, axis=0) == pytest.approx([3.0] * 3)


def test_a_cone_goes_from_its_disc_to_its_tip():
    found = points(Cylinder(height=2.0, radius_bottom=1.0, radius_top=0.0))
    radius = np.hypot(found[:, 0], found[:, 1])
    assert radius == pytest.approx((1.0 - found[:, 2]) / 2.0)
    assert (found[:, 2].min(), found[:, 2].max()) == (-1.0, 1.0)


@pytest.mark.parametrize("top", [0.5, 0.2, 0.9])
def test_a_capsule_is_touched_by_both_spheres_and_the_cone_between(top):
    shape = Capsule(height=2.0, radius_bottom=0.5, radius_top=top)
    found = points(shape)
    assert found[:, 2].max() == pytest.approx(1.0 + top, abs=0.01)
    assert found[:, 2].min() == pytest.approx(-1.5, abs=0.01)
    # Distance to the axis with a radius that changes along it: the capsule is where none is left.
    steps = np.linspace(0.0, 1.0, 4001)
    centers = np.stack((0.0 * steps, 0.0 * steps, 2.0 * steps - 1.0), axis=1)
    radii = 0.5 + (top - 0.5) * steps
    gaps = np.linalg.norm(found[:, None] - centers[None], axis=2) - radii
    assert gaps.min(axis=1) == pytest.approx(np.zeros(len(found)), abs=1e-6)


def test_a_capsule_whose_one_sphere_holds_the_other_is_that_sphere():
    found = points(Capsule(height=0.2, radius_bottom=1.0, radius_top=0.1))
    assert np.linalg.norm(found - np.array((0, 0, -0.1)), axis=1) == pytest.approx(
        np.ones(len(found))
    )


def test_a_mesh_has_no_outline():
    assert shape_segments(Trimesh(mesh=1)).shape == (0, 2, 3)

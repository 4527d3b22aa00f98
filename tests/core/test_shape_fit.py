"""Shapes fitted to points."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Sphere,
    Trimesh,
    enclosing_scaled_shape,
    scaled_shape_of,
)
from omi_joints_addon.core.shapes.fit import (
    Bounds,
    Fit,
    bounds_fit,
    bounds_of,
    fit_shape,
    guess_fit,
)
from omi_joints_addon.core.shapes.inertia import primitive_solid

CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def ball(radius: float = 1.0, *, rings: int = 24, sides: int = 48) -> np.ndarray:
    tilt = np.linspace(-math.pi / 2.0, math.pi / 2.0, rings + 1)[:, None]
    turn = np.linspace(0.0, 2.0 * math.pi, sides, endpoint=False)
    points = (np.cos(tilt) * np.cos(turn), np.cos(tilt) * np.sin(turn), np.sin(tilt) + 0.0 * turn)
    return radius * np.stack(points, axis=-1).reshape(-1, 3)


def rod(radius: float, height: float) -> np.ndarray:
    turn = np.linspace(0.0, 2.0 * math.pi, 32, endpoint=False)
    ring = np.stack((radius * np.cos(turn), radius * np.sin(turn), 0.0 * turn), axis=1)
    half = np.array((0.0, 0.0, height / 2.0))
    return np.concatenate((ring - half, ring + half))


def pill(radius: float, height: float) -> np.ndarray:
    points = ball(radius)
    return points + np.sign(points[:, 2:]) * (0.0, 0.0, height / 2.0)


def guess(points: np.ndarray) -> Fit:
    fit = guess_fit(points)
    assert fit is not None
    return fit


def test_a_cube_is_a_box():
    assert guess(CUBE * (1.0, 2.0, 3.0) + (5.0, 0.0, 0.0)) == Fit(
        shape=Box(size=(2.0, 4.0, 6.0)), center=(5.0, 0.0, 0.0)
    )


def test_a_ball_is_a_sphere():
    fit = guess(ball(2.0) + np.array((0.0, 1.0, 0.0)))
    assert isinstance(fit.shape, Sphere)
    assert fit.shape.radius == pytest.approx(2.0)
    assert fit.center == pytest.approx((0.0, 1.0, 0.0))


@pytest.mark.parametrize("up", [0, 1, 2])
def test_a_rod_is_a_cylinder_along_its_axis(up):
    fit = guess(np.roll(rod(0.5, 4.0), up + 1, axis=1))
    assert fit.up == up
    assert isinstance(fit.shape, Cylinder)
    assert (fit.shape.height, fit.shape.radius_top) == pytest.approx((4.0, 0.5))


@pytest.mark.parametrize("up", [0, 1, 2])
def test_a_pill_is_a_capsule_along_its_axis(up):
    fit = guess(np.roll(pill(0.5, 2.0), up + 1, axis=1))
    assert fit.up == up
    assert isinstance(fit.shape, Capsule)
    assert (fit.shape.height, fit.shape.radius_bottom) == pytest.approx((2.0, 0.5))


def test_a_wedge_is_convex():
    wedge = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    assert guess(wedge).shape == Convex()


def test_a_plane_gets_a_thickness():
    plane = np.array([(x, y, 0) for x in (-1, 1) for y in (-1, 1)], float)
    fit = guess(plane)
    assert isinstance(fit.shape, Box)
    assert fit.shape.size == pytest.approx((2.0, 2.0, 2e-3))


def test_every_fit_holds_every_point():
    random = np.random.default_rng(3)
    for _ in range(20):
        points = random.normal(size=(200, 3)) * random.uniform(0.1, 3.0, 3)
        for type_ in ("sphere", "capsule", "cylinder"):
            fit = fit_shape(type_, points)
            assert fit is not None
            assert overshoot(fit, points) < 1e-9


def overshoot(fit: Fit, points: np.ndarray) -> float:
    """Return how far the farthest point is outside the shape [m]."""
    shape = fit.shape
    local = np.roll(points - fit.center, 2 - fit.up, axis=1)
    across, along = np.linalg.norm(local[:, :2], axis=1), np.abs(local[:, 2])
    if isinstance(shape, Sphere):
        return float((np.hypot(across, along) - shape.radius).max())
    if isinstance(shape, Cylinder):
        return float(np.maximum(across - shape.radius_top, along - shape.height / 2.0).max())
    assert isinstance(shape, Capsule)
    beyond = np.maximum(along - shape.height / 2.0, 0.0)
    return float((np.hypot(across, beyond) - shape.radius_top).max())


def test_mesh_shapes_need_no_sizes():
    for type_, shape in (("convex", Convex()), ("trimesh", Trimesh())):
        assert fit_shape(type_, CUBE) == Fit(shape=shape)


def test_a_shape_on_a_wanted_axis():
    fit = fit_shape("cylinder", CUBE * (3.0, 1.0, 1.0), up=2)
    assert fit is not None
    assert fit.up == 2
    assert fit.shape == Cylinder(
        height=2.0, radius_bottom=math.sqrt(10.0), radius_top=math.sqrt(10.0)
    )


@pytest.mark.parametrize(
    ("type_", "shape"),
    [
        ("box", Box(size=(2.0, 4.0, 10.0))),
        ("sphere", Sphere(radius=5.0)),
        ("capsule", Capsule(height=6.0, radius_bottom=2.0, radius_top=2.0)),
        ("cylinder", Cylinder(height=10.0, radius_bottom=2.0, radius_top=2.0)),
        ("cone", Cylinder(height=10.0, radius_bottom=2.0, radius_top=0.0)),
    ],
)
def test_rigid_body_sizes_by_hand(type_, shape):
    bounds = Bounds((0.0, 0.0, 0.0), (2.0, 4.0, 10.0))
    assert bounds_fit(type_, bounds) == Fit(shape=shape, center=(1.0, 2.0, 5.0))


def test_a_rigid_body_capsule_without_room_for_its_middle_is_a_sphere():
    assert bounds_fit("capsule", Bounds((-1, -1, -1), (1, 1, 1))).shape == Sphere(radius=1.0)


def test_points_without_extent_have_no_fit():
    for points in (np.empty((0, 3)), np.zeros((1, 3)), np.full((4, 3), np.nan)):
        assert bounds_of(points) is None
        assert guess_fit(points) is None


def test_single_precision_points_are_enough():
    points = ball(2.0).astype(np.float32)
    fit = fit_shape("sphere", points)
    assert fit is not None
    assert isinstance(fit.shape, Sphere)
    assert fit.shape.radius == pytest.approx(2.0, rel=1e-6)


@pytest.mark.parametrize(
    ("shape", "scale", "scaled"),
    [
        (Box(), (1.0, 2.0, -3.0), Box(size=(1.0, 2.0, 3.0))),
        (Sphere(), (2.0, -2.0, 2.0), Sphere(radius=1.0)),
        (Sphere(), (1.0, 2.0, 1.0), None),
        (Capsule(), (2.0, 2.0, 2.0), Capsule(height=2.0, radius_bottom=1.0, radius_top=1.0)),
        (Capsule(), (1.0, 1.0, 2.0), None),
        (Cylinder(), (2.0, 2.0, 3.0), Cylinder(height=6.0, radius_bottom=1.0, radius_top=1.0)),
        (Cylinder(), (1.0, 2.0, 1.0), None),
        (Convex(mesh=1), (1.0, 2.0, 3.0), Convex(mesh=1)),
    ],
)
def test_scale_goes_into_sizes_where_the_shape_allows_it(shape, scale, scaled):
    assert scaled_shape_of(shape, scale) == scaled


def test_a_shape_that_cannot_be_scaled_grows_to_hold_the_scaled_one():
    assert enclosing_scaled_shape(Sphere(), (1.0, 2.0, 1.0)) == Sphere(radius=1.0)
    tall = enclosing_scaled_shape(Cylinder(), (1.0, 3.0, 2.0))
    assert tall == Cylinder(height=4.0, radius_bottom=1.5, radius_top=1.5)


def test_scaling_grows_the_volume_by_its_product():
    small, large = Box(size=(1.0, 2.0, 3.0)), scaled_shape_of(Box(size=(1.0, 2.0, 3.0)), (2, 3, 4))
    assert large is not None
    before, after = primitive_solid(small), primitive_solid(large)
    assert before is not None
    assert after is not None
    assert after.volume == pytest.approx(24.0 * before.volume)


def test_the_middle_of_rounded_points_is_the_origin_itself():
    assert Bounds((-1.0, -2.0, -3.0), (1.0 + 1e-7, 2.0, 3.0)).center == (0.0, 0.0, 0.0)
    assert Bounds((-1.0, -2.0, -3.0), (1.0 + 1e-3, 2.0, 3.0)).center[0] != 0.0

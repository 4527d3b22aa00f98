"""Handles of shapes: where they are, and that the other side stays, by arithmetic."""

import numpy as np
import pytest

from omi_joints_addon.core.model.pose import rotation_matrix
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere
from omi_joints_addon.core.shapes.fit import Fit
from omi_joints_addon.core.shapes.handles import THINNEST, dragged, line, shape_handles
from omi_joints_addon.core.shapes.outline import shape_segments

CENTER = (0.3, -1.1, 2.7)
SHAPES = (
    Box(size=(0.7, 1.3, 2.1)),
    Sphere(radius=0.37),
    Capsule(height=1.7, radius_bottom=0.23, radius_top=0.23),
    Capsule(height=1.7, radius_bottom=0.41, radius_top=0.23),
    Cylinder(height=0.9, radius_bottom=0.31, radius_top=0.31),
)
PLACED = [Fit(shape=shape, center=CENTER, up=2) for shape in SHAPES]
PLACED += [Fit(shape=shape, center=CENTER, up=up) for shape in SHAPES[2:] for up in (0, 1)]
ALL = [
    pytest.param(fit, handle, id=f"{type(fit.shape).__name__} {fit.up} {handle.name} {handle.axis}")
    for fit in PLACED
    for handle in shape_handles(fit.shape)
]


def extent(fit: Fit, direction: np.ndarray) -> float:
    """Return how far a shape reaches [m]: its outline along a direction."""
    turn = rotation_matrix(np.array(fit.rotation))
    points = shape_segments(fit.shape).reshape(-1, 3) @ turn.T + fit.center
    return float((points @ direction).max())


@pytest.mark.parametrize(("fit", "handle"), ALL)
def test_the_side_that_is_dragged_follows_and_the_other_one_stays(fit: Fit, handle) -> None:
    place, direction = line(fit, handle)
    if handle.name != "radius_top":
        assert direction @ place == pytest.approx(extent(fit, direction), abs=2e-3)
    for way in (0.13, -0.07):
        new = dragged(fit, handle, way)
        where = (handle.name, handle.axis, handle.sign)
        same = {(each.name, each.axis, each.sign): each for each in shape_handles(new.shape)}
        found = same[where]
        moved, _ = line(new, found)
        np.testing.assert_allclose(moved, place + way * direction, atol=1e-12)
        if not handle.name.startswith("rad"):
            behind = extent(new, -direction)
            assert behind == pytest.approx(extent(fit, -direction), abs=1e-4)
        both = dragged(fit, handle, way, is_symmetric=True)
        assert both.center == fit.center


@pytest.mark.parametrize(("fit", "handle"), ALL)
def test_nothing_is_dragged_inside_out(fit: Fit, handle) -> None:
    new = dragged(fit, handle, -9.0).shape
    sizes = [*getattr(new, "size", ()), *(getattr(new, n, 1.0) for n in ("radius", "height"))]
    assert min(sizes) >= 0.0
    name = "radius_top" if handle.name == "radii" else handle.name
    value = new.size[handle.axis] if isinstance(new, Box) else getattr(new, name)
    is_length = name == "height" and isinstance(new, Capsule)
    assert value == (0.0 if is_length else THINNEST)


def test_meshes_have_no_handles() -> None:
    assert not list(shape_handles(Convex()))
    assert len(list(shape_handles(Box()))) == 6

"""Trees of bodies that are simulated as one, and joints whose positions depend on others."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Articulation:
    """Tree of bodies in reduced coordinates (UsdPhysics ArticulationRootAPI)."""

    root: int
    """Node of the root body."""
    is_fixed: bool = False
    """Whether the root is fixed in the world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupling:
    """Position of a joint as a polynomial of another's (URDF mimic, MJCF equality joint).

    Both joints are one-axis joints; positions are the signed distance or angle that their limits
    measure, `position(joint) = Σ coefficients[i] · position(source)**i`.
    """

    joint: int
    """Number of the joint that follows."""
    source: int
    """Number of the joint that it follows."""
    coefficients: tuple[float, ...] = (0.0, 1.0)
    """Lowest power first [m or rad per power of the source's m or rad]."""

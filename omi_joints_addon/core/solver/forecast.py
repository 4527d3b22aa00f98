"""What is known before a simulation runs: joints that bind or will give way, stiff drives."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ..findings.finding import INFO, WARNING, Finding, rule
from ..model.pose import Array
from .bodies import Motions
from .geometry import ends, measure_with_directions
from .laws import RESOLVED
from .model import Model
from .rate import STEP
from .vectors import matrices

_NOTABLE_GAP = 5e-4
"""Gap [m] that is reported."""
_LIGHT = 1e3
"""How many times its own mass a body between others may carry without a finding."""
_FREE, _ALMOST_FREE = 2e-5, 0.03
"""Singular values of locks below which bodies move freely, and would if all were in line."""
_MOST_BETWEEN = 8
"""Of how many joints between the same two bodies pairs are looked at."""

TOO_HEAVY = rule(
    "OMI-P013",
    WARNING,
    "the joint will give way by about {gap} mm because its body is too light for the {load} kg "
    "attached to it; use more similar masses",
    reason=(
        "Rigid joints are 1e6 times as stiff as the bodies they hold; double precision does not "
        "allow more."
    ),
)
SNAPS = rule(
    "OMI-P020",
    WARNING,
    "a body of this joint carries up to {ratio} times its mass; if it goes slack and snaps taut, "
    "the simulation loses energy; use more similar masses",
    reason=(
        "Such links snap taut faster than steps resolve, so each snap becomes an inelastic impact. "
        "Links that stay taut keep their energy."
    ),
)
BINDS = rule(
    "OMI-P014",
    WARNING,
    "the joint binds with {other} between the same bodies: they are out of line by {off} mm or "
    "{angle}°, so the bodies move only with force or not at all",
    reason="Two hinges of a door turn only about one common axis.",
)

TOO_STIFF = rule(
    "OMI-P040",
    INFO,
    "the drive swings at {frequency} Hz, faster than steps resolve: its way to the target is "
    "off by up to centimeters, not where it comes to rest",
    reason="Springs beyond 19 Hz are integrated so that they come to rest; arms of six such drives "
    "were 25 mm from MuJoCo's at 100,000 steps per second in the first quarter of a second.",
)


def forecast(model: Model, motions: Motions, places: Sequence[str]) -> Iterator[Finding]:
    """Yield what to know before `model` moves; `places` are where its joints are reported."""
    yield from _heavy(model, places)
    yield from _light(model, places)
    yield from _binding(model, motions, places)


def stiff_drives(model: Model, lightness: Array, places: Sequence[str]) -> Iterator[Finding]:
    """Yield drives whose springs swing faster than steps resolve, by what rows feel (r, j)."""
    table = model.table
    felt = np.where(table.is_acceleration, 1.0, lightness)
    rate = np.sqrt((np.where(table.is_drive, table.stiffness, 0.0) * felt).max(axis=0, initial=0.0))
    for joint in np.flatnonzero(rate * STEP > RESOLVED):
        yield TOO_STIFF(places[joint], frequency=float(f"{rate[joint] / (2.0 * np.pi):.2g}"))


def _heavy(model: Model, places: Sequence[str]) -> Iterator[Finding]:
    """Yield joints that open under the weight of all that is joined to them."""
    bodies, island = model.bodies, model.system.island
    total = np.bincount(island, bodies.mass * bodies.is_dynamic, minlength=bodies.count)
    load = total[island[model.system.mover]]
    locks = model.table.is_lock & model.table.is_linear
    gain = np.where(locks, model.rigid, np.inf).min(axis=0, initial=np.inf)
    weight = load * np.sqrt((bodies.gravity[:, model.system.mover] ** 2).sum(axis=0))
    gaps = weight * STEP**2 / np.maximum(gain, 1e-300)
    for joint in np.flatnonzero(gaps > _NOTABLE_GAP):
        gap = float(f"{1e3 * gaps[joint]:.2g}")
        yield TOO_HEAVY(places[joint], gap=gap, load=float(f"{load[joint]:.3g}"))


def _light(model: Model, places: Sequence[str]) -> Iterator[Finding]:
    """Yield a joint of the lightest body between others in islands with a far heavier one."""
    bodies, island = model.bodies, model.system.island
    heaviest = np.zeros(bodies.count)
    np.maximum.at(heaviest, island, bodies.mass * bodies.is_dynamic)
    ratio = heaviest[island] / np.where(bodies.is_dynamic, bodies.mass, np.inf)
    ratio[np.bincount(model.frames.body, minlength=bodies.count) < 2] = 0.0
    for number in np.unique(island[ratio >= _LIGHT]):
        body = int(np.where(island == number, ratio, 0.0).argmax())
        joint = np.flatnonzero((model.first.body == body) | (model.second.body == body))[0]
        yield SNAPS(places[joint], ratio=float(f"{ratio[body]:.2g}"))


def _binding(model: Model, motions: Motions, places: Sequence[str]) -> Iterator[Finding]:
    """Yield joints whose locks would leave a motion if they were in line."""
    fixed = ~model.bodies.is_dynamic
    pairs = np.sort(
        [np.where(fixed[each.body], 0, each.body) for each in (model.first, model.second)], axis=0
    )
    groups: dict[tuple[int, int], list[int]] = {}
    for joint, (one, other) in enumerate(pairs.T):
        groups.setdefault((int(one), int(other)), []).append(joint)
    several = [group for group in groups.values() if len(group) > 1]
    if not several:
        return
    turns = matrices(motions.rotation)
    at = ends(model.frames, motions.center, motions.rotation, turns)
    _, directions = measure_with_directions(model.table.grid, at)
    ways = np.einsum("ikj,krj->rij", at.axes, directions)
    for group in several:
        for one, other in combinations(group[:_MOST_BETWEEN], 2):
            value = _binding_value(model, ways, at.point, one, other)
            if value is not None:
                angle = round(float(np.degrees(value)), 2)
                off = 1e3 * value * float(np.linalg.norm(at.point[:, one] - at.point[:, other]))
                yield BINDS(places[other], other=places[one], off=float(f"{off:.2g}"), angle=angle)


def _binding_value(model: Model, turns: Array, point: Array, one: int, other: int) -> float | None:
    """Return how far [in lengths, or rad] the locks of two joints are out of line; None is not.

    Motions are counted in the distance of the joints.
    """
    away = point[:, other] - point[:, one]
    size = max(float(np.linalg.norm(away)), 1e-3)
    rows = []
    for joint, arm in ((one, np.zeros(3)), (other, away / size)):
        for row in np.flatnonzero(model.table.is_lock[:, joint]):
            way = turns[row, :, joint]
            if model.table.is_linear[row, joint]:
                rows.append(np.concatenate((way, np.cross(arm, way))))
            else:
                rows.append(np.concatenate((np.zeros(3), way)))
    if not rows:
        return None
    values = np.zeros(6)
    found = np.linalg.svd(np.array(rows), compute_uv=False)
    values[: len(found)] = found
    binding = values[(values > _FREE) & (values < _ALMOST_FREE)]
    return float(binding.max()) if len(binding) else None

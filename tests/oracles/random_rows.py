"""Scenes of random, unround values in each engine: counts of right, named and silent cells.

`python -m tests.oracles.random_rows [SEED]`. What a scene must come to is our own simulation, which
the rows of `tests/oracles/properties.py` hold to closed forms; joints are measured at rest, if they
come to rest, and what bounces within its way in two steps of the engines.
"""

import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from omi_joints_addon.core.model.body import Collider, Motion, MotionType, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointDrive, JointLimit
from omi_joints_addon.core.model.shape import Box, Sphere
from tests.oracles import properties
from tests.oracles.property_bodies import flying
from tests.oracles.property_contacts import FLOOR_AT, SLAB
from tests.oracles.property_row import (
    BODY,
    HINGE,
    PINNED,
    SLIDER,
    STIFF,
    Item,
    OnJoint,
    Property,
    along,
    angular,
    linear,
    metric_of,
    scene_of,
    static,
)

COUNT = 12
"""Scenes of each kind."""
AT_REST = (2.4, 3.0)
"""Times [s] between which what is at rest has not moved: rebounds from limits are over."""


class Values(random.Random):
    """Values that are neither 0 nor 1 nor round."""

    def near(self, size: float) -> float:
        """Return a value of about a size, on a logarithmic scale."""
        return size * 10.0 ** self.uniform(-0.6, 0.6)

    def vector(self, size: float) -> tuple[float, float, float]:
        """Return a vector whose parts are up to a size."""
        x, y, z = (self.uniform(-size, size) for _ in range(3))
        return x, y, z

    def turn(self) -> tuple[float, float, float, float]:
        """Return a quaternion."""
        x, y, z, w = (self.gauss(0.0, 1.0) for _ in range(4))
        size = math.hypot(x, y, z, w)
        return x / size, y / size, z / size, w / size

    def motion(self) -> Motion:
        """Return a body with moments and a center of its own."""
        mass = self.near(2.0)
        first, second = mass * self.near(0.03), mass * self.near(0.03)
        third = self.uniform(abs(first - second) * 1.05, (first + second) * 0.95)
        return Motion(
            mass=mass,
            inertia_diagonal=(first, second, third),
            inertia_orientation=self.turn(),
            center_of_mass=self.vector(0.07),
        )


def _joint(group: str, axes: tuple[int, ...], *, is_angular: bool, **scene: object) -> Property:
    return Property(
        group=group,
        name="",
        scene=OnJoint(**scene).scene(),
        seconds=0.37,
        value=metric_of(axes, is_angular=is_angular),
        expected=0.0,
        is_angular=is_angular,
    )


def _on_hinge(values: Values, *limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> Property:
    arm = (values.uniform(0.2, 0.5), values.uniform(-0.1, 0.1), values.uniform(-0.1, 0.1))
    return _joint(
        "Joint", (1,), is_angular=True, limits=(*HINGE, *limits), drives=drives, arm=arm,
        gravity=values.vector(9.0), motion=values.motion(),
    )  # fmt: skip


def hinge(values: Values) -> Property:
    """Return a body on a hinge, with a range, rigid or soft, or without."""
    bounds = {"min": -values.uniform(0.1, 1.1), "max": values.uniform(0.1, 1.1)}
    if values.random() < 0.4:
        bounds |= {"stiffness": values.near(40.0), "damping": values.near(4.0)}
    return _on_hinge(values, *([angular(1, **bounds)] if values.random() < 0.7 else []))


def driven(values: Values) -> Property:
    """Return a body on a driven hinge: a spring, a motor or both, some with a maximum."""
    drive = JointDrive(type="angular", axis=1, damping=values.near(3.0))
    if values.random() < 0.7:
        drive = replace(
            drive, stiffness=values.near(25.0), position_target=values.uniform(-0.9, 0.9)
        )
    if drive.stiffness == 0.0 or values.random() < 0.3:
        drive = replace(drive, velocity_target=values.uniform(-3.0, 3.0))
    if values.random() < 0.4:
        drive = replace(drive, max_force=values.near(6.0))
    if values.random() < 0.25:
        drive = replace(drive, mode="acceleration")
    return _on_hinge(values, drives=(drive,))


def slider(values: Values) -> Property:
    """Return a body on a slider with a range and a spring."""
    drive = JointDrive(axis=2, stiffness=values.near(90.0), damping=values.near(9.0),
                       position_target=values.uniform(-0.2, 0.2))  # fmt: skip
    bounds = linear(2, min=-values.uniform(0.05, 0.3), max=values.uniform(0.05, 0.3))
    return _joint(
        "Joint", (2,), is_angular=False, limits=(*SLIDER, bounds), arm=(0.0, 0.0, 0.0),
        drives=(drive,) if values.random() < 0.6 else (), gravity=values.vector(9.0),
        motion=values.motion(),
    )  # fmt: skip


def several(values: Values) -> Property:
    """Return a body that a limit over two or three axes holds."""
    axes, is_angular = values.choice(((1, 2), (0, 1, 2))), values.random() < 0.6
    limit = (angular if is_angular else linear)(*axes, min=0.0, max=values.uniform(0.15, 0.6))
    return _joint(
        "Joint", axes, is_angular=is_angular, limits=(PINNED if is_angular else STIFF, limit),
        gravity=values.vector(9.0), motion=Motion(mass=values.near(2.0)),
    )  # fmt: skip


def free(values: Values) -> Property:
    """Return a body without joint that flies, falls or is led."""
    kind = values.choice((MotionType.DYNAMIC, MotionType.DYNAMIC, MotionType.KINEMATIC))
    return flying(
        "", 0.0, seconds=values.uniform(0.3, 0.8), axis=values.choice((0, 1, 2)), type=kind,
        gravity=values.vector(9.0), mass=values.near(2.0), linear_velocity=values.vector(1.3),
        gravity_factor=values.choice((1.0, values.uniform(-1.2, 1.7))),
    )  # fmt: skip


def touching(values: Values) -> Property:
    """Return a box that slides or a ball that bounces."""
    bounces = values.random() < 0.5
    material = PhysicsMaterial(
        static_friction=(friction := values.uniform(0.05, 0.5)), dynamic_friction=friction,
        restitution=values.uniform(0.2, 0.8) if bounces else 0.0,
    )  # fmt: skip
    radius = values.uniform(0.08, 0.2)
    shape = Sphere(radius=radius) if bounces else Box(size=(3.0 * radius, 3.0 * radius, radius))
    body = Item(
        name=BODY,
        position=(-2.0, 0.0, radius + 0.31 if bounces else 0.5 * radius),
        motion=Motion(mass=values.near(2.0)),
        collider=Collider(shape=shape, material=material),
    )
    gravity = (0.0, 0.0, -9.81) if bounces else (values.uniform(3.0, 5.0), 0.0, -8.7)
    return Property(
        group="Surface",
        name="",
        scene=scene_of(static("Floor", SLAB, FLOOR_AT, material=material), body, gravity=gravity),
        seconds=0.47 if bounces else 0.7,
        value=along(2 if bounces else 0),
        expected=0.0,
        most=0.016 if bounces else 0.0,
    )


KINDS: tuple[Callable[[Values], Property], ...] = (hinge, driven, slider, several, free, touching)


def rows(seed: int) -> Iterator[Property]:
    """Yield the scenes, each with what our own simulation makes of it."""
    for kind in KINDS:
        for number in range(COUNT):
            row = kind(Values(f"{seed} {kind.__name__} {number}"))
            rest, value = (properties.ours(replace(row, seconds=at)) for at in AT_REST)
            if row.group == "Joint" and abs(rest - value) < 1e-4:
                row = replace(row, seconds=AT_REST[1])
            else:
                value = properties.ours(row)
            yield replace(row, name=f"{kind.__name__} {number}", expected=value)


def main() -> None:
    """Print the counts of each engine, and each cell that differs and that nothing names."""
    made = list(rows(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    for reader in properties.READERS:
        if not reader.is_here():
            continue
        counts: Counter[str] = Counter()
        for row, cell in zip(made, properties.cells(reader, made), strict=True):
            is_named = bool(cell.reported or cell.mentioned)
            kind = "right" if not cell.differs else "named" if is_named else "silent"
            counts[kind] += 1
            if kind == "silent":
                sys.stdout.write(f"{reader.name}: {row.name} is {cell.value} for {row.expected}\n")
        found = ", ".join(f"{kind} {counts[kind]}" for kind in ("right", "named", "silent"))
        sys.stdout.write(f"{reader.name}: {found}\n")


if __name__ == "__main__":
    main()

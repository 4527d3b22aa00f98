"""Time of simulating joints, a frame at 60 Hz, on one core; for any Python with numpy."""

import sys
from functools import partial
from pathlib import Path

from figures import Table, times_ms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.solver import STEP, Simulation
from tests.core.solver_scenes import SceneBuilder

FRAMES = {True: 45, False: 15}
"""How many are measured, of up to 100 joints and of more."""
SPRING = JointDrive(type="angular", axis=0, position_target=0.3, stiffness=0.5, damping=0.05)
KINDS = {
    "pins": presets.pin(),
    "hinges": presets.hinge(axis=0),
    "driven hinges": JointSettings(limits=presets.hinge(axis=0).limits, drives=(SPRING,)),
}
TARGETS = {(1, 10): 3.0, (1, 100): 6.0, (30, 10): 8.0, (1, 1000): 22.0}
"""Most time [ms] of a frame for chains and joints in each."""
CASES = ((1, 10), (10, 10), (30, 10), (1, 100), (1, 200), (1, 400), (1, 1000))


def islands(count: int, size: int, settings: JointSettings) -> Simulation:
    """Return `count` hanging chains of `size` joints."""
    build = SceneBuilder(gravity=(0.5, 1.0, -9.81))
    for island in range(count):
        before = -1
        for number in range(size):
            node = build.body((island, 0, -0.1 * (number + 0.5)), mass=0.1, inertia=1.7e-4)
            build.joint(settings, before, node, (island, 0, -0.1 * number))
            before = node
    return Simulation(build.scene())


def main() -> None:
    """Print the table."""
    substeps = round(1.0 / (60.0 * STEP))
    table = Table(f"Simulation, a frame at 60 Hz of {substeps} steps")
    for name, settings in KINDS.items():
        for count, size in CASES:
            simulation = islands(count, size, settings)
            simulation.advance(1.0 / 60.0)
            frame = partial(simulation.advance, 1.0 / 60.0, substeps=substeps)
            taken = times_ms(frame, runs=FRAMES[count * size <= 100])
            target = TARGETS.get((count, size)) if name == "hinges" else None
            table.add(f"{count * size:,} {name} in {count} chains", taken, target=target)


if __name__ == "__main__":
    main()

"""Time of simulating joints, per step and per frame at 60 Hz, on one core.

Run by `make bench`, or by any Python with numpy. CPU time is printed beside elapsed time: they
differ where other programs share the core.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.solver import STEP, Simulation
from tests.core.solver_scenes import SceneBuilder

FRAMES = 20
SPRING = JointDrive(type="angular", axis=0, position_target=0.3, stiffness=0.5, damping=0.05)
KINDS = {
    "pins": presets.pin(),
    "hinges": presets.hinge(axis=0),
    "driven hinges": JointSettings(limits=presets.hinge(axis=0).limits, drives=(SPRING,)),
}
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
    print(f"numpy {np.__version__}, {substeps} substeps a frame")
    print(f"{'joints':>22} {'islands':>8} {'ms/step':>8} {'ms/frame':>9} {'CPU ms/frame':>13}")
    for name, settings in KINDS.items():
        for count, size in CASES:
            simulation = islands(count, size, settings)
            simulation.advance(1.0 / 60.0)
            best, cpu = np.inf, np.inf
            for _ in range(FRAMES):
                start, start_cpu = time.perf_counter(), time.process_time()
                simulation.advance(1.0 / 60.0, substeps=substeps)
                best = min(best, time.perf_counter() - start)
                cpu = min(cpu, time.process_time() - start_cpu)
            print(
                f"{count * size:>8} {name:>13} {count:>8} {best * 1e3 / substeps:>8.2f} "
                f"{best * 1e3:>9.1f} {cpu * 1e3:>13.1f}"
            )


if __name__ == "__main__":
    main()

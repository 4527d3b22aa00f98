"""Time of simulating joints, a frame at 60 Hz, on one core; for any Python with numpy.

Scenes that move stand beside MuJoCo and Jolt where these are installed, at the same steps.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
from figures import Samples, Table, times_ms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine_frames import in_jolt, in_mujoco
from moving_scenes import SCENES, SPRING

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver import STEP, Simulation
from tests.core.solver_scenes import SceneBuilder

FRAMES = {True: 45, False: 15}
"""How many are measured, of up to 100 joints and of more."""
MOVING_FRAMES, SOME_FRAMES, MANY = 45, 16, 500
"""How many are measured in motion, and of more than so many joints."""
KINDS = {
    "pins": presets.pin(),
    "hinges": presets.hinge(axis=0),
    "driven hinges": JointSettings(limits=presets.hinge(axis=0).limits, drives=(SPRING,)),
}
TARGETS = {(1, 10): 3.0, (1, 100): 6.0, (30, 10): 8.0, (1, 1000): 22.0}
"""Most time [ms] of a frame for chains and joints in each."""
CASES = ((1, 10), (10, 10), (30, 10), (1, 100), (1, 200), (1, 400), (1, 1000))
MOVING_TARGETS = {
    "ragdoll let go": (4.0, 10.0),
    "10 hinges let go": (4.0, 15.0),
    "300 hinges in 30 chains let go": (8.0, 25.0),
    "20 ragdolls let go": (15.0, 35.0),
    "net of 7 × 7 let go": (10.0, None),
    "net of 22 × 22 let go": (60.0, None),
}
"""Most time [ms] of a frame in the middle, and of the longest one."""
HAND = "ragdoll dragged by a hand"


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


def hanging() -> None:
    """Print the table of joints that hang still."""
    substeps = round(1.0 / (60.0 * STEP))
    table = Table(f"Simulation at rest, a frame at 60 Hz of {substeps} steps")
    for name, settings in KINDS.items():
        for count, size in CASES:
            simulation = islands(count, size, settings)
            simulation.advance(1.0 / 60.0)
            frame = partial(simulation.advance, 1.0 / 60.0, substeps=substeps)
            taken = times_ms(frame, runs=FRAMES[count * size <= 100])
            target = TARGETS.get((count, size)) if name == "hinges" else None
            table.add(f"{count * size:,} {name} in {count} chains", taken, target=target)


def moving() -> None:
    """Print the table of joints that move, from the start."""
    table = Table("Simulation in motion, a frame at 60 Hz of as many steps as it takes")
    for name, make in SCENES.items():
        scene = make()
        frames = SOME_FRAMES if len(scene.joints) > MANY else MOVING_FRAMES
        taken = times_ms(partial(Simulation(scene).advance, 1.0 / 60.0), runs=frames)
        add(table, name, taken)
        for engine, run in (("MuJoCo", in_mujoco), ("Jolt", in_jolt)):
            theirs = run(scene, frames)
            if theirs is not None:
                table.add(f"  {engine}", theirs)
    add(table, HAND, dragged(SCENES["ragdoll let go"]()))


def add(table: Table, name: str, taken: Samples) -> None:
    """Write the median and the longest of the times of a scene."""
    median, longest = MOVING_TARGETS.get(name, (None, None))
    table.add(name, taken, target=median)
    table.add(f"{name}, longest frame", max(taken.values), target=longest)


def dragged(scene: PhysicsScene) -> Samples:
    """Return the times [ms] of frames in which the last body is pulled about in a circle."""
    simulation, node = Simulation(scene), max(scene.motions)
    start = scene.matrices[node, :3, 3]
    simulation.grab(node, start)

    def frame() -> None:
        angle = 6.0 * simulation.time
        simulation.drag(start + 0.4 * np.array((np.sin(angle), 0.0, 1.0 - np.cos(angle))))
        simulation.advance(1.0 / 60.0)

    return times_ms(frame, runs=MOVING_FRAMES)


def main() -> None:
    """Print both tables."""
    hanging()
    moving()


if __name__ == "__main__":
    main()

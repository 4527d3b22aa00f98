"""Files in Newton, by its importers of USD, MJCF and URDF and its solver that is built on MuJoCo.

Needs `newton`, `mujoco`, `mujoco-warp` and `usd-core` as Newton requires them (1 GB): never a
requirement. They are looked for beside this Python, then in the folder OMI_NEWTON. Only what is
below an articulation root moves there, so joints are.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.usd import USD
from tests.core.probe import Probe
from tests.oracles import other_process
from tests.oracles.files import Column, anchored, write_as

RATE = 960
"""Steps per second, which users of Newton choose; those of Godot's column."""
FOLDER = "OMI_NEWTON"

is_here = partial(other_process.has_package, "newton", FOLDER)
run = partial(other_process.run, __file__, rate=RATE)


def rooted(probe: Probe) -> PhysicsScene:
    """Return a probe whose fixed end is the root of an articulation."""
    return replace(anchored(probe), articulations=(Articulation(root=1, is_fixed=True),))


def _simulate(rate: float, jobs: Sequence[tuple[str, Sequence[float]]]) -> list[list[Any]]:
    """Run files one after the other in this process; nothing is what Newton rejects."""
    found = []
    for path, stops in jobs:
        try:
            found.append(_run(path, stops, rate))
        except (ValueError, NotImplementedError):
            found.append([])
    return found


def _run(path: str, stops: Sequence[float], rate: float) -> list[dict[str, list[list[float]]]]:
    import newton

    builder = newton.ModelBuilder()
    add = {".xml": builder.add_mjcf, ".urdf": builder.add_urdf}
    add.get(Path(path).suffix, builder.add_usd)(path)
    model = builder.finalize("cpu")
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_cpu=True)
    now, then, control = model.state(), model.state(), model.control()
    newton.eval_fk(model, model.joint_q, model.joint_qd, now)
    at_stops, step = [], 0
    for stop in stops:
        while step < round(stop * rate):
            now.clear_forces()
            solver.step(now, then, control, None, 1.0 / rate)
            now, then, step = then, now, step + 1
        poses = [[row[:3], row[3:]] for row in now.body_q.numpy().tolist()]
        at_stops.append(dict(zip(builder.body_label, poses, strict=True)))
    return at_stops


COLUMN = Column(
    name="USD in Newton",
    suffix=".usda",
    is_here=is_here,
    write=lambda probe, path: write_as(USD, rooted(probe), path),
    report=lambda probe: NEWTON.check(rooted(probe)),
    run=run,
)

if __name__ == "__main__":
    other_process.answer(FOLDER, _simulate)

"""Probes in real PhysX, given to it as the USD files that this program writes.

Needs `ovphysx`, `physx-usd-schemas` and `newton-usd-schemas` (NVIDIA's licence, 1.3 GB): never a
requirement. They are looked for beside this Python, then in the folder OMI_OVPHYSX.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from omi_joints_addon.core.model.pose import Pose, compose, pose_from_matrix, relative_pose
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.usd import USD
from tests.core.probe import Probe

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 240
FOLDER = "OMI_OVPHYSX"


def is_here() -> bool:
    """Return whether PhysX can be asked."""
    folder = os.environ.get(FOLDER)
    if folder is not None:
        return Path(folder, "ovphysx").is_dir()
    return importlib.util.find_spec("ovphysx") is not None


def measures(probes: Sequence[Probe]) -> list[float | None]:
    """Return what is measured of each probe in the end [m or rad]; None where PhysX has no body."""
    with tempfile.TemporaryDirectory() as name:
        jobs = []
        for number, probe in enumerate(probes):
            path = Path(name, f"probe{number}.usda")
            path.write_bytes(USD.write(probe.scene(), Target(path=path)).files[path.name])
            jobs.append([str(path), probe.seconds])
        found = run(jobs)
    return [_measured(probe, poses) for probe, poses in zip(probes, found, strict=True)]


def run(jobs: Sequence[Sequence[str | float]], *, rate: float = RATE) -> list[dict[str, Pose]]:
    """Return the poses of all bodies by the name of their prim, for files and how long they run."""
    command = [sys.executable, __file__, json.dumps([rate, *jobs])]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        timeout=600,
    )
    (line,) = [row for row in done.stdout.splitlines() if row.startswith("RESULT")]
    return [
        {
            path.rpartition("/")[2]: Pose(np.array(said["position"]), np.array(said["orientation"]))
            for path, said in bodies.items()
        }
        for bodies in json.loads(line.removeprefix("RESULT"))
    ]


def _measured(probe: Probe, poses: dict[str, Pose]) -> float | None:
    scene = probe.scene()
    (body,) = [node for node in scene.motions if scene.is_dynamic(node)]
    if scene.names[body] not in poses:
        return None
    frames = pose_from_matrix(scene.matrices)
    (joint,) = scene.joints

    def at(node: int) -> Pose:
        return Pose(frames.position[node], frames.rotation[node])

    inner = relative_pose(at(body), at(joint.other))
    moved = compose(poses[scene.names[body]], inner)
    return probe.measured(relative_pose(at(joint.node), moved))


def _simulate(
    rate: float, jobs: list[list[str | float]]
) -> list[dict[str, dict[str, list[float]]]]:
    """Run files one after the other in this process."""
    import ovphysx
    import ovstage
    import physx_usd_schemas
    from ovphysx.types import ObjectScope, SimObjectType

    schemas = Path(physx_usd_schemas.__path__[0]).glob("**/plugInfo.json")
    roots = sorted({str(path.parent) for path in schemas})
    ovstage.population.register_usd_schemas([*roots, str(ovphysx.newton_schema_root())])
    physx = ovphysx.PhysX()
    found = []
    for number, (path, seconds) in enumerate(jobs):
        stage = ovstage.Stage(f"probe{number}")
        domains = ovstage.PopulationDomain.ALL
        ovstage.population.open_usd(stage, str(path), ordinal=1, domains=domains)
        stage.advance_write_floor(ordinal=1).wait()
        physx.wait_task(physx.attach_ovstage(stage, read_ordinal=1))
        for _ in range(round(float(seconds) * rate)):
            physx.step_sync(1.0 / rate)
        names = ovstage.PathDictionary(stage)
        bodies: dict[str, dict[str, list[float]]] = {}
        for kind in (SimObjectType.RIGID_BODY, SimObjectType.ARTICULATION_LINK):
            with physx.read_sync(kind, ["position", "orientation"], scope=ObjectScope.ALL) as read:
                for group in read.groups:
                    word = names.token_to_string(group.attribute)
                    for tensor in group.tensors:
                        rows = tensor.numpy().tolist()
                        for prim, row in zip(
                            names.get_path_strings(group.prim_list), rows, strict=True
                        ):
                            bodies.setdefault(prim, {})[word] = row
        found.append(bodies)
        physx.wait_task(physx.detach_ovstage())
    return found


if __name__ == "__main__":
    if FOLDER in os.environ:
        sys.path.insert(0, os.environ[FOLDER])
    per_second, *files = json.loads(sys.argv[1])
    sys.stdout.write(f"RESULT{json.dumps(_simulate(per_second, files))}\n")
    sys.stdout.flush()
    # Its libraries do not end well.
    os._exit(0)

"""USD files in real PhysX.

Needs `ovphysx`, `physx-usd-schemas` and `newton-usd-schemas` (NVIDIA's licence, 1.3 GB): never a
requirement. They are looked for beside this Python, then in the folder OMI_OVPHYSX.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.io.formats.usd import USD
from tests.oracles.files import Column, Job, Poses, write_as

ROOT = Path(__file__).resolve().parent.parent.parent
RATE = 240
FOLDER = "OMI_OVPHYSX"


def is_here() -> bool:
    """Return whether PhysX can be asked."""
    folder = os.environ.get(FOLDER)
    if folder is not None:
        return Path(folder, "ovphysx").is_dir()
    return importlib.util.find_spec("ovphysx") is not None


def run(jobs: Sequence[Job], *, rate: float = RATE) -> list[list[Poses]]:
    """Return the poses of all bodies by the name of their prim, at each stop of each file."""
    files = [[str(job.path), list(job.stops)] for job in jobs]
    command = [sys.executable, __file__, json.dumps([rate, *files])]
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
        [
            {path.rpartition("/")[2]: Pose(*map(np.array, pose)) for path, pose in poses.items()}
            for poses in stops
        ]
        for stops in json.loads(line.removeprefix("RESULT"))
    ]


def _simulate(rate: float, jobs: list[tuple[str, list[float]]]) -> list[list[dict[str, Any]]]:
    """Run files one after the other in this process."""
    import ovphysx
    import ovstage
    import physx_usd_schemas

    schemas = Path(physx_usd_schemas.__path__[0]).glob("**/plugInfo.json")
    roots = sorted({str(path.parent) for path in schemas})
    ovstage.population.register_usd_schemas([*roots, str(ovphysx.newton_schema_root())])
    physx = ovphysx.PhysX()
    found = []
    for number, (path, stops) in enumerate(jobs):
        stage = ovstage.Stage(f"probe{number}")
        domains = ovstage.PopulationDomain.ALL
        ovstage.population.open_usd(stage, str(path), ordinal=1, domains=domains)
        stage.advance_write_floor(ordinal=1).wait()
        physx.wait_task(physx.attach_ovstage(stage, read_ordinal=1))
        names, step = ovstage.PathDictionary(stage), 0
        at_stops = []
        for stop in stops:
            while step < round(stop * rate):
                physx.step_sync(1.0 / rate)
                step += 1
            at_stops.append(_poses(physx, names))
        found.append(at_stops)
        physx.wait_task(physx.detach_ovstage())
    return found


def _poses(physx: Any, names: Any) -> dict[str, Any]:
    """Return position and rotation of each body by the path of its prim."""
    from ovphysx.types import ObjectScope, SimObjectType

    words = ["position", "orientation"]
    bodies: dict[str, dict[str, list[float]]] = {}
    for kind in (SimObjectType.RIGID_BODY, SimObjectType.ARTICULATION_LINK):
        with physx.read_sync(kind, words, scope=ObjectScope.ALL) as read:
            for group in read.groups:
                word = names.token_to_string(group.attribute)
                for tensor in group.tensors:
                    paths = names.get_path_strings(group.prim_list)
                    for prim, row in zip(paths, tensor.numpy().tolist(), strict=True):
                        bodies.setdefault(prim, {})[word] = row
    return {prim: [body[word] for word in words] for prim, body in bodies.items()}


COLUMN = Column(
    name="USD in PhysX",
    suffix=".usda",
    is_here=is_here,
    write=lambda probe, path: write_as(USD, probe.scene(), path),
    report=lambda probe: PHYSX.check(probe.scene()),
    run=run,
)

if __name__ == "__main__":
    if FOLDER in os.environ:
        sys.path.insert(0, os.environ[FOLDER])
    per_second, *files = json.loads(sys.argv[1])
    sys.stdout.write(f"RESULT{json.dumps(_simulate(per_second, files))}\n")
    sys.stdout.flush()
    # Its libraries do not end well.
    os._exit(0)

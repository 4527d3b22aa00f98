"""USD files in real PhysX.

Needs `ovphysx`, `physx-usd-schemas` and `newton-usd-schemas` (NVIDIA's licence, 1.3 GB): never a
requirement. They are looked for beside this Python, then in the folder OMI_OVPHYSX.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.io.formats.usd import USD
from tests.oracles import other_process
from tests.oracles.files import Column, Job, Poses, write_as

RATE = 240
FOLDER = "OMI_OVPHYSX"

is_here = partial(other_process.has_package, "ovphysx", FOLDER)


def run(jobs: Sequence[Job], *, rate: float = RATE) -> list[list[Poses]]:
    """Return the poses of all bodies by the name of their prim, at each stop of each file."""
    return other_process.run(__file__, jobs, rate=rate)


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
    other_process.answer(FOLDER, _simulate)

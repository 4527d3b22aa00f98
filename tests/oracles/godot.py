"""Files in real Godot with the reference importer: plain OMI, and those for "Godot 4 importer".

OMI_GODOT names the program, else it is the one that `tools/godot.sh install` got, and
OMI_GODOT_IMPORTER the folder `addons/omi_extensions` of omi-godot. Neither is a requirement, and
nothing of them is kept here.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.io.formats.gltf import GLTF
from tests.oracles.files import Column, Job, Poses, anchored, write_as, z_up
from tests.oracles.programs import printed

HERE = Path(__file__).resolve().parent
INSTALLED = HERE.parents[1] / "tools" / "godot.sh"
RATE, DEFAULT_RATE = 960, 60
"""Steps per second: at 240 a free fall is 1 cm off, since Jolt's steps are of first order."""
PROGRAM, IMPORTER = "OMI_GODOT", "OMI_GODOT_IMPORTER"
PROJECT = """config_version=5
[physics]
3d/physics_engine="Jolt Physics"
common/physics_ticks_per_second={rate}
[editor_plugins]
enabled=PackedStringArray("res://addons/omi_extensions/plugin.cfg")
"""


def is_here() -> bool:
    """Return whether Godot can be asked."""
    return IMPORTER in os.environ and Path(os.environ[IMPORTER]).is_dir() and bool(command())


@cache
def command() -> tuple[str, ...]:
    """Return what starts Godot without a window, nothing where there is none."""
    if PROGRAM in os.environ:
        return os.environ[PROGRAM], "--headless"
    has_installed = not subprocess.run([INSTALLED, "status"], check=False).returncode
    return (str(INSTALLED), "run") if has_installed else ()


def ask(project: Path, *arguments: str, home: Path) -> str:
    """Return what Godot prints, run in the folder of a project with a home folder of its own."""
    return printed(
        [*command(), "--path", str(project), *arguments],
        cwd=project,
        env=os.environ | {"HOME": str(home), "DESKTOP_BLENDER_HOME": str(home)},
    )


def run(jobs: Sequence[Job], *, rate: int, is_default: bool = False) -> list[list[Poses]]:
    """Return the poses at each stop of each file, nothing where Godot cannot read it.

    Bodies have neither damping nor sleep, but `is_default`.
    """
    listed = [_job(job, rate) | {"is_default": is_default} for job in jobs]
    rows = results(jobs[0].path.parent, HERE / "godot.gd", listed, rate=rate)
    return [
        [{name: z_up(pose) for name, pose in poses.items()} for poses in stops] for stops in rows
    ]


def results(
    folder: Path, program: Path, jobs: object, *, rate: int, home: "Path | None" = None
) -> list[Any]:
    """Return what a program prints of jobs in a project with the importer, made in a folder."""
    (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
    (folder / "project.godot").write_text(PROJECT.format(rate=rate), "utf-8")
    shutil.copy(program, folder / "run.gd")
    shutil.copytree(os.environ[IMPORTER], folder / "addons" / "omi_extensions")
    arguments = ("--fixed-fps", str(rate), "--script", "res://run.gd", "--")
    with TemporaryDirectory() as name:
        asked = partial(ask, folder, home=home or Path(name))
        asked("--import")
        rows = asked(*arguments, str(folder / "jobs.json")).splitlines()
    return [json.loads(row[7:]) for row in rows if row.startswith("RESULT")]


def _job(job: Job, rate: int) -> dict[str, object]:
    x, y, z = job.gravity
    steps = [round(stop * rate) for stop in job.stops]
    return {"file": str(job.path), "gravity": [x, z, -y], "stops": steps}


PLAIN = Column(
    name="OMI in Godot",
    suffix=".gltf",
    is_here=is_here,
    write=lambda probe, path: write_as(GLTF, anchored(probe), path),
    report=lambda probe: GODOT.check(anchored(probe)),
    run=partial(run, rate=RATE),
)
TARGET = Column(
    name="For Godot",
    suffix=".gltf",
    is_here=is_here,
    write=lambda probe, path: write_as(GLTF, anchored(probe), path, **{"for": "godot"}),
    run=partial(run, rate=RATE),
)
TARGET_AT_DEFAULT = Column(
    name="For Godot, 60 ticks",
    suffix=".gltf",
    is_here=is_here,
    write=TARGET.write,
    run=partial(run, rate=DEFAULT_RATE),
    judges_motion=False,
)

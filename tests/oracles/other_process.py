"""Engines whose packages are in a folder of their own, each run in a process of its own."""

import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from omi_joints_addon.core.model.pose import Pose
from tests.oracles.files import Job, Poses
from tests.oracles.programs import printed

ROOT = Path(__file__).resolve().parent.parent.parent


def has_package(name: str, folder: str) -> bool:
    """Return whether a package is in the folder that a variable names, else beside this Python."""
    if folder in os.environ:
        return Path(os.environ[folder], name).is_dir()
    return importlib.util.find_spec(name) is not None


def run(script: str, jobs: Sequence[Job], *, rate: float) -> list[list[Poses]]:
    """Return the poses of all bodies by the name of their prim, at each stop of each file."""
    files = [[str(job.path), list(job.stops)] for job in jobs]
    lines = printed(
        [sys.executable, script, json.dumps([rate, *files])],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ).splitlines()
    (line,) = [row for row in lines if row.startswith("RESULT")]
    return [
        [
            {path.rpartition("/")[2]: Pose(*map(np.array, pose)) for path, pose in poses.items()}
            for poses in stops
        ]
        for stops in json.loads(line.removeprefix("RESULT"))
    ]


def answer(folder: str, simulate: Callable[[float, Any], Any]) -> None:
    """Run the files that `run` names in this process, and end it."""
    if folder in os.environ:
        sys.path.insert(0, os.environ[folder])
    rate, *jobs = json.loads(sys.argv[1])
    sys.stdout.write(f"RESULT{json.dumps(simulate(rate, jobs))}\n")
    sys.stdout.flush()
    # The libraries of PhysX do not end well.
    os._exit(0)

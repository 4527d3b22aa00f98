"""Probes in Jolt Physics, which runs as WebAssembly in Node (`jolt.mjs`)."""

import json
import math
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from omi_joints_addon.core.engines.jolt.constraints import constraints_of
from omi_joints_addon.core.model.pose import Pose, rotate
from tests.core.probe import MOMENT, NONE, Probe
from tests.core.solver_scenes import turn

ROOT = Path(__file__).resolve().parents[2]
MISSING = "Node or its package jolt-physics is missing: tools/node_packages.sh gets it"


def command() -> list[str] | None:
    """Return the command that runs scenes; None where Node or Jolt is missing."""
    packages = Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node"))
    library = packages / "node_modules" / "jolt-physics" / "dist" / "jolt-physics.wasm-compat.js"
    node = shutil.which("node")
    if node is None or not library.is_file():
        return None
    return [node, str(ROOT / "tests" / "oracles" / "jolt.mjs"), str(library)]


def measures(probes: Sequence[Probe]) -> list[float]:
    """Return what is measured of each probe in the end [m or rad]."""
    run = subprocess.run(
        command() or [],
        input=json.dumps([_scene(probe) for probe in probes]),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
    )
    poses = json.loads(run.stdout)
    return [
        probe.measured(_frame(probe, **pose)) for probe, pose in zip(probes, poses, strict=True)
    ]


def _scene(probe: Probe) -> dict[str, Any]:
    rotation = turn(*probe.turned)
    start = np.array(probe.shift) + rotate(rotation, np.array(probe.arm))
    fixed = {"position": NONE, "rotation": (0.0, 0.0, 0.0, 1.0)}
    moving = {"position": tuple(-part for part in probe.arm), "rotation": (0.0, 0.0, 0.0, 1.0)}
    return {
        "gravity": probe.gravity,
        "position": start.tolist(),
        "rotation": rotation.tolist(),
        "motion": {"mass": probe.mass, "inertia": [MOMENT * probe.mass] * 3},
        "frames": [fixed, moving],
        "constraints": [finite(asdict(item)) for item in constraints_of(probe.settings)],
        "seconds": probe.seconds,
    }


def finite(value: Any) -> Any:
    """Return the value with None instead of infinities, which JSON has not."""
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def _frame(probe: Probe, **pose: Any) -> Pose:
    """Return the connected frame, from the center of mass."""
    body = Pose(np.array(pose["position"]), np.array(pose["rotation"]))
    return Pose(body.position - rotate(body.rotation, np.array(probe.arm)), body.rotation)

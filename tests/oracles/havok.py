"""KHR files in Babylon.js with Havok, by the loader of the extension's author (`havok.mjs`).

OMI_KHR_LOADER names the folder `packages/loader/src` of that loader (glTF_Physics_Babylon 0.6.0),
which is no package; nothing of it is kept here. `tools/node_packages.sh oracles` gets the rest.
"""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from omi_joints_addon.core.engines.khr import KHR
from omi_joints_addon.io.formats.gltf import GLTF
from tests.oracles.files import Column, Job, Poses, anchored, write_as, z_up
from tests.oracles.programs import printed

ROOT = Path(__file__).resolve().parents[2]
LOADER = "OMI_KHR_LOADER"


def _packages() -> Path:
    return Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node")) / "node_modules"


def is_here() -> bool:
    """Return whether Havok can be asked."""
    has_packages = (_packages() / "@babylonjs" / "havok").is_dir()
    return has_packages and LOADER in os.environ and shutil.which("node") is not None


def run(jobs: Sequence[Job], *, is_default: bool = False) -> list[list[Poses]]:
    """Return the poses at each stop of each file, nothing where the loader rejects it.

    By default at 240 steps a second and without damping and sleep, else as Babylon.js does.
    """
    return [
        [{name: z_up(pose) for name, pose in poses.items()} for poses in result.get("poses", ())]
        for result in results(jobs, is_default=is_default)
    ]


def results(jobs: Sequence[Job], *, is_default: bool = False) -> list[dict[str, Any]]:
    """Return what `havok.mjs` finds of each file."""
    folder = jobs[0].path.parent
    listed = [_job(job) | {"isDefault": is_default} for job in jobs]
    (folder / "jobs.json").write_text(json.dumps(listed), "utf-8")
    wasm = _packages() / "@babylonjs" / "havok" / "lib" / "esm" / "HavokPhysics.wasm"
    command = ["node", _bundle(folder), wasm, folder / "jobs.json", folder / "results.json"]
    printed(command)
    found: list[dict[str, Any]] = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def _job(job: Job) -> dict[str, object]:
    x, y, z = job.gravity
    return {"file": str(job.path), "gravity": [x, z, -y], "stops": job.stops}


def _bundle(folder: Path) -> Path:
    """Return the program and all that it imports, as one file beside the packages it needs."""
    bundle = folder / "havok.bundle.mjs"
    loader = Path(os.environ[LOADER]).absolute()
    (folder / "node_modules").symlink_to(_packages().absolute())
    printed(
        [
            _packages() / ".bin" / "esbuild",
            ROOT / "tests" / "oracles" / "havok.mjs",
            *(
                "--bundle",
                "--platform=node",
                "--format=esm",
                "--external:xhr2",
                "--ignore-annotations",
            ),
            *(f"--alias:khr-loader={loader}", f"--outfile={bundle}", "--log-level=error"),
        ],
        env=os.environ | {"NODE_PATH": str(_packages().absolute())},
    )
    return bundle


COLUMN = Column(
    name="KHR in Havok",
    suffix=".glb",
    is_here=is_here,
    write=lambda probe, path: write_as(GLTF, anchored(probe), path, dialect="khr"),
    report=lambda probe: KHR.check(anchored(probe)),
    run=run,
)

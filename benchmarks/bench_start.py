"""Time of starts: the command line on a small file, and the extension in Blender."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from figures import Table

ROOT = Path(__file__).resolve().parent.parent
LARGEST = int(os.environ.get("BENCH_LIMITS", "1000000"))
IMPORT = """
import sys, time
import bpy, addon_utils
sys.path.insert(0, sys.argv[1])
start = time.process_time()
import omi_joints_addon.registration
middle = time.process_time()
omi_joints_addon.registration.register()
print("START", 1e3 * (middle - start), 1e3 * (time.process_time() - middle))
omi_joints_addon.registration.unregister()
"""


def with_bytecode(folder: Path) -> None:
    """Have every Python that is started keep its bytecode in a folder, as an installed one does."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")


def seconds_of(command: Sequence[object]) -> float:
    """Return the processor time of a process, its system calls too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), cwd=ROOT, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def limits_document(count: int) -> dict[str, object]:
    """Return a document of one joint with so many limits."""
    limits = [{"linearAxes": [n % 3], "min": -1 - n % 7, "max": 1 + n} for n in range(count)]
    body, joint = "OMI_physics_body", "OMI_physics_joint"
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [body, joint],
        "extensions": {joint: {"physicsJoints": [{"limits": limits}]}},
        "nodes": [
            {"children": [1], "extensions": {body: {"motion": {"type": "dynamic"}}}},
            {"extensions": {joint: {"joint": 0, "connectedNode": 3}}},
            {"children": [3], "extensions": {body: {"motion": {"type": "static"}}}},
            {},
        ],
    }


def bench_commands(folder: Path) -> None:
    """Time `check` on a small file, and commands on one of very many limits."""
    ours = (sys.executable, "-m", "omi_joints_addon")
    small, large = folder / "small.gltf", folder / "large.gltf"
    small.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "A"}]}))
    large.write_text(json.dumps(limits_document(LARGEST)))
    table = Table("Commands, against json.loads")
    start = min(seconds_of([*ours, "check", small]) for _ in range(20))
    table.add("check of a small file, processor time, least of 20", 1e3 * start, target=250.0)
    parse = seconds_of([sys.executable, "-c", f"import json; json.load(open({str(large)!r}))"])
    for command in (["check", large], ["show", large], ["convert", large, folder / "out.glb"]):
        name = f"{command[0]} of {LARGEST:,} limits"
        table.add(name, 1e3 * seconds_of([*ours, *command]), baseline=1e3 * parse, target=5.0)


def bench_extension() -> None:
    """Time loading and registering the extension in Blender, the least of ten."""
    starts = []
    for _ in range(10):
        command = [sys.executable, "-c", IMPORT, str(ROOT)]
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        starts += [line.split()[1:] for line in run.stdout.splitlines() if line.startswith("START")]
    table = Table("Start of the extension in Blender")
    for column, (name, target) in enumerate((("import", 100.0), ("register", 10.0))):
        table.add(name, min(float(start[column]) for start in starts), target=target)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        with_bytecode(Path(name))
        bench_commands(Path(name))
        bench_extension()

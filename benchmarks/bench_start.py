"""Time of starts: the command line on a small file, and the extension in Blender."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from figures import Samples, Table

ROOT = Path(__file__).resolve().parent.parent
OURS = (sys.executable, "-m", "omi_joints_addon")
PACKAGES = Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node")) / "node_modules"
VALIDATE = """
const file = new Uint8Array(require("fs").readFileSync(process.argv[1]));
require("gltf-validator").validateBytes(file);
"""
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


def hinges_document(chains: int, length: int) -> dict[str, object]:
    """Return chains of bodies, each of which hangs on the one before it by a hinge."""
    body, joint, shape = "OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"
    nodes: list[dict[str, object]] = []
    settings: list[dict[str, object]] = []
    for chain in range(chains):
        for link in range(length + 1):
            first = len(nodes)
            motion = {"type": "dynamic", "mass": 1 + link / 10} if link else {"type": "static"}
            own = {body: {"motion": motion, "collider": {"shape": 0}}}
            place = {"translation": [chain, 0, link / 2], "children": [first + 1, first + 2]}
            nodes.append({"name": f"body {chain} {link}", "extensions": own, **place})
            nodes.append({"name": f"end {chain} {link}", "translation": [0, 0, 0.25]})
            nodes.append({"name": f"joint {chain} {link}", "translation": [0, 0, -0.25]})
            if link:
                end = {"joint": len(settings), "connectedNode": first - 2}
                nodes[-1]["extensions"] = {joint: end}
                settings.append(_hinge(len(settings)))
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [body, joint, shape],
        "extensions": {
            joint: {"physicsJoints": settings},
            shape: {"shapes": [{"type": "box", "box": {"size": [0.2, 0.2, 0.5]}}]},
        },
        "scene": 0,
        "scenes": [{"nodes": list(range(0, len(nodes), 3))}],
        "nodes": nodes,
    }


def _hinge(number: int) -> dict[str, object]:
    """Return a hinge about Y with a range of its own, a spring and a damper."""
    return {
        "limits": [
            {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
            {"angularAxes": [0, 2], "min": 0, "max": 0},
            {"angularAxes": [1], "min": -1 - number / 1e4, "max": 1},
        ],
        "drives": [{"type": "angular", "mode": "force", "axis": 1, "positionTarget": 0,
                    "stiffness": 9, "damping": 0.5}],
    }  # fmt: skip


def bench_commands(folder: Path) -> None:
    """Time `check` on a small file, and commands on files of many joints."""
    small = folder / "small.gltf"
    small.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "A"}]}))
    table = Table("Commands, against what else would be run")
    _add_start(table, small)
    hinges, fewer = folder / "hinges.gltf", folder / "fewer.gltf"
    hinges.write_text(json.dumps(hinges_document(1000, 10)))
    fewer.write_text(json.dumps(hinges_document(100, 10)))
    _add_check(table, hinges)
    _add_stage(table, fewer)
    _add_conversions(table, hinges)


def _add_start(table: Table, small: Path) -> None:
    """Time the start of a command, against that of Python with numpy.

    numpy alone starts a thread on each processor, which a command does without: it is measured
    with and without them.
    """
    threads = "OPENBLAS_NUM_THREADS"
    numpy = [sys.executable, "-c", "import numpy"]
    alone = [sys.executable, "-c", f"import os; os.environ[{threads!r}] = '1'; import numpy"]
    ours = min(seconds_of([*OURS, "check", small]) for _ in range(12))
    for words, baseline, target in (("", numpy, 1.3), (" on one thread", alone, None)):
        least = min(seconds_of(baseline) for _ in range(12))
        name = f"check of a small file, against Python and numpy{words}, least of 12"
        table.add(name, 1e3 * ours, baseline=1e3 * least, target=target)


def _add_check(table: Table, hinges: Path) -> None:
    """Time a check of 10,000 hinges against Khronos' validator, where that is installed."""
    node = shutil.which("node")
    if node is None or not (PACKAGES / "gltf-validator").is_dir():
        return
    os.environ["NODE_PATH"] = str(PACKAGES)
    ours, theirs = [*OURS, "check", hinges], [node, "-e", VALIDATE, hinges]
    name = "check of 10,000 hinges, settings of their own, against Khronos' validator"
    _add_pair(table, name, ours, theirs, target=0.8)


def _add_stage(table: Table, hinges: Path) -> None:
    """Time writing 1,000 hinges as a stage and checking it, against usd-core alone."""
    stage, copy = (hinges.with_name(f"{name}.usda") for name in ("stage", "copy"))
    export = f"from pxr import Usd; Usd.Stage.Open({str(stage)!r}).Export({str(copy)!r})"
    usd = [sys.executable, "-c", export]
    convert = [*OURS, "convert", hinges, stage, "-f"]
    seconds_of(convert)
    name = "of 1,000 hinges, against usd-core that opens and exports the stage"
    _add_pair(table, f"convert to USDA {name}", convert, usd, target=2.0)
    _add_pair(table, f"check {name}", [*OURS, "check", stage], usd)


def _add_pair(
    table: Table,
    name: str,
    ours: Sequence[object],
    theirs: Sequence[object],
    *,
    target: float | None = None,
) -> None:
    """Time two commands that take turns."""
    pairs = [(seconds_of(ours), seconds_of(theirs)) for _ in range(5)]
    first, second = (Samples([1e3 * pair[side] for pair in pairs]) for side in (0, 1))
    table.add(name, first, baseline=second, target=target)


def _add_conversions(table: Table, hinges: Path) -> None:
    """Time commands on a file of 10,000 hinges in chains of ten; nobody waits, none is to grow."""
    kinds = ("glb", "xml", "urdf", "json")
    commands = [["convert", hinges, hinges.with_suffix(f".{kind}"), "-f"] for kind in kinds]
    for words in (["show", hinges], *commands):
        name = f"{words[0]} of 10,000 hinges{Path(words[2]).suffix if len(words) > 2 else ''}"
        seconds_of([*OURS, *words])  # leaves the bytecode of the modules that it loads
        ours = Samples([1e3 * seconds_of([*OURS, *words]) for _ in range(3)])
        table.add(name, ours)


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

"""Run the conformance set and write its tables into docs/conformance.md: conformance.py [FILE].

Ours always; Khronos' glTF-Validator and Babylon.js with Havok where `node_packages.sh oracles` got
them and, for the latter, OMI_KHR_LOADER names the loader (`tests/oracles/havok.py`); Godot where
OMI_GODOT and OMI_GODOT_IMPORTER name it and the reference importer (`tests/oracles/godot.py`).
Without them, their columns of the page stay as they are. Where OMI_HISTORIES names a folder of git
repositories, every document with physics in their histories is read, and its bodies, colliders with
their sizes, triggers and joints are compared with those that an independent reader counts. Exit
code 1 where ours fails.
"""

import importlib
import json
import math
import os
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from checks_page import page_of  # noqa: E402 - found by the line above

import omi_joints  # noqa: E402
from conformance.histories import Counts, counts, versions  # noqa: E402
from omi_joints_addon.cli.errors import CommandError  # noqa: E402
from omi_joints_addon.cli.khronos import validated  # noqa: E402
from omi_joints_addon.core.model.axes import quaternion_to_gltf, vector_to_gltf  # noqa: E402
from omi_joints_addon.core.model.shape import (  # noqa: E402
    Box,
    Capsule,
    MeshShape,
    Shape,
    Sphere,
    Upright,
    shape_type,
)
from omi_joints_addon.io.formats.gltf.document import scene_from_document  # noqa: E402

FOLDER = ROOT / "conformance"
PAGE = ROOT / "docs" / "conformance.md"
START, END = "<!-- tables by tools/conformance.py -->", "<!-- end of the tables -->"
PASSED, UNKNOWN = "yes", "?"
Json = dict[str, Any]
Cells = dict[str, str]
"""Verdict by path."""


def main(page: Path) -> int:
    """Run everything that is here, and write the tables."""
    entries = json.loads((FOLDER / "index.json").read_text("utf-8"))["files"]
    ours = {entry["path"]: _ours(entry) for entry in entries}
    columns = {
        "ours": ours,
        "validator": _validated(entries),
        "havok": _havok(entries),
        "godot": _godot(entries),
    }
    text = page.read_text("utf-8")
    before, _, rest = text.partition(START)
    old, _, after = rest.partition(END)
    made = "\n".join([*_features(entries, columns, old), "", *_faults(entries, columns, old)])
    page.write_text(f"{before}{START}\n\n{made}\n\n{END}{after}", "utf-8")
    failed = [path for path, verdict in ours.items() if verdict != PASSED]
    failed += _unequal_histories(os.environ.get("OMI_HISTORIES"))
    print(*failed, sep="\n", end="\n" if failed else "")
    return bool(failed)


def _unequal_histories(folder: str | None) -> list[str]:
    """Return the documents in which we do not find what an independent reader counts."""
    failed, count = [], 0
    for version in versions(Path(folder)) if folder else ():
        read = scene_from_document(version.document).as_read()
        count += 1
        if counts(version.document) != _counted(read.scene):
            failed.append(version.name)
    if folder:
        print(f"{count - len(failed)} of {count} documents of histories are read as counted")
    return failed


def _counted(scene: omi_joints.PhysicsScene) -> Counts:
    return Counts(
        Counter(str(motion.type) for motion in scene.motions.values()),
        Counter(_sized(collider.shape) for collider in scene.colliders.values()),
        Counter(_sized(trigger.shape) for trigger in scene.triggers.values()),
        len(scene.joints),
    )


def _sized(shape: Shape | None) -> Any:
    """Return a shape as `conformance.histories` describes it."""
    if shape is None:
        return None
    type_ = str(shape_type(shape))
    if isinstance(shape, MeshShape):
        return type_, shape.mesh
    numbers: list[float] = []
    if isinstance(shape, Box):
        numbers = sorted(shape.size)
    elif isinstance(shape, Sphere):
        numbers = [shape.radius]
    elif isinstance(shape, Upright):
        ends = shape.radius_bottom + shape.radius_top if isinstance(shape, Capsule) else 0.0
        numbers = [shape.height + ends, shape.radius_bottom, shape.radius_top]
    return type_, *(round(number, 5) for number in numbers)


def _ours(entry: Json) -> str:
    """Return the verdict of this program about a file."""
    path = FOLDER / entry["path"]
    found = omi_joints.check(path)
    if entry["kind"] == "fault":
        return PASSED if set(entry["findings"]) <= {each.code for each in found} else "no"
    if any(each.severity == omi_joints.Severity.ERROR for each in found):
        return "an error"
    if not entry["poses"]:
        return PASSED
    end = max(pose["time"] for pose in entry["poses"])
    motion = omi_joints.simulate(omi_joints.read(path), seconds=end, fps=20.0)
    offsets = []
    for pose in entry["poses"]:
        frame = int(np.argmin(np.abs(motion.times - pose["time"])))
        body = motion.bodies.index(pose["node"])
        offsets.append(_off(pose, motion.positions[frame, body], motion.rotations[frame, body]))
    return _verdict(offsets)


def _off(pose: Json, position: Any, rotation: Any) -> tuple[bool, float, float]:
    """Return whether a pose, Z up, is within its tolerances, and by how much it is off."""
    x, y, z = map(float, position)
    a, b, c, w = map(float, rotation)
    meters = math.dist(vector_to_gltf((x, y, z)), pose["translation"])
    turned = quaternion_to_gltf((a, b, c, w))
    cosine = abs(float(np.dot(turned, pose.get("rotation", turned))))
    radians = 2.0 * math.acos(min(1.0, cosine))
    is_right = meters <= pose["meters"] and radians <= pose["radians"]
    return is_right, meters, radians


def _verdict(offsets: list[tuple[bool, float, float]]) -> str:
    if all(is_right for is_right, _, _ in offsets):
        return PASSED
    meters = max(meters for _, meters, _ in offsets)
    if math.isnan(meters):
        return "not a number"
    degrees = math.degrees(max(radians for _, _, radians in offsets))
    return f"off by {meters:.3g} m, {degrees:.3g}°"


def _validated(entries: list[Json]) -> Cells:
    """Return what Khronos' validator finds: errors in features none, in faults any."""
    os.environ.setdefault("NODE_PATH", str(_packages()))
    cells = {}
    for entry in entries:
        try:
            found = validated(FOLDER / entry["path"])
        except CommandError:
            return {}
        errors = [each for each in found if each.severity == omi_joints.Severity.ERROR]
        cells[entry["path"]] = PASSED if bool(errors) == (entry["kind"] == "fault") else "no"
    return cells


def _packages() -> Path:
    return Path(os.environ.get("OMI_NODE_PACKAGES", ROOT / "build" / "node")) / "node_modules"


def _havok(entries: list[Json]) -> Cells:
    """Return what Babylon.js with Havok makes of the features in KHR."""
    havok: Any = importlib.import_module("tests.oracles.havok")
    return _run_in(entries, "khr", havok.run) if havok.is_here() else {}


def _godot(entries: list[Json]) -> Cells:
    """Return what Godot with the reference importer makes of the features in OMI."""
    godot: Any = importlib.import_module("tests.oracles.godot")
    return _run_in(entries, "omi", partial(godot.run, rate=240)) if godot.is_here() else {}


def _run_in(entries: list[Json], dialect: str, run: Callable[..., list[Any]]) -> Cells:
    """Return the verdict of an engine about all features of a dialect that have poses."""
    job: Any = importlib.import_module("tests.oracles.files").Job
    moved = [entry for entry in entries if entry["dialect"] == dialect and entry.get("poses")]
    with TemporaryDirectory() as folder:
        jobs = []
        for entry in moved:
            path = Path(folder, entry["path"].replace("/", "_")).with_suffix(".glb")
            path.write_bytes(_binary((FOLDER / entry["path"]).read_bytes()))
            times = tuple(sorted({pose["time"] for pose in entry["poses"]}))
            jobs.append(job(path=path, gravity=(0.0, 0.0, -9.81), stops=times))
        results = run(jobs)
    return {
        entry["path"]: _judged(entry, task.stops, poses)
        for entry, task, poses in zip(moved, jobs, results, strict=True)
    }


def _judged(entry: Json, times: tuple[float, ...], found: list[Any]) -> str:
    if not found:
        return "not loaded"
    names = [
        node.get("name", "")
        for node in json.loads((FOLDER / entry["path"]).read_text("utf-8"))["nodes"]
    ]
    offsets = []
    for pose in entry["poses"]:
        body = found[times.index(pose["time"])].get(names[pose["node"]])
        if body is None:
            return "no body"
        offsets.append(_off(pose, body.position, body.rotation))
    return _verdict(offsets)


def _binary(text: bytes) -> bytes:
    """Return a document without buffers as a .glb."""
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON") + text


def _features(entries: list[Json], columns: dict[str, Cells], old: str) -> Iterator[str]:
    known = _rows(old)
    yield "| Feature | OMI: ours | OMI: Godot | KHR: ours | KHR: Babylon.js and Havok | |"
    yield "| --- | --- | --- | --- | --- | --- |"
    features = [entry for entry in entries if entry["kind"] == "feature"]
    titles = {Path(entry["path"]).stem: entry["title"] for entry in features}
    moved = {each["path"] for each in features if each["poses"]}
    for name, title in titles.items():
        omi, khr = f"omi/{name}.gltf", f"khr/{name}.gltf"
        _, before_godot, _, before_havok, *_ = known.get(f"`{name}`", [""] * 4)
        cells = (
            columns["ours"].get(omi, ""),
            columns["godot"].get(omi, (before_godot or UNKNOWN) if omi in moved else ""),
            columns["ours"].get(khr, ""),
            columns["havok"].get(khr, (before_havok or UNKNOWN) if khr in moved else ""),
            title,
        )
        yield f"| `{name}` | " + " | ".join(cells) + " |"


def _faults(entries: list[Json], columns: dict[str, Cells], old: str) -> Iterator[str]:
    known = _rows(old)
    yield "| Fault | Rules | Ours | Khronos' validator | |"
    yield "| --- | --- | --- | --- | --- |"
    for entry in entries:
        if entry["kind"] == "fault":
            path, name = entry["path"], f"`{Path(entry['path']).stem}`"
            before = known.get(name, ["", "", UNKNOWN])[2]
            codes = ", ".join(f"[{code}]({page_of(code)})" for code in entry["findings"])
            judged = columns["validator"].get(path, before)
            yield f"| {name} | {codes} | {columns['ours'][path]} | {judged} | {entry['title']} |"


def _rows(text: str) -> dict[str, list[str]]:
    """Return the cells of the rows of a page by their first one."""
    rows = (
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| `")
    )
    return {first: cells for first, *cells in rows}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE))

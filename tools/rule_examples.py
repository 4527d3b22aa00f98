"""Write cli/rule_examples.json: what breaks the rules of the check.

Rules of glTF have files of conformance/. Faults come first; rules that none breaks, most of them
about engines, have a sound feature. Rules of other formats have pairs of files, one cured, which
are written to examples/rules/files.
"""

import copy
import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import omi_joints  # noqa: E402 - found by the line above
from conformance.generate.fault import TRIANGLE, Fault, sound  # noqa: E402
from conformance.generate.faults import faults  # noqa: E402
from examples.rules.pair import all_pairs  # noqa: E402

FILE = ROOT / "omi_joints_addon" / "cli" / "rule_examples.json"
PAIRS = ROOT / "examples" / "rules" / "files"
_LONG = 200
"""Characters of an object that is not shown as a whole."""
_JOINT = re.compile(r"/nodes/\d+/extensions/(\w+?)(?:/joint)?")


def examples() -> dict[str, Any]:
    """Return for each code what is wrong in its example, the file, and the parts that are wrong."""
    found: dict[str, Any] = {}
    for fault in faults():
        for code in fault.codes:
            found.setdefault(code, _example(fault))
    for code, example in _of_features():
        found.setdefault(code, example)
    for pair in all_pairs():
        file = (PAIRS / pair.bad_name).relative_to(ROOT).as_posix()
        found[pair.code] = {"title": pair.title, "file": file, "lines": list(pair.lines)}
    return dict(sorted(found.items()))


def pair_files() -> dict[str, str]:
    """Return the texts of the pairs by name of their file."""
    pairs = list(all_pairs())
    bad = {pair.bad_name: pair.bad for pair in pairs}
    return bad | {pair.cured_name: pair.cured for pair in pairs}


def text() -> str:
    """Return the text of the file."""
    return json.dumps(examples(), indent=1) + "\n"


def _example(fault: Fault) -> dict[str, Any]:
    document, before = fault.document(), sound(fault.dialect)
    if "meshes" in document:
        before |= copy.deepcopy(TRIANGLE)
    parts = [{"place": place, "value": value} for place, value in _changes(before, document, "")]
    return {"title": fault.title, "file": f"conformance/faults/{fault.name}.gltf", "parts": parts}


def _of_features() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an example for each finding about a feature, in any engine, and where it is about."""
    folder = ROOT / "conformance"
    for entry in json.loads((folder / "index.json").read_text("utf-8"))["files"]:
        if entry["kind"] == "feature":
            document = json.loads((folder / entry["path"]).read_text("utf-8"))
            for found in omi_joints.check(folder / entry["path"], engine="any"):
                place = _shown_place(document, found.place + found.part)
                part = {"place": place, "value": _at(document, place)}
                file = f"conformance/{entry['path']}"
                yield found.code, {"title": entry["title"], "file": file, "parts": [part]}


def _shown_place(document: Any, place: str) -> str:
    """Return the place of the settings for that of a joint, which only refers to them."""
    if match := _JOINT.fullmatch(place):
        value = _at(document, place)
        if isinstance(value, dict) and "joint" in value:
            return f"/extensions/{match[1]}/physicsJoints/{value['joint']}"
    return place


def _at(value: Any, pointer: str) -> Any:
    for name in pointer.split("/")[1:]:
        value = value[int(name) if isinstance(value, list) else name]
    return value


def _changes(before: Any, after: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the smallest objects and arrays of a document that differ, None for removed ones."""
    if isinstance(before, list) and isinstance(after, list):
        if len(before) <= len(after) and all(isinstance(each, dict) for each in after):
            for index, value in enumerate(after):
                old = before[index] if index < len(before) else None
                if old != value:
                    yield from _changes(old, value, f"{place}/{index}")
            return
    elif isinstance(before, dict) and isinstance(after, dict):
        yield from _members(before, after, place)
        return
    yield place, after


def _members(
    before: dict[str, Any], after: dict[str, Any], place: str
) -> Iterator[tuple[str, Any]]:
    changed = [key for key in before | after if before.get(key) != after.get(key)]
    inner = [key for key in changed if isinstance(before.get(key), dict | list) and key in after]
    if place and len(inner) < len(changed) and len(json.dumps(after)) <= _LONG:
        yield place, after
        return
    for key in changed:
        if key in inner:
            yield from _changes(before[key], after[key], f"{place}/{key}")
        else:
            yield f"{place}/{key}", after.get(key)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    shutil.rmtree(PAIRS, ignore_errors=True)
    PAIRS.mkdir()
    for name, content in pair_files().items():
        (PAIRS / name).write_text(content, encoding="utf-8")

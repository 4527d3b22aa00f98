"""Write cli/rule_examples.json: what breaks the rules of the check.

Faults of glTF are files of conformance/, which a sound hinge cures. Other rules have pairs of
files, one cured, which are written to examples/rules/files.
"""

import copy
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from conformance.generate.fault import TRIANGLE, Fault, sound  # noqa: E402 - found by the line above
from conformance.generate.faults import faults  # noqa: E402
from examples.rules.pair import all_pairs  # noqa: E402

FILE = ROOT / "omi_joints_addon" / "cli" / "rule_examples.json"
PAIRS = ROOT / "examples" / "rules" / "files"
_LONG = 200
"""Characters of an object that is not shown as a whole."""


def examples() -> dict[str, Any]:
    """Return for each code what is wrong in its example, the file, and the parts that are wrong."""
    found: dict[str, Any] = {}
    for fault in faults():
        for code in fault.codes:
            found.setdefault(code, _example(fault))
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

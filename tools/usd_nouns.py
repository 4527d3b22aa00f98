"""Convert small stages of one noun each, and put the table of what becomes of it into docs/usd.md.

usd_nouns.py [--to FILE]. The stages are in tests/usd_noun_stages.py.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from page_tables import page_with  # noqa: E402

from omi_joints_addon.core.checks.differences import differences  # noqa: E402
from omi_joints_addon.core.checks.matching import matched_by_name  # noqa: E402
from omi_joints_addon.core.model.scene import PhysicsScene  # noqa: E402
from omi_joints_addon.io import registry  # noqa: E402
from omi_joints_addon.io.formats.format import Kept, Read, Source, Target  # noqa: E402
from omi_joints_addon.io.formats.keeping import written_scene  # noqa: E402

# The tests are not typed.
stages: Any = importlib.import_module("tests.usd_noun_stages")

PAGE = ROOT / "docs" / "usd.md"
START, END = "<!-- table by tools/usd_nouns.py -->", "<!-- end of the table -->"
SILENT = "**silent**"
SAME = "="
_HOW = {"converted": "~", "carried": "c", "lost": "–"}
_PHYSICS = ("physics:", "physx", "newton:", "mjc:", "drive:", "limit:", "state:", "isaac")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a noun."""

    in_place: str
    anew: str
    gltf: str
    codes: str
    """Findings of reading it."""


@dataclass(frozen=True, slots=True)
class _Trial:
    """A stage with a noun and what it is without."""

    path: Path
    read: Read
    bare: Read

    def written(self, name: str, options: Mapping[str, Any]) -> tuple[Path, list[str]]:
        """Write the stage; return the file, and the lines of the report that the noun has."""
        lines = []
        for read, file in ((self.bare, f"bare-{name}"), (self.read, name)):
            assert read.document is not None
            target = Target(
                path=self.path.with_name(file),
                options=options,
                kept=Kept(document=read.document, read=read, unheld=read.unread),
            )
            found = written_scene(_row(target.path), read.scene, target)
            target.path.write_bytes(bytes(found.files[file]))
            lines.append([f"{_HOW[str(loss.how)]} {loss.noun}" for loss in found.losses])
        usual = set(lines[0])
        return target.path, [line for line in dict.fromkeys(lines[1]) if line not in usual]

    def codes(self) -> list[str]:
        """Return what reading the noun reports."""
        usual = {found.code for found in self.bare.findings}
        codes = dict.fromkeys(found.code for found in self.read.findings)
        return [code.removeprefix("OMI-") for code in codes if code not in usual]

    def cell(self, name: str, options: Mapping[str, Any]) -> str:
        """Return how a noun is written: as it was, in its meaning, or named as missing."""
        target, named = self.written(name, options)
        if named:
            return "; ".join(named)
        again = _row(target).read(Source(path=target))[0].scene
        if target.suffix == ".usda" and words(self.path) <= words(target, is_all=True):
            return SAME
        both = self.read.scene, self.bare.scene
        is_held = bool(_apart(*both) or _apart(*reversed(both)))
        if is_held and not _apart(self.read.scene, again):
            return SAME
        return SILENT

    def in_place(self) -> str:
        """Return whether the stage comes out as it is."""
        target, named = self.written("same.usda", {})
        return SILENT if named or target.read_bytes() != self.path.read_bytes() else SAME


def outcome(noun: Any, folder: Path) -> Outcome:
    """Convert a stage to USD in place, to USD anew and to glTF."""
    path = folder / "noun.usda"
    trial = _Trial(path, _read(noun, path), _read(stages.Noun(), folder / "bare.usda"))
    anew, gltf = trial.cell("anew.usda", {"source": "new"}), trial.cell("noun.glb", {})
    return Outcome(trial.in_place(), anew, gltf, ", ".join(trial.codes()))


def _read(noun: Any, path: Path) -> Read:
    path.write_text(noun.stage(), encoding="utf-8")
    read: Read = _row(path).read(Source(path=path))[0]
    return read


def _row(path: Path) -> Any:
    return registry.format_for(path)


def _apart(one: PhysicsScene, other: PhysicsScene) -> list[Any]:
    return [
        each
        for each in differences(one, other, matched_by_name(one, other))
        if each.noun not in ("parent", "node", "name", "visual")
    ]


def words(path: Path, *, is_all: bool = False) -> set[tuple[str, str]]:
    """Return what a stage says of physics: types, schemas, and attributes with values.

    With `is_all` also what it says of anything else.
    """
    from pxr import Usd  # type: ignore[import-not-found]

    stage = Usd.Stage.Open(str(path))
    return set(_words(stage, "" if is_all else _PHYSICS))


def _words(stage: Any, starts: str | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for prim in stage.Traverse():
        kind = str(prim.GetTypeName())
        if kind.startswith(("Physics", "Physx", "Newton", "Mjc")):
            yield "type", kind
        for schema in prim.GetAppliedSchemas():
            if schema.startswith(("Physics", "Physx", "Newton", "Mjc", "Isaac")):
                yield "schema", str(schema)
        for each in prim.GetProperties():
            name = str(each.GetName())
            if each.IsAuthored() and (name.startswith(starts) or each.IsCustom()):
                yield name, _value(each)


def _value(each: Any) -> str:
    if not hasattr(each, "GetNumTimeSamples"):
        return str(len(each.GetTargets()))
    if each.GetNumTimeSamples():
        return str([(at, each.Get(at)) for at in each.GetTimeSamples()])
    value = each.Get()
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def table() -> str:
    """Return the table: a row for each noun."""
    lines = ["| Noun | In place | USD written anew | glTF | Finding |", "| --- " * 5 + "|"]
    for name, found in outcomes(stages.NOUNS).items():
        cells = (name, found.in_place, found.anew, found.gltf, found.codes)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def outcomes(nouns: Mapping[str, Any]) -> dict[str, Outcome]:
    """Return what becomes of each noun."""
    found = {}
    for name, noun in nouns.items():
        with tempfile.TemporaryDirectory() as folder:
            found[name] = outcome(noun, Path(folder))
    return found


def main() -> None:
    """Put the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=PAGE, metavar="FILE")
    path = parser.parse_args().to
    new = page_with(path.read_text(encoding="utf-8"), {START: lambda: [table()]}, END)
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()

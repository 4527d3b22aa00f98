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
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "same.usda": {},
    "anew.usda": {"source": "new"},
    "noun.glb": {},
}
"""Options by the names of files that are written."""
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
class _Stage:
    """A stage and what it says."""

    path: Path
    read: Read

    def written(self, name: str) -> tuple[Path, list[str]]:
        """Write the stage under a name of `_OPTIONS`; return the file and the report."""
        assert self.read.document is not None
        target = Target(
            path=self.path.with_name(name),
            options=_OPTIONS[name],
            kept=Kept(document=self.read.document, read=self.read, unheld=self.read.unread),
        )
        found = written_scene(_row(target.path), self.read.scene, target)
        target.path.write_bytes(bytes(found.files[name]))
        return target.path, [f"{_HOW[str(loss.how)]} {loss.noun}" for loss in found.losses]


@dataclass(frozen=True, slots=True)
class _Bare:
    """The stage without any noun, and what is reported of it under each name."""

    read: Read
    usual: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A stage with a noun and what it is without."""

    noun: _Stage
    bare: _Bare

    def written(self, name: str) -> tuple[Path, list[str]]:
        """Write the stage; return the file, and the lines of the report that the noun has."""
        target, lines = self.noun.written(name)
        return target, [line for line in dict.fromkeys(lines) if line not in self.bare.usual[name]]

    def codes(self) -> list[str]:
        """Return what reading the noun reports."""
        usual = {found.code for found in self.bare.read.findings}
        codes = dict.fromkeys(found.code for found in self.noun.read.findings)
        return [code.removeprefix("OMI-") for code in codes if code not in usual]

    def cell(self, name: str) -> str:
        """Return how a noun is written: as it was, in its meaning, or named as missing."""
        target, named = self.written(name)
        if named:
            return "; ".join(named)
        again = _row(target).read(Source(path=target))[0].scene
        path = self.noun.path
        if target.suffix == ".usda" and words(path) <= words(target, is_all=True):
            return SAME
        both = self.noun.read.scene, self.bare.read.scene
        is_held = bool(_apart(*both) or _apart(*reversed(both)))
        if is_held and not _apart(self.noun.read.scene, again):
            return SAME
        return SILENT

    def in_place(self) -> str:
        """Return whether the stage comes out as it is."""
        target, named = self.written("same.usda")
        return SILENT if named or target.read_bytes() != self.noun.path.read_bytes() else SAME

    def outcome(self) -> Outcome:
        """Convert the stage to USD in place, to USD anew and to glTF."""
        anew, gltf = self.cell("anew.usda"), self.cell("noun.glb")
        return Outcome(self.in_place(), anew, gltf, ", ".join(self.codes()))


def _stage(noun: Any, path: Path) -> _Stage:
    path.write_text(noun.stage(), encoding="utf-8")
    return _Stage(path, _row(path).read(Source(path=path))[0])


def _bare(folder: Path) -> _Bare:
    stage = _stage(stages.Noun(), folder / "bare.usda")
    return _Bare(stage.read, {name: stage.written(name)[1] for name in _OPTIONS})


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
    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder))
        for name, noun in nouns.items():
            found[name] = _Trial(_stage(noun, Path(folder, "noun.usda")), bare).outcome()
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

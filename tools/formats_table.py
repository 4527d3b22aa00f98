"""Write models in every format, read them again, and put the table into docs/exchange.md.

formats_table.py [--to FILE] [MODEL ...]: other models than those of tests/format_models.py are
only printed.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from page_tables import page_with  # noqa: E402

from omi_joints_addon.core.checks.matching import matched_by_name  # noqa: E402
from omi_joints_addon.core.model.scene import PhysicsScene  # noqa: E402
from omi_joints_addon.io import registry  # noqa: E402
from omi_joints_addon.io.contents import write_files  # noqa: E402
from omi_joints_addon.io.formats.format import Format, Source, Target  # noqa: E402
from omi_joints_addon.io.formats.keeping import written_scene  # noqa: E402

# The tests are not typed.
models: Any = importlib.import_module("tests.format_models")

PAGE = ROOT / "docs" / "exchange.md"
START, END = "<!-- table by tools/formats_table.py -->", "<!-- end of the table -->"
_HOW = {"converted": "~", "carried": "c", "lost": "–"}


@dataclass(frozen=True, slots=True)
class Round:
    """What became of a model in a format."""

    gap: float
    """Largest difference of a moving body's world matrix."""
    missing: tuple[str, ...]
    """Bodies and joints that are not there any more."""
    losses: Mapping[str, tuple[str, ...]]
    """Nouns by how they were lost, as the writer names them."""


def round_trip(scene: PhysicsScene, row: Format, folder: Path) -> Round:
    """Return what is left of a scene that was written and read in a format."""
    target = Target(path=folder / f"model{row.suffixes[0]}")
    written = written_scene(row, scene, target)
    write_files(folder, written.files)
    again = row.read(Source(path=target.path))[0].scene
    match = matched_by_name(scene, again)
    moving = [node for node in scene.motions if scene.is_dynamic(node)]
    gaps = [
        np.abs(scene.matrices[n] - again.matrices[match[n]]).max() for n in moving if n in match
    ]
    named = {joint.node for joint in again.joints}
    missing = [scene.names[node] for node in moving if node not in match]
    missing += [
        scene.names[joint.node] for joint in scene.joints if match.get(joint.node, -1) not in named
    ]
    losses: dict[str, dict[str, None]] = {}
    for loss in written.losses:
        losses.setdefault(str(loss.how), {})[str(loss.noun)] = None
    found = {how: tuple(sorted(nouns)) for how, nouns in losses.items()}
    return Round(float(max(gaps, default=0.0)), tuple(missing), found)


def table(scenes: Mapping[str, PhysicsScene]) -> str:
    """Return the table: a row for each model and format."""
    lines = ["| Model | Format | Poses within | Named by the writer |", "| --- | --- | --- | --- |"]
    for name, scene in scenes.items():
        for row in registry.FORMATS:
            with tempfile.TemporaryDirectory() as folder:
                found = round_trip(scene, row, Path(folder))
            cells = [name, row.label, f"{found.gap:.0e}".replace("0e+00", "0"), _declared(found)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _declared(found: Round) -> str:
    """Return the nouns with the sign of how each is lost."""
    parts = [
        f"{sign} {', '.join(found.losses[how])}"
        for how, sign in _HOW.items()
        if how in found.losses
    ]
    return "; ".join(parts) or "nothing is lost"


def main() -> None:
    """Print the table, or put it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=PAGE, metavar="FILE")
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args()
    if options.models:
        read = {
            path.name: registry.format_of(path).read(Source(path=path))[0].scene
            for path in options.models
        }
        print(table(read))
        return
    tables = {START: lambda: [table({name: make() for name, make in models.MODELS.items()})]}
    new = page_with(options.to.read_text(encoding="utf-8"), tables, END)
    options.to.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()

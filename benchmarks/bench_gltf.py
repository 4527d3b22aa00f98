"""Cost of physics in Blender's glTF export and import, beside Blender's own.

`collector not spared` is with Python's garbage collector running as it likes (`io.gltf.garbage`).
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

from figures import Table
from pairs import author
from side_by_side import OFF, ON, TASKS, SideBySide

RUNS = {1000: 8, 5000: 2}
"""Runs of each case by the number of pairs."""
MOST_NOT_SPARED = 1000
"""Pairs up to which runs without sparing the collector are measured too."""
LARGEST_TIME = 1.10
LARGEST_MEMORY = 1.2
NOT_SPARED = "collecting"


@contextmanager
def _not_spared() -> Iterator[None]:
    """Leave the garbage collector as it is."""
    from omi_joints_addon.io.gltf import hooks

    spared, hooks.SparedCollector = (
        hooks.SparedCollector,
        lambda: SimpleNamespace(end=lambda: None),
    )
    try:
        yield
    finally:
        hooks.SparedCollector = spared


GLTF = SideBySide(
    script=__file__,
    suffix=".glb",
    operators=("export_scene.gltf", "import_scene.gltf"),
    author=author,
    within={NOT_SPARED: _not_spared},
)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(RUNS))
    sizes = parser.parse_args().sizes
    table = Table("glTF, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for count in sizes:
            GLTF.make("pairs", count, folder)
        for task in TASKS:
            for count in sizes:
                _compare(table, task, count, folder)


def _compare(table: Table, task: str, count: int, folder: str) -> None:
    """Print the figures of one task."""
    extra = NOT_SPARED if count <= MOST_NOT_SPARED else ""
    found = GLTF.compare(
        task, "pairs", count, folder, runs=RUNS.get(count, 1), extra=extra, target=LARGEST_TIME
    )
    name = f"{task}, {count:,} pairs"
    off = found.times[OFF]
    table.add(name, found.times[ON], unit="s", baseline=off, target=LARGEST_TIME)
    if extra:
        table.add(f"{name}, collector not spared", found.times[extra], unit="s", baseline=off)
    peaks = found.peaks
    memory = f"{name}, memory"
    table.add(memory, peaks[ON], unit="MB", baseline=peaks[OFF], target=LARGEST_MEMORY)


if __name__ == "__main__":
    GLTF.serve()
    main()
    sys.stdout.flush()

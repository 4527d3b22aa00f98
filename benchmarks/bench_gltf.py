"""Cost of physics in Blender's glTF export and import, beside Blender's own.

`collector not spared` is with Python's garbage collector running as it likes (`io.gltf.garbage`).
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pairs
from figures import Table
from side_by_side import OFF, ON, TASKS, SideBySide

RUNS = {1000: 4, 5000: 2}
"""Runs of each case by the number of pairs."""
MOST_NOT_SPARED = 1000
"""Pairs up to which runs without sparing the collector are measured too."""
LARGEST_TIME = 1.10
LARGEST_MEMORY = 1.2
NOT_SPARED = "collecting"
PAIRS, KHR = "pairs", "pairs in KHR"
"""Kinds of scenes: written in the OMI extensions, and in the others."""
MOST_IN_KHR = 1000
"""Pairs up to which the other dialect is measured too."""


def author(kind: str, count: int) -> None:
    """Make a scene of pairs and choose its dialect."""
    import bpy

    pairs.author(kind, count)
    if kind == KHR:
        bpy.context.scene.omi_gltf.export_dialects = {"KHR"}


@contextmanager
def _not_spared() -> Iterator[None]:
    """Leave the garbage collector as it is."""
    from omi_joints_addon.io.gltf import export_hooks, import_hooks
    from omi_joints_addon.io.gltf.garbage import spare_collector

    export_hooks.spare_collector = import_hooks.spare_collector = lambda: None
    try:
        yield
    finally:
        export_hooks.spare_collector = import_hooks.spare_collector = spare_collector


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
        cases = [(PAIRS, count) for count in sizes]
        cases += [(KHR, count) for count in sizes if count <= MOST_IN_KHR]
        for kind, count in cases:
            GLTF.make(kind, count, folder)
        for task in TASKS:
            for kind, count in cases:
                _compare(table, task, kind, count, folder)


def _compare(table: Table, task: str, kind: str, count: int, folder: str) -> None:
    """Print the figures of one task."""
    extra = NOT_SPARED if kind == PAIRS and count <= MOST_NOT_SPARED else ""
    found = GLTF.compare(
        task, kind, count, folder, runs=RUNS.get(count, 1), extra=extra, target=LARGEST_TIME
    )
    name = f"{task}, {count:,} {kind}"
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

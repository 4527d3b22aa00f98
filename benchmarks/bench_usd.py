"""Cost of physics in Blender's USD export and import, beside Blender's own."""

import argparse
import sys
import tempfile

from figures import Table
from pairs import author
from side_by_side import OFF, ON, TASKS, SideBySide

LARGEST_TIME = 1.5
RUNS = 3
"""Runs of each case."""
USD = SideBySide(
    script=__file__,
    suffix=".usdc",
    operators=("wm.usd_export", "wm.usd_import"),
    author=author,
)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--joints", type=int, nargs="+", default=[1000])
    table = Table("USD, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for count in parser.parse_args().joints:
            USD.make("pairs", count, folder)
            for task in TASKS:
                found = USD.compare(
                    task, "pairs", count, folder, runs=RUNS, target=LARGEST_TIME
                ).times
                name = f"{task}, {count:,} joints"
                table.add(name, found[ON], unit="s", baseline=found[OFF], target=LARGEST_TIME)


if __name__ == "__main__":
    USD.serve()
    main()
    sys.stdout.flush()

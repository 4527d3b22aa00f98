"""Time of draws of all panels in a real window, in a scene of 10,000 objects.

Needs the desktop Blender of `tools/desktop_blender.sh`; without it nothing is measured.
`BENCH_JOINTS` chooses another number of joints; there are three objects to each. What is
measured is processor time of Blender's thread in the functions that draw our panels and lists, the
lists that Blender makes in them included. The view shows no objects, so that redraws are quick.
"""

import os
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
COUNT = int(os.environ.get("BENCH_JOINTS", "3333"))
DRAWS = 30
MOST = 1.0
"""Longest draw of a panel [ms]."""
NAMED = ("OMI_PT_joint_list", "OMI_PT_checks", "OMI_PT_joint_edit", "OMI_PT_preview")
"""Panels that have a line of their own."""


def main() -> None:
    """Show a file and print the table."""
    from figures import Samples, Table
    from window import author, missing, show

    if why := missing():
        Table(f"Draws of panels: skipped, {why}")
        return
    with TemporaryDirectory() as folder:
        author(folder, COUNT)
        found = show(folder, Path(__file__))
    table = Table(f"Draws of panels in a window, {3 * COUNT:,} objects")
    later = {name: times[1:] for name, times in found.items()}
    for name in NAMED:
        table.add(name, Samples(later[name]), target=MOST)
    slowest = max(later, key=lambda name: statistics.median(later[name]))
    table.add(f"slowest, {slowest}", Samples(later[slowest]), target=MOST)
    longest = max(later, key=lambda name: max(later[name]))
    table.add(f"longest draw but the first, {longest}", max(later[longest]))
    first = max(found, key=lambda name: found[name][0])
    table.add(f"longest first draw, {first}", found[first][0])


def steps(folder: Path, found: dict[str, list[float]]) -> Iterator[None]:
    """Open the file and draw the panels of a joint, a connected frame and a body."""
    import bpy
    from window_steps import Session, quiet_preferences, tag_all, view

    session = Session()
    quiet_preferences()
    bpy.ops.wm.open_mainfile(filepath=str(folder / "joints.blend"))
    yield
    space = view()["area"].spaces.active
    space.show_object_viewport_empty = space.show_object_viewport_mesh = False
    yield from session.arrange()
    session.watch()
    session.select("00700 Joint")
    yield from session.enable(is_on=True)
    areas = bpy.context.window_manager.windows[0].screen.areas
    next(area for area in areas if area.type == "PROPERTIES").spaces.active.context = "PHYSICS"
    first = {label: times[0] for label, times in session.slices.times.items()}
    session.slices.times.clear()
    for name in ("00700 Joint", "00700 End", "00700 Body"):
        session.select(name)
        yield from session.settle(is_on=True)
        for _ in range(DRAWS // 3):
            tag_all()
            yield
    for label, times in session.slices.times.items():
        if label.startswith("panel") and label.endswith(".draw"):
            name = label.removeprefix("panel: ").removesuffix(".draw")
            found[name] = [first.get(label, times[0]), *times]


def inside(folder: Path) -> None:
    """Take the steps in the window."""
    from window_steps import play

    found: dict[str, list[float]] = {}
    play(steps(folder, found), found, folder)


if __name__ == "__main__":
    if "--" in sys.argv:
        inside(Path(sys.argv[-1]))
    else:
        main()

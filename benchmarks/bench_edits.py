"""What one edited limit costs in a file that is changed in place, as a multiple of reading it."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from figures import Table, paired_ms  # noqa: E402

from omi_joints_addon.core.model.scene import PhysicsScene  # noqa: E402
from omi_joints_addon.io.contents import write_files  # noqa: E402
from omi_joints_addon.io.formats.format import Format, Kept, Source, Target  # noqa: E402
from omi_joints_addon.io.formats.keeping import written_scene  # noqa: E402
from omi_joints_addon.io.formats.urdf import URDF  # noqa: E402
from omi_joints_addon.io.registry import FORMATS  # noqa: E402

COUNT = 300
MOST = 4.0
"""Times as long as reading that an edit may take."""
TIMES = 5
"""Edits and readings of one run: the clock of other processes counts hundredths of a second."""


def chain(count: int) -> str:
    """Return a robot of `count` joints in a row."""
    links = [
        f'<link name="l{n}"><inertial><mass value="2"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>'
        for n in range(count + 1)
    ]
    joints = [
        f'<joint name="j{n}" type="revolute"><origin xyz="0 0 0.5"/><parent link="l{n}"/>'
        f'<child link="l{n + 1}"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for n in range(count)
    ]
    return f'<robot name="chain">{"".join(links)}{"".join(joints)}</robot>'


def edited(scene: PhysicsScene) -> PhysicsScene:
    """Return a scene with one other upper bound, of a joint in the middle."""
    joints = list(scene.joints)
    number = len(joints) // 2
    limits = tuple(
        limit if limit.min == limit.max else replace(limit, max=0.75)
        for limit in joints[number].settings.limits
    )
    settings = replace(joints[number].settings, limits=limits)
    joints[number] = replace(joints[number], settings=settings)
    return replace(scene, joints=tuple(joints))


def busy() -> float:
    """Return the processor time [s] of this process and of those that it started.

    USD files are read in processes of their own, which the clock of this one does not see.
    """
    ticks = 0
    for path in Path("/proc/self/task").glob("*/children"):
        for child in path.read_text().split():
            values = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, values[11:15]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def repeated(action: Callable[[], object]) -> Callable[[], None]:
    """Return an action that does another one several times."""

    def run() -> None:
        for _ in range(TIMES):
            action()

    return run


def measure(row: Format, scene: PhysicsScene, folder: Path, table: Table) -> None:
    """Measure an edit in one format, where it keeps the text."""
    path = folder / f"chain{row.suffixes[0]}"
    write_files(folder, row.write(scene, Target(path=path)).files)
    (read,) = row.read(Source(path=path))
    if read.document is None:
        return
    target = Target(path=path, kept=Kept(document=read.document, read=read))
    after = edited(read.scene)
    assert written_scene(row, after, target).files[path.name] != path.read_bytes(), row.name
    edit, again = paired_ms(
        repeated(lambda: written_scene(row, after, target)),
        repeated(lambda: row.read(Source(path=path))),
        target=MOST,
        clock=lambda: busy() / TIMES,
    )
    table.add(f"{row.label}, {COUNT} joints, one limit", edit, baseline=again, target=MOST)


def main() -> None:
    """Measure each format that is changed in place."""
    table = Table("One edit in place, by reading the file")
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "robot.urdf"
        path.write_text(chain(COUNT))
        scene = URDF.read(Source(path=path))[0].scene
        for row in FORMATS:
            measure(row, scene, folder, table)


if __name__ == "__main__":
    main()

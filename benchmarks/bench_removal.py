"""Cost of removing joints, and bodies with their joints, in a file that was opened.

In a script without a window the same costs more where it made the objects itself: Blender keeps a
notice for each, which nothing takes up there, and looks through all of them for each removed one.
"""

import os
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import bpy  # noqa: E402
from figures import Table, times_ms  # noqa: E402
from session import blender  # noqa: E402

COUNT = int(os.environ.get("BENCH_JOINTS", "5000"))
MOST = 2000.0
"""[ms] for 5,000 joints."""


def author(count: int) -> None:
    """Open a file with a chain of joints, one after another."""
    bpy.ops.wm.read_homefile(use_empty=True)
    link = bpy.context.scene.collection.objects.link
    before = None
    for number in range(count + 1):
        # Blender sorts by name, which takes long unless new names come last.
        names = [f"{number:05} {kind}" for kind in ("Body", "End", "Joint")]
        body, end, joint = (bpy.data.objects.new(name, None) for name in names)
        for obj in (body, end, joint):
            link(obj)
        body.omi_body.motion_type = "DYNAMIC"
        if before:
            joint.parent, end.parent = before, body
            joint.omi_joint.enabled = True
            joint.omi_joint.connected_object = end
        before = body
    path = str(Path(bpy.app.tempdir) / "chain.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)


def select(kind: str) -> None:
    """Select all objects of a kind."""
    for obj in bpy.data.objects:
        obj.select_set(obj.name.endswith(kind))
    bpy.context.view_layer.objects.active = bpy.data.objects[f"00001 {kind}"]


def main() -> None:
    """Measure and print the table."""
    table = Table(f"Removal of {COUNT:,} joints")
    author(COUNT)
    plain = [obj for obj in bpy.data.objects if not obj.name.endswith("Body")]
    baseline = times_ms(partial(bpy.data.batch_remove, plain), runs=1)
    table.add("their objects by bpy.data.batch_remove", baseline)
    del plain
    for name, kind, operator in (
        ("Remove Physics Joint", "Joint", bpy.ops.omi.joint_remove),
        ("Delete Body with Joints", "Body", bpy.ops.omi.body_remove),
    ):
        author(COUNT)
        select(kind)
        table.add(name, times_ms(operator, runs=1), target=MOST * COUNT / 5000.0)


if __name__ == "__main__":
    with blender():
        main()

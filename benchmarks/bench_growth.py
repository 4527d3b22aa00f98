"""How the time of each task grows with the number of joints: at 1,000, 5,000 and 20,000.

Printed is the exponent, 1 where the time grows in proportion, beside that of Blender's own time
where it does the same: removing objects takes Blender more than in proportion. Export and import
are in `bench_gltf.py`, beside Blender's own.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import bpy  # noqa: E402
from bench_checks import document  # noqa: E402
from bench_removal import author, select  # noqa: E402
from figures import SIZES, Table, times_ms  # noqa: E402
from session import blender  # noqa: E402

MOST_REMOVED = 5000
"""Joints up to which they are removed: more take Blender itself very long."""
QUICK = 200.0
"""Time [ms] of fewer joints up to which a task is measured several times."""
INERTIAL = (
    '<inertial><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    '<collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>'
)
Tasks = dict[str, Callable[[], object]]


def chain(count: int) -> str:
    """Return a robot of `count` joints in a row."""
    links = [f'<link name="l{n}">{INERTIAL}</link>' for n in range(count + 1)]
    joints = [
        f'<joint name="j{n}" type="revolute"><origin xyz="0 0 0.5"/><parent link="l{n}"/>'
        f'<child link="l{n + 1}"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for n in range(count)
    ]
    return f'<robot name="chain">{"".join(links)}{"".join(joints)}</robot>'


def in_files(count: int, folder: Path) -> Tasks:
    """Return what is done with files."""
    from omi_joints_addon.io.formats.checking import check as check_read
    from omi_joints_addon.io.formats.format import Source, Target
    from omi_joints_addon.io.formats.gltf import GLTF
    from omi_joints_addon.io.formats.gltf.document import scene_from_document
    from omi_joints_addon.io.formats.mjcf import MJCF
    from omi_joints_addon.io.formats.sdf import SDF
    from omi_joints_addon.io.formats.shift import SHIFT
    from omi_joints_addon.io.formats.urdf import URDF

    def check_document(document: object) -> object:
        return check_read(scene_from_document(document).as_read())

    value, gltf, urdf = document(count, is_shared=False), folder / "a.gltf", folder / "a.urdf"
    gltf.write_text(json.dumps(value))
    urdf.write_text(chain(count))
    scene = GLTF.read(Source(path=gltf))[0].scene
    robot = URDF.read(Source(path=urdf))[0].scene
    tasks: Tasks = {
        "check of glTF": partial(check_document, value),
        "glTF read": partial(GLTF.read, Source(path=gltf)),
        "glTF written": partial(GLTF.write, scene, Target(path=folder / "b.gltf")),
        "URDF read": partial(URDF.read, Source(path=urdf)),
        "URDF written": partial(URDF.write, robot, Target(path=urdf, options={"meshes": "none"})),
    }
    tasks |= {
        f"{form.label} written": partial(
            form.write, without_inertia(robot), Target(path=folder / f"a{form.suffixes[0]}")
        )
        for form in (MJCF, SDF, SHIFT)
    }
    return {name: partial(_without_collections, task) for name, task in tasks.items()}


def without_inertia(scene: Any) -> Any:
    """Return a scene whose bodies have the inertia that their shapes give, as most files have."""
    motions = {
        body: replace(motion, inertia_diagonal=(0.0, 0.0, 0.0))
        for body, motion in scene.motions.items()
    }
    return replace(scene, motions=motions)


def _without_collections(task: Callable[[], object]) -> None:
    """Do what commands and dialogs do, as they do it."""
    from omi_joints_addon.io.collector import without_collections

    with without_collections():
        task()


def in_blender(count: int) -> Tasks:
    """Return what is done with a file that is open."""
    from omi_joints_addon.overlay.scene_joints import SceneJoints
    from omi_joints_addon.scene.checks import LiveChecks
    from omi_joints_addon.scene.live import LiveScene
    from omi_joints_addon.scene.reading import scene_to_core

    author(count)
    scene, live = bpy.context.scene, LiveScene()
    live.settle(scene)
    return {
        "scene read for export": partial(scene_to_core, scene),
        "live scene read": lambda: LiveScene().settle(scene),
        "live checks of all": lambda: LiveChecks(live).work(),
        "joints listed for the overlay": lambda: SceneJoints(live).refresh(bpy.context.view_layer),
    }


def removals(count: int) -> tuple[float, float]:
    """Return the times [ms] of removing the joints, and the same objects by Blender alone.

    Both start from the file that `author` has saved.
    """
    path = str(Path(bpy.app.tempdir) / "chain.blend")
    bpy.ops.wm.open_mainfile(filepath=path)
    select("Joint")
    own = times_ms(bpy.ops.omi.joint_remove, runs=1).median
    bpy.ops.wm.open_mainfile(filepath=path)
    plain = [obj for obj in bpy.data.objects if not obj.name.endswith("Body")]
    return own, times_ms(partial(bpy.data.batch_remove, plain), runs=1).median


def main() -> None:
    """Measure and print the table."""
    table = Table("Growth: exponent, and ms at " + ", ".join(f"{size:,}" for size in SIZES))
    removed: list[tuple[int, float, float]] = []
    with TemporaryDirectory() as folder:
        for make in (partial(in_files, folder=Path(folder)), in_blender):
            times: dict[str, list[float]] = {}
            for size in SIZES:
                for name, task in make(size).items():
                    found = times.setdefault(name, [])
                    runs = 3 if not found or found[-1] < QUICK else 1
                    found.append(times_ms(task, runs=runs).median)
                if make is in_blender and size <= MOST_REMOVED:
                    removed.append((size, *removals(size)))
            for name, found in times.items():
                table.add_growth(name, SIZES, found)
    sizes, own, blenders = zip(*removed, strict=True)
    table.add_growth("joints removed", sizes, own, baseline=blenders)


if __name__ == "__main__":
    with blender():
        main()
    os._exit(0)

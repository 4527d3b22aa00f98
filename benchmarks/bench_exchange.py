"""Time of reading a robot from URDF, of making it in Blender, and of writing it.

OMI_ROBOTS may name a folder with public robots; without, robots of many bodies are made up.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

import bpy  # noqa: E402
from figures import Table, times_ms  # noqa: E402
from session import blender  # noqa: E402

COUNTS = (1000, int(os.environ.get("BENCH_JOINTS", "5000")))
ROBOTS = ("panda.urdf", "pr2.urdf", "talos_full_v2.urdf")
INERTIAL = (
    '<inertial><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
    '<collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>'
)


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


def measure(path: Path, table: Table) -> None:
    """Print what each step takes."""
    from omi_joints_addon.authoring.build import build_scene
    from omi_joints_addon.io.formats.format import Source, Target
    from omi_joints_addon.io.formats.urdf import URDF
    from omi_joints_addon.scene.reading import scene_to_core

    bpy.ops.wm.read_homefile(use_empty=True)
    scene = URDF.read(Source(path=path))[0].scene
    steps = {
        "read": lambda: URDF.read(Source(path=path)),
        "made in Blender": lambda: build_scene(bpy.context, scene, name="robot"),
        "read from Blender": lambda: scene_to_core(bpy.context.scene),
        "written": lambda: URDF.write(scene, Target(path=path, options={"meshes": "none"})),
    }
    for step, action in steps.items():
        table.add(f"{path.stem}, {len(scene.joints):,} joints, {step}", times_ms(action, runs=1))


def main() -> None:
    """Measure made-up robots, then public ones."""
    table = Table("Robots in URDF")
    with TemporaryDirectory() as folder:
        for count in COUNTS:
            path = Path(folder, f"chain{count}.urdf")
            path.write_text(chain(count))
            measure(path, table)
    public = Path(os.environ.get("OMI_ROBOTS", ROOT.parent / "shared" / "robots"))
    for name in ROBOTS:
        for path in sorted(public.rglob(name))[:1]:
            measure(path, table)


if __name__ == "__main__":
    with blender():
        main()

"""Time of checks: ten thousand joints in a file against parsing it, and a thousand in Blender."""

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
HALF = 0.5**0.5
COUNT = int(os.environ.get("BENCH_JOINTS", "1000"))


def document(count: int, *, is_shared: bool) -> dict[str, Any]:
    """Return a rope of `count` links, each with a joint to the link before."""
    nodes: list[dict[str, Any]] = []
    settings = []
    for index in range(count + 1):
        first, turn = len(nodes), {"rotation": [HALF, 0, 0, HALF]}
        motion = {"type": "dynamic" if index else "static", "mass": 1.5}
        link = {"joint": 0 if is_shared else index - 1, "connectedNode": first - 1}
        joint = {"extensions": {"OMI_physics_joint": link}} if index else {}
        nodes += [
            {
                "name": f"Link {index:05}",
                "children": [first + 1, first + 2],
                "translation": [0, -0.5 * index, 0],
                "extensions": {"OMI_physics_body": {"motion": motion}},
            },
            {"name": f"Joint {index:05}", "translation": [0, 0.25, 0], **turn, **joint},
            {"name": f"End {index:05}", "translation": [0, -0.25, 0], **turn},
        ]
        settings.append(
            {
                "name": f"Joint {index:05}",
                "limits": [
                    {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
                    {"angularAxes": [0, 1], "min": 0, "max": 0},
                    {"angularAxes": [2], "min": -0.785398, "max": 0.785398 + index * 1e-5},
                ],
                "drives": [
                    {"type": "angular", "mode": "force", "axis": 2, "damping": 0.5 + index}
                    | {"positionTarget": 0.1, "stiffness": 10.25}
                ],
            }
        )
    joints = {"physicsJoints": settings[:1] if is_shared else settings[:count]}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_joint", "OMI_physics_body"],
        "extensions": {"OMI_physics_joint": joints},
        "nodes": nodes,
    }


def best(call: Callable[[], Any], rounds: int = 5) -> float:
    """Return the least processor time of a call in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def bench_files() -> None:
    """Compare checking with parsing."""
    from omi_joints_addon.io.formats.gltf.document import check_document

    for is_shared in (False, True):
        text = json.dumps(document(10_000, is_shared=is_shared))
        value = json.loads(text)
        assert check_document(value) == []
        gc.disable()
        parse, check = best(partial(json.loads, text)), best(partial(check_document, value))
        gc.enable()
        kind = "shared settings" if is_shared else "settings of their own"
        sizes = f"{len(text) / 2**20:.1f} MiB: json.loads {parse * 1e3:.0f} ms"
        print(f"10,000 joints, {kind}, {sizes}, check {check * 1e3:.0f} ms, {check / parse:.2f} ×")


def bench_blender() -> None:
    """Time live checks."""
    import bpy  # isort: skip - makes addon_utils importable
    import addon_utils

    addon_utils.enable("omi_joints_addon", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    file = Path(bpy.app.tempdir) / "rope.gltf"
    file.write_text(json.dumps(document(COUNT, is_shared=False)))
    bpy.ops.import_scene.gltf(filepath=str(file))
    from omi_joints_addon.scene.checks import LiveChecks
    from omi_joints_addon.scene.live import LiveScene

    scene = bpy.context.scene
    bpy.context.view_layer.update()

    def whole() -> None:
        live = LiveScene()
        live.settle(scene)
        LiveChecks(live).work()

    live = LiveScene()
    live.settle(scene)
    checks = LiveChecks(live)
    checks.work()

    def one(joint: bpy.types.Object) -> None:
        joint.omi_joint.limits[2].max += 0.001
        live.noted.note_objects([joint])
        live.refresh(scene)
        checks.work()

    print(f"{COUNT:,} joints in Blender: all {best(whole) * 1e3:.0f} ms, "
          f"one changed {best(partial(one, bpy.data.objects['Joint 00500'])) * 1e3:.1f} ms, "
          f"none changed {best(checks.work) * 1e3:.3f} ms")  # fmt: skip
    bpy.ops.wm.read_homefile(use_empty=True)
    addon_utils.disable("omi_joints_addon", default_set=True)


if __name__ == "__main__":
    bench_files()
    bench_blender()

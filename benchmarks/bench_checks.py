"""Time of checks: ten thousand joints in a file against parsing it, and a thousand in Blender."""

import json
import os
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from figures import Table, paired_ms, times_ms

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
HALF = 0.5**0.5
COUNT = int(os.environ.get("BENCH_JOINTS", "1000"))
MOST_OF_ONE_CHANGE = 5.0
"""[ms], whatever the number of joints."""
PLAIN = 10_000
"""Objects of a scene without joints."""
MOST_OF_A_PLAIN_UPDATE = 0.05
"""[ms]"""


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


def bench_files() -> None:
    """Compare checking with parsing."""
    from omi_joints_addon.io.formats.checking import check as check_read
    from omi_joints_addon.io.formats.gltf.document import scene_from_document

    def check_document(document: object) -> list[Any]:
        return check_read(scene_from_document(document).as_read())

    table = Table("Check of a file, against json.loads of it")
    for is_shared in (False, True):
        text = json.dumps(document(10_000, is_shared=is_shared))
        value = json.loads(text)
        assert check_document(value) == []
        check, parse = paired_ms(partial(check_document, value), partial(json.loads, text))
        kind = "shared settings" if is_shared else "settings of their own"
        name = f"10,000 joints, {kind}, {len(text) / 2**20:.1f} MiB"
        table.add(name, check, baseline=parse)


def bench_blender() -> None:
    """Time live checks in Blender with the extension enabled."""
    import bpy  # isort: skip - makes addon_utils importable
    import addon_utils

    addon_utils.enable("omi_joints_addon", default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    _bench_live()
    bpy.ops.wm.read_homefile(use_empty=True)
    _bench_plain()
    bpy.ops.wm.read_homefile(use_empty=True)
    addon_utils.disable("omi_joints_addon", default_set=True)


def _bench_live() -> None:
    """Compare checking all joints with checking one."""
    import bpy

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
        live.pending.add_objects([joint])
        live.refresh(scene)
        checks.work()

    one_changed = partial(one, bpy.data.objects["Joint 00500"])
    table = Table(f"Live checks of {COUNT:,} joints")
    table.add("all read and checked", times_ms(whole))
    table.add("one changed", times_ms(one_changed, runs=15), target=MOST_OF_ONE_CHANGE)
    table.add("none changed", times_ms(checks.work, runs=15))
    compare = partial(_compare, scene, live, checks)
    table.add("all compared after undo", times_ms(compare, runs=15))


def _compare(scene: Any, live: Any, checks: Any) -> None:
    """Do what follows an undo: all may have changed, and nothing did."""
    live.suspect_all()
    live.settle(scene)
    checks.work()


def _bench_plain() -> None:
    """Time what an update costs in a scene that has no joint, body or shape."""
    import bpy

    from omi_joints_addon.scene.updates import Updates
    from omi_joints_addon.scene.watch import WATCH, live_scene

    scene = bpy.context.scene
    for number in range(PLAIN):
        scene.collection.objects.link(bpy.data.objects.new(f"Plain {number:05}", None))
    bpy.context.view_layer.update()
    live_scene(scene)
    times: list[float] = []

    def timed(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        start = time.process_time()
        WATCH.note(scene, Updates(depsgraph))
        times.append(1000.0 * (time.process_time() - start))

    bpy.app.handlers.depsgraph_update_post.append(timed)
    for number in range(200):
        scene.objects[number].location.x += 1.0
        bpy.context.view_layer.update()
    bpy.app.handlers.depsgraph_update_post.remove(timed)
    table = Table(f"Handlers in a scene of {PLAIN:,} objects without joints")
    table.add("an update", statistics.median(times), target=MOST_OF_A_PLAIN_UPDATE)


if __name__ == "__main__":
    bench_files()
    bench_blender()

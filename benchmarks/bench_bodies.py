"""Cost of bodies: in Blender's glTF export and import, and of fitting a shape to a large mesh.

Export and import of bodies with primitive shapes, the add-on on and off, each run in a process of
its own; on and off take turns.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from figures import Table, median_ms

ROOT = Path(__file__).resolve().parent.parent
ADDON = "omi_joints_addon"
LARGEST_TIME = 1.10
LONGEST_FIT = 50.0
"""[ms]"""
SHAPES = ("BOX", "SPHERE", "CAPSULE", "CYLINDER")
CASES = {
    "rigid": "Rigid Bodies",
    "empty": "empties with shapes",
}


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2, help="runs of each case")
    parser.add_argument("--count", type=int, default=2000, help="bodies")
    parser.add_argument("--vertices", type=int, default=1_000_000)
    options = parser.parse_args()
    table = Table("Bodies in glTF, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for case, words in CASES.items():
            _child("author", case, options.count, True, folder)
            for task in ("export", "import"):
                off, on = _compare(task, case, options, folder)
                name = f"{task}, {options.count:,} {words}"
                table.add(name, on, unit="s", baseline=off, target=LARGEST_TIME)
    _fit(options.vertices, options.runs)


def _compare(task: str, case: str, options: argparse.Namespace, folder: str) -> tuple[float, float]:
    """Return the medians [s] with the add-on off and on, which take turns."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for run in range(options.runs):
        for is_on in (True, False) if run % 2 else (False, True):
            times[is_on].append(_child(task, case, options.count, is_on, folder))
    return statistics.median(times[False]), statistics.median(times[True])


def _child(task: str, case: str, count: int, is_on: bool, folder: str) -> float:
    """Run one case in a fresh Blender; return its processor time [s]."""
    command = [sys.executable, __file__, "--child", task, case, str(count), str(int(is_on)), folder]
    environment = os.environ | {"BLENDER_USER_RESOURCES": folder}
    run = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=600
    )
    if run.returncode:
        sys.exit(run.stdout + run.stderr)
    return float(json.loads(run.stdout.splitlines()[-1]))


def child(task: str, case: str, count: int, is_on: bool, folder: str) -> None:
    """Do one case and print its time; the process ends without Blender's clean-up."""
    sys.path.insert(0, str(ROOT))
    import bpy

    blend, gltf = (str(Path(folder) / f"{case}.{ending}") for ending in ("blend", "glb"))
    if is_on:
        import addon_utils

        addon_utils.enable(ADDON, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    if task == "author":
        _author(case, count)
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        bpy.ops.export_scene.gltf(filepath=gltf)
        print(json.dumps(0.0), flush=True)
        os._exit(0)
    # A first small run loads all modules.
    bpy.ops.export_scene.gltf(filepath=str(Path(folder) / "warm.glb"))
    if task == "export":
        bpy.ops.wm.open_mainfile(filepath=blend)
        bpy.context.view_layer.update()
    start = time.process_time()
    if task == "export":
        bpy.ops.export_scene.gltf(filepath=str(Path(folder) / f"{case}-{is_on}.glb"))
    else:
        bpy.ops.import_scene.gltf(filepath=gltf)
    print(json.dumps(time.process_time() - start), flush=True)
    os._exit(0)


def _author(case: str, count: int) -> None:
    """Add bodies in a grid, every other one dynamic, the shapes in turn."""
    import bpy

    scene = bpy.context.scene
    mesh = None
    if case == "rigid":
        bpy.ops.rigidbody.world_add()
        scene.rigidbody_world.collection = bpy.data.collections.new("Rigid")
        bpy.ops.mesh.primitive_cube_add(size=1.0)
        mesh = bpy.context.object.data
        bpy.data.objects.remove(bpy.context.object)
    for index in range(count):
        obj = bpy.data.objects.new(f"Body {index}", mesh)
        scene.collection.objects.link(obj)
        obj.location = (index % 100 * 2.0, index // 100 * 2.0, 0.0)
        shape = SHAPES[index % len(SHAPES)]
        if case == "rigid":
            scene.rigidbody_world.collection.objects.link(obj)
            obj.rigid_body.type = "ACTIVE" if index % 2 else "PASSIVE"
            obj.rigid_body.mass = 1.0 + index
            obj.rigid_body.collision_shape = shape
        else:
            obj.omi_body.motion_type = "DYNAMIC" if index % 2 else "STATIC"
            obj.omi_body.mass = 1.0 + index
            obj.omi_body.collider.source = "CUSTOM"
            obj.omi_body.collider.shape.type = shape
            obj.omi_body.collider.shape.radius = 0.1 + 0.001 * (index % 10)


def _fit(count: int, runs: int) -> None:
    """Print the time of each fit beside that of reading."""
    sys.path.insert(0, str(ROOT))
    import bpy
    import numpy as np

    from omi_joints_addon.core.shapes.fit import fit_shape, guess_fit
    from omi_joints_addon.properties.mesh_points import mesh_points

    random = np.random.default_rng(1)
    points = random.normal(size=(count, 3)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    mesh = bpy.data.meshes.new("Ball")
    mesh.vertices.add(count)
    mesh.attributes["position"].data.foreach_set("vector", points.ravel())
    table = Table(f"Fitting a shape to {count:,} vertices")
    table.add("reading the vertices", median_ms(partial(mesh_points, mesh), runs=runs))
    read = mesh_points(mesh)
    table.add("best fit", median_ms(partial(guess_fit, read), runs=runs), target=LONGEST_FIT)
    for type_ in ("box", "sphere", "capsule", "cylinder"):
        taken = median_ms(partial(fit_shape, type_, read), runs=runs)
        table.add(type_, taken, target=LONGEST_FIT)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5] == "1", sys.argv[6])
    main()
    sys.stdout.flush()
    os._exit(0)

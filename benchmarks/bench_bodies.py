"""Cost of bodies in Blender's glTF export and import, and of fitting a shape to a large mesh."""

import argparse
import os
import sys
import tempfile
from functools import partial

from figures import Table, times_ms
from side_by_side import OFF, ON, ROOT, TASKS, SideBySide

LARGEST_TIME = 1.10
LONGEST_FIT = 50.0
"""[ms]"""
RUNS = 5
"""Runs of each case."""
SHAPES = ("BOX", "SPHERE", "CAPSULE", "CYLINDER")
KINDS = {
    "rigid": "Rigid Bodies",
    "empty": "empties with shapes",
}


def author(kind: str, count: int) -> None:
    """Add bodies in a grid, every other one dynamic, the shapes in turn."""
    import bpy

    scene = bpy.context.scene
    mesh = None
    if kind == "rigid":
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
        if kind == "rigid":
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


BODIES = SideBySide(
    script=__file__,
    suffix=".glb",
    operators=("export_scene.gltf", "import_scene.gltf"),
    author=author,
)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="bodies")
    parser.add_argument("--vertices", type=int, default=1_000_000)
    options = parser.parse_args()
    table = Table("Bodies in glTF, without and with the add-on")
    with tempfile.TemporaryDirectory() as folder:
        for kind, words in KINDS.items():
            BODIES.make(kind, options.count, folder)
            for task in TASKS:
                found = BODIES.compare(
                    task, kind, options.count, folder, runs=RUNS, target=LARGEST_TIME
                ).times
                name = f"{task}, {options.count:,} {words}"
                table.add(name, found[ON], unit="s", baseline=found[OFF], target=LARGEST_TIME)
    _fit(options.vertices)


def _fit(count: int) -> None:
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
    table.add("reading the vertices", times_ms(partial(mesh_points, mesh)))
    read = mesh_points(mesh)
    table.add("best fit", times_ms(partial(guess_fit, read)), target=LONGEST_FIT)
    for type_ in ("box", "sphere", "capsule", "cylinder"):
        taken = times_ms(partial(fit_shape, type_, read))
        table.add(type_, taken, target=LONGEST_FIT)


if __name__ == "__main__":
    BODIES.serve()
    main()
    sys.stdout.flush()
    os._exit(0)

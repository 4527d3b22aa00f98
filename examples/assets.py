"""Files for those who make engines: every kind of joint, several limits and drives, animations.

Writes build/assets: a file for each extension, a table of poses over time for each asset, and a
README that says what must be seen. Needs no Blender.
"""

import base64
import csv
import json
import os
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from asset_list import ASSETS, ON_PLANE, Asset, Channel  # noqa: E402

import omi_joints  # noqa: E402
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual  # noqa: E402
from omi_joints_addon.core.model.shape import Box, OtherShape  # noqa: E402

BUILD = Path(os.environ.get("OMI_BUILD", ROOT / "build"))
NAMES = {"omi": "OMI_physics_joint", "khr": "KHR_physics_rigid_bodies"}
POINTER = "KHR_animation_pointer"
SIZE = 0.2
"""Edge of the cubes [m]."""
SECONDS, FPS = 4.0, 10.0
HEAD = """# Joints to look at

Written by `examples/assets.py` of OMI physics joints for Blender, for the public domain (CC0 1.0).

Each asset is a static cube *Base* and a dynamic cube *Body* with a joint between them, once in each
extension. `poses/NAME.csv` has the pose of *Body* over time, in meters and as a quaternion x y z w,
with the axes of glTF (Y up) and a gravity of 9.81 m/s². It is a closed form where that is written,
else it was simulated at 240 steps a second. Bodies of one joint do not collide.

| asset | what must be seen | poses |
| --- | --- | --- |
"""


def main() -> None:
    """Write all files."""
    folder = BUILD / "assets"
    rows = []
    for asset in ASSETS:
        for dialect in ("khr",) if asset is ON_PLANE else ("omi", "khr"):
            path = folder / dialect / f"{asset.name}.gltf"
            path.parent.mkdir(parents=True, exist_ok=True)
            omi_joints.write(scene_of(asset), path, overwrite=True, dialect=dialect)
            animate(path, asset, dialect)
        (folder / "poses").mkdir(exist_ok=True)
        write_poses(folder / "poses" / f"{asset.name}.csv", asset, path)
        source = "closed form" if asset.value else "simulated"
        rows.append(f"| {asset.name} | {asset.seen} | {source} |\n")
    (folder / "README.md").write_text(HEAD + "".join(rows), "utf-8")
    print(f"{len(ASSETS)} assets in {folder}")


def scene_of(asset: Asset) -> omi_joints.PhysicsScene:
    """Return two cubes with a joint between them, whose frames are at the origin; Z up."""
    builder = omi_joints.SceneBuilder()
    base = builder.add("Base", -1, np.eye(4))
    body = builder.add("Body", -1, moved(asset.arm))
    builder.motions[base] = omi_joints.Motion(type="static")
    builder.motions[body] = omi_joints.Motion(mass=asset.mass, inertia_diagonal=(asset.moment,) * 3)
    builder.meshes.append(Mesh(name="Cube", read=cube))
    for node in (base, body):
        builder.visuals[node] = Visual(mesh=0)
        builder.colliders[node] = omi_joints.Collider(shape=Box(size=(SIZE,) * 3))
    joint = builder.add("Joint", body, np.eye(4))
    connected = builder.add("Connected", base, np.eye(4))
    builder.add_joint(omi_joints.Joint(node=joint, connected=connected, settings=asset.settings))
    if asset is ON_PLANE:
        plane = OtherShape(type="plane", carried='{"plane": {}}')
        ground = builder.add("Ground", -1, moved((0.0, 0.0, -0.5)))
        builder.motions[ground] = omi_joints.Motion(type="static")
        builder.colliders[ground] = omi_joints.Collider(shape=plane)
    return builder.scene()


def cube() -> MeshData:
    """Return the cube that both bodies show."""
    signs = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1), indexing="ij")).reshape(3, 8).T
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = [part for a, b, c, d in faces for part in ((a, b, c), (a, c, d))]
    return MeshData(signs * SIZE / 2.0, np.array(triangles, np.intp))


def moved(place: tuple[float, float, float]) -> Any:
    """Return the matrix that moves to a place."""
    matrix = np.eye(4)
    matrix[:3, 3] = place
    return matrix


def animate(path: Path, asset: Asset, dialect: str) -> None:
    """Add the animation of an asset to its file."""
    if not asset.channels:
        return
    document = json.loads(path.read_text("utf-8"))
    animation: dict[str, Any] = {"name": asset.name, "samplers": [], "channels": []}
    for channel in asset.channels:
        pointer = f"/extensions/{NAMES[dialect]}/physicsJoints/0{channel.part}"
        animation["channels"].append(
            {
                "sampler": len(animation["samplers"]),
                "target": {"path": "pointer", "extensions": {POINTER: {"pointer": pointer}}},
            }
        )
        animation["samplers"].append(sampler(document, channel))
    document.setdefault("animations", []).append(animation)
    document["extensionsUsed"].append(POINTER)
    path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


def sampler(document: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Add the keys of a channel to a document and return its sampler."""
    times, values = zip(*channel.keys, strict=True)
    indices = []
    for numbers in (times, values):
        data = struct.pack(f"<{len(numbers)}f", *numbers)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        buffers = document.setdefault("buffers", [])
        buffers.append({"byteLength": len(data), "uri": uri})
        views = document.setdefault("bufferViews", [])
        views.append({"buffer": len(buffers) - 1, "byteLength": len(data)})
        accessor = {"bufferView": len(views) - 1, "componentType": 5126, "type": "SCALAR"}
        accessors = document.setdefault("accessors", [])
        accessors.append(
            accessor | {"count": len(numbers), "min": [min(numbers)], "max": [max(numbers)]}
        )
        indices.append(len(accessors) - 1)
    return {"input": indices[0], "output": indices[1], "interpolation": channel.interpolation}


def write_poses(path: Path, asset: Asset, file: Path) -> None:
    """Write where the body is over time: by its law, else by a simulation of the file."""
    times = np.arange(round(SECONDS * FPS) + 1) / FPS
    poses = [asset.pose(seconds) for seconds in times] if asset.value else simulated(file)
    with path.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(("time", "x", "y", "z", "qx", "qy", "qz", "qw"))
        for seconds, (place, turn) in zip(times, poses, strict=True):
            numbers = (seconds, *y_up(place), *y_up(turn[:3]), turn[3])
            table.writerow([f"{round(number, 6) + 0.0:.6f}" for number in numbers])


def simulated(file: Path) -> list[tuple[Any, Any]]:
    """Return the poses of the body of a file, as simulated."""
    scene = omi_joints.read(file)
    motion = omi_joints.simulate(scene, seconds=SECONDS, fps=FPS)
    number = motion.bodies.index(scene.names.index("Body"))
    return list(zip(motion.positions[:, number], motion.rotations[:, number], strict=True))


def y_up(vector: Any) -> tuple[float, float, float]:
    """Return a vector with Z up as one with Y up."""
    x, y, z = vector
    return x, z, -y


if __name__ == "__main__":
    main()

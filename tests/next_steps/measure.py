"""What a written glTF file says, by numbers, without this program: places in Blender's world."""

import json
import struct
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import bpy
import numpy as np

Array = np.ndarray
_DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])
_DIRECTIONS /= np.linalg.norm(_DIRECTIONS, axis=1)[:, None]
_TO_BLENDER = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], float)
_KINDS = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


@dataclass
class Measured:
    """Numbers of one file."""

    frames: dict[str, Array] = field(default_factory=dict)
    """World matrices (4, 4) of joints and of their connected frames, by name and end."""
    solids: dict[str, Array] = field(default_factory=dict)
    """How far colliders of each body reach along the directions (26,) [m]."""
    meshes: dict[str, Array] = field(default_factory=dict)
    """The same of its meshes."""
    centers: dict[str, Array] = field(default_factory=dict)
    """Center of mass and velocities of each body that has such, in the world (9,)."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Limits and drives by joint."""
    curves: dict[str, Any] = field(default_factory=dict)
    """What is animated of each joint: last value by member."""
    bodies: list[str] = field(default_factory=list)
    triggers: int = 0
    faults: list[str] = field(default_factory=list)
    """What makes the file invalid."""


def measure(folder: Path, **options: object) -> Measured:
    """Export the scene with options as they are at first but for some; measure the file."""
    path = folder / "cell.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE", **options)
    return _File(path).measured()


class _File:
    def __init__(self, path: Path) -> None:
        self._gltf = json.loads(path.read_text())
        buffers = self._gltf.get("buffers", ())
        self._data = [(path.parent / each["uri"]).read_bytes() for each in buffers]
        self._nodes = self._gltf.get("nodes", [])
        self._up = {c: n for n, x in enumerate(self._nodes) for c in x.get("children", ())}

    def measured(self) -> Measured:
        found = Measured()
        for number, node in enumerate(self._nodes):
            extensions = node.get("extensions", {})
            self._take_joint(found, number, extensions.get("OMI_physics_joint"))
            self._take_body(found, number, extensions.get("OMI_physics_body", {}))
            if "mesh" in node and "skin" not in node:
                self._take_mesh(found, number)
        self._take_curves(found)
        return found

    def _take_joint(self, found: Measured, number: int, joint: Any) -> None:
        if joint is None:
            return
        name = self._nodes[number]["name"]
        name = name if name not in found.settings else f"{name}#{number}"
        found.frames[f"{name}/joint"] = _in_blender(self._world(number))
        found.frames[f"{name}/connected"] = _in_blender(self._world(joint["connectedNode"]))
        all_settings = self._gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
        found.settings[name] = all_settings[joint["joint"]]

    def _take_body(self, found: Measured, number: int, body: Any) -> None:
        if "motion" in body:
            name, motion = self._nodes[number]["name"], body["motion"]
            found.bodies.append(name)
            world = self._world(number)
            turn = world[:3, :3] / np.linalg.norm(world[:3, :3], axis=0)
            center = (world @ [*motion.get("centerOfMass", (0, 0, 0)), 1.0])[:3]
            values = [center] if "centerOfMass" in motion else []
            values += [
                turn @ motion[k] for k in ("linearVelocity", "angularVelocity") if k in motion
            ]
            if values:
                found.centers[name] = np.concatenate(values)
        found.triggers += "trigger" in body
        if "collider" in body and "shape" in body["collider"]:
            self._reach(found.solids, self._body_of(number), self._shape(number, body["collider"]))

    def _take_mesh(self, found: Measured, number: int) -> None:
        points = self._mesh_points(self._nodes[number]["mesh"])
        world = self._world(number)
        self._reach(found.meshes, self._body_of(number), _moved(points, world))

    @staticmethod
    def _reach(reaches: dict[str, Array], name: str, points: Array) -> None:
        reach = (_moved(points, _TO_BLENDER) @ _DIRECTIONS.T).max(axis=0)
        reaches[name] = np.maximum(reaches[name], reach) if name in reaches else reach

    def _body_of(self, number: int) -> str:
        above: int | None = number
        while above is not None:
            body = self._nodes[above].get("extensions", {}).get("OMI_physics_body", {})
            if "motion" in body or "trigger" in body:
                return str(self._nodes[above]["name"])
            above = self._up.get(above)
        return str(self._nodes[number]["name"])

    def _shape(self, number: int, collider: Any) -> Array:
        shape = self._gltf["extensions"]["OMI_physics_shape"]["shapes"][collider["shape"]]
        kind = shape["type"]
        values = shape.get(kind, {})
        world = self._world(number)
        if kind in {"convex", "trimesh"}:
            return _moved(self._mesh_points(values["mesh"]), world)
        if kind == "box":
            return _moved(
                np.array(list(product(*[(-s / 2, s / 2) for s in values["size"]]))), world
            )
        if kind == "sphere":
            return _ball(values.get("radius", 0.5), world)
        return _moved(_upright(kind, values), world)

    def _mesh_points(self, mesh: int) -> Array:
        parts = [
            each["attributes"]["POSITION"] for each in self._gltf["meshes"][mesh]["primitives"]
        ]
        return np.concatenate([self._numbers(each) for each in parts])

    def _numbers(self, index: int) -> Array:
        accessor = self._gltf["accessors"][index]
        view = self._gltf["bufferViews"][accessor["bufferView"]]
        letter, size = _KINDS[accessor["componentType"]]
        width, count = _WIDTHS[accessor["type"]], accessor["count"]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = self._data[view["buffer"]]
        step = view.get("byteStride", size * width)
        rows = [
            struct.unpack_from(f"<{width}{letter}", data, start + n * step) for n in range(count)
        ]
        return np.array(rows, float).reshape(count, width)

    def _world(self, number: int) -> Array:
        local = _matrix(self._nodes[number])
        above = self._up.get(number)
        return local if above is None else self._world(above) @ local

    def _take_curves(self, found: Measured) -> None:
        seen = set[str]()
        for animation in self._gltf.get("animations", ()):
            for channel in animation["channels"]:
                target = channel["target"]
                if target["path"] != "pointer":
                    continue
                path = target["extensions"]["KHR_animation_pointer"].get("pointer", "")
                if path in seen or not path:
                    found.faults.append(f"two channels or none for {path!r}")
                seen.add(path)
                if "OMI_physics_joint" in path:
                    sampler = animation["samplers"][channel["sampler"]]
                    self._take_curve(found, path.split("/"), sampler)

    def _take_curve(self, found: Measured, parts: list[str], sampler: Any) -> None:
        """Take the last value of what is animated, under its joints and its axes."""
        settings = self._gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
        last = float(self._numbers(sampler["output"]).ravel()[-1])
        element = settings[int(parts[4])][parts[5]][int(parts[6])]
        axes = [element.get(name) for name in ("linearAxes", "angularAxes", "type", "axis")]
        for node in self._nodes:
            joint = node.get("extensions", {}).get("OMI_physics_joint")
            if joint is not None and joint["joint"] == int(parts[4]):
                found.curves[f"{node['name']} {axes} {parts[7]}"] = round(last, 4)


def _ball(radius: float, world: Array) -> Array:
    """Return the points of a sphere, which a node may scale, that reach farthest each way."""
    ways = _DIRECTIONS @ world[:3, :3]
    ways *= radius / np.linalg.norm(ways, axis=1)[:, None]
    return _moved(ways, world)


def _upright(kind: str, values: Any) -> Array:
    """Return points on a capsule or cylinder, which stands on Y."""
    half = values.get("height", 2.0) / 2.0
    across = _DIRECTIONS * [1, 0, 1] if kind == "cylinder" else _DIRECTIONS
    ways = across / np.maximum(np.linalg.norm(across, axis=1), 1e-9)[:, None]
    ends = ((half, "radiusTop"), (-half, "radiusBottom"))
    parts = [ways * values.get(name, 0.5) + np.array((0, end, 0)) for end, name in ends]
    return np.concatenate(parts)


def _matrix(node: Any) -> Array:
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    found = np.eye(4)
    found[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found[:3, :3] *= node.get("scale", (1, 1, 1))
    found[:3, 3] = node.get("translation", (0, 0, 0))
    return found


def _moved(points: Array, matrix: Array) -> Array:
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def _in_blender(matrix: Array) -> Array:
    """Return a frame in Blender's world; frames keep the names of their axes."""
    found = _TO_BLENDER @ matrix
    found[:3, :3] /= np.linalg.norm(found[:3, :3], axis=0)
    return found

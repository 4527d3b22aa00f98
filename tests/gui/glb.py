"""What a .glb file says of joints and bodies, read by nothing of ours; written by the window."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from harness import Gui, browse_in_this_window
from mathutils import Matrix, Quaternion, Vector


@dataclass(frozen=True)
class GlbJoint:
    """A joint of the file, in the file's world: Y up."""

    matrix: Matrix
    settings: dict[str, Any]

    @property
    def place(self) -> Vector:
        return self.matrix.translation

    @property
    def rotation(self) -> Matrix:
        return self.matrix.to_3x3().normalized()

    @property
    def axis(self) -> Vector:
        return self.rotation.col[2]

    @property
    def limits(self) -> list[dict[str, Any]]:
        return self.settings["limits"]

    @property
    def drives(self) -> list[dict[str, Any]]:
        return self.settings["drives"]

    @property
    def angular(self) -> dict[int, tuple[float, float]]:
        return self._ranges("angularAxes")

    @property
    def linear(self) -> dict[int, tuple[float, float]]:
        return self._ranges("linearAxes")

    def _ranges(self, kind: str) -> dict[int, tuple[float, float]]:
        """Return the ranges of single axes that are not locked."""
        ranges = {
            tuple(each[kind]): (each.get("min", 0.0), each.get("max", 0.0))
            for each in self.limits
            if kind in each
        }
        return {axes[0]: ends for axes, ends in ranges.items() if ends != (0.0, 0.0)}


class GlbFile:
    """A .glb file, read by nothing of ours."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
        self._nodes = self.document["nodes"]
        self._parents = {
            child: number
            for number, node in enumerate(self._nodes)
            for child in node.get("children", ())
        }

    def matrix(self, number: int) -> Matrix:
        node = self._nodes[number]
        x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
        own = Matrix.LocRotScale(
            Vector(node.get("translation", (0.0, 0.0, 0.0))),
            Quaternion((w, x, y, z)),
            Vector(node.get("scale", (1.0, 1.0, 1.0))),
        )
        return self.matrix(self._parents[number]) @ own if number in self._parents else own

    def body(self, name: str) -> dict[str, Any]:
        node = next(each for each in self._nodes if each.get("name") == name)
        return node["extensions"]["OMI_physics_body"]

    def is_dynamic(self, name: str) -> bool:
        return self.body(name)["motion"]["type"] == "dynamic"

    def mass(self, name: str) -> float:
        return self.body(name)["motion"].get("mass", 1.0)

    def shape(self, name: str) -> dict[str, Any]:
        return self._shape_and_scale(name)[0]

    def _shape_and_scale(self, name: str) -> tuple[dict[str, Any], Vector]:
        """Return the shape of a body, which is on its node or on one below it, and its scale."""
        shapes = self.document["extensions"]["OMI_physics_shape"]["shapes"]
        number = next(n for n, each in enumerate(self._nodes) if each.get("name") == name)
        for node in (number, *self._nodes[number].get("children", ())):
            body = self._nodes[node].get("extensions", {}).get("OMI_physics_body", {})
            if "collider" in body:
                return shapes[body["collider"]["shape"]], self.matrix(node).to_scale()
        raise AssertionError(f"{name} has no shape")

    def size(self, name: str) -> tuple[float, ...]:
        """Return the size of a box in the world, the node's scale included."""
        shape, scale = self._shape_and_scale(name)
        return tuple(abs(a * b) for a, b in zip(shape["box"]["size"], scale, strict=True))

    def joints(self) -> list[GlbJoint]:
        kinds = self.document["extensions"]["OMI_physics_joint"]["physicsJoints"]
        return [
            GlbJoint(self.matrix(number), kinds[node["extensions"]["OMI_physics_joint"]["joint"]])
            for number, node in enumerate(self._nodes)
            if "joint" in node.get("extensions", {}).get("OMI_physics_joint", {})
        ]


def exported(gui: Gui, name: str) -> Any:
    """Export for Godot by the file browser, and read the file."""
    gui.expect("Draco|MeshOptimizer")  # libraries that Debian's Blender lacks
    yield from gui.picture(name)
    browse_in_this_window()
    bpy.context.scene.omi_gltf.export_for = "GODOT"
    path = gui.pictures / f"{name}.glb"
    path.unlink(missing_ok=True)
    region = gui.region
    yield from gui.move((region.x + 0.4 * region.width, region.y + 0.5 * region.height))
    bpy.ops.export_scene.gltf("INVOKE_DEFAULT")
    yield from gui.name_file(path)
    yield from gui.until(path.exists)
    return GlbFile(path)


def is_close(values: Any, wanted: Any, tolerance: float = 1e-4) -> bool:
    """Return whether numbers, or lists of them, are within a tolerance of others."""
    many = wanted if hasattr(wanted, "__len__") else (wanted,)
    given = values if hasattr(values, "__len__") else (values,)
    return len(many) == len(given) and all(
        abs(a - b) <= tolerance for a, b in zip(given, many, strict=True)
    )

"""What a preview does to a skin is what an engine does to the file's: read without this program."""

import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pygltflib
import pytest
from mathutils import Vector

from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.scene.watch import WATCH
from tests.rigs import activate, add_arm, add_human
from tests.roundtrip.documents import export, local_matrix

Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)
MOVED = {"location": (1, 2, 3), "rotation_euler": (0.3, -0.2, 0.5)}
FORMATS = {5121: ("B", 1.0 / 255.0), 5123: ("H", 1.0 / 65535.0), 5126: ("f", 1.0)}
WIDTHS = {"VEC3": 3, "VEC4": 4, "MAT4": 16}


class SkinnedFile:
    """A glTF file as an engine has it: nodes that bodies move, and a skin that follows nodes."""

    def __init__(self, path: Path) -> None:
        self.gltf = pygltflib.GLTF2().load(str(path))
        self._folder = path.parent
        self.parents = {
            child: number
            for number, node in enumerate(self.gltf.nodes)
            for child in node.children or ()
        }

    def array(self, index: int, *, is_share: bool = False) -> np.ndarray:
        accessor = self.gltf.accessors[index]
        view = self.gltf.bufferViews[accessor.bufferView]
        data = (self._folder / self.gltf.buffers[view.buffer].uri).read_bytes()
        letter, unit = FORMATS[accessor.componentType]
        count = accessor.count * WIDTHS[accessor.type]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        values = struct.unpack_from(f"<{count}{letter}", data, start)
        return np.array(values).reshape(accessor.count, -1) * (unit if is_share else 1.0)

    def local(self, number: int) -> np.ndarray:
        node = vars(self.gltf.nodes[number])
        return local_matrix({name: node[name] for name in node if node[name] is not None})

    def world(self, number: int, bodies: dict[int, np.ndarray]) -> np.ndarray:
        """Return the world matrix of a node while physics has put bodies at world matrices."""
        if number in bodies:
            return bodies[number]
        local = self.local(number)
        above = self.parents.get(number)
        return local if above is None else self.world(above, bodies) @ local

    def bodies(self) -> dict[str, int]:
        """Return the nodes with a motion by their names."""
        return {
            node.name: number
            for number, node in enumerate(self.gltf.nodes)
            if "OMI_physics_body" in (node.extensions or {})
            and "motion" in node.extensions["OMI_physics_body"]
        }

    def points(self, bodies: dict[int, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return the vertices of the skin in its mesh, and skinned in the world (v, 3)."""
        node = next(node for node in self.gltf.nodes if node.skin is not None)
        skin = self.gltf.skins[node.skin]
        inverse_binds = self.array(skin.inverseBindMatrices).reshape(-1, 4, 4).swapaxes(1, 2)
        moves = np.array([self.world(each, bodies) for each in skin.joints]) @ inverse_binds
        attributes = self.gltf.meshes[node.mesh].primitives[0].attributes
        points = self.array(attributes.POSITION)
        joints = self.array(attributes.JOINTS_0).astype(int)
        is_share = self.gltf.accessors[attributes.WEIGHTS_0].componentType != 5126
        weights = self.array(attributes.WEIGHTS_0, is_share=is_share)
        blended = np.einsum("vj,vjrc->vrc", weights, moves[joints])
        homogeneous = np.concatenate((points, np.ones((len(points), 1))), axis=1)
        return points, np.einsum("vrc,vc->vr", blended, homogeneous)[:, :3]


def blend_weights(skin: Any, seed: int) -> None:
    """Give each vertex weights of three bones, and a place that no other one has."""
    random = np.random.default_rng(seed)
    count = len(skin.vertex_groups)
    for vertex in skin.data.vertices:
        for group in skin.vertex_groups:
            group.remove([vertex.index])
        vertex.co += Vector(random.uniform(-0.01, 0.01, 3))
        chosen = random.choice(count, 3, replace=False)
        shares = random.dirichlet((1.0, 1.0, 1.0))
        for group, share in zip(chosen.tolist(), shares.tolist(), strict=True):
            skin.vertex_groups[group].add([vertex.index], share, "REPLACE")


def shown_points(skin: Any) -> np.ndarray:
    """Return the vertices of a skin as Blender shows them, in the world (v, 3)."""
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    found = np.array([evaluated.matrix_world @ vertex.co for vertex in mesh.vertices])
    evaluated.to_mesh_clear()
    return found


def worst(rig: Any, folder: Path, **options: Any) -> float:
    """Return how far the skin of a preview is from that of the file at most [m]."""
    skin = bpy.data.objects["Skin"]
    blend_weights(skin, 7)
    bpy.context.view_layer.update()
    export(folder, **options)
    file = SkinnedFile(folder / "file.gltf")
    WATCH.settled(bpy.context.scene)
    preview, started = SimulationPreview(bpy.context), shown_points(skin)
    for _ in range(12):
        preview.tick(bpy.context, preview.frame_time)
    bpy.context.view_layer.update()
    shown = shown_points(skin)
    assert np.abs(shown - started).max() > 0.05
    matrices = preview.shown_matrices
    bodies = {
        file.bodies()[bone.name]: Y_UP @ matrices[node]
        for node, bone in enumerate(preview.objects)
        if isinstance(bone, BodyBone)
    }
    assert len(bodies) == len(file.bodies())
    preview.end()
    points, skinned = file.points(bodies)
    # Blender's exporter writes skinned vertices in the world.
    rest = np.array([skin.matrix_world @ vertex.co for vertex in skin.data.vertices])
    rest = rest @ Y_UP[:3, :3].T
    nearest = np.linalg.norm(points[:, None] - rest[None], axis=2).argmin(axis=1)
    assert np.abs(points - rest[nearest]).max() < 1e-5
    return float(np.linalg.norm(skinned - shown[nearest] @ Y_UP[:3, :3].T, axis=1).max())


@pytest.mark.parametrize("is_rest", [True, False], ids=["rest", "pose"])
@pytest.mark.parametrize("values", [{}, MOVED], ids=["still", "moved"])
def test_an_arm_is_skinned_alike_in_the_preview_and_from_the_file(tmp_path, is_rest, values):
    rig = add_arm(is_bent=True, **values)
    assert worst(rig, tmp_path, export_rest_position_armature=is_rest) < 2e-5


def test_a_ragdoll_is_skinned_alike_in_the_preview_and_from_the_file(tmp_path):
    rig = add_human()
    activate(rig)
    bpy.ops.omi.ragdoll_add()
    rig.pose.bones["mixamorig:Hips"].omi_body.motion_type = "STATIC"
    assert worst(rig, tmp_path) < 2e-5


def test_nested_bones_are_skinned_alike(tmp_path):
    rig = add_arm(is_bent=True)
    bpy.context.scene.omi_gltf.export_bones_nested = True
    assert worst(rig, tmp_path) < 2e-5

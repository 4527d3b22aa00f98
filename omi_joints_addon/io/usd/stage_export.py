"""Physics of a Blender scene onto the stage that Blender's exporter has made of it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...core.findings.loss import How, Loss, Losses, Noun
from ...core.findings.sentence import Sentence
from ...core.meaning.animated import animated_joints
from ...core.model.body import Collider, Trigger
from ...core.model.pose import Array
from ...core.model.scene import PhysicsScene
from ...core.model.shape import Box, MeshShape, Sphere
from ...core.rewrite.unmirrored import with_frames_turned
from ...properties.usd_options import usd_options
from ...scene.joint_keys import keyed_tracks
from ...scene.reading import nodes_of, scene_to_core
from ..formats.usd.collider_prims import ColliderPrims
from ..formats.usd.layer import write_prims
from ..formats.usd.names import Names
from ..formats.usd.physics_prims import PhysicsPrims, Place
from ..formats.usd.prim import Prim
from ..formats.usd.pxr_access import usd
from ..formats.usd.shape_prims import set_shape
from ..formats.usd.tree_prims import set_matrices, set_matrix
from ..formats.usd.units import Units
from ..formats.usd.values import Values
from .flattening import flatten_bodies, is_nested
from .prim_paths import mesh_path, paths_of_objects
from .report import UsdReport


def export_physics(context: Any, scene: bpy.types.Scene, report: UsdReport) -> None:
    """Write bodies, colliders, joints and all that goes with them."""
    options = usd_options(scene)
    stage = context.get_stage()
    if not options.export_physics:
        return
    core, findings = scene_to_core(scene, depsgraph=context.get_depsgraph())
    if not (core.motions or core.joints or core.colliders):
        return
    report.add(findings)
    export = _StageExport(context, stage, scene, core)
    export.write(nesting=options.nesting, physx=options.physx)
    report.add_losses(export.losses)
    for pose in core.poses:
        report.add_losses([Loss(pose.name, Noun.NAMED_POSE, How.LOST, "it is not in the file")])


class _StageExport:
    """One export."""

    def __init__(
        self, context: Any, stage: Any, scene: bpy.types.Scene, core: PhysicsScene
    ) -> None:
        pxr = usd()
        self._stage = stage
        tracks = keyed_tracks(scene, core, nodes_of(scene), rate=stage.GetTimeCodesPerSecond())
        # Blender's exporter sets it where it writes animation.
        is_animated = stage.HasAuthoredMetadata("startTimeCode")
        self._core = replace(core, tracks=tracks if is_animated else ())
        self.losses = Losses()
        for number in {} if is_animated else animated_joints(replace(core, tracks=tracks)):
            text = "Animation is off in the dialog; the file holds the values of the current frame"
            self.losses.lost(core.joint_place(number), Noun.ANIMATION, text)
        self._time = pxr.Usd.TimeCode(scene.frame_current)
        self._cache = pxr.UsdGeom.XformCache(self._time)
        objects = list(scene.objects)
        self._bones = range(len(objects), len(nodes_of(scene)))
        self._paths = paths_of_objects(context, stage, objects)
        self._to_stage = self._measured()
        scale = float(np.cbrt(abs(np.linalg.det(self._to_stage[:3, :3])))) or 1.0
        self._units = Units(1.0 / scale)

    def write(self, *, nesting: str, physx: bool) -> None:
        """Write everything into the root layer in one block of changes."""
        scope, flat = self._scope(), []
        if nesting == "FLAT":
            flat = flatten_bodies(
                self._stage, self._core, self._paths, scope, Names.of(self._stage)
            )
            self._report_nested(flat)
        place = Place(
            paths=self._paths,
            scope=scope,
            units=self._units,
            to_stage=self._to_stage,
            rate=self._stage.GetTimeCodesPerSecond(),
            physx=physx,
        )
        solid = self._core.motions.keys() | self._core.colliders.keys() | self._core.triggers.keys()
        physics = PhysicsPrims(
            scene=with_frames_turned(self._core, keep=solid),
            place=place,
            losses=self.losses,
            names=Names.of(self._stage),
        )
        physics.add_scene()
        self._add_bones(scope, physics)
        physics.add_bodies()
        self._add_colliders(ColliderPrims(physics), physics)
        physics.add_joints()
        physics.add_articulations()
        physics.add_pairs()
        if nesting == "RESET":
            self._reset(physics)
        self._place([*flat, *self._bones], scope, physics)
        layer = self._stage.GetRootLayer()
        usd().UsdPhysics.SetStageKilogramsPerUnit(self._stage, 1.0)
        write_prims(layer, physics.prims.values())

    def _measured(self) -> Array:
        """Return the matrix (4, 4) from Blender's world to that of the stage.

        Measured on an object, since options of the exporter turn and scale.
        """
        for node, path in self._paths.items():
            prim = self._stage.GetPrimAtPath(path)
            if not prim:
                continue
            own = self._core.matrices[node]
            world = np.array(self._cache.GetLocalToWorldTransform(prim), dtype=float).T
            if abs(np.linalg.det(own[:3, :3])) > 1e-9:
                return _similarity(np.asarray(world @ np.linalg.inv(own), float))
        return np.eye(4)

    def _scope(self) -> str:
        """Return the path of the root that the exporter made, empty where there is none."""
        root = self._stage.GetDefaultPrim()
        path = str(root.GetPath()) if root else ""
        return "" if path in set(self._paths.values()) else path

    def _add_colliders(self, colliders: ColliderPrims, physics: PhysicsPrims) -> None:
        parts: tuple[tuple[str, Mapping[int, Collider | Trigger]], ...] = (
            ("Collider", self._core.colliders),
            ("Trigger", self._core.triggers),
        )
        for name, found in parts:
            for node, part in found.items():
                self._add_part(node, name, part, colliders, physics)
        colliders.add_groups()

    def _add_part(
        self,
        node: int,
        name: str,
        part: Collider | Trigger,
        colliders: ColliderPrims,
        physics: PhysicsPrims,
    ) -> None:
        """Write a collider or trigger: on the object's mesh where that is its shape, else below."""
        label = self._core.names[node]
        above = self._holding(node)
        path = self._paths.get(node if above is None else above)
        if path is None:
            self.losses.lost(label, Noun.COLLIDER, "its object is not on the stage")
            return
        if part.shape is None:
            self.losses.carried(label, Noun.COLLIDER, "it has no shape of its own")
            return
        mesh = mesh_path(self._stage, path)
        if mesh is not None and self._is_own_mesh(node, part):
            colliders.add(physics.at(mesh), part, label)
        elif mesh is not None and mesh == path:
            self._approximate(physics.at(path), part, colliders, label)
        else:
            path = path if above is None else self._add_holder(node, above, physics)
            self._add_leaf(node, path, name, part, colliders, physics)

    def _holding(self, node: int) -> int | None:
        """Return the node whose prim gets a place for a shape, None where the shape's own has it.

        What is parented to a bone is below the skeleton on the stage, not below the bone's prim.
        """
        if node in self._bones or node in self._core.motions:
            return None
        above = int(self._core.parents[node])
        if node >= self._bones.stop:
            return above
        while above >= 0 and above not in self._bones and above not in self._core.motions:
            above = int(self._core.parents[above])
        return above if above in self._bones else None

    def _is_own_mesh(self, node: int, part: Collider | Trigger) -> bool:
        visual = self._core.visuals.get(node)
        shape = part.shape
        return (
            isinstance(shape, MeshShape)
            and shape.mesh is not None
            and visual is not None
            and visual.mesh == shape.mesh
        )

    def _approximate(
        self, prim: Prim, part: Collider | Trigger, colliders: ColliderPrims, label: str
    ) -> None:
        """Make a mesh prim that can have nothing below a collider of nearly the shape."""
        colliders.add(prim, part, label)
        kinds = {Box: "boundingCube", Sphere: "boundingSphere"}
        approximation = kinds.get(type(part.shape), "convexHull")
        Values(prim).put("physics:approximation", approximation)
        text = Sentence(
            "the merged mesh gets a {approximation} of its own", approximation=approximation
        )
        self.losses.converted(label, Noun.SHAPE, text)

    def _add_leaf(
        self,
        node: int,
        path: str,
        name: str,
        part: Collider | Trigger,
        colliders: ColliderPrims,
        physics: PhysicsPrims,
    ) -> None:
        """Write a shape as a prim of its own below that of the object."""
        label = self._core.names[node]
        prim = physics.at(physics.names.path(path, name))
        prim.set("purpose", "token", "guide", is_uniform=True)
        try:
            assert part.shape is not None
            if not set_shape(prim, part.shape, lambda mesh: self._core.meshes[mesh].read()):
                text = "a tapered shape becomes the hull of a mesh"
                self.losses.converted(label, Noun.SHAPE, text)
        except ValueError as error:
            physics.prims.pop(prim.path)
            self.losses.lost(label, Noun.SHAPE, str(error))
            return
        colliders.add(prim, part, label)

    def _add_holder(self, node: int, above: int, physics: PhysicsPrims) -> str:
        """Add the place of a shape that does not stand where its object does, or is on a bone."""
        path = physics.names.path(self._paths[above], self._core.names[node])
        holder = physics.at(path)
        holder.type_name = "Xform"
        holder.set("purpose", "token", "guide", is_uniform=True)
        relative = np.linalg.solve(self._core.matrices[above], self._core.matrices[node])
        set_matrix(holder, relative)
        return holder.path

    def _add_bones(self, scope: str, physics: PhysicsPrims) -> None:
        """Add prims beside the skeleton for bones that are nodes: its joints are no prims."""
        for node in self._bones:
            name = f"{self._core.names[node]} Body"
            self._paths[node] = physics.names.path(scope or "/", name)
            physics.at(self._paths[node]).type_name = "Xform"
            text = "joints of a skeleton are not prims; it is written beside the skeleton"
            self.losses.converted(self._core.names[node], Noun.MOTION, text)

    def _report_nested(self, flat: list[int]) -> None:
        """Note the bodies that stay below others."""
        for node in self._core.motions:
            if node not in flat and node in self._paths and is_nested(self._core, node):
                text = "it is animated or sheared and stays nested"
                self.losses.converted(self._core.names[node], Noun.PARENT, text)

    def _place(self, nodes: list[int], scope: str, physics: PhysicsPrims) -> None:
        """Place prims that were moved into the scope."""
        above = np.eye(4)
        if scope:
            prim = self._stage.GetPrimAtPath(scope)
            above = np.array(self._cache.GetLocalToWorldTransform(prim), dtype=float).T
        prims = [physics.at(self._paths[node]) for node in nodes]
        world = self._to_stage @ self._core.matrices[nodes]
        set_matrices(prims, np.linalg.solve(above, world), [False] * len(nodes))

    def _reset(self, physics: PhysicsPrims) -> None:
        """Place bodies below bodies in the world."""
        owner, parents = self._core.bodies(), self._core.parents
        nodes = [
            node
            for node in self._core.motions
            if node in self._paths and parents[node] >= 0 and owner[parents[node]] >= 0
        ]
        prims = [physics.at(self._paths[node]) for node in nodes]
        world = self._to_stage @ self._core.matrices[nodes]
        set_matrices(prims, world, [True] * len(nodes))


def _similarity(matrix: Array) -> Array:
    """Return a matrix (4, 4) with a rotation and one scale only, rounding taken away."""
    linear = matrix[:3, :3]
    scale = float(np.cbrt(abs(np.linalg.det(linear)))) or 1.0
    rounded = float(f"{scale:.6g}")
    u, _values, v = np.linalg.svd(linear)
    turn = u @ v
    near = np.round(turn)
    result = np.eye(4)
    result[:3, :3] = (near if np.abs(turn - near).max() < 1e-4 else turn) * rounded
    result[:3, 3] = np.where(np.abs(matrix[:3, 3]) < 1e-4 * scale, 0.0, matrix[:3, 3])
    return result

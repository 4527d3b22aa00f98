"""The nodes of a scene as a tree of Xform prims with the geometry of their shapes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.model.body import Part
from ....core.model.mesh import MeshData
from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled_matrix
from ....core.model.shape import Convex, MeshShape, Shape, Trimesh, enclosing_scaled_shape
from ....core.rewrite.tree import depth_first, flattened
from .collider_prims import ColliderPrims
from .names import Names, printable
from .prim import Prim
from .shape_prims import set_mesh, set_shape

ROOT = "/World"
_OFF = "DisabledCollider"


@dataclass(slots=True, kw_only=True, eq=False)
class Tree:
    """Prims of the nodes of a scene."""

    scene: PhysicsScene
    nesting: str = "nested"
    """How bodies below bodies are written: nested, flat or reset."""
    prims: dict[str, Prim] = field(default_factory=dict)
    paths: dict[int, str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def add_root(self, to_stage: Array) -> None:
        """Add the prim that holds all others; it turns and scales the world into the stage's."""
        root = Prim(ROOT, type_name="Xform")
        self.names.path("", ROOT[1:])
        if not np.array_equal(to_stage, np.eye(4)):
            set_matrix(root, to_stage)
        root.carry("root", "1")
        self.prims[ROOT] = root

    def add_nodes(self, to_stage: Array) -> None:
        """Add a prim for each node, parents first; a cycle of parents is cut."""
        scene = flattened(self.scene) if self.nesting == "flat" else self.scene
        owner = scene.bodies()
        resets, below = set[int](), list[int]()
        for node in depth_first(scene):
            parent = int(scene.parents[node])
            above = self.paths.get(parent)
            path = self.names.path(above or ROOT, scene.names[node])
            prim = Prim(path, type_name="Xform")
            if scene.names[node] != path.rpartition("/")[2]:
                prim.info["displayName"] = printable(scene.names[node])
            is_inner = node in scene.motions and parent >= 0 and owner[parent] >= 0
            if self.nesting == "reset" and is_inner:
                resets.add(node)
            elif above is not None:
                below.append(node)
            self.paths[node], self.prims[path] = path, prim
        matrices = _against_parents(scene, below, resets)
        matrices[list(resets)] = to_stage @ scene.matrices[list(resets)]
        nodes = list(self.paths)
        prims = [self.prims[path] for path in self.paths.values()]
        set_matrices(prims, matrices[nodes], [node in resets for node in nodes])

    def add_geometry(self, colliders: ColliderPrims, losses: Losses) -> None:
        """Add what nodes show, and their colliders and triggers, as leaves below them."""
        for node in self.paths:
            shown = self.add_visual(node, losses)
            parts: tuple[tuple[str, Part | None], ...] = (
                ("Collider", self.scene.colliders.get(node)),
                (_OFF, self.scene.disabled_colliders.get(node)),
                ("Trigger", self.scene.triggers.get(node)),
            )
            for name, part in parts:
                if part is not None:
                    self._add_part(node, name, part, shown, colliders, losses)

    def add_visual(self, node: int, losses: Losses) -> Prim | None:
        """Add what a node shows; return its prim, None for nothing."""
        visual = self.scene.visuals.get(node)
        if visual is None or (visual.mesh is None and visual.shape is None):
            return None
        prim = Prim(self.names.path(self.paths[node], "Visual"))
        try:
            if visual.mesh is not None:
                set_mesh(prim, self._read(visual.mesh))
            elif visual.shape is not None:
                set_shape(prim, visual.shape, self._read)
        except ValueError as error:
            losses.lost(self.scene.names[node], Noun.VISUAL, str(error))
            return None
        if visual.color is not None:
            color = tuple(visual.color[:3])
            prim.set("primvars:displayColor", "color3f[]", np.array([color]))
            if visual.color[3] < 1.0:
                prim.set("primvars:displayOpacity", "float[]", np.array([visual.color[3]]))
        prim.carry("visual", visual.material or "1")
        self.prims[prim.path] = prim
        return prim

    def _add_part(
        self,
        node: int,
        name: str,
        part: Part,
        shown: Prim | None,
        colliders: ColliderPrims,
        losses: Losses,
    ) -> None:
        """Add a collider or trigger; a mesh that is shown as well is one prim for both."""
        prim = shown if shown is not None and self._is_shown(node, part) else None
        if prim is None:
            if part.shape is None:
                losses.carried(self.scene.names[node], Noun.COLLIDER, "it has no shape of its own")
                return
            prim = Prim(self.names.path(self.paths[node], name))
            prim.set("purpose", "token", "guide", is_uniform=True)
            if not self.has_shape(node, prim, part.shape, losses):
                return
            self.prims[prim.path] = prim
        colliders.add(prim, part, self.scene.names[node])
        if name == _OFF:
            prim.set("physics:collisionEnabled", "bool", False)

    def set_leaf(self, prim: Prim, node: int, part: Part, local: Array, losses: Losses) -> bool:
        """Give a prim the shape of a part at a place (4, 4); return whether it has one.

        The prim is evenly scaled by its sizes.
        """
        shape, size = part.shape, np.linalg.norm(local[:3, :3], axis=0)
        if shape is None:
            losses.carried(self.scene.names[node], Noun.COLLIDER, "it has no shape of its own")
            return False
        if np.ptp(size) <= _NEAR * size.max() and not isinstance(shape, MeshShape):
            shape = enclosing_scaled_shape(shape, tuple(size.round(12).tolist()))
            local = matrix_from_pose(pose_from_matrix(local))
        if not self.has_shape(node, prim, shape, losses):
            return False
        if not np.allclose(local, np.eye(4), atol=_NEAR):
            steps = prim.get("xformOpOrder", ())
            set_matrix(prim, local)
            prim.set("xformOpOrder", "token[]", ("xformOp:transform", *steps), is_uniform=True)
        return True

    def has_shape(self, node: int, prim: Prim, shape: Shape, losses: Losses) -> bool:
        """Give the prim a shape; return whether it has one, noting what it cannot say."""
        try:
            if not set_shape(prim, shape, self._read):
                text = "a tapered shape becomes the hull of a mesh"
                losses.converted(self.scene.names[node], Noun.SHAPE, text)
        except ValueError as error:
            losses.lost(self.scene.names[node], Noun.SHAPE, str(error))
            return False
        return True

    def _is_shown(self, node: int, part: Part) -> bool:
        visual, shape = self.scene.visuals.get(node), part.shape
        is_mesh = isinstance(shape, Convex | Trimesh) and shape.mesh is not None
        return is_mesh and visual is not None and visual.mesh == shape.mesh  # type: ignore[union-attr]

    def _read(self, mesh: int) -> MeshData:
        if not 0 <= mesh < len(self.scene.meshes):
            raise ValueError(Sentence("mesh {mesh} does not exist", mesh=mesh))
        return self.scene.meshes[mesh].read()


def _against_parents(scene: PhysicsScene, below: list[int], resets: set[int]) -> Array:
    """Return the matrices (n, 4, 4) of nodes, of some against their parents.

    Those below parents without volume are added to `resets` instead.
    """
    matrices, nodes = scene.matrices.copy(), np.array(below, np.intp)
    parents = scene.matrices[scene.parents[nodes]]
    is_flat = np.abs(np.linalg.det(parents[:, :3, :3])) < 1e-12
    resets.update(nodes[is_flat].tolist())
    nodes = nodes[~is_flat]
    matrices[nodes] = np.linalg.solve(parents[~is_flat], matrices[nodes])
    return matrices


def set_matrices(prims: Sequence[Prim], matrices: Array, are_reset: Sequence[bool]) -> None:
    """Give prims transforms (n, 4, 4) against their parents, or where reset against the world."""
    found = settled_matrix(matrices)
    is_default = (found == np.eye(4)).all(axis=(1, 2)) & ~np.array(are_reset, np.bool_)
    rows = np.swapaxes(found, 1, 2).tolist()
    for row in np.flatnonzero(~is_default).tolist():
        prim, order = prims[row], ("xformOp:transform",)
        prim.set("xformOp:transform", "matrix4d", tuple(map(tuple, rows[row])))
        steps = ("!resetXformStack!", *order) if are_reset[row] else order
        prim.set("xformOpOrder", "token[]", steps, is_uniform=True)


def set_matrix(prim: Prim, matrix: Array, *, is_reset: bool = False) -> None:
    """Give a prim a transform (4, 4) as `set_matrices` does."""
    set_matrices([prim], matrix[None], [is_reset])


_NEAR = 1e-6
"""Part of a unit axis, and of a size, that counts as none."""
_STEPS = ("xformOp:translate", "xformOp:orient", "xformOp:scale")


def set_steps(prim: Prim, order: Any, local: Array) -> bool:
    """Set place and turn (4, 4) where a prim has steps for them; its scale stays."""
    steps = [step for step in _STEPS if step in (order or ())]
    if not steps or steps != list(order) or steps[0] != _STEPS[0]:
        return False
    pose = pose_from_matrix(local)
    x, y, z, w = pose.rotation.tolist()
    size = np.linalg.norm(local[:3, :3], axis=0)
    is_turned = not np.allclose((x, y, z), 0.0, atol=_NEAR)
    is_scaled = not np.allclose(size, 1.0, atol=_NEAR)
    if (is_turned and _STEPS[1] not in steps) or (is_scaled and _STEPS[2] not in steps):
        return False
    prim.set(_STEPS[0], "double3", tuple(pose.position.round(9).tolist()))
    if _STEPS[1] in steps:
        prim.set(_STEPS[1], "quatf", (w, x, y, z))
    return True


def set_grown(prim: Prim, order: Any, scale: Any, grown: Array) -> bool:
    """Scale a prim further by factors (3,), where the steps that it has tell how."""
    steps = [step for step in _STEPS[:2] if step in (order or ())]
    if [*(order or ())] not in (steps, [*steps, _STEPS[2]]):
        return False
    x, y, z = (np.array(scale or (1.0, 1.0, 1.0)) * grown).tolist()
    prim.set(_STEPS[2], "double3", tuple(float(f"{factor:.12g}") for factor in (x, y, z)))
    prim.set("xformOpOrder", "token[]", (*steps, _STEPS[2]), is_uniform=True)
    return True

"""The core value of a Blender scene kept up to date: only objects that changed are read again."""

from typing import Any

import bpy
import numpy as np

from ..core.findings.finding import Finding
from ..core.model.body import Motion
from ..core.model.scene import Joint, PhysicsScene
from ..properties.body import motion_of
from ..properties.joint import joint_of
from .reading import carried_kinds, joint_to_core, node_of, scene_gravity

Changed = set[int] | None
"""`ID.session_uid` of the objects that changed; None is any."""


class SceneMirror:
    """What was read of one scene; holds no reference to Blender's data."""

    def __init__(self) -> None:
        self._start({})

    def _start(self, nodes: dict[int, int]) -> None:
        """Forget all; `nodes` says which node each object is, by its `session_uid`."""
        self._nodes = nodes
        self._names = [""] * len(nodes)
        self._joints: dict[int, Joint] = {}
        self._findings: dict[int, list[Finding]] = {}
        self._motions: dict[int, Motion] = {}
        self._carries: dict[int, frozenset[str]] = {}
        self._parents = np.full(len(nodes), -1, dtype=np.intp)
        self._matrices = np.tile(np.eye(4), (len(nodes), 1, 1))

    def update(self, scene: bpy.types.Scene, changed: Changed) -> None:
        """Read the objects of the scene that changed, all of them where objects came or went."""
        objects: list[bpy.types.Object] = scene.objects.values()  # type: ignore[assignment]
        nodes = {obj.session_uid: index for index, obj in enumerate(objects)}
        if changed is None or list(nodes) != list(self._nodes):
            self._start(nodes)
            changed = set(nodes)
        touched = {nodes[uid] for uid in changed if uid in nodes}
        owners = {self._names[index] for index in touched} | {objects[i].name for i in touched}
        touched |= {i for i, joint in self._joints.items() if joint.settings_place in owners}
        indices = {obj: index for index, obj in enumerate(objects)}
        for index in touched:
            self._read(objects[index], index, indices)

    def core(self, scene: bpy.types.Scene) -> tuple[PhysicsScene, list[Finding]]:
        """Return the scene as it was read last and what is wrong with how it is tied together."""
        core = PhysicsScene(
            names=tuple(self._names),
            parents=self._parents.copy(),
            matrices=self._matrices.copy(),
            motions=dict(self._motions),
            carries=dict(self._carries),
            joints=tuple(self._joints[index] for index in sorted(self._joints)),
            gravity=scene_gravity(scene),
        )
        findings = [item for index in sorted(self._findings) for item in self._findings[index]]
        return core, findings

    def _read(self, obj: bpy.types.Object, index: int, nodes: dict[bpy.types.Object, int]) -> None:
        self._names[index] = obj.name
        self._parents[index] = node_of(obj.parent, nodes)
        self._matrices[index] = obj.matrix_world
        _put(self._motions, index, motion_of(obj))
        _put(self._carries, index, carried_kinds(obj))
        findings: list[Finding] = []
        joint = joint_to_core(obj, nodes, findings) if joint_of(obj) else None
        _put(self._joints, index, joint)
        _put(self._findings, index, findings)


def _put(table: dict[int, Any], index: int, value: Any) -> None:
    """Set or remove an entry: what is empty is not kept."""
    if value:
        table[index] = value
    else:
        table.pop(index, None)

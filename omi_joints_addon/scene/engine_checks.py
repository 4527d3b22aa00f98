"""What an engine loses of a live scene: bodies, shapes and trees as a whole, so read at rest."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

import bpy
import numpy as np

from ..core.engines.engine import Engine
from ..core.findings.finding import Finding
from ..core.model.articulation import Articulation
from ..core.model.body import Collider, Trigger
from ..core.model.scene import PhysicsScene
from ..core.model.scene_builder import SceneBuilder
from ..properties.body_reading import read_body
from ..properties.mesh_points import MeshReader
from .live import LiveScene
from .partial import live_to_core_in_steps
from .volumes import Volume, volumes_on


class EngineChecks:
    """Findings of one engine about one scene."""

    def __init__(self, live: LiveScene) -> None:
        self.findings: list[Finding] = []
        self.engine: Engine | None = None
        self._live = live
        self._seen = -1
        self._volumes: dict[int, tuple[Volume, ...]] = {}
        """Volumes of each object that has some, by `session_uid`."""

    @property
    def is_current(self) -> bool:
        """Whether all that was read has been checked."""
        return self.engine is None or self._seen == self._live.version

    def choose(self, engine: Engine | None) -> bool:
        """Check for an engine from now on, None for none; return whether that is another one."""
        if engine == self.engine:
            return False
        self.engine, self.findings, self._seen = engine, [], -1
        return True

    def work(self) -> Iterator[None]:
        """Check the whole scene bit by bit; between the steps it may not change."""
        if self.engine is None:
            return
        engine, live, seen = self.engine, self._live, self._live.version
        keys, objects = live.nodes.keys.tolist(), live.nodes.objects
        for node in np.flatnonzero(live.versions > self._seen).tolist():
            self._read(keys[node], objects[node])
            yield
        for uid in self._volumes.keys() - live.nodes.numbers.keys():
            del self._volumes[uid]
        scene = yield from self._scene()
        before, found, is_same = self.findings, list[Finding](), True
        for items in engine.check_bit_by_bit(scene):
            is_same = is_same and tuple(before[len(found) : len(found) + len(items)]) == items
            found += items
            yield
        if engine == self.engine:
            self._seen = seen
            if not (is_same and len(found) == len(before)):
                self.findings = found

    def _read(self, uid: int, obj: bpy.types.Object) -> None:
        self._volumes.pop(uid, None)
        body = read_body(obj)
        if body is None:
            return
        if found := tuple(volumes_on(body, MeshReader(None))):
            self._volumes[uid] = found

    def _scene(self) -> Generator[None, None, PhysicsScene]:
        """Return the scene with its volumes and articulations, bit by bit."""
        scene, nodes = (yield from live_to_core_in_steps(self._live)), self._live.nodes.numbers
        roots = ((node, self._live.records[node].root) for node in scene.motions)
        articulations = (
            Articulation(root=node, is_fixed=is_fixed)
            for node, is_fixed in roots
            if is_fixed is not None
        )
        scene = replace(scene, articulations=tuple(articulations))
        return _with_volumes(scene, {nodes[uid]: found for uid, found in self._volumes.items()})


def _with_volumes(scene: PhysicsScene, found: Mapping[int, tuple[Volume, ...]]) -> PhysicsScene:
    """Return a scene with the volumes of its nodes."""
    build = SceneBuilder(first=len(scene.names))
    for owner, volume in ((node, volume) for node in found for volume in found[node]):
        name = volume.own_name
        node = build.add(name, owner, scene.matrices[owner]) if name else owner
        if volume.is_trigger:
            build.triggers[node] = Trigger(
                shape=volume.shape, collision_filter=volume.collision_filter
            )
        else:
            build.colliders[node] = Collider(
                shape=volume.shape,
                material=volume.material,
                collision_filter=volume.collision_filter,
            )
    return build.behind(scene)

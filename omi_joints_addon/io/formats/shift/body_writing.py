"""What Shift can say of the nodes of a scene: assemblies, bodies with their frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.meaning.velocities import center_in_meters
from ....core.model.body import Motion, MotionType
from ....core.model.graph import WORLD
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled, settled_matrix
from ....core.shapes.assumed import assumed_text, required_inertias
from .carried import CARRIER
from .kept import ASSEMBLIES, BODIES, kept_of
from .layout import FIXED, ORIGIN

_RESERVED = frozenset((FIXED, ORIGIN, ""))
_SAME, _UNIT = 1e-12, np.eye(4)
"""Frames closer than this are one."""
_SMALLEST = 1e-15
"""Moment of inertia [kg·m²] below which digits are noise."""
_USUAL = Motion()
TENSOR = (("Ixx", 0, 0), ("Iyy", 1, 1), ("Izz", 2, 2), ("Ixy", 0, 1), ("Iyz", 1, 2), ("Izx", 2, 0))


@dataclass(slots=True)
class Holder:
    """An assembly or a body that is being written; names in it are unique."""

    members: JsonObject
    path: tuple[str, ...]
    taken: set[str] = field(default_factory=set)

    def free(self, name: str) -> str:
        """Return a name that is not taken here, and take it."""
        wanted = name.replace(":", "_")
        number, free = 1, wanted
        while free in self.taken or free in _RESERVED:
            free, number = f"{wanted}_{number}", number + 1
        self.taken.add(free)
        return free


class WrittenBodies:
    """Assemblies and bodies of a document."""

    def __init__(self, scene: PhysicsScene, losses: Losses, *, version: str) -> None:
        self._scene = scene
        self._losses = losses
        self._version = version
        self._owner = scene.bodies()
        self.worlds: Array = scene.rigid_matrices
        self._inverses: Array = np.linalg.inv(self.worlds)
        scales = np.linalg.norm(scene.matrices[:, :3, :3], axis=1)
        self._are_scaled: list[bool] = (np.abs(scales - 1.0).max(axis=1) > 1e-6).tolist()
        self.document: JsonObject = {"assemblies": []}
        self._root = Holder(self.document, ())
        self.fixed = Holder({"frames": []}, (FIXED,))
        self._assemblies: dict[int, Holder] = {}
        self._bodies: dict[int, Holder] = {}
        frames = {end for joint in scene.joints for end in (joint.node, joint.connected)}
        self._frames = frames - {None}
        self._tensors = dict(zip(scene.motions, _tensors([*scene.motions.values()]), strict=True))
        self._worked_out = _worked_out(scene)
        self._locals: dict[tuple[int, str], Array] = {}
        """Matrices of frames by the `id` of their holders and their names."""
        self._places: list[tuple[JsonObject, Array]] = []
        """Members that get R and T, and the matrices that say which."""
        for node in range(len(scene.names)):
            if node in scene.motions:
                self._body(node)
        for node in range(len(scene.names)):
            if node not in scene.motions and node not in self._frames:
                self._plain(node)

    def is_fixed(self, body: int) -> bool:
        """Return whether a body is part of `fixed`; the world (-1) is."""
        return body == WORLD or self._scene.motions[body].type == MotionType.STATIC

    def holder(self, body: int) -> Holder:
        """Return the body, or `fixed`."""
        return self.fixed if self.is_fixed(body) else self._bodies[body]

    def world(self, body: int) -> Array:
        """Return the world matrix (4, 4) of a body without scale, of `fixed` the identity."""
        return np.eye(4) if self.is_fixed(body) else self.worlds[body]

    def owner(self, node: int) -> int:
        """Return the body that a node is on."""
        return int(self._owner[node])

    def assembly_of(self, body: int) -> Holder:
        """Return the assembly that a body is in; of `fixed` the first."""
        return self._assembly(-1 if self.is_fixed(body) else self._above(body))

    def frame(self, body: int, name: str, matrix: Array, *, is_own: bool = False) -> str:
        """Return the name of a new frame on a body, `matrix` (4, 4) in world axes.

        One at the origin of its body is that, unless `is_own`.
        """
        local = matrix if self.is_fixed(body) else self._inverses[body] @ matrix
        holder = self.holder(body)
        known = self._same(holder, name, local, is_own=is_own)
        if known is not None:
            return known
        free = holder.free(name)
        frame: JsonObject = {"name": free}
        holder.members.setdefault("frames", []).append(frame)
        self._locals[id(holder), free] = local
        self.place(frame, local)
        return free

    def place(self, members: JsonObject, matrix: Array) -> None:
        """Have a matrix (4, 4) written into members by `write_places`."""
        self._places.append((members, matrix))

    def write_places(self) -> None:
        """Write R, by rows, and T of all that has a place, at once."""
        matrices = settled_matrix(
            np.array([matrix for _, matrix in self._places]).reshape(-1, 4, 4)
        )
        rotations, positions = matrices[:, :3, :3].tolist(), matrices[:, :3, 3].tolist()
        for (members, _), turn, position in zip(self._places, rotations, positions, strict=True):
            members |= {"T": position, "R": turn}

    def _same(self, holder: Holder, name: str, local: Array, *, is_own: bool) -> str | None:
        """Return a frame of this very pose: the origin, or one that has the name already."""
        if (name == ORIGIN or not is_own) and np.abs(local - _UNIT).max() <= _SAME:
            return ORIGIN
        known = self._locals.get((id(holder), name))
        return name if known is not None and np.abs(local - known).max() <= _SAME else None

    def _above(self, node: int) -> int:
        """Return the nearest node above that is on no body, -1 for none."""
        parent = int(self._scene.parents[node])
        while parent >= 0 and self._owner[parent] >= 0:
            parent = int(self._scene.parents[parent])
        return parent

    def _assembly(self, node: int) -> Holder:
        """Return the assembly that a node stands for, those above it made before."""
        chain = []
        while node >= 0 and node not in self._assemblies:
            chain.append(node)
            node = self._above(node)
        if node < 0 and not chain:
            return self._default_assembly()
        outer = self._assemblies[node] if node >= 0 else self._root
        for inner in reversed(chain):
            outer = self._assemblies[inner] = self._new_assembly(outer, self._scene.names[inner])
        return outer

    def _default_assembly(self) -> Holder:
        if -1 not in self._assemblies:
            name = self._scene.name or "model"
            self._assemblies[-1] = self._new_assembly(self._root, name)
        return self._assemblies[-1]

    def _new_assembly(self, outer: Holder, name: str) -> Holder:
        free = outer.free(name)
        members: JsonObject = {"name": free, "active": True, "bodies": [], "joints": []}
        members |= _copied(kept_of(self._scene, ASSEMBLIES, name))
        outer.members.setdefault("assemblies", []).append(members)
        return Holder(members, (*outer.path, free))

    def _plain(self, node: int) -> None:
        """Write a node that is not a body: a frame of its body, or an assembly."""
        name = self._scene.names[node]
        if node in self._scene.lights:
            return
        if node in self._scene.carries or node in self._scene.visuals:
            self._losses.lost(name, Noun.NODE, "Shift files can only hold bodies and frames")
        elif self.owner(node) >= 0:
            self.frame(self.owner(node), name, self.worlds[node])

    def _body(self, node: int) -> None:
        scene, name = self._scene, self._scene.names[node]
        motion = scene.motions[node]
        if motion.type == MotionType.STATIC:
            if name != FIXED:
                self._losses.same(name, Noun.MOTION)  # it becomes part of the fixed frame
                self.frame(WORLD, name, self.worlds[node])
            return
        assembly = self._assembly(self._above(node))
        free = assembly.free(name)
        members: JsonObject = {"name": free, **self._mass(node, motion, name)}
        members |= kept_of(scene, BODIES, name)
        self._report(node, motion)
        kept = {
            key: value
            for key, value in (("type", motion.type), ("gravity_factor", motion.gravity_factor))
            if value != getattr(_USUAL, key)
        }
        if kept:
            members[CARRIER] = kept
        assembly.members["bodies"].append(members)
        self._bodies[node] = Holder(members, (*assembly.path, free), {ORIGIN})

    def _mass(self, node: int, motion: Motion, name: str) -> JsonObject:
        tensor = self._tensors[node]
        if node in self._worked_out:
            tensor, text = self._worked_out[node]
            self._losses.converted(name, Noun.INERTIA, text)
        moments = {name: tensor[3 * row + column] for name, row, column in TENSOR}
        center = {"center_of_mass": list(center_in_meters(self._scene, node))}
        if self._version == "0.2":
            return {**center, "mass": motion.mass, "moment_of_inertia": moments}
        return {**center, "inertia": {"mass": motion.mass, **moments}}

    def _report(self, node: int, motion: Motion) -> None:
        name = self._scene.names[node]
        if motion.type != MotionType.DYNAMIC:
            self._losses.carried(name, Noun.MOTION, "Shift only supports moving bodies")
        if motion.gravity_factor != 1.0:
            self._losses.carried(
                name, Noun.GRAVITY_FACTOR, "Shift has a single gravity for all bodies"
            )
        if self._are_scaled[node]:
            self._losses.lost(name, Noun.SCALE, "Shift bodies have no scale")


def _copied(kept: JsonObject) -> JsonObject:
    """Return kept members with lists of their own, which more is added to."""
    return {key: list(value) if isinstance(value, list) else value for key, value in kept.items()}


def _tensors(motions: Sequence[Motion]) -> list[list[float]]:
    """Return the moments of inertia of bodies in their axes, nine each."""
    turns = np.array([motion.inertia_orientation for motion in motions]).reshape(-1, 4)
    moments = np.array([motion.inertia_diagonal for motion in motions]).reshape(-1, 3)
    axes = rotation_matrix(turns)
    whole = (axes * moments[:, None, :]) @ np.swapaxes(axes, 1, 2)
    found: list[list[float]] = settled(whole.reshape(-1, 9), least=_SMALLEST).tolist()
    return found


def _worked_out(scene: PhysicsScene) -> dict[int, tuple[list[float], str]]:
    """Return the moments of bodies that have none of their own, and whose they are."""
    masses = {
        node: motion.mass
        for node, motion in scene.motions.items()
        if motion.type != MotionType.STATIC and not any(motion.inertia_diagonal)
    }
    of_shapes = "Shift takes none as zero; that of its shapes is written"
    needed = required_inertias(scene, masses)
    tensors = np.array([each.tensor for each in needed.values()]).reshape(-1, 9)
    texts = (
        of_shapes if each.radius is None else assumed_text(each.radius) for each in needed.values()
    )
    rows = settled(tensors, least=_SMALLEST).tolist()
    return dict(zip(needed, zip(rows, texts, strict=True), strict=True))

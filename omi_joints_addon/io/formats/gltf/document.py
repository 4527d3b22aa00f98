"""A glTF document as a scene, and all that is wrong with it: the one reader of documents.

The scene is in SI units and Blender's axes (`core.model.scene`). Nothing outside the document is
looked at; meshes are read when they are asked for.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....core.engines.names import ANY, GODOT
from ....core.findings.finding import Finding
from ....core.model.mesh import Mesh, Visual
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ....core.model.scene import GRAVITY, Joint, PhysicsScene
from ..format import Read
from .animations import POINTER, check_pointers, has_pointers
from .beyond import read_beyond
from .dialect import EXTENSIONS, Dialect
from .dialect_physics import Physics, read_khr, read_omi, resolved_body, resolved_joint
from .document_bodies import Bodies, NodePlaces, read_bodies, volumes_of
from .document_checks import check_head, check_joints, check_listed
from .document_frames import FRAME_NAME, ends_of, in_blender
from .document_joints import on_frames, read_joints
from .document_members import extension_of
from .document_nodes import (
    LIGHTS,
    DocumentNodes,
    Parents,
    node_names,
    node_parents,
    objects_of,
    world_matrices,
)
from .godot_original import as_authored, is_for_godot, is_written_by_godot
from .gravity import EXTENSION as GRAVITIES
from .gravity import gravity_of
from .khr.rigid_bodies import NodePhysics
from .looks import looks_of_meshes
from .members import integer_of, kind_of
from .older.upgrade import upgrade
from .omi import body as omi_body
from .references import check_references
from .rules import DIALECTS_DISAGREE, KHR_NOT_READ, NOT_GLTF_2, OLDER_MEMBERS
from .unread import NOT_READ, unread_findings, unread_losses

ALL_DIALECTS = frozenset(Dialect)
_KINDS = (("mesh", "mesh"), ("camera", "camera"), ("skin", "armature"))
_OMI_ONLY = frozenset(("OMI-J005", "OMI-J006"))
"""Rules that KHR does not have: its frames may be on either body, and on none is in the world."""
Meshes = tuple[Mesh, ...]


class DocumentScene(NamedTuple):
    """What a document holds."""

    scene: PhysicsScene
    findings: tuple[Finding, ...]
    """What is wrong with the document itself; `checking.check` tells the rest."""
    document: JsonObject = {}
    """The document that the nodes of the scene are those of, older forms in that of today."""
    physics: tuple[Physics, ...] = ()
    """What it says in each of its dialects, the one that counts first."""
    frames: Mapping[int, int] = {}
    """Nodes behind those of the document, and whose frame each is."""
    exempt: frozenset[str] = frozenset()
    """Codes of rules that do not hold of the form that the file has."""

    def as_read(self) -> Read:
        """Return the scene as one that was read from a file."""
        is_khr = bool(self.physics) and self.physics[0].dialect == Dialect.KHR
        unread: dict[str, tuple[Finding, ...]] = {}
        if is_khr and self.scene.joints:
            finding = KHR_NOT_READ(self.scene.joint_place(0))
            unread = dict.fromkeys((GODOT.name, ANY.name), (finding,))
        exempt = self.exempt | (_OMI_ONLY if is_khr else frozenset())
        if any(declared.dialect == Dialect.KHR for declared in self.physics):
            from ....core.engines.khr import NEEDS_KHR  # here: engines take long to load

            exempt |= {NEEDS_KHR.code}
        return Read(
            scene=self.scene,
            findings=self.findings,
            exempt=exempt,
            engine_findings=unread,
            dialects=tuple(declared.dialect.value for declared in self.physics),
            unread=unread_losses(
                [found for found in self.findings if found.rule in (NOT_READ, OLDER_MEMBERS)]
            ),
        )


def scene_from_document(
    document: object, *, dialects: Collection[Dialect] = ALL_DIALECTS, meshes: Meshes = ()
) -> DocumentScene:
    """Return all that is physics in a parsed glTF document and what is wrong with it.

    Takes any JSON value; what is not glTF is a scene without nodes. A joint that cannot be read
    costs that joint only. Where both dialects are on a node, OMI counts. `meshes` are those of the
    document.
    """
    if not isinstance(document, dict):
        problem = f"it holds {kind_of(document)}, not an object"
        return _Reader({}, dialects, ()).read()._replace(findings=(NOT_GLTF_2(problem=problem),))
    return _Reader(document, dialects, meshes).read()


class _Reader:
    def __init__(self, document: JsonObject, dialects: Collection[Dialect], meshes: Meshes) -> None:
        self.document = document
        self.dialects = dialects
        self.meshes = meshes
        self.findings: list[Finding] = []
        self.nodes = DocumentNodes(document)
        self.carries: dict[int, frozenset[str]] = {}
        self.exempt: frozenset[str] = frozenset()

    def read(self) -> DocumentScene:
        """Return what the document holds."""
        check_head(self.document, self.findings)
        self.findings += check_references(self.document)
        self.findings += check_pointers(self.document)
        self._upgrade()
        self.findings += self.nodes.findings
        parents = node_parents(self.nodes.count, self.nodes.columns["children"], self.findings)
        matrices = world_matrices(self.nodes.columns, parents, self.findings)
        self.findings += unread_findings(self.document, self.nodes)
        physics = self._physics()
        scene, frames = self._scene(physics, parents, matrices)
        return DocumentScene(
            scene,
            tuple(self.findings),
            self.document,
            tuple(physics),
            frames,
            exempt=self.exempt,
        )

    def _scene(
        self, physics: Sequence[Physics], parents: Parents, matrices: Array
    ) -> tuple[PhysicsScene, dict[int, int]]:
        """Return the scene, and whose frame each node behind those of the document is."""
        body_of, joint_of = self._chosen(physics)
        turned = {*self.nodes.columns["camera"].nodes, *self.nodes.with_extension(LIGHTS)}
        bodies = read_bodies(
            body_of,
            parents=parents,
            meshes=len(objects_of(self.document, "meshes", [])),
            turned=turned,
            findings=self.findings,
        )
        self._carry_kinds(bodies)
        read = self._joints(physics, joint_of)
        means_more = self.carries.keys() | bodies.nodes | self._bones()
        names = node_names(self.nodes.count, self.nodes.columns["name"])
        of_joints = [joint.node for joint in read]
        beyond, found = read_beyond(
            self.nodes.columns["extras"], names, of_joints, bodies.motions.keys()
        )
        self.findings += found
        joints, frames = on_frames(read, means_more, self.nodes.count, beyond.attributes)
        self._carry(frames, "frame")
        return PhysicsScene(
            names=(*names, *(FRAME_NAME.format(names[node]) for node in frames.values())),
            parents=np.append(parents, np.array(list(frames.values()), dtype=np.intp)),
            matrices=in_blender(matrices, frames, ends_of(joints) | turned),
            motions=bodies.motions,
            colliders=bodies.colliders,
            triggers=bodies.triggers,
            places=NodePlaces(bodies, body_of, count=self.nodes.count, frames=frames),
            carries=self.carries,
            joints=joints,
            meshes=self.meshes,
            visuals=self._visuals(),
            articulations=beyond.roots(),
            couplings=beyond.couplings(of_joints),
            excluded_pairs=beyond.excluded_pairs(),
            name=self._title(),
            gravity=gravity_of(self.document, self.findings) or GRAVITY,
        ), frames

    def _title(self) -> str:
        """Return the name of the scene that is shown first."""
        scenes = objects_of(self.document, "scenes", [])
        first = self.document.get("scene", 0)
        shown = scenes[first] if isinstance(first, int) and 0 <= first < len(scenes) else {}
        name = shown.get("name", "")
        return name if isinstance(name, str) else ""

    def _joints(self, physics: Sequence[Physics], chosen: Mapping[int, Physics]) -> list[Joint]:
        """Return the joints on nodes of the document; check all that is about joints."""
        joints = read_joints(chosen, count=self.nodes.count, findings=self.findings)
        for dialect in physics:
            check_joints(dialect, self.findings)
        check_listed(self.document, self._used(), self.findings)
        return joints

    def _upgrade(self) -> None:
        """Read what was rewritten for Godot's importer as authored, and older forms as of today.

        What Godot wrote itself as it moves there. All in a copy of the document.
        """
        if is_for_godot(self.document):
            self.document, findings = as_authored(self.document)
            self.findings += findings
            self.nodes = DocumentNodes(self.document)
        upgraded = upgrade(self.document, self.nodes, self.dialects)
        self.findings += upgraded.findings
        self.exempt = upgraded.exempt
        if upgraded.document is not self.document:
            self.document = upgraded.document
            self.nodes = DocumentNodes(self.document)
        if Dialect.OMI in self.dialects and is_written_by_godot(self.document):
            from .godot_written import as_in_godot  # here, since few are

            self.document, findings = as_in_godot(self.document)
            self.findings += findings
            self.nodes = DocumentNodes(self.document)

    def _has(self, extension: str) -> bool:
        is_here = extension_of(self.document, extension) is not None
        return is_here or bool(self.nodes.with_extension(extension))

    def _used(self) -> set[str]:
        names = {name for dialect in self.dialects for name in EXTENSIONS[dialect]} | {GRAVITIES}
        pointers = {POINTER} if has_pointers(self.document) else set()
        return {name for name in names if self._has(name)} | pointers

    def _physics(self) -> list[Physics]:
        """Return what the document says in each of its dialects, OMI first."""
        found = []
        for dialect, read in ((Dialect.OMI, read_omi), (Dialect.KHR, read_khr)):
            if dialect in self.dialects and any(map(self._has, EXTENSIONS[dialect])):
                physics, findings = read(self.document, self.nodes)
                self.findings += findings
                found.append(physics)
        return found

    def _chosen(self, physics: Sequence[Physics]) -> tuple[dict[int, Physics], dict[int, Physics]]:
        """Return the dialect that the body of each node is read from, and that of each joint."""
        bodies: dict[int, Physics] = {}
        joints: dict[int, Physics] = {}
        for declared in physics:
            for node, there in declared.nodes.items():
                if node in bodies:
                    self._compare(node, bodies[node], declared)
                bodies.setdefault(node, declared)
                if there.joint is not None:
                    joints.setdefault(node, declared)
        has_omi = set(self.nodes.with_extension(omi_body.EXTENSION))
        for node, declared in joints.items():
            # A node whose OMI form is a joint only has its body in the other one.
            if declared.dialect == Dialect.OMI and node not in has_omi:
                bodies[node] = next((p for p in reversed(physics) if node in p.nodes), declared)
        return bodies, joints

    def _compare(self, node: int, first: Physics, second: Physics) -> None:
        one = first.nodes.get(node, NodePhysics())
        two = second.nodes.get(node, NodePhysics())
        has_body = node in self.nodes.with_extension(omi_body.EXTENSION)
        if has_body and resolved_body(one.body, first) != resolved_body(two.body, second):
            self.findings.append(DIALECTS_DISAGREE(f"/nodes/{node}", what="the body"))
        is_same = resolved_joint(one.joint, first) == resolved_joint(two.joint, second)
        if one.joint and two.joint and not is_same:
            self.findings.append(DIALECTS_DISAGREE(f"/nodes/{node}", what="the joint"))

    def _carry_kinds(self, bodies: Bodies) -> None:
        for name, kind in _KINDS:
            self._carry(self.nodes.columns[name].nodes, kind)
        self._carry(self.nodes.with_extension(LIGHTS), "light")
        self._carry(bodies.nodes & self._bones(), "bone")
        for kind, nodes in volumes_of(bodies):
            self._carry(nodes, kind)

    def _carry(self, nodes: Collection[int], kind: str) -> None:
        nothing: frozenset[str] = frozenset()
        kinds = {before: before | {kind} for before in {*self.carries.values(), nothing}}
        self.carries |= {i: kinds[self.carries.get(i, nothing)] for i in nodes}

    def _bones(self) -> set[int]:
        """Return the nodes that Blender makes bones of."""
        lists = [skin.get("joints") for skin in objects_of(self.document, "skins", [])]
        bones = {integer_of(bone) for found in lists if isinstance(found, list) for bone in found}
        return {bone for bone in bones if bone is not None}

    def _visuals(self) -> dict[int, Visual]:
        shown = self.nodes.columns["mesh"]
        looks = looks_of_meshes(self.document, len(self.meshes))
        return {
            node: replace(looks[mesh], mesh=mesh)
            for node, mesh in zip(shown.nodes, shown.values, strict=True)
            if type(mesh) is int and 0 <= mesh < len(self.meshes)
        }

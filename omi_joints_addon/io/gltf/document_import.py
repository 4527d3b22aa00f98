"""The physics of a file that is imported, as the format reads it; the log has what is wrong."""

import re
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ...core.findings.finding import Finding
from ...core.model.plain import JsonObject
from ...properties.gltf_options import options_of
from ...properties.surface import physics_scene
from ...scene.reading import scene_gravity
from ..formats.gltf.dialect import Dialect
from ..formats.gltf.dialect_physics import Physics
from ..formats.gltf.document import DocumentScene, scene_from_document
from ..formats.gltf.gravity import gravity_of
from ..formats.gltf.kept import KeptObjects, kept_of
from ..formats.gltf.khr.mesh_nodes import mesh_nodes
from .document_json import READ, read_document, set_read
from .report import Report
from .rules import GRAVITY_SET
from .upstream import nodes_of

_NODE = re.compile(r"/nodes/(\d+)")


class ImportedDocument:
    """What a file holds, by its nodes."""

    def __init__(self, importer: Any, report: Report) -> None:
        document = read_document(importer.data)
        self.read: DocumentScene = scene_from_document(document)
        """Nodes behind those of the file are frames, as `DocumentScene.frames` says."""
        is_khr = any(declared.dialect == Dialect.KHR for declared in self.read.physics)
        self.mesh_nodes = mesh_nodes(document) if is_khr else set[int]()
        """Nodes that are there to lend their mesh to shapes only."""
        if self.read.document is not document:
            # What an older form or Godot's importer has elsewhere goes where it belongs.
            set_read(importer.data, self.read.document)
        for found in self.read.findings:
            report.add([found], _prefix(found, importer))


def keep(scene: bpy.types.Scene, physics: Sequence[Physics]) -> None:
    """Keep what belongs to no node of a document for the next export of the scene."""
    options, shared = options_of(scene), physics_scene(scene)
    before = KeptObjects(
        joints=options.joints_carried, bodies=shared.bodies_carried, shapes=shared.shapes_carried
    )
    kept = before | kept_of(physics)
    if options.import_joints:
        options.joints_carried = kept.joints
    if options.import_bodies:
        shared.bodies_carried, shared.shapes_carried = kept.bodies, kept.shapes


def set_gravity(scene: bpy.types.Scene, document: JsonObject, report: Report) -> None:
    """Give a scene the gravity that a document declares."""
    gravity = gravity_of(document, [])
    if gravity is None or np.allclose(gravity, scene_gravity(scene), rtol=1e-6, atol=1e-9):
        return
    scene.use_gravity = True
    scene.gravity = gravity
    report.add([GRAVITY_SET(gravity=" ".join(f"{part:g}" for part in gravity))])


def has_physics(importer: Any) -> bool:
    """Return whether a file says anything of physics."""
    owners = (importer.data, *nodes_of(importer))
    return any(not READ.isdisjoint(owner.extensions) for owner in owners if owner.extensions)


def node_name(importer: Any, index: int) -> str:
    """Return what to call a node in messages."""
    name = nodes_of(importer)[index].name
    return f"node {index} {name!r}" if name else f"node {index}"


def _prefix(found: Finding, importer: Any) -> str:
    """Return what names the node that a finding is about."""
    about = _NODE.match(found.place)
    index = int(about[1]) if about else -1
    return f"{node_name(importer, index)}: " if 0 <= index < len(nodes_of(importer)) else ""

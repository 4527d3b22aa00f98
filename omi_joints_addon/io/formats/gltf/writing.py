"""A scene as a glTF file.

A scene that was read from glTF is written into its document, where all that is not physics stays
as it is; any other into a new one.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ....core.findings.finding import Finding
from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.animated import tracks_without
from ....core.model.plain import JsonObject
from ....core.model.scene import PhysicsScene
from ....core.model.shape import MeshShape
from ..format import Target, UnwritableError, Written
from .animation_writing import TrackWriter, tracks_by_node
from .beyond import beyond_of, write_beyond
from .building import build
from .dialect import Dialect, dialects_in
from .dialect_physics import Physics
from .dialect_writing import write_dialects
from .document import DocumentScene
from .document_frames import ends_of
from .document_members import copied
from .document_nodes import objects_of
from .godot_target import for_godot, require_godot
from .gravity import write_gravity
from .in_place import edited_text, is_as_read, whole_file
from .losses import losses_of
from .members import CodecError
from .packing import Packing
from .pointer_moving import move_pointers
from .reading import CarriedFile
from .scene_physics import Places, ScenePhysics, content_of
from .track_edits import edits_of, without_emptied
from .writable import losses_of_parts, unwritable, without

Dialects = Collection[Dialect]


@dataclass(frozen=True, slots=True, eq=False)
class WrittenDocument:
    """A document that says a scene."""

    document: JsonObject
    findings: tuple[Finding, ...]
    losses: tuple[Loss, ...]
    buffer: bytes = b""
    """Its buffer, where it is a new document."""


def write_file(scene: PhysicsScene, target: Target) -> Written:
    """Return the files of a scene; raises `UnwritableError`.

    What of a body or joint has no place in JSON is a loss, and all others are written.
    """
    wanted = _wanted(target)
    try:
        return _written(scene, target, wanted)
    except CodecError as error:
        parts = unwritable(content_of(scene))
        if not parts:
            raise UnwritableError(str(error)) from error
    content = without(content_of(scene), parts)
    sound = replace(
        scene,
        motions=content.motions,
        colliders=content.colliders,
        triggers=content.triggers,
        joints=tuple(content.joints),
        couplings=content.beyond.couplings([joint.node for joint in content.joints]),
        tracks=tracks_without(
            scene.tracks, {part.number for part in parts if part.noun == Noun.JOINT}
        ),
    )
    try:
        written = _written(sound, target, wanted)
    except CodecError as error:
        raise UnwritableError(str(error)) from error
    return written._replace(losses=(*written.losses, *losses_of_parts(parts, scene.names)))


def _written(scene: PhysicsScene, target: Target, wanted: set[Dialect] | None) -> Written:
    """Return the files of a scene; raises `CodecError` where a value has no place in JSON."""
    carried = scene.carried.get("gltf")
    kept = carried if isinstance(carried, CarriedFile) and fits(scene, carried.read) else None
    is_for_engine = "for" in target.options
    try:
        if kept is not None and wanted is None and _keeps_form(kept, target):
            return _in_place(scene, target, kept)
        if kept is not None:
            document = _for(rewritten(scene, kept.read, wanted), target)
            packing = Packing(document.document, target.path)
            files = packing.of_read(kept.file)
        else:
            new = new_document(scene, wanted or {Dialect.OMI}, with_tracks=not is_for_engine)
            document = _for(new, target)
            packing = Packing(document.document, target.path)
            files = packing.of_new(document.buffer)
    except OSError as error:
        raise UnwritableError(error.strerror or str(error)) from error
    except RecursionError as error:
        raise UnwritableError("has JSON that is nested too deeply") from error
    losses = (*document.losses, *packing.losses, *losses_of(scene))
    if kept is not None and kept.read.document != kept.file.document:
        text = "it was in an older form, from or for Godot; it is written as today, for all engines"
        losses = (*losses, Loss("", "document", How.CONVERTED, text))
    return Written(
        files=files,
        findings=document.findings,
        losses=losses,
        names_all=kept is not None,
        holds_animation=kept is not None or not is_for_engine,
    )


def _keeps_form(kept: CarriedFile, target: Target) -> bool:
    """Return whether a file stays of its kind, and its document what it is."""
    is_binary = target.path.suffix.lower() == ".glb"
    is_same = kept.read.document == kept.file.document
    return is_same and not target.options and kept.file.is_binary == is_binary


def _in_place(scene: PhysicsScene, target: Target, kept: CarriedFile) -> Written:
    """Return the file that a scene was read from with what differs; raises `CodecError`."""
    read, is_edited = kept.read, not is_as_read(scene, kept.read.scene)
    written = WrittenDocument(read.document, (), ())
    before = read.document
    if is_edited:
        written = rewritten(scene, read, None)
        before = rewritten(read.scene, read, None).document
        is_edited = written.document != before
    packing = Packing(written.document, target.path)
    files = packing.of_read(kept.file)
    content = None
    if not is_edited:
        content = whole_file(kept.file)
    elif before == read.document and not kept.file.is_binary:
        content = edited_text(kept.file, written.document)
    if content is not None:
        files[target.path.name] = content
    elif not is_edited:
        text = "it is written anew: it changed since it was read, or has numbers beyond doubles"
        packing.losses.append(Loss("", "document", How.CONVERTED, text))
    losses = (*written.losses, *packing.losses, *(losses_of(scene) if is_edited else ()))
    return Written(
        files=files,
        findings=written.findings if is_edited else (),
        losses=losses,
        names_all=True,
        holds_animation=True,
    )


def rewritten(scene: PhysicsScene, read: DocumentScene, wanted: Dialects | None) -> WrittenDocument:
    """Return the document that a scene was read from, as it says the scene.

    Without `wanted` dialects it keeps those it has. Raises `CodecError` where a value has no place
    in JSON.
    """
    count = len(scene.names) - len(read.frames)
    nodes = {node: node for node in range(count)} | dict(read.frames)
    meshes = {index: index for index in range(len(objects_of(read.document, "meshes", [])))}
    turned = [n for n, kinds in scene.carries.items() if kinds & {"camera", "light"}]
    places = Places(nodes=nodes, meshes=meshes, turned=frozenset(turned))
    base = read.physics[0] if read.physics else Physics()
    content = ScenePhysics(content_of(scene), places, base)
    physics = content.physics()
    document, edits = copied(read.document), edits_of(read.scene, scene)
    edits.take_out(document, read.scene, nodes)
    chosen = wanted or {known.dialect for known in read.physics} or {Dialect.OMI}
    findings = write_dialects(
        document,
        physics,
        chosen,
        read.physics,
        merges_drives=not document.get("animations"),
    )
    if scene is not read.scene and beyond_of(scene) != beyond_of(read.scene):
        write_beyond(document, physics, content.beyond())
    write_gravity(document, scene.gravity)
    losses = [*content.losses, *move_pointers(document, read.physics, chosen)]
    losses += edits.put_in(document, scene, nodes, chosen)
    without_emptied(document, read.document)
    return WrittenDocument(document, tuple(findings), tuple(losses))


def new_document(
    scene: PhysicsScene, wanted: Dialects, *, with_tracks: bool = True
) -> WrittenDocument:
    """Return a new document of a scene, or of what it is at rest; raises `CodecError` likewise."""
    shapes = [collider.shape for collider in scene.colliders.values()]
    shapes += [trigger.shape for trigger in scene.triggers.values()]
    meshes = {shape.mesh for shape in shapes if isinstance(shape, MeshShape)}
    built = build(scene, {mesh for mesh in meshes if mesh is not None})
    places = Places(nodes=dict(enumerate(built.nodes)), frames=built.frames, meshes=built.meshes)
    animated = tracks_by_node(scene) if with_tracks else {}
    content = ScenePhysics(replace(content_of(scene), animated=animated), places, Physics())
    physics = content.physics()
    findings = write_dialects(built.document, physics, wanted, merges_drives=not scene.tracks)
    write_beyond(built.document, physics, content.beyond())
    write_gravity(built.document, scene.gravity)
    losses, data = [*built.losses, *content.losses], bytearray(built.buffer)
    if scene.tracks and with_tracks:
        frames = {joint.node: places.frame(joint.node) for joint in scene.joints}
        tracks = TrackWriter(built.document, data, frames, wanted)
        tracks.write(scene)
        losses += tracks.losses
    return WrittenDocument(built.document, tuple(findings), tuple(losses), bytes(data))


def fits(scene: PhysicsScene, read: DocumentScene) -> bool:
    """Return whether the nodes of a scene are still those of the document it was read from."""
    before = read.scene
    if scene is before or scene.matrices is before.matrices:
        is_same = scene.names == before.names
    else:
        is_same = (
            scene.names == before.names
            and np.array_equal(scene.parents, before.parents)
            and np.array_equal(scene.matrices, before.matrices, equal_nan=True)
        )
    owners = [read.frames.get(joint.node, joint.node) for joint in scene.joints]
    is_framed = ends_of(scene.joints) <= ends_of(before.joints)
    is_shown = scene.meshes == before.meshes and scene.visuals == before.visuals
    return is_same and is_framed and is_shown and len(set(owners)) == len(owners)


def _for(document: WrittenDocument, target: Target) -> WrittenDocument:
    if "for" not in target.options:
        return document
    require_godot(target.options)
    rewritten, findings = for_godot(document.document)
    return replace(document, document=rewritten, findings=(*document.findings, *findings))


def _wanted(target: Target) -> set[Dialect] | None:
    """Return the dialects that are asked for, None where none are; raises `UnwritableError`."""
    unknown = sorted(set(target.options) - {"dialect", "for"})
    if unknown:
        raise UnwritableError(Sentence("glTF has no option {unknown}", unknown=", ".join(unknown)))
    wanted = dialects_in(target.options)
    return {Dialect.OMI} if wanted is None and "for" in target.options else wanted

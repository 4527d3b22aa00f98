"""A scene written into the document that it was read from.

The kept text is read again and compared with the scene; the format puts what differs into the text,
and the text is read once more: what it still does not say is a loss.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.findings.loss import How, Loss, Losses
from ...core.model.attributes import STRENGTHS
from ...core.model.mesh import Visual
from ...core.model.origins import origins_of
from ...core.model.pose import Array
from ...core.model.shape import MeshShape
from ...core.rewrite.scale import without_scale
from ...core.rewrite.tree import with_shapes_on_nodes
from ..documents.splices import UneditableError
from .format import Document, Format, Kept, Read, Target, UnreadableError, UnwritableError, Written
from .revision import Editable, Revision, in_place, placement

if TYPE_CHECKING:
    from ...core.model.body import Collider
    from ...core.model.scene import Joint, PhysicsScene

Color = tuple[float, float, float, float]
_EPSILON = 2.0**-20
"""Rounding of single precision, as part of a unit."""
_DECIMALS = 6
"""Decimals of places that single precision holds about 1 m from the origin."""


def revised_scene(row: Format, scene: "PhysicsScene", kept: Kept, target: Target) -> Written | None:
    """Return the document with what differs in the scene, None where that cannot be done.

    Raises `UnwritableError`.
    """
    if not isinstance(row, Editable) or kept.document.format != row.name:
        return None
    document = kept.document
    read = kept.read or _read(row, document, document.files)
    if read is None:
        return None
    if read.scene is scene:
        return _with_files(Written(files=document.files, names_all=True), document, read, target)
    revision = revision_of(kept, read.scene, scene)
    try:
        written = row.edit(revision, target)
    except UneditableError:
        return None
    texts = _texts(written, written.files)
    is_read = written.names_all or texts == document.files
    again = read if is_read else _read(row, document, texts)
    if again is None:
        raise UnwritableError("the changed file cannot be read back; write it anew")
    missing = Losses()
    if not written.names_all:
        revision.report_missing(revision.missing(again.scene), missing)
    losses = (*written.losses, *revision.placement_losses(), *missing)
    written = written._replace(losses=tuple(dict.fromkeys(losses)))
    return _with_files(written, document, again, target)


def merged_document(
    row: Format, scene: "PhysicsScene", kept: Kept, document: Document
) -> tuple[Document, Array | None] | None:
    """Return a newer text of a document with what was edited in the scene since it was read.

    Also the motion (4, 4) of a model that was moved as a whole; None where there is no merging.
    """
    read = kept.read or _read(row, kept.document, kept.document.files)
    if read is None or not isinstance(row, Editable):
        return None
    revision = replace(revision_of(kept, read.scene, scene), document=document, is_newer=True)
    try:
        written = row.edit(revision, Target(path=document.path))
    except UneditableError:
        return None
    files = _texts(written, document.files)
    return document._replace(files=files), revision.motion


def snapped_scene(scene: "PhysicsScene", kept: Kept) -> "PhysicsScene":
    """Return a scene of single precision with the places and colors of the file where it has them.

    They are those of the document where nobody edited them.
    """
    if not kept.is_single or kept.read is None:
        return scene
    before = kept.read.scene
    match = _match(kept, before, scene)
    if not match:
        return scene
    ones, others = np.array(list(match)), np.array(list(match.values()))
    motion = placement(before, scene, match, _EPSILON)
    places = before.matrices[ones] if motion is None else motion @ before.matrices[ones]
    reach = max(1.0, float(np.abs(scene.matrices[:, :3, 3]).max(initial=0.0)))
    apart = np.abs(places - scene.matrices[others])
    turned, moved = apart[:, :3, :3].max(axis=(1, 2)), apart[:, :3, 3].max(axis=1)
    matrices = scene.matrices.copy()
    for near, columns in ((turned <= _EPSILON, slice(3)), (moved <= _EPSILON * reach, 3)):
        matrices[others[near], :3, columns] = places[near, :3, columns]
    visuals = dict(scene.visuals)
    for node, other in match.items():
        if node in before.visuals and other in visuals:
            color = _color(before.visuals[node].color, visuals[other].color)
            visuals[other] = replace(visuals[other], color=color)
    return replace(scene, matrices=matrices, visuals=visuals)


def revision_of(kept: Kept, before: "PhysicsScene", scene: "PhysicsScene") -> Revision:
    """Return what a document says and what it is to say."""
    match = _match(kept, before, scene)
    after, reach = scene, 1.0
    if kept.is_single:
        reach = max(1.0, float(np.abs(scene.matrices[:, :3, 3]).max(initial=0.0)))
        after = without_scale(_completed(before, scene, match, kept))
        after = with_shapes_on_nodes(before, after, match)
    decimals = max(0, _DECIMALS - int(np.log10(reach))) if kept.is_single else None
    return in_place(
        Revision(
            document=kept.document,
            before=before,
            after=after,
            match=match,
            remeshed=kept.remeshed,
            reach=reach,
            decimals=decimals,
        )
    )


def _read(row: Format, document: Document, files: Mapping[str, bytes]) -> Read | None:
    try:
        return row.read(document.source(files))[0]
    except UnreadableError:
        return None


def _match(kept: Kept, before: "PhysicsScene", scene: "PhysicsScene") -> dict[int, int]:
    if kept.origins is None:
        return {node: node for node in range(len(before.names))}
    places = {origin: node for node, origin in kept.origins.items()}
    return {
        node: places[origin]
        for node, origin in enumerate(origins_of(before.names))
        if origin in places
    }


def _completed(
    before: "PhysicsScene", scene: "PhysicsScene", match: Mapping[int, int], kept: Kept
) -> "PhysicsScene":
    """Return a scene of Blender's objects with what Blender has no place for."""
    shift = len(scene.meshes)
    visuals, colliders = dict(scene.visuals), dict(scene.colliders)
    keys = {origin: node for node, origin in enumerate(origins_of(before.names))}
    copied = [(keys[key], other) for other, key in kept.copies.items() if key in keys]
    for node, other in (*match.items(), *copied):
        if other in kept.remeshed:
            continue
        if node in before.visuals:
            visuals[other] = _visual(before.visuals[node], visuals.get(other), shift)
        if node in before.colliders and other in colliders:
            colliders[other] = _collider(before.colliders[node], colliders[other], shift)
    return replace(
        scene,
        meshes=(*scene.meshes, *before.meshes),
        visuals=visuals,
        colliders=colliders,
        joints=_joints(before, scene, match),
        carried=before.carried,
        gravity=before.gravity,
    )


def _joints(
    before: "PhysicsScene", scene: "PhysicsScene", match: Mapping[int, int]
) -> "tuple[Joint, ...]":
    """Return the joints of a scene; Blender's properties have no strength of zero."""
    weak: dict[int, dict[str, float]] = {}
    for joint in before.joints:
        values = {name: getattr(joint.attributes, name) for name in STRENGTHS}
        zeros = {name: 0.0 for name, value in values.items() if value == 0.0}
        if zeros and joint.node in match:
            weak[match[joint.node]] = zeros
    return tuple(_weakened(joint, weak.get(joint.node, {})) for joint in scene.joints)


def _weakened(joint: "Joint", zeros: dict[str, float]) -> "Joint":
    attributes = joint.attributes
    lost: dict[str, Any] = {name: 0.0 for name in zeros if getattr(attributes, name) == math.inf}
    return replace(joint, attributes=replace(attributes, **lost)) if lost else joint


def _visual(one: Visual, other: Visual | None, shift: int) -> Visual:
    color = _color(one.color, None if other is None else other.color)
    return replace(one, mesh=None if one.mesh is None else one.mesh + shift, color=color)


def _color(one: Color | None, other: Color | None) -> Color | None:
    """Return the color of an object, that of the file where both are the same."""
    if one is None or other is None:
        return one or other
    is_same = max(abs(a - b) for a, b in zip(one, other, strict=True)) < 1e-6
    return one if is_same else other


def _collider(one: "Collider", other: "Collider", shift: int) -> "Collider":
    shape: Any = other.shape
    if isinstance(shape, MeshShape) and type(shape) is type(one.shape):
        mesh = one.shape.mesh if isinstance(one.shape, MeshShape) else None
        shape = replace(shape, mesh=None if mesh is None else mesh + shift)
    return replace(other, shape=shape)


def _with_files(written: Written, document: Document, read: Read, target: Target) -> Written:
    """Return what is written under the target's name, with the files that the text refers to."""
    main, *_ = document.files
    files = {
        target.path.name if name == main else name: data for name, data in written.files.items()
    }
    folder = document.path.resolve().parent
    if target.path.resolve().parent == folder:
        return written._replace(files=files)
    outside = 0
    for path in dict.fromkeys(read.files):
        name = _relative(path, folder)
        if name is None:
            outside += 1
        elif name not in files:
            files[name] = path.read_bytes()
    if outside:
        text = f"{outside} files that it refers to are not in its folder and are not copied"
        loss = Loss("", "files", How.CONVERTED, text)
        return written._replace(files=files, losses=(*written.losses, loss))
    return written._replace(files=files)


def _texts(written: Written, names: Iterable[str]) -> dict[str, bytes]:
    return {name: bytes(written.files[name]) for name in names}


def _relative(path: Path, folder: Path) -> str | None:
    """Return the path from a folder to a file in it, None for a file elsewhere."""
    path = path.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else None

"""The documents that collections were imported from, for writing into them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ... import scene as scenes
from ...authoring.context import present
from ...core import rewrite
from ...io import registry
from ...io.formats.format import Document, Format, Kept, Read, UnreadableError
from ...io.formats.inventory import Inventoried
from ...properties.document import KeptText, text_of

if TYPE_CHECKING:
    from ...core.findings.loss import Loss
    from ...core.model.scene import PhysicsScene


def text_of_document(document: Document, name: str) -> KeptText:
    """Return a document as a collection keeps it; `name` is that of the model."""
    return KeptText(
        format=document.format,
        path=str(document.path),
        name=name,
        files=document.files,
        options=document.options,
        folders=tuple(map(str, document.folders)),
    )


def with_document(
    core: "PhysicsScene",
    objects: Sequence[bpy.types.Object],
    top: bpy.types.Collection,
    row: Format,
) -> "tuple[PhysicsScene, Kept | None]":
    """Return the scene of some objects with the names of the document that they came from.

    `row` is the format that is to be written.
    Nodes that are objects come first. Nothing is kept where there is not a document, or several.
    """
    holders = scenes.documents.collections_with_text(top)
    text = text_of(holders[0]) if len(holders) == 1 else None
    if text is None:
        return core, None
    ties = scenes.documents.ties_of(objects)
    names = [ties.names.get(node, name) for node, name in enumerate(core.names)]
    document = Document(
        format=text.format,
        path=Path(text.path),
        files=text.files,
        options=text.options,
        folders=tuple(map(Path, text.folders)),
    )
    own = next((each for each in registry.FORMATS if each.name == document.format), None)
    kept = Kept(
        document=document,
        read=None if own is None else _read(own, document),
        unheld=() if own is None or own is row else _unheld(own, document),
        origins={node: origin.key for node, origin in ties.origins.items()},
        copies={node: origin.key for node, origin in ties.copies.items()},
        remeshed=ties.remeshed,
        is_single=True,
    )
    return replace(core, names=tuple(names), name=text.name), kept


def proposed_path(context: bpy.types.Context) -> str:
    """Return where to export to: the name of the only imported file, the folder of the .blend."""
    blend = Path(present(context.blend_data).filepath or "untitled")
    texts = map(text_of, scenes.documents.collections_with_text(present(context.scene).collection))
    (text, *others) = (*texts, None)
    if text is None or others != [None]:
        return str(blend)
    imported = Path(text.path)
    return str(blend.with_name(imported.name) if blend.is_absolute() else imported)


def part_of(core: "PhysicsScene", count: int, numbers: Sequence[int]) -> "PhysicsScene":
    """Return the scene of some of its `count` objects, which are its first nodes.

    Shapes that have no object of their own go with the one that they are below.
    """
    chosen = {*numbers}
    behind = [node for node in range(count, len(core.names)) if int(core.parents[node]) in chosen]
    return rewrite.tree.with_nodes(core, [*numbers, *behind])


def _read(row: Format, document: Document) -> Read | None:
    try:
        return row.read(document.source())[0]
    except UnreadableError:
        return None


def _unheld(row: Format, document: Document) -> "tuple[Loss, ...]":
    """Return what a document says that no scene holds."""
    try:
        return row.unheld(document) if isinstance(row, Inventoried) else ()
    except UnreadableError:
        return ()


def earlier_import(
    scene: bpy.types.Scene, document: Document
) -> tuple[bpy.types.Collection, KeptText] | None:
    """Return the collection of a scene that the same file was imported into, with its text."""
    for holder in scenes.documents.collections_with_text(scene.collection):
        text = text_of(holder)
        if text is not None and text.format == document.format and text.path == str(document.path):
            return holder, text
    return None


def merged_read(context: bpy.types.Context, row: Format, read: Read, holder: Any) -> Read:
    """Return a file that was read anew with what was edited since it was imported."""
    from ...io.formats.revising import merged_document  # here, since Blender starts without numpy

    scene = present(context.scene)
    core, _ = scenes.reading.scene_to_core(scene)
    objects = list(scene.objects)
    inside = set(holder.all_objects)
    numbers = [number for number, obj in enumerate(objects) if obj in inside]
    part = part_of(core, len(objects), numbers)
    part, kept = with_document(part, [objects[number] for number in numbers], holder, row)
    merged = None
    if kept is not None and read.document is not None:
        merged = merged_document(row, part, kept, read.document)
    if merged is None:
        return read
    document, motion = merged
    (found, *_) = row.read(document.source())
    if motion is None:
        return found
    return found._replace(scene=replace(found.scene, matrices=motion @ found.scene.matrices))

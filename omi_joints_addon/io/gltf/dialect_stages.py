"""Dialects of physics in files: the first stage of an import and the last of an export.

All other stages read and write the OMI extensions.
"""

from collections.abc import Collection
from typing import Any

from ..formats.gltf.dialect import Dialect
from ..formats.gltf.dialects import (
    KHR_EXTENSIONS,
    OMI_EXTENSIONS,
    add_khr,
    add_omi,
    dialects_of,
    mesh_nodes,
    remove_dialect,
    remove_mesh_nodes,
)
from ..formats.gltf.godot_original import as_authored, is_for_godot
from ..formats.gltf.godot_target import for_godot
from ..formats.gltf.omi_2023 import is_of_2023, upgrade
from ..formats.gltf.world_anchor import anchor_to_bodies, is_anchored
from .json_data import asset_json, document_json, extensions_json, set_document_json, structure_json
from .report import Report

EXTENSIONS = OMI_EXTENSIONS | KHR_EXTENSIONS
"""Names of the extensions of all dialects."""


def read_dialects(importer: Any, report: Report) -> set[int]:
    """Give a file that is in another dialect the OMI form of what it says.

    Return the nodes that are there to lend their mesh to shapes only.
    """
    said = extensions_json(importer.data)
    is_marked = is_for_godot(asset_json(importer.data))
    if Dialect.KHR not in dialects_of(said) and not is_of_2023(said) and not is_marked:
        return set()
    document = document_json(importer.data, EXTENSIONS)
    document, found = as_authored(document)
    report.add(found)
    report.add(upgrade(document))
    report.add(add_omi(document))
    remove_mesh_nodes(document)
    set_document_json(importer.data, document, EXTENSIONS)
    return mesh_nodes(document)


def write_dialects(data: Any, dialects: Collection[str], report: Report) -> None:
    """Give a document, to which the OMI form is written, the wanted dialects.

    `data` is the exporter's `gltf2_io.Gltf`, its list of nodes being final.
    """
    if OMI_EXTENSIONS.isdisjoint(data.extensions_used):
        return
    if set(dialects) == {Dialect.OMI} and is_anchored(structure_json(data)):
        return
    document = document_json(data, EXTENSIONS)
    if Dialect.KHR in dialects:
        add_khr(document, keep_originals=Dialect.OMI not in dialects)
    if Dialect.OMI in dialects:
        anchored = anchor_to_bodies(document)
        report.add(anchored)
        if not anchored and Dialect.KHR not in dialects:
            # It is as it was.
            return
    else:
        remove_dialect(document, Dialect.OMI)
    set_document_json(data, document, EXTENSIONS)


def write_for_godot(data: Any, report: Report) -> None:
    """Write a document, to which the OMI form is written, in the terms of Godot's importer."""
    if OMI_EXTENSIONS.isdisjoint(data.extensions_used):
        return
    document, findings = for_godot(document_json(data, EXTENSIONS))
    report.add(findings)
    set_document_json(data, document, EXTENSIONS)

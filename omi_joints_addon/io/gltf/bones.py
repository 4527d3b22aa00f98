"""Which bones of an armature a file has as bodies, and their parents."""

from collections.abc import Iterator, Mapping
from typing import Any

import bpy

from ...properties.body import motion_type_of
from ...properties.bones import BodyBone
from ...properties.gltf_options import OMI_PG_gltf_options, options_of
from .upstream import ExportSettings, body_bones_in


def written_bones(tree: Any, settings: ExportSettings) -> dict[str, BodyBone]:
    """Return the bones of the exporter's tree that are written as bodies, by their nodes."""
    return {
        uuid: bone
        for uuid, bone in body_bones_in(tree).items()
        if _options(bone, settings).export_bodies
    }


def loose_bones(bones: Mapping[str, BodyBone], settings: ExportSettings) -> Iterator[str]:
    """Yield the nodes of bones that go below their armatures: bodies move by themselves."""
    for uuid, bone in bones.items():
        if motion_type_of(bone) is not None and not _options(bone, settings).export_bones_nested:
            yield uuid


def _options(bone: BodyBone, settings: ExportSettings) -> OMI_PG_gltf_options:
    """Return the options of the export; the exporter does not name the scene of a tree."""
    collection = bpy.data.collections.get(settings["gltf_collection"] or "")
    return options_of(collection or bone.armature.users_scene[0])

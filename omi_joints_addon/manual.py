"""The manual: pages of the documentation that buttons and F1 open.

A released extension has the site in its folder `manual`; one that was built without it opens the
extension's page on the web.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import bpy

_PACKAGE = Path(__file__).resolve().parent
_FOLDER = _PACKAGE / "manual"
_GROUPS = {
    "omi_pg_body": "objectomi_body",
    "omi_pg_joint": "objectomi_joint",
    "omi_pg_joint_limit": "objectomi_jointlimits",
    "omi_pg_joint_drive": "objectomi_jointdrives",
    "omi_pg_joint_attributes": "objectomi_jointattributes",
    "omi_pg_joint_coupling": "objectomi_jointcoupling",
    "omi_pg_collider": "objectomi_bodycollider",
    "omi_pg_trigger": "objectomi_bodytrigger",
}
"""Headings of the page of properties, by the classes of their groups."""


@cache
def address(page: str) -> str:
    """Return the address of a page, such as "preview" or "tutorials/door#frames"."""
    name, mark, heading = page.partition("#")
    file = _FOLDER / f"{name}.html"
    return file.as_uri() + mark + heading if file.exists() else website()


def website() -> str:
    """Return the address in the manifest."""
    manifest = (_PACKAGE / "blender_manifest.toml").read_text("utf-8")
    return str(tomllib.loads(manifest)["website"])


def references() -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the pages that F1 opens, as Blender's manual maps: a start, patterns and ends."""
    if not _FOLDER.exists():
        return website(), (("bpy.ops.omi.*", ""), ("bpy.types.omi_*", ""))
    return f"{_FOLDER.as_uri()}/", (*_operators(), *_properties())


def _operators() -> Iterator[tuple[str, str]]:
    for name in dir(bpy.types):
        if name.startswith("OMI_OT_"):
            operator = getattr(bpy.types, name)
            # One table has all operators that fix findings.
            title = "Fixes" if hasattr(operator, "how") else operator.bl_label
            place = f"reference/operators.html#{_heading(title)}"
            yield f"bpy.ops.{operator.bl_idname}", place
    yield "bpy.ops.omi.*", "reference/operators.html"


def _properties() -> Iterator[tuple[str, str]]:
    for group, heading in _GROUPS.items():
        yield f"bpy.types.{group}.*", f"reference/properties.html#{heading}"
    yield "bpy.types.omi_*", "reference/properties.html"


def _heading(text: str) -> str:
    """Return the anchor of a heading as the site has it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def attach() -> None:
    """Let F1 find the pages."""
    bpy.utils.register_manual_map(references)


def detach() -> None:
    """Let F1 find Blender's own pages only."""
    bpy.utils.unregister_manual_map(references)

"""Attributes and schemas of a prim that this program does not know, kept with type and value.

As JSON text: an object with `schemas` and `attributes`, each of which is a type name and a value.
"""

import json
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from ....core.model.plain import kept_object
from ....core.model.scene import PhysicsScene
from .prim import Prim
from .pxr_access import usd
from .schema import is_known, known_schemas

_SCENE = (
    "xformOp",
    "primvars:",
    "userProperties:",
    "material:",
    "collection:",
    "ui:",
    "inputs:",
    "outputs:",
    "info:",
    "skel:",
    "blender:",
)
"""Beginnings of names that are about what a prim shows."""
_LOOKS = re.compile(
    r"(MaterialBinding|Collection|GeomModel|Motion|Visibility|SkelBinding|Shadow|Light).*API.*"
)
_KNOWN_INSTANCE = re.compile(r"(trans|rot)[XYZ]|distance|linear|angular|cone")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(:[A-Za-z0-9_]+)*")


def unknown_text(prim: Prim, used: Collection[str]) -> str:
    """Return what of a prim is neither in `used` nor about its looks, empty for nothing."""
    attributes = {
        name: [kind, value]
        for name, (kind, value) in prim.attributes.items()
        if (is_strange(name) or _is_custom(name, prim.type_name)) and name not in used
    }
    schemas = [
        schema
        for schema in prim.schemas
        if schema not in used
        and (not _is_known_schema(schema) or _is_kept_drive(schema, attributes))
    ]
    if not attributes and not schemas:
        return ""
    return json.dumps({"attributes": attributes, "schemas": schemas}, separators=(",", ":"))


def _is_kept_drive(schema: str, attributes: Collection[str]) -> bool:
    """Return whether a drive is kept because the joint has no such one."""
    name, _, instance = schema.partition(":")
    return name == "PhysicsDriveAPI" and f"drive:{instance}:physics:stiffness" in attributes


@lru_cache(maxsize=4096)
def is_strange(name: str) -> bool:
    """Return whether a name is neither one of physics nor about looks."""
    is_seen = ":" not in name or name.startswith(_SCENE)
    return not is_seen and not name.startswith("omi:") and not is_known(name)


def _is_custom(name: str, type_name: str) -> bool:
    """Return whether a name without a namespace is not one of the prim's type."""
    return ":" not in name and name not in _own_names(type_name)


@lru_cache(maxsize=256)
def _own_names(type_name: str) -> frozenset[str]:
    definition = usd().Usd.SchemaRegistry().FindConcretePrimDefinition(type_name)
    return frozenset(definition.GetPropertyNames() if definition else ())


@lru_cache(maxsize=4096)
def _is_known_schema(schema: str) -> bool:
    name, _, instance = schema.partition(":")
    own = f"{name}:{{}}" if _KNOWN_INSTANCE.fullmatch(instance) else schema
    return own in known_schemas() or _LOOKS.fullmatch(schema) is not None


def restore_unknown(prim: Prim, text: str) -> None:
    """Set what `unknown_text` kept; what the prim says by now is left as it is."""
    data = kept_object(text)
    schemas, attributes = data.get("schemas"), data.get("attributes")
    if isinstance(schemas, list):
        prim.apply(*(name for name in schemas if isinstance(name, str) and _NAME.fullmatch(name)))
    for name, pair in attributes.items() if isinstance(attributes, dict) else ():
        is_pair = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
        is_free = name not in prim.attributes and name not in prim.targets
        if is_pair and is_free and _NAME.fullmatch(name):
            prim.set(name, pair[0], _restored(pair[1]))


def _restored(value: object, deepest: int = 2) -> Any:
    """Return lists, and vectors or matrices in lists, as tuples; nothing is nested deeper."""
    if not isinstance(value, list) or deepest < 0:
        return value
    return tuple(_restored(part, deepest - 1) for part in value)


def unknown_of_bodies(scene: PhysicsScene) -> dict[int, str]:
    """Return what bodies carry of schemas that this program does not know, by node."""
    carried = scene.carried.get("usd")
    bodies = carried.get("bodies", {}) if isinstance(carried, dict) else {}
    return {int(node): text for node, text in bodies.items()}

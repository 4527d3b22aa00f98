"""What formats keep for themselves, on the collection or the light that it is about."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import bpy

from ..core.model.plain import JsonObject, kept_object

_NAME = "omi_carried"


def keep_carried(holder: bpy.types.ID, carried: Mapping[str, Any]) -> None:
    """Keep plain JSON values by the names of formats."""
    holder[_NAME] = json.dumps(carried)


def kept_of(holders: Iterable[bpy.types.ID]) -> JsonObject:
    """Return what is kept on holders by the names of formats; of several, the first counts."""
    found: JsonObject = {}
    for holder in holders:
        found = kept_object(str(holder.get(_NAME, ""))) | found
    return found

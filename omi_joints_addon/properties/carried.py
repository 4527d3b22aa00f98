"""What formats keep of a model for themselves, on the collection that it was read into."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import bpy

_NAME = "omi_carried"


def keep_carried(collection: bpy.types.Collection, carried: Mapping[str, Any]) -> None:
    """Keep plain JSON values by the names of formats."""
    collection[_NAME] = json.dumps(carried)


def kept_of(collections: Iterable[bpy.types.Collection]) -> dict[str, Any]:
    """Return what is kept on collections by the names of formats; of several, the first counts."""
    found: dict[str, Any] = {}
    for collection in collections:
        try:
            kept = json.loads(str(collection.get(_NAME, "{}")))
        except ValueError:
            continue
        found = (kept | found) if isinstance(kept, dict) else found
    return found

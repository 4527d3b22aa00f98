"""What a document carries for this program only, used while the rest of it is unchanged.

A carrier is a JSON object beside the members that other programs read, with a digest of them: once
somebody edits those, the carrier counts no longer.
"""

import json
from collections.abc import Mapping
from typing import Any

from ...core.model.plain import JsonObject


def carrier(values: Mapping[str, Any], members: Mapping[str, Any]) -> JsonObject:
    """Return the carrier of some plain JSON values (`plain`) beside the standard members."""
    return {**values, "digest": digest(members)}


def carried_of(value: object, members: Mapping[str, Any]) -> JsonObject | None:
    """Return the values of a carrier; None where it is none, or the members have been edited."""
    if not isinstance(value, dict) or value.get("digest") != digest(members):
        return None
    return {name: item for name, item in value.items() if name != "digest"}


def digest(members: Mapping[str, Any]) -> str:
    """Return a digest of JSON members, whatever their order."""
    # Half a tenth of a second, which most files need not pay.
    import hashlib

    text = json.dumps(members, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]

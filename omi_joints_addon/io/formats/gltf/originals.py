"""What a value is in another dialect, kept in its `extras` where its own dialect cannot express it.

A reader of the other dialect takes the original as long as the value beside it still says what it
expressed: a value that another program has changed since counts.
"""

from ....core.model.plain import JsonObject


def with_original(value: JsonObject, original: JsonObject, extension: str) -> JsonObject:
    """Return a value with the original of the dialect `extension` in its extras.

    Extras that are not objects have no room for it; the original holds them.
    """
    extras = value.get("extras")
    kept = extras if isinstance(extras, dict) else {}
    return value | {"extras": kept | {extension: original}}


def take_original(value: JsonObject, extension: str) -> tuple[JsonObject, JsonObject | None]:
    """Return a value without the original of the dialect `extension`, and that original.

    None where there is none.
    """
    extras = value.get("extras")
    original = extras.get(extension) if isinstance(extras, dict) else None
    if not isinstance(extras, dict) or not isinstance(original, dict):
        return value, None
    rest = {name: member for name, member in extras.items() if name != extension}
    plain = {name: member for name, member in value.items() if name != "extras"}
    return plain | ({"extras": rest} if rest else {}), original

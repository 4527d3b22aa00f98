"""JSON pointers (RFC 6901) into a document."""


def nearest(document: object, pointer: str) -> str:
    """Return the longest start of a pointer that leads to something; empty is the document.

    Findings about what is missing point to what it is missing in, and those about forms that are
    read as another one (joints of 2023, files for Godot) to what the file has in that place. Other
    text is returned as it is.
    """
    if not pointer.startswith("/"):
        return pointer
    value, there = document, ""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            break
        there = f"{there}/{part}"
    return there

"""Files of OpenUSD by their suffix and their first bytes."""

_BINARY, _TEXT, _ZIP = b"PXR-USDC", b"#usda", b"PK\x03\x04"
SUFFIXES = (".usda", ".usdc", ".usdz", ".usd")
_NAME_AT = 30
"""Where the name of the first file in a ZIP archive is."""


def is_package(head: bytes) -> bool:
    """Return whether a file starts as a .usdz does: a ZIP archive whose first file is a layer."""
    end = _NAME_AT + int.from_bytes(head[26:28], "little")
    name = head[_NAME_AT:end].lower()
    return head.startswith(_ZIP) and name.endswith((b".usd", b".usda", b".usdc"))


def is_stage(head: bytes) -> bool:
    """Return whether a file that starts with `head` is certainly a USD file."""
    return head.startswith((_BINARY, _TEXT)) or is_package(head)

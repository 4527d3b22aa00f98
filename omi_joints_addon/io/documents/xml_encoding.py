"""Bytes of an XML file to text and back, in the encoding that the file has (XML 1.0, F)."""

import codecs
import re
from typing import NamedTuple

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._-]+)""")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ROOT = re.compile(rb"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+)*+<(?:\w+:)?+([\w.-]++)[\s/>]", re.DOTALL)
_STARTS = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
"""Of what has no mark."""


class Encoding(NamedTuple):
    """How a text is in a file."""

    name: str
    mark: bytes = b""
    """Byte order mark at its start."""

    @property
    def is_wide(self) -> bool:
        """Whether characters of ASCII take two bytes."""
        return self.name.startswith("utf-16")

    def decoded(self, data: bytes) -> str:
        """Return the text of a file; raises `UnicodeDecodeError`, `LookupError`."""
        return data.removeprefix(self.mark).decode(self.name)

    def encoded(self, text: str) -> bytes:
        """Return the bytes of a file; characters that the encoding lacks become references."""
        return self.mark + text.encode(self.name, "xmlcharrefreplace")


def encoding_of(data: bytes) -> Encoding:
    """Return the encoding that an XML file shows by its first bytes or declares, else UTF-8."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            declared = _DECLARED.match(data, len(mark)) if name == "utf-8" else None
            return Encoding(declared[1].decode() if declared else name, mark)
    for start, name in _STARTS:
        if data.startswith(start):
            return Encoding(name)
    declared = _DECLARED.match(data)
    return Encoding(declared[1].decode() if declared else "utf-8")


def root_of(head: bytes) -> bytes:
    """Return the name of the root element of a file that starts with `head`; empty without one."""
    encoding = encoding_of(head)
    text = head.removeprefix(encoding.mark)
    if encoding.is_wide:
        text = text.decode(encoding.name, "ignore").encode()
    found = _ROOT.match(text)
    return found[1] if found else b""

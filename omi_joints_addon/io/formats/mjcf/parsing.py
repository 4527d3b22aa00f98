"""Text of one MJCF file to elements: what MuJoCo's parser takes beyond XML."""

import re
import xml.etree.ElementTree as ET

from ....core.findings.sentence import Sentence
from ...documents.xml_encoding import encoding_of
from ..format import UnreadableError
from ..xml_text import parsed_xml

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NO_SPACE = re.compile(r"""(=\s*(?:"[^"<]*"|'[^'<]*'))(?=[A-Za-z_])""")
_DEEPEST = 500


def parsed(text: bytes) -> ET.Element:
    """Return the root element of a text; raises `UnreadableError` with line and column."""
    try:
        # Comments may hold "--", and attributes may follow each other without a space.
        plain = _COMMENT.sub(_lines_of, _decoded(text))
    except UnicodeDecodeError as error:
        name = error.encoding.upper()
        raise UnreadableError(
            Sentence("is not {name} text (byte {start})", name=name, start=error.start)
        ) from error
    return parsed_xml(_NO_SPACE.sub(r"\1 ", plain), name="MJCF", deepest=_DEEPEST)


def _decoded(text: bytes) -> str:
    """Return a text as MuJoCo reads it: as UTF-8, whatever it declares; UTF-16 has its mark."""
    encoding = encoding_of(text)
    return encoding.decoded(text) if encoding.is_wide else text.decode("utf-8-sig")


def _lines_of(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")

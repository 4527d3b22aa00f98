"""Text of elements of XML: what ElementTree prints, to the letter."""

import xml.etree.ElementTree as ET

import pytest

from omi_joints_addon.io.formats.xml_text import element_text

TEXTS = (
    "<a/>",
    "<a b='1' c=''>text<d/>tail</a>",
    "<a b='&lt;&gt;&amp;&quot;&#10;&#9;&#13;'>&lt;&gt;&amp;\"&#13; \n\t<b> </b> &amp; </a>",
    "<a xmlns='http://one' xmlns:x='http://two&amp;'><x:b x:c='1'/><d xmlns='http://one'/></a>",
    "<a xml:space='preserve' xmlns:x='http://one'><x:b/></a>",
    "<robot xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b'/>",
    "<a xmlns:z='http://www.w3.org/1999/xhtml' xmlns:b='http://one'><b:c/><z:br/></a>",
    "<gelenk name='Tür 門 😀'>ß</gelenk>",
)


@pytest.mark.parametrize("text", TEXTS)
def test_elements_are_printed_as_by_the_standard_library(text: str) -> None:
    root = ET.fromstring(text)
    assert element_text(root) == ET.tostring(root, encoding="unicode")
    for child in root:
        assert element_text(child) == ET.tostring(child, encoding="unicode")

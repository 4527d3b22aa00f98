"""XML texts edited in place, judged by ElementTree, which makes the same edits on its own tree."""

import random
import xml.etree.ElementTree as ET

import pytest

from omi_joints_addon.io.documents.splices import UneditableError
from omi_joints_addon.io.documents.xml_edits import XmlEdits
from omi_joints_addon.io.documents.xml_source import XmlSource
from tests.elsewhere import robots_folder

TEXT = b"""<?xml version="1.0"?>
<!-- a robot -- by hand -->
<robot name='r&amp;d'
       version = "1">
\t<link name="a"/><link name="b" mass="1.50"
\t\tkind="x &lt; y"></link>
\t<group>
\t\t<joint name="j1" type='revolute' /> <!-- the first -->
\t\t<joint name="j2">text &#228;</joint>
\t</group>
\t<empty></empty>
</robot>
<!-- the end -->
"""
TEXTS = (
    TEXT,
    TEXT.replace(b"\n", b"\r\n"),
    b"\xef\xbb\xbf" + TEXT,
    TEXT.replace(b'"1.0"', b'"1.0" encoding="latin-1"').replace(b"text", b"t\xe4xt"),
    b"<a><b c='1'/><b c='2'/></a>",
    b"<a/>",
)


def parsed(data: bytes) -> ET.Element:
    """Return the tree; ElementTree refuses "--" in comments, which MuJoCo reads."""
    return ET.fromstring(data.replace(b" -- by hand", b""))


def plain(element: ET.Element):
    words = "".join((element.text or "", *(child.tail or "" for child in element))).split()
    return (element.tag, element.attrib, words, [*map(plain, element)])


@pytest.mark.parametrize("data", TEXTS, ids=range(len(TEXTS)))
def test_text_without_edits_is_the_same_to_the_byte(data):
    assert XmlEdits(XmlSource(data)).data() == data


@pytest.mark.parametrize("data", TEXTS, ids=range(len(TEXTS)))
def test_elements_are_those_of_another_parser(data):
    found = [(e.tag, e.attrib) for e in XmlSource(data).root.iter()]
    assert found == [(e.tag, dict(e.attrib)) for e in parsed(data).iter()]


@pytest.mark.parametrize("seed", range(300))
def test_random_edits_are_those_that_another_parser_makes(seed):
    chance = random.Random(seed)
    data = chance.choice(TEXTS)
    assert_edited_alike(data, chance)


def assert_edited_alike(data: bytes, chance: random.Random) -> None:
    edits, tree = XmlEdits(XmlSource(data)), parsed(data)
    ours, theirs = list(edits.source.root.iter()), list(tree.iter())
    at = chance.randrange(len(ours))
    one, other = ours[at], theirs[at]
    deed = chance.choice((edit_attribute, add_element, *((take_out,) if at else ())))
    deed(edits, one, tree, other, chance)
    assert plain(parsed(edits.data())) == plain(tree)


def edit_attribute(edits, one, _tree, other, chance):
    value = chance.choice(("3.5", 'say "it\'s" <&>', "tab\there", ""))
    old = [*one.attrib]
    name = chance.choice((*old, "k1", "k2"))
    if name in old and chance.random() < 0.3:
        edits.unset(one, name)
        del other.attrib[name]
        return
    for key in {name, "k1"}:
        edits.set(one, key, value)
        other.set(key, value)


def add_element(edits, one, _tree, other, chance):
    is_first = chance.random() < 0.5
    (edits.add_first if is_first else edits.add)(one, '<new a="1">\n  <in/>\n</new>')
    new = ET.Element("new", a="1")
    new.append(ET.Element("in"))
    other.insert(0 if is_first else len(other), new)


def take_out(edits, one, tree, other, chance):
    parent = next(each for each in tree.iter() if other in list(each))
    where = list(parent).index(other)
    parent.remove(other)
    if chance.random() < 0.5:
        edits.remove(one)
        if where:
            parent[where - 1].tail = (parent[where - 1].tail or "") + (other.tail or "")
        else:
            parent.text = (parent.text or "") + (other.tail or "")
        return
    edits.replace(one, "<other/>")
    new = ET.Element("other")
    new.tail = other.tail
    parent.insert(where, new)


def test_a_set_value_is_one_changed_line():
    edits = XmlEdits(XmlSource(TEXT))
    joint = next(e for e in edits.source.root.iter() if e.get("name") == "j1")
    edits.set(joint, "type", "fixed")
    old, new = TEXT.splitlines(), edits.data().splitlines()
    assert [line for line in new if line not in old] == [
        b"\t\t<joint name=\"j1\" type='fixed' /> <!-- the first -->"
    ]


def test_new_elements_are_indented_as_those_around_them():
    edits = XmlEdits(XmlSource(TEXT.replace(b"\n", b"\r\n")))
    group = edits.source.root.find("group")
    edits.add(group, '<joint name="j3">\n  <axis/>\n</joint>')
    new = b'\t\t<joint name="j3">\r\n\t\t\t<axis/>\r\n\t\t</joint>\r\n\t</group>'
    assert new in edits.data()


def test_several_elements_put_into_an_empty_one_keep_their_order():
    edits = XmlEdits(XmlSource(b"<a><b/></a>"))
    place = edits.source.root.find("b")
    edits.set(place, "k", "1")
    edits.add(place, "<c/>")
    edits.add(place, "<d/>")
    assert [e.tag for e in ET.fromstring(edits.data())[0]] == ["c", "d"]


def test_an_element_is_added_where_the_last_one_was_removed():
    edits = XmlEdits(XmlSource(TEXT))
    group = edits.source.root.find("group")
    for joint in group.children:
        edits.remove(joint)
    edits.add(group, '<joint name="j3"/>')
    assert [e.get("name") for e in parsed(edits.data()).find("group")] == ["j3"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<a",
        b"<a><b></a>",
        b"</a>",
        b"<a b='1' b='2'/>",
        b"<!DOCTYPE a><a/>",
        b"<a b='&#x7fffffff;'/>",
        b"<a><!-- </a>",
    ],
)
def test_text_without_certain_places_is_refused(data):
    with pytest.raises(UneditableError):
        XmlSource(data)


@pytest.mark.needs("public robots")
def test_public_files_without_edits_are_the_same_to_the_byte_and_edited_alike():
    files = [p for kind in ("*.urdf", "*.xml") for p in sorted(robots_folder().rglob(kind))]
    chance, compared = random.Random(5), 0
    for path in files:
        data = path.read_bytes()
        try:
            parsed(data)
            source = XmlSource(data)
        except (ET.ParseError, UneditableError):
            continue
        assert XmlEdits(source).data() == data, path
        assert_edited_alike(data, chance)
        compared += 1
    assert compared > 0.9 * len(files)

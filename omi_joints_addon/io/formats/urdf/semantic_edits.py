"""Named poses and pairs of links put into the text of an SRDF file, which else stays as it is."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ....closeness import is_close
from ....core.model.named_pose import NamedPose
from ...documents.number_words import numbers_in, word
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement, XmlSource
from .printing import printed_element

Pair = frozenset[str]
_ADJACENT = "Adjacent"
"""Reason of pairs that a joint connects."""
_JOINTS = frozenset(
    (("joint", "name"), ("passive_joint", "name"), ("joint_property", "joint_name"))
)
_LINKS = frozenset(
    (
        *(("link", "name"), ("chain", "base_link"), ("chain", "tip_link")),
        *(("disable_collisions", "link1"), ("disable_collisions", "link2")),
        *(("enable_collisions", "link1"), ("enable_collisions", "link2")),
        *(("disable_default_collisions", "link"), ("link_sphere_approximation", "link")),
        *(("end_effector", "parent_link"), ("virtual_joint", "child_link")),
    )
)
"""Attributes of SRDF that name a joint or a link (moveit/srdfdom, `src/model.cpp`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an SRDF file is to say, in new names."""

    robot: str
    poses: tuple[NamedPose, ...]
    gone: frozenset[str]
    """Names of poses that are to go."""
    joints: Mapping[str, str]
    """New names of the robot's joints by those in the text."""
    links: Mapping[str, str]
    apart: frozenset[Pair]
    """Pairs that are to be added."""
    together: frozenset[Pair]
    """Pairs that are to go, in the names of the text."""


def edited_semantics(data: bytes, wanted: Wanted) -> bytes:
    """Return the text of an SRDF file with what differs; raises `UneditableError`."""
    edits = XmlEdits(XmlSource(data))
    root = edits.source.root
    edits.set(root, "name", wanted.robot)
    for element in root.iter():
        _rename(edits, element, wanted)
    states = list(root.findall("group_state"))
    for state in states:
        if state.get("name") in wanted.gone:
            edits.remove(state)
    for pose in wanted.poses:
        own = [state for state in states if state.get("name") == pose.name]
        if own:
            _edit_pose(edits, own, dict(pose.positions), wanted.joints)
        else:
            _add_pose(edits, pose)
    _edit_pairs(edits, wanted)
    return edits.data()


def _rename(edits: XmlEdits, element: SourceElement, wanted: Wanted) -> None:
    for named, names in ((_JOINTS, wanted.joints), (_LINKS, wanted.links)):
        for name in element.spans:
            if (element.tag, name) in named and element.get(name) in names:
                edits.set(element, name, names[element.get(name)])


def _edit_pose(
    edits: XmlEdits,
    states: list[SourceElement],
    positions: dict[str, float],
    joints: Mapping[str, str],
) -> None:
    """Have the states of one name say where joints are; others than the robot's stay."""
    # The last one of a joint counts.
    known = {joints.get(each.get("name")): each for s in states for each in s.findall("joint")}
    for name, element in known.items():
        if name is not None and name not in positions:
            edits.remove(element)
    for name, value in positions.items():
        if name not in known:
            edits.add(states[-1], _printed("joint", name=name, value=word(value)))
        elif not _has(known[name], value):
            edits.set(known[name], "value", word(value))


def _has(element: SourceElement, value: float) -> bool:
    found = numbers_in(element.get("value"))
    return len(found) == 1 and is_close(found[0], value)


def _add_pose(edits: XmlEdits, pose: NamedPose) -> None:
    """Add a state behind the last one, of a group that has its joints or a new one."""
    root, names = edits.source.root, {name for name, _ in pose.positions}
    group = next(_groups(root, names), None)
    if group is None:
        group = pose.name
        while any(each.get("name") == group for each in root.findall("group")):
            group += "_joints"
        made = ET.Element("group", name=group)
        for name in sorted(names):
            ET.SubElement(made, "joint", name=name)
        edits.add(root, printed_element(made), after=_last(edits, "group"))
    state = ET.Element("group_state", name=pose.name, group=group)
    for name, value in pose.positions:
        ET.SubElement(state, "joint", name=name, value=word(value))
    edits.add(root, printed_element(state), after=_last(edits, "group_state", "group"))


def _groups(root: SourceElement, names: set[str]) -> Iterator[str]:
    """Yield groups that list some joints, or whose states set them all."""
    for group in root.findall("group"):
        if names <= {each.get("name") for each in group.findall("joint")}:
            yield group.get("name")
    for state in root.findall("group_state"):
        if names <= {each.get("name") for each in state.findall("joint")}:
            yield state.get("group")


def _last(edits: XmlEdits, *tags: str) -> SourceElement | None:
    """Return the last element that is there of the first tag that has any."""
    for tag in tags:
        left = [e for e in edits.source.root.findall(tag) if e not in edits.removed]
        if left:
            return left[-1]
    return None


def _edit_pairs(edits: XmlEdits, wanted: Wanted) -> None:
    for element in edits.source.root.findall("disable_collisions"):
        if element.get("reason") != _ADJACENT and pair_of(element.attrib) in wanted.together:
            edits.remove(element)
    after = _last(edits, "disable_collisions")
    for one, other in sorted(map(sorted, wanted.apart)):
        line = _printed("disable_collisions", link1=one, link2=other, reason="User")
        edits.add(edits.source.root, line, after=after)


def pair_of(attributes: Mapping[str, str]) -> Pair:
    """Return the links that an element keeps apart."""
    return frozenset((attributes.get("link1", ""), attributes.get("link2", "")))


def pairs_apart(elements: Iterable[ET.Element]) -> Iterator[tuple[str, str]]:
    """Yield the links that elements keep apart, but for those that a joint keeps apart anyhow."""
    for element in elements:
        if element.get("reason") != _ADJACENT and len(pair_of(element.attrib)) > 1:
            yield element.get("link1", ""), element.get("link2", "")


def _printed(tag: str, **attributes: str) -> str:
    return printed_element(ET.Element(tag, attributes))

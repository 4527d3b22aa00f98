"""What a robot's SRDF file adds to its URDF: named poses, and pairs of links that do not collide.

Source: moveit/srdfdom, `src/model.cpp`. The file is the one of the robot's name in the folder of
the URDF, or in `srdf` or `config` below it.
"""

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ....core.model.named_pose import NamedPose
from ...documents.number_words import numbers_in, word
from ...files import opened
from ..beside import Folders
from ..format import UnreadableError
from ..revision import Revision
from ..xml_text import parsed_xml, printed_xml
from .document import Robot

_FOLDERS = (".", "srdf", "config")
_DEEPEST = 20
_LARGEST = 16 * 2**20
_ALL = "all"
"""Group of all joints that poses name."""
_OURS = b"<!-- poses by OMI Physics Joints, "
"""Begins the comment behind files that this program wrote, which goes on with a digest of them."""


class Semantics(NamedTuple):
    """What an SRDF file says of a robot."""

    path: Path
    poses: tuple[NamedPose, ...]
    pairs: tuple[tuple[str, str], ...]
    """Names of links that do not collide."""


def semantics_of(
    document: Path, robot: str, links: Collection[str], joints: Collection[str], folders: Folders
) -> Semantics | None:
    """Return what the SRDF file of a robot says, None where there is none.

    Links and joints that the robot does not have are left out.
    """
    for path in _candidates(document, folders):
        try:
            with opened(path) as file:
                root = parsed_xml(file.read(_LARGEST), name="SRDF", deepest=_DEEPEST)
        except (OSError, UnreadableError):
            continue
        if root.tag == "robot" and root.get("name") == robot:
            return Semantics(path, tuple(_poses(root, joints)), tuple(_apart(root, links)))
    return None


def semantics_beside(
    path: Path, robot: str, poses: Sequence[NamedPose], names: Mapping[str, str]
) -> dict[str, bytes]:
    """Return the SRDF file for named poses beside a URDF at `path`, by its name.

    `names` are those of joints in the document. Nothing is written without poses, nor over a file
    that this program did not write or that was edited since: it may say more than poses.
    """
    beside = path.with_suffix(".srdf")
    if not poses or not _is_free(beside):
        return {}
    root = ET.Element("robot", name=robot)
    group = ET.SubElement(root, "group", name=_ALL)
    for name in dict.fromkeys(name for pose in poses for name, _ in pose.positions):
        ET.SubElement(group, "joint", name=names.get(name, name))
    for pose in poses:
        state = ET.SubElement(root, "group_state", name=pose.name, group=_ALL)
        for name, position in pose.positions:
            ET.SubElement(state, "joint", name=names.get(name, name), value=word(position))
    text = b"<?xml version='1.0' encoding='utf-8'?>\n" + printed_xml(root) + b"\n"
    return {beside.name: text + _signature(text)}


def _signature(text: bytes) -> bytes:
    return _OURS + hashlib.sha256(text).hexdigest().encode() + b" -->\n"


def _is_free(path: Path) -> bool:
    """Return whether no file is there, or one that is as this program wrote it."""
    try:
        with path.open("rb") as file:
            text, mark, rest = file.read(_LARGEST).rpartition(_OURS)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return mark + rest == _signature(text)


def without_semantics(revision: Revision, robot: Robot, folders: Folders) -> Revision:
    """Return what is to change beside what the SRDF file says, which stays as it is."""
    links, joints = ([each.name for each in found] for found in (robot.links, robot.joints))
    found = semantics_of(revision.document.path, robot.name, links, joints, folders)
    if found is None:
        return revision
    before, after = revision.before, revision.after
    names = {frozenset(pair) for pair in found.pairs}
    own = [
        pair
        for pair in before.excluded_pairs
        if frozenset(before.names[node] for node in pair) in names
    ]
    moved = {frozenset(revision.match.get(node, -1) for node in pair) for pair in own}
    return replace(
        revision,
        before=replace(
            before,
            poses=(),
            excluded_pairs=tuple(pair for pair in before.excluded_pairs if pair not in own),
        ),
        after=replace(
            after,
            poses=tuple(pose for pose in after.poses if pose not in found.poses),
            excluded_pairs=tuple(
                pair for pair in after.excluded_pairs if frozenset(pair) not in moved
            ),
        ),
    )


def _candidates(document: Path, folders: Folders) -> Iterator[Path]:
    for name in _FOLDERS:
        folder = document.parent / name
        try:
            found = sorted(folder.glob("*.srdf")) if folder.is_dir() else []
        except OSError:
            continue
        yield from (path for path in found if path.is_file() and folders.hold(path))


def _poses(root: ET.Element, joints: Collection[str]) -> Iterator[NamedPose]:
    """Yield the states of groups; those of one name are one pose."""
    found: dict[str, dict[str, float]] = {}
    for state in root.iterfind("group_state"):
        for each in state.iterfind("joint"):
            name, at = each.get("name", ""), numbers_in(each.get("value", ""))
            if name in joints and len(at) == 1:
                found.setdefault(state.get("name", ""), {})[name] = at[0]
    for name, positions in found.items():
        yield NamedPose(name=name, positions=tuple(positions.items()))


def _apart(root: ET.Element, links: Collection[str]) -> Iterator[tuple[str, str]]:
    for element in root.iterfind("disable_collisions"):
        pair = (element.get("link1", ""), element.get("link2", ""))
        # A joint keeps its own links apart anyhow.
        if element.get("reason") != "Adjacent" and {*pair} <= {*links} and pair[0] != pair[1]:
            yield pair

"""What a robot's SRDF file adds to its URDF: named poses, and pairs of links that do not collide.

Source: moveit/srdfdom, `src/model.cpp`. The file is the one of the robot's name in the folder of
the URDF, or in `srdf` or `config` below it.
"""

import hashlib
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ....core.model.named_pose import NamedPose
from ....core.model.scene import PhysicsScene
from ...documents.number_words import numbers_in, word
from ...files import opened
from ..beside import Folders
from ..format import UnreadableError
from ..revision import Revision
from ..xml_text import parsed_xml, printed_xml
from .parsing import parsed_robot
from .semantic_edits import Wanted, edited_semantics, pairs_apart

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
    data: bytes
    """The file."""


def semantics_of(
    document: Path, robot: str, links: Collection[str], joints: Collection[str], folders: Folders
) -> Semantics | None:
    """Return what the SRDF file of a robot says, None where there is none.

    Links and joints that the robot does not have are left out.
    """
    for path in _candidates(document, folders):
        try:
            with opened(path) as file:
                data = file.read(_LARGEST)
            root = parsed_xml(data, name="SRDF", deepest=_DEEPEST)
        except (OSError, UnreadableError):
            continue
        if root.tag == "robot" and root.get("name") == robot:
            pairs = pairs_apart(root.iterfind("disable_collisions"))
            apart = tuple(pair for pair in pairs if {*pair} <= {*links})
            return Semantics(path, tuple(_poses(root, joints)), apart, data)
    return None


def semantics_beside(
    path: Path,
    robot: str,
    poses: Sequence[NamedPose],
    names: Mapping[str, str],
    pairs: Iterable[tuple[str, str]] = (),
) -> dict[str, bytes]:
    """Return the SRDF file for named poses and pairs of links beside a URDF at `path`, by its name.

    `names` are those of joints in the document. Nothing is written where there are none, nor over a
    file that this program did not write or that was edited since: it may say more.
    """
    beside, pairs = path.with_suffix(".srdf"), list(pairs)
    if not (poses or pairs) or not _is_free(beside):
        return {}
    root = ET.Element("robot", name=robot)
    joints = dict.fromkeys(name for pose in poses for name, _ in pose.positions)
    if joints:
        group = ET.SubElement(root, "group", name=_ALL)
        for name in joints:
            ET.SubElement(group, "joint", name=names.get(name, name))
    for pose in poses:
        state = ET.SubElement(root, "group_state", name=pose.name, group=_ALL)
        for name, position in pose.positions:
            ET.SubElement(state, "joint", name=names.get(name, name), value=word(position))
    for one, other in pairs:
        ET.SubElement(root, "disable_collisions", link1=one, link2=other, reason="User")
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


def with_semantics_edited(
    revision: Revision, folders: Folders, target: Path
) -> tuple[Revision, dict[str, bytes]]:
    """Return what is to change beside what the SRDF file says, and that file where it differs.

    Raises `UneditableError`.
    In the place of the document, or in another folder, it keeps its name. Beside the document it
    would be that of both, so there it is named after the new one.
    """
    document = revision.document.path
    if not _candidates(document, folders):
        return revision, {}
    robot, _ = parsed_robot(revision.document.source().text())
    links, joints = ([each.name for each in found] for found in (robot.links, robot.joints))
    found = semantics_of(document, robot.name, links, joints, folders)
    if found is None:
        return revision, {}
    data = edited_semantics(found.data, _wanted(revision, found, links, joints))
    if data == found.data:
        return _without(revision, found, is_written=True), {}
    home = document.resolve().parent
    name = target.with_suffix(".srdf").name
    if target.resolve() == document.resolve() or target.resolve().parent != home:
        name = found.path.resolve().relative_to(home).as_posix()
    elif not _is_free(target.with_name(name)):
        return _without(revision, found, is_written=False), {}
    return _without(revision, found, is_written=True), {name: data}


def _wanted(
    revision: Revision, found: Semantics, links: Sequence[str], joints: Sequence[str]
) -> Wanted:
    before, after = revision.before, revision.after
    renamed = {before.names[node]: after.names[other] for node, other in revision.match.items()}
    old, known = (set(_pairs(scene)) for scene in (before, after))
    here = {frozenset(pair) for pair in found.pairs}
    kept = {frozenset(renamed.get(name, name) for name in pair) for pair in old}
    return Wanted(
        robot=after.name or before.name,
        poses=after.poses,
        gone=frozenset({each.name for each in found.poses} - {each.name for each in after.poses}),
        joints={name: renamed.get(name, name) for name in joints},
        links={name: renamed.get(name, name) for name in links},
        apart=frozenset(known - kept),
        together=frozenset(
            pair
            for pair in here
            if frozenset(renamed.get(name, name) for name in pair) not in known
        ),
    )


def _pairs(scene: PhysicsScene) -> Iterator[frozenset[str]]:
    """Yield the names of bodies that do not collide."""
    for pair in scene.excluded_pairs:
        yield frozenset(scene.names[node] for node in pair)


def _without(revision: Revision, found: Semantics, *, is_written: bool) -> Revision:
    """Return a revision without what an SRDF file says, or is to say where that is written."""
    before, after, match = revision.before, revision.after, revision.match
    names = {frozenset(pair) for pair in found.pairs}
    others = [
        pair
        for pair in before.excluded_pairs
        if frozenset(before.names[node] for node in pair) not in names
    ]
    left = {frozenset(match.get(node, -1) for node in pair) for pair in others}
    own = {frozenset(match.get(node, -1) for node in pair) for pair in before.excluded_pairs} - left

    def is_left(pair: tuple[int, int]) -> bool:
        return frozenset(pair) in left if is_written else frozenset(pair) not in own

    poses = () if is_written else tuple(pose for pose in after.poses if pose not in found.poses)
    pairs = tuple(filter(is_left, after.excluded_pairs))
    return replace(
        revision,
        before=replace(before, poses=(), excluded_pairs=tuple(others)),
        after=replace(after, poses=poses, excluded_pairs=pairs),
    )


def _candidates(document: Path, folders: Folders) -> list[Path]:
    """Return the SRDF files in the folders, those named after the document first."""
    found: list[Path] = []
    for name in _FOLDERS:
        folder = document.parent / name
        with suppress(OSError):
            found += sorted(folder.glob("*.srdf")) if folder.is_dir() else []
    usable = [path for path in found if path.is_file() and folders.hold(path)]
    return sorted(usable, key=lambda path: path.stem != document.stem)


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

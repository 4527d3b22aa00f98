"""A scene put into the SDF file that it was read from, value by value.

Values are compared as the writer has them for the scene before and after the edit, so that only
what somebody changed is written, in the frames and the units of the file. Included files stay.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ....core.checks.matching import matched_by_name
from ....core.findings.loss import Losses, Noun
from ....core.meaning.velocities import center_in_meters
from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix, rotation_matrix
from ....core.model.settled import settled
from ....core.rewrite.same_joints import with_joints_described_as
from ...documents.number_words import rounded, shortest, words
from ...documents.schema import WORD, Row, put
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement, XmlSource
from ..format import Written
from ..revision import Revision
from .frames import SEPARATOR, Scope, matrix_of, numbers_of
from .joint_reading import frame_of_axis
from .models import Item, Placed
from .reading import SceneReader, read_document
from .schema import AXIS, LINK
from .writing import SceneWriter

_Links = Mapping[int, tuple[Placed, Item]]
_REFERENCES = ("relative_to", "attached_to", "expressed_in", "canonical_link", "placement_frame")
"""Attributes that name a link, joint or frame."""
_NAMING = frozenset(
    (
        *("parent", "child", "gearbox_reference_body", "placement_frame"),
        *("joint_name", "link_name", "parent_link", "child_link", "body_name"),
    )
)
"""Elements whose text names a link or joint, in the file and in plugins."""
_MASSES = {Noun.MASS, Noun.CENTER_OF_MASS, Noun.INERTIA, Noun.GRAVITY_FACTOR, Noun.MOTION}
_TENSOR = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
_DIRECTION = Row("xyz", "xyz", WORD)
_ROWS = {row.field: row for row in LINK.rows if isinstance(row, Row)}
_ROWS["pose"] = Row("pose", "inertial/pose", WORD)


def edited_document(revision: Revision) -> Written:
    """Return the file with what differs; raises `UneditableError`."""
    name, data = next(iter(revision.document.files.items()))
    editor = _Editor(revision, data)
    editor.edit()
    text = editor.edits.data()
    again = read_document(revision.document.source({name: text}))[0].scene
    # Ranges that changed may have their zero elsewhere.
    again, _ = with_joints_described_as(
        revision.after, again, matched_by_name(revision.after, again)
    )
    revision.report(again, editor.losses)
    return Written(files={name: text}, losses=tuple(editor.losses), names_all=True)


class _Editor:
    def __init__(self, revision: Revision, data: bytes) -> None:
        self.losses = Losses()
        self._revision = revision
        source = XmlSource(data)
        self.edits = XmlEdits(source)
        reader = SceneReader(revision.document.source())
        reader.scene(reader.tops(source.root))
        self._own = {id(element) for element in source.root.iter()}
        self._links, self._joints = reader.link_items, reader.joint_items
        self._before, self._after = (
            SceneWriter(scene, "1.11", Losses(), "") for scene in (revision.before, revision.after)
        )
        self._nouns: dict[int, set[Noun]] = {}
        for each in revision.edits:
            self._nouns.setdefault(each.node, set()).add(each.noun)

    def edit(self) -> None:
        """Make all edits; what there is no rule for is reported when the text is read again."""
        match, before = self._revision.match, self._revision.before
        numbers = {joint.node: n for n, joint in enumerate(self._revision.after.joints)}
        for node, (_, item) in self._links.items():
            if self._is_own(item) and node in match:
                self._rename(item.element, before.names[node], self._new_name(node))
                if self._nouns.get(node, set()) & _MASSES:
                    self._edit_mass(item.element, match[node])
            elif self._is_own(item):
                self.edits.remove(item.element)
        self._edit_places()
        for number, joint in enumerate(before.joints):
            found = self._joints.get(joint.node)
            if found is None or not self._is_own(found[1]):
                continue
            placed, item = found
            new = numbers.get(match.get(joint.node, -1))
            if new is None:
                self.edits.remove(item.element)
                continue
            self._rename(item.element, before.names[joint.node], self._new_name(joint.node))
            self._edit_joint(placed, item, number, new)
            known = {loss[1:] for loss in self._before.losses_of_joint(number)}
            losses = self._after.losses_of_joint(new)
            self.losses.found += [loss for loss in losses if loss[1:] not in known]

    def _is_own(self, item: Item) -> bool:
        """Return whether an element is in the file itself."""
        return id(item.element) in self._own

    def _new_name(self, node: int) -> str:
        return self._revision.after.names[self._revision.match[node]]

    def _rename(self, element: SourceElement, old: str, new: str) -> None:
        """Give an element another name, and all that refers to it in the file."""
        if old == new or element.get("name") != old:
            return
        self.edits.set(element, "name", new)
        for other in self.edits.source.root.iter():
            for name in (*_REFERENCES, *(("joint",) if other.tag == "mimic" else ())):
                if (text := other.get(name)) and (found := _renamed(text, old, new)) != text:
                    self.edits.set(other, name, found)
            text = other.content.strip()
            if other.tag in _NAMING and (found := _renamed(text, old, new)) != text:
                self.edits.set_text(other, found)

    def _edit_mass(self, element: SourceElement, node: int) -> None:
        """Put mass, center and tensor of a body into its link, in the axes of its inertial."""
        motion = self._revision.after.motions[node]
        inertial = element.find("inertial")
        pose = None if inertial is None else inertial.find("pose")
        place = np.eye(4) if pose is None else matrix_of(pose.content, pose.attrib)
        turn = place[:3, :3].T @ rotation_matrix(motion.inertia_orientation)
        tensor = turn @ np.diag(motion.inertia_diagonal) @ turn.T
        largest = max(float(np.abs(tensor).max()), 1e-12)
        wanted = {name: float(tensor[row, column]) for name, row, column in _TENSOR}
        old = LINK.read(element, lambda *_: None)
        is_pulled = motion.gravity_factor != 0.0
        new: dict[str, Any] = {
            name: self._number(value)
            for name, value in wanted.items()
            if abs(getattr(old, name) - value) > 1e-6 * largest
        }
        if not math.isclose(old.mass, motion.mass, rel_tol=1e-6):
            new["mass"] = self._number(motion.mass)
        if old.gravity != is_pulled:
            new["gravity"] = is_pulled
        center = center_in_meters(self._revision.after, node)
        if np.abs(center - place[:3, 3]).max() > self._revision.distance:
            moved = place.copy()
            moved[:3, 3] = center
            if inertial is not None:
                self._put_pose(inertial, pose, moved)
            else:
                new["pose"] = self._pose_words("", {}, moved)
        put(self.edits, element, [(_ROWS[name], value) for name, value in new.items()])

    def _edit_places(self) -> None:
        """Put links where the scene has them; poses relative to others are worked out again."""
        changed: dict[SourceElement, tuple[Scope, str, str]] = {}
        links = {n: each for n, each in self._links.items() if n in self._revision.match}
        for _ in range(len(links) + 1):
            count = len(changed)
            moved = [*self._move_models(links, changed), *self._move_links(links, changed)]
            if not moved and len(changed) == count:
                break
        for element, (scope, name, placement) in changed.items():
            matrix, _ = scope.frames[name]
            if placement:
                matrix = matrix @ scope.inner[name].at(placement)
            self._put_pose(element, element.find("pose"), matrix)

    def _move_models(
        self, links: _Links, changed: dict[SourceElement, tuple[Scope, str, str]]
    ) -> Iterator[str]:
        """Move nested models whose links were moved alike, as a whole; yield their names."""
        of_model: dict[Placed, list[Array]] = {}
        for node, (placed, item) in links.items():
            here = placed.matrix @ placed.model.scope.at(item.key)
            motion = self._goal(node) @ np.linalg.inv(here)
            of_model.setdefault(placed, []).append(motion)
        for placed, motions in of_model.items():
            outer, model = placed.outer, placed.model
            is_still = all(self._is_near(motion, np.eye(4)) for motion in motions)
            is_alike = all(self._is_near(motion, motions[0]) for motion in motions)
            if outer is None or is_still or not is_alike or id(model.holder) not in self._own:
                continue
            assert model.holder is not None
            scope = outer.model.scope
            new = np.linalg.solve(outer.matrix, motions[0] @ placed.matrix)
            scope.move(model.name, np.linalg.solve(scope.at(scope.frames[model.name][1]), new))
            changed[model.holder] = (scope, model.name, model.placement)
            yield model.name

    def _move_links(
        self, links: _Links, changed: dict[SourceElement, tuple[Scope, str, str]]
    ) -> Iterator[str]:
        """Move the links of the outermost model that are elsewhere; yield their names."""
        only: Placed | None = None
        for node, (placed, item) in links.items():
            scope = placed.model.scope
            wanted = np.linalg.solve(placed.matrix, self._goal(node))
            is_next = only in (None, placed) and self._is_own(item)
            if is_next and not self._is_near(scope.at(item.key), wanted):
                only = placed
                _, base = scope.frames[item.key]
                scope.move(item.key, np.linalg.solve(scope.at(base), wanted))
                changed[item.element] = (scope, item.key, "")
                yield item.key

    def _goal(self, node: int) -> Array:
        """Return where the link of a node is after the edit, without scale."""
        matrix = self._revision.after.matrices[self._revision.match[node]]
        return matrix_from_pose(pose_from_matrix(matrix))

    def _is_near(self, one: Array, other: Array) -> bool:
        return bool(np.abs(one - other).max() <= self._revision.distance)

    def _edit_joint(self, placed: Placed, item: Item, number: int, new: int) -> None:
        """Put place, direction and numbers of a joint into its element."""
        revision, scope = self._revision, placed.model.scope
        after = revision.after
        here = placed.matrix @ scope.at(item.key)
        goal = after.matrices[after.joints[new].node][:3, 3]
        if np.abs(here[:3, 3] - goal).max() > revision.distance:
            matrix, base = scope.frames[item.key]
            frame = placed.matrix @ scope.at(base)
            moved = matrix.copy()
            moved[:3, 3] = np.linalg.solve(frame, np.append(goal, 1.0))[:3]
            scope.move(item.key, moved)
            self._put_pose(item.element, item.element.find("pose"), moved)
        axis = item.element.find("axis")
        (old, before), (kind, moving) = self._before.kind(number), self._after.kind(new)
        if axis is None or moving is None or before != moving:
            return
        if old != kind:
            self.edits.set(item.element, "type", kind)
        self._edit_direction(placed, item, axis, new, moving)
        one = self._before.axis_values(number, moving)
        other = self._after.axis_values(new, moving)
        AXIS.edit(self.edits, axis, one, other)

    def _edit_direction(
        self, placed: Placed, item: Item, axis: SourceElement, new: int, number: int
    ) -> None:
        xyz = axis.find("xyz")
        turn = (placed.matrix @ placed.model.scope.at(frame_of_axis(axis, item)))[:3, :3]
        wanted = turn.T @ self._after.direction(new, number)
        old: tuple[float, ...] = (0.0, 0.0, 1.0)
        if xyz is not None and xyz.content.split():
            old = tuple(map(float, xyz.content.split()))
        unit = np.array(old) / np.linalg.norm(old)
        if np.abs(unit - wanted).max() > 1e-6:
            values = settled(wanted).tolist()
            text = words("" if xyz is None else xyz.content, values, self._revision.decimals, 1e-9)
            put(self.edits, axis, [(_DIRECTION, text)])

    def _put_pose(self, holder: SourceElement, pose: SourceElement | None, matrix: Array) -> None:
        """Write a pose in the numbers of the file: degrees stay degrees, quaternions too."""
        if pose is None:
            self.edits.add_first(holder, f"<pose>{self._pose_words('', {}, matrix)}</pose>")
        else:
            self.edits.set_text(pose, self._pose_words(pose.content, pose.attrib, matrix))

    def _pose_words(self, old: str, attributes: Mapping[str, str], matrix: Array) -> str:
        if attributes.get("rotation_format") == "quat_xyzw":
            rotation = pose_from_matrix(matrix).rotation.tolist()
            values = [*matrix[:3, 3].tolist(), *rotation]
        else:
            is_degrees = attributes.get("degrees", "").lower() in ("1", "true")
            unit = 180.0 / math.pi if is_degrees else 1.0
            numbers = numbers_of(matrix)
            values = [*numbers[:3], *(unit * angle for angle in numbers[3:])]
        decimals = self._revision.decimals
        new = [rounded(value, decimals) for value in settled(values).tolist()]
        near = 1e-9 if decimals is None else 2.0 * 10.0**-decimals
        return words(old, new, decimals, near)

    def _number(self, value: float) -> float:
        """Return a number with the digits that are certain."""
        return shortest(value, self._revision.digits)


def _renamed(text: str, old: str, new: str) -> str:
    """Return a path of names with one of them replaced."""
    return SEPARATOR.join(new if part == old else part for part in text.split(SEPARATOR))

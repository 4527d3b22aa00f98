"""A scene put into the URDF file that it was read from.

What the file says and what it is to say are both written as this program writes them; where those
two differ, the text is changed, in its own style. So a value that nobody edited keeps its digits.
"""

from dataclasses import replace

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.meaning.naming import free_name
from ....core.model.graph import WORLD
from ....core.model.scene import PhysicsScene
from ....core.rewrite.tree import with_parts_apart
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement, XmlSource
from ..format import Target, Written
from ..origins import Origin, origin_of_matrix
from ..revision import Revision
from .carriers_in_place import with_carriers
from .document import JointElement, Link, LinkPart, Robot
from .element_edits import ElementEdits
from .printing import joint_to_xml, link_to_xml, part_to_xml, printed_element
from .renaming import remove_references, rename
from .writing import RobotWriter

_PARTS = ("visual", "collision")
_GEOMETRIES = ("mesh", "box", "sphere", "cylinder", "capsule")


def edited_robot(revision: Revision, target: Target) -> Written:
    """Return the file with what differs; raises `UneditableError`."""
    name, data = next(iter(revision.document.files.items()))
    source = XmlSource(data)
    after = with_parts_apart(revision.after).scene
    before, now = _Side(revision.before, target), _Side(after, target)
    editor = _Editor(XmlEdits(source), revision, before, now)
    editor.edit()
    text, losses = with_carriers(editor.edits.data(), revision, now.writer, now.robot, target)
    files = {**revision.document.files, name: text, **now.writer.parts.files}
    return Written(
        files=files,
        findings=tuple(now.writer.parts.findings),
        losses=(*editor.losses, *losses),
        names_all=True,
    )


class _Side:
    def __init__(self, scene: PhysicsScene, target: Target) -> None:
        self.scene = scene
        options = {**target.options, "names": "any"}
        self.writer = RobotWriter(scene, options, stem=target.path.stem, keeps_files=True)
        self.robot: Robot = self.writer.robot()
        plan = self.writer.plan
        nodes = {name: node for node, name in plan.names.items()}
        self.links: dict[int, Link] = {nodes[link.name]: link for link in self.robot.links}
        self.joints: dict[int, JointElement] = {
            nodes[joint.child]: joint for joint in self.robot.joints
        }
        """Joint of each link to its parent."""
        self.parents = {child: nodes[joint.parent] for child, joint in self.joints.items()}
        self.parts = {name: node for node, name in self.writer.written.items()}
        self.moving = {
            plan.joint_names[number]: joint.node for number, joint in enumerate(scene.joints)
        }
        """Node of each joint by its name in the robot."""

    def origin(self, link: int, holder: int) -> Origin:
        """Return where a link is in another one."""
        matrices = self.writer.plan.matrices
        return origin_of_matrix(np.linalg.solve(matrices[holder], matrices[link]))

    def parts_of(self, link: int, tag: str) -> dict[int, LinkPart]:
        """Return the visuals or collisions of a link by their nodes."""
        found = self.links[link]
        parts = found.visuals if tag == "visual" else found.collisions
        return {self.parts[part.name]: part for part in parts}


class _Places:
    """Elements of the text by what the reader makes of them."""

    def __init__(self, root: SourceElement) -> None:
        self.links: dict[str, SourceElement] = {}
        self.joints: dict[str, SourceElement] = {}
        self.joint_of: dict[str, SourceElement] = {}
        """Joint of each link to its parent, by the name of the link."""
        for element in root.findall("link"):
            self.links.setdefault(element.get("name"), element)
        for element in root.findall("joint"):
            name, child = element.get("name"), element.find("child")
            self.joints[free_name(name, self.joints)] = element
            if child is not None:
                self.joint_of.setdefault(child.get("link"), element)


class _Editor:
    """Puts the differences of two robots into a text."""

    def __init__(self, edits: XmlEdits, revision: Revision, before: _Side, now: _Side) -> None:
        self.edits = edits
        self.losses = Losses()
        self._root = edits.source.root
        self._places = _Places(self._root)
        self._rules = ElementEdits(edits, revision.distance, revision.decimals)
        self._match = {WORLD: WORLD, **revision.match}
        self._origin = {other: node for node, other in self._match.items()}
        self._before = before
        self._now = now
        self._holders = {self._name(node): node for node in before.links}
        """Node of each link by its name in the text."""

    def edit(self) -> None:
        """Make all edits."""
        if self._before.scene.name != self._now.scene.name:
            self.edits.set(self._root, "name", self._now.scene.name)
        kept = [n for n in self._before.links if self._match.get(n, -2) in self._now.links]
        self._remove([node for node in self._before.links if node not in kept])
        for node in kept:
            self._edit_link(node)
        attached = []
        for node in kept:
            if node not in self._before.joints:
                continue
            if self._is_attached_otherwise(node):
                self._remove_joint(node)
            else:
                self._edit_joint(node)
                attached.append(node)
        links = [node for node in self._now.links if self._origin.get(node, -2) not in kept]
        joints = [node for node in self._now.joints if self._origin.get(node, -2) not in attached]
        self._add(links, joints)
        self._rename(kept)

    def _link(self, node: int) -> SourceElement | None:
        return self._places.links.get(self._name(node))

    def _name(self, node: int) -> str:
        if node == WORLD:
            return self._before.links[WORLD].name if WORLD in self._before.links else ""
        return self._before.scene.names[node]

    def _joint(self, node: int) -> SourceElement | None:
        joint = self._before.moving.get(self._before.joints[node].name)
        if joint is not None:
            return self._places.joints.get(self._before.scene.names[joint])
        return self._places.joint_of.get(self._name(node))

    def _remove(self, gone: list[int]) -> None:
        for node in gone:
            if self._link(node) is None:
                self.losses.converted(self._name(node), Noun.NODE, "the file has it still")
            has_joint = node in self._before.parents
            self._remove_element(self._link(node))
            self._remove_element(self._joint(node) if has_joint else None)

    def _remove_element(self, element: SourceElement | None) -> None:
        if element is not None:
            self.edits.remove(element)
            remove_references(self.edits, element.tag, element.get("name"))

    def _is_attached_otherwise(self, node: int) -> bool:
        """Return whether a link has another joint to its parent than before, or none."""
        other = self._match[node]
        if other not in self._now.joints:
            return True
        joint = self._before.moving.get(self._before.joints[node].name)
        new = self._now.moving.get(self._now.joints[other].name)
        return joint is not None and self._match.get(joint, -2) != new

    def _remove_joint(self, node: int) -> None:
        """Remove the former joint of a link to its parent; another link may have it now."""
        element = self._joint(node)
        joint = self._before.moving.get(self._before.joints[node].name, -2)
        if element is not None and self._match.get(joint, -2) in self._now.moving.values():
            self.edits.remove(element)
        else:
            self._remove_element(element)

    def _edit_link(self, node: int) -> None:
        element, other = self._link(node), self._match[node]
        if element is None:
            return
        one, new = self._before.links[node], self._now.links[other]
        motion = self._now.scene.motions.get(other)
        # Without a tensor, that of the shapes counts, which the text need not have.
        has_tensor = motion is not None and any(motion.inertia_diagonal)
        self._rules.edit_inertial(element, one.inertial, new.inertial, has_tensor=has_tensor)
        for tag in _PARTS:
            self._edit_parts(element, tag, node, other)

    def _edit_parts(self, link: SourceElement, tag: str, node: int, other: int) -> None:
        elements = [each for each in link.findall(tag) if _is_usable(each)]
        ones, news = self._before.parts_of(node, tag), self._now.parts_of(other, tag)
        nodes = self._part_nodes(node, tag)
        if len(nodes) != len(elements):
            return
        places = dict(zip(nodes, elements, strict=True))
        for part, element in places.items():
            new = news.get(self._match.get(part, -2))
            if new is None and part in ones:
                self.edits.remove(element)
            elif new is not None and part in ones:
                self._rules.edit_part(element, ones[part], new)
        last = next((each for each in reversed(elements) if each not in self.edits.removed), None)
        for part, new in news.items():
            if self._origin.get(part, -2) not in places:
                text = printed_element(part_to_xml(tag, new, self._rules.style))
                self.edits.add(link, text, after=last)

    def _part_nodes(self, node: int, tag: str) -> list[int]:
        scene = self._before.scene
        held = scene.visuals if tag == "visual" else scene.colliders
        return [part for part in sorted(held) if int(scene.parents[part]) == node]

    def _edit_joint(self, node: int) -> None:
        element, other = self._joint(node), self._match[node]
        if element is None:
            return
        one, new = self._before.joints[node], self._in_old_names(self._now.joints[other])
        above, parent = element.find("parent"), self._now.parents[other]
        if above is not None:
            holder = self._holders.get(above.get("link"), -2)
            is_held = self._match.get(holder, -2) in self._now.links
            is_attached_alike = self._match.get(self._before.parents[node]) == parent
            if is_attached_alike and holder not in self._before.links:
                # No link has that name, so nothing in the scene is of this joint.
                return
            if not (is_attached_alike and is_held):
                one = replace(one, origin=self._rules.origin_of(element))
                self.edits.set(above, "link", self._now.links[parent].name)
            elif holder != self._before.parents[node]:
                # Links that are fixed in between may have moved as well.
                one = replace(one, origin=self._before.origin(node, holder))
                new = replace(new, origin=self._now.origin(other, self._match[holder]))
        self._rules.edit_joint(element, one, new)

    def _in_old_names(self, joint: JointElement) -> JointElement:
        """Return a joint whose mimic has the name that the source had before any renaming."""
        mimic = joint.mimic
        node = None if mimic is None else self._now.moving.get(mimic.joint)
        origin = None if node is None else self._origin.get(node)
        if mimic is None or origin is None:
            return joint
        names = {n: name for name, n in self._before.moving.items()}
        return replace(joint, mimic=replace(mimic, joint=names.get(origin, mimic.joint)))

    def _add(self, new: list[int], attached: list[int]) -> None:
        """Add links, and the joints of `attached` to their parents, behind the last ones."""
        links = [each for each in self._root.findall("link") if each not in self.edits.removed]
        joints = [each for each in self._root.findall("joint") if each not in self.edits.removed]
        for node in new:
            text = printed_element(link_to_xml(self._now.links[node], self._rules.style))
            self.edits.add(self._root, text, after=links[-1] if links else None)
        for node in attached:
            text = printed_element(joint_to_xml(self._now.joints[node], self._rules.style))
            after = joints[-1] if joints else links[-1] if links else None
            self.edits.add(self._root, text, after=after)

    def _rename(self, kept: list[int]) -> None:
        for node in kept:
            other = self._match[node]
            element = self._link(node)
            old, new = self._before.links[node].name, self._now.links[other].name
            if element is not None and old != new:
                rename(self.edits, element, new)
            if node not in self._before.joints or other not in self._now.joints:
                continue
            joint = self._joint(node)
            old, new = self._before.joints[node].name, self._now.joints[other].name
            is_own = old in self._before.moving and new in self._now.moving
            if joint is None or joint in self.edits.removed:
                continue
            if is_own and old != new:
                rename(self.edits, joint, new)


def _is_usable(part: SourceElement) -> bool:
    """Return whether the reader makes a node of a visual or collision."""
    geometry = part.find("geometry")
    shapes = geometry.children if geometry is not None else []
    return bool(shapes) and shapes[0].tag in _GEOMETRIES

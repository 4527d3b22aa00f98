"""Joints outside of the tree as equality constraints of MJCF, with couplings and exclusions."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping

import numpy as np
from numpy.polynomial import Polynomial

from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import joint_axes
from ....core.model.articulation import Coupling
from ....core.model.graph import WORLD, SpanningTree
from ....core.model.pose import Array
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.settled import settled
from .drive_writing import JointElement
from .equalities import COUPLINGS, SOLVER
from .exclusions import written_exclusions
from .joint_writing import own_text
from .joints import NAME
from .printing import Attributes, numbers, placed
from .skeleton import WORLD as WORLD_NAME

_HIGHEST_POWER = 4
"""Of the polynomials of MJCF."""
_PLACE = ("pos", "quat")
_NEAR = 1e-9
"""Frames that are apart by less are together [m and 1]."""


class LoopWriter:
    """Writes what is not part of the tree."""

    def __init__(
        self,
        scene: PhysicsScene,
        losses: Losses,
        elements: Mapping[int, ET.Element],
        free: Callable[[str, str], str],
    ) -> None:
        """`free` returns a name of a kind of element that nothing has yet."""
        self._scene = scene
        self._losses = losses
        self._elements = elements
        self._free = free
        self._owner = scene.bodies()
        self._worlds = scene.rigid_matrices

    def write(
        self,
        root: ET.Element,
        tree: SpanningTree,
        written: Mapping[int, list[JointElement]],
        colliding: Mapping[int, tuple[int, int]],
    ) -> None:
        """Add the sections of a document.

        `written` are the joint elements by body, `colliding` the joints whose bodies collide.
        """
        found: list[ET.Element] = []
        for number in tree.loops:
            found += self._loop(number)
        by_joint = {
            tree.joints[body]: each for body, each in written.items() if body in tree.joints
        }
        for coupling in self._scene.couplings:
            found += self._coupling(coupling, by_joint)
        if found:
            ET.SubElement(root, "equality").extend(found)
        for number in tree.idle:
            place = self._scene.names[self._scene.joints[number].node]
            self._losses.lost(place, Noun.JOINT, "it is not between two bodies")
        if pairs := written_exclusions(self._scene, tree, colliding):
            holder = ET.SubElement(root, "contact")
            for one, other in sorted(sorted(map(self._name, pair)) for pair in pairs):
                ET.SubElement(holder, "exclude", {"body1": one, "body2": other})

    def _loop(self, number: int) -> list[ET.Element]:
        """Return a joint outside of the tree: a pin or a weld, else a pin of less."""
        scene, joint = self._scene, self._scene.joints[number]
        place, axes = scene.names[joint.node], joint_axes(joint.settings)
        if any(axis < 3 for axis in axes.moving):
            self._losses.lost(place, Noun.JOINT, "MJCF can close loops only with pins and welds")
            return []
        is_weld = not axes.moving
        if axes.moving not in ((), (3, 4, 5)) or axes.shared or joint.settings.drives:
            text = "a pin closes the loop; the axis, limits and drives are not written"
            self._losses.converted(place, Noun.JOINT, text)
        attributes: Attributes = {"name": place} | self._ends(joint, is_weld=is_weld)
        if not joint.attributes.enabled:
            attributes["active"] = "false"
        attributes |= own_text(joint.attributes.kept(NAME), SOLVER)
        return [ET.Element("weld" if is_weld else "connect", attributes)]

    def _ends(self, joint: Joint, *, is_weld: bool) -> Attributes:
        """Return the ends of a pin or a weld: sites where its frames are apart, else bodies."""
        ends = self._worlds[[joint.other, joint.node]]
        apart = np.abs(ends[0] - ends[1])
        if max(apart[:3, 3].max(), apart.max() if is_weld else 0.0) > _NEAR:
            return {
                f"site{number}": self._site(node)
                for number, node in enumerate((joint.other, joint.node), start=1)
            }
        first, second = (int(self._owner[node]) for node in (joint.other, joint.node))
        if self._name(first) == WORLD_NAME:
            first, second = second, first
        attributes: Attributes = {"body1": self._name(first)}
        if self._name(second) != WORLD_NAME:
            attributes["body2"] = self._name(second)
        if not is_weld:
            anchor = np.linalg.inv(self._world(first)) @ ends[1]
            attributes["anchor"] = numbers(settled(anchor[:3, 3]))
        return attributes

    def _site(self, node: int) -> str:
        """Return the name of a site at the frame of a joint: one that is there, else a new one."""
        body = int(self._owner[node])
        where = placed(np.linalg.inv(self._world(body)) @ self._worlds[node])
        holder = self._elements[body if body in self._elements else WORLD]
        for site in holder.iterfind("site"):
            if {key: site.attrib[key] for key in _PLACE if key in site.attrib} == where:
                return site.get("name", "")
        name = self._free("site", self._scene.names[node])
        ET.SubElement(holder, "site", {"name": name, **where})
        return name

    def _world(self, body: int) -> Array:
        """Return the world matrix (4, 4) of the element of a body."""
        return np.eye(4) if self._name(body) == WORLD_NAME else self._worlds[body]

    def _coupling(
        self, coupling: Coupling, written: Mapping[int, list[JointElement]]
    ) -> list[ET.Element]:
        """Return the equality of two joints; both are counted from their references there."""
        joints = [written.get(number, []) for number in (coupling.joint, coupling.source)]
        place = self._scene.names[self._scene.joints[coupling.joint].node]
        if (
            any(len(each) != 1 for each in joints)
            or len(coupling.coefficients) > _HIGHEST_POWER + 1
        ):
            self._losses.lost(
                place, Noun.COUPLING, "it is not between two joints with one axis each"
            )
            return []
        (one,), (other,) = joints
        shifted = Polynomial(coupling.coefficients)(Polynomial((other.position, 1.0)))
        powers = (shifted - Polynomial((one.position,))).coef
        padded = np.append(powers, np.zeros(_HIGHEST_POWER + 1 - len(powers)))
        attributes: Attributes = {
            "joint1": one.attributes["name"],
            "joint2": other.attributes["name"],
            "polycoef": numbers(settled(padded[:, None])[:, 0]),
        }
        joint, source = (self._scene.joints[n] for n in (coupling.joint, coupling.source))
        kept = (
            joint.attributes.kept(NAME).get(COUPLINGS, {}).get(self._scene.names[source.node], {})
        )
        return [ET.Element("joint", attributes | kept)]

    def _name(self, body: int) -> str:
        element = self._elements.get(body)
        return WORLD_NAME if element is None else element.get("name", WORLD_NAME)

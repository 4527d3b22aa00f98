"""Joints outside of the tree as equality constraints of MJCF, with couplings and exclusions."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np
from numpy.polynomial import Polynomial

from ....core.findings.loss import Losses, Noun
from ....core.meaning.axes import joint_axes
from ....core.model.articulation import Coupling
from ....core.model.graph import SpanningTree
from ....core.model.pose import matrix_from_pose, pose_from_matrix
from ....core.model.scene import PhysicsScene
from .exclusions import written_exclusions
from .joint_writing import JointElement
from .printing import Attributes, numbers

_HIGHEST_POWER = 4
"""Of the polynomials of MJCF."""


class LoopWriter:
    """Writes what is not part of the tree."""

    def __init__(self, scene: PhysicsScene, losses: Losses, names: Mapping[int, str]) -> None:
        self._scene = scene
        self._losses = losses
        self._names = names
        self._owner = scene.bodies()
        self._worlds = matrix_from_pose(pose_from_matrix(scene.matrices))

    def write(
        self, root: ET.Element, tree: SpanningTree, written: Mapping[int, list[JointElement]]
    ) -> None:
        """Add the sections of a document; `written` are the joint elements by body."""
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
        if pairs := list(written_exclusions(self._scene, tree)):
            holder = ET.SubElement(root, "contact")
            for one, other in pairs:
                pair = {"body1": self._name(one), "body2": self._name(other)}
                ET.SubElement(holder, "exclude", pair)

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
        own, other = int(self._owner[joint.node]), int(self._owner[joint.other])
        attributes: Attributes = {"name": place, "body1": self._name(own)}
        if other >= 0:
            attributes["body2"] = self._name(other)
        if not joint.attributes.enabled:
            attributes["active"] = "false"
        body_world = self._worlds[own] if self._name(own) != "world" else np.eye(4)
        inverse = np.linalg.inv(body_world)
        if not is_weld:
            attributes["anchor"] = numbers((inverse @ self._worlds[joint.node])[:3, 3])
        return [ET.Element("weld" if is_weld else "connect", attributes)]

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
        attributes = {
            "name": f"{one.attributes['name']} coupling",
            "joint1": one.attributes["name"],
            "joint2": other.attributes["name"],
            "polycoef": numbers(padded),
        }
        return [ET.Element("joint", attributes)]

    def _name(self, body: int) -> str:
        return self._names.get(body, "world") or "world"

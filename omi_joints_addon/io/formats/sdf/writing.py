"""A scene as an SDF document.

Links have their places in the model, which every version since 1.4 reads, so no frame has to
move. Bodies that stand still are fixed to the world, those without joints in models of their own.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.axes import JointAxes, joint_axes
from ....core.meaning.naming import take_free_name
from ....core.meaning.velocities import center_in_meters
from ....core.model.body import Motion, MotionType
from ....core.model.joint import DriveMode, JointDrive
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import GRAVITY, Joint, PhysicsScene
from ....core.model.settled import settled, settled_unit
from ....core.shapes.assumed import assumed_text, required_inertias
from ....core.shapes.inertia import balanced, principal_axes
from ...documents.number_words import counted_from, word
from ..format import Target, UnwritableError, Written
from ..resting import bounds_from_rest, moved_zero, rest_of
from ..xml_text import printable_parts, printed_xml
from .joint_reading import WORLD
from .part_writing import PartWriter
from .schema import AXIS, LINK, AxisValues, LinkValues

VERSIONS = ("1.9", "1.11")
"""What can be written: the older one is read by Gazebo Fortress, the newer one has mimics."""
_NOTHING = 1e-6
_SMALLEST = 1e-9
"""Moment of inertia that is written at least [kg·m²]."""
_STILL = Motion(type=MotionType.STATIC)


def written_scene(scene: PhysicsScene, target: Target) -> Written:
    """Return the document of a scene with its meshes.

    Options: `sdf_version` (auto, 1.9 or 1.11; auto is the older one unless a joint follows
    another). Raises `UnwritableError` for another version.
    """
    losses = Losses()
    scene = printable_parts(scene, losses)
    version = str(target.options.get("sdf_version", "auto"))
    if version == "auto":
        version = VERSIONS[bool(scene.couplings)]
    if version not in VERSIONS:
        choices = ", ".join(("auto", *VERSIONS))
        raise UnwritableError(f"unknown version {version!r} (choose from {choices})")
    writer = SceneWriter(scene, version, losses, target.path.stem)
    files = {target.path.name: printed_xml(writer.document()), **writer.parts.files}
    return Written(files=files, losses=tuple(losses))


class SceneWriter:
    """Builds the document of one scene."""

    def __init__(self, scene: PhysicsScene, version: str, losses: Losses, stem: str) -> None:
        self.parts = PartWriter(scene, losses, stem)
        self._scene, self._losses, self._version = scene, losses, version
        self._owner = scene.bodies().tolist()
        self._rigid = scene.rigid_matrices
        self._taken = {WORLD, ""}
        """Names of the document; SDF reserves some."""
        self._names = self._unique_names()
        self._parts: dict[int, list[int]] = {}
        for node in sorted({*scene.colliders, *scene.triggers, *scene.visuals}):
            self._parts.setdefault(self._owner[node], []).append(node)
        self.axes = [joint_axes(joint.settings) for joint in scene.joints]
        """What each joint can do, axis by axis."""
        self._poses = scene.relative_poses()
        self._world_body = self._body_of_world()
        self._needed = required_inertias(
            scene,
            {
                body: max(motion.mass, _NOTHING)
                for body, motion in scene.motions.items()
                if not any(motion.inertia_diagonal) and motion != _STILL
            },
        )

    def document(self) -> ET.Element:
        """Return the root element."""
        root = ET.Element("sdf", {"version": self._version})
        scene = self._scene
        joined = {self._owner[end] for joint in scene.joints for end in joint.ends}
        still = [body for body in scene.motions if self._is_still(body) and body not in joined]
        moving = [b for b in scene.motions if b not in still and b != self._world_body]
        loose = [node for node in (*scene.colliders, *scene.visuals) if self._owner[node] < 0]
        is_alone = not still and not loose and scene.gravity == GRAVITY
        holder = root if is_alone else self._world(root)
        name = scene.name or "model"
        if moving or is_alone:
            self._model(holder, name, moving)
        for body in still:
            model = ET.SubElement(holder, "model", {"name": self._names[body]})
            ET.SubElement(model, "static").text = "true"
            self._link(model, body)
        if loose:
            self._surroundings(holder)
        self.parts.poses.write()
        return root

    def _surroundings(self, holder: ET.Element) -> None:
        """Add a model with what is on no body."""
        name, ground = (take_free_name(each, self._taken) for each in ("surroundings", "ground"))
        model = ET.SubElement(holder, "model", {"name": name})
        ET.SubElement(model, "static").text = "true"
        self._add_parts(ET.SubElement(model, "link", {"name": ground}), -1, np.eye(4))

    def _body_of_world(self) -> int:
        """Return the body that only stands for the world, -1 for none."""
        parts = {*self._scene.colliders, *self._scene.triggers, *self._scene.visuals}
        filled = {self._owner[node] for node in parts}
        for body in self._scene.motions:
            if self._scene.names[body] == WORLD and self._is_still(body) and body not in filled:
                return body
        return -1

    def _world(self, root: ET.Element) -> ET.Element:
        world = ET.SubElement(root, "world", {"name": "default"})
        ET.SubElement(world, "gravity").text = " ".join(map(word, self._scene.gravity))
        return world

    def _model(self, holder: ET.Element, name: str, bodies: Sequence[int]) -> None:
        model = ET.SubElement(holder, "model", {"name": name})
        if self._collides_with_itself(bodies):
            ET.SubElement(model, "self_collide").text = "true"
        for body in bodies:
            self._link(model, body)
        for body in filter(self._is_still, bodies):
            weld = {
                "name": take_free_name(f"{self._names[body]}_fixed", self._taken),
                "type": "fixed",
            }
            held = ET.SubElement(model, "joint", weld)
            ET.SubElement(held, "parent").text = WORLD
            ET.SubElement(held, "child").text = self._names[body]
        inside = {*bodies}
        for number, joint in enumerate(self._scene.joints):
            ends = {self._owner[joint.node], self._owner[joint.other]}
            if joint.connected is not None and ends & inside and len(ends) == 2:
                self._joint(model, number)

    def _collides_with_itself(self, bodies: Sequence[int]) -> bool:
        """Return whether any two bodies of a model that no joint connects collide."""
        apart = {frozenset(pair) for pair in self._scene.excluded_pairs}
        apart |= {
            frozenset((self._owner[joint.node], self._owner[joint.other]))
            for joint in self._scene.joints
        }
        return any(frozenset(pair) not in apart for pair in combinations(bodies, 2))

    def _link(self, model: ET.Element, body: int) -> None:
        link = ET.SubElement(model, "link", {"name": self._names[body]})
        self.parts.poses.add(link, self._rigid[body])
        motion = self._scene.motions[body]
        if motion != _STILL:
            self._inertial(link, body, motion)
        self._add_parts(link, body, self._rigid[body])

    def _inertial(self, link: ET.Element, body: int, motion: Motion) -> None:
        moments, turn = self._moments(body, motion)
        even = balanced(moments)
        if not np.allclose(moments, even, rtol=1e-6, atol=0.0):
            text = "no body has such moments, which Gazebo rejects; their mean is written"
            self._losses.converted(self._scene.names[body], Noun.INERTIA, text)
        if not motion.mass > 0.0:
            text = Sentence("moving bodies need a mass, so {least:g} kg is written", least=_NOTHING)
            self._losses.converted(self._scene.names[body], Noun.MASS, text)
        if motion.gravity_factor not in (0.0, 1.0):
            text = "SDF can only turn gravity off"
            self._losses.lost(self._scene.names[body], Noun.GRAVITY_FACTOR, text)
        values = LinkValues(
            mass=motion.mass if motion.mass > 0.0 else _NOTHING,
            ixx=even[0],
            iyy=even[1],
            izz=even[2],
            gravity=motion.gravity_factor != 0.0,
            kinematic=motion.type == MotionType.KINEMATIC,
        )
        LINK.write(link, values)
        place = np.eye(4)
        place[:3, :3] = rotation_matrix(turn)
        place[:3, 3] = center_in_meters(self._scene, body)
        inertial = link.find("inertial")
        if inertial is None:
            inertial = ET.SubElement(link, "inertial")
        self.parts.poses.add(inertial, place)

    def _moments(self, body: int, motion: Motion) -> tuple[list[float], Array]:
        """Return principal moments and their axes; of a body without, those of its shapes."""
        if any(motion.inertia_diagonal):
            return list(motion.inertia_diagonal), np.array(motion.inertia_orientation)
        needed, name = self._needed[body], self._scene.names[body]
        if needed.radius is None:
            self._losses.same(name, Noun.INERTIA)  # other engines work out the same
        else:
            self._losses.converted(name, Noun.INERTIA, assumed_text(needed.radius))
        moments, turn = principal_axes(needed.tensor)
        return np.maximum(settled(moments, least=_SMALLEST), _SMALLEST).tolist(), turn

    def _add_parts(self, link: ET.Element, body: int, matrix: Array) -> None:
        nodes, visuals = self._parts.get(body, []), self._scene.visuals
        for node in nodes:
            if node in self._scene.colliders or node in self._scene.triggers:
                self.parts.collision(link, node, self._names[node], matrix)
        for node in filter(visuals.__contains__, nodes):
            self.parts.visual(link, node, self._names[node], matrix)

    def _joint(self, model: ET.Element, number: int) -> None:
        joint = self._scene.joints[number]
        kind, axis = self.kind(number)
        name = self._scene.names[joint.node]
        if not kind:
            text = "SDF has no joint that moves so; the bodies are not connected"
            self._losses.lost(name, Noun.JOINT, text)
            return
        child, parent = self._owner[joint.node], self._owner[joint.other]
        is_own = self._has_child(joint)
        if not is_own:
            child, parent = parent, child
        at = self._rigid[joint.node if is_own else joint.other]
        element = ET.SubElement(model, "joint", {"name": self._names[joint.node], "type": kind})
        ET.SubElement(element, "parent").text = self._end(parent)
        ET.SubElement(element, "child").text = self._end(child)
        place = np.eye(4)
        place[:3, 3] = np.linalg.solve(self._rigid[child], at)[:3, 3]
        self.parts.poses.add(element, place)
        self._losses.found += self.losses_of_joint(number)
        if axis is not None:
            self._report_zero(number, axis)
            self._axis(element, number, axis, self._rigid[child])

    def kind(self, number: int) -> tuple[str, int | None]:
        """Return the type of SDF that a joint is and its axis, 0 to 5; "" for none."""
        kind, axis = _kind_of(self.axes[number])
        is_ranged = self._scene.joints[number].attributes.whole_range is not None
        # Continuous joints have no bounds, whatever a file contains.
        return ("revolute" if kind == "continuous" and is_ranged else kind), axis

    def losses_of_joint(self, number: int) -> Losses:
        """Return what no joint of SDF has."""
        losses, joint = Losses(), self._scene.joints[number]
        place = self._scene.names[joint.node]
        if joint.attributes.armature:
            losses.lost(place, Noun.ARMATURE, "joints of SDF have none")
        if joint.enable_collision:
            text = "links that a joint of SDF connects do not collide"
            losses.lost(place, Noun.ENABLE_COLLISION, text)
        if any(not _is_spring(each) for each in joint.settings.drives):
            text = "SDF has no motors, and no springs with a target speed or a largest force"
            losses.lost(place, Noun.DRIVE, text)
        if math.isfinite(joint.attributes.effort) and any(
            _is_spring(each) and each.acting_stiffness for each in joint.settings.drives
        ):
            text = "the effort does not limit the joint's spring in SDF"
            losses.lost(place, Noun.EFFORT, text)
        return losses

    def _report_zero(self, number: int, axis: int) -> None:
        """Report by how much SDF counts otherwise than the author of a joint."""
        rest = self._rest(number, axis)
        if rest:
            name = self._scene.names[self._scene.joints[number].node]
            self._losses.lost(name, Noun.ZERO, moved_zero("SDF", axis, rest))

    def _axis(self, element: ET.Element, number: int, axis: int, child: Array) -> None:
        new = ET.SubElement(element, "axis")
        xyz = ET.SubElement(new, "xyz")
        direction = child[:3, :3].T @ self.direction(number, axis)
        xyz.text = " ".join(map(word, settled_unit(direction).tolist()))
        AXIS.write(new, self.axis_values(number, axis))

    def direction(self, number: int, axis: int) -> Array:
        """Return the direction of motion of a joint's child along or about an axis, (3,)."""
        joint = self._scene.joints[number]
        sign = -1.0 if self._has_child(joint) else 1.0
        return np.asarray(self._rigid[joint.node][:3, axis % 3] * sign)

    def _has_child(self, joint: Joint) -> bool:
        """Return whether the joint's own body is the child, which one that stands still is not."""
        child = self._owner[joint.node]
        return child >= 0 and not self._is_still(child)

    def axis_values(self, number: int, axis: int) -> AxisValues:
        """Return what an axis, 0 to 5, of a joint says; all positions count from rest."""
        joint, own = self._scene.joints[number], self.axes[number].all[axis]
        rest = self._rest(number, axis)
        bounds = bounds_from_rest(own.own, joint.attributes, axis, rest)
        lower, upper = bounds or (-math.inf, math.inf)
        values = AxisValues(
            lower=lower,
            upper=upper,
            effort=joint.attributes.effort,
            velocity=joint.attributes.velocity,
            friction=joint.attributes.friction,
        )
        values = _with_drives(values, own.drives, rest - joint.attributes.zero)
        return self._with_mimic(values, number)

    def _with_mimic(self, values: AxisValues, number: int) -> AxisValues:
        for each in self._scene.couplings:
            if each.joint != number or any(each.coefficients[2:]) or self._version == "1.9":
                continue
            start, factor = (*each.coefficients, 0.0, 0.0)[:2]
            axes = ((n, self.kind(n)[1]) for n in (number, each.source))
            rests = [
                self._rest(n, axis) - self._scene.joints[n].attributes.zero
                for n, axis in axes
                if axis is not None
            ]
            if len(rests) < 2:
                continue
            offset = counted_from(rests[0] - factor * rests[1], start)
            source = self._names[self._scene.joints[each.source].node]
            return replace(
                values, mimic=source, mimic_axis="axis", multiplier=factor, offset=offset
            )
        return values

    def _rest(self, number: int, axis: int) -> float:
        """Return the position that the author of a joint counts at rest, which is 0 in SDF."""
        own, zero = self.axes[number].all[axis].own, self._scene.joints[number].attributes.zero
        return rest_of(self._poses.at(number), axis, zero, own)

    def _end(self, body: int) -> str:
        return WORLD if body < 0 or body == self._world_body else self._names[body]

    def _is_still(self, body: int) -> bool:
        return self._scene.motions[body].type == MotionType.STATIC

    def _unique_names(self) -> dict[int, str]:
        """Return a name for each node that no other has."""
        found: dict[int, str] = {}
        nodes = [*self._scene.motions, *(joint.node for joint in self._scene.joints)]
        called = {*nodes}
        nodes += [*self._scene.colliders, *self._scene.triggers, *self._scene.visuals]
        for node in dict.fromkeys(nodes):
            own = self._scene.names[node]
            plain = own.replace("::", "_").strip("_") or "part"
            name = take_free_name(plain, self._taken)
            found[node] = name
            if name != plain and own not in ("", WORLD) and node in called:
                text = Sentence(
                    "it is {name}: links and joints of SDF share their names", name=name
                )
                self._losses.converted(own, Noun.NAME, text)
        return found


def _kind_of(axes: JointAxes) -> tuple[str, int | None]:
    moving = [n for n, axis in enumerate(axes.all) if not axis.own.is_held]
    shared = any(
        {*s.linear_axes, *(a + 3 for a in s.angular_axes)} & {*moving} for s in axes.shared
    )
    if not moving:
        return "fixed", None
    if len(moving) == 1 and not shared:
        number = moving[0]
        is_free = axes.all[number].own.is_free
        turning = "continuous" if is_free else "revolute"
        return ("prismatic" if number < 3 else turning), number
    return ("ball", None) if min(moving) >= 3 and len(moving) == 3 else ("", None)


def _is_spring(drive: JointDrive) -> bool:
    """Return whether a drive is a spring and damper of any strength."""
    is_plain = drive.mode == DriveMode.FORCE and drive.max_force == np.inf
    return is_plain and not drive.velocity_target


def _with_drives(values: AxisValues, drives: Sequence[JointDrive], rest: float) -> AxisValues:
    """Return the values with the damping and the spring that drives of the axis are."""
    for drive in drives:
        if _is_spring(drive):
            stiffness = values.spring_stiffness + drive.acting_stiffness
            pull = values.spring_stiffness * values.spring_reference
            if drive.position_target is not None:
                pull += drive.acting_stiffness * counted_from(rest, drive.position_target)
            values = replace(
                values,
                damping=values.damping + drive.acting_damping,
                spring_stiffness=stiffness,
                spring_reference=pull / stiffness if stiffness else 0.0,
            )
    return values

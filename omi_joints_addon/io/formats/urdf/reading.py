"""A URDF document as a scene.

The joint node is below the child's body and the connected node below the parent's, both at the
child's origin and turned by `frames_of_axes`, so that bounds and targets keep their numbers. The
zero pose of the file is the rest pose.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.presets import fixed, planar
from ....core.model.articulation import Coupling
from ....core.model.attributes import JointAttributes
from ....core.model.body import Collider, Motion, MotionType
from ....core.model.joint import DriveType, JointDrive, JointSettings
from ....core.model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    quaternion_product,
    rotation_from_matrix,
)
from ....core.model.scene import Joint, PhysicsScene
from ....core.rewrite.intervals import FREE, Interval, one_axis_settings
from ....core.rewrite.turning import frames_of_axes, moved_connected_frames, zero_of_range
from ....core.shapes.inertia import principal_axes
from .document import Inertial, JointElement, Link, Robot
from .parts import Parts
from .rules import (
    BAD_INERTIA,
    BARE_LIMIT,
    BROKEN_MIMIC,
    CARRIED,
    LOST_MIMIC,
    NO_MASS,
    NO_RANGE,
    WHOLE_TURN,
)
from .skeleton import Skeleton

SLIDES, TURNS = 0, 5
"""Axis of a prismatic and of a revolute joint among the six of `intervals`."""


class SceneReader:
    """Builds the scene of one robot."""

    def __init__(self, robot: Robot, parts: Parts, options: Mapping[str, Any]) -> None:
        self.findings: list[Finding] = []
        self._robot = robot
        self._parts = parts
        self._is_nested = bool(options.get("nested", False))
        self._frees_bare_limits = options.get("bare_limits", "locked") == "free"
        self._skeleton = Skeleton(robot, base=str(options.get("base", "auto")))
        self._links = {link.name: link for link in robot.links}
        self.names: list[str] = []
        self.parents: list[int] = []
        self.matrices: list[Array] = []
        self.motions: dict[int, Motion] = {}
        self.colliders: dict[int, Collider] = {}
        self._nodes: dict[str, int] = {}
        self._joints: list[Joint] = []
        self._zeros: dict[str, float] = {}
        self._numbers: dict[str, int] = {}

    def scene(self) -> PhysicsScene:
        """Return the scene; call it once."""
        skeleton = self._skeleton
        self.findings += skeleton.findings
        for name in skeleton.order:
            self._add_body(self._links[name])
        for name in skeleton.order:
            self._add_frame(name)
        if self._is_nested:
            self._nest()
        for element in skeleton.joints:
            self._add_joint(element)
        self._add_parts()
        carried = self._carried()
        return PhysicsScene(
            names=tuple(self.names),
            parents=np.array(self.parents, dtype=np.intp),
            matrices=np.array(self.matrices).reshape(-1, 4, 4),
            motions=self.motions,
            joints=tuple(self._joints),
            colliders=self._parts.colliders,
            meshes=tuple(self._parts.meshes),
            visuals=self._parts.visuals,
            couplings=tuple(self._couplings()),
            name=self._robot.name,
            carried={"urdf": carried} if carried else {},
        )

    def add_node(self, name: str, parent: int, matrix: Array) -> int:
        """Add a node and return its number."""
        self.names.append(name)
        self.parents.append(parent)
        self.matrices.append(matrix)
        return len(self.names) - 1

    def _add_body(self, link: Link) -> None:
        motion_type = self._skeleton.motion_type_of(link.name)
        if motion_type is not None:
            node = self.add_node(link.name, -1, self._skeleton.matrices[link.name])
            self._nodes[link.name] = node
            self.motions[node] = self._motion(link, motion_type)

    def _add_frame(self, name: str) -> None:
        """Add the node of a link that is no body, and those that it hangs on."""
        chain = []
        while name not in self._nodes:
            chain.append(name)
            name = self._skeleton.holders[name]
        for link in reversed(chain):
            above = self._nodes[self._skeleton.holders[link]]
            self._nodes[link] = self.add_node(link, above, self._skeleton.matrices[link])

    def _nest(self) -> None:
        """Put each body below the one that it hangs on."""
        for link, above in self._skeleton.parents.items():
            if self._skeleton.motion_type_of(link) is not None:
                node, parent = self._nodes[link], self._body(above)
                self.parents[node] = -1 if parent == node else parent

    def _body(self, link: str) -> int:
        """Return the node of the body that a link is part of."""
        return self._nodes[self._skeleton.body_of(link)]

    def _motion(self, link: Link, motion_type: MotionType) -> Motion:
        inertial = link.inertial
        if inertial is None or not inertial.mass > 0.0:
            if motion_type != MotionType.DYNAMIC:
                return Motion(type=motion_type)
            self.findings.append(NO_MASS(link.name))
            return Motion(type=motion_type, mass=0.0)
        matrix = inertial.origin.matrix()
        diagonal, orientation = self._principal(link.name, inertial)
        x, y, z = inertial.origin.xyz
        return Motion(
            type=motion_type,
            mass=inertial.mass,
            center_of_mass=(x, y, z),
            inertia_diagonal=diagonal,
            inertia_orientation=_rotation(matrix, orientation),
        )

    def _principal(
        self, place: str, inertial: Inertial
    ) -> tuple[tuple[float, float, float], Array]:
        tensor = inertial.tensor()
        if tensor is None:
            return (0.0, 0.0, 0.0), np.array((0.0, 0.0, 0.0, 1.0))
        moments, orientation = principal_axes(tensor)
        low, middle, high = sorted(moments.tolist())
        if low <= 0.0:
            self.findings.append(BAD_INERTIA(place, problem="a principal moment is not positive"))
        elif low + middle < high * (1.0 - 1e-9):
            problem = "two principal moments together are less than the third"
            self.findings.append(BAD_INERTIA(place, problem=problem))
        x, y, z = moments.tolist()
        return (x, y, z), orientation

    def _add_joint(self, element: JointElement) -> None:
        """Add a joint and its two frames, unless its links are one body or move freely."""
        child, parent = self._body(element.child), self._body(element.parent)
        if child == parent or element.type == "floating":
            return
        if not {self.motions[child].type, self.motions[parent].type} & {MotionType.DYNAMIC}:
            return
        settings, zero = self._settings(element)
        rotation = _frame(element)
        matrix = self._skeleton.matrices[element.child] @ _turn(rotation)
        frame = self._skeleton.frame_of(element) @ _turn(rotation)
        if zero:
            is_angular = element.type == "revolute"
            pose = Pose(frame[:3, 3], rotation_from_matrix(frame[:3, :3]))
            moved = moved_connected_frames(
                pose, is_angular=is_angular, axis=2 if is_angular else 0, by=zero
            )
            frame = matrix_from_pose(moved)
        self._zeros[element.name] = zero
        self._numbers[element.name] = len(self._joints)
        self._joints.append(
            Joint(
                node=self.add_node(element.name, child, matrix),
                connected=self.add_node(f"{element.name} Parent", parent, frame),
                settings=settings,
                attributes=_attributes(element, settings),
                place=element.name,
            )
        )

    def _settings(self, element: JointElement) -> tuple[JointSettings, float]:
        """Return the settings and the position of the file that is their zero."""
        if element.type == "fixed":
            return fixed(), 0.0
        if element.type == "planar":
            return planar(), 0.0
        is_angular = element.type != "prismatic"
        number = TURNS if is_angular else SLIDES
        lower, upper = self._range(element)
        zero = zero_of_range(lower, upper) if is_angular else 0.0
        interval = FREE
        if zero is not None and (lower, upper) != (-math.inf, math.inf):
            interval = Interval(min=lower - zero, max=upper - zero)
        elif zero is None and element.type == "revolute" and math.isfinite(upper - lower):
            self.findings.append(WHOLE_TURN(element.name, lower=lower, upper=upper))
        settings = one_axis_settings(number, interval, _brake(element, is_angular))
        return settings, zero or 0.0

    def _range(self, element: JointElement) -> tuple[float, float]:
        """Return lower and upper bound, infinite where there are none."""
        free = (-math.inf, math.inf)
        limit = element.limit
        if element.type == "continuous":
            return free
        if limit is None:
            self._no_range(element, "there is no limit")
            return free
        if limit.lower is None and limit.upper is None:
            if self._frees_bare_limits:
                return free
            self.findings.append(BARE_LIMIT(element.name))
        lower, upper = limit.lower or 0.0, limit.upper or 0.0
        if lower > upper:
            self._no_range(element, f"lower ({lower:g}) is above upper ({upper:g})")
            return free
        return lower, upper

    def _no_range(self, element: JointElement, problem: str) -> None:
        self.findings.append(NO_RANGE(element.name, problem=problem))

    def _couplings(self) -> list[Coupling]:
        found = []
        for element in self._skeleton.joints:
            mimic = element.mimic
            if mimic is None:
                continue
            joint, source = (self._numbers.get(name) for name in (element.name, mimic.joint))
            if joint is None or source is None or joint == source:
                problem = "the joint itself" if joint == source else "no joint that moves"
                self.findings.append(LOST_MIMIC(element.name, source=mimic.joint, problem=problem))
                continue
            if mimic.offset:
                self.findings.append(
                    BROKEN_MIMIC(element.name, offset=mimic.offset, source=mimic.joint)
                )
            zeros = self._zeros
            offset = mimic.offset + mimic.multiplier * zeros[mimic.joint] - zeros[element.name]
            coefficients = (offset, mimic.multiplier)
            found.append(Coupling(joint=joint, source=source, coefficients=coefficients))
        return found

    def _add_parts(self) -> None:
        for link in self._robot.links:
            if link.name in self._nodes:
                self._parts.add(self, link, self._nodes[link.name])
        self.findings += self._parts.findings

    def _carried(self) -> dict[str, Any]:
        extra = [*self._robot.extra, *(text for link in self._robot.links for text in link.extra)]
        if extra:
            tags = sorted({text[1:].split(">")[0].split()[0].rstrip("/") for text in extra})
            self.findings.append(CARRIED(self._robot.name, names=", ".join(tags[:6])))
        links = {link.name: list(link.extra) for link in self._robot.links if link.extra}
        carried: dict[str, Any] = {"extra": list(self._robot.extra)} if self._robot.extra else {}
        return {**carried, "links": links} if links else carried


def _rotation(matrix: Array, orientation: Array) -> tuple[float, float, float, float]:
    rotation = rotation_from_matrix(matrix[:3, :3])
    x, y, z, w = quaternion_product(rotation, orientation).tolist()
    return (x, y, z, w)


def _frame(element: JointElement) -> Array:
    """Return the rotation of the joint frame in the child's axes."""
    if element.type == "fixed":
        return np.array((0.0, 0.0, 0.0, 1.0))
    main = 0 if element.type == "prismatic" else 2
    return frames_of_axes(np.array(element.axis), main=main)


def _turn(rotation: Array) -> Array:
    return matrix_from_pose(Pose(np.zeros(3), rotation))


def _brake(element: JointElement, is_angular: bool) -> tuple[JointDrive, ...]:
    if not element.damping:
        return ()
    kind = DriveType.ANGULAR if is_angular else DriveType.LINEAR
    axis = 2 if is_angular else 0
    return (JointDrive(type=kind, axis=axis, velocity_target=0.0, damping=element.damping),)


def _attributes(element: JointElement, settings: JointSettings) -> JointAttributes:
    limit = element.limit
    carried: dict[str, Any] = {"extra": list(element.extra)} if element.extra else {}
    if limit is not None and not settings.limits[2:] and element.type == "revolute":
        carried["range"] = [limit.lower, limit.upper]
    given = (None, None) if limit is None else (limit.effort, limit.velocity)
    effort, velocity = (math.inf if value is None or value < 0.0 else value for value in given)
    return JointAttributes(
        effort=effort,
        velocity=velocity,
        friction=element.friction,
        carried=(("urdf", json.dumps(carried)),) if carried else (),
    )

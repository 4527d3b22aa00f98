"""Joints of an SDF document between the links of a scene."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.articulation import Coupling
from ....core.model.body import Motion, MotionType
from ....core.model.pose import Array
from ....core.model.scene import Joint
from ....core.model.scene_builder import SceneBuilder
from ...documents.xml_source import SourceElement
from .frames import FrameError
from .joints import ONE_AXIS, Axis, Made, ball, one_axis, rigid
from .models import Item, Placed
from .rules import BAD_FRAME, LOST_MIMIC, NO_GEAR, STACKED, UNKNOWN_JOINT, UNUSABLE_VALUE
from .schema import AXIS, JOINT, AxisValues, JointValues

_BETWEEN = 1e-3
"""Mass of a body between two joints, as a part of that of the link."""
_TWO_AXES = ("universal", "revolute2")
WORLD = "world"
"""What joints call the world, and the body here that stands for it."""


class _Ends(NamedTuple):
    """Nodes of two links, -1 for the world."""

    parent: int
    child: int


class JointReader:
    """Adds joints to a scene; `nodes` has the node of each link by its path."""

    def __init__(
        self, build: SceneBuilder, nodes: Mapping[str, int], findings: list[Finding]
    ) -> None:
        self._build, self._nodes, self._findings = build, nodes, findings
        self._place = ""
        self._made: dict[str, tuple[int, Made]] = {}
        """Number and values of each joint with one axis, by its path."""
        self._followers: list[tuple[str, str, AxisValues]] = []
        """Joints that follow others: path, prefix of the scope, values."""
        self._gears: list[tuple[str, JointValues]] = []
        self._screws: list[Coupling] = []
        self._world_node = -1

    def add(self, placed: Placed, item: Item, name: str) -> int | None:
        """Add a joint and return its node; one that cannot be had is reported."""
        self._place, count = name, len(self._build.joints)
        values: JointValues = JOINT.read(item.element, self._report)
        try:
            self._add(placed, item, values)
        except FrameError as error:
            self._findings.append(BAD_FRAME(name, problem=str(error), what="the joint"))
        return None if len(self._build.joints) == count else self._build.joints[count].node

    def couplings(self) -> Iterator[Coupling]:
        """Yield the joints that follow others, of all that were added."""
        yield from self._screws
        yield from self._mimics()
        yield from self._geared()

    def _add(self, placed: Placed, item: Item, values: JointValues) -> None:
        kind, path = item.element.get("type"), placed.prefix + item.key
        if kind == "gearbox":
            self._gears.append((placed.prefix, values))
            return
        ends = _Ends(*(self._node(placed, name) for name in (values.parent, values.child)))
        place = np.asarray(placed.matrix @ placed.model.scope.at(item.key))
        axes = self._axes(placed, item)
        first = axes.get("axis", Axis(place[:3, 2], AxisValues()))
        if kind in ONE_AXIS:
            made = self._one(
                first, place, is_angular=kind != "prismatic", is_free=kind == "continuous"
            )
            self._join(path, self._place, made, ends, values)
            if first.values.mimic:
                self._followers.append((path, placed.prefix, first.values))
        elif kind in ("fixed", "ball"):
            made = rigid(place) if kind == "fixed" else ball(place)
            self._join("", self._place, made, ends, values)
        elif kind in _TWO_AXES:
            second = axes.get("axis2", Axis(place[:3, 2], AxisValues()))
            two = self._one(second, place)
            self._stack(path, (self._one(first, place), two), ends, values, place)
        elif kind == "screw":
            self._screw(path, first, ends, values, place)
        else:
            self._findings.append(UNKNOWN_JOINT(self._place, kind=kind))

    def _screw(self, path: str, axis: Axis, ends: _Ends, values: JointValues, place: Array) -> None:
        """Add a hinge and a slider about one axis, of which the second follows the first."""
        slide = self._one(axis, place, is_angular=False, is_free=True)
        self._stack(path, (self._one(axis, place), slide), ends, values, place)
        pitch = _meters_a_turn(values) / (2.0 * math.pi)
        numbers = [self._made[key][0] for key in (f"{path} 2", path)]
        coupling = Coupling(joint=numbers[0], source=numbers[1], coefficients=(0.0, pitch))
        self._screws.append(coupling)

    def _node(self, placed: Placed, name: str) -> int:
        """Return the node of a link or of what a frame is attached to; raises `FrameError`."""
        link = placed.model.scope.link_of(name)
        if link and placed.prefix + link not in self._nodes:
            raise FrameError(f"link {name!r} does not exist")
        return self._nodes[placed.prefix + link] if link else self._world()

    def _world(self) -> int:
        """Return the node of a body that stands for the world."""
        if self._world_node < 0:
            self._world_node = self._build.add(WORLD, -1, np.eye(4))
            self._build.motions[self._world_node] = Motion(type=MotionType.STATIC)
        return self._world_node

    def _one(
        self, axis: Axis, place: Array, *, is_angular: bool = True, is_free: bool = False
    ) -> Made:
        name, findings = self._place, self._findings
        return one_axis(name, axis, place, findings, is_angular=is_angular, is_free=is_free)

    def _stack(
        self, path: str, made: tuple[Made, Made], ends: _Ends, values: JointValues, place: Array
    ) -> None:
        """Add two joints in a row with a light body between."""
        self._findings.append(STACKED(self._place))
        body = self._build.motions.get(ends.child) or self._build.motions[ends.parent]
        mass = _BETWEEN * body.mass
        moment = _BETWEEN * max(*body.inertia_diagonal, _BETWEEN * mass)
        between = self._build.add(f"{self._place} between", -1, place)
        self._build.motions[between] = Motion(
            mass=mass, inertia_diagonal=(moment, moment, moment), gravity_factor=body.gravity_factor
        )
        self._join(path, self._place, made[0], _Ends(ends.parent, between), values)
        second = _Ends(between, ends.child)
        self._join(f"{path} 2", f"{self._place} 2", made[1], second, values)

    def _axes(self, placed: Placed, item: Item) -> dict[str, Axis]:
        """Return the axes of a joint, in the world; raises `FrameError`."""
        found, scope = {}, placed.model.scope
        for element in item.element.findall("axis", "axis2"):
            turn = (placed.matrix @ scope.at(frame_of_axis(element, item)))[:3, :3]
            direction = turn @ _direction(element.find("xyz"))
            found[element.tag] = Axis(direction, AXIS.read(element, self._report))
        return found

    def _join(self, path: str, name: str, made: Made, ends: _Ends, values: JointValues) -> None:
        """Add a joint between the nodes of two links."""
        node = self._build.add(name, ends.child, made.frame)
        connected = self._build.add(f"{name} parent", ends.parent, made.connected)
        attributes = replace(made.attributes, in_articulation=not values.must_be_loop_joint)
        joint = Joint(
            node=node,
            connected=connected,
            settings=made.settings,
            attributes=attributes,
            place=name,
        )
        number = self._build.add_joint(joint)
        if path:
            self._made[path] = number, made

    def _mimics(self) -> Iterator[Coupling]:
        for path, prefix, values in self._followers:
            source = prefix + (values.mimic or "")
            if source not in self._made or (values.mimic_axis or "axis") != "axis":
                self._findings.append(LOST_MIMIC(path, source=values.mimic or ""))
                continue
            (own, made), (other, leader) = self._made[path], self._made[source]
            factor = values.multiplier
            offset = values.offset - factor * values.reference
            start = offset + factor * leader.zero - made.zero
            yield Coupling(joint=own, source=other, coefficients=(start, factor))

    def _geared(self) -> Iterator[Coupling]:
        """Yield the couplings of gearboxes between the two hinges of their reference bodies."""
        for prefix, values in self._gears:
            reference = values.gearbox_reference_body
            one = self._hinge_between(prefix, reference, values.parent)
            other = self._hinge_between(prefix, reference, values.child)
            if one is None or other is None:
                names = {"parent": values.parent, "child": values.child}
                self._findings.append(NO_GEAR(reference=reference, **names))
                continue
            ratio = -values.gearbox_ratio * one[1] * other[1]
            yield Coupling(joint=other[0], source=one[0], coefficients=(0.0, ratio))

    def _hinge_between(self, prefix: str, one: str, other: str) -> tuple[int, float] | None:
        """Return the joint of two links, and 1 where the second one is its child, else -1."""
        nodes = [self._nodes.get(prefix + name, -1) for name in (one, other)]
        for number, _ in self._made.values():
            joint = self._build.joints[number]
            child, parent = (self._build.parents[node] for node in (joint.node, joint.other))
            if nodes in ([parent, child], [child, parent]):
                return number, 1.0 if nodes == [parent, child] else -1.0
        return None

    def _report(self, path: str, text: str, expected: str) -> None:
        self._findings.append(UNUSABLE_VALUE(self._place, name=path, text=text, expected=expected))


def frame_of_axis(axis: SourceElement, item: Item) -> str:
    """Return the frame that the direction of an axis of a joint is in."""
    xyz, own = axis.find("xyz"), axis.find("use_parent_model_frame")
    uses_model = own is not None and own.content.strip().lower() in ("1", "true")
    if item.version < (1, 5) or (item.version < (1, 7) and uses_model):
        return "__model__"
    return ("" if xyz is None else xyz.get("expressed_in")) or item.key


def _direction(xyz: SourceElement | None) -> Array:
    """Return the unit direction of an axis; raises `FrameError` for one without direction."""
    if xyz is None or not xyz.content.strip():
        return np.array((0.0, 0.0, 1.0))
    try:
        found = np.array([float(word) for word in xyz.content.split()])
    except ValueError:
        found = np.zeros(0)
    length = float(np.linalg.norm(found)) if found.shape == (3,) else 0.0
    if not (0.0 < length < np.inf):
        raise FrameError(f"the axis {xyz.content.strip()[:40]!r} has no direction")
    return found / length


def _meters_a_turn(values: JointValues) -> float:
    """Return how far a screw goes in a turn, counterclockwise about its axis and along it."""
    if values.screw_thread_pitch is not None:
        return values.screw_thread_pitch
    if values.thread_pitch:
        return -2.0 * np.pi / values.thread_pitch
    return 1.0

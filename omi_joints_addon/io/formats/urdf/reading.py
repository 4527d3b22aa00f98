"""A URDF document as a scene.

The joint node is below the child's body and the connected node below the parent's, both at the
child's origin and turned by `frames_of_axes`, so that bounds and targets keep their numbers. The
zero pose of the file is the rest pose.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.axes import joint_axes
from ....core.model.articulation import Articulation, Coupling
from ....core.model.body import Motion, MotionType
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, pose_from_matrix, relative_pose
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.scene_builder import SceneBuilder
from ..format import Options
from ..resting import rest_of
from .carrying import CarriedRobot, Placement, matrices_of
from .document import ONE_AXIS, JointElement, Link, Robot
from .joint_reading import (
    JointRange,
    attributes_of_element,
    frames_of_elements,
    range_of_element,
    settings_of_element,
)
from .joint_writing import joint_kind_of
from .motion_reading import motions_of_links
from .parts import Parts
from .rules import BROKEN_MIMIC, CARRIED, LOST_MIMIC, STALE_CARRIER
from .semantic import Semantics
from .skeleton import Skeleton

WORLD = -1


class SceneReader:
    """Builds the scene of one robot; `kept` is what its carriers contain."""

    def __init__(self, robot: Robot, kept: CarriedRobot, parts: Parts, options: Options) -> None:
        self.findings: list[Finding] = []
        self._robot = robot
        self._parts = parts
        self._is_nested = bool(options.get("nested", False))
        self._frees_bare_limits = options.get("bare_limits", "locked") == "free"
        self._kept = kept
        self._skeleton = Skeleton(robot, self._kept, base=str(options.get("base", "auto")))
        self.findings += [STALE_CARRIER(name) for name in self._kept.stale]
        self.findings += self._skeleton.findings
        self._build = SceneBuilder()
        self._own_motions: dict[str, Motion] = {}
        """Motions of bodies as their links say, by name of the link."""
        self._nodes: dict[str, int] = {}
        self._zeros: dict[str, float] = {}
        self._numbers: dict[str, int] = {}
        mimics = [(joint.name, joint.mimic.joint) for joint in robot.joints if joint.mimic]
        self._fixed = {joint.name for joint in robot.joints if joint.type == "fixed"}
        self._coupled = {name for pair in mimics for name in pair}
        """Names of joints whose zero matters."""
        self._moving: dict[str, int] = {}

    def scene(self) -> PhysicsScene:
        """Return the scene; call it once."""
        links = {link.name: link for link in self._robot.links}
        self._own_motions = motions_of_links(
            [
                (links[name], kind)
                for name in self._skeleton.order
                if (kind := self._skeleton.motion_type_of(name)) and name not in self._kept.bodies
                if name != self._kept.world
            ],
            self.findings,
        )
        for name, matrix in self._places():
            self._add_body(links[name], matrix)
        for name in self._skeleton.order:
            self._add_frame(name)
        self._nest()
        spans = {element.name: self._span(element) for element in self._skeleton.joints}
        frames = self._frames(spans)
        ends = self._kept_ends()
        for element in self._skeleton.joints:
            if element.name in ends:
                self._add_kept_joint(element.name, ends[element.name])
            self._add_joint(element, spans[element.name], frames)
        for name, places in ends.items():
            if name not in self._zeros:
                self._add_kept_joint(name, places)
        matrices = self._skeleton.matrices
        holders = [(links[name], node, matrices[name]) for name, node in self._nodes.items()]
        self._parts.add(self._build, holders, self._kept.parts)
        self.findings += self._parts.findings
        carried = self._carried()
        return self._build.scene(
            couplings=tuple(self._couplings()),
            articulations=tuple(self._articulations()),
            excluded_pairs=tuple(self._excluded_pairs()),
            name=self._robot.name if self._kept.scene.name is None else self._kept.scene.name,
            carried={"urdf": carried} if carried else {},
            gravity=self._kept.scene.gravity,
        )

    def with_semantics(self, scene: PhysicsScene, semantics: Semantics) -> PhysicsScene:
        """Return the scene with what the SRDF file of the robot adds."""
        nodes = [tuple(self._nodes.get(name, -1) for name in pair) for pair in semantics.pairs]
        known = {frozenset(pair) for pair in scene.excluded_pairs}
        pairs = [
            (one, other)
            for one, other in nodes
            if {one, other} <= scene.motions.keys() and frozenset((one, other)) not in known
        ]
        return replace(scene, poses=semantics.poses, excluded_pairs=(*scene.excluded_pairs, *pairs))

    def _places(self) -> Iterator[tuple[str, Array]]:
        """Yield the world matrices of links, of those with a body that is kept the body's."""
        order, kept = self._skeleton.order, self._kept.bodies
        bodies = [name for name in order if name in kept]
        matrices = self._placed(bodies, [kept[name].pose for name in bodies])
        own = dict(zip(bodies, matrices, strict=True))
        return ((name, own.get(name, self._skeleton.matrices[name])) for name in order)

    def _kept_ends(self) -> dict[str, Sequence[Array]]:
        """Return the world matrices of the ends of joints that are kept, by name."""
        joints = self._kept.joints
        links = [link for kept in joints.values() for link in kept.links]
        frames = [frame for kept in joints.values() for frame in kept.frames]
        matrices = iter(self._placed(links, frames))
        return {name: [*islice(matrices, len(kept.links))] for name, kept in joints.items()}

    def _placed(self, links: Sequence[str], placements: Sequence[Placement]) -> Array:
        """Return the world matrices (n, 4, 4) of what is in links, without a name in the world."""
        above = [self._skeleton.matrices[link] if link else np.eye(4) for link in links]
        return np.array(above).reshape(-1, 4, 4) @ matrices_of(placements)

    def _add_body(self, link: Link, matrix: Array) -> None:
        if link.name == self._kept.world:
            self._nodes[link.name] = WORLD
            return
        if self._skeleton.motion_type_of(link.name) is None:
            return
        kept = self._kept.bodies.get(link.name)
        node = self._build.add(link.name, -1, matrix)
        self._nodes[link.name] = node
        self._build.motions[node] = self._own_motions[link.name] if kept is None else kept.motion

    def _add_frame(self, name: str) -> None:
        """Add the node of a link that is not a body, and those above it."""
        chain = []
        while name not in self._nodes:
            chain.append(name)
            name = self._skeleton.holders[name]
        for link in reversed(chain):
            above = self._nodes[self._skeleton.holders[link]]
            self._nodes[link] = self._build.add(link, above, self._skeleton.matrices[link])

    def _nest(self) -> None:
        """Put bodies below others: as a file of this program has them, else by their joints."""
        for link, node in self._nodes.items():
            kept, above = self._kept.bodies.get(link), self._skeleton.parents.get(link)
            if node not in self._build.motions:
                continue
            if kept is not None:
                self._build.parents[node] = self._nodes.get(kept.above, -1)
            elif self._is_nested and above is not None:
                parent = self._body(above)
                self._build.parents[node] = -1 if parent == node else parent

    def _body(self, link: str) -> int:
        return self._nodes[self._skeleton.body_of(link)]

    def _moves(self, body: int) -> bool:
        return body != WORLD and self._build.motions[body].type == MotionType.DYNAMIC

    def _span(self, element: JointElement) -> JointRange | None:
        """Return what a joint may do; None for none: its links are one body or move freely."""
        child, parent = self._body(element.child), self._body(element.parent)
        if element.name in self._kept.joints or child == parent or element.type == "floating":
            return None
        if not self._moves(child) and not self._moves(parent):
            return None
        return range_of_element(element, self.findings, frees_bare_limits=self._frees_bare_limits)

    def _frames(self, spans: Mapping[str, JointRange | None]) -> dict[str, tuple[Array, Array]]:
        """Return the world matrices of the joint node and the connected node of each joint."""
        skeleton = self._skeleton
        wanted = [element for element in skeleton.joints if spans[element.name] is not None]
        frames = frames_of_elements(
            wanted,
            [skeleton.matrices[element.child] for element in wanted],
            skeleton.frames_of(wanted),
            [span.zero for span in spans.values() if span is not None],
        )
        return {element.name: pair for element, pair in zip(wanted, frames, strict=True)}

    def _add_joint(
        self,
        element: JointElement,
        span: JointRange | None,
        frames: Mapping[str, tuple[Array, Array]],
    ) -> None:
        if span is None:
            return
        frame, connected = frames[element.name]
        joint = Joint(
            node=self._build.add(element.name, self._body(element.child), frame),
            connected=self._build.add(
                f"{element.name} Parent", self._body(element.parent), connected
            ),
            settings=settings_of_element(element, span),
            attributes=attributes_of_element(element, span),
            place=element.name,
        )
        self._put(element.name, joint, span.zero)
        if element.type in ONE_AXIS:
            self._moving[element.name] = self._numbers[element.name]

    def _add_kept_joint(self, name: str, matrices: Sequence[Array]) -> None:
        """Add a joint that is kept, with the world matrices (4, 4) of its ends."""
        kept = self._kept.joints[name]
        nodes = [
            self._body(link)
            if is_body and link
            else self._build.add(title, self._body(link) if link else WORLD, matrix)
            for link, matrix, title, is_body in zip(
                kept.links, matrices, kept.names, kept.on_body, strict=True
            )
        ]
        connected = nodes[1] if len(nodes) > 1 else None
        joint = replace(kept.joint, node=nodes[0], connected=connected, place=name)
        _, axis = joint_kind_of(joint_axes(joint.settings)) if name in self._coupled else ("", None)
        self._put(name, joint, 0.0 if axis is None else self._zero_of(joint, axis))
        if axis is not None:
            self._moving[name] = self._numbers[name]

    def _zero_of(self, joint: Joint, axis: int) -> float:
        """Return the position [m or rad] of the file that is the zero of a kept joint."""
        if joint.connected is None:
            return 0.0
        ends = pose_from_matrix(
            [self._build.matrices[joint.node], self._build.matrices[joint.connected]]
        )
        own, zero = joint_axes(joint.settings).all[axis].own, joint.attributes.zero
        return zero - rest_of(relative_pose(ends.at(0), ends.at(1)), axis, zero, own)

    def _put(self, name: str, joint: Joint, zero: float) -> None:
        self._zeros[name] = zero
        self._numbers[name] = self._build.add_joint(joint)

    def _couplings(self) -> Iterable[Coupling]:
        carried = self._kept.scene.couplings
        known = {joint for joint, _, _ in carried}
        for element in self._skeleton.joints:
            if element.mimic is not None and element.name not in known:
                yield from self._coupling(element.name, element.mimic.joint, element)
        for joint, source, coefficients in carried:
            numbers = [self._numbers.get(name) for name in (joint, source)]
            if numbers[0] is not None and numbers[1] is not None:
                yield Coupling(joint=numbers[0], source=numbers[1], coefficients=coefficients)

    def _coupling(self, name: str, source: str, element: JointElement) -> Iterable[Coupling]:
        mimic, zeros = element.mimic, self._zeros
        if mimic is None:
            return
        joint, other = self._moving.get(name), self._moving.get(source)
        if joint is None or other is None or joint == other:
            problem = "the joint itself" if name == source else "not another joint with one axis"
            if source in self._fixed:
                problem = "fixed"
            if joint is None:
                problem = "irrelevant, since the joint has no axis of its own"
            self.findings.append(LOST_MIMIC(name, source=source, problem=problem))
            return
        if mimic.offset:
            self.findings.append(BROKEN_MIMIC(name, offset=mimic.offset, source=source))
        offset = mimic.offset + mimic.multiplier * zeros[source] - zeros[name]
        yield Coupling(joint=joint, source=other, coefficients=(offset, mimic.multiplier))

    def _articulations(self) -> Iterable[Articulation]:
        for link, is_fixed in self._kept.scene.articulations:
            if self._nodes.get(link, WORLD) != WORLD:
                yield Articulation(root=self._nodes[link], is_fixed=is_fixed)

    def _excluded_pairs(self) -> Iterable[tuple[int, int]]:
        for one, other in self._kept.scene.excluded_pairs:
            if {one, other} <= self._nodes.keys():
                yield self._nodes[one], self._nodes[other]

    def _carried(self) -> JsonObject:
        extra = [*self._robot.extra, *(text for link in self._robot.links for text in link.extra)]
        if extra:
            tags = sorted({text[1:].split(">")[0].split()[0].rstrip("/") for text in extra})
            self.findings.append(CARRIED(self._robot.name, names=", ".join(tags[:6])))
        links = {link.name: list(link.extra) for link in self._robot.links if link.extra}
        carried: JsonObject = {"extra": list(self._robot.extra)} if self._robot.extra else {}
        carried |= {"links": links} if links else {}
        fixed = self._skeleton.frame_joints()
        return {**carried, "fixed": fixed} if fixed else carried

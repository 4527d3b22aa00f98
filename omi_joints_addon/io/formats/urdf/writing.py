"""A scene as a URDF document, and what the document does not say.

The document is read again and compared with the scene: what differs is carried in elements that
only this program reads, and what differs even then is lost or converted. So nothing is dropped
silently.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.findings.loss import How, Loss, Losses, Noun
from ....core.meaning.axes import joint_axes
from ....core.meaning.naming import take_free_name
from ....core.model.body import Motion, MotionType
from ....core.model.graph import WORLD
from ....core.model.pose import Array, pose_from_matrix, rotation_matrix
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled
from ....core.shapes.assumed import assumed_text, required_inertias
from ....core.shapes.inertia import principal_axes
from ...documents.number_words import counted_from
from ..format import Options, Target, Written
from ..origins import Origin, origins_of_matrices
from ..resting import moved_zero, rest_of
from ..xml_text import printable_parts
from .carrying import carriers_of
from .comparing import compared, losses_of_written
from .document import (
    ONE_AXIS,
    UNLIMITED,
    Inertial,
    JointElement,
    Link,
    Mimic,
    Robot,
    Tensor,
)
from .joint_writing import (
    directions_of,
    joint_element,
    joint_kind_of,
    sound_elements,
)
from .part_writing import PartWriter
from .plan import Plan, motion_type, plan_of
from .printing import element_texts, elements_of, printed_robot
from .rereading import reread
from .rules import NO_ACTUATOR, NO_WEIGHT
from .semantic import semantics_beside

_KNOWN = ("link", "joint", "material", "omi_joint", "omi_link", "omi_scene")
_SMALLEST_MOMENT = 1e-9


def written_scene(scene: PhysicsScene, target: Target) -> Written:
    """Return the document of a scene with its meshes.

    Options: `names` (ros keeps to letters, digits and _), `meshes` (obj, stl or none), `package`
    (name of the package that the document is in), `carry` (False writes plain URDF only).
    """
    losses = Losses()
    scene = printable_parts(scene, losses)
    writer = RobotWriter(scene, target.options, stem=target.path.stem)
    robot = writer.robot()
    elements = elements_of(robot)
    semantics, again = writer.semantics(target.path, robot.name), reread(robot)
    if semantics:
        pairs = _nodes_of(again, writer.excluded_pairs())
        again = replace(again, poses=scene.poses, excluded_pairs=pairs)
    left = set(plain := compared(scene, again, writer))
    if plain and target.options.get("carry", True):
        texts = element_texts(elements)
        robot = replace(robot, carriers=carriers_of(scene, writer.plan, texts, plain))
        left = set(compared(scene, reread(robot, texts), writer))
    losses.found += losses_of_written(writer, again, left, is_carried=bool(robot.carriers))
    files = {target.path.name: printed_robot(robot, elements), **writer.parts.files, **semantics}
    return Written(
        names_all=True,
        files=files,
        findings=(*writer.findings, *writer.parts.findings),
        losses=tuple(dict.fromkeys(losses)),
    )


def _nodes_of(scene: PhysicsScene, pairs: list[tuple[str, str]]) -> tuple[tuple[int, int], ...]:
    """Return the nodes of links by their names."""
    nodes = {scene.names[node]: node for node in scene.motions}
    return tuple((nodes[one], nodes[two]) for one, two in pairs if {one, two} <= nodes.keys())


class RobotWriter:
    """Builds the document of one scene.

    `stem` begins the names of the files of its meshes; `keeps_files` refers to the files that
    meshes came from instead of writing them.
    """

    def __init__(
        self,
        scene: PhysicsScene,
        options: Options,
        *,
        stem: str = "",
        keeps_files: bool = False,
    ) -> None:
        self.findings: list[Finding] = []
        self.scene = scene
        self.plan: Plan = plan_of(scene, is_ros=options.get("names") == "ros")
        package = str(options.get("package", ""))
        prefix = f"package://{package}/" if package else ""
        kind = str(options.get("meshes", "obj"))
        self.parts = PartWriter(
            scene,
            self.plan.rigid,
            self._origins(),
            prefix=prefix,
            stem=stem,
            kind=kind,
            keeps_files=keeps_files,
        )
        self.written: dict[int, str] = {
            node: name for node, name in self.plan.names.items() if node != WORLD
        }
        """Name of each node in the document, those of joints and their ends left out."""
        self._taken = {*self.plan.names.values()}
        """Names of links and their parts."""
        self._taken_by_joints = {*self.plan.joint_names.values()}
        self._carried: Mapping[str, Any] = scene.carried.get("urdf") or {}
        self._axes = [joint_axes(joint.settings) for joint in scene.joints]
        self._poses = scene.relative_poses()
        """Pose of the connected node in the joint node of each joint."""
        self.made_up: dict[int, float] = {}
        """Radius [m] of the ball that stands for each body without inertia and shapes."""
        self._moments, self._centers = self._masses()

    def robot(self) -> Robot:
        """Return the document without carriers."""
        plan, extra = self.plan, sound_elements(self._carried.get("extra"), _KNOWN)
        nodes = [WORLD] if plan.has_world else []
        nodes += [*plan.tree.order, *plan.holders]
        parts = self._nodes_of_links()
        return Robot(
            name=self.scene.name or "robot",
            links=tuple(self._link(node, parts.get(node, [])) for node in nodes),
            joints=tuple(self._joints()),
            extra=extra,
        )

    def excluded_pairs(self) -> list[tuple[str, str]]:
        """Return the names of links that do not collide, of those that the document has."""
        names = self.plan.names
        pairs = [(names.get(a, ""), names.get(b, "")) for a, b in self.scene.excluded_pairs]
        return [pair for pair in pairs if all(pair)]

    def semantics(self, path: Path, robot: str) -> dict[str, bytes]:
        """Return the SRDF file beside a document at a path."""
        poses, names = self.scene.poses, self.joint_names()
        return semantics_beside(path, robot, poses, names, self.excluded_pairs())

    def joint_names(self) -> dict[str, str]:
        """Return the name of each joint in the document by that of its node."""
        names = self.plan.joint_names
        return {self.scene.names[each.node]: names[n] for n, each in enumerate(self.scene.joints)}

    def _origins(self) -> dict[int, Origin]:
        """Return the poses of the parts of links in these."""
        nodes, links = list(self.plan.link_of), list(self.plan.link_of.values())
        found = self._origins_in(links, self.plan.rigid[nodes])
        return dict(zip(nodes, found, strict=True))

    def _origins_in(self, links: Sequence[int], matrices: Array) -> list[Origin]:
        """Return the poses of rigid matrices (n, 4, 4) in links."""
        return origins_of_matrices(np.linalg.solve(self._matrices(links), matrices))

    def _matrices(self, links: Sequence[int]) -> Array:
        """Return the world matrices of links, shape (n, 4, 4)."""
        return np.array([self.plan.matrices[link] for link in links]).reshape(-1, 4, 4)

    def _nodes_of_links(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for node, link in self.plan.link_of.items():
            found.setdefault(link, []).append(node)
        return found

    def _link(self, node: int, parts: list[int]) -> Link:
        scene, matrix = self.scene, self.plan.matrices[node]
        visuals, collisions = [], []
        for part in sorted(parts):
            name = self._part_name(part)
            if part in scene.visuals and (visual := self.parts.visual(part, name, matrix)):
                visuals.append(visual)
            if part in scene.colliders and (found := self.parts.collision(part, name, matrix)):
                collisions.append(found)
        name = self.plan.names[node]
        extra = self._carried.get("links")
        texts = extra.get(name) if isinstance(extra, Mapping) else None
        return Link(
            name=name,
            inertial=self._inertial(node) if node in scene.motions else None,
            visuals=tuple(visuals),
            collisions=tuple(collisions),
            extra=sound_elements(texts, ("inertial", "visual", "collision")),
        )

    def _part_name(self, node: int) -> str:
        """Return a name for a part that no other node of the document has."""
        if node not in self.written:
            name = self.scene.names[node] or "part"
            self.written[node] = take_free_name(name, self._taken)
        return self.written[node]

    def _needs_inertia(self, body: int) -> bool:
        motion = self.scene.motions[body]
        is_given = any(motion.inertia_diagonal)
        return motion.type == MotionType.DYNAMIC and motion.mass > 0.0 and not is_given

    def _inertial(self, body: int) -> Inertial | None:
        """Return mass and inertia; none for what does not move and says nothing of them."""
        motion, name = self.scene.motions[body], self.plan.names[body]
        if motion == Motion(type=motion.type) and motion.type != MotionType.DYNAMIC:
            return None
        if not motion.mass > 0.0:
            self.findings.append(NO_WEIGHT(name, what="mass"))
            return None
        xx, yy, zz = self._moments[body]
        if not min(xx, yy, zz) > 0.0:
            self.findings.append(NO_WEIGHT(name, what="inertia"))
        return Inertial(
            origin=self._centers[body],
            mass=motion.mass,
            inertia=Tensor(xx, 0.0, 0.0, yy, 0.0, zz),
        )

    def _masses(self) -> tuple[dict[int, list[float]], dict[int, Origin]]:
        """Return principal moments, and their axes at the centers of mass in the links.

        What has none has those of its shapes, else of a ball (`core.shapes.assumed`).
        """
        bodies, scene = list(self.scene.motions), self.scene
        motions = [scene.motions[body] for body in bodies]
        moments = np.array([motion.inertia_diagonal for motion in motions], dtype=float).reshape(
            -1, 3
        )
        turns = np.array([motion.inertia_orientation for motion in motions], dtype=float).reshape(
            -1, 4
        )
        rows = {body: row for row, body in enumerate(bodies) if self._needs_inertia(body)}
        needed = required_inertias(scene, {body: scene.motions[body].mass for body in rows})
        self.made_up = {b: each.radius for b, each in needed.items() if each.radius is not None}
        tensors = np.array([needed[body].tensor for body in rows]).reshape(-1, 3, 3)
        found, turns[[*rows.values()]] = principal_axes(tensors)
        found = settled(found, least=_SMALLEST_MOMENT)
        moments[[*rows.values()]] = np.maximum(found, _SMALLEST_MOMENT)
        origins = self._origins_in(bodies, _centers(scene, bodies, turns))
        return dict(zip(bodies, moments.tolist(), strict=True)), dict(
            zip(bodies, origins, strict=True)
        )

    def _joints(self) -> list[JointElement]:
        plan, holders = self.plan, self.plan.holders
        found = self._world_joints(plan.tree.roots()) if plan.has_world else []
        found += self._tree_joints()
        found += self._fixed(list(holders.values()), list(holders), ["fixed"] * len(holders))
        return self._with_mimics(found)

    def _tree_joints(self) -> list[JointElement]:
        plan, scene = self.plan, self.scene
        jointed = [body for body in plan.tree.order if body in plan.tree.joints]
        numbers = [plan.tree.joints[body] for body in jointed]
        parents = [plan.tree.parents[body] for body in jointed]
        nodes = [scene.joints[number].node for number in numbers]
        children = self._matrices(jointed)
        are_own = (scene.bodies()[nodes] == jointed).tolist()
        directions = directions_of(scene.matrices[nodes].reshape(-1, 4, 4), children, are_own)
        origins = self._origins_in(parents, children)
        return [
            joint_element(
                scene.joints[number],
                self._axes[number],
                name=plan.joint_names[number],
                links=(plan.names[parents[row]], plan.names[body]),
                origin=origins[row],
                directions=directions[row],
                pose=self._poses.at(number),
            )
            for row, (number, body) in enumerate(zip(numbers, jointed, strict=True))
        ]

    def _world_joints(self, roots: Sequence[int]) -> list[JointElement]:
        """Return the joints of roots to the world: none for those that move freely, else welds."""
        types = [motion_type(self.scene, body) for body in roots]
        kinds = ["floating" if each == MotionType.DYNAMIC else "fixed" for each in types]
        return self._fixed([WORLD] * len(roots), roots, kinds)

    def _fixed(
        self, parents: Sequence[int], children: Sequence[int], kinds: Sequence[str]
    ) -> list[JointElement]:
        """Return elements without motion of their own."""
        names, known = self.plan.names, self._carried.get("fixed")
        own = known if isinstance(known, Mapping) else {}
        origins = self._origins_in(parents, self._matrices(children))
        return [
            JointElement(
                name=take_free_name(
                    str(own.get(names[child]) or f"{names[child]}_joint"), self._taken_by_joints
                ),
                type=kind,
                parent=names[parent],
                child=names[child],
                origin=origin,
            )
            for parent, child, kind, origin in zip(parents, children, kinds, origins, strict=True)
        ]

    def _with_mimics(self, elements: list[JointElement]) -> list[JointElement]:
        """Return the elements with the couplings that are straight lines, and report the rest."""
        rests = {element.name: element for element in elements}
        for coupling in self.scene.couplings:
            joint, source = (self.plan.joint_names[n] for n in (coupling.joint, coupling.source))
            terms = (*coupling.coefficients, 0.0, 0.0)
            is_known = {joint, source} <= rests.keys() and not any(terms[2:])
            if is_known and all(rests[n].type in ONE_AXIS for n in (joint, source)):
                one, other = (
                    self._rest(n) - self.scene.joints[n].attributes.zero
                    for n in (coupling.joint, coupling.source)
                )
                offset = counted_from(one - terms[1] * other, terms[0])
                mimic = Mimic(joint=source, multiplier=terms[1], offset=offset)
                rests[joint] = replace(rests[joint], mimic=mimic)
        self._report_actuators(rests.values())
        return list(rests.values())

    def _rest(self, number: int) -> float:
        """Return the position [m or rad] that the author of a joint counts at rest."""
        _, axis = joint_kind_of(self._axes[number])
        if axis is None:
            return 0.0
        own, zero = self._axes[number].all[axis].own, self.scene.joints[number].attributes.zero
        return rest_of(self._poses.at(number), axis, zero, own)

    def made_up_losses(self) -> Iterator[Loss]:
        """Yield the bodies whose inertia nobody gave."""
        for body, radius in self.made_up.items():
            text = assumed_text(radius)
            yield Loss(self.scene.names[body], Noun.INERTIA, How.CONVERTED, text)

    def moved_zeros(self) -> Iterator[tuple[str, str]]:
        """Yield the joints whose pose at rest is not their zero, and by how much that moves."""
        for number in self.plan.tree.joints.values():
            kind, axis = joint_kind_of(self._axes[number])
            rest = self._rest(number)
            if kind in ONE_AXIS and axis is not None and rest:
                name = self.scene.names[self.scene.joints[number].node]
                yield name, moved_zero("URDF", axis, rest)

    def _report_actuators(self, elements: Any) -> None:
        for element in elements:
            limit = element.limit
            for what in ("effort", "velocity"):
                if limit is not None and getattr(limit, what) == UNLIMITED:
                    self.findings.append(NO_ACTUATOR(element.name, what=what, value="1e6"))


def _centers(scene: PhysicsScene, bodies: Sequence[int], turns: Array) -> Array:
    """Return the principal axes of bodies at their centers of mass (n, 4, 4), in the world."""
    matrices = scene.matrices[bodies].reshape(-1, 4, 4)
    found = [scene.motions[body].center_of_mass for body in bodies]
    centers = np.array(found, dtype=float).reshape(-1, 3, 1)
    places = np.tile(np.eye(4), (len(bodies), 1, 1))
    axes = rotation_matrix(pose_from_matrix(matrices).rotation)
    places[:, :3, :3] = axes @ rotation_matrix(turns)
    places[:, :3, 3] = (matrices[:, :3, :3] @ centers)[:, :, 0] + matrices[:, :3, 3]
    return places

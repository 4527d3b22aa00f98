"""MJCF to a scene: every joint with its node below its body, numbers and signs as in the file."""

import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Container
from dataclasses import replace

from ....core.findings.finding import Finding
from ....core.model.actuator import ACTUATORS, Actuator, text_of
from ....core.model.articulation import Coupling
from ....core.model.attributes import JointAttributes
from ....core.model.body import Motion, MotionType
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from ....core.model.scene import GRAVITY, Joint, PhysicsScene
from ....core.model.scene_builder import SceneBuilder
from ....core.model.shape import MeshShape
from ..format import Read, Source
from .actuators import TARGETS, Driven, driven, start_of
from .asset_files import asset_files
from .attributes import STIFF, Values
from .equalities import COUPLINGS, Equalities, held_positions
from .exclusions import with_exclusions
from .geoms import Geoms
from .joints import FORCE_RANGE, NAME, JointReader, Made, welded
from .keyframes import joint_names, named_poses
from .masses import BETWEEN, motions_of
from .own import BODIES, FREE, JOINTS, LIMITS, SITE, SITES, own_geom, own_options, own_section
from .reflected import Reflected
from .rules import APPROXIMATE, CARRIED, MISSING, STACKED
from .skeleton import Body, Element, Skeleton
from .speeds import count_of_speeds, moving, velocities_of
from .text import model_of

_READ = frozenset(
    ("compiler", "option", "default", "asset", "worldbody", "actuator", "equality", "contact")
)
"""Sections that the scene holds, at least in part."""


def read_model(source: Source) -> Read:
    """Return the scene of a file; raises `UnreadableError`."""
    findings: list[Finding] = []
    files: dict[str, bytes] = {}
    root = model_of(source, findings, files)
    reader = _Reader(root, source, findings)
    document = source.document(NAME, files)
    return Read(
        scene=reader.scene(),
        findings=tuple(findings),
        name=root.get("model", ""),
        files=asset_files(root, source),
        document=document,
    )


class _Reader:
    """Builds the scene of one model."""

    def __init__(self, root: ET.Element, source: Source, findings: list[Finding]) -> None:
        self.findings = findings
        self._root = root
        self._is_nested = bool(source.options.get("nested", False))
        self._combines = source.options.get("stacked") == "combine"
        self._values = Values(root, findings)
        self._skeleton = Skeleton(root, self._values)
        self._geoms = Geoms(root, self._values, source)
        bodies = self._skeleton.bodies
        self._geoms.prepare([geom for body in bodies for geom in body.geoms])
        joints = [joint for body in bodies for joint in body.joints]
        self._joint_reader = JointReader(self._values, joints, held_positions(root, self._values))
        sites = [site for body in bodies for site in body.sites]
        poses = self._values.poses([(site.name, site.attributes) for site in sites])
        self._site_poses = dict(zip(sites, poses, strict=True))
        self._build = SceneBuilder(meshes=self._geoms.meshes)
        self._made: dict[str, Made] = {}
        self._numbers: dict[str, int] = {}
        self._between: dict[str, list[str]] = {}
        self._light: dict[Body, list[int]] = {}
        self._sites: JsonObject = {}
        self.nodes: dict[Body, int] = {}

    def scene(self) -> PhysicsScene:
        """Return the scene; call it once."""
        for body in self._skeleton.bodies:
            self._add_body(body)
        self._add_motions()
        self._weigh()
        for body in self._skeleton.bodies:
            self._add_parts(body)
            self._hang(body)
        self._start()
        inertia = Reflected(self._skeleton, self._values, self._motion_of).inertia
        actuators = tuple(driven(self._root, self._values, self._made, inertia))
        self._add_actuators([each for each in actuators if each.joint])
        self._report_lost_targets(actuators)
        equalities = Equalities(self._root, self._values, self._skeleton)
        self._add_loops(equalities)
        carried = self._carried(equalities.rest, actuators)
        scene = self._build.scene(
            couplings=tuple(self._couplings(equalities)),
            gravity=self._gravity(),
            name=self._root.get("model", ""),
            poses=named_poses(self._root, self._values, self._skeleton),
            carried={NAME: carried} if carried else {},
        )
        return with_exclusions(scene, self._excluded())

    def _add_body(self, body: Body) -> None:
        parent = -1
        if self._is_nested and body.parent is not None and not body.parent.is_still:
            parent = self.nodes[body.parent]
        self.nodes[body] = self._build.add(body.name, parent, body.world)

    def _add_motions(self) -> None:
        """Say how each body moves; those that do weigh what the file says."""
        bodies = self._skeleton.bodies
        moving = [body for body in bodies if not (body.is_still or body.is_mocap)]
        motions = motions_of(moving, self._geoms, self._values)
        if not any(self._values.number(b.name, b.attributes, "gravcomp") > 0.0 for b in bodies):
            # MuJoCo looks at no body then, not even at those that weigh more.
            motions = [replace(motion, gravity_factor=1.0) for motion in motions]
        found = dict(zip(moving, motions, strict=True))
        for body in bodies:
            kind = MotionType.STATIC if body.is_still else MotionType.KINEMATIC
            self._build.motions[self.nodes[body]] = found.get(body) or Motion(type=kind)

    def _weigh(self) -> None:
        """Give all bodies together the mass that the compiler sets."""
        total = self._values.compiler.total_mass
        weight = sum(m.mass for m in self._build.motions.values() if m.type == MotionType.DYNAMIC)
        if not (total > 0.0 and weight > 0.0):
            return
        factor = total / weight
        for node, motion in self._build.motions.items():
            if motion.type == MotionType.DYNAMIC:
                x, y, z = (factor * moment for moment in motion.inertia_diagonal)
                mass = motion.mass * factor
                self._build.motions[node] = replace(motion, mass=mass, inertia_diagonal=(x, y, z))

    def _motion_of(self, body: Body) -> Motion:
        return self._build.motions[self.nodes[body]]

    def _add_parts(self, body: Body) -> None:
        node = self.nodes[body]
        for geom in body.geoms:
            self._add_geom(geom, body)
        for site in body.sites:
            pose = self._site_poses[site]
            self._build.add(site.name, node, body.world @ site.frame @ pose)
            if kept := {name: site.attributes[name] for name in SITE if name in site.attributes}:
                self._sites[site.name] = kept

    def _add_geom(self, geom: Element, body: Body) -> None:
        """Add a geom as a node; what is neither solid nor shown is kept for writing MJCF."""
        shape, place = self._geoms.shape(geom), self._geoms.place(geom)
        if shape is None:
            if self._geoms.is_kept(geom):
                body.rest.append(own_geom(geom.attributes, place))
            return
        collider = self._geoms.collider(geom, shape)
        visual = self._geoms.visual(geom, shape)
        if collider is None and visual is None:
            if not isinstance(shape, MeshShape):
                body.rest.append(own_geom(geom.attributes, place))
            return
        here = self._build.add(geom.name, self.nodes[body], body.world @ place)
        if collider is not None:
            self._build.colliders[here] = collider
        if visual is not None:
            self._build.visuals[here] = visual

    def _hang(self, body: Body) -> None:
        if body.parent is None or body.is_still or body.is_free or body.is_mocap:
            return
        if not body.joints:
            self._join(welded(body.name), self.nodes[body.parent], self.nodes[body], body.world)
            return
        for made, holder, held in self._links(body):
            self._join(made, holder, held, body.world)

    def _links(self, body: Body) -> list[tuple[Made, int, int]]:
        """Return the joints between a body and its parent, with bodies between for a chain."""
        assert body.parent is not None
        holder, held = self.nodes[body.parent], self.nodes[body]
        reader, joints = self._joint_reader, body.joints
        if len(joints) == 1:
            return [(reader.made(joints[0]), holder, held)]
        one = reader.combined(joints) or (reader.as_one(joints) if self._combines else None)
        if one is not None:
            return [(one, holder, held)]
        self.findings.append(STACKED(body.name, count=len(joints)))
        found = []
        for number, joint in enumerate(joints):
            last = number == len(joints) - 1
            next_ = held if last else self._light_body(body, number)
            found.append((reader.made(joint), holder, next_))
            holder = next_
        return found

    def _light_body(self, body: Body, number: int) -> int:
        """Return a new body between two joints of one body."""
        mass = self._build.motions[self.nodes[body]].mass * BETWEEN
        name = f"{body.name} between {number + 1}"
        node = self._build.add(name, -1, body.world)
        moment = BETWEEN * mass
        self._build.motions[node] = Motion(mass=mass, inertia_diagonal=(moment, moment, moment))
        self._between.setdefault(body.name, []).append(name)
        self._light.setdefault(body, []).append(node)
        return node

    def _join(self, made: Made, holder: int, held: int, world: Array) -> None:
        self._made[made.name] = made
        self._numbers[made.name] = self._build.add_joint(
            Joint(
                node=self._build.add(made.name, held, world @ made.frame),
                connected=self._build.add(f"{made.name} parent", holder, world @ made.connected),
                settings=made.settings,
                attributes=made.attributes,
                place=made.name,
            )
        )

    def _start(self) -> None:
        """Give bodies the velocities of the keyframe that the model starts with."""
        start = start_of(self._root)
        if "qvel" not in start:
            return
        rest = (0.0,) * count_of_speeds(self._skeleton)
        speeds = self._values.numbers(TARGETS, start, "qvel", rest)
        motions = self._build.motions
        for body, velocities in velocities_of(self._skeleton, self._values, speeds).items():
            nodes = [*self._light.get(body, []), self.nodes[body]]
            for node, velocity in zip(reversed(nodes), reversed(velocities), strict=False):
                motions[node] = moving(motions[node], body.world, velocity)

    def _add_actuators(self, actuators: list[Driven]) -> None:
        """Give joints their actuators, and the drives that those are."""
        by_joint: dict[str, list[Actuator]] = {}
        for each in actuators:
            by_joint.setdefault(each.joint, []).append(each.actuator)
        self._part_efforts(by_joint)
        for name, found in by_joint.items():
            number = self._numbers[name]
            joint = self._build.joints[number]
            views = (each.drive() for each in found)
            drives = tuple(view for view in views if view is not None)
            settings = replace(joint.settings, drives=(*joint.settings.drives, *drives))
            attributes = replace(joint.attributes, actuators=tuple(found))
            self._build.joints[number] = replace(joint, settings=settings, attributes=attributes)

    def _part_efforts(self, actuated: Container[str]) -> None:
        """Keep the ranges of forces that act on no actuator, so that they do not limit springs.

        MuJoCo limits what actuators give, not the joint's own spring. Where both are, the scene
        has one largest force for them, which is named.
        """
        for name, number in self._numbers.items():
            joint = self._build.joints[number]
            own = joint.attributes
            if math.isinf(own.effort) or not any(each.stiffness for each in joint.settings.drives):
                continue
            if name in actuated:
                what = f"{FORCE_RANGE} limits the joint's spring here, too"
                self.findings.append(APPROXIMATE(name, what=what))
                continue
            what = f"{FORCE_RANGE} does not limit the joint's spring; it is kept for MJCF"
            self.findings.append(APPROXIMATE(name, what=what))
            kept = {FORCE_RANGE: f"{-own.effort!r} {own.effort!r}"} | own.kept(NAME)
            kept_apart = replace(own.with_kept(NAME, kept), effort=math.inf)
            self._build.joints[number] = replace(joint, attributes=kept_apart)

    def _report_lost_targets(self, actuators: tuple[Driven, ...]) -> None:
        bodies = self._skeleton.bodies
        known = {joint.name for body in bodies for joint in body.joints}
        known |= {body.free.get("name", "") for body in bodies if body.free is not None}
        for actuator in (each.actuator for each in actuators if not each.joint):
            if actuator.target_kind.startswith("joint") and actuator.target not in known:
                place = actuator.name or actuator.kind
                self.findings.append(MISSING(place, kind="joint", name=actuator.target))

    def _add_loops(self, equalities: Equalities) -> None:
        for loop in equalities.loops:
            first, second = (self.nodes[body] for body in loop.bodies)
            if {self._build.motions[first].type, self._build.motions[second].type} == {
                MotionType.STATIC
            }:
                equalities.rest.append(loop.element)
                continue
            carried = ((NAME, json.dumps(loop.solver)),) if loop.solver else ()
            attributes = JointAttributes(
                enabled=loop.is_active, in_articulation=False, carried=carried
            )
            self._build.joints.append(
                Joint(
                    node=self._build.add(loop.name, second, loop.frames[1]),
                    connected=self._build.add(f"{loop.name} parent", first, loop.frames[0]),
                    settings=loop.settings,
                    attributes=attributes,
                    place=loop.name,
                )
            )

    def _couplings(self, equalities: Equalities) -> list[Coupling]:
        found = []
        for each in equalities.couplings:
            joint, source = (self._numbers.get(name) for name in each.joints)
            if joint is None or source is None or joint == source:
                self.findings.append(
                    MISSING(each.name, kind="joint", name=" or ".join(each.joints))
                )
                continue
            follower, leader = (self._made[name] for name in each.joints)
            coefficients = each.coefficients(follower.zero, leader.zero)
            found.append(Coupling(joint=joint, source=source, coefficients=coefficients))
            self._keep_coupling(joint, leader.name, each.solver)
        return found

    def _keep_coupling(self, number: int, leader: str, solver: JsonObject) -> None:
        """Have a joint carry the name and the solver's attributes of its coupling."""
        if not solver:
            return
        joint = self._build.joints[number]
        kept = joint.attributes.kept(NAME)
        kept[COUPLINGS] = {**kept.get(COUPLINGS, {}), leader: solver}
        attributes = joint.attributes.with_kept(NAME, kept)
        self._build.joints[number] = replace(joint, attributes=attributes)

    def _excluded(self) -> list[tuple[int, int]]:
        found = []
        for element in self._root.iterfind("contact/exclude"):
            names = (element.get("body1", ""), element.get("body2", ""))
            bodies = [self._skeleton.by_name.get(name) for name in names]
            if bodies[0] is None or bodies[1] is None:
                self.findings.append(MISSING("exclude", kind="body", name=" or ".join(names)))
            else:
                found.append((self.nodes[bodies[0]], self.nodes[bodies[1]]))
        return found

    def _gravity(self) -> tuple[float, float, float]:
        gravity = GRAVITY
        for element in self._root.findall("option"):
            x, y, z = self._values.numbers("option", element.attrib, "gravity", gravity).tolist()
            gravity = (x, y, z)
        return gravity

    def _carried(self, rest: list[ET.Element], actuators: tuple[Driven, ...]) -> JsonObject:
        """Return what belongs to MuJoCo alone, and say so."""
        extra = self._extra(rest)
        inner = {body.name: body.rest for body in self._skeleton.bodies if body.rest}
        elements = (*extra, *rest, *(each for held in inner.values() for each in held))
        loose = [each.actuator for each in actuators if not each.joint]
        undriven = {each.actuator.kind for each in actuators if each.actuator.drive() is None}
        names = {element.tag for element in elements} | undriven | {each.kind for each in loose}
        tags = sorted(
            (names | self._geoms.kept_names) - {"geom"}
        )  # geoms have findings of their own
        if tags:
            self.findings.append(CARRIED(self._root.get("model", ""), names=", ".join(tags)[:80]))
        free = {body.name: body.free for body in self._skeleton.bodies if body.is_free}
        carried: JsonObject = {
            "extra": _texts(extra),
            BODIES: {name: _texts(held) for name, held in inner.items()},
            "between": self._between,
            ACTUATORS: text_of(loose) if loose else "",
            LIMITS: STIFF if self._values.is_stiff else "",
            SITES: self._sites,
            FREE: free if any(free.values()) else {},
            JOINTS: joint_names(self._skeleton) if "keyframe" in tags else [],
        }
        return {name: value for name, value in carried.items() if value}

    def _extra(self, rest: list[ET.Element]) -> list[ET.Element]:
        """Return sections with what has no counterpart; `rest` are elements of sections read."""
        extra = [own_section(e, self._values) for e in self._root if e.tag not in _READ]
        extra += own_options(self._root, is_ours=self._values.is_stiff)
        for element in extra:
            # Controls that are targets of drives are written anew.
            for key in element.findall(f"key[@name='{TARGETS}']"):
                element.remove(key)
        extra = [element for element in extra if len(element) or element.tag != "keyframe"]
        for section in ("contact", "equality"):
            own = self._root.iterfind(f"{section}/*")
            kept = [e for e in own if e in rest or (section, e.tag) == ("contact", "pair")]
            if kept:
                extra.append(ET.Element(section))
                kind = section if section == "equality" else ""
                extra[-1].extend(self._values.resolved(e, kind=kind) for e in kept)
        return extra


def _texts(elements: list[ET.Element]) -> list[str]:
    for element in elements:
        element.tail = None
    return [ET.tostring(element, encoding="unicode") for element in elements]

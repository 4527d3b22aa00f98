"""A scene to MJCF: bodies nested along the tree of their joints, loops as equalities."""

import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ....core.engines.surfaces import combined_frictions
from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from ....core.meaning.velocities import Velocity, body_velocities, moves
from ....core.model.actuator import ACTUATORS, Actuator, actuators_from_text
from ....core.model.body import MotionType
from ....core.model.graph import WORLD, SpanningTree
from ....core.model.joint import DriveType, JointDrive
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ..format import Target, Written
from ..xml_text import printable_scene
from .actuator_writing import actuator_element
from .attributes import STIFF
from .drive_writing import JointElement, ball_spring
from .fast_bodies import Stepping, stepping
from .geom_writing import GeomWriter
from .inertial_writing import InertialWriter
from .integration import set_integrator
from .joint_writing import JointWriter, joint_attributes, own_text
from .joints import NAME
from .keyframes import add_poses, add_start, drop_coordinates, set_controls
from .loop_writing import LoopWriter
from .own import BODIES, FREE, JOINTS, LIMITS, SITE, SITES
from .printing import Attributes, document, numbers, placed_all
from .schema import WORDS
from .skeleton import WORLD as WORLD_NAME
from .tree_writing import written_tree

_LEAST_GRAVCOMP = "1e-17"
"""A compensation that MuJoCo counts, and that changes no factor."""


def write_model(scene: PhysicsScene, target: Target) -> Written:
    """Return the document of a scene, with the files of its meshes."""
    losses = Losses()
    writer = _Writer(scene, losses, target.path.stem)
    is_new = target.kept is None or target.kept.document.format != NAME
    root = writer.root(is_new=is_new)
    writer.set_step()
    files = {target.path.name: document(root), **writer.files}
    return Written(files=files, losses=tuple(losses))


def root_of(scene: PhysicsScene) -> ET.Element:
    """Return the document of a scene; its meshes are read, and their files left out."""
    return _Writer(scene, Losses(), "model").root(is_new=False)


class _Writer:
    def __init__(self, scene: PhysicsScene, losses: Losses, stem: str) -> None:
        self._scene = scene = printable_scene(scene, losses)
        self._losses = losses
        self._tree: SpanningTree = written_tree(scene, losses)
        self._worlds: Array = scene.rigid_matrices
        self._joints = JointWriter(scene, self._tree, losses)
        self._geoms = GeomWriter(scene, losses, stem)
        self._compiler = ET.Element("compiler", {"angle": "radian", "autolimits": "true"})
        self._inertials = InertialWriter(scene, losses, self._compiler)
        self._inverses: Array = np.linalg.inv(self._worlds)
        self._places: dict[int, Attributes] = {}
        self._root = ET.Element("mujoco", {"model": scene.name} if scene.name else {})
        self._option = ET.Element("option")
        self._is_ours = False
        self._fast = Stepping()
        self._elements: dict[int, ET.Element] = {}
        self._written: dict[int, list[JointElement]] = {}
        self._taken: dict[str, set[str]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        kept = scene.carried.get(NAME)
        self._kept = kept if isinstance(kept, dict) else {}
        between = self._kept.get("between", {}).values()
        self._between = {name for names in between for name in names}

    @property
    def files(self) -> dict[str, bytes]:
        """The files of meshes by name."""
        return self._geoms.files

    def root(self, *, is_new: bool) -> ET.Element:
        """Return the whole document; `is_new` is that the scene was not read from MJCF."""
        self._root.append(self._compiler)
        is_own = is_new and not self._kept
        self._is_ours = is_own or self._kept.get(LIMITS) == STIFF
        if self._is_ours:
            self._add_defaults()
        self._root.append(self._option)
        self._option.set("gravity", numbers(np.array(self._scene.gravity)))
        self._fast = stepping(self._scene, self._losses) if is_own else Stepping()
        self._geoms.stiff = self._fast.geoms
        assets = ET.SubElement(self._root, "asset")
        self._elements[WORLD] = ET.SubElement(self._root, "worldbody")
        self._places = self._local_places()
        for body in self._tree.order:
            self._body(body)
        self._turn_on_gravcomp()
        self._parts()
        self._add_assets(assets)
        loops = LoopWriter(self._scene, self._losses, self._elements, self._free)
        loops.write(self._root, self._tree, self._written, self._joints.colliding)
        self._joints.tendons.write(self._root, self._elements, self._world_of, self._free)
        self._report()
        self._append_kept()
        actuators = self._actuators()
        set_controls(self._root, actuators)
        drop_coordinates(self._root, self._kept.get(JOINTS, ()), self._losses)
        add_poses(self._root, self._scene.poses)
        add_start(self._root, actuators, self._velocities(), self._losses)
        return self._root

    def set_step(self) -> None:
        """Choose how MuJoCo steps, where that is this program's choice."""
        if self._is_ours:
            set_integrator(self._root, self._option)
        self._fast.set_step(self._option)

    def _add_assets(self, assets: ET.Element) -> None:
        """Add the meshes and materials of the geoms that were written."""
        for attributes in self._geoms.assets:
            ET.SubElement(assets, "mesh", attributes)
        for name, attributes in self._geoms.materials.items():
            ET.SubElement(assets, "material", {"name": name, **attributes})

    def _add_defaults(self) -> None:
        """Have limits and equalities be as stiff as MuJoCo's step lets them be."""
        defaults = ET.SubElement(self._root, "default")
        ET.SubElement(defaults, "joint", {"solreflimit": STIFF})
        ET.SubElement(defaults, "equality", {"solref": STIFF})
        ET.SubElement(defaults, "tendon", {"solreflimit": STIFF})

    def _append_kept(self) -> None:
        """Write what an MJCF file had for itself, where what it refers to is still there."""
        if not self._kept:
            return
        self._append_to_bodies()
        sections = [ET.fromstring(text) for text in self._kept.get("extra", ())]
        known = {
            (element.tag, element.get("name", ""))
            for holder in (self._root, *sections)
            for element in (holder.iter() if any(map(len, sections)) else ())
        }
        for section in sections:
            for element in list(section):
                missing = list(_missing(element, known))
                if missing:
                    section.remove(element)
                    why = Sentence(
                        "it refers to {missing!r}, which is not in the file", missing=missing[0]
                    )
                    self._losses.lost(element.get("name", element.tag), Noun.CARRIED, why)
            self._root.append(section)

    def _append_to_bodies(self) -> None:
        """Write cameras, lights and geoms without a shape into the bodies that had them."""
        held = self._kept.get(BODIES)
        if not held:
            return
        names = {WORLD: WORLD_NAME} | dict(enumerate(self._scene.names))
        by_name = {names[body]: each for body, each in self._elements.items()}
        taken = {(element.tag, element.get("name")) for element in self._root.iter()}
        for name, kept in held.items():
            for element in map(ET.fromstring, kept):
                if name not in by_name:
                    why = Sentence("its body {body!r} is not in the file", body=name)
                    self._losses.lost(element.get("name", element.tag), Noun.CARRIED, why)
                    continue
                if (element.tag, element.get("name")) in taken:
                    element.attrib.pop("name", None)
                by_name[name].append(element)

    def _free(self, kind: str, name: str) -> str:
        taken = self._taken.setdefault(kind, {WORLD_NAME} if kind == "body" else set())
        free = name or kind
        while free in taken:
            number = self._counts[kind, name] = self._counts.get((kind, name), 0) + 1
            free = f"{name}_{number}"
        taken.add(free)
        return free

    def _local_places(self) -> dict[int, Attributes]:
        """Return the places of bodies in the axes of their parents."""
        order = self._tree.order
        if not order:
            return {}
        parents = [self._parent(body) for body in order]
        above = [WORLD if parent == WORLD else self._above(parent) for parent in parents]
        inverses = np.concatenate((self._inverses, np.eye(4)[None]))[above]
        places = placed_all(inverses @ self._worlds[list(order)])
        return dict(zip(order, places, strict=True))

    def _parent(self, body: int) -> int:
        return self._tree.parents[body] if body in self._tree.joints else WORLD

    def _body(self, body: int) -> None:
        scene = self._scene
        holder, world = self._elements[self._parent(body)], self._worlds[body]
        written = self._joints_of(body)
        if scene.names[body] in self._between:
            # One of the light bodies that reading puts between the joints of a body.
            self._elements[body] = holder
            self._written[body] = written
            return
        if scene.names[body] == WORLD_NAME and not scene.is_dynamic(body):
            self._elements[body] = self._elements[WORLD]
            if np.array_equal(world, np.eye(4)):
                return
        attributes: Attributes = {"name": self._free("body", scene.names[body])}
        attributes |= self._places[body]
        motion = scene.motions[body]
        if motion.type == MotionType.KINEMATIC:
            attributes["mocap"] = "true"
        if motion.gravity_factor != 1.0 and scene.is_dynamic(body):
            attributes["gravcomp"] = repr(1.0 - motion.gravity_factor)
        element = self._elements[body] = ET.SubElement(holder, "body", attributes)
        self._move(element, body, written)

    def _turn_on_gravcomp(self) -> None:
        """Have MuJoCo take gravity factors above 1: it looks at none unless one is below 1."""
        bodies = [each for each in self._elements.values() if each.tag == "body"]
        factors = [float(each.get("gravcomp", "0")) for each in bodies]
        if max(factors, default=0.0) > 0.0 or min(factors, default=0.0) == 0.0:
            return
        plain = next((each for each in bodies if "gravcomp" not in each.attrib), None)
        if plain is not None:
            plain.set("gravcomp", _LEAST_GRAVCOMP)
            return
        for body in filter(self._scene.is_dynamic, self._elements.keys() - {WORLD}):
            text = "MuJoCo takes a factor above 1 only where another body has one of at most 1"
            self._losses.lost(self._scene.names[body], Noun.GRAVITY_FACTOR, text)

    def _above(self, body: int) -> int:
        """Return a body, for one between joints the parent of those."""
        while body in self._tree.joints and self._scene.names[body] in self._between:
            body = self._tree.parents[body]
        return body

    def _joints_of(self, body: int) -> list[JointElement]:
        """Return the joint elements of a body, with those of the light bodies before it."""
        if body not in self._tree.joints:
            return []
        number, parent = self._tree.joints[body], self._tree.parents[body]
        before = self._written.get(parent, []) if parent in self._scene.motions else []
        is_between = parent != WORLD and self._scene.names[parent] in self._between
        own = self._joints.written(number, body)
        for each in own:
            each.attributes |= joint_attributes(self._scene.joints[number])
        return [*(before if is_between else ()), *own]

    def _move(self, element: ET.Element, body: int, written: list[JointElement]) -> None:
        if not self._scene.is_dynamic(body):
            return
        if body in self._tree.joints:
            self._written[body] = written
            for each in written:
                each.attributes["name"] = self._free("joint", each.attributes["name"])
                ET.SubElement(element, "joint", each.attributes)
        else:
            self._add_free_joint(element, self._scene.names[body])
        is_welded = body in self._tree.joints and not written
        ET.SubElement(element, "inertial", self._inertials.written(body, is_welded=is_welded))

    def _add_free_joint(self, element: ET.Element, body: str) -> None:
        """Add the joint of a free body, as the file had it where it came from one."""
        kept = self._kept.get(FREE, {}).get(body, {"name": "free"})
        attributes = {name: str(value) for name, value in kept.items()}
        if "name" in attributes:
            attributes["name"] = self._free("joint", attributes["name"])
        if attributes.keys() <= WORDS["freejoint"]:
            ET.SubElement(element, "freejoint", attributes)
        else:
            ET.SubElement(element, "joint", {"type": "free", **attributes})

    def _parts(self) -> None:
        """Add geoms, and sites for nodes that are nothing else, not even frames of joints."""
        scene, owner = self._scene, self._scene.bodies().tolist()
        frames = {end for joint in scene.joints for end in (joint.node, joint.connected)}
        geoms = [n for n in range(len(owner)) if n in scene.colliders or n in scene.visuals]
        others = {*geoms, *frames, *scene.motions}
        sites = [n for n, body in enumerate(owner) if body >= 0 and n not in others]
        for node in self._geoms.prepared(geoms, self._inverses_of(owner[n] for n in geoms)):
            self._geoms.add(self._holder(owner[node]), node)
        inverses = self._inverses_of(owner[n] for n in sites)
        places = placed_all(inverses @ self._worlds[sites]) if sites else []
        for node, where in zip(sites, places, strict=True):
            name = self._free("site", scene.names[node])
            look = own_text(self._kept.get(SITES, {}).get(scene.names[node], {}), SITE)
            ET.SubElement(self._holder(owner[node]), "site", {"name": name, **where, **look})

    def _holder(self, body: int) -> ET.Element:
        return self._elements[body if body in self._elements else WORLD]

    def _inverses_of(self, bodies: Iterable[int]) -> Array:
        """Return the inverse world matrices (n, 4, 4) of the elements of bodies."""
        world = self._elements[WORLD]
        at = [
            -1 if self._elements.get(body, world) is world else self._above(body) for body in bodies
        ]
        return np.asarray(np.concatenate((self._inverses, np.eye(4)[None]))[at])

    def _world_of(self, body: int) -> Array:
        """Return the world matrix (4, 4) of the element that a body has."""
        world = self._elements[WORLD]
        is_world = self._elements.get(body, world) is world
        return np.eye(4) if is_world else self._worlds[self._above(body)]

    def _actuators(self) -> list[Actuator]:
        """Write and return the actuators of joints and others in the order of the controls."""
        # A body has the joints of the light bodies before it, too.
        joints = {id(each): each for written in self._written.values() for each in written}
        held = [
            (actuator, each.attributes["name"])
            for each in joints.values()
            for actuator in each.actuators
        ]
        loose = actuators_from_text(self._kept.get(ACTUATORS))
        known = self._known() if loose else set()
        for actuator in loose:
            if (actuator.target_kind.removesuffix("inparent"), actuator.target) in known:
                held.append((actuator, actuator.target))
            else:
                why = Sentence("its {kind} is not in the file", kind=actuator.target_kind)
                self._losses.lost(actuator.name or actuator.kind, Noun.CARRIED, why)
        if not held:
            return []
        held.sort(key=lambda pair: pair[0].order)
        holder = ET.SubElement(self._root, "actuator")
        for actuator, target in held:
            name = actuator.name and self._free("actuator", actuator.name)
            holder.append(actuator_element(replace(actuator, name=name), target))
        return [actuator for actuator, _ in held]

    def _velocities(self) -> dict[str, Velocity]:
        """Return the velocities of bodies by the names of their elements, where any moves."""
        motions = self._scene.motions.values()
        if not any(any(m.linear_velocity) or any(m.angular_velocity) for m in motions):
            return {}
        return {
            self._elements[body].attrib["name"]: velocity
            for body, velocity in body_velocities(self._scene).items()
            if self._scene.names[body] not in self._between
        }

    def _known(self) -> set[tuple[str, str]]:
        """Return kinds and names of what is in the document."""
        found = {(element.tag, element.get("name", "")) for element in self._root.iter()}
        tendons = {("tendon", each.get("name", "")) for each in self._root.iterfind("tendon/*")}
        sites = {("cranksite", name) for kind, name in found if kind == "site"}
        return found | tendons | sites

    def _report(self) -> None:
        scene = self._scene
        for node in scene.triggers:
            self._losses.lost(scene.names[node], Noun.TRIGGER, "MJCF does not support triggers")
        if (combined := combined_frictions(scene)) is not None:
            text = "where two touch, MuJoCo takes the larger friction"
            self._losses.converted(scene.names[combined.node], Noun.MATERIAL, text)
        for joint in scene.joints:
            drives = joint.settings.drives
            is_turned = {drive.axis for drive in drives if _turns_to(drive)} == {0, 1, 2}
            if is_turned and ball_spring(drives) is None:
                text = "its drives turn about one axis after the other"
                self._losses.converted(joint.place, Noun.POSITION_TARGET, text)
        for node, motion in scene.motions.items():
            if motion.type == MotionType.KINEMATIC and moves(motion):
                text = "MuJoCo leaves the body where it is; move its mocap body"
                self._losses.lost(scene.names[node], Noun.VELOCITY, text)
        for articulation in scene.articulations:
            name = scene.names[articulation.root]
            self._losses.same(name, Noun.ARTICULATION)  # every tree in MuJoCo is one


def _turns_to(drive: JointDrive) -> bool:
    return drive.type == DriveType.ANGULAR and drive.position_target is not None


_KINDS = ("joint", "body", "site", "geom", "flex")


def _missing(element: ET.Element, known: Collection[tuple[str, str]]) -> Iterator[str]:
    """Yield the names that an element and those in it refer to and that are not known."""
    for each in element.iter():
        for attribute, text in each.attrib.items():
            kind = attribute.rstrip("12")
            if kind not in _KINDS or each.tag in _KINDS or (kind, text) in known:
                continue
            # A flex has a list of bodies.
            yield from (name for name in text.split() if (kind, name) not in known)

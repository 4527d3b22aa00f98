"""An SDF document as scenes: one for each world, or one for its models.

The rest pose is that of the file, where all joints are at zero.
"""

from collections import Counter
from dataclasses import replace

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Motion, MotionType
from ....core.model.graph import spanning_tree
from ....core.model.pose import Array, quaternion_product, rotation_from_matrix
from ....core.model.scene import GRAVITY, PhysicsScene
from ....core.model.scene_builder import SceneBuilder
from ....core.shapes.inertia import principal_axes
from ...documents.splices import UneditableError
from ...documents.xml_source import SourceElement, XmlSource
from ..format import Read, Source, UnreadableError
from .frames import FrameError, matrix_of, pose_of
from .joint_reading import JointReader
from .joints import NAME
from .models import Item, Loader, Model, Placed, is_weld, version_of, welded_links
from .parts import Parts
from .rules import BAD_FRAME, NO_INERTIAL, SEVERAL_MODELS, UNUSABLE_VALUE
from .schema import LINK, LinkValues

_EARTH = (0.0, 0.0, -9.8)
"""Gravity of a world that declares none [m/s²]; a model alone leaves it to who loads it."""


def read_document(source: Source) -> tuple[Read, ...]:
    """Return the scenes of a document; raises `UnreadableError`."""
    data = source.text()
    root = _root_of(data)
    version = version_of(root)
    worlds = list(root.findall("world"))
    models = list(root.findall("model", "include"))
    findings = []
    if len(models) > 1 and not worlds:
        findings.append(SEVERAL_MODELS(count=len(models)))
    document = source.document(NAME, {source.path.name: data})
    reads: list[Read] = []
    for tops in [[world] for world in worlds] or [models]:
        reader = SceneReader(source)
        scene = reader.scene([reader.loader.top(top, version) for top in tops])
        name = tops[0].get("name") if worlds else ""
        reads.append(
            Read(
                scene=scene,
                findings=(*findings, *reader.findings),
                name=name,
                files=(*reader.loader.files, *reader.parts.meshes.files),
                document=None if reads else document,
            )
        )
    return tuple(reads)


def _root_of(data: bytes) -> SourceElement:
    """Return the root of a document; raises `UnreadableError`."""
    try:
        root = XmlSource(data).root
    except UneditableError as error:
        raise UnreadableError(str(error)) from error
    if root.tag == "gazebo":
        raise UnreadableError("is older than SDFormat 1.2; Gazebo can convert it (gz sdf)")
    if root.tag != "sdf":
        raise UnreadableError(f"is not SDF: its root is <{root.tag}>")
    return root


class SceneReader:
    """Builds a scene of a document."""

    def __init__(self, source: Source) -> None:
        self.findings: list[Finding] = []
        self.loader = Loader(source)
        self.loader.findings = self.findings
        self._build = SceneBuilder()
        self.parts = Parts(self._build, self.findings, self._report)
        self._place = ""
        self.link_items: dict[int, tuple[Placed, Item]] = {}
        """Model and element of each link, by its node."""
        self.joint_items: dict[int, tuple[Placed, Item]] = {}
        """Model and element of each joint, by its node."""
        self._nodes: dict[str, int] = {}
        """Node of each link, by its path."""
        self._excluded: list[tuple[int, int]] = []
        self._names: Counter[str] = Counter()

    def tops(self, root: SourceElement) -> list[Model]:
        """Return the first world of a document, or its models."""
        worlds = list(root.findall("world"))[:1]
        elements = worlds or root.findall("model", "include")
        return [self.loader.top(element, version_of(root)) for element in elements]

    def scene(self, tops: list[Model]) -> PhysicsScene:
        """Return the scene of a world, or of models that stand beside each other."""
        placed = [each for top in tops for each in top.all()]
        for each in placed:
            self._names.update(item.key for item in (*each.model.links, *each.model.joints))
        for each in placed:
            self._add_links(each)
        joints = JointReader(self._build, self._nodes, self.findings)
        for each in placed:
            self._add_frames(each)
            for item in each.model.joints if not each.model.is_static else ():
                if not is_weld(each.model, item):
                    node = joints.add(each, item, self._shown(each, item))
                    self.joint_items |= {} if node is None else {node: (each, item)}
        scene = self._build.scene(
            couplings=tuple(joints.couplings()),
            excluded_pairs=tuple(self._excluded),
            name=_name_of(tops),
            gravity=self._gravity(tops),
        )
        return _with_loops(scene)

    def _add_links(self, placed: Placed) -> None:
        model, static = placed.model, placed.model.is_static
        first, welded = len(self._nodes), welded_links(model)
        for item in model.links:
            self._place = placed.prefix + item.key
            try:
                matrix = placed.matrix @ model.scope.at(item.key)
            except FrameError as error:
                self.findings.append(BAD_FRAME(self._place, problem=str(error), what="the link"))
                continue
            node = self._build.add(self._shown(placed, item), -1, matrix)
            self._nodes[placed.prefix + item.key] = node
            self.link_items[node] = (placed, item)
            motion = self._motion(item, is_static=static)
            if item.key in welded:
                motion = replace(motion, type=MotionType.STATIC)
            self._build.motions[node] = motion
            self._add_parts(placed, item, node, is_static=static)
        if not _collides_with_itself(model.element):
            nodes = [*self._nodes.values()][first:]
            own = [node for node in nodes if self._is_apart(placed, node)]
            self._excluded += [(a, b) for at, a in enumerate(own) for b in own[at + 1 :]]

    def _is_apart(self, placed: Placed, node: int) -> bool:
        """Return whether a link does not collide with others of its model."""
        names = {self._nodes.get(placed.prefix + item.key): item for item in placed.model.links}
        values: LinkValues = LINK.read(names[node].element, _silent)
        return not values.self_collide and not placed.model.is_static

    def _motion(self, item: Item, *, is_static: bool) -> Motion:
        values: LinkValues = LINK.read(item.element, self._report)
        if is_static:
            return Motion(type=MotionType.STATIC)
        kind = MotionType.KINEMATIC if values.kinematic else MotionType.DYNAMIC
        inertial = item.element.find("inertial")
        if inertial is None:
            self.findings.append(NO_INERTIAL(self._place))
        try:
            place = np.eye(4) if inertial is None else _inertial_place(inertial)
        except FrameError as error:
            self.findings.append(BAD_FRAME(self._place, problem=str(error), what="its pose"))
            place = np.eye(4)
        moments, turn = principal_axes(_tensor(values)[None])
        turned = quaternion_product(rotation_from_matrix(place[:3, :3]), turn[0])
        x, y, z = place[:3, 3].tolist()
        one, two, three = moments[0].tolist()
        a, b, c, d = turned.tolist()
        return Motion(
            type=kind,
            mass=values.mass,
            center_of_mass=(x, y, z),
            inertia_diagonal=(one, two, three),
            inertia_orientation=(a, b, c, d),
            gravity_factor=1.0 if values.gravity else 0.0,
        )

    def _add_parts(self, placed: Placed, item: Item, node: int, *, is_static: bool) -> None:
        for element in item.element.findall("collision", "visual"):
            try:
                matrix = self._matrix_in(placed, item, element)
            except FrameError as error:
                place = element.get("name")
                self.findings.append(BAD_FRAME(place, problem=str(error), what="the part"))
                continue
            if element.tag == "visual":
                self.parts.visual(element, node, matrix, item.folders)
            else:
                self.parts.collision(element, node, matrix, item.folders, is_static=is_static)

    def _matrix_in(self, placed: Placed, item: Item, element: SourceElement) -> Array:
        """Return the world matrix of a part of a link; raises `FrameError`."""
        matrix, relative_to = pose_of(element, item.version)
        base = placed.model.scope.at(relative_to or item.key)
        return np.asarray(placed.matrix @ base @ matrix)

    def _add_frames(self, placed: Placed) -> None:
        """Add the frames of a model below the links that they move with."""
        scope = placed.model.scope
        for item in placed.model.frames:
            try:
                link, matrix = scope.link_of(item.key), placed.matrix @ scope.at(item.key)
            except FrameError as error:
                self.findings.append(BAD_FRAME(item.key, problem=str(error), what="the frame"))
                continue
            node = self._nodes.get(placed.prefix + link, -1) if link else -1
            self._build.add(item.key, node, matrix)

    def _shown(self, placed: Placed, item: Item) -> str:
        """Return the name of a link or joint, with its path where the name repeats."""
        return item.key if self._names[item.key] <= 1 else placed.prefix + item.key

    def _gravity(self, tops: list[Model]) -> tuple[float, float, float]:
        world = tops[0].element if tops else None
        if world is None or world.tag != "world":
            return GRAVITY
        element = world.find("gravity")
        if element is None:
            return _EARTH
        try:
            x, y, z = map(float, element.content.split())
        except ValueError:
            self._report("gravity", element.content, "three numbers")
            return _EARTH
        return (x, y, z)

    def _report(self, path: str, text: str, expected: str) -> None:
        self.findings.append(UNUSABLE_VALUE(self._place, name=path, text=text, expected=expected))


def _silent(_path: str, _text: str, _expected: str) -> None:
    """Pass over what is reported where the element is read."""


def _with_loops(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene with joints that close loops outside of trees."""
    loops = set(spanning_tree(scene).loops)
    joints = (
        replace(joint, attributes=replace(joint.attributes, in_articulation=False))
        if number in loops
        else joint
        for number, joint in enumerate(scene.joints)
    )
    return replace(scene, joints=tuple(joints)) if loops else scene


def _name_of(tops: list[Model]) -> str:
    if not tops:
        return ""
    top = tops[0]
    return top.name or (top.inner[0].name if top.inner else "")


def _tensor(values: LinkValues) -> Array:
    """Return the inertia about the center, in the axes of the inertial, (3, 3)."""
    return np.array(
        (
            (values.ixx, values.ixy, values.ixz),
            (values.ixy, values.iyy, values.iyz),
            (values.ixz, values.iyz, values.izz),
        )
    )


def _inertial_place(inertial: SourceElement) -> Array:
    pose = inertial.find("pose")
    return np.eye(4) if pose is None else matrix_of(pose.content, pose.attrib)


def _collides_with_itself(element: SourceElement) -> bool:
    own = element.find("self_collide")
    is_world = element.tag == "world"
    return is_world or (own is not None and own.content.strip().lower() in ("1", "true"))

"""URDF files as texts, and the forward kinematics of such a text in a few plain lines."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.graph import spanning_tree
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Read, Source, Target, Written
from omi_joints_addon.io.formats.urdf import URDF

INERTIAL = (
    '<inertial><origin xyz="0 0 0.1"/><mass value="2"/>'
    '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>'
)


def link(name: str, inner: str = INERTIAL) -> str:
    return f'<link name="{name}">{inner}</link>'


def joint(name: str, kind: str, parent: str, child: str, inner: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inner}</joint>'


def robot(*elements: str, name: str = "r") -> str:
    return f'<robot name="{name}">{"".join(elements)}</robot>'


def arm(inner: str, kind: str = "revolute") -> str:
    """Return a fixed base and one body with the joint "j"."""
    return robot(link("base", ""), link("tip"), joint("j", kind, "base", "tip", inner))


def read(text: str | bytes, folder: Path, **options) -> Read:
    path = folder / "robot.urdf"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (found,) = URDF.read(Source(path=path, options=options))
    return found


def write(scene: PhysicsScene, folder: Path, name: str = "out.urdf", **options) -> Written:
    """Write a scene with its meshes into a folder."""
    written = URDF.write(scene, Target(path=folder / name, options=options))
    for file, data in written.files.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes(data)
    return written


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return the rotation matrix (4, 4) about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    matrix = np.eye(4)
    matrix[:3, :3] += math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
    return matrix


def shift(vector: np.ndarray) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


def text_kinematics(text: str | bytes, values: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Return the matrix of each link in its root, joints at `values`, straight from the XML."""
    root = ET.fromstring(text)
    joints = {j.find("child").get("link"): j for j in root.findall("joint")}
    found: dict[str, np.ndarray] = {}

    def numbers(element, path, name, default):
        part = element.find(path)
        return np.array((default if part is None else part.get(name, default)).split(), float)

    def matrix(name):
        if name in found:
            return found[name]
        element = joints.get(name)
        if element is None:
            found[name] = np.eye(4)
            return found[name]
        roll, pitch, yaw = numbers(element, "origin", "rpy", "0 0 0")
        x, y, z = np.eye(3)
        place = shift(numbers(element, "origin", "xyz", "0 0 0"))
        place = place @ turn(z, yaw) @ turn(y, pitch) @ turn(x, roll)
        axis = numbers(element, "axis", "xyz", "1 0 0")
        axis = axis / np.linalg.norm(axis)
        value = values.get(element.get("name"), 0.0)
        kind = element.get("type")
        if kind in ("revolute", "continuous"):
            place = place @ turn(axis, value)
        elif kind == "prismatic":
            place = place @ shift(axis * value)
        found[name] = matrix(element.find("parent").get("link")) @ place
        return found[name]

    return {element.get("name"): matrix(element.get("name")) for element in root.findall("link")}


def moves(settings: JointSettings) -> bool:
    return joint_kind(settings) in (JointKind.HINGE, JointKind.SLIDER)


def scene_kinematics(scene: PhysicsScene, values: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Return the world matrix of each node, one-axis joints `values` further than at rest.

    The joint's frame is turned about its Z, or moved along its X: the metric of the limits.
    """
    tree, owner = spanning_tree(scene), scene.bodies()
    carry = {-1: np.eye(4)}
    for body in tree.order:
        carry[body] = carry.get(tree.parents[body], np.eye(4))
        if body not in tree.joints:
            carry[body] = np.eye(4)
            continue
        found = scene.joints[tree.joints[body]]
        if not moves(found.settings):
            continue
        value = values.get(scene.names[found.node], 0.0)
        frame, connected = (scene.matrices[n] for n in (found.node, found.other))
        rest = np.linalg.inv(frame) @ connected
        is_slider = any(limit.linear_axes == (1, 2) for limit in found.settings.limits)
        step = shift(np.array((value, 0, 0))) if is_slider else turn(np.eye(3)[2], value)
        goal = carry[tree.parents[body]] @ connected @ np.linalg.inv(rest @ step)
        if is_slider:
            goal = carry[tree.parents[body]] @ connected @ np.linalg.inv(step @ rest)
        carry[body] = goal @ np.linalg.inv(frame)
    return {
        name: carry[int(owner[node])] @ scene.matrices[node]
        for node, name in reversed(list(enumerate(scene.names)))
    }

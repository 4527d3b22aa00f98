"""SDF as its text says, by arithmetic of the tests."""

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from tests.facts.facts import WORLD, File, Moving, about, extent, key, on_screen, pose, quaternion
from tests.facts.words import KINDS, limited, numbers, tensor_of, weight_of

_X, _Y, _Z = np.eye(3)


def facts(path: Path) -> File:
    root = ET.fromstring(path.read_bytes())
    found = File()
    world = root.find("world")
    if world is not None and world.find("gravity") is not None:
        found.whole["gravity"] = tuple(numbers(world.findtext("gravity"), "").tolist())
    for model in root.iter("model"):
        own = _Model(model)
        for link in model.iterfind("link"):
            _add_sdf_link(found, own, link, is_held=model.findtext("static") == "true")
        for joint in model.iterfind("joint"):
            _add_sdf_joint(found, own, joint)
        found.apart |= {frozenset((joint.parent, joint.child)) for joint in found.joints.values()}
        if model.findtext("self_collide", "false") not in ("true", "1"):
            links = [key(link.get("name")) for link in model.iterfind("link")]
            found.apart |= {frozenset((one, two)) for one in links for two in links if one != two}
    return found


class _Model:
    """Where things of a model are: poses are of the model, or of what `relative_to` names."""

    def __init__(self, model: ET.Element) -> None:
        self.own = _sdf_pose(model.find("pose"))
        self.named = {each.get("name"): each for each in model if each.tag in ("link", "frame")}
        self.joints = {each.get("name"): each for each in model.iterfind("joint")}

    def of(self, element: ET.Element) -> np.ndarray:
        found = element.find("pose")
        base = None if found is None else found.get("relative_to")
        if base is None and element.tag == "joint":
            base = element.findtext("child")
        return self.frame(base) @ _sdf_pose(found)

    def frame(self, name: str | None) -> np.ndarray:
        if name is None or name == "__model__":
            return self.own
        return self.of(self.named[name] if name in self.named else self.joints[name])


def _sdf_pose(element: ET.Element | None) -> np.ndarray:
    values = numbers(None if element is None else element.text, "0 0 0 0 0 0")
    if element is not None and element.get("rotation_format") == "quat_xyzw":
        return pose(quaternion(*values[3:]), values[:3])
    roll, pitch, yaw = values[3:]
    return pose(about(_Z, yaw) @ about(_Y, pitch) @ about(_X, roll), values[:3])


def _add_sdf_link(found: File, model: _Model, link: ET.Element, *, is_held: bool) -> None:
    name, matrix = key(link.get("name")), model.of(link)
    found.links[name] = matrix
    inertial = link.find("inertial")
    if is_held:
        found.held.add(name)
    elif inertial is not None:
        inertia = inertial.find("inertia")
        tensor = {
            each.tag: float(each.text) for each in (() if inertia is None else inertia)
        } or _ONES
        place = matrix @ _sdf_pose(inertial.find("pose"))
        found.weights[name] = weight_of(
            float(inertial.findtext("mass", "1")), place, tensor_of(tensor)
        )
    for visual in link.iterfind("visual"):
        if (color := visual.findtext("material/diffuse")) is not None:
            found.colors.add(on_screen(numbers(color, "")))
    _add_sdf_shapes(found, link, matrix)


def _add_sdf_shapes(found: File, link: ET.Element, matrix: np.ndarray) -> None:
    name = key(link.get("name"))
    for collision in link.iterfind("collision"):
        place = matrix @ _sdf_pose(collision.find("pose"))
        for shape in collision.iterfind("geometry/*"):
            sizes = _sdf_sizes(shape)
            if sizes is not None:
                found.extents.setdefault(name, []).append(extent(shape.tag, sizes, place))
                if (friction := collision.findtext("surface/friction/ode/mu")) is not None:
                    found.surfaces.setdefault(name, set()).add(round(float(friction), 6))


_ONES = {"ixx": 1.0, "iyy": 1.0, "izz": 1.0}
"""Moments of a link that gives none."""


def _sdf_sizes(shape: ET.Element) -> tuple[float, ...] | None:
    if shape.tag == "box":
        return tuple(0.5 * numbers(shape.findtext("size"), ""))
    if shape.tag not in ("sphere", "capsule", "cylinder"):
        return None
    return float(shape.findtext("radius")), 0.5 * float(shape.findtext("length", "0"))


def _add_sdf_joint(found: File, model: _Model, joint: ET.Element) -> None:
    placed, axis = model.of(joint), joint.find("axis")
    parent = key(joint.findtext("parent"))
    parent = WORLD if parent == "world" else parent
    moving = Moving(KINDS.get(joint.get("type"), joint.get("type")), parent, "")
    moving.child, moving.anchor = key(joint.findtext("child")), placed[:3, 3]
    name = key(joint.get("name"))
    found.joints[name] = moving
    if axis is None:
        return
    xyz = axis.find("xyz")
    base = xyz.get("expressed_in")
    turn = (placed if base is None else model.frame(base))[:3, :3]
    way = turn @ numbers(xyz.text, "")
    moving.axis = way / np.linalg.norm(way)
    bounds = [float(axis.findtext(f"limit/{end}", "inf")) for end in ("lower", "upper")]
    low, high = (math.copysign(math.inf, each) if abs(each) > 1e12 else each for each in bounds)
    moving.range = (-math.inf if low == math.inf else low, high)
    stiffness, damping, friction, reference = (
        float(axis.findtext(f"dynamics/{each}", "0"))
        for each in ("spring_stiffness", "damping", "friction", "spring_reference")
    )
    moving.values = {
        "drive": (stiffness, damping, stiffness * reference),
        "friction": friction,
        "effort": limited(axis.findtext("limit/effort")),
        "velocity limit": limited(axis.findtext("limit/velocity")),
    }
    mimic = axis.find("mimic")
    if mimic is not None:
        factors = (float(mimic.findtext(each)) for each in ("offset", "multiplier"))
        moving.values["coupling"] = (key(mimic.get("joint")), *factors)

"""URDF as its text says, by arithmetic of the tests."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.facts.facts import File, Moving, about, extent, key, on_screen, pose
from tests.facts.words import KINDS, limited, numbers, tensor_of, weight_of

_X, _Y, _Z = np.eye(3)


def _origin(element: ET.Element | None) -> np.ndarray:
    words = {} if element is None else element.attrib
    roll, pitch, yaw = numbers(words.get("rpy"), "0 0 0")
    turn = about(_Z, yaw) @ about(_Y, pitch) @ about(_X, roll)
    return pose(turn, numbers(words.get("xyz"), "0 0 0"))


def facts(path: Path) -> File:
    root = ET.fromstring(path.read_bytes())
    found, joints = File(has_own_frames=False), {}
    for element in root.iterfind("joint"):
        joints.setdefault(element.find("parent").get("link"), []).append(element)
    children = {each.find("child").get("link") for each in root.iterfind("joint")}
    links = {each.get("name"): each for each in root.iterfind("link")}
    pending = [(name, np.eye(4)) for name in links if name not in children]
    while pending:
        name, matrix = pending.pop()
        _add_link(found, links[name], matrix, is_child=name in children)
        for element in joints.get(name, ()):
            placed = matrix @ _origin(element.find("origin"))
            _add_urdf_joint(found, element, placed)
            pending.append((element.find("child").get("link"), placed))
    for joint in found.joints.values():
        # Joints are from the root on.
        if joint.kind == "fixed" and joint.parent in found.held:
            found.held.add(joint.child)
    found.apart = {frozenset((joint.parent, joint.child)) for joint in found.joints.values()}
    found.apart |= set(_pairs_of_srdf(path.with_suffix(".srdf")))
    colors = [each.get("rgba") for each in root.iter("color")]
    found.colors = {on_screen(numbers(each, "1 1 1 1")) for each in colors}
    return found


def _pairs_of_srdf(path: Path) -> Iterator[frozenset[str]]:
    for pair in ET.parse(path).iter("disable_collisions") if path.exists() else ():
        yield frozenset(key(pair.get(end)) for end in ("link1", "link2"))


def _add_link(found: File, link: ET.Element, matrix: np.ndarray, *, is_child: bool) -> None:
    name = key(link.get("name"))
    found.links[name] = matrix
    inertial = link.find("inertial")
    if inertial is None:
        # A link without mass that nothing moves is the world.
        found.held |= set() if is_child else {name}
    else:
        tensor = {n: float(v) for n, v in inertial.find("inertia").attrib.items()}
        mass = float(inertial.find("mass").get("value"))
        place = matrix @ _origin(inertial.find("origin"))
        found.weights[name] = weight_of(mass, place, tensor_of(tensor))
    for collision in link.iterfind("collision"):
        place = matrix @ _origin(collision.find("origin"))
        for shape in collision.iterfind("geometry/*"):
            sizes = _urdf_sizes(shape)
            if sizes is not None:
                found.extents.setdefault(name, []).append(extent(shape.tag, sizes, place))


def _urdf_sizes(shape: ET.Element) -> tuple[float, ...] | None:
    if shape.tag == "box":
        return tuple(0.5 * numbers(shape.get("size"), ""))
    if shape.tag == "mesh":
        return None
    return float(shape.get("radius")), 0.5 * float(shape.get("length", "0"))


def _add_urdf_joint(found: File, element: ET.Element, placed: np.ndarray) -> None:
    kind = element.get("type")
    limit, dynamics, mimic = (element.find(tag) for tag in ("limit", "dynamics", "mimic"))
    bounds = {} if limit is None else limit.attrib
    axis = element.find("axis")
    way = placed[:3, :3] @ numbers(None if axis is None else axis.get("xyz"), "1 0 0")
    words = {} if dynamics is None else dynamics.attrib
    has_range = kind in ("revolute", "prismatic")
    low, high = (float(bounds.get(end, 0.0)) for end in ("lower", "upper"))
    values: dict[str, object] = {
        "drive": (0.0, float(words.get("damping", 0.0)), 0.0),
        "friction": float(words.get("friction", 0.0)),
        "effort": limited(bounds.get("effort")),
        "velocity limit": limited(bounds.get("velocity")),
    }
    if mimic is not None:
        factors = (float(mimic.get("offset", 0.0)), float(mimic.get("multiplier", 1.0)))
        values["coupling"] = (key(mimic.get("joint")), *factors)
    found.joints[key(element.get("name"))] = Moving(
        KINDS.get(kind, "other"),
        key(element.find("parent").get("link")),
        key(element.find("child").get("link")),
        anchor=placed[:3, 3],
        axis=way / np.linalg.norm(way),
        range=(low, high) if has_range else (-math.inf, math.inf),
        values=values,
    )

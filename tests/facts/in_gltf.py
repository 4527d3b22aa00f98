"""glTF as its JSON says, by arithmetic of the tests."""

import json
import math
from pathlib import Path

import numpy as np

from tests.facts.facts import (
    WORLD,
    File,
    Moving,
    Weight,
    angle_between,
    extent,
    from_linear,
    key,
    pose,
    quaternion,
    rigid,
)

_UP = np.array(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)), float)
_JOINT, _BODY, _SHAPE = "OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape"


def facts(path: Path) -> File:
    return _Gltf(json.loads(path.read_text())).facts()


class _Gltf:
    def __init__(self, document) -> None:
        self.document, self.nodes = document, document.get("nodes", [])
        above = {c: n for n, node in enumerate(self.nodes) for c in node.get("children", ())}
        self.above, self.worlds = above, dict[int, np.ndarray]()
        self.found = File()

    def facts(self) -> File:
        gravity = self.document.get("extensions", {}).get("OMI_physics_gravity")
        if gravity is not None:
            way = _UP[:3, :3] @ np.array(gravity["direction"])
            self.found.whole["gravity"] = tuple((gravity["gravity"] * way).tolist())
        for number, node in enumerate(self.nodes):
            body = node.get("extensions", {}).get(_BODY, {})
            if "motion" in body:
                self._add_body(number, body["motion"])
        for number, node in enumerate(self.nodes):
            own = node.get("extensions", {})
            if "collider" in own.get(_BODY, {}):
                self._add_shape(number, own[_BODY]["collider"])
            if _JOINT in own:
                self._add_joint(number, own[_JOINT])
        for material in self.document.get("materials", ()):
            color = material.get("pbrMetallicRoughness", {}).get("baseColorFactor", (1, 1, 1, 1))
            self.found.colors.add(from_linear(color))
        return self.found

    def world(self, number: int) -> np.ndarray:
        if number not in self.worlds:
            node = self.nodes[number]
            own = pose(
                quaternion(*node.get("rotation", (0, 0, 0, 1))), node.get("translation", (0, 0, 0))
            )
            own[:3, :3] = own[:3, :3] @ np.diag(node.get("scale", (1, 1, 1)))
            above = self.above.get(number)
            self.worlds[number] = (_UP if above is None else self.world(above)) @ own
        return self.worlds[number]

    def body(self, number: int | None) -> str:
        while number is not None:
            motion = self.nodes[number].get("extensions", {}).get(_BODY, {}).get("motion")
            if motion is not None:
                return key(self.nodes[number]["name"]) if motion["type"] != "static" else WORLD
            number = self.above.get(number)
        return WORLD

    def _add_body(self, number: int, motion) -> None:
        name, matrix = key(self.nodes[number]["name"]), self.world(number)
        # Nodes have Y up; links are compared with the axes that they have in files with Z up.
        self.found.links[name] = pose(rigid(matrix)[:3, :3] @ _UP[:3, :3].T, matrix[:3, 3])
        if motion["type"] != "dynamic":
            self.found.held.add(name)
            return
        turn = rigid(matrix)[:3, :3] @ quaternion(*motion.get("inertiaOrientation", (0, 0, 0, 1)))
        moments = motion.get("inertiaDiagonal", (0, 0, 0))
        self.found.weights[name] = Weight(
            motion.get("mass", 1.0),
            (matrix @ (*motion.get("centerOfMass", (0, 0, 0)), 1.0))[:3],
            turn @ np.diag(moments) @ turn.T if any(moments) else None,
        )

    def _add_shape(self, number: int, collider) -> None:
        shape = self.document["extensions"][_SHAPE]["shapes"][collider["shape"]]
        kind, matrix = shape["type"], rigid(self.world(number))
        if kind in ("convex", "trimesh"):
            return
        sizes = shape[kind]
        # Round shapes stand along Y.
        matrix[:3, :3] = matrix[:3, (2, 0, 1)] if kind != "box" else matrix[:3, :3]
        half = 0.5 * sizes.get("height", 0.0)
        part = tuple(0.5 * np.array(sizes["size"])) if kind == "box" else (_radius(sizes), half)
        owner: int | None = number
        while owner is not None and "motion" not in self.nodes[owner].get("extensions", {}).get(
            _BODY, {}
        ):
            owner = self.above.get(owner)
        name = "" if owner is None else key(self.nodes[owner]["name"])
        self.found.extents.setdefault(name, []).append(extent(kind, part, matrix))
        if (index := collider.get("physicsMaterial")) is not None:
            material = self.document["extensions"][_BODY]["physicsMaterials"][index]
            friction = round(material.get("dynamicFriction", 0.6), 6)
            self.found.surfaces.setdefault(name, set()).add(friction)

    def _add_joint(self, number: int, own) -> None:
        settings = self.document["extensions"][_JOINT]["physicsJoints"][own["joint"]]
        ranges, is_simple = _ranges(settings)
        free = [axis for axis, (low, high) in ranges.items() if low < high]
        one, two = rigid(self.world(number)), rigid(self.world(own["connectedNode"]))
        moving = Moving("other", self.body(own["connectedNode"]), self.body(number))
        if not own.get("enableCollision", False):
            self.found.apart.add(frozenset((moving.parent, moving.child)))
        self.found.joints[key(self.nodes[number]["name"])] = moving
        if not free:
            moving.kind = "fixed"
        elif {*free} == {"a0", "a1", "a2"} and is_simple:
            moving.kind = "ball"
        elif len(free) == 1 and is_simple:
            axis = int(free[0][1])
            moving.kind = "slide" if free[0][0] == "l" else "hinge"
            # Numbers say how the connected frame moves in the joint's, so the child goes back.
            moving.axis, moving.anchor = -one[:3, axis], one[:3, 3]
            shift = one[:3, :3].T @ (two[:3, 3] - one[:3, 3])
            angle = angle_between(one, two, axis)
            moving.rest = float(shift[axis]) if moving.kind == "slide" else angle
            moving.range = ranges[free[0]]
            moving.values = {"drive": _gltf_gains(settings, free[0])}


def _radius(sizes) -> float:
    return float(sizes.get("radius", sizes.get("radiusBottom", 0.0)))


def _ranges(settings) -> tuple[dict[str, tuple[float, float]], bool]:
    """Return what each axis may do, and whether no limit is about several axes or soft."""
    ranges = {f"{kind}{axis}": (-math.inf, math.inf) for kind in "la" for axis in range(3)}
    is_simple = True
    for limit in settings.get("limits", ()):
        axes = [f"l{axis}" for axis in limit.get("linearAxes", ())]
        axes += [f"a{axis}" for axis in limit.get("angularAxes", ())]
        low, high = limit.get("min", -math.inf), limit.get("max", math.inf)
        is_simple &= "stiffness" not in limit and (len(axes) == 1 or low == high)
        ranges |= dict.fromkeys(axes, (low, high))
    return ranges, is_simple


def _gltf_gains(settings, axis: str) -> tuple[float, float, float]:
    stiffness = damping = pull = 0.0
    for drive in settings.get("drives", ()):
        if (drive["type"][0], str(drive["axis"])) == ({"l": "l", "a": "a"}[axis[0]], axis[1]):
            stiffness += drive.get("stiffness", 0.0)
            pull += drive.get("stiffness", 0.0) * drive.get("positionTarget", 0.0)
            damping += drive.get("damping", 0.0)
    return stiffness, damping, pull

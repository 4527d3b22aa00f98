"""Shift JSON as it says, by arithmetic of the tests."""

import json
from pathlib import Path

import numpy as np

from tests.facts.facts import WORLD, File, Moving, key, pose
from tests.facts.words import tensor_of, weight_of

_SHIFT = {"R": "hinge", "T": "slide", "rigid": "fixed", "spherical": "ball", "float": "floating"}


def facts(path: Path) -> File:
    document = json.loads(path.read_text())
    found = File(whole={"gravity": tuple(document["model_parameters"]["gravity"])})
    bodies = {"fixed": document.get("fixed", {})}
    joints = []
    for assembly in document["assemblies"]:
        bodies |= {body["name"]: body for body in assembly["bodies"]}
        joints += assembly["joints"]
    for joint in joints:
        joint["ends"] = [(path.split(":")[-1], frame) for path, frame in joint["body_frame_pairs"]]
    placed = {"fixed": np.eye(4)}
    while ready := [joint for joint in joints if joint["ends"][0][0] in placed]:
        for joint in ready:
            joints.remove(joint)
            _add_shift_joint(found, joint, bodies, placed)
    for name in placed.keys() - {"fixed"}:
        _add_shift_body(found, bodies[name], placed[name])
    return found


def _frame(body, name: str) -> np.ndarray:
    own = {each["name"]: each for each in body.get("frames", ())}.get(name, {})
    return _placement(own)


def _placement(own) -> np.ndarray:
    return pose(np.array(own.get("R", np.eye(3))), np.array(own.get("T", (0, 0, 0))))


def _add_shift_joint(found: File, joint, bodies, placed) -> None:
    (parent, first), (child, second) = joint["ends"]
    frame, value = placed[parent] @ _frame(bodies[parent], first), joint.get("initial_displacement")
    kind = joint["type"]
    moving = Moving(_SHIFT.get(kind[:1], _SHIFT.get(kind, "other")), key(parent), key(child))
    moved = _placement(value) if isinstance(value, dict) else np.eye(4)
    if moving.kind in ("hinge", "slide"):
        axis = "xyz".index(kind[1])
        moved = Moving(moving.kind, "", "", axis=np.eye(3)[axis]).moved(value or 0.0)
        moving.axis, moving.anchor, moving.rest = frame[:3, axis], frame[:3, 3], value or 0.0
        (preload, stiffness), (_, damping) = (
            joint.get(each, (0.0, 0.0)) for each in ("stiffness", "damping")
        )
        moving.values["drive"] = (stiffness, damping, -preload)
    placed[child] = frame @ moved @ np.linalg.inv(_frame(bodies[child], second))
    moving.parent = WORLD if parent == "fixed" else moving.parent
    if kind != "float":
        found.apart.add(frozenset((moving.parent, moving.child)))
        found.joints[key(joint["name"])] = moving


def _add_shift_body(found: File, body, matrix: np.ndarray) -> None:
    name = key(body["name"])
    found.links[name] = matrix
    if "mass" in body:
        own = {n.lower().replace("zx", "xz"): v for n, v in body["moment_of_inertia"].items()}
        place = matrix @ pose(np.eye(3), np.array(body.get("center_of_mass", (0, 0, 0))))
        found.weights[name] = weight_of(body["mass"], place, tensor_of(own))

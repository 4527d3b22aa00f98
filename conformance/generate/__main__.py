"""Write the set: python -m conformance.generate [FOLDER], from the root of the repository.

Needs numpy only; the files are the same on every machine.
"""

import json
import math
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .animated_joints import animated_joints
from .bodies import Scene, scenes
from .dialects import BODY, BODY_NODE, JOINT, KHR, OMI, RIGID, Json, joint_document
from .fault import Fault
from .faults import faults
from .feature import Feature, plain, quaternion
from .joints import joint_features

FOLDER = Path(__file__).resolve().parents[1]
RESTING = {"meters": 0.005, "radians": round(math.radians(0.5), 6)}
"""Tolerance of what rests."""
MOVING = {"meters": 0.02, "radians": round(math.radians(2.0), 6)}
"""Tolerance of what moves: that of an engine with steps of 1/60 s."""


def main(folder: Path) -> None:
    """Write all files and the index."""
    for name in (OMI, KHR, "faults"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir(parents=True)
    entries = []
    for path, document, entry in files():
        text = json.dumps(document, indent=1) + "\n"
        (folder / path).write_text(text, "utf-8")
        entries.append({"path": path, **entry})
    index = {
        "version": 1,
        "license": "CC0-1.0",
        "gravity": [0.0, -9.81, 0.0],
        "units": "meters, radians, seconds, kilograms; axes and quaternions (x y z w) as in glTF",
        "files": entries,
    }
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", "utf-8")


def files() -> Iterator[tuple[str, Json, Json]]:
    """Yield path, document and entry in the index of each file."""
    for feature in (*joint_features(), *animated_joints()):
        for dialect in (OMI, KHR):
            if dialect == OMI or not feature.both_kinds:
                document = joint_document(feature, dialect)
                poses = list(feature_poses(feature))
                yield _named(feature, dialect, document, poses)
    for scene in scenes():
        for dialect in scene.dialects:
            yield _named(scene, dialect, scene.document(dialect), list(scene_poses(scene)))
    for fault in faults():
        yield f"faults/{fault.name}.gltf", fault.document(), fault_entry(fault)


def _named(
    what: Feature | Scene, dialect: str, document: Json, poses: list[Json]
) -> tuple[str, Json, Json]:
    entry = {
        "kind": "feature",
        "dialect": dialect,
        "title": what.title,
        "words": list(what.words),
        "bodies": list(bodies_of(document, dialect)),
        "joints": list(joints_of(document, dialect)),
        "poses": poses,
    }
    return f"{dialect}/{what.name}.gltf", document, entry


def fault_entry(fault: Fault) -> Json:
    """Return what the index says about a fault."""
    return {
        "kind": "fault",
        "dialect": fault.dialect,
        "title": fault.title,
        "findings": list(fault.codes),
    }


def feature_poses(feature: Feature) -> Iterator[Json]:
    """Yield where the body of a joint must be."""
    is_mirrored = feature.parent is not None and min(feature.parent["scale"]) < 0
    for time in feature.times:
        position, rotation = feature.body_pose(time)
        pose: Json = {"time": time, "node": BODY_NODE, "translation": plain(position)}
        if not is_mirrored:
            pose["rotation"] = quaternion(rotation)
        yield pose | (RESTING if time >= feature.resting else MOVING)


def scene_poses(scene: Scene) -> Iterator[Json]:
    """Yield where the bodies of a scene must be."""
    for time, node, position in scene.poses:
        yield {"time": time, "node": node, "translation": plain(position), **MOVING}


def bodies_of(document: Json, dialect: str) -> Iterator[Json]:
    """Yield node, motion and mass of each body that a reader must find."""
    for index, node in enumerate(document["nodes"]):
        extensions = node.get("extensions", {})
        if dialect == OMI:
            motion = extensions.get(BODY, {}).get("motion")
            kind = motion and motion["type"]
        else:
            # There, what has a collider and no motion is a part of the world.
            motion, kind = extensions.get(RIGID, {}).get("motion"), "dynamic"
        if motion is not None:
            mass = {"mass": motion["mass"]} if kind == "dynamic" else {}
            yield {"node": index, "motion": kind, **mass}


def joints_of(document: Json, dialect: str) -> Iterator[Json]:
    """Yield node, connected node, limits and drives of each joint that a reader must find."""
    for index, node in enumerate(document["nodes"]):
        found: Any = node.get("extensions", {}).get(JOINT if dialect == OMI else RIGID, {})
        joint = found if dialect == OMI else found.get("joint")
        if joint:
            name = JOINT if dialect == OMI else RIGID
            settings = document["extensions"][name]["physicsJoints"][joint["joint"]]
            yield {
                "node": index,
                "connectedNode": joint["connectedNode"],
                "enableCollision": joint.get("enableCollision", False),
                "limits": settings.get("limits", []),
                "drives": settings.get("drives", []),
            }


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else FOLDER)

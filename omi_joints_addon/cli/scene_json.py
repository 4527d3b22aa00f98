"""A scene as JSON for `show`: bodies and joints by the numbers of their nodes."""

from collections.abc import Iterator
from typing import Any

from ..core.engines.engine import Engine
from ..core.meaning.recognition import joint_kind
from ..core.model.graph import joint_ends
from ..core.model.scene import PhysicsScene
from ..io.formats.format import Read
from ..io.formats.gltf.omi.joint import settings_to_json
from .overview import described


def scene_to_json(read: Read, engine: Engine) -> dict[str, Any]:
    """Return a scene as JSON; limits and drives are in the words of OMI_physics_joint.

    Numbers of nodes distinguishes those of one name; in a glTF file they are the file's own.
    """
    return {
        "name": read.name,
        "dialects": list(read.dialects),
        "bodies": list(_bodies(read.scene)),
        "joints": list(_joints(read.scene, engine)),
    }


def _bodies(scene: PhysicsScene) -> Iterator[dict[str, Any]]:
    for node, motion in scene.motions.items():
        yield {
            "node": node,
            "name": scene.names[node],
            "place": scene.place_of(node),
            "motion": motion.type,
            "mass": motion.mass,
        }


def _joints(scene: PhysicsScene, engine: Engine) -> Iterator[dict[str, Any]]:
    for joint, (body, holder) in zip(scene.joints, joint_ends(scene).pairs(), strict=True):
        settings = joint.settings
        yield {
            "node": joint.node,
            "name": scene.names[joint.node],
            "place": joint.place,
            "kind": joint_kind(settings).label,
            "engine": {"name": engine.name, "becomes": engine.becomes(settings)},
            "body": None if body < 0 else body,
            "connected_body": None if holder < 0 else holder,
            "connected_node": joint.connected,
            "settings": settings_to_json(settings),
            "description": list(described(joint)),
        }

"""Initial velocities of bodies in the world's axes, as Godot uses what its importer reads."""

import numpy as np

from ....core.meaning.velocities import moves
from ....core.model.body import Vector
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, pose_from_matrix, rotate
from .document import DocumentScene
from .document_members import extension_of, nodes_of
from .godot_original import kept, plain
from .omi.body import EXTENSION as BODY

_NAMES = {"linear_velocity": "linearVelocity", "angular_velocity": "angularVelocity"}


def turn_velocities(document: JsonObject, read: DocumentScene) -> None:
    """Write the velocities of all bodies of a document in world axes; it was `read`."""
    scene = read.scene
    for index, node in enumerate(nodes_of(document)):
        value = extension_of(node, BODY)
        motion = value.get("motion") if isinstance(value, dict) else None
        if index in scene.motions and isinstance(motion, dict) and moves(scene.motions[index]):
            turn = pose_from_matrix(scene.matrices[index]).rotation
            turned = {
                name: _y_up(turn, getattr(scene.motions[index], attribute))
                for attribute, name in _NAMES.items()
                if name in motion
            }
            own = plain(motion)
            if any(not np.allclose(own[name], turned[name], atol=1e-9) for name in turned):
                written = own | turned
                motion = kept(written, own, written)
                changed = value | {"motion": motion}
                node["extensions"] = node["extensions"] | {BODY: changed}


def _y_up(turn: Array, vector: Vector) -> list[float]:
    """Return a vector of a body's axes in the axes of glTF's world."""
    x, y, z = rotate(turn, np.array(vector, float)).tolist()
    return [x, z, 0.0 - y]

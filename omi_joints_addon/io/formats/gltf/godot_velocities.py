"""Initial velocities of bodies in the world's axes, as Godot uses what its importer reads."""

import numpy as np

from ....core.meaning.velocities import moves
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
            vectors = {
                name: np.array(getattr(scene.motions[index], attribute), float)
                for attribute, name in _NAMES.items()
                if name in motion
            }
            turned = {name: rotate(turn, vector) for name, vector in vectors.items()}
            if any(not np.allclose(vectors[name], turned[name], atol=1e-9) for name in turned):
                own = plain(motion)
                written = own | {name: _y_up(vector) for name, vector in turned.items()}
                motion = kept(written, own, written)
                changed = value | {"motion": motion}
                node["extensions"] = node["extensions"] | {BODY: changed}


def _y_up(vector: Array) -> list[float]:
    """Return a vector of Blender's axes in those of glTF."""
    x, y, z = vector.tolist()
    return [x, z, 0.0 - y]

"""Keyed numbers of bodies as tracks over the frames of a scene, as their F-curves say.

Drivers and strips are not among them: only Blender can evaluate these, frame by frame.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from ..core.model.animation import MOTION, Track
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node
from .animation import curves_of, is_evaluated
from .joint_tracks import frames_of
from .keyed_bodies import body_values


def body_tracks(
    scene: bpy.types.Scene, core: PhysicsScene, objects: Sequence[Node]
) -> Iterator[Track]:
    """Yield what F-curves change of the motions of a scene; frame f is at f / rate seconds.

    Node i of `core` is `objects[i]`.
    """
    for node in core.motions:
        obj = objects[node]
        if isinstance(obj, BodyBone) or obj.animation_data is None:
            continue
        data: Any = obj.animation_data
        values = body_values(obj)
        for curve in curves_of(data):
            value = values.get(curve.data_path)
            if value is None or curve.mute or not value.is_of_motion:
                continue
            if is_evaluated(obj, value.path):
                continue
            frames = frames_of(scene, curve)
            yield Track(
                body=node,
                kind=MOTION,
                number=curve.array_index,
                member=curve.data_path.rpartition(".")[2],
                seconds=frames * (scene.render.fps_base / scene.render.fps),
                values=np.array([curve.evaluate(frame) for frame in frames]),
                animation=data.action.name,
                place=obj.name,
            )

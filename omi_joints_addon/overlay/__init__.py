"""Joints of a Blender scene as GPU batches, for the viewport (`gizmos`) and for pictures (`io`)."""

from typing import TYPE_CHECKING

from .. import rooms

if TYPE_CHECKING:
    from . import (
        colors,
        detail,
        drawing,
        geometry,
        ghost,
        handle_places,
        joint_arrays,
        joint_overlay,
        labels,
        marks,
        paint,
        scene_joints,
        shape_overlay,
        shapes,
        templates,
        texts,
        tints,
        view,
        window,
    )

__getattr__ = rooms.loader(__name__)

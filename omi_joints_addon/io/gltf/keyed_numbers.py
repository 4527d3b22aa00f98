"""Keyed numbers of objects as keys, by the choices of the exporter."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...scene.animation import actions_of, curves_in
from ...scene.joint_keys import Keys, evaluated_keys, keys_of, sampled_frames
from .upstream import ExportSettings

_OF_SCENE = ("SCENE", "NLA_TRACKS")
"""Modes of the exporter in which the evaluated scene is written, not each action."""


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """A number over time."""

    path: str
    index: int
    """Of a vector, else 0."""
    keys: Keys
    animation: str
    """Name of the animation in the file."""
    shift: float
    """By how many frames the animation is moved."""


class KeyedNumbers:
    """Reads keyed numbers of one export."""

    def __init__(self, scene: bpy.types.Scene, settings: ExportSettings) -> None:
        self._scene = scene
        self._settings = settings
        self.rate = scene.render.fps / scene.render.fps_base

    @property
    def is_every_frame_written(self) -> bool:
        """Whether the exporter looks at each frame of what has no keys, too."""
        is_baked = bool(self._settings.get("gltf_bake_animation"))
        return is_baked or self._settings["gltf_animation_mode"] == "SCENE"

    def of_actions(self, obj: bpy.types.Object, paths: Collection[str]) -> Iterator[Keyed]:
        """Yield the curves of the actions of an object, in modes in which each is written."""
        if self._settings["gltf_animation_mode"] in _OF_SCENE:
            return
        for action, slot in actions_of(obj):
            first, last, shift = self._range(action.frame_range[0])
            for curve in curves_in(action, slot):
                if curve.data_path in paths and len(curve.keyframe_points) and not curve.mute:
                    keys = keys_of(curve, first, last, self._settings["gltf_frame_step"])
                    yield Keyed(curve.data_path, curve.array_index, keys, action.name, shift)

    def evaluated(
        self, numbers: Sequence[tuple[bpy.types.Object, str, int | None]]
    ) -> Iterator[Keyed]:
        """Yield what only Blender can evaluate; None is the index of what is no vector."""
        if not numbers:
            return
        first, last, shift = self._range(self._scene.frame_start)
        first, last = max(first, self._scene.frame_start), min(last, self._scene.frame_end)
        frames = sampled_frames(first, last, self._settings["gltf_frame_step"])
        paths = [(o, path if at is None else f"{path}[{at}]") for o, path, at in numbers]
        found = evaluated_keys(self._scene, paths, frames)
        for (_, path, at), keys in zip(numbers, found, strict=True):
            yield Keyed(path, at or 0, keys, self._scene.name, shift)

    def _range(self, start: float) -> tuple[float, float, float]:
        """Return the first and last frame that are written, and by how many all are moved."""
        settings, scene = self._settings, self._scene
        first, last = -np.inf, np.inf
        if settings["gltf_frame_range"]:
            first, last = scene.frame_start, scene.frame_end
        if settings["gltf_negative_frames"] == "CROP":
            first = max(first, 0.0)
        start = max(start, first)
        is_slid = start < 0.0 or (settings["gltf_anim_slide_to_zero"] and start > 0.0)
        return first, last, -start if is_slid else 0.0

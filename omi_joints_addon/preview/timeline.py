"""Which frame of a simulation is to be shown where it goes with the timeline of a scene."""

import bpy


class Timeline:
    """The frame of the scene that a simulation has seen."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        """Start at the current frame."""
        self.first = self._frame = scene.frame_current
        """Frame at which the simulation is at rest."""

    def is_at(self, scene: bpy.types.Scene) -> bool:
        """Return whether the scene is still at the frame that was seen last."""
        return scene.frame_current == self._frame

    def frames_at(self, scene: bpy.types.Scene) -> int | None:
        """Return how many frames after rest the scene is, None where it is before that."""
        self._frame = scene.frame_current
        return self._frame - self.first if self._frame >= self.first else None

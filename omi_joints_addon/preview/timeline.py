"""Which frames of a simulation are due where it goes with the timeline of a scene."""

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

    def frames_due(self, scene: bpy.types.Scene, *, is_playing: bool) -> int | None:
        """Return how many frames to go on, None to start anew at the current one.

        Playback goes on, also where it leaves out frames, and so does a step of one frame; where
        the artist goes elsewhere, or playback begins again, the simulation starts anew.
        """
        count, self._frame = scene.frame_current - self._frame, scene.frame_current
        return count if count in (0, 1) or (count > 0 and is_playing) else None

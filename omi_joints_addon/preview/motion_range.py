"""One joint moved through its range by hand, without physics."""

import bpy
import numpy as np

from ..core.meaning.freedom import clamped, sweeps
from ..core.meaning.range_of_motion import (
    current_values,
    joint_number_of,
    moved_matrices,
    moving_body_of,
)
from ..core.model.pose import Array
from ..properties.preview import preview_options
from .session import Command, Preview, PreviewError


class RangePreview(Preview):
    """One joint moved through its range."""

    kind = "Range of Motion"

    def __init__(self, context: bpy.types.Context, joint: bpy.types.Object) -> None:
        """Start with the joint where it is; raises `PreviewError`."""
        super().__init__(context)
        self.joint = joint.name
        self._node = self.live.nodes.get(joint.session_uid, -1)
        self._find(context)
        options = preview_options(context)
        self.values = self._start = current_values(self.scene, self.number)
        self._path: list[Array] = []
        options.set_values(self.values)
        self._told = options.freedom_values()

    @property
    def is_sweeping(self) -> bool:
        """Whether the joint moves by itself."""
        return bool(self._path)

    @property
    def activity(self) -> str:
        """What it does now, in a word."""
        return "Sweeping" if self.is_sweeping else "Following the sliders"

    def move(self, context: bpy.types.Context) -> None:
        """Go on along the sweep, or follow the sliders."""
        options = preview_options(context)
        if self._path:
            self.values = self._path.pop(0)
            options.set_values(self.values)
        elif options.freedom_values() != self._told:
            values = np.array(options.freedom_values())
            self.values = values if options.past_limits else clamped(self.settings, values)
            if not np.array_equal(values, self.values):
                options.set_values(self.values)
        else:
            return
        self._told = options.freedom_values()
        self.show(moved_matrices(self.scene, self.number, self.values, self.body), {})

    def change(self, context: bpy.types.Context) -> None:
        """Take over limits that were edited; the joint stays where it is, as far as they allow."""
        try:
            self._find(context)
        except PreviewError:
            self.end()
            return
        if not preview_options(context).past_limits:
            self.values = clamped(self.settings, self.values)
            preview_options(context).set_values(self.values)
        self._told = ()

    def obey(self, command: Command) -> None:
        """Sweep, or go back."""
        super().obey(command)
        if command == Command.SWEEP:
            self._path = [row for path in sweeps(self.settings) for row in path.values]
        elif command == Command.RESET:
            self._path = [self._start]

    def _find(self, context: bpy.types.Context) -> None:
        """Find the joint and the body that it moves; raises `PreviewError`."""
        number = joint_number_of(self.scene.joints, self._node)
        if number is None:
            raise PreviewError("The settings of the joint cannot be read")
        body = moving_body_of(self.scene, number, end=preview_options(context).end())
        if body is None:
            raise PreviewError("The ends of the joint are not on different bodies")
        self.number, self.body = number, body
        self.settings = self.scene.joints[number].settings

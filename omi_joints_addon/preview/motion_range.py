"""One joint moved through its range by hand, without physics."""

from collections.abc import Collection, Sequence

import bpy
import numpy as np

from ..authoring.context import present
from ..core.meaning.coupling import CannotFollowError
from ..core.meaning.freedom import freedoms, sweeps
from ..core.meaning.linkage import AT_BOUND, Linkage
from ..core.meaning.pulling import Pull
from ..core.meaning.range_of_motion import (
    current_values,
    hanging_bodies,
    joint_number_of,
    moving_body_of,
)
from ..core.model.pose import Array
from ..core.outline.pieces import State
from ..overlay.labels import number_text
from ..properties.preview import preview_options
from .session import Command, Preview, PreviewError


class RangePreview(Preview):
    """One joint moved through its range, with those that it follows and that follow it."""

    kind = "Range of Motion"

    def __init__(self, context: bpy.types.Context, joint: bpy.types.Object) -> None:
        """Start with the joint where it is; raises `PreviewError`."""
        super().__init__(context)
        self.joint = joint.name
        self._node = self.live.nodes.numbers.get(joint.session_uid, -1)
        self._find(context)
        options = preview_options(context)
        self.values = self._start = current_values(self.scene, self.linkage.number)
        self.visited = [self.values]
        """Values (6,) that the joint was moved to by hand, since the start or a reset."""
        self._path: list[Array] = []
        self._pull: Pull | None = None
        options.set_values(self.values)
        self._asked = options.freedom_values()
        self._place = self._place_text(context)

    @property
    def is_sweeping(self) -> bool:
        """Whether the joint moves by itself."""
        return bool(self._path)

    @property
    def activity(self) -> str:
        """Where the joint is."""
        return self._place

    def move(self, context: bpy.types.Context, elapsed: float) -> None:
        """Go on along the sweep, or follow the sliders."""
        options = preview_options(context)
        if self._path:
            self.values = self._path.pop(0)
            options.set_values(self.values)
        elif options.freedom_values() != self._asked:
            values = np.array(options.freedom_values())
            self.values = values if options.past_limits else self._allowed(values)
            if not np.array_equal(values, self.values):
                options.set_values(self.values)
            self.visited.append(self.values)
        else:
            return
        self._asked, self._place = options.freedom_values(), self._place_text(context)
        self.show(self.linkage.matrices(self.values), self._states())

    def change(self, context: bpy.types.Context) -> None:
        """Take over limits that were edited; the joint stays where it is, as far as they allow."""
        try:
            self._find(context)
        except PreviewError:
            self.end()
            return
        if not preview_options(context).past_limits:
            self.values = self._allowed(self.values)
            preview_options(context).set_values(self.values)
        self._asked = ()

    def obey(self, command: Command) -> None:
        """Sweep, or go back."""
        super().obey(command)
        if command == Command.SWEEP:
            rows = [row for path in sweeps(self.linkage.settings) for row in path.values]
            self._path = self.linkage.path(rows, self.values)
        elif command == Command.RESET:
            self._path = [self._start]
            self.visited = [self._start]

    @property
    def held_bodies(self) -> Collection[int]:
        """The body that the joint moves, and what is attached to it."""
        return hanging_bodies(self.scene, self.linkage.number, self.linkage.body)

    def grab(self, body: int, point: Sequence[float]) -> None:
        """Hold a moved body at a point of the world [m]."""
        self._path.clear()
        self._pull = Pull(self.linkage, self.values, np.array(point))

    def pull(
        self, context: bpy.types.Context, target: Sequence[float], direction: Sequence[float]
    ) -> None:
        """Move the sliders to where the point that is held is nearest to the mouse."""
        if self._pull is not None:
            options = preview_options(context)
            line, start = (
                (np.array(target), np.array(direction)),
                np.array(options.freedom_values()),
            )
            options.set_values(self._pull.toward(*line, start, past_limits=options.past_limits))

    def release(self) -> None:
        """Stay where the joint is."""
        self._pull = None

    def _find(self, context: bpy.types.Context) -> None:
        """Find the joint and the body that it moves; raises `PreviewError`."""
        number = joint_number_of(self.scene.joints, self._node)
        if number is None:
            raise PreviewError("The settings of the joint cannot be read")
        body = moving_body_of(self.scene, number, end=preview_options(context).end())
        if body is None:
            raise PreviewError("The ends of the joint are not on different bodies")
        try:
            self.linkage = Linkage(self.scene, number, body)
        except CannotFollowError as error:
            raise PreviewError(str(error)) from error

    def _place_text(self, context: bpy.types.Context) -> str:
        """Return the values of the joint with their units."""
        units = present(context.scene).unit_settings
        return ", ".join(
            f"{axis.label} {number_text(float(value), units, is_angle=not axis.is_linear)}"
            for axis in freedoms(self.linkage.settings)
            for value in (self.values[axis.number],)
        )

    def _allowed(self, values: Array) -> Array:
        """Return values as far as limits allow on the way from where the joint is."""
        return self.linkage.clamped(values, self.values)

    def _states(self) -> dict[int, State]:
        """Return how joints that move together are held, by node."""
        return {
            self.scene.joints[number].node: State.VIOLATED if excess > AT_BOUND else State.AT_LIMIT
            for number, excess in self.linkage.excesses(self.values).items()
            if excess >= -AT_BOUND
        }

"""What a preview shows in place of the scene: temporary poses of objects and states of joints."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.model.pose import Array
from ..core.outline.pieces import State


@dataclass(slots=True)
class Override:
    """Poses and states that hold until they are cleared; `number` counts the changes."""

    matrices: Mapping[str, Array] = field(default_factory=dict)
    """World matrices (4, 4) of objects by name."""
    states: Mapping[str, State] = field(default_factory=dict)
    """States of joints by the name of their object; a joint not named has the state of its pose."""
    number: int = 0

    def show(self, matrices: Mapping[str, Array], states: Mapping[str, State]) -> None:
        """Show poses and states from the next redraw on; the caller tags the views for it."""
        self.matrices, self.states = dict(matrices), dict(states)
        self.number += 1

    def clear(self) -> None:
        """Show the scene as it is again."""
        if self.matrices or self.states:
            self.show({}, {})


OVERRIDE = Override()
"""The override of this Blender process, which shows one preview at a time."""

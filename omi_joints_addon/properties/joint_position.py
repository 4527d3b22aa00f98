"""Positions of joints that can be keyed and driven: `Object.omi_position` of a joint's object.

They move bodies: at once where they are set, in every frame where they are keyed or driven.
"""

from typing import Any

import bpy

from .overridable import FloatVectorProperty

PATH = "omi_position"
ASKED = set[int]()
"""Objects, by `session_uid`, whose positions were set and that bodies have not followed yet."""


def _ask(group: "OMI_PG_position_values", _context: bpy.types.Context) -> None:
    """Have bodies follow what was set, when Blender evaluates the object next."""
    owner: Any = group.id_data
    ASKED.add(owner.session_uid)
    owner.update_tag()


class OMI_PG_position_values(bpy.types.PropertyGroup):
    """Where a joint is: set, it moves bodies at once; keyed or driven, in each frame."""

    along: tuple[float, float, float] = FloatVectorProperty(
        name="Along",
        description="Position along the joint's axes, from where its two frames coincide",
        size=3,
        subtype="XYZ_LENGTH",
        unit="LENGTH",
        update=_ask,
    )
    about: tuple[float, float, float] = FloatVectorProperty(
        name="About",
        description="Position about the joint's axes; of a hinge as its author counts",
        size=3,
        subtype="EULER",
        unit="ROTATION",
        update=_ask,
    )

    def value(self, number: int) -> float:
        """Return one of the six values [m or rad]."""
        return self.along[number] if number < 3 else self.about[number - 3]

    def note(self, number: int, value: float) -> None:
        """Hold one of the six values [m or rad], of a joint that is there."""
        values: Any = self.along if number < 3 else self.about
        values[number % 3] = value
        owner: Any = self.id_data
        ASKED.discard(owner.session_uid)


def position_values(joint: bpy.types.Object) -> OMI_PG_position_values:
    """Return the positions of a joint's object."""
    group: OMI_PG_position_values = getattr(joint, PATH)
    return group


def shown_positions(joint: bpy.types.Object) -> OMI_PG_position_values | None:
    """Return the positions to show of a joint, None of an override whose library has none.

    To read them makes them, and then Blender cannot open the file without an error.
    """
    is_safe = joint.override_library is None or joint.is_property_set(PATH)
    return position_values(joint) if is_safe else None

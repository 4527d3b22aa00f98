"""Operator properties that adjust a preset: parameters of the builders in `meaning.presets`."""

import inspect
import math
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...core.meaning.presets import PRESETS, Preset, preset_settings
from ...core.model.joint import JointSettings
from ...properties.exact import shortest_decimal

PRESET_ITEMS = tuple(
    (preset.name, info.label, info.description) for preset, info in PRESETS.items()
)
_RANGES = {
    "min_angle",
    "max_angle",
    "min_distance",
    "max_distance",
    "radius",
    "cone",
    "twist",
    "travel",
}
"""Parameters that bound the motion."""
_DISTANCES = {"min_distance", "max_distance", "radius", "travel", "position_distance"}
_USUAL_SIZE = 2.0
"""Largest extent [m] of a body, such as Blender's cube, that the builders' distances suit."""
_BOUNDED = {"radius": 0.5, "cone": math.pi / 4.0, "twist": math.pi / 4.0}
"""What to start from where the builder bounds nothing."""


def _angle(label: str, description: str) -> Any:
    return FloatProperty(
        name=label, description=description, subtype="ANGLE", unit="ROTATION", options={"SKIP_SAVE"}
    )


def _distance(label: str, description: str) -> Any:
    return FloatProperty(
        name=label,
        description=description,
        subtype="DISTANCE",
        unit="LENGTH",
        options={"SKIP_SAVE"},
    )


def _number(label: str, description: str) -> Any:
    return FloatProperty(name=label, description=description, min=0.0, options={"SKIP_SAVE"})


class PresetParameters:
    """Properties of an operator that builds settings from a preset.

    A property that the caller does not set takes the preset's own default and shows it.
    """

    if TYPE_CHECKING:
        preset: str
        shown_preset: str
        use_range: bool
    else:
        preset: EnumProperty(
            name="Type",
            description="Kind of joint",
            items=PRESET_ITEMS,
            default="HINGE",
        )
        # A callback of `preset` would do: but where one is, a panel that sets the property of a
        # button has Blender draw the window again, and so without end.
        shown_preset: StringProperty(
            name="Shown Type",
            description="Kind of joint that the numbers are those of",
            options={"HIDDEN", "SKIP_SAVE"},
        )
        use_range: BoolProperty(
            name="Limit Range",
            description="Limit the motion that the joint allows",
            options={"SKIP_SAVE"},
        )
        min_angle: _angle("Minimum", "Smallest angle of the connected frame in the joint's frame")
        max_angle: _angle("Maximum", "Largest angle of the connected frame in the joint's frame")
        min_distance: _distance(
            "Minimum",
            "Smallest distance of the connected frame along the axis of the joint's frame",
        )
        max_distance: _distance(
            "Maximum", "Largest distance of the connected frame along the axis of the joint's frame"
        )
        radius: _distance("Radius", "Largest distance from the joint in its plane")
        cone: _angle("Cone", "Half the opening angle of the cone that the axis stays in")
        twist: _angle("Twist", "Largest rotation about the axis in either direction")
        travel: _distance("Travel", "Largest deflection of the spring in either direction")
        position_distance: _distance("Rest Position", "Distance that the spring pulls toward")
        position_angle: _angle("Target Angle", "Angle that the servo turns to")
        velocity_target: _angle("Velocity", "Angle per second at which the motor turns")
        stiffness: _number("Stiffness", "Force in N/m or torque in N·m/rad away from the target")
        damping: _number(
            "Damping", "Force in N·s/m or torque in N·m·s/rad against other velocities"
        )
        max_force: _number("Max Force", "Largest force in N or torque in N·m of the drive")

    def settings(self, size: float) -> JointSettings:
        """Return the settings that the properties describe; set those nobody set, to show them.

        Distances that nobody set are in proportion to `size`, that of the moving body [m].
        """
        preset = Preset[self.preset]
        defaults = _defaults(preset)
        self._show(defaults, size / _USUAL_SIZE)
        values = {
            name: shortest_decimal(getattr(self, _property(name, defaults))) for name in defaults
        }
        if not self.use_range:
            values |= {name: default for name, default in _UNBOUNDED.items() if name in values}
        return preset_settings(preset, **values)

    def _show(self, defaults: dict[str, float], scale: float) -> None:
        """Set what nobody set, or did for another preset, to the defaults of the preset."""
        properties: Any = self.properties  # type: ignore[attr-defined]
        if self.shown_preset not in {"", self.preset}:
            for name in PARAMETERS:
                properties.property_unset(name)
        self.shown_preset = self.preset
        ranges = _RANGES & defaults.keys()
        if not properties.is_property_set("use_range"):
            named = any(properties.is_property_set(name) for name in ranges)
            self.use_range = named or any(math.isfinite(defaults[name]) for name in ranges)
        for name, default in defaults.items():
            shown = _property(name, defaults)
            if not properties.is_property_set(shown):
                value = default if math.isfinite(default) else _BOUNDED[name]
                is_distance = shown in _DISTANCES and scale > 0.0
                setattr(self, shown, float(f"{value * scale:.2g}") if is_distance else value)

    def draw_parameters(self, layout: bpy.types.UILayout) -> None:
        """Draw the properties that fit the preset."""
        defaults = _defaults(Preset[self.preset])
        ranges = [name for name in defaults if name in _RANGES]
        if ranges:
            layout.prop(self, "use_range")
        for name in defaults:
            column = layout.column()
            column.active = name not in _RANGES or self.use_range
            column.prop(self, _property(name, defaults))


PARAMETERS = tuple(
    name for name in PresetParameters.__annotations__ if name not in {"preset", "shown_preset"}
)
_UNBOUNDED = {name: -math.inf if name.startswith("min_") else math.inf for name in _RANGES}


def _defaults(preset: Preset) -> dict[str, float]:
    """Return the parameters of a preset's builder, but its axis, and their defaults."""
    parameters = inspect.signature(PRESETS[preset].build).parameters.values()
    return {p.name: p.default for p in parameters if p.name != "axis"}


def _property(name: str, defaults: dict[str, float]) -> str:
    """Return the operator property of a builder's parameter."""
    if name == "position_target":
        return "position_angle" if "min_angle" in defaults else "position_distance"
    return name

"""Operator properties that adjust a preset: parameters of the builders in `meaning.presets`."""

import math
from collections.abc import Collection
from typing import Any

import bpy

from ...core.meaning.preset_parameters import Parameter, Quantity
from ...core.meaning.presets import PRESETS, Preset, preset_settings
from ...core.model.joint import DriveType, JointSettings
from ...declared import BoolProperty, EnumProperty, StringProperty
from ...properties.exact import shortest_decimal
from ...translation import translated

PRESET_ITEMS = tuple(
    (preset.name, info.label, info.description) for preset, info in PRESETS.items()
)
_UNITS: dict[Quantity, dict[str, Any]] = {
    Quantity.ANGLE: {"subtype": "ANGLE", "unit": "ROTATION"},
    Quantity.DISTANCE: {"subtype": "DISTANCE", "unit": "LENGTH"},
    # Blender has no unit of angular velocity; users read degrees.
    Quantity.ANGULAR_VELOCITY: {"subtype": "ANGLE", "unit": "ROTATION"},
    Quantity.VELOCITY: {"unit": "VELOCITY"},
    Quantity.STRENGTH: {"min": 0.0},
}
_DRIVE_UNITS: dict[str, dict[str, str]] = {
    DriveType.LINEAR: {"stiffness": "N/m", "damping": "N·s/m", "max_force": "N"},
    DriveType.ANGULAR: {
        "velocity_target": "/s",
        "stiffness": "N·m/rad",
        "damping": "N·m·s/rad",
        "max_force": "N·m",
    },
}
"""Units that Blender does not show by itself, by the type of the drive and the parameter."""
_USUAL_SIZE = 2.0
"""Largest extent [m] of a body, such as Blender's cube, that the builders' distances suit."""


class PresetParameters:
    """Properties of an operator that builds settings from a preset.

    A property that the caller does not set takes the preset's own default and shows it.
    """

    preset = EnumProperty(
        name="Type",
        description="Kind of joint",
        items=PRESET_ITEMS,
        default="HINGE",
    )
    # A callback of `preset` would do: but where one is, a panel that sets the property of a
    # button has Blender draw the window again, and so without end.
    shown_preset = StringProperty(
        name="Shown Type",
        description="Kind of joint that the numbers are those of",
        options={"HIDDEN", "SKIP_SAVE"},
    )
    use_range = BoolProperty(
        name="Limit Range",
        description="Limit the motion that the joint allows",
        options={"SKIP_SAVE"},
    )

    def settings(self, size: float) -> JointSettings:
        """Return the settings that the properties describe; set those nobody set, to show them.

        Distances that nobody set are in proportion to `size`, that of the moving body [m].
        """
        preset = Preset[self.preset]
        parameters = PRESETS[preset].parameters()
        self._show(parameters.values(), size / _USUAL_SIZE)
        values = {}
        for argument, (parameter, _) in parameters.items():
            values[argument] = shortest_decimal(getattr(self, parameter.name))
            if parameter.unbounded is not None and not self.use_range:
                values[argument] = parameter.unbounded
        return preset_settings(preset, **values)

    def _show(self, parameters: Collection[tuple[Parameter, float]], scale: float) -> None:
        """Set what nobody set, or did for another preset, to the defaults of the preset."""
        properties: Any = self.properties  # type: ignore[attr-defined]
        if self.shown_preset not in {"", self.preset}:
            for name in PARAMETERS:
                properties.property_unset(name)
        self.shown_preset = self.preset
        ranges = [pair for pair in parameters if pair[0].unbounded is not None]
        if not properties.is_property_set("use_range"):
            named = any(properties.is_property_set(parameter.name) for parameter, _ in ranges)
            self.use_range = named or any(math.isfinite(default) for _, default in ranges)
        for parameter, default in parameters:
            if not properties.is_property_set(parameter.name):
                value = default if math.isfinite(default) else parameter.start
                if parameter.quantity == Quantity.DISTANCE and scale > 0.0:
                    value = float(f"{value * scale:.2g}")
                setattr(self, parameter.name, value)

    def draw_parameters(self, layout: bpy.types.UILayout) -> None:
        """Draw the properties that fit the preset."""
        parameters = [each for each, _ in PRESETS[Preset[self.preset]].parameters().values()]
        if any(parameter.unbounded is not None for parameter in parameters):
            layout.prop(self, "use_range")
        for parameter in parameters:
            column = layout.column()
            column.active = parameter.unbounded is None or self.use_range
            column.prop(self, parameter.name, text=self._label(parameter))

    def _label(self, parameter: Parameter) -> str:
        """Return the name of a parameter and, where Blender has none for it, its unit."""
        drives = preset_settings(Preset[self.preset]).drives
        units = _DRIVE_UNITS.get(drives[0].type, {}) if drives else {}
        return f"{translated(parameter.label)} {units.get(parameter.name, '')}".rstrip()


def _property(parameter: Parameter) -> Any:
    return bpy.props.FloatProperty(
        name=parameter.label,
        description=parameter.description,
        options={"SKIP_SAVE"},
        **_UNITS[parameter.quantity],
    )


# One property for each parameter that a preset has, in the order of the presets.
PresetParameters.__annotations__.update(
    {
        parameter.name: _property(parameter)
        for info in PRESETS.values()
        for parameter, _ in info.parameters().values()
    }
)
PARAMETERS = tuple(
    name for name in PresetParameters.__annotations__ if name not in {"preset", "shown_preset"}
)

"""Rules about what the preview has to assume (P0xx)."""

from .rule import Rule, Severity

_WARNING, _INFO = Severity.WARNING, Severity.INFO

PREVIEW_RULES: dict[str, Rule] = {
    "OMI-P001": Rule(
        _WARNING,
        "the mass of {mass} kg cannot move; the preview takes 1 kg",
        "A dynamic body needs a positive mass.",
    ),
    "OMI-P002": Rule(
        _INFO,
        "the body has neither inertia nor a shape to give it one; the preview takes an even ball "
        "of {radius} m radius",
        "OMI_physics_body leaves inertia to the engine; without shape there is none to compute.",
    ),
    "OMI-P003": Rule(
        _WARNING,
        "the transform is not a number; the preview takes the origin",
        "A NaN spreads to all that is tied to it.",
    ),
    "OMI-P004": Rule(
        _INFO,
        "the joint ties no moving body to another, so the preview leaves it out",
        "Joints act between a dynamic body and another body.",
    ),
    "OMI-P005": Rule(
        _WARNING,
        "the body left the range of numbers and was stopped; use more substeps or softer values",
        "Forces beyond what a step resolves grow without end.",
    ),
    "OMI-P006": Rule(
        _WARNING,
        "the soft locked axes sag {sag} m under the weight they hold; raise the stiffness or make "
        "the limit rigid",
        "OMI_physics_joint: stiffness is in N/m. Files that mean a unitless softness fall apart.",
    ),
    "OMI-P010": Rule(
        _WARNING,
        "a mesh of the body's shape cannot be read ({why}), so it gives no inertia",
        "Where a body gives no inertia it comes from its shapes.",
    ),
}

"""What the viewport shows of joints: options of a scene, or of the preferences it starts from."""

import bpy

from ..core import outline
from ..core.meaning.sides import End
from ..declared import BoolProperty, EnumProperty, FloatProperty, PointerProperty

ADDON = __package__.rpartition(".")[0]
"""Name of the extension's module, which preferences are stored under."""


class OMI_PG_overlay(bpy.types.PropertyGroup):
    """Which joints are drawn in the viewport, how large, and which parts of them."""

    show = BoolProperty(
        name="Physics Joints",
        description=(
            "Draw physics joints in the viewport. Colors of axes: what is free about or along "
            "them; amber and |: at a limit; magenta and !: violated, or no value is left. "
            "Dashed: soft; crosses: locked; bright needle: the present value; octahedrons: "
            "drag a bound or a target"
        ),
        default=True,
    )
    scope = EnumProperty(
        name="Scope",
        description="Joints to draw",
        items=(
            ("ALL", "All", "Every visible joint of the scene"),
            ("SELECTED", "Selected", "Selected joints, and joints of selected objects"),
            ("ACTIVE", "Active", "The active joint only"),
        ),
    )
    only_chain = BoolProperty(
        name="Selected Chain",
        description="Of these, draw only the chains of joints that the selection is in, from "
        "one branch to the next, while anything of a mechanism is selected",
    )
    show_problems = BoolProperty(
        name="All Problems",
        description="Draw joints that violate their limits or have errors, whatever the scope",
        default=True,
    )
    fixed_to = EnumProperty(
        name="Fixed To",
        description=("End of a joint at which its range is drawn; the needle shows the other end"),
        items=(
            (
                "AUTO",
                "Staying Body",
                "The side that cannot move, else the one with the root or more bodies",
            ),
            ("JOINT", "Joint", "The joint's own frame, as in the file"),
            ("CONNECTED", "Connected", "The connected frame"),
        ),
    )
    size_mode = EnumProperty(
        name="Size",
        description="Size of angles and frames; distances have their real size",
        items=(
            ("WORLD", "World", "In proportion to the scene and each joint's display size"),
            ("SCREEN", "Screen", "Constant size on screen"),
        ),
    )
    size = FloatProperty(
        name="World Size",
        description="Radius of angles in the scene, times the joint's display size",
        default=1.0,
        min=0.001,
        soft_max=10.0,
        unit="LENGTH",
    )
    screen_size = FloatProperty(
        name="Screen Size",
        description="Radius of angles on screen, times the display size of the joint's object",
        default=80.0,
        min=1.0,
        soft_max=500.0,
        subtype="PIXEL",
    )
    show_limits = BoolProperty(
        name="Limits", description="Draw allowed ranges and current values", default=True
    )
    show_frames = BoolProperty(
        name="Frames",
        description="Draw both attachment frames and the gap between them",
        default=True,
    )
    show_drives = BoolProperty(name="Drives", description="Draw targets of drives", default=True)
    show_tethers = BoolProperty(
        name="Tethers",
        description="Draw dashed lines from the frames to their bodies",
        default=True,
    )
    show_couplings = BoolProperty(
        name="Couplings",
        description="Draw dashed lines from joints to the joints that they follow",
        default=True,
    )
    color_by = EnumProperty(
        name="Color",
        description="Color of joints that have no color of their own",
        items=(
            ("AXIS", "Axis", "The theme's color of the axis that a range is about"),
            ("COLLECTION", "Collection", "The color tag of the collection of the joint"),
        ),
    )
    show_numbers = BoolProperty(
        name="Numbers", description="Label the bounds of selected joints", default=True
    )
    show_shapes = BoolProperty(
        name="Shapes",
        description="Draw collision shapes of empties and of selected objects",
        default=True,
    )
    show_hidden = BoolProperty(name="X-Ray", description="Show occluded parts dimmed", default=True)
    hidden_opacity = FloatProperty(
        name="Hidden Opacity",
        description="Opacity of occluded parts",
        default=0.6,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )

    def moving_end(self) -> End | None:
        """Return the end of joints that counts as moving, None for the one that fits each."""
        return {"JOINT": End.CONNECTED, "CONNECTED": End.JOINT}.get(self.fixed_to)

    def parts(self) -> "tuple[outline.joint.Part, ...]":
        """Return the parts that are drawn."""
        parts = outline.joint.Part
        return tuple(part for part in parts if getattr(self, f"show_{part.name.lower()}"))


class OMI_PG_scene_overlay(bpy.types.PropertyGroup):
    """Whether a scene has options of its own, and these."""

    use_own = BoolProperty(
        name="Options of This Scene",
        description="Keep overlay options in this scene instead of following the preferences",
        update=lambda group, context: group.start_own(context),
    )
    own = PointerProperty(type=OMI_PG_overlay)

    def start_own(self, context: bpy.types.Context) -> None:
        """Let options of the scene that were never set begin as the preferences are."""
        defaults = _preferred(context.preferences)
        if defaults is None or not self.use_own:
            return
        for name in OMI_PG_overlay.__annotations__:
            if not self.own.is_property_set(name):
                setattr(self.own, name, getattr(defaults, name))


_HEADINGS = {
    "What": (
        *(
            "scope",
            "only_chain",
            "show_problems",
            "show_limits",
            "show_frames",
            "show_drives",
            "show_tethers",
        ),
        *("show_couplings", "show_numbers", "show_shapes", "fixed_to"),
    ),
    "Size": ("size_mode", "size", "screen_size"),
    "Color": ("color_by", "show_hidden", "hidden_opacity"),
}
"""Options by what they are about."""


def draw_options(layout: bpy.types.UILayout, options: OMI_PG_overlay) -> None:
    """Draw all options of an overlay below headings, for the preferences and for a scene."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    layout.prop(options, "show")
    for heading, names in _HEADINGS.items():
        column = layout.column()
        column.label(text=heading)
        for name in names:
            column.prop(options, name)


def overlay_data(scene: bpy.types.Scene) -> OMI_PG_scene_overlay:
    """Return the overlay data of a scene."""
    data: OMI_PG_scene_overlay = scene.omi_overlay  # type: ignore[attr-defined]
    return data


def overlay_options(context: bpy.types.Context) -> OMI_PG_overlay:
    """Return the options that hold in the scene of `context`."""
    assert context.scene is not None
    data = overlay_data(context.scene)
    defaults = None if data.use_own else _preferred(context.preferences)
    return data.own if defaults is None else defaults


def _preferred(preferences: bpy.types.Preferences | None) -> OMI_PG_overlay | None:
    """Return the options of the preferences, None where the extension runs without any."""
    addon = preferences.addons.get(ADDON) if preferences else None
    return getattr(addon and addon.preferences, "overlay", None)

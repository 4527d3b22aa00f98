"""Every label of every panel of ours can be read at the default width and interface scale 1.

Blender ends a label that does not fit with three dots. They are looked for in pictures.
"""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from harness import Gui, Picture, Steps, addon
from joint_scenes import activate

SIZE = "1600x1900"
"""As wide as common; higher, so that whole tabs are seen."""

NARROW, BESIDE = 260, 58
"""Width of a narrow sidebar, and what Blender keeps free beside it [pixels]."""
EDGE = 3
"""Pixels at the lower edge of what is looked at in which nothing can be told."""
LINE = 20
"""Height of a line of an interface [pixels]."""
BRIGHT = 100.0
"""What is brighter is text; faded labels count."""
WIDEST_DOT = 3
NEXT_DOT = range(3, 7)
"""Distance of the dots of an ellipsis [pixels]."""


def dots_are_found(gui: Gui) -> Steps:
    """A label that cannot fit is found: what the other scenarios rely on."""

    class OMI_PT_long(bpy.types.Panel):
        bl_label = "Long"
        bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Joints"
        bl_order = 0

        def draw(self, _context: bpy.types.Context) -> None:
            self.layout.label(text="A sentence that is far too long for the sidebar of a window")
            self.layout.prop(bpy.context.scene.render, "resolution_x", text="Short")

    bpy.utils.register_class(OMI_PT_long)
    _prepare(gui)
    yield from gui.show_sidebar("Joints")
    found = yield from _cut(gui, "long", gui.region_of(gui.viewport, "UI"))
    bpy.utils.unregister_class(OMI_PT_long)
    assert len(found) == 1, found


def labels_of_joints_fit(gui: Gui) -> Steps:
    """The Physics tab and the sidebar with a joint of each kind active."""
    _prepare(gui)
    _bodies()
    bpy.ops.omi.joint_add(preset="SUSPENSION_SPRING")
    joint = bpy.context.object
    joint.name, joint.omi_joint.connected_object.name = "A", "C"  # names are as long as users like
    joint.omi_joint.settings_name = "Suspension"
    joint.omi_joint.coupling.source = joint
    other = joint.copy()
    other.name = "B"
    bpy.context.collection.objects.link(other)
    other.omi_joint.settings_source = joint
    yield from gui.show_sidebar("Joints")
    yield from gui.show_properties("PHYSICS")
    faults = []
    for name, change in _VARIANTS:
        change(joint.omi_joint)
        gui.area("PROPERTIES").tag_redraw()
        faults += yield from _faults(gui, f"joint-{name}")
    activate(joint.omi_joint.connected_object)
    joint.omi_joint.limits[0].min = 2.0
    bpy.context.scene.omi_checks.show_info = bpy.context.scene.omi_checks.use_engine = True
    faults += yield from _faults(gui, "joint-connected")
    assert not faults, faults


def labels_of_previews_fit(gui: Gui) -> Steps:
    """The sidebar while previews run."""
    _prepare(gui)
    _bodies()
    bpy.ops.omi.joint_add(preset="CYLINDRICAL")
    bpy.context.object.name = "A"  # names are as long as users like
    yield from gui.show_sidebar("Joints")
    for name in ("preview_range", "preview_simulate"):
        getattr(bpy.ops.omi, name)("INVOKE_DEFAULT")
        yield from gui.wait(3)
        faults = yield from _faults(gui, name)
        assert not faults, faults
        bpy.ops.omi.preview_control(command="STOP")
        assert addon("preview.session").running() is None
        yield from gui.wait()


def labels_of_bodies_fit(gui: Gui) -> Steps:
    """The Physics tab with bodies and shapes of each kind, and Create in the sidebar."""
    _prepare(gui)
    _bodies()
    bpy.ops.omi.joint_add(preset="HINGE")
    wall = bpy.data.objects["Wall"]
    activate(wall)
    yield from gui.show_sidebar("Joints")
    yield from gui.show_properties("PHYSICS")
    faults = []
    for name, change in _BODIES:
        change(wall.omi_body)
        gui.area("PROPERTIES").tag_redraw()
        faults += yield from _faults(gui, f"body-{name}")
    wall.omi_body.motion_type = "NONE"
    bpy.ops.rigidbody.object_add()
    faults += yield from _faults(gui, "body-rigid")
    assert not faults, faults


def labels_fit_in_260_pixels(gui: Gui) -> Steps:
    """A sidebar and a Physics tab that are narrower than Blender's default."""
    _prepare(gui)
    _bodies()
    bpy.ops.omi.joint_add(preset="HINGE")
    joint = bpy.context.object
    joint.name, joint.omi_joint.connected_object.name = "A", "C"  # names are as long as users like
    for kind, width in (("PROPERTIES", NARROW), ("VIEW_3D", NARROW + BESIDE)):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=width / gui.viewport.width)
        yield from gui.wait(3)
        areas = [each for each in gui.window.screen.areas if each.type == "VIEW_3D"]
        area = min(areas, key=lambda area: area.width)
        area.type = kind
        yield from gui.wait(3)
        if kind == "PROPERTIES":
            area.spaces.active.context = "PHYSICS"
        else:
            area.spaces.active.show_region_ui = True
        yield from gui.wait(3)
        region = gui.region_of(area, "WINDOW" if kind == "PROPERTIES" else "UI")
        assert NARROW - 40 < region.width <= NARROW, region.width
        if kind == "VIEW_3D":
            region.active_panel_category = "Joints"
        for shown in (joint, joint.parent):
            activate(shown)
            area.tag_redraw()
            yield from gui.wait(4)
            found = yield from _cut(gui, f"narrow-{kind}-{shown.name}", region)
            assert not found, (kind, shown.name, found)


def labels_of_usd_fit(gui: Gui) -> Steps:
    """The Scene tab."""
    _prepare(gui)
    bpy.utils.unregister_class(bpy.types.SCENE_PT_scene)  # Blender cuts its own labels
    yield from gui.show_properties("SCENE")
    faults = yield from _faults(gui, "scene")
    assert not faults, faults


def labels_of_the_overlay_popover_fit(gui: Gui) -> Steps:
    """The popover of overlays."""
    _prepare(gui)
    gui.viewport.spaces.active.overlay.show_overlays = True
    _bodies()
    region = gui.region
    yield from gui.move((region.x + 0.5 * region.width, region.y + 0.9 * region.height))
    bpy.ops.wm.call_panel(name="OMI_PT_overlay", keep_open=True)
    yield from gui.wait(3)
    found = yield from _cut(gui, "overlay", region)
    assert not found, found


def labels_of_the_preferences_fit(gui: Gui) -> Steps:
    """The extension's preferences, in a narrow area."""
    _prepare(gui)
    bpy.ops.screen.area_split(direction="VERTICAL", factor=0.5)
    yield from gui.wait()
    area = gui.viewport
    area.type = "PREFERENCES"
    yield from gui.wait()
    bpy.context.preferences.active_section = "ADDONS"
    bpy.context.window_manager.addon_search = "Physics Joints"
    bpy.ops.preferences.addon_expand(module=addon("preferences").__package__)
    yield from gui.wait(3)
    region = gui.region_of(area, "WINDOW")
    found = yield from _cut(gui, "preferences", region)
    # Above ours, Blender shortens the path of the add-on.
    assert not [at for at in found if at[1] < 0.75 * region.height], found


def _prepare(gui: Gui) -> None:
    """Take interface scale 1, a plain viewport, and panels that are all open."""
    preferences = bpy.context.preferences
    preferences.view.ui_scale /= preferences.system.ui_scale
    gui.viewport.spaces.active.overlay.show_overlays = False
    addon("panels.places").section.__kwdefaults__["is_closed"] = False
    panels = [
        cls
        for module in addon("panels").MODULES
        for cls in addon("classes").classes_of(module)
        if issubclass(cls, bpy.types.Panel) and "DEFAULT_CLOSED" in getattr(cls, "bl_options", ())
    ]
    for cls in panels:
        bpy.utils.unregister_class(cls)
        cls.bl_options = cls.bl_options - {"DEFAULT_CLOSED"}
        bpy.utils.register_class(cls)


def _faults(gui: Gui, name: str) -> Any:
    """Return where labels of the Properties editor's tab and of the sidebar are cut."""
    yield from gui.wait(2)
    regions = gui.region_of(gui.area("PROPERTIES"), "WINDOW"), gui.region_of(gui.viewport, "UI")
    found = yield from _cut(gui, name, *regions)
    return [(name, *at) for at in found]


def _cut(gui: Gui, name: str, *regions: bpy.types.Region) -> Any:
    """Return where labels end in dots."""
    assert abs(bpy.context.preferences.system.ui_scale - 1.0) < 0.01
    picture = yield from gui.picture(name)
    found = []
    for region in regions:
        columns = slice(region.x, region.x + region.width)
        # The lowest line may be scrolled half out of sight.
        shown = picture[region.y + LINE : region.y + region.height, columns]
        # At its edge are the feet of letters that it cuts.
        found += [at for at in _ellipses(shown) if at[1] >= EDGE]
    return found


def _ellipses(picture: Picture) -> list[tuple[int, int]]:
    """Return where in a picture are three dots of text in a row, and nothing above and below."""
    bright = picture.astype(int).mean(axis=-1)
    dots = set(_dots(bright > BRIGHT))
    found = []
    for x, y in sorted(dots):
        for step in NEXT_DOT:
            row = [(x + step * number, y) for number in range(-1, 4)]
            is_row = [_is_near(at, dots) for at in row] == [False, True, True, True, False]
            if is_row and _is_alone(bright, x, y, 2 * step + 2):
                found.append((x, y))
                break
    return found


def _is_alone(bright: Any, x: int, y: int, width: int) -> bool:
    """Return whether there is nothing above and below dots, unlike in icons and grips."""
    around = bright[y + 3 : y + 9, x : x + width], bright[max(y - 4, 0) : y, x : x + width]
    return all((each < BRIGHT).all() for each in around)


def _is_near(at: tuple[int, int], dots: set[tuple[int, int]]) -> bool:
    return any((at[0] + dx, at[1]) in dots for dx in (-1, 0, 1))


def _dots(text: Any) -> Iterator[tuple[int, int]]:
    """Yield the lower left corners of patches of text that are as small as a dot."""
    left = set(map(tuple, np.argwhere(text).tolist()))
    while left:
        patch, edge = set(), [left.pop()]
        while edge:
            y, x = edge.pop()
            patch.add((y, x))
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            edge += near
        rows, columns = zip(*patch, strict=True)
        if max(max(rows) - min(rows), max(columns) - min(columns)) < WIDEST_DOT:
            yield min(columns), min(rows)


def _bodies() -> None:
    for name, x in (("Wall", -1.5), ("Door", 1.5)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    bpy.data.objects["Wall"].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects["Wall"]


def _set(settings: Any, kind: str, **values: Any) -> None:
    """Set values of the active limit or drive."""
    items = getattr(settings, f"{kind}s")
    item = items[min(getattr(settings, f"active_{kind}"), len(items) - 1)]
    for name, value in values.items():
        setattr(item, name, value)


_X, _XYZ, _NONE = (True, False, False), (True, True, True), (False, False, False)
_ALL = {"use_position_target": True, "use_velocity_target": True, "use_max_force": True}
_VARIANTS: list[tuple[str, Any]] = [
    ("spring", lambda joint: None),
    ("soft", lambda joint: _set(joint, "limit", use_stiffness=True, linear_axes=_X)),
    (
        "soft-angle",
        lambda joint: _set(joint, "limit", linear_axes=_NONE, angular_axes=_XYZ),
    ),
    ("mixed", lambda joint: _set(joint, "limit", linear_axes=_XYZ)),
    ("drive", lambda joint: _set(joint, "drive", type="LINEAR", **_ALL)),
    ("drive-angle", lambda joint: _set(joint, "drive", type="ANGULAR")),
    ("drive-acceleration", lambda joint: _set(joint, "drive", mode="ACCELERATION")),
    ("drive-other", lambda joint: _set(joint, "drive", type="OTHER", mode="OTHER")),
]
"""Changes of a joint, one after the other."""


def _shape(kind: str) -> Any:
    def change(body: Any) -> None:
        body.collider.source, body.collider.shape.type = "CUSTOM", kind
        body.trigger.enabled, body.trigger.shape.type = True, kind

    return change


def _inertia(body: Any) -> None:
    body.motion_type, body.inertia_diagonal = "DYNAMIC", (1.0, 1.0, 1.0)
    body.articulation = True


def _surface(body: Any) -> None:
    body.collider.material.use_material = True
    for each in (body.collider.collision_filter, body.trigger.collision_filter):
        each.use_filter, each.mode = True, "ONLY"


_BODIES: list[tuple[str, Any]] = [
    ("plain", lambda body: None),
    ("box", _shape("BOX")),
    ("capsule", _shape("CAPSULE")),
    ("hull", _shape("CONVEX")),
    ("inertia", _inertia),
    ("surface", _surface),
]
"""Changes of a body, one after the other."""

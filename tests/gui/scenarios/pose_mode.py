"""A ragdoll tuned in Pose Mode by hand: its joint's handles and its shape's are dragged there."""

from typing import Any

import bpy
from harness import FRONT, Gui, Steps, addon
from joint_scenes import is_near
from mathutils import Vector

BONES = {
    "upper": (None, (0.0, 0.0, 2.0), (0.0, 0.0, 1.0)),
    "lower": ("upper", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
}


def _rig() -> Any:
    """Return an arm of two bones with a ragdoll, in Pose Mode, its lower bone active."""
    rig = bpy.data.objects.new("Arm", bpy.data.armatures.new("Arm"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (parent, head, tail) in BONES.items():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    for bone in rig.pose.bones:
        addon("properties.bones").BodyBone(rig, bone.name).select_set(select=bone.name == "lower")
    rig.data.bones.active = rig.data.bones["lower"]
    return rig


def _waving() -> None:
    """Make the same arm with a narrow hinge, and an action that turns its lower bone further."""
    rig = _rig()
    hinge = addon("core.meaning.presets").hinge(axis=2, min_angle=-0.3, max_angle=0.5)
    _joint().omi_joint.settings_from_core(hinge)
    bone = rig.pose.bones["lower"]
    bone.rotation_mode = "XYZ"
    rig.animation_data_create().action = bpy.data.actions.new("Wave")
    for frame, angle in ((1, 0.0), (11, 1.5), (21, -0.9)):
        bone.rotation_euler = (angle, 0.0, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)


def _joint() -> Any:
    """Return the joint that moves the lower bone."""
    return next(each for each in bpy.context.scene.objects if each.parent_bone == "lower")


def a_limit_of_the_active_bone_is_dragged(gui: Gui) -> Steps:
    rig, places = _rig(), addon("overlay.handle_places")
    hinge = addon("core.meaning.presets").hinge(axis=0, min_angle=-0.3, max_angle=1.1)
    _joint().omi_joint.settings_from_core(hinge)
    gui.look((0.0, 0.0, 1.0), rotation=(0.9, 0.0, 0.9), distance=4.0)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    yield from gui.wait(4)
    shown = places.shown_handles(bpy.context, _joint().omi_joint)
    handle = next(each for each in shown if each.field == "max")
    ends = [gui.to_window(places.handle_place(bpy.context, handle, v)) for v in (1.1, 0.5)]
    yield from gui.drag(*ends)
    yield from gui.wait(2)
    yield from gui.picture("limit")
    found = _joint().omi_joint.limits[handle.index].max
    assert is_near(found, 0.5, 0.03), found
    assert (bpy.context.mode, rig.data.bones.active.name) == ("POSE", "lower")
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(2)
    found = _joint().omi_joint.limits[handle.index].max
    assert is_near(found, 1.1, 0.01), f"undo leaves {found}"


def the_range_of_the_rig_s_actions_is_a_ghost_while_a_limit_is_dragged(gui: Gui) -> Steps:
    """It comes with the mouse button and goes with it; the pose and the action stay."""
    _waving()
    places = addon("overlay.handle_places")
    gui.look((0.0, 0.0, 1.0), rotation=(0.9, 0.0, 0.9), distance=4.0)
    gui.remember()
    yield from gui.wait(4)
    before = yield from gui.picture("before")
    shown = places.shown_handles(bpy.context, _joint().omi_joint)
    handle = next(each for each in shown if each.field == "max")
    start = gui.to_window(places.handle_place(bpy.context, handle, 0.5))
    yield from gui.approach(start)
    yield from gui.press()
    yield from gui.pull((start[0] + 8.0, start[1] + 8.0))
    ghost = addon("overlay.ghost").GHOST
    yield from gui.until(lambda: bool(ghost.limits))
    assert any(is_near(each.max - each.min, 2.4, 0.02) for each in ghost.limits), ghost.limits
    during = yield from gui.picture("ghost")
    yield from gui.release()
    yield from gui.until(lambda: not ghost.limits)
    yield from gui.key("Z", ctrl=True)
    yield from gui.move((20.0, 20.0))
    yield from gui.wait(6)
    after = yield from gui.picture("after")
    views = [gui.view_of(each).astype(int) for each in (before, during, after)]
    more, left = (int((abs(each - views[0]).max(axis=2) > 12).sum()) for each in views[1:])
    assert more > 400, f"the ghost has {more} pixels"
    assert left < more / 3, f"{left} pixels of {more} are left"
    rig = bpy.data.objects["Arm"]
    assert (rig.animation_data.action.name, bpy.context.scene.frame_current) == ("Wave", 1)
    assert is_near(rig.pose.bones["lower"].rotation_euler.x, 0.0, 1e-6)


def shapes_of_bones_and_objects_are_dragged(gui: Gui) -> Steps:
    """The end of a bone's capsule, and the face of an object's box; the other side stays."""
    rig = _rig()
    bone = addon("properties.bones").BodyBone(rig, "lower")
    gui.look((1.5, 0.0, 1.0), rotation=FRONT, distance=7.0)
    before, _ = _ends(bone, "height")
    yield from _drag(gui, bone, "height", 0.2)
    yield from gui.picture("capsule")
    after, _ = _ends(bone, "height")
    assert (after[0] - before[0] - Vector((0.0, 0.0, -0.2))).length < 0.02, after
    assert (after[1] - before[1]).length < 2e-3, "the other end moved"
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(3.0, 0.0, 1.0))
    bpy.ops.omi.body_add(shape="BOX")
    box, shape = bpy.context.object, bpy.context.object.omi_body.collider.shape
    gui.remember()
    yield from _drag(gui, box, "size", 0.3)
    yield from gui.picture("box")
    assert is_near(shape.size[0], 1.3, 0.02), tuple(shape.size)
    assert is_near(shape.offset[0], 0.15, 0.01), tuple(shape.offset)
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(2)
    size = bpy.context.object.omi_body.collider.shape.size
    assert is_near(size[0], 1.0, 1e-5), f"undo leaves {tuple(size)}"


def _ends(node: Any, name: str) -> tuple[list[Vector], list[Vector]]:
    """Return where the handles of a size are in the world [m], and which way they go."""
    fit = addon("properties.body_reading").read_body(node).values.collider.fit
    module = addon("core.shapes.handles")
    found = [module.line(fit, h) for h in module.shape_handles(fit.shape) if h.name == name]
    world = node.matrix_world
    places = [world @ Vector(place.tolist()) for place, _ in found]
    return places, [world.to_3x3() @ Vector(way.tolist()) for _, way in found]


def _drag(gui: Gui, node: Any, name: str, way: float) -> Steps:
    """Drag the first handle of a size outward."""
    yield from gui.wait(4)
    places, ways = _ends(node, name)
    yield from gui.drag(gui.to_window(places[0]), gui.to_window(places[0] + way * ways[0]))
    yield from gui.wait(2)

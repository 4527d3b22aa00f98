"""Fields stay where they are when something is wrong with their joint."""

import bpy
from harness import Gui, Point, Steps, addon
from joint_scenes import HINGE, activate, add_joint
from mathutils import Matrix

SIZE = "1000x1000"
MOST = 3
"""Pixels by which a place that is looked for in rows may differ."""


def a_key_and_a_warning_move_no_field(gui: Gui) -> Steps:
    joint = add_joint(*HINGE)
    activate(joint)
    yield from gui.wait()
    yield from gui.show_properties("PHYSICS")
    editor = gui.region_of(gui.area("PROPERTIES"), "WINDOW")
    wanted = (("enable_collision",), ("min_angle",), ("max_angle",))
    joint.omi_joint.active_limit = len(joint.omi_joint.limits) - 1
    yield from gui.wait(4)
    before = yield from _places(gui, editor, *wanted)
    path = f"omi_joint.limits[{joint.omi_joint.active_limit}].max_angle"
    joint.keyframe_insert(path, frame=1)
    joint.omi_joint.connected_object.matrix_basis = Matrix.Translation((0.4, 0.0, 0.0))
    yield from gui.until(lambda: addon("scene.work").WORK.is_done)
    gui.area("PROPERTIES").tag_redraw()
    yield from gui.wait(20)
    yield from gui.picture("keyed-and-torn")
    assert addon("scene.findings").joint_findings(joint, bpy.context.scene), "nothing is wrong"
    after = yield from _places(gui, editor, *wanted)
    assert _moved(before, after) <= MOST, (before, after)


def _places(gui: Gui, region: bpy.types.Region, *wanted: tuple[str, ...]) -> Steps:
    places: list[Point] = []
    for texts in wanted:
        places.append((yield from gui.find(region, *texts)))
    return places


def _moved(before: list[Point], after: list[Point]) -> float:
    return max(abs(one[1] - two[1]) for one, two in zip(before, after, strict=True))

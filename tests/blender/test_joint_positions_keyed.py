"""Positions of joints as properties: set, keyed and driven, they move bodies. By arithmetic."""

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

import omi_joints
from omi_joints_addon.preview.driven import Positions
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.properties.pose import pose_of
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.scenes import select
from tests.blender.test_preview import world
from tests.blender.test_preview_pose import add_four_bars
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("no_preview_left")
KEYS = {1: {"turn": 0.1, "lift": 0.4}, 11: {"turn": 0.9, "lift": -0.3}}


def update() -> None:
    """Have Blender evaluate what was set, and bodies that follow it."""
    for _ in range(2):
        bpy.context.view_layer.update()


def axis_of(joint: Any) -> tuple[str, int]:
    """Return the property and the index of a joint's one axis."""
    begin(PosePreview(bpy.context, joint))
    (row,) = pose_of(bpy.context).positions
    stop()
    return ("along" if row.value < 3 else "about"), row.value % 3


def place(name: str, position: float, *, frame: int | None = None) -> None:
    joint = bpy.data.objects[name]
    path, index = axis_of(joint)
    getattr(joint.omi_position, path)[index] = position
    if frame is not None:
        joint.omi_position.keyframe_insert(path, index=index, frame=frame)


def there(source: str, positions: dict[str, float], body: str = "hand") -> Any:
    posed = omi_joints.read(source).posed(positions)
    return posed.matrices[posed.body(body).node]


@pytest.fixture
def arm(repository: Path) -> str:
    path = str(repository / "omi_joints_addon" / "examples" / "arm.urdf")
    assert bpy.ops.omi.scene_import(filepath=path) == {"FINISHED"}
    return path


@pytest.fixture
def keyed(arm: str) -> str:
    for frame, positions in KEYS.items():
        for name, position in positions.items():
            place(name, position, frame=frame)
    for joint in KEYS[1]:
        for layer in bpy.data.objects[joint].animation_data.action.layers:
            for curve in layer.strips[0].channelbags[0].fcurves:
                for point in curve.keyframe_points:
                    point.interpolation = "LINEAR"
    return arm


def between(frame: float) -> dict[str, float]:
    part = (frame - 1) / 10.0
    return {name: one + part * (KEYS[11][name] - one) for name, one in KEYS[1].items()}


def test_a_position_that_is_set_moves_the_bodies(arm: str) -> None:
    place("turn", 0.7)
    place("lift", 0.4)
    update()
    assert world(bpy.data.objects["hand"]) == pytest.approx(
        there(arm, {"turn": 0.7, "lift": 0.4}), abs=1e-5
    )
    # A body that is moved by hand afterwards stays there.
    hand = bpy.data.objects["hand"]
    hand.location.x += 0.31
    moved = hand.location.copy()
    update()
    assert hand.location == moved


def test_keyed_positions_move_bodies_in_every_frame_however_one_gets_there(keyed: str) -> None:
    scene, hand = bpy.context.scene, bpy.data.objects["hand"]
    for frame in (1, 4, 11, 7, 2, 7):
        scene.frame_set(frame)
        assert np.array(hand.matrix_world) == pytest.approx(
            there(keyed, between(frame)), abs=2e-5
        ), frame


def test_what_is_drawn_over_the_view_goes_along(keyed: str) -> None:
    """Joints and shapes are drawn where the live view has them, which is not settled between."""
    scene = bpy.context.scene
    scene.frame_set(1)
    WATCH.settled(scene)
    for frame in (4, 9):
        scene.frame_set(frame)
        live = live_scene(scene)
        for name in ("hand", "nod"):
            obj = bpy.data.objects[name]
            shown = live.nodes.matrices[live.nodes.numbers[obj.session_uid]]
            assert shown == pytest.approx(np.array(obj.matrix_world), abs=1e-6), (frame, name)


def test_they_follow_a_robot_that_is_moved_and_a_saved_file_goes_on(
    keyed: str, tmp_path: Path
) -> None:
    scene = bpy.context.scene
    scene.frame_set(5)
    root = next(
        obj for obj in bpy.data.objects["hand"].users_scene[0].objects if obj.name == "base"
    )
    top = root
    while top.parent is not None:
        top = top.parent
    top.location += Vector((0.4, -0.2, 0.13))
    top.rotation_euler.z += 0.6
    update()
    base = np.array(bpy.data.objects["base"].matrix_world)
    rest = there(keyed, {}, "base")
    for frame in (5, 9):
        scene.frame_set(frame)
        expected = base @ np.linalg.inv(rest) @ there(keyed, between(frame))
        found = np.array(bpy.data.objects["hand"].matrix_world)
        assert found == pytest.approx(expected, abs=2e-5)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "robot.blend"))
    bpy.context.scene.frame_set(3)
    expected = base @ np.linalg.inv(rest) @ there(keyed, between(3))
    assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(expected, abs=2e-5)


def test_a_driver_moves_bodies(arm: str) -> None:
    control = bpy.data.objects.new("Control", None)
    bpy.context.scene.collection.objects.link(control)
    joint = bpy.data.objects["lift"]
    path, index = axis_of(joint)
    driver = joint.driver_add(f"omi_position.{path}", index).driver
    driver.type, variable = "SCRIPTED", driver.variables.new()
    variable.type, driver.expression = "TRANSFORMS", "var / 2"
    variable.targets[0].id, variable.targets[0].transform_type = control, "LOC_X"
    for x in (0.62, -0.4):
        control.location.x = x
        update()
        assert world(bpy.data.objects["hand"]) == pytest.approx(
            there(arm, {"lift": x / 2.0}), abs=1e-5
        )


def test_i_keys_all_that_is_posed_and_undo_takes_the_keys_back(arm: str) -> None:
    bpy.ops.ed.undo_push(message="arm")
    select(bpy.data.objects["lift"])
    scene = bpy.context.scene
    for frame, positions in KEYS.items():
        scene.frame_set(frame)
        begin(preview := PosePreview(bpy.context))
        for row in pose_of(bpy.context).positions:
            if row.name in positions:
                row.angle = positions[row.name]
        preview.tick(bpy.context)
        assert bpy.ops.omi.preview_positions_key() == {"FINISHED"}
        stop()
    for frame in (11, 1):
        scene.frame_set(frame)
        assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(
            there(arm, KEYS[frame]), abs=2e-5
        )
    bpy.ops.ed.undo_push(message="keys")
    bpy.ops.ed.undo()
    assert bpy.data.objects["lift"].animation_data is None
    before = np.array(bpy.data.objects["hand"].matrix_world)
    bpy.context.scene.frame_set(9)
    assert np.array(bpy.data.objects["hand"].matrix_world) == pytest.approx(before, abs=1e-6)


def test_a_loop_stays_closed_in_every_frame() -> None:
    add_four_bars()
    joint = bpy.data.objects["a"]
    for frame, angle in ((1, 0.0), (11, 0.5)):
        joint.omi_position.about[2] = angle
        joint.omi_position.keyframe_insert("about", index=2, frame=frame)
    for frame in (6, 11):
        bpy.context.scene.frame_set(frame)
        coupler = np.array(bpy.data.objects["Coupler"].matrix_world)
        assert coupler[:3, :3] == pytest.approx(np.eye(3), abs=1e-3)
        assert math.hypot(coupler[0, 3], coupler[2, 3]) == pytest.approx(3.0, abs=2e-3)
    assert abs(coupler[0, 3]) == pytest.approx(3.0 * math.sin(0.5), abs=3e-3)


def test_bones_follow_and_other_objects_are_not_looked_at() -> None:
    rig = add_rig("Arm", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    joint = next(obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled)
    bone = rig.pose.bones[joint.parent_bone]
    before = np.array(bone.matrix)
    for frame, angle in ((1, 0.0), (11, 0.4)):
        joint.omi_position.about[2] = angle
        joint.omi_position.keyframe_insert("about", index=2, frame=frame)
    bpy.context.scene.frame_set(11)
    turn = np.linalg.inv(before[:3, :3]) @ np.array(bone.matrix)[:3, :3]
    assert math.acos((np.trace(turn) - 1.0) / 2.0) == pytest.approx(0.4, abs=1e-4)
    bpy.context.scene.frame_set(1)
    assert np.array(bone.matrix) == pytest.approx(before, abs=1e-5)


def test_where_nothing_is_keyed_a_frame_looks_at_no_object(
    arm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand bodies that are animated otherwise took 16 ms a frame."""
    scene, hand = bpy.context.scene, bpy.data.objects["hand"]
    scene.frame_set(2)
    with monkeypatch.context() as patch:
        looks: list[Any] = []
        patch.setattr(Positions, "_look", lambda *_arguments: looks)
        patch.setattr(Positions, "_wanted", lambda *arguments: looks.append(arguments))
        scene.frame_set(3)
        assert looks == []
    # Scripts need no update before the next frame.
    for name, position in KEYS[11].items():
        place(name, position, frame=4)
    scene.frame_set(4)
    assert np.array(hand.matrix_world) == pytest.approx(there(arm, KEYS[11]), abs=2e-5)


def test_a_render_in_the_background_shows_each_frame(keyed: str, tmp_path: Path) -> None:
    """The pixels of a cube in the hand are those of the same scene that stands there."""
    scene = bpy.context.scene
    for obj in scene.objects:
        obj.hide_render = obj.type == "MESH"
    bpy.ops.mesh.primitive_cube_add(size=0.2)
    bpy.context.object.parent = bpy.data.objects["hand"]
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera, camera.location, camera.rotation_euler.x = camera, (0.3, -5.0, 0.5), math.pi / 2
    camera.data.type, camera.data.ortho_scale = "ORTHO", 2.5
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 48
    scene.render.film_transparent = True
    scene.frame_start, scene.frame_end, scene.frame_step = 1, 11, 5

    def rendered(name: str, *, animation: bool) -> list[Any]:
        scene.render.filepath = str(tmp_path / f"{name}_")
        bpy.ops.render.render(animation=animation, write_still=not animation)
        files = sorted(tmp_path.glob(f"{name}_*.png"))
        return [np.array(bpy.data.images.load(str(file)).pixels[:])[3::4] for file in files]

    shown = rendered("film", animation=True)
    assert [image.sum() > 5.0 for image in shown] == [True] * 3
    for joint in KEYS[1]:
        bpy.data.objects[joint].animation_data_clear()
    for frame, image in zip((1, 6, 11), shown, strict=True):
        for name, position in between(frame).items():
            place(name, position)
            update()
        (still,) = rendered(f"still{frame:02d}", animation=False)
        np.testing.assert_array_equal(image, still)
    assert np.abs(shown[0] - shown[2]).sum() > 5.0


def linked(folder: Path) -> Any:
    """Save the scene, and return its robot's collection linked into a new one."""
    path = str(folder / "library.blend")
    collection = bpy.data.collections.new("Robot")
    for obj in list(bpy.context.scene.objects):
        collection.objects.link(obj)
    bpy.context.scene.collection.children.link(collection)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.collections = ["Robot"]
    bpy.context.scene.collection.children.link(into.collections[0])
    update()
    return into.collections[0]


def test_a_linked_robot_plays_its_keys_and_is_posed_but_not_kept(
    keyed: str, tmp_path: Path
) -> None:
    robot = linked(tmp_path)
    hand = robot.objects["hand"]
    for frame in (4, 9):
        bpy.context.scene.frame_set(frame)
        assert np.array(hand.matrix_world) == pytest.approx(there(keyed, between(frame)), abs=2e-5)
    bpy.context.view_layer.objects.active = robot.objects["lift"]
    begin(preview := PosePreview(bpy.context))
    row = next(row for row in pose_of(bpy.context).positions if row.name == "lift")
    row.angle = 0.1
    preview.tick(bpy.context)
    assert np.abs(world(hand) - there(keyed, between(9))).max() > 0.05
    assert bpy.ops.omi.preview_positions_key() == {"CANCELLED"}
    assert bpy.ops.omi.preview_pose_store(name="ready") == {"FINISHED"}
    (pose,) = bpy.context.scene.omi_poses.poses
    assert dict(pose.found())[robot.objects["lift"]] == pytest.approx(0.1, abs=1e-6)
    # What is linked stays where its library has it.
    assert bpy.ops.omi.preview_keep() == {"FINISHED"}
    assert np.array(hand.matrix_world) == pytest.approx(there(keyed, between(9)), abs=2e-5)


def test_an_override_is_keyed_and_keeps_its_keys(arm: str, tmp_path: Path) -> None:
    robot = linked(tmp_path)
    robot.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    update()
    hand = next(each for each in bpy.data.objects if each.name == "hand" and each.library is None)
    joint = next(each for each in bpy.data.objects if each.name == "lift" and each.library is None)
    bpy.context.view_layer.objects.active = joint
    for frame, angle in ((1, 0.2), (11, 0.6)):
        bpy.context.scene.frame_set(frame)
        begin(preview := PosePreview(bpy.context))
        row = next(row for row in pose_of(bpy.context).positions if row.name == "lift")
        row.angle = angle
        preview.tick(bpy.context)
        assert bpy.ops.omi.preview_positions_key() == {"FINISHED"}
        stop()
    path = str(tmp_path / "shot.blend")
    for is_again in (False, True):
        for frame, angle in ((1, 0.2), (11, 0.6)):
            bpy.context.scene.frame_set(frame)
            found = np.array(hand.matrix_world)
            assert found == pytest.approx(there(arm, {"lift": angle}), abs=5e-5), is_again
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        hand = next(each for each in bpy.data.objects if each.name == "hand" and not each.library)


def test_a_duplicate_goes_on_by_itself(keyed: str) -> None:
    bpy.context.scene.frame_set(1)
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.duplicate(linked=False)
    copies = bpy.context.selected_objects
    copy = next(each for each in copies if each.name.startswith("hand"))
    lift = next(each for each in copies if each.name.startswith("lift"))
    place(lift.name, 0.25, frame=11)
    lift.omi_position.keyframe_insert("about", index=axis_of(lift)[1], frame=1)
    bpy.context.scene.frame_set(11)
    hand = bpy.data.objects["hand"]
    assert np.array(hand.matrix_world) == pytest.approx(there(keyed, KEYS[11]), abs=2e-5)
    expected = there(keyed, {**KEYS[11], "lift": 0.25})
    assert np.array(copy.matrix_world) == pytest.approx(expected, abs=2e-5)

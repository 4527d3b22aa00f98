"""What the overlay knows of a scene, and how it notices changes; windows are tested elsewhere."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.meaning.sides import End
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.outline.joint import Part
from omi_joints_addon.core.outline.pieces import State
from omi_joints_addon.gizmos.drawing import draw_guarded
from omi_joints_addon.overlay import labels
from omi_joints_addon.overlay.colors import Emphasis, color_table, theme_colors
from omi_joints_addon.overlay.geometry import Style, build
from omi_joints_addon.overlay.joint_overlay import OVERLAY
from omi_joints_addon.overlay.scene_joints import SceneJoints
from omi_joints_addon.overlay.texts import draw_texts
from omi_joints_addon.overlay.tints import NO_TINTS, tints_of
from omi_joints_addon.overlay.view import ViewGeometry, in_scope
from omi_joints_addon.overlay.window import Window
from omi_joints_addon.properties.overlay import overlay_data, overlay_options
from omi_joints_addon.scene.partial import live_to_core
from omi_joints_addon.scene.watch import live_scene
from tests.blender.scenes import select

ROUNDING = 0.51 / 255.0
"""Largest error of a color with one byte a channel."""

LOOK = np.array(((0.4, 0.0, 0.0, 0.0), (0.0, 0.6, 0.0, 0.0), (0.0, 0.0, 0.1, 0.0), (0, 0, 0, 1.0)))


def add_empty(name: str) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def add_hinge(name: str = "Joint") -> bpy.types.Object:
    joint, connected = add_empty(name), add_empty(f"{name} End")
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = connected
    limit = JointLimit(angular_axes=(2,), min=-1.0, max=1.0)
    joint.omi_joint.settings_from_core(JointSettings(limits=(limit,)))
    return joint


@pytest.fixture
def watched() -> SceneJoints:
    """Return the joints of the scene as the overlay knows them."""
    return SceneJoints(live_scene(bpy.context.scene))


def refresh(joints: SceneJoints, moving: End | None = End.CONNECTED) -> int:
    """Bring joints up to date, drawn at the joint's frame; return how many of them changed."""
    bpy.context.view_layer.update()
    before = joints.versions.copy()
    assert live_scene(bpy.context.scene) is joints.live
    joints.refresh(bpy.context.view_layer, moving)
    if len(before) != len(joints.versions):
        return len(joints.versions)
    return int((before != joints.versions).sum())


def test_only_the_joint_that_moved_is_read_again(watched: SceneJoints) -> None:
    first, _second = add_hinge("First"), add_hinge("Second")
    assert refresh(watched) == 2
    assert refresh(watched) == 0
    first.location.x = 1.0
    assert refresh(watched) == 1
    assert watched.arrays.frames[0, 0, 0, 3] == 1.0


def test_moving_a_parent_or_the_connected_object_counts(watched: SceneJoints) -> None:
    joint = add_hinge()
    body = add_empty("Body")
    joint.parent = body
    refresh(watched)
    body.location.z = 2.0
    assert refresh(watched) == 1
    joint.omi_joint.connected_object.location.z = 1.0
    assert refresh(watched) == 1


def test_settings_that_a_script_changes_are_noticed(watched: SceneJoints) -> None:
    joint = add_hinge()
    sharing = add_hinge("Sharing")
    sharing.omi_joint.settings_source = joint
    refresh(watched)
    joint.omi_joint.limits[0].max = 0.5
    bpy.context.view_layer.objects.active = joint
    refresh(watched)
    refresh(watched)
    assert [settings.limits[0].max for settings in watched.arrays.settings] == [0.5, 0.5]


def test_deleted_joint_is_gone_and_missing_end_is_an_error(watched: SceneJoints) -> None:
    first, second = add_hinge("First"), add_hinge("Second")
    refresh(watched)
    bpy.data.objects.remove(first.omi_joint.connected_object)
    refresh(watched)
    assert watched.states.tolist() == [State.NORMAL, State.ERROR] or watched.states.tolist() == [
        State.ERROR,
        State.NORMAL,
    ]
    bpy.data.objects.remove(second)
    refresh(watched)
    assert [watched.name_of(number) for number in range(len(watched))] == ["First"]


def test_settings_in_a_circle_are_an_error(watched: SceneJoints) -> None:
    first, second = add_hinge("First"), add_hinge("Second")
    first.omi_joint.settings_source = second
    second.omi_joint.settings_source = first
    refresh(watched)
    assert watched.states.tolist() == [State.ERROR, State.ERROR]


def test_violation_shows_in_any_scope(watched: SceneJoints) -> None:
    joint = add_hinge()
    joint.omi_joint.connected_object.rotation_euler.z = 2.0
    refresh(watched)
    assert in_scope(watched, "SELECTED", show_problems=True).tolist() == [True]
    assert in_scope(watched, "SELECTED", show_problems=False).tolist() == [False]


def test_only_the_chains_of_the_selection_are_shown(watched: SceneJoints) -> None:
    """Two arms of two joints on a trunk, whose joints meet at a static post."""
    bodies = {name: add_empty(name) for name in ("Post", "Trunk", "L1", "L2", "R1", "R2", "Box")}
    for name, body in bodies.items():
        body.omi_body.motion_type = "STATIC" if name == "Post" else "DYNAMIC"
    pairs = [("Post", "Trunk"), ("Trunk", "L1"), ("L1", "L2"), ("Trunk", "R1"), ("R1", "R2")]
    for one, other in [*pairs, ("Post", "Box")]:
        joint = add_hinge(f"{one} {other}")
        joint.parent, joint.omi_joint.connected_object.parent = bodies[one], bodies[other]

    refresh(watched)

    def shown(*chosen: str, scope: str = "ALL") -> set[str]:
        for obj in bpy.context.view_layer.objects:
            obj.select_set(obj.name in chosen)
        refresh(watched)
        found = in_scope(watched, scope, show_problems=False, only_chain=True)
        return {watched.name_of(number) for number in np.flatnonzero(found).tolist()}

    assert shown("L2") == {"Trunk L1", "L1 L2"}
    assert shown("Trunk R1") == {"Trunk R1", "R1 R2"}
    assert shown("L2", "R2") == {"Trunk L1", "L1 L2", "Trunk R1", "R1 R2"}
    assert shown("Box") == {"Post Box"}
    assert shown("Trunk") == {"Post Trunk", "Trunk L1", "L1 L2", "Trunk R1", "R1 R2"}
    assert shown("L2", scope="SELECTED") == {"L1 L2"}
    assert len(shown()) == 6, "all while nothing is selected"
    bpy.data.objects.remove(bodies["R1"])
    assert shown("L2") == {"Trunk L1", "L1 L2"}


def test_one_key_shows_only_the_selected_chain_and_all_again(empty_scene: None) -> None:
    add_hinge()
    options = overlay_options(bpy.context)
    options.scope, options.show = "SELECTED", False
    assert bpy.ops.omi.joint_chain_show() == {"FINISHED"}
    assert (options.only_chain, options.show, options.scope) == (True, True, "SELECTED")
    assert bpy.ops.omi.joint_chain_show() == {"FINISHED"}
    assert not options.only_chain
    options.scope = "ALL"
    scene = bpy.context.scene
    scene.omi_overlay.use_own = True
    assert bpy.ops.omi.joint_chain_show() == {"FINISHED"}
    assert scene.omi_overlay.own.only_chain
    assert not options.only_chain, "the preferences stay"


def test_emphasis_follows_the_selection(watched: SceneJoints) -> None:
    joint = add_hinge()
    for obj, active, expected in (
        (None, None, Emphasis.NONE),
        (joint.omi_joint.connected_object, None, Emphasis.SELECTED),
        (joint, joint, Emphasis.ACTIVE),
    ):
        for other in bpy.context.view_layer.objects:
            other.select_set(other == obj)
        bpy.context.view_layer.objects.active = active
        refresh(watched)
        assert watched.arrays.emphasis.tolist() == [expected]


def test_collection_instance_shows_the_joint_where_it_is(watched: SceneJoints) -> None:
    joint = add_hinge()
    joint.location.x = 1.0
    collection = bpy.data.collections.new("Parts")
    for obj in (joint, joint.omi_joint.connected_object):
        collection.objects.link(obj)
    instance = add_empty("Instance")
    instance.location.z = 2.0
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    collection.instance_offset = (0.5, 0.0, 0.0)
    refresh(watched)
    places = watched.arrays.frames[:, 0, :3, 3]
    assert places[np.argsort(places[:, 2])].tolist() == [[1.0, 0.0, 0.0], [0.5, 0.0, 2.0]]


def test_a_preview_moves_and_colours_what_is_drawn(watched: SceneJoints) -> None:
    joint = add_hinge()
    refresh(watched)
    live, node = watched.live, int(watched.nodes[0])
    poses = live.nodes.matrices.copy()
    poses[node, 0, 3] = 5.0
    live.shown.show(bpy.context.evaluated_depsgraph_get(), poses, {node: State.AT_LIMIT})
    assert refresh(watched) == 1
    assert watched.arrays.frames[0, 0, 0, 3] == 5.0
    assert watched.states.tolist() == [State.AT_LIMIT]
    assert live_to_core(live).matrices[node, 0, 3] == 0.0
    live.hide()
    assert refresh(watched) == 1
    assert watched.arrays.frames[0, 0, 0, 3] == joint.matrix_world[0][3] == 0.0


def test_a_range_is_drawn_fixed_to_the_side_that_stays(watched: SceneJoints) -> None:
    """The door's frame is the joint's, the wall's the connected one; the door has opened."""
    joint = add_hinge()
    connected = joint.omi_joint.connected_object
    wall, door = add_empty("Wall"), add_empty("Door")
    wall.omi_body.motion_type, door.omi_body.motion_type = "STATIC", "DYNAMIC"
    joint.parent, connected.parent = door, wall
    wall.location.x = connected.location.y = 1.0
    door.location.x, joint.location.y = 1.0, 1.0
    door.rotation_euler.z = 0.5
    refresh(watched, None)
    wall_frame, door_frame = (np.array(end.matrix_world) for end in (connected, joint))
    np.testing.assert_array_equal(watched.arrays.frames[0], [wall_frame, door_frame])
    (limit,) = watched.arrays.settings[0].limits
    # The region at the wall is that of the door's frame: it may turn by 1 rad to both sides.
    assert (limit.min, limit.max) == (-1.0, 1.0)
    _, outlined = watched.arrays.outlined()
    assert outlined.pose.rotation[0, 2] == pytest.approx(np.sin(0.25))
    watched.refresh(bpy.context.view_layer, End.CONNECTED)
    np.testing.assert_array_equal(watched.arrays.frames[0], [door_frame, wall_frame])
    watched.refresh(bpy.context.view_layer)
    np.testing.assert_array_equal(watched.arrays.frames[0], [wall_frame, door_frame])


@pytest.mark.parametrize("moving", [None, End.JOINT, End.CONNECTED])
def test_an_instance_is_drawn_as_its_original_is(watched: SceneJoints, moving: End | None) -> None:
    """An open door with a range to one side, and an instance of it 4 m above."""
    joint = add_hinge()
    joint.omi_joint.limits[0].min = 0.0
    connected = joint.omi_joint.connected_object
    wall, door = add_empty("Wall"), add_empty("Door")
    wall.omi_body.motion_type, door.omi_body.motion_type = "STATIC", "DYNAMIC"
    joint.parent, connected.parent = door, wall
    door.rotation_euler.z = 0.5
    collection = bpy.data.collections.new("Parts")
    for obj in (joint, connected, wall, door):
        collection.objects.link(obj)
    instance = add_empty("Instance")
    instance.location.z = 4.0
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    refresh(watched, moving)
    original, copy = np.argsort(watched.arrays.frames[:, 0, 2, 3])
    arrays = watched.arrays
    assert arrays.settings[copy] == arrays.settings[original]
    assert arrays.is_mirrored[copy] == arrays.is_mirrored[original]
    up = np.zeros((4, 4))
    up[2, 3] = 4.0
    np.testing.assert_allclose(arrays.frames[copy], arrays.frames[original] + up, atol=1e-6)
    np.testing.assert_allclose(arrays.bodies[copy], arrays.bodies[original] + up[:3, 3], atol=1e-6)


def test_a_mirrored_instance_is_drawn_as_the_mirror_shows_it(watched: SceneJoints) -> None:
    """The sector of an open, leaning door is on the side of the door, as in the picture."""
    joint = add_hinge()
    joint.omi_joint.limits[0].min = -0.2
    connected = joint.omi_joint.connected_object
    wall, door = add_empty("Wall"), add_empty("Door")
    wall.omi_body.motion_type, door.omi_body.motion_type = "STATIC", "DYNAMIC"
    joint.parent, connected.parent = door, wall
    door.rotation_euler, wall.rotation_euler = (0.3, 0.1, 0.7), (0.3, 0.1, 0.2)
    collection = bpy.data.collections.new("Parts")
    for obj in (joint, connected, wall, door):
        collection.objects.link(obj)
    instance = add_empty("Instance")
    instance.scale.x = -1.0
    instance.instance_type, instance.instance_collection = "COLLECTION", collection
    refresh(watched)
    options = overlay_options(bpy.context)
    style = Style(options.parts(), color_table(theme_colors(bpy.context.preferences)))
    for stack in build(watched.arrays, np.arange(2), np.full(2, 0.4), style):
        own, mirrored = stack.of(0).position, stack.of(1).position
        assert len(own) > 3
        np.testing.assert_allclose(mirrored, own * (-1.0, 1.0, 1.0), atol=1e-5)


def test_renewed_vertices_equal_those_built_at_once(watched: SceneJoints) -> None:
    joints = [add_hinge(f"Joint {number}") for number in range(4)]
    refresh(watched)
    options = overlay_options(bpy.context)
    style = Style(options.parts(), color_table(theme_colors(bpy.context.preferences)))
    sizes, everyone = np.full(4, 0.5), np.arange(4)
    faces, lines = build(watched.arrays, everyone, sizes, style)
    joints[2].location.x = 1.0
    joints[2].omi_joint.limits[0].use_max = False
    joints[2].update_tag()
    refresh(watched)
    changed = np.array([2])
    new_faces, new_lines = build(watched.arrays, changed, sizes, style)
    renewed = faces.with_new(changed, new_faces), lines.with_new(changed, new_lines)
    for kept, new in zip(renewed, build(watched.arrays, everyone, sizes, style), strict=True):
        for number in everyone:
            one, two = kept.of(number), new.of(number)
            assert one.position.tolist() == two.position.tolist()
            assert one.color.tolist() == two.color.tolist()


def test_scene_starts_from_the_preferences_and_keeps_its_own(empty_scene: None) -> None:
    preferred = bpy.context.preferences.addons["omi_joints_addon"].preferences.overlay
    preferred.scope = "SELECTED"
    try:
        assert overlay_options(bpy.context).scope == "SELECTED"
        overlay_data(bpy.context.scene).use_own = True
        assert overlay_options(bpy.context).scope == "SELECTED"
        overlay_options(bpy.context).scope = "ACTIVE"
        assert preferred.scope == "SELECTED"
    finally:
        preferred.scope = "ALL"


def test_handlers_are_persistent_and_one_room_owns_them() -> None:
    handlers = bpy.app.handlers
    lists = [getattr(handlers, name) for name in dir(handlers)]
    ours = [
        function
        for each in lists
        if isinstance(each, list)
        for function in each
        if "omi_joints_addon" in function.__module__
    ]
    assert all(hasattr(function, "_bpy_persistent") for function in ours)
    rooms = {function.__module__ for function in handlers.depsgraph_update_post}
    assert [room for room in rooms if "omi_joints" in room] == ["omi_joints_addon.scene.watch"]
    assert not OVERLAY.failures


def drawn_colors(joints: SceneJoints) -> list[np.ndarray]:
    """Return the RGB in [0, 1] that the faces of each joint are drawn in."""
    options = overlay_options(bpy.context)
    style = Style(options.parts(), color_table(theme_colors(bpy.context.preferences)))
    numbers = np.arange(len(joints))
    faces, _lines = build(joints.arrays, numbers, np.ones(len(joints)), style)
    found = [np.unique(faces.of(number).color[:, :3], axis=0) for number in numbers]
    return [colors / 255.0 for colors in found]


def test_a_joint_has_the_color_that_it_was_given(watched: SceneJoints) -> None:
    first, second, half = add_hinge("First"), add_hinge("Second"), add_hinge("Third")
    refresh(watched)
    theme = drawn_colors(watched)[0]
    assert all((found == theme).all() for found in drawn_colors(watched))
    first.omi_joint.color = (0.0, 1.0, 0.5, 1.0)
    second.omi_joint.color = (0.0, 1.0, 0.5, 0.0)
    half.omi_joint.color = (0.0, 1.0, 0.5, 0.5)
    for obj in (first, second, half):
        obj.update_tag()
    assert refresh(watched) == 2
    found = drawn_colors(watched)
    np.testing.assert_allclose(found[0], [(0.0, 1.0, 0.5)], atol=ROUNDING)
    np.testing.assert_array_equal(found[1], theme)
    np.testing.assert_allclose(found[2], 0.5 * (theme + found[0]), atol=2.0 * ROUNDING)


def test_a_violated_joint_is_red_whatever_its_color(watched: SceneJoints) -> None:
    joint = add_hinge()
    joint.omi_joint.connected_object.rotation_euler.z = 2.0
    refresh(watched)
    red = drawn_colors(watched)[0]
    joint.omi_joint.color = (0.0, 1.0, 0.5, 1.0)
    joint.update_tag()
    assert refresh(watched) == 1
    np.testing.assert_array_equal(drawn_colors(watched)[0], red)


def test_joints_have_the_colors_of_their_collections(watched: SceneJoints) -> None:
    add_hinge("Plain")
    tagged, own = add_hinge("Tagged"), add_hinge("Own")
    collection = bpy.data.collections.new("Arm")
    collection.color_tag = "COLOR_03"
    bpy.context.scene.collection.children.link(collection)
    for obj in (tagged, own):
        collection.objects.link(obj)
    own.omi_joint.color = (0.0, 1.0, 0.5, 1.0)
    options, preferences = overlay_data(bpy.context.scene).own, bpy.context.preferences
    refresh(watched)
    theme = drawn_colors(watched)[0]
    options.color_by = "COLLECTION"
    tints = tints_of(options, bpy.context.scene, preferences)
    watched.refresh(bpy.context.view_layer, None, tints)
    by_name = dict(zip(map(watched.name_of, range(3)), drawn_colors(watched), strict=True))
    expected = preferences.themes[0].collection_color[2].color[:3]
    np.testing.assert_array_equal(by_name["Plain"], theme)
    np.testing.assert_allclose(by_name["Tagged"], [expected], atol=ROUNDING)
    np.testing.assert_allclose(by_name["Own"], [(0.0, 1.0, 0.5)], atol=ROUNDING)
    options.color_by = "AXIS"
    assert tints_of(options, bpy.context.scene, preferences) is NO_TINTS


def test_a_joint_is_linked_to_the_one_that_it_follows(watched: SceneJoints) -> None:
    source, follower = add_hinge("Source"), add_hinge("Follower")
    source.location, follower.location = (1.0, 2.0, 3.0), (-1.0, 0.5, 0.0)
    follower.rotation_euler = (0.3, 0.2, 0.1)
    follower.omi_joint.coupling.source = source
    refresh(watched)
    options = overlay_options(bpy.context)
    style = Style((Part.COUPLINGS,), color_table(theme_colors(bpy.context.preferences)))
    assert Part.COUPLINGS in options.parts()
    names = [watched.name_of(number) for number in range(2)]
    numbers, sizes = np.arange(2), np.ones(2)
    _faces, lines = build(watched.arrays, numbers, sizes, style)
    assert not len(lines.of(names.index("Source")))
    lines = lines.of(names.index("Follower"))
    ends = [np.array(obj.location) for obj in (follower, source)]
    np.testing.assert_allclose(lines.position[0], ends[0], atol=1e-6)
    np.testing.assert_allclose(lines.position[-1], ends[1], atol=1e-6)
    dashes = np.linalg.norm(lines.position[1::2] - lines.position[::2], axis=1).sum()
    assert 0.3 < dashes / np.linalg.norm(ends[1] - ends[0]) < 0.7
    source.location.x = 4.0
    assert refresh(watched) == 2
    _faces, lines = build(watched.arrays, numbers, sizes, style)
    np.testing.assert_allclose(lines.vertices.position[-1], (4.0, 2.0, 3.0), atol=1e-6)


def test_only_a_joint_with_animated_visibility_is_asked_again_whether_it_is_hidden(
    watched: SceneJoints,
) -> None:
    scene, keyed = bpy.context.scene, add_hinge("Keyed")
    add_hinge("Other")
    for frame, is_hidden in ((1, False), (5, True)):
        keyed.hide_viewport = is_hidden
        keyed.keyframe_insert("hide_viewport", frame=frame)
    scene.frame_set(1)
    refresh(watched)
    view = ViewGeometry()
    view.ask_visible("same", watched)
    assert len(view.unasked) == 2
    view.unasked = view.unasked[:0]
    refresh(watched)
    view.ask_visible("same", watched)
    assert not len(view.unasked)
    scene.frame_set(5)
    refresh(watched)
    view.ask_visible("same", watched)
    assert [watched.object_of(number) for number in view.unasked] == [keyed]
    assert not keyed.visible_get()


def test_nothing_is_drawn_where_a_brush_is_at_the_mouse() -> None:
    bpy.ops.mesh.primitive_cube_add()
    modes = []
    for mode in ("OBJECT", "EDIT", "SCULPT", "VERTEX_PAINT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        draw_guarded(lambda context: modes.append(context.mode))
    assert modes == ["OBJECT", "EDIT_MESH", "OBJECT"]


class Written:
    """The texts over a view of this file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.places, self.made = [], 0
        self.region = SimpleNamespace(width=800, height=600)
        self._view, self._joints = ViewGeometry(), SceneJoints(live_scene(bpy.context.scene))
        self._bounds, self._texts = labels.bound_texts, []
        monkeypatch.setattr("omi_joints_addon.overlay.texts.bound_texts", self._make)
        note = self._texts
        monkeypatch.setattr(labels.Text, "draw", lambda text: note.append(text))  # noqa: PLW0108

    def _make(self, *arguments, **named):
        self.made += 1
        return self._bounds(*arguments, **named)

    def now(self) -> list[str]:
        refresh(self._joints)
        view, joints, scene = self._view, self._joints, bpy.context.scene
        view.versions, view.sizes = joints.versions, joints.sizes
        view.key = (joints.generation, LOOK.tobytes())
        space = SimpleNamespace(perspective_matrix=LOOK)
        place = (None, self.region, space, scene, bpy.context.view_layer, live_scene(scene))
        preferences = bpy.context.preferences
        window = Window(*place, preferences, overlay_options(bpy.context), 1.0)
        self._texts.clear()
        draw_texts(window, joints, view, theme_colors(preferences))
        self.places = [each.place for each in self._texts]
        return [each.text for each in self._texts]


def test_texts_are_as_before_while_nothing_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    select(add_hinge())
    written = Written(monkeypatch)
    first, places = written.now(), written.places
    assert first == ["-57.3°", "57.3°"]
    assert written.now() == first
    assert written.places == places
    assert written.made == 1
    written.region.width = 1000
    assert written.now() == first
    assert written.places != places


def test_texts_follow_all_that_they_are_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    joint = add_hinge()
    select(joint)
    written = Written(monkeypatch)
    assert written.now() == ["-57.3°", "57.3°"]
    bpy.context.scene.unit_settings.system_rotation = "RADIANS"
    assert written.now() == ["-1", "1"]
    joint.omi_joint.limits[0].max = 0.3
    assert written.now() == ["-1", "0.3"], "a script changes the active joint"
    joint.omi_joint.settings_source = add_hinge("Gate")
    assert written.now() == ["-1", "1", "Settings of Gate"]
    bpy.data.objects["Gate"].name = "Fence"
    assert written.now()[-1] == "Settings of Fence"
    joint.select_set(False)
    bpy.context.view_layer.objects.active = None
    assert written.now() == []

"""What a view leaves out is not visible, and what it builds bit by bit is the same in the end."""

from collections.abc import Callable
from dataclasses import replace

import bpy
import gpu
import numpy as np
import pytest
from mathutils import Matrix
from numpy.typing import NDArray

from omi_joints_addon.core.meaning.presets import hinge, slider
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.outline.far import SPREAD
from omi_joints_addon.core.outline.pieces import State
from omi_joints_addon.overlay.colors import color_table, theme_colors
from omi_joints_addon.overlay.detail import (
    APART,
    FAR_PIXELS,
    FULL_COST,
    LINK_COST,
    Detail,
    Eye,
    Spheres,
    chunks_of,
    pixel_sizes,
    screen_sizes,
    spheres_of,
)
from omi_joints_addon.overlay.drawing import Batches, draw, upload_links
from omi_joints_addon.overlay.geometry import Style, Vertices, build, build_far
from omi_joints_addon.overlay.paint import color_bytes
from omi_joints_addon.overlay.scene_joints import SceneJoints
from omi_joints_addon.overlay.view import ViewGeometry
from omi_joints_addon.pictures.camera import camera_matrix
from omi_joints_addon.pictures.render import drawn_with_gpu, temporary_view
from omi_joints_addon.properties.overlay import overlay_options
from omi_joints_addon.scene.watch import live_scene

SIZE = (320, 240)
COUNT = 150
Pixels = NDArray[np.float32]


def add_joint(name: str, place: NDArray[np.float64], settings: JointSettings) -> bpy.types.Object:
    """Add a joint between two bodies, one of which is elsewhere."""
    scene = bpy.context.scene.collection.objects
    joint, end, body = (bpy.data.objects.new(f"{name} {kind}", None) for kind in "JEB")
    for obj in (joint, end, body):
        scene.link(obj)
        obj.location = place
    body.location.z += 0.7
    body.omi_body.motion_type = "DYNAMIC"
    end.parent = body
    joint.omi_joint.enabled, joint.omi_joint.connected_object = True, end
    joint.omi_joint.settings_from_core(settings)
    return joint


@pytest.fixture
def joints() -> SceneJoints:
    """Return joints spread over a place of 40 m, with ranges up to 3 m."""
    rng = np.random.default_rng(3)
    for number in range(COUNT):
        angle, reach = rng.uniform(0.1, 1.5), float(rng.choice((0.2, 3.0)))
        settings = (
            hinge(min_angle=-angle, max_angle=angle),
            slider(min_distance=-reach, max_distance=reach),
        )[number % 2]
        add_joint(f"{number:03}", rng.uniform(-20.0, 20.0, 3), settings)
    return refreshed(SceneJoints(live_scene(bpy.context.scene)))


def refreshed(found: SceneJoints) -> SceneJoints:
    bpy.context.view_layer.update()
    assert live_scene(bpy.context.scene) is found.live
    found.refresh(bpy.context.view_layer)
    return found


def style() -> Style:
    options = overlay_options(bpy.context)
    return Style(options.parts(), color_table(theme_colors(bpy.context.preferences)))


def eyes(count: int) -> list[tuple[Matrix, Matrix]]:
    """Return view and window matrices from within and outside of the joints, some orthographic."""
    rng = np.random.default_rng(7)
    found = []
    for number in range(count):
        distance = (60.0, 2.0, -15.0, 300.0, 4000.0, -30.0)[number % 6]
        pose = camera_matrix(np.zeros((1, 3), np.float32), SIZE, tuple(rng.uniform(0.2, 2.9, 2)))
        pose[:3, 3] = pose[:3, 2] * distance + rng.uniform(-1.0, 1.0, 3)
        near, wide, high = 0.05, rng.uniform(0.3, 1.0), 0.75
        window = np.zeros((4, 4))
        window[0, 0], window[1, 1] = 1.0 / wide, 1.0 / (wide * high)
        if number % 7 != 6:
            window[2, 2:], window[3, 2] = (-1.0, -2.0 * near), -1.0
        else:
            window[:2] /= 20.0
            window[2, 2], window[3, 3] = -1e-3, 1.0
        found.append((Matrix(pose.tolist()).inverted(), Matrix(window.tolist())))
    return found


def eye_of(view: Matrix, window: Matrix) -> Eye:
    return Eye(np.array(window @ view), SIZE[0])


def on_screen(points: NDArray[np.float64], eye: Eye) -> NDArray[np.bool_]:
    """Return which world points (n, 3) are within the sides of the view and before the eye."""
    clip = np.concatenate((points, np.ones((len(points), 1))), axis=1) @ eye.perspective.T
    depth = clip[:, 3:]
    return ((np.abs(clip[:, :2]) <= depth) & (depth > 0.0)).all(axis=1)


def test_what_is_left_out_has_no_vertex_on_screen(
    joints: SceneJoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omi_joints_addon.overlay.detail.CHUNK", 4)
    sizes, numbers = np.full(len(joints), 0.5), np.arange(len(joints))
    stacks = build(joints.arrays, numbers, sizes, style())
    chunks = chunks_of(joints.arrays.frames[:, 0, :3, 3])
    assert np.array_equal(np.sort(np.concatenate(chunks)), numbers)
    spheres = spheres_of(joints.arrays, joints.reaches, sizes, chunks)
    origins, reach = joints.arrays.frames[:, 0, :3, 3], SPREAD * sizes + joints.reaches
    counts, nothing = dict.fromkeys(Detail, 0), np.zeros(len(chunks), bool)
    for view, window in eyes(40):
        eye = eye_of(view, window)
        ranges = eye.ranges(origins, sizes, joints.reaches)
        largest = np.array([ranges[each].max() for each in chunks])
        seen = eye.sees(spheres.center, spheres.radius)
        details = eye.details(spheres, seen, largest, np.ones(len(chunks)), nothing)
        for chunk, detail in zip(chunks, details, strict=True):
            counts[Detail(detail)] += 1
            parts = [stack.of(int(joint)) for stack in stacks for joint in chunk]
            points = np.concatenate([part.position for part in parts]).astype(float)
            is_seen = on_screen(points, eye)
            assert detail or not is_seen.any()
            if detail == Detail.FULL or not is_seen.any():
                continue
            # Ranges of what is not drawn in full are small on screen, whichever of them is seen.
            owners = np.concatenate(
                [np.full(len(stack.of(int(joint))), joint) for stack in stacks for joint in chunk]
            )
            away = np.linalg.norm(points - origins[owners], axis=1)
            is_range = is_seen & (away <= reach[owners])
            depth = np.concatenate((points, np.ones((len(points), 1))), 1) @ eye.perspective[3]
            pixel = 2.0 * depth / (np.linalg.norm(eye.perspective[0, :3]) * SIZE[0])
            radius = (sizes + joints.reaches)[owners]
            assert (radius <= FAR_PIXELS * pixel * 1.001)[is_range].all()
    assert min(counts[each] for each in Detail) > 5, counts


def test_details_keep_to_the_number_of_vertices() -> None:
    """The largest chunks have most detail, those that are chosen first, and none is left out."""
    rng = np.random.default_rng(1)
    count = 40
    ranges = rng.uniform(50.0, 90.0, count)
    spheres = Spheres(rng.uniform(-3.0, 3.0, (count, 3)), rng.uniform(20.0, 30.0, count))
    view, window = eyes(1)[0]
    counts, is_chosen = rng.uniform(1.0, 32.0, count), np.arange(count) == 7
    nobody, all_seen = np.zeros(count, bool), np.ones(count, bool)
    whole = eye_of(view, window).details(spheres, all_seen, ranges, counts, nobody)
    assert set(whole.tolist()) == {Detail.FULL}
    for most in (0, 20_000, 60_000, 10**9):
        eye = replace(eye_of(view, window), most=most)
        found = eye.details(spheres, all_seen, ranges, counts, nobody)
        is_full = found == Detail.FULL
        assert (counts[is_full] * FULL_COST).sum() <= most
        assert (counts[found == Detail.FAR] * LINK_COST).sum() <= most / 4.0
        assert (found >= Detail.POINT).all()
        assert ranges[is_full].min(initial=np.inf) >= ranges[~is_full].max(initial=0.0)
        if most:
            chosen = eye.details(spheres, all_seen, ranges, counts, is_chosen)
            assert chosen[7] == Detail.FULL


def test_details_of_what_moved_are_those_of_all(
    joints: SceneJoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joints come near and go far away, are selected and hidden, while the eye stays and moves."""
    monkeypatch.setattr("omi_joints_addon.overlay.detail.CHUNK", 4)
    shown, sizes, look, geometry = (
        np.ones(COUNT, bool),
        np.full(COUNT, 0.4),
        style(),
        ViewGeometry(),
    )
    rng, found, geometry = np.random.default_rng(5), set[int](), ViewGeometry()

    def compare() -> None:
        for number in range(40):
            eye = replace(eye_of(*eyes(10)[number // 4]), most=9_000)
            for each in rng.choice(COUNT, 3, replace=False).tolist():
                obj = bpy.data.objects[f"{each:03} J"]
                obj.location = rng.uniform(-25.0, 25.0, 3)
                obj.select_set(number % 3 == 0)
            shown[rng.choice(COUNT)] ^= number % 4 == 1
            refreshed(joints)
            geometry.update(joints, shown.copy(), sizes, look, eye=eye)
            details = geometry.details.tolist()
            found.update(details)
            geometry._spheres, geometry._judged = None, (None, shown)
            geometry.update(joints, shown.copy(), sizes, look, eye=eye)
            assert geometry.details.tolist() == details, number

    in_gpu(compare)
    assert found == set(Detail)


def test_joints_beside_the_view_take_no_detail_from_those_in_it(
    joints: SceneJoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a group around the eye few joints are seen, or none, however near it is."""
    monkeypatch.setattr("omi_joints_addon.overlay.detail.CHUNK", 4)
    shown, sizes, look = np.ones(COUNT, bool), np.full(COUNT, 0.3), style()
    origins = joints.arrays.frames[:, 0, :3, 3]

    def compare() -> None:
        for view, window in eyes(12):
            eye = replace(eye_of(view, window), most=8_000)
            ranges = eye.ranges(origins, sizes, joints.reaches)
            geometry = ViewGeometry()
            geometry.update(joints, shown, sizes, look, eye=eye)
            largest = [ranges[each.joints].max() for each in geometry.chunks]
            is_full = (geometry.details == Detail.FULL).tolist()
            found = sorted(zip(largest, is_full, strict=True), reverse=True)
            assert sorted(is_full, reverse=True) == [each for _, each in found]
            assert all(radius > 0.0 for radius, is_whole in found if is_whole)

    in_gpu(compare)


def test_one_of_many_points_at_a_place_is_drawn() -> None:
    """The one with the largest weight, then the nearest; no place stays without one."""
    rng = np.random.default_rng(5)
    points = rng.uniform(-30.0, 30.0, (20_000, 3))
    weight = rng.integers(0, 3, len(points)).astype(float)
    for view, window in eyes(14):
        eye = eye_of(view, window)
        kept = eye.distinct(points, weight)
        clip = np.concatenate((points, np.ones((len(points), 1))), 1) @ eye.perspective.T
        is_seen = on_screen(points, eye) & (np.abs(clip[:, 2]) <= clip[:, 3])
        place = (clip[:, :2] / clip[:, 3:] + 1.0) / 2.0 * SIZE
        there, chosen = place[is_seen], place[kept]
        if not is_seen.any():
            continue
        distance = np.array([np.abs(chosen - each).max(axis=1).min() for each in there[::8]])
        assert distance.max() <= APART
        assert len(kept) <= (SIZE[0] / APART + 4.0) * (SIZE[1] / APART + 4.0)
        for number in np.flatnonzero(is_seen)[:200].tolist():
            near = kept[np.abs(chosen - place[number]).max(axis=1) <= APART]
            depth = clip[:, 2] / clip[:, 3]
            better = (weight[near] > weight[number]) | (
                (weight[near] == weight[number]) & (depth[near] <= depth[number])
            )
            assert better.any()


def test_a_point_has_the_color_of_its_joint_s_state(joints: SceneJoints) -> None:
    bpy.data.objects["003 J"].location = bpy.data.objects["003 E"].matrix_world.translation
    bpy.data.objects["004 J"].location.x += 5.0
    refreshed(joints)
    names = [joints.name_of(each) for each in range(len(joints))]
    other, number = names.index("003 J"), names.index("004 J")
    assert joints.states[[other, number]].tolist() == [State.NORMAL, State.VIOLATED]
    chosen = np.array([other, number])
    points, _lines = build_far(joints.arrays, chosen, np.full(COUNT, 0.5), style(), has_lines=False)
    red = color_bytes([*theme_colors(bpy.context.preferences).violated, 1.0])[:3]
    assert [len(points.of(int(each))) for each in chosen] == [1, 1]
    assert np.array_equal(points.of(number).color[0, :3], red)
    assert not np.array_equal(points.of(other).color[0, :3], red)
    place = points.of(number).position[0]
    np.testing.assert_allclose(place, joints.arrays.frames[number, 0, :3, 3], atol=1e-5)


def test_a_view_that_turns_changes_few_sizes_on_screen() -> None:
    points = np.random.default_rng(2).uniform(-20.0, 20.0, (500, 3))
    wanted = np.full(500, 80.0)
    view, window = eyes(1)[0]
    found = []
    for angle in (0.0, 0.005):
        turned = np.array(window @ view @ Matrix.Rotation(angle, 4, "Z"))
        sizes = screen_sizes(points, turned, SIZE[0], wanted)
        exact = wanted * pixel_sizes(points, turned, SIZE[0])
        assert np.abs(sizes / exact - 1.0).max() < 0.022
        found.append(sizes)
    assert (found[0] != found[1]).mean() < 0.1


def in_gpu(action: Callable[[], None]) -> None:
    """Do something where batches can be made."""

    def run(_depsgraph: bpy.types.Depsgraph) -> Pixels:
        action()
        return np.empty(0, np.float32)

    with temporary_view(bpy.context.scene, np.eye(4), (16, 16)):
        drawn_with_gpu(bpy.context.scene, run)


def pixels(geometry: ViewGeometry, view: Matrix, window: Matrix) -> Pixels:
    """Return the picture of what a view draws."""
    return picture(geometry.batches, view, window)


def drawn_lines(lines: Vertices, view: Matrix, window: Matrix) -> Pixels:
    """Return the picture of lines."""
    return picture([upload_links(lines)], view, window)


def picture(batches: list[Batches], view: Matrix, window: Matrix) -> Pixels:
    buffer = gpu.types.GPUOffScreen(*SIZE)
    with buffer.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0.0, 0.0, 0.0, 0.0), depth=1.0)
        with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.matrix.load_matrix(view)
            gpu.matrix.load_projection_matrix(window)
            draw(batches, scale=1.0, hidden_opacity=0.5)
        read = frame.read_color(0, 0, *SIZE, 4, 0, "FLOAT")
    buffer.free()
    return np.array(read.to_list(), np.float32)


def test_pictures_are_those_of_all_joints_at_full_detail(joints: SceneJoints) -> None:
    shown, sizes, look = np.ones(COUNT, bool), np.full(COUNT, 2.0), style()
    differing = []

    def compare() -> None:
        whole, culled = ViewGeometry(), ViewGeometry()
        whole.update(joints, shown, sizes, look)
        for view, window in eyes(12):
            eye = eye_of(view, window)
            culled.update(joints, shown, sizes, look, eye=eye)
            one, other = (pixels(each, view, window) for each in (whole, culled))
            assert culled.is_built
            built = set(culled.details.tolist())
            if built <= {Detail.NONE, Detail.FULL}:
                np.testing.assert_array_equal(one, other)
            # A joint may look simpler, but it is there: nowhere is a hole of many pixels.
            drawn, kept = blocks(one[..., 3]), around(blocks(other[..., 3]))
            differing.append(float(((drawn > 0.0) & (kept == 0.0)).mean()))

    in_gpu(compare)
    assert max(differing) == 0.0, differing


def test_lines_without_length_are_left_out_of_far_joints_and_no_pixel_with_them(
    joints: SceneJoints,
) -> None:
    """Most connected frames are at the origins of their bodies."""
    sizes = np.full(COUNT, 2.0)
    for number in range(1, COUNT):
        bpy.data.objects[f"{number:03} E"].location = (0.0, 0.0, 0.0)
    refreshed(joints)
    _, lines = build_far(joints.arrays, np.arange(COUNT), sizes, style(), has_lines=True)
    whole, long = lines.vertices, lines.vertices.long()
    assert len(long) == len(whole) - 2 * (COUNT - 1)

    def compare() -> None:
        for view, window in eyes(8):
            one, other = (drawn_lines(each, view, window) for each in (whole, long))
            np.testing.assert_array_equal(one, other)

    in_gpu(compare)


def blocks(opacity: Pixels) -> Pixels:
    """Return the largest opacity in each block of 20 by 20 pixels."""
    return opacity.reshape(SIZE[1] // 20, 20, SIZE[0] // 20, 20).max(axis=(1, 3))


def around(found: Pixels) -> Pixels:
    """Return the largest of each block and its neighbors."""
    padded = np.pad(found, 1)
    rows, columns = found.shape
    shifted = [padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    return np.max(shifted, axis=0)


def vertices(geometry: ViewGeometry) -> dict[int, tuple[list, list, list]]:
    """Return the positions of faces and lines and the colors of lines of each built joint."""
    found = {}
    for chunk in geometry.chunks:
        if chunk.faces is None or chunk.lines is None:
            continue
        for joint in chunk.lines.joints.tolist():
            faces, lines = chunk.faces.of(joint), chunk.lines.of(joint)
            found[joint] = tuple(
                each.tolist() for each in (faces.position, lines.position, lines.color)
            )
    return found


def test_what_is_built_bit_by_bit_is_what_is_built_at_once(joints: SceneJoints) -> None:
    shown, sizes, look = np.ones(COUNT, bool), np.full(COUNT, 2.0), style()
    view, window = eyes(1)[0]
    eye = eye_of(view, window)

    def compare() -> None:
        at_once, slowly = ViewGeometry(), ViewGeometry()
        at_once.update(joints, shown, sizes, look, eye=eye)
        slowly.update(joints, shown, sizes, look, eye=eye, is_hurried=True)
        assert not slowly.is_built
        assert not vertices(slowly)
        slowly.work(until=np.inf)
        assert slowly.is_built
        assert vertices(slowly) == vertices(at_once)
        bpy.data.objects["003 J"].location.x += 0.1
        refreshed(joints)
        for each, is_hurried in ((slowly, True), (at_once, False)):
            each.update(joints, shown, sizes, look, eye=eye, is_hurried=is_hurried)
            assert each.is_built, "what moved is drawn where it is"
        assert vertices(slowly) == vertices(at_once)

    in_gpu(compare)


def test_what_moves_is_never_drawn_where_it_was(
    joints: SceneJoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omi_joints_addon.overlay.view.MOVED_AT_ONCE", 10)
    shown, sizes, look = np.ones(COUNT, bool), np.full(COUNT, 2.0), style()
    known = ViewGeometry()

    def move() -> None:
        known.update(joints, shown, sizes, look)
        before = vertices(known)
        for obj in bpy.context.scene.objects:
            if obj.parent is None:
                obj.location.x += 1.0
        refreshed(joints)
        view, window = eyes(1)[0]
        known.update(joints, shown, sizes, look, eye=eye_of(view, window), is_hurried=True)
        assert not known.is_built
        kept = vertices(known)
        assert not any(kept[joint] == before[joint] for joint in kept)

    in_gpu(move)


def test_joints_that_come_and_go_leave_the_others_as_they_are(joints: SceneJoints) -> None:
    look = style()
    known = ViewGeometry()

    def change() -> None:
        known.update(joints, np.ones(COUNT, bool), np.full(COUNT, 2.0), look)
        built = [chunk.batches for chunk in known.chunks]
        for name in ("004 J", "090 J"):
            bpy.data.objects.remove(bpy.data.objects[name])
        add_joint("000 New", np.zeros(3), hinge(min_angle=-1.0, max_angle=1.0))
        refreshed(joints)
        count = len(joints)
        assert count == COUNT - 1
        known.update(joints, np.ones(count, bool), np.full(count, 2.0), look)
        kept = [chunk for chunk in known.chunks if chunk.batches in built]
        assert len(kept) >= len(built) - 2
        anew = ViewGeometry()
        anew.update(joints, np.ones(count, bool), np.full(count, 2.0), look)
        assert vertices(known) == vertices(anew)

    in_gpu(change)


def test_joints_are_read_bit_by_bit_and_not_shown_before(joints: SceneJoints) -> None:
    layer = bpy.context.view_layer
    anew = SceneJoints(joints.live)
    anew.refresh(layer, most=40)
    assert (~anew.is_unread).sum() == 40
    assert not anew.is_read
    for expected in (100, COUNT):
        anew.read_more(60)
        assert (~anew.is_unread).sum() == expected
    assert anew.is_read
    assert anew.arrays.settings == joints.arrays.settings
    np.testing.assert_array_equal(anew.arrays.frames, joints.arrays.frames)
    np.testing.assert_array_equal(anew.states, joints.states)
    # What only moves is all read at once, whatever number it has.
    for obj in bpy.context.scene.objects:
        if obj.parent is None:
            obj.location.x += 1.0
    layer.update()
    live_scene(bpy.context.scene)
    anew.refresh(layer, most=0)
    assert not anew.is_unread.any()
    np.testing.assert_array_equal(anew.arrays.frames, refreshed(joints).arrays.frames)


def test_listing_anew_gives_what_a_new_reading_gives(joints: SceneJoints) -> None:
    for name in ("010 J", "011 J"):
        bpy.data.objects.remove(bpy.data.objects[name])
    add_joint("005 New", np.ones(3), slider(min_distance=-1.0, max_distance=1.0))
    bpy.data.objects["020 B"].omi_body.motion_type = "NONE"
    bpy.data.objects["020 B"].update_tag()
    refreshed(joints)
    anew = refreshed(SceneJoints(joints.live))
    assert np.array_equal(joints.uids, anew.uids)
    assert joints.arrays.settings == anew.arrays.settings
    for name in ("frames", "bodies", "followed", "forced", "is_mirrored", "tints"):
        np.testing.assert_array_equal(getattr(joints.arrays, name), getattr(anew.arrays, name))
    np.testing.assert_array_equal(joints.sizes, anew.sizes)
    np.testing.assert_array_equal(joints.reaches, anew.reaches)
    np.testing.assert_array_equal(joints.states, anew.states)

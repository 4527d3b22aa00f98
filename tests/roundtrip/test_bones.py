"""Bodies on bones go to a file, onto the nodes of the bones, and come back."""

from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.scene.reading import scene_to_core
from tests.rigs import add_arm
from tests.roundtrip.documents import (
    BODY,
    Y_UP,
    export,
    import_file,
    joints,
    local_matrix,
    node_named,
    parents,
)

MOVED = {"location": (1, 2, 3), "rotation_euler": (0.3, -0.2, 0.5)}
OMI, KHR = "OMI_physics_body", "KHR_physics_rigid_bodies"
BODIES = ("root", "upper", "lower")


def worlds(document: dict[str, Any]) -> dict[str, Any]:
    """Return the world matrix (4, 4) of each node by its name."""
    above, nodes = parents(document), document["nodes"]
    found: dict[int, Any] = {}

    def world(index: int) -> Any:
        if index not in found:
            local = local_matrix(nodes[index])
            found[index] = world(above[index]) @ local if index in above else local
        return found[index]

    return {node["name"]: world(index) for index, node in enumerate(nodes)}


def bodies_of(core: Any) -> dict[str, Any]:
    """Return world matrix and motion of each body by its name."""
    return {core.names[n]: (core.matrices[n], motion) for n, motion in core.motions.items()}


def pairs_of(core: Any) -> set[tuple[str, str]]:
    """Return the bodies that each joint connects."""
    owner = core.bodies()
    ends = ((owner[joint.node], owner[joint.connected]) for joint in core.joints)
    return {(core.names[one], core.names[other]) for one, other in ends}


def read() -> Any:
    bpy.context.view_layer.update()
    core, findings = scene_to_core(bpy.context.scene)
    found = [*findings, *check_scene(core)]
    assert [each for each in found if each.severity != "info"] == []
    return core


def test_bones_are_bodies_of_the_scene():
    rig = add_arm(is_bent=True, **MOVED)
    core = read()
    assert set(bodies_of(core)) == set(BODIES)
    assert pairs_of(core) == {("upper", "root"), ("lower", "upper")}
    armature = core.names.index("Arm")
    assert {core.parents[node] for node in core.motions} == {armature}
    for name, (matrix, _) in bodies_of(core).items():
        expected = np.array(rig.matrix_world @ rig.pose.bones[name].matrix)
        assert matrix == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("nested", [False, True], ids=["apart", "nested"])
def test_that_bones_stay_in_godot_is_reported_of_the_scene_and_of_its_file(tmp_path, nested):
    add_arm(**MOVED)
    bpy.context.scene.omi_gltf.export_bones_nested = nested
    document = export(tmp_path)
    for core in (read(), scene_from_document(document).scene):
        (found,) = [each for each in GODOT.check(core) if each.code == "OMI-E130"]
        assert "the 3 bones do not move" in found.message


@pytest.mark.parametrize("rest", [True, False], ids=["rest", "pose"])
@pytest.mark.parametrize("nested", [False, True], ids=["apart", "nested"])
@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_bodies_are_on_the_nodes_of_their_bones(tmp_path, dialect, nested, rest):
    rig = add_arm(is_bent=True, **MOVED)
    options = bpy.context.scene.omi_gltf
    options.export_dialects, options.export_bones_nested = {dialect}, nested
    document = export(tmp_path, export_rest_position_armature=rest)
    above, names = parents(document), [node["name"] for node in document["nodes"]]
    extension = BODY if dialect == "OMI" else KHR
    places = worlds(document)
    for name in BODIES[1:]:
        node = node_named(document, name)
        assert "motion" in node["extensions"][extension]
        bone = rig.data.bones[name].matrix_local if rest else rig.pose.bones[name].matrix
        expected = Y_UP @ np.array(rig.matrix_world @ bone)
        assert places[name] == pytest.approx(expected, abs=2e-6)
        parent = names[above[names.index(name)]]
        assert parent == ("Arm" if not nested else {"upper": "root", "lower": "twist"}[name])
    motion = node_named(document, "upper")["extensions"][extension]["motion"]
    assert motion["centerOfMass"] == pytest.approx((0.01, 0.3, -0.02), abs=1e-6)
    moving = node_named(document, "lower")["extensions"][extension]["motion"]
    assert moving["inertiaDiagonal"] == pytest.approx((0.3, 0.1, 0.2), abs=1e-6)
    assert moving["inertiaOrientation"] == pytest.approx((0.0, 0.6, 0.0, 0.8), abs=1e-6)
    assert len(document["skins"][0]["joints"]) == 4


@pytest.mark.parametrize("heuristic", ["BLENDER", "TEMPERANCE", "FORTUNE"])
@pytest.mark.parametrize("nested", [False, True], ids=["apart", "nested"])
@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_bodies_of_bones_come_back(tmp_path, dialect, nested, heuristic):
    add_arm(is_bent=True, **MOVED)
    options = bpy.context.scene.omi_gltf
    options.export_dialects, options.export_bones_nested = {dialect}, nested
    before = read()
    export(tmp_path, export_rest_position_armature=False)
    import_file(tmp_path / "file.gltf", bone_heuristic=heuristic)
    after = read()
    names = set(BODIES) if dialect == "OMI" else set(BODIES[1:])
    found = bodies_of(after)
    assert names <= set(found)
    assert {name for name in names if name in bpy.data.objects} == set()
    assert set(pairs_of(after)) >= {("lower", "upper")}
    for name in names:
        (matrix, motion), (there, moving) = bodies_of(before)[name], found[name]
        assert there[:3, 3] == pytest.approx(matrix[:3, 3], abs=3e-6)
        center = there[:3, :3] @ moving.center_of_mass
        assert center == pytest.approx(matrix[:3, :3] @ motion.center_of_mass, abs=3e-6)
        speed = there[:3, :3] @ moving.angular_velocity
        assert speed == pytest.approx(matrix[:3, :3] @ motion.angular_velocity, abs=3e-6)
        assert moving.mass == motion.mass
    for joint in before.joints:
        (same,) = [other for other in after.joints if other.place == joint.place]
        assert same.settings == joint.settings
        one, other = before.matrices[joint.node], after.matrices[same.node]
        assert other == pytest.approx(one, abs=3e-6)
    volumes = [
        sorted(core.matrices[n][:3, 3].round(4).tolist() for n in core.colliders)
        for core in (before, after)
    ]
    assert np.array(volumes[0]) == pytest.approx(np.array(volumes[1]), abs=2e-4)


def test_a_body_on_a_bone_that_deforms_nothing_is_kept(tmp_path):
    rig = add_arm()
    rig.data.bones["lower"].use_deform = False
    document = export(tmp_path, export_def_bones=True)
    reached, waiting = set(), list(document["scenes"][0]["nodes"])
    while waiting:
        node = waiting.pop()
        reached.add(document["nodes"][node]["name"])
        waiting += document["nodes"][node].get("children", ())
    assert "lower" in reached
    assert len(joints(document)) == 2


def test_an_animation_is_written_as_it_is(tmp_path):
    rig = add_arm()
    bone = rig.pose.bones["upper"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (20, 1.2)):
        bone.rotation_euler = (angle, 0.0, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    expected = []
    for frame in (1, 20):
        bpy.context.scene.frame_set(frame)
        expected.append(np.array(rig.matrix_world @ rig.pose.bones["lower"].matrix))
    bpy.context.scene.frame_end = 20
    export(tmp_path, export_force_sampling=False)
    import_file(tmp_path / "file.gltf")
    scene, rig = bpy.context.scene, bpy.data.objects["Arm"]
    scene.frame_set(1)
    first = np.array(rig.matrix_world @ rig.pose.bones["lower"].matrix)
    scene.frame_set(20)
    last = np.array(rig.matrix_world @ rig.pose.bones["lower"].matrix)
    assert (first, last) == (
        pytest.approx(expected[0], abs=2e-5),
        pytest.approx(expected[1], abs=2e-5),
    )

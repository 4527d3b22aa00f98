"""File > Import and Export of physics scenes, and scenes built as Blender objects."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.core.checks.differences import differences, matched_by_name
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.meaning.presets import Preset, hinge, preset_settings
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.mesh import Mesh, MeshData, Visual
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere, Trimesh
from omi_joints_addon.core.shapes.surface import shape_surface
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.urdf import URDF
from omi_joints_addon.operators.exchange import scene_export, scene_import
from omi_joints_addon.operators.exchange.formats import offered
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.recording_layout import RecordingLayout, drawn
from tests.core.test_mesh_files import TETRAHEDRON
from tests.core.urdf_robots import INERTIAL, joint, link, read, robot

BALL = '<geometry><sphere radius="2"/></geometry>'
LIMIT = '<limit lower="-0.5" upper="3.5" effort="7" velocity="2"/>'
ROBOT = robot(
    link("base", ""),
    link("arm", INERTIAL + '<visual name="skin"><geometry><box size="1 2 3"/></geometry></visual>'),
    link(
        "hand",
        INERTIAL + '<collision name="c"><geometry><sphere radius="2"/></geometry></collision>',
    ),
    joint("shoulder", "revolute", "base", "arm", f'<origin xyz="0 0 1" rpy="1 2 3"/>{LIMIT}'),
    joint("wrist", "revolute", "arm", "hand", f'{LIMIT}<mimic joint="shoulder" multiplier="2"/>'),
    name="two",
)


def full_scene() -> PhysicsScene:
    """Return a scene with one of everything that Blender holds."""
    names = ("Wall", "Door", "Joint", "Frame", "Skin", "Box", "Hull", "Zone", "Slider", "Rail")
    parents = np.array([-1, -1, 1, 0, 1, 1, 0, -1, 1, 0])
    matrices = np.tile(np.eye(4), (len(names), 1, 1))
    matrices[1:, 0, 3] = np.arange(1.0, len(names))
    matrices[4, :3, :3] = np.diag((1.0, 2.0, 0.5))
    half = math.sqrt(0.5)
    motion = Motion(
        mass=0.1,
        center_of_mass=(0.1, 0.2, 0.3),
        inertia_diagonal=(0.1, 0.2, 0.25),
        inertia_orientation=(0.0, 0.0, half, half),
        linear_velocity=(1.0, 0.0, 0.1),
        angular_velocity=(0.0, 0.7, 0.0),
        gravity_factor=0.3,
    )
    systems = CollisionFilter(collision_systems=("a",), collide_with_systems=("b",))
    surface = Collider(
        shape=Box(size=(1.0, 2.0, 3.0)),
        material=PhysicsMaterial(name="Ice", static_friction=0.1),
        collision_filter=systems,
    )
    attributes = JointAttributes(break_force=5.1, effort=7.3, friction=0.1, enabled=False)
    return PhysicsScene(
        names=names,
        parents=parents,
        matrices=matrices,
        motions={0: Motion(type="static"), 1: motion},
        joints=(
            Joint(
                node=2,
                connected=3,
                settings=hinge(min_angle=-0.1, max_angle=0.7),
                enable_collision=True,
                attributes=attributes,
                place="Joint",
            ),
            Joint(
                node=8,
                connected=9,
                settings=preset_settings(Preset.SUSPENSION_SPRING),
                place="Slider",
            ),
        ),
        colliders={5: surface, 6: Collider(shape=Convex(mesh=0))},
        triggers={7: Trigger(shape=Sphere(radius=2.5))},
        meshes=(Mesh(name="Tetra", read=lambda: TETRAHEDRON),),
        visuals={4: Visual(mesh=0)},
        articulations=(Articulation(root=0, is_fixed=True),),
        couplings=(Coupling(joint=1, source=0, coefficients=(0.1, 0.2, 0.3)),),
        name="Full",
    )


def scene_now() -> PhysicsScene:
    core, findings = scene_to_core(bpy.context.scene)
    assert findings == []
    return core


def test_everything_that_blender_holds_comes_back():
    scene = full_scene()
    built = build_scene(bpy.context, scene, name="Full")
    assert built.problems == []
    core = scene_now()
    left = differences(scene, core, matched_by_name(scene, core))
    # A scene of Blender has a name and a gravity of its own.
    assert [difference.noun for difference in left] == [Noun.NAME]
    assert core.meshes[0].read().points == pytest.approx(TETRAHEDRON.points)


def test_building_changes_nothing_that_is_there():
    build_scene(bpy.context, full_scene(), name="First")
    before = scene_now()
    build_scene(bpy.context, full_scene(), name="First")
    names = [collection.name for collection in bpy.context.scene.collection.children]
    assert names == ["First", "First.001"]
    after = scene_now()
    assert differences(before, after, matched_by_name(before, after)) == []
    assert len(after.joints) == 4


def test_gravity_is_set_where_asked_for():
    scene = replace(full_scene(), gravity=(0.0, 0.0, -1.5))
    build_scene(bpy.context, scene, name="Moon", sets_gravity=True)
    assert scene_now().gravity == (0.0, 0.0, -1.5)


def test_meshes_that_cannot_be_read_cost_only_themselves():
    def missing() -> MeshData:
        raise ValueError("the file does not exist")

    scene = replace(full_scene(), meshes=(Mesh(name="Gone", read=missing),))
    built = build_scene(bpy.context, scene, name="Full")
    assert built.problems == ["Gone: the file does not exist"]
    assert len(scene_now().joints) == 2


def test_joints_that_share_settings_share_them_in_blender():
    settings = hinge()
    scene = full_scene()
    shared = tuple(
        replace(joint, settings=settings, settings_place="/physicsJoints/0")
        for joint in scene.joints
    )
    build_scene(bpy.context, replace(scene, joints=shared), name="Full")
    assert bpy.data.objects["Slider"].omi_joint.settings_source == bpy.data.objects["Joint"]


def test_parents_in_a_circle_lose_one():
    scene = PhysicsScene(
        names=("A", "B"), parents=np.array([1, 0]), matrices=np.tile(np.eye(4), (2, 1, 1))
    )
    build_scene(bpy.context, scene, name="Circle")
    assert sum(obj.parent is not None for obj in bpy.data.objects) == 1


@pytest.mark.parametrize(
    "shape",
    [
        Box(size=(1.0, 2.0, 3.0)),
        Sphere(radius=0.7),
        Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.3),
        Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.0),
        Capsule(height=1.0, radius_bottom=0.5, radius_top=0.3),
        Capsule(height=0.1, radius_bottom=0.5, radius_top=0.1),
    ],
)
def test_surfaces_of_primitives_are_closed_and_as_large_as_the_shape(shape):
    from omi_joints_addon.core.shapes.inertia import mesh_solid, primitive_solid

    surface = shape_surface(shape)
    solid, exact = mesh_solid(surface.points, surface.triangles), primitive_solid(shape)
    assert solid.volume == pytest.approx(exact.volume, rel=0.05)
    a, b, c = surface.points[surface.triangles].transpose(1, 0, 2)
    assert float(np.einsum("ij,ij->", a, np.cross(b, c))) > 0.0
    assert shape_surface(Trimesh()) is None


def write_robot(folder: Path, text: str = ROBOT) -> Path:
    path = folder / "two.urdf"
    path.write_text(text)
    return path


def test_import_makes_the_robot_of_the_file(tmp_path):
    path = write_robot(tmp_path)
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    core, scene = scene_now(), read(ROBOT, tmp_path).scene
    nouns = {d.noun for d in differences(scene, core, matched_by_name(scene, core))}
    # The box that the arm shows is a mesh in Blender.
    assert nouns == {Noun.NAME, Noun.VISUAL}
    assert bpy.context.scene.collection.children["two"].objects["skin"].type == "MESH"
    assert bpy.context.view_layer.objects.active.name == "base"


def test_options_of_the_import(tmp_path):
    path = write_robot(tmp_path)
    bpy.ops.omi.scene_import(filepath=str(path), base="floating", nested=True)
    objects = bpy.data.objects
    assert objects["base"].omi_body.motion_type == "DYNAMIC"
    assert (objects["hand"].parent, objects["arm"].parent) == (objects["arm"], objects["base"])


def test_several_files_can_be_dropped_at_once(tmp_path):
    write_robot(tmp_path)
    (tmp_path / "three.urdf").write_text(ROBOT.replace("two", "three"))
    files = [{"name": "two.urdf"}, {"name": "three.urdf"}]
    bpy.ops.omi.scene_import(directory=f"{tmp_path}/", files=files)
    assert set(bpy.context.scene.collection.children.keys()) == {"two", "three"}
    handler = bpy.types.OMI_FH_scene
    assert handler.bl_import_operator == "omi.scene_import"
    suffixes = {suffix for row in offered() for suffix in row.suffixes}
    assert set(handler.bl_file_extensions.split(";")) == suffixes


@pytest.mark.parametrize(
    ("operator", "path", "shown"),
    [
        ("scene_import", "a.urdf", {"base", "nested", "bare_limits", "packages"}),
        ("scene_import", "a.xml", {"nested", "stacked", "planes", "packages"}),
        ("scene_import", "a.json", {"turn", "packages"}),
        ("scene_export", "a.urdf", {"scope", "names", "meshes", "package", "carry", "strict"}),
        ("scene_export", "a.xml", {"scope", "strict"}),
        ("scene_export", "a.json", {"scope", "version", "hard_limits", "strict"}),
    ],
)
def test_dialogs_show_the_options_of_the_format(operator, path, shown):
    cls = {cls.bl_idname: cls for cls in (*scene_import.CLASSES, *scene_export.CLASSES)}
    known = getattr(bpy.ops.omi, operator).get_rna_type()
    values = SimpleNamespace(
        filepath=path,
        suffix="",
        files=(),
        filter_glob="",
        layout=RecordingLayout(),
        bl_rna=known,
    )
    values._formats = lambda: scene_import.OMI_OT_scene_import._formats(values)
    cls[f"omi.{operator}"].draw(values, bpy.context)
    assert {name for kind, name in values.layout.drawn if kind == "prop"} == shown


def test_a_format_without_options_is_offered_too(monkeypatch):
    row = SimpleNamespace(name="pendulum", label="Pendulum", suffixes=(".pendulum",))
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, row))
    test_dialogs_show_the_options_of_the_format("scene_import", "a.pendulum", {"packages"})
    test_dialogs_show_the_options_of_the_format("scene_export", "a.pendulum", {"scope", "strict"})


def test_version_of_shift_files_is_chosen_in_the_dialog(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    out = tmp_path / "out.json"
    assert bpy.ops.omi.scene_export(filepath=str(out), version="2.0.0") == {"FINISHED"}
    assert json.loads(out.read_text())["model_parameters"]["version"] == "2.0.0"


def test_files_that_are_no_robots_are_refused_in_one_line(tmp_path):
    path = write_robot(tmp_path, "<robot/>")
    with pytest.raises(RuntimeError, match="has no links"):
        bpy.ops.omi.scene_import(filepath=str(path))
    assert not bpy.data.objects


def test_undo_takes_the_robot_away_again(tmp_path):
    path = write_robot(tmp_path)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.omi.scene_import("EXEC_DEFAULT", True, filepath=str(path))
    assert "arm" in bpy.data.objects
    bpy.ops.ed.undo()
    assert "arm" not in bpy.data.objects


def test_export_writes_what_was_imported(tmp_path):
    bpy.ops.omi.scene_import(filepath=str(write_robot(tmp_path)))
    out = tmp_path / "out" / "again.urdf"
    out.parent.mkdir()
    assert bpy.ops.omi.scene_export(filepath=str(out)) == {"FINISHED"}
    before, after = read(ROBOT, tmp_path).scene, read(out.read_bytes(), out.parent).scene
    nouns = {d.noun for d in differences(before, after, matched_by_name(before, after))}
    assert nouns == {Noun.NAME, Noun.VISUAL}
    assert (out.parent / "meshes" / "skin.obj").is_file()
    assert before.couplings == after.couplings


def test_export_tells_what_is_converted_and_keeps_it_in_a_text(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"))
    text = bpy.data.texts["Exchange Report"].as_string()
    assert text.startswith("Exported full.urdf: ")
    assert "lost: Zone: trigger: URDF does not support triggers" in text


def test_export_lists_what_is_lost_in_the_sidebar(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    assert not bpy.types.OMI_PT_report.poll(bpy.context)
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"))
    report = bpy.context.scene.omi_report
    assert report.title.startswith("Exported full.urdf: ")
    row = ("lost", "Zone", "trigger")
    rows = [(line.kind, line.place, line.noun) for line in report.lines]
    report.active = rows.index(row)
    assert rows.index(row) < rows.index(next(each for each in rows if each[0] == "carried"))
    assert bpy.types.OMI_PT_report.poll(bpy.context)
    calls = drawn(bpy.types.OMI_PT_report)
    assert ("label", "Lost: trigger: URDF does not support triggers") in calls
    assert ("operator", "omi.check_select") in calls
    assert bpy.ops.omi.check_select(place="Zone") == {"FINISHED"}
    assert [obj.name for obj in bpy.context.selected_objects] == ["Zone"]


def test_next_report_replaces_the_last(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"))
    bpy.ops.omi.scene_import(filepath=str(write_robot(tmp_path)))
    report = bpy.context.scene.omi_report
    assert report.title.startswith("Imported ")
    assert all(line.place != "Zone" for line in report.lines)
    assert bpy.data.texts["Exchange Report"].as_string().startswith("Imported ")


def test_export_that_may_lose_nothing_writes_nothing(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    with pytest.raises(RuntimeError, match="would be lost"):
        bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"), strict=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("scope", ["SELECTION", "COLLECTION"])
def test_a_part_of_the_scene_can_be_exported(tmp_path, scope):
    bpy.ops.omi.scene_import(filepath=str(write_robot(tmp_path)))
    build_scene(bpy.context, full_scene(), name="Full")
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in {"base", "arm", "hand"})
    layer = bpy.context.view_layer
    layer.active_layer_collection = layer.layer_collection.children["two"]
    out = tmp_path / "part.urdf"
    bpy.ops.omi.scene_export(filepath=str(out), scope=scope)
    assert set(read(out.read_bytes(), tmp_path).scene.names) >= {"base", "arm", "hand", "wrist"}
    assert b"Door" not in out.read_bytes()


def test_files_without_format_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="not in a format that can be exported"):
        bpy.ops.omi.scene_export(filepath=str(tmp_path / "a.xyz"))


def test_menus_offer_each_format_once():
    assert "urdf" in {row.name for row in offered()}
    assert not {"gltf", "blend", "usd"} & {row.name for row in offered()}


def test_robots_go_through_a_blend_file_on_the_command_line(repository, tmp_path):
    """Meshes of the file are read while it is open."""
    for source, target in (
        (repository / "examples" / "arm.urdf", tmp_path / "arm.blend"),
        (tmp_path / "arm.blend", tmp_path / "back.urdf"),
    ):
        command = [sys.executable, "-m", "omi_joints_addon", "convert", source, target]
        run = subprocess.run(
            [*command, "--report", "json"],
            cwd=repository,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert run.returncode == 0, run.stderr + run.stdout
        assert run.stdout.startswith("{"), run.stdout
        assert json.loads(run.stdout)["losses"] == []
    (found,) = URDF.read(Source(path=tmp_path / "back.urdf"))
    assert len(found.scene.joints) == 7
    assert len(found.scene.couplings) == 1
    assert all(len(mesh.read().triangles) for mesh in found.scene.meshes)


def test_lights_and_what_is_shifts_own_go_through_blender(tmp_path):
    lamp = {"name": "lamp", "type": "spot", "parent": ["fixed", "post"], "Ka": [0.1, 0.1, 0.1]}
    lamp |= {"Kd": [0.5, 0.25, 1.0]}
    model = {
        "model_parameters": {"version": "0.2", "gravity": [0, 0, -9.81], "solver": "rnca"},
        "fixed": {"frames": [{"name": "post", "T": [0, 0, 3]}], "lights": [lamp]},
        "assemblies": [{"name": "A", "bodies": [{"name": "b", "definition": ["b.obj"]}]}],
    }
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    obj = bpy.data.objects["lamp"]
    assert (obj.type, obj.data.type) == ("LIGHT", "SPOT")
    assert tuple(obj.data.color) == (0.5, 0.25, 1.0)
    assert obj.matrix_world.translation.z == 3.0
    obj.data.color = (1.0, 0.0, 0.0)
    out = tmp_path / "out.json"
    bpy.ops.omi.scene_export(filepath=str(out))
    again = json.loads(out.read_text())
    assert again["fixed"]["lights"] == [lamp | {"Kd": [1.0, 0.0, 0.0]}]
    assert again["model_parameters"]["solver"] == "rnca"
    assert again["assemblies"][0]["bodies"][0]["definition"] == ["b.obj"]

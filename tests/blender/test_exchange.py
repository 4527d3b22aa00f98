"""File > Import and Export of physics scenes."""

import gc
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.authoring.report import keep_report
from omi_joints_addon.classes import classes_of
from omi_joints_addon.core.checks.bodies import IMPOSSIBLE_INERTIA
from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.findings.finding import Finding
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.urdf import URDF
from omi_joints_addon.operators.exchange import scene_export, scene_import
from omi_joints_addon.operators.exchange.documents import proposed_path
from omi_joints_addon.operators.exchange.formats import GROUPS, offered
from tests.blender.full_scene import full_scene, scene_now
from tests.blender.recording_layout import RecordingLayout, drawn
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
        ("scene_import", "a.urdf", {"base", "nested", "bare_limits", "packages", "again"}),
        ("scene_import", "a.xml", {"nested", "stacked", "planes", "packages", "again"}),
        ("scene_import", "a.json", {"turn", "packages", "again"}),
        (
            "scene_export",
            "a.urdf",
            {"scope", "source", "names", "meshes", "package", "carry", "strict"},
        ),
        ("scene_export", "a.xml", {"scope", "source", "strict"}),
        ("scene_export", "a.json", {"scope", "source", "version", "hard_limits", "strict"}),
    ],
)
def test_dialogs_show_the_options_of_the_format(operator, path, shown):
    cls = {cls.bl_idname: cls for cls in (*classes_of(scene_import), *classes_of(scene_export))}
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
    row = SimpleNamespace(
        name="pendulum",
        label="Pendulum",
        suffixes=(".pendulum",),
        reading_options=(),
        writing_options=(),
    )
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, row))
    test_dialogs_show_the_options_of_the_format("scene_import", "a.pendulum", {"packages", "again"})
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
    assert bpy.ops.omi.scene_export(filepath=str(out), source="new") == {"FINISHED"}
    before, after = read(ROBOT, tmp_path).scene, read(out.read_bytes(), out.parent).scene
    nouns = {d.noun for d in differences(before, after, matched_by_name(before, after))}
    assert nouns == {Noun.VISUAL}
    assert (out.parent / "meshes" / "again_skin.obj").is_file()
    (one,), (other,) = before.couplings, after.couplings
    assert (one.joint, one.source) == (other.joint, other.source)
    assert other.coefficients == pytest.approx(one.coefficients, abs=1e-9)


def test_export_tells_what_is_converted_and_keeps_it_in_a_text(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"))
    text = bpy.data.texts["Exchange Report"].as_string()
    assert text.startswith("Exported full.urdf: ")
    assert "changed: Zone: trigger: URDF does not support triggers; glTF has it" in text


def test_export_lists_what_is_lost_in_the_sidebar(tmp_path):
    build_scene(bpy.context, full_scene(), name="Full")
    assert not bpy.types.OMI_PT_report.poll(bpy.context)
    bpy.ops.omi.scene_export(filepath=str(tmp_path / "full.urdf"))
    report = bpy.context.scene.omi_report
    assert report.title.startswith("Exported full.urdf: ")
    row = ("changed", "Zone", "trigger")
    rows = [(line.kind, line.place, line.noun) for line in report.lines]
    report.active = rows.index(row)
    kinds = [kind for kind, *_ in rows if kind in ("changed", "kept aside", "looks only")]
    assert kinds == sorted(kinds)
    assert bpy.types.OMI_PT_report.poll(bpy.context)
    calls = drawn(bpy.types.OMI_PT_report)
    labels = [text for kind, text in calls if kind == "label"]
    assert any(
        text.startswith("Changed: trigger: URDF does not support triggers") for text in labels
    )
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
    with pytest.raises(RuntimeError, match=r"full.urdf was not written: \d+ changed values"):
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
        (repository / "omi_joints_addon" / "examples" / "arm.urdf", tmp_path / "arm.blend"),
        (tmp_path / "arm.blend", tmp_path / "back.urdf"),
    ):
        command = [sys.executable, "-m", "omi_joints_addon", "convert", source, target]
        run = subprocess.run(
            [*command, "--report", "json"],
            cwd=repository,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
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


@pytest.mark.parametrize("text", ["<robot/>", None], ids=["broken", "sound"])
def test_the_garbage_collector_is_as_before(tmp_path, text):
    path = write_robot(tmp_path, text) if text else write_robot(tmp_path)
    if text:
        with pytest.raises(RuntimeError):
            bpy.ops.omi.scene_import(filepath=str(path))
    else:
        bpy.ops.omi.scene_import(filepath=str(path))
    assert gc.isenabled()


def test_an_export_is_proposed_under_the_name_of_what_was_imported(tmp_path):
    assert proposed_path(bpy.context) == "untitled"
    bpy.ops.omi.scene_import(filepath=str(write_robot(tmp_path)))
    assert Path(proposed_path(bpy.context)) == write_robot(tmp_path)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "work" / ".." / "scene.blend"))
    assert Path(proposed_path(bpy.context)).name == write_robot(tmp_path).name
    bpy.ops.omi.scene_import(filepath=str(write_robot(tmp_path)), again="NEW")
    assert Path(proposed_path(bpy.context)).stem == "scene"


def test_options_of_every_format_are_below_a_heading():
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    options = {
        name for row in offered() for name in (*row.reading_options, *row.writing_options)
    } - {"folder"}
    assert options | {"scope", "strict", "packages", "again"} == set(grouped)


def test_a_report_names_what_the_same_is_told_about_once():
    scene, text = bpy.context.scene, "moments of inertia are impossible"
    problems = [f"{number}" for number in range(2)]
    findings = [Finding(IMPOSSIBLE_INERTIA, f"link_{number}", text) for number in range(12)]
    lines = keep_report(scene, bpy.data, "Imported", findings=findings, problems=problems)
    assert lines[2:] == [
        f"warning: link_0, link_1, link_2 and 9 more: OMI-B015: {text}",
    ]
    assert len(scene.omi_report.lines) == 14

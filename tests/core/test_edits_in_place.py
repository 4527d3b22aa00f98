"""What is edited or removed in a scene is so in the file that it was read from, or named."""

import json
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.meaning.presets import hinge, pin, slider
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.mesh import Visual
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Kept, Source, Target, Written
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.registry import FORMATS
from tests.core.scene_strategies import scenes
from tests.core.solver_scenes import SceneBuilder, turn

FIELDS = ("motions", "colliders", "triggers", "visuals", "lights")
LISTS = ("joints", "couplings", "articulations", "excluded_pairs")
PRESENT = (
    *("node", "motion", "joint", "collider", "trigger", "visual", "light"),
    *("coupling", "articulation", "excluded pair"),
)
"""Nouns of what is there or not, whatever its numbers are."""


def format_of(name: str) -> Format:
    """Return a format by its name."""
    if name == "usd":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    (row,) = (each for each in FORMATS if each.name == name)
    return row


def kept_scene(row: Format, scene: PhysicsScene, folder: Path) -> tuple[PhysicsScene, Kept]:
    """Return a scene as a new file has it, and that file."""
    path = folder / f"scene{row.suffixes[0]}"
    write_files(folder, row.write(scene, Target(path=path)).files)
    read = row.read(Source(path=path))[0]
    assert read.document is not None
    return read.scene, Kept(document=read.document, read=read)


def written_into(
    row: Format, scene: PhysicsScene, kept: Kept, folder: Path
) -> tuple[Path, Written]:
    """Write a scene into the file that it was read from, as another one."""
    path = folder / f"edited{row.suffixes[0]}"
    written = written_scene(row, scene, Target(path=path, kept=kept))
    write_files(folder, written.files)
    return path, written


def arm(count: int = 3) -> PhysicsScene:
    """Return a chain of bodies on joints that differ."""
    build = SceneBuilder()
    below = build.body((0, 0, 0), type="static")
    for number, preset in enumerate((hinge(), slider(), pin())[:count]):
        body = build.body((number + 1.0, 0, 0))
        build.joint(preset, body, below, (number + 0.5, 0, 0))
        below = body
    return build.scene()


def without_joint(scene: PhysicsScene, number: int) -> PhysicsScene:
    """Return a scene without one of its joints, whose frames stay."""
    joints = (joint for n, joint in enumerate(scene.joints) if n != number)
    return replace(scene, joints=tuple(joints))


def joint_prims(path: Path) -> dict[str, dict[str, Any]]:
    """Return the numbers and relations of the joints of a stage, read by OpenUSD."""
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    prims = (prim for prim in stage.Traverse() if prim.IsA(UsdPhysics.Joint))
    return {
        prim.GetName(): {each.GetName(): each.Get() for each in prim.GetAuthoredAttributes()}
        | {each.GetName(): each.GetTargets() for each in prim.GetRelationships()}
        for prim in prims
    }


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_other_joints_of_a_stage_stay_what_they_are(tmp_path: Path, number: int) -> None:
    row = format_of("usd")
    scene, kept = kept_scene(row, arm(), tmp_path)
    before = joint_prims(kept.document.path)
    path, written = written_into(row, without_joint(scene, number), kept, tmp_path)
    after = joint_prims(path)
    del before[list(before)[number]]
    assert after == before
    assert not written.losses


def test_a_loop_is_taken_out_of_a_model(tmp_path: Path) -> None:
    row = format_of("mjcf")
    build = SceneBuilder()
    one, two, post = (
        build.body((0, 0, 0)),
        build.body((1, 0, 0)),
        build.body((0, 0, 0), type="static"),
    )
    build.joint(hinge(), one, post, (0, 0, 0))
    build.joint(hinge(), two, one, (0.5, 0, 0))
    build.joint(pin(), two, post, (1, 0, 0))
    scene, kept = kept_scene(row, build.scene(), tmp_path)
    loops = ET.parse(kept.document.path).findall("equality/*")
    assert len(loops) == 1
    (number,) = (
        n for n, joint in enumerate(scene.joints) if scene.names[joint.node] == loops[0].get("name")
    )
    path, written = written_into(row, without_joint(scene, number), kept, tmp_path)
    assert not ET.parse(path).findall("equality/*")
    left, right = (ET.parse(each).findall(".//body/joint") for each in (kept.document.path, path))
    assert [each.attrib for each in left] == [each.attrib for each in right]
    assert not [loss for loss in written.losses if loss.noun == "joint"]


def looks(tmp_path: Path) -> tuple[PhysicsScene, Kept]:
    """Return a stage of a body that shows and collides, and is turned, away from the origin."""
    build = SceneBuilder()
    body = build.body((1, 2, 3), turn((0, 0, 1), 0.5))
    collider, visual = (build.node((1, 2, n + 3.5), parent=body) for n in range(2))
    scene = replace(
        build.scene(),
        colliders={collider: Collider(shape=Box(size=(0.5, 0.5, 0.5)))},
        visuals={visual: Visual(shape=Box(size=(1, 1, 1)), color=(0.2, 0.4, 0.6, 1.0))},
    )
    return kept_scene(format_of("usd"), scene, tmp_path)


def test_a_collider_that_moved_on_its_body_is_moved_in_the_stage(tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    row = format_of("usd")
    scene, kept = looks(tmp_path)
    (node,) = scene.colliders
    matrices = scene.matrices.copy()
    matrices[node, :3, 3] += (0.25, 0.0, -0.5)
    path, written = written_into(row, replace(scene, matrices=matrices), kept, tmp_path)
    assert not written.losses
    places = []
    for each in (kept.document.path, path):
        stage = Usd.Stage.Open(str(each))
        (cube,) = (prim for prim in stage.Traverse() if prim.HasAPI("PhysicsCollisionAPI"))
        places.append(UsdGeom.XformCache().GetLocalToWorldTransform(cube).ExtractTranslation())
    assert tuple(places[1] - places[0]) == pytest.approx((0.25, 0.0, -0.5), abs=1e-9)


def test_looks_that_a_stage_keeps_are_named(tmp_path: Path) -> None:
    row = format_of("usd")
    scene, kept = looks(tmp_path)
    (node,) = scene.visuals
    red = replace(scene.visuals[node], color=(1.0, 0.0, 0.0, 1.0))
    edits = {
        "visual": replace(scene, visuals={}),
        "color": replace(scene, visuals={node: red}),
    }
    for noun, edited in edits.items():
        _, written = written_into(row, edited, kept, tmp_path)
        assert [loss.noun for loss in written.losses] == [noun]


def test_the_name_of_a_model_is_that_of_its_stage(tmp_path: Path) -> None:
    row = format_of("usd")
    scene, kept = looks(tmp_path)
    path, written = written_into(row, replace(scene, name="another"), kept, tmp_path)
    assert not written.losses
    assert row.read(Source(path=path))[0].scene.name == "another"


def test_frames_pulled_apart_are_named_in_a_model(tmp_path: Path) -> None:
    """MJCF has one place for a joint."""
    row = format_of("mjcf")
    scene, kept = kept_scene(row, arm(2), tmp_path)
    matrices = scene.matrices.copy()
    node = scene.joints[0].node
    matrices[node, :3, 3] += (0.0, 0.25, 0.0)
    _, written = written_into(row, replace(scene, matrices=matrices), kept, tmp_path)
    assert [(loss.place, loss.noun) for loss in written.losses] == [(scene.names[node], "frames")]


def test_a_joint_that_is_gone_is_not_in_a_shift_file(tmp_path: Path) -> None:
    row = format_of("shift")
    scene, kept = kept_scene(row, arm(), tmp_path)
    path, written = written_into(row, without_joint(scene, 1), kept, tmp_path)
    assert not written.losses
    again = row.read(Source(path=path))[0].scene
    left = [scene.names[joint.node] for joint in (scene.joints[0], scene.joints[2])]
    assert [again.names[joint.node] for joint in again.joints] == left
    for name in scene.names:
        places = again.matrices[again.names.index(name)], scene.matrices[scene.names.index(name)]
        assert places[0] == pytest.approx(places[1], abs=1e-9), name


def carried(path: Path, tag: str, name: str) -> dict[str, Any]:
    """Return what an element of a robot says that only this program reads."""
    found: dict[str, Any] = json.loads(ET.parse(path).findtext(f"{tag}[@name='{name}']") or "{}")
    return found


def test_what_only_this_program_reads_in_a_robot_follows_edits(tmp_path: Path) -> None:
    row = format_of("urdf")
    scene = arm(2)
    bodies = sorted(scene.motions)
    joints = tuple(
        replace(joint, attributes=replace(joint.attributes, break_force=10.0))
        for joint in scene.joints
    )
    drawn = replace(
        scene,
        joints=joints,
        gravity=(0.0, 0.0, -1.6),
        excluded_pairs=((bodies[0], bodies[2]), (bodies[1], bodies[2])),
    )
    before, kept = kept_scene(row, drawn, tmp_path)
    name = before.names[before.joints[1].node]
    assert carried(kept.document.path, "omi_joint", name)["attributes"]["break_force"] == 10.0
    weaker = replace(before.joints[1].attributes, break_force=7.0)
    edited = replace(
        before,
        joints=(before.joints[0], replace(before.joints[1], attributes=weaker)),
        gravity=(0.0, 0.0, -3.7),
        excluded_pairs=before.excluded_pairs[:1],
    )
    path, _ = written_into(row, edited, kept, tmp_path)
    assert carried(path, "omi_joint", name)["attributes"]["break_force"] == 7.0
    assert carried(path, "omi_scene", "")["gravity"] == [0.0, 0.0, -3.7]
    (pair,) = ET.parse(path.with_suffix(".srdf")).iterfind("disable_collisions")
    assert {pair.get("link1"), pair.get("link2")} == {
        before.names[node] for node in before.excluded_pairs[0]
    }
    other = before.names[before.joints[0].node]
    one, two = (carried(each, "omi_joint", other) for each in (kept.document.path, path))
    assert one == two


def removals(scene: PhysicsScene) -> Iterator[PhysicsScene]:
    """Yield a scene without each of its parts in turn."""
    for name in FIELDS:
        for node in getattr(scene, name):
            parts = {key: part for key, part in getattr(scene, name).items() if key != node}
            yield replace(scene, **{name: parts})
    for name in LISTS:
        for number in range(len(getattr(scene, name))):
            rest = [part for n, part in enumerate(getattr(scene, name)) if n != number]
            yield replace(scene, **{name: tuple(rest)}, **_without_couplings(scene, name, number))


def _without_couplings(scene: PhysicsScene, name: str, number: int) -> dict[str, Any]:
    """Return the couplings of a scene without one of its joints, which are by number."""
    if name != "joints":
        return {}
    left = (each for each in scene.couplings if number not in (each.joint, each.source))
    couplings = (
        replace(
            each,
            joint=each.joint - (each.joint > number),
            source=each.source - (each.source > number),
        )
        for each in left
    )
    return {"couplings": tuple(couplings)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["usd", "shift", "mjcf", "urdf"])
@given(scene=scenes(), pick=st.integers(0, 99))
@settings(suppress_health_check=list(HealthCheck))
def test_what_is_removed_is_gone_or_named(
    name: str, tmp_path: Path, scene: PhysicsScene, pick: int
) -> None:
    row = format_of(name)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    before, kept = kept_scene(row, scene, folder)
    edited = list(removals(before))
    if not edited:
        return
    after = edited[pick % len(edited)]
    path, written = written_into(row, after, kept, folder)
    assert removed_are_gone_or_named(before, after, row.read(Source(path=path))[0].scene, written)


def removed_are_gone_or_named(
    before: PhysicsScene, after: PhysicsScene, again: PhysicsScene, written: Written
) -> bool:
    """Return whether a file, read `again`, lacks what was removed, or the report names it.

    A joint whose body was removed is on the world in the file as in the scene.
    """
    same = {node: node for node in range(len(before.names))}
    gone = set(differences(before, again, matched_by_name(before, again)))
    wrong = set(differences(after, again, matched_by_name(after, again)))
    joints = {joint.node for joint in after.joints}
    named = {loss.place for loss in written.losses}
    return all(
        each in gone
        or (before.names[each.node] if each.node >= 0 else "") in named
        or (each.noun == "joint" and each.node in joints and each not in wrong)
        for each in differences(before, after, same)
        if each.noun in PRESENT
    )


def test_a_joint_whose_static_body_is_removed_is_on_the_world_in_a_robot(tmp_path: Path) -> None:
    """The other static bodies are the world there as well."""
    row, build = format_of("urdf"), SceneBuilder()
    posts = [build.body((0, 0, 0), type="static") for _ in range(3)]
    body = build.body((1, 0, 0))
    build.joint(hinge(), body, posts[0], (0.5, 0, 0))
    before, kept = kept_scene(row, build.scene(), tmp_path)
    held = before.names.index(build.scene().names[posts[0]])
    motions = {node: each for node, each in before.motions.items() if node != held}
    after = replace(before, motions=motions)
    path, written = written_into(row, after, kept, tmp_path)
    again = row.read(Source(path=path))[0].scene
    links = {each.get("link") for each in ET.parse(path).findall("joint[@type!='fixed']/*[@link]")}
    assert links == {"world", build.scene().names[body]}
    assert removed_are_gone_or_named(before, after, again, written)


SCALED = """#usda 1.0
( upAxis = "Z"
  metersPerUnit = 1 )
def Xform "Base" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
{
  bool physics:kinematicEnabled = 1
}
def Xform "Arm" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
{
  double3 xformOp:translate = (1, 2, 3)
  double3 xformOp:scale = (2, 2, 2)
  uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
}
def PhysicsRevoluteJoint "Hinge"
{
  rel physics:body0 = </Base>
  rel physics:body1 = </Arm>
  uniform token physics:axis = "Z"
  point3f physics:localPos0 = (1, 2, 2)
  point3f physics:localPos1 = (0, 0, -0.5)
}
"""


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("Arm", "translate = (1, 2, 3)", "translate = (1, 2, 4)"),
        ("Hinge", "localPos1 = (0, 0, -0.5)", "localPos1 = (0, 0, 0)"),
    ],
)
def test_scaled_bodies_and_their_frames_move_by_one_value(
    tmp_path: Path, what: str, old: str, new: str
) -> None:
    """The scale of a body is that of its frames' positions, whichever of them moved."""
    row, path = format_of("usd"), tmp_path / "scaled.usda"
    path.write_text(SCALED)
    read = row.read(Source(path=path))[0]
    scene, matrices = read.scene, read.scene.matrices.copy()
    arm = scene.names.index("Arm")
    ends = [end for joint in scene.joints for end in (joint.node, joint.other)]
    is_moved = scene.bodies() == arm
    if what == "Hinge":
        is_moved &= np.isin(np.arange(len(scene.names)), ends)
    matrices[is_moved, :3, 3] += (0, 0, 1)
    kept = Kept(document=read.document, read=read)
    path, written = written_into(row, replace(scene, matrices=matrices), kept, tmp_path)
    assert path.read_text() == SCALED.replace(old, new)
    assert not written.losses

"""Edits of a stage as a layer above it: what is not edited stays as it is, path by path."""

from collections.abc import Callable
from dataclasses import replace
from difflib import ndiff
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.meaning.presets import Preset, ball_with_cone, preset_settings
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointLimit
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io.formats.format import (
    Kept,
    Read,
    Source,
    Target,
    UnwritableError,
    Written,
)
from omi_joints_addon.io.formats.usd import USD
from tests.usd_layers import ARM, HINGE, ROBOT, opinions

from .usd_scenes import parsed, validator_errors

pytestmark = pytest.mark.slow

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "assets" / "robot.usda"
    path.parent.mkdir()
    path.write_text(ROBOT)
    return path


def write(
    robot: Path,
    edit: Callable[[PhysicsScene], PhysicsScene],
    target: str = "physics.usda",
    layer: str = "above",
) -> tuple[Path, Written]:
    read = USD.read(Source(path=robot))[0]
    assert read.document is not None
    path = robot.parent / target
    options = {"layer": layer}
    kept = Kept(document=read.document, read=read)
    written = USD.write(edit(read.scene), Target(path=path, options=options, kept=kept))
    path.write_bytes(written.files[path.name])
    return path, written


def first_joint(scene: PhysicsScene, **changes: Any) -> PhysicsScene:
    return replace(scene, joints=(replace(scene.joints[0], **changes), *scene.joints[1:]))


def with_limit(scene: PhysicsScene, **changes: float) -> PhysicsScene:
    settings = scene.joints[0].settings
    limits = tuple(
        replace(limit, **changes) if limit.min != limit.max else limit for limit in settings.limits
    )
    return first_joint(scene, settings=replace(settings, limits=limits))


def node(scene: PhysicsScene, name: str) -> int:
    return scene.names.index(name)


def test_unedited_says_nothing_and_composes_to_the_same(robot: Path) -> None:
    path, written = write(robot, replace)
    assert opinions(path) == {}
    assert not written.losses
    from pxr import Usd, UsdGeom

    stage, original = Usd.Stage.Open(str(path)), Usd.Stage.Open(str(robot))
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    assert str(stage.GetDefaultPrim().GetPath()) == "/Robot"
    assert [str(p.GetPath()) for p in stage.TraverseAll()] == [
        str(p.GetPath()) for p in original.TraverseAll()
    ]
    assert parsed(path) == parsed(robot)


def test_the_original_is_named_from_where_the_layer_is(robot: Path) -> None:
    from pxr import Sdf

    (robot.parent / "config").mkdir()
    path, _ = write(robot, lambda scene: scene, "config/physics.usda")
    path = robot.parent / "config" / "physics.usda"
    assert list(Sdf.Layer.FindOrOpen(str(path)).subLayerPaths) == ["../robot.usda"]


def test_an_edited_limit_is_one_opinion_in_the_zero_of_the_file(robot: Path) -> None:
    middle = np.radians(85.0)
    path, written = write(robot, lambda scene: with_limit(scene, max=np.radians(170.0) - middle))
    assert opinions(path) == {f"{HINGE}.physics:upperLimit": pytest.approx(170.0, abs=1e-4)}
    assert not written.losses
    assert not validator_errors(path)


def test_a_limit_that_goes_is_set_to_what_the_schema_says(robot: Path) -> None:
    def free(scene: PhysicsScene) -> PhysicsScene:
        settings = scene.joints[0].settings
        limits = tuple(limit for limit in settings.limits if limit.min == limit.max)
        return first_joint(scene, settings=replace(settings, limits=limits))

    path, _ = write(robot, free)
    assert opinions(path) == {
        f"{HINGE}.physics:lowerLimit": -np.inf,
        f"{HINGE}.physics:upperLimit": np.inf,
    }


def test_edited_drive_armature_and_mass(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        joint = scene.joints[0]
        drive = replace(
            joint.settings.drives[0], stiffness=2.0 * joint.settings.drives[0].stiffness
        )
        attributes = replace(joint.attributes, armature=2.0 * joint.attributes.armature)
        settings = replace(joint.settings, drives=(drive,))
        base = node(scene, "base")
        motions = dict(scene.motions) | {base: replace(scene.motions[base], mass=7.0)}
        edited = replace(scene, motions=motions)
        return first_joint(edited, settings=settings, attributes=attributes)

    path, _ = write(robot, edit)
    assert opinions(path) == {
        f"{HINGE}.drive:angular:physics:stiffness": pytest.approx(10.0, rel=1e-6),
        f"{HINGE}.newton:armature": pytest.approx(1.0, rel=1e-6),
        "/Robot/Geometry/base.physics:mass": 7.0,
        "/Robot/Geometry/base apiSchemas": opinions(path)["/Robot/Geometry/base apiSchemas"],
    }
    schemas = opinions(path)["/Robot/Geometry/base apiSchemas"]
    assert list(schemas.prependedItems) == ["PhysicsMassAPI"]


def test_moved_frame_is_two_opinions_in_the_scaled_axes_of_the_body(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        matrices = scene.matrices.copy()
        matrices[scene.joints[0].node, :3, 3] += (0.1, 0.0, 0.0)
        return replace(scene, matrices=matrices)

    path, _ = write(robot, edit)
    found = opinions(path)
    assert found.keys() == {f"{HINGE}.physics:localPos0"}
    assert tuple(found[f"{HINGE}.physics:localPos0"]) == pytest.approx((17.5, 0, 0), abs=1e-4)


def test_moved_body_takes_its_frames_along(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        matrices = scene.matrices.copy()
        matrices[scene.bodies() == node(scene, "arm"), :3, 3] += (0.0, 0.0, 0.25)
        return replace(scene, matrices=matrices)

    path, _ = write(robot, edit)
    found = opinions(path)
    assert found.keys() == {f"{ARM}.xformOp:translate"}
    assert tuple(found[f"{ARM}.xformOp:translate"]) == pytest.approx((50, 75, 0), abs=1e-4)


def test_turned_body_gets_one_matrix_where_it_has_no_step_for_it(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        matrices = scene.matrices.copy()
        matrices[node(scene, "tool"), :3, :3] = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
        return replace(scene, matrices=matrices)

    path, _ = write(robot, edit)
    tool = "/Robot/Geometry/tool"
    frame = "/Robot/Physics/animated"
    assert opinions(path).keys() == {
        f"{tool}.xformOp:transform",
        f"{tool}.xformOpOrder",
        f"{frame}.physics:localPos1",
        f"{frame}.physics:localRot1",
    }
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(path))
    world = UsdGeom.XformCache().GetLocalToWorldTransform(stage.GetPrimAtPath(tool))
    assert tuple(world.ExtractTranslation()) == pytest.approx((90, 50, 0), abs=1e-4)
    # A quarter turn about Z of the scene is one about Y of the stage.
    assert tuple(world.TransformDir((1, 0, 0))) == pytest.approx((0, 0, -1), abs=1e-6)


def test_whole_moved_is_no_edit(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        matrices = scene.matrices.copy()
        matrices[:, :3, 3] += (3.0, 1.0, 0.0)
        return replace(scene, matrices=matrices)

    path, written = write(robot, edit)
    assert opinions(path) == {}
    assert [str(loss.noun) for loss in written.losses] == ["pose"]


def test_renamed_body_gets_a_name_to_show(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        names = [*scene.names]
        names[node(scene, "arm")] = "Upper arm"
        return replace(scene, names=tuple(names))

    path, _ = write(robot, edit)
    assert opinions(path) == {f"{ARM} displayName": "Upper arm"}


def test_new_joint_is_defined_and_the_rest_stays(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        count = len(scene.names)
        at = np.eye(4)
        at[:3, 3] = (0.7, 0.0, 0.5)
        joint = Joint(
            node=count, connected=count + 1, settings=preset_settings(Preset.BALL_WITH_CONE)
        )
        parents = [node(scene, "base"), node(scene, "tool")]
        return replace(
            scene,
            names=(*scene.names, "extra", "extra end"),
            parents=np.append(scene.parents, parents),
            matrices=np.concatenate((scene.matrices, [at, at])),
            joints=(*scene.joints, joint),
        )

    path, _ = write(robot, edit)
    assert {at.split(".")[0].split(" ")[0] for at in opinions(path)} == {
        "/Robot/Joints",
        "/Robot/Joints/extra",
    }
    read = USD.read(Source(path=path))[0].scene
    joint = read.joints[-1]
    ends = [read.names[int(read.bodies()[end])] for end in (joint.node, joint.other)]
    assert ends == ["base", "tool"]
    for end in (joint.node, joint.other):
        assert read.matrices[end][:3, 3] == pytest.approx((0.7, 0.0, 0.5), abs=1e-6)
    assert not validator_errors(path)


def test_new_type_of_joint(robot: Path) -> None:
    path, _ = write(robot, lambda scene: first_joint(scene, settings=preset_settings(Preset.FIXED)))
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    assert stage.GetPrimAtPath(HINGE).GetTypeName() == "PhysicsFixedJoint"


def test_animated_value_is_left_and_reported(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        joint = scene.joints[1]
        limits = tuple(
            JointLimit(angular_axes=limit.angular_axes, min=-0.5, max=limit.max)
            if limit.min != limit.max
            else limit
            for limit in joint.settings.limits
        )
        changed = replace(joint, settings=replace(joint.settings, limits=limits))
        return replace(scene, joints=(scene.joints[0], changed))

    path, written = write(robot, edit)
    assert opinions(path) == {}
    assert [loss.noun for loss in written.losses] == ["physics:lowerLimit"]


def test_body_that_becomes_static_loses_its_api(robot: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        motions = dict(scene.motions)
        motions[node(scene, "tool")] = replace(motions[node(scene, "tool")], type="static")
        return replace(scene, motions=motions)

    path, _ = write(robot, edit)
    from pxr import Usd, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    assert not stage.GetPrimAtPath("/Robot/Geometry/tool").HasAPI(UsdPhysics.RigidBodyAPI)


def test_into_the_original(robot: Path) -> None:
    middle = np.radians(85.0)
    path, _ = write(
        robot, lambda s: with_limit(s, max=np.radians(170.0) - middle), "robot.usda", "into"
    )
    assert changed_lines(path) == ["float physics:upperLimit = 170"]


ISAAC = """#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 0.01
    upAxis = "Y"
)

# Switches between no physics and PhysX.
def Xform "Robot" (
    variants = {
        string Physics = "PhysX"
    }
    prepend references = @configuration/robot_base.usda@
    prepend variantSets = "Physics"
)
{
    variantSet "Physics" = {
        "None" {
        }
        "PhysX" (
            prepend payload = @configuration/robot_physics.usda@
        ) {
        }
    }
}
"""


def isaac_robot(folder: Path) -> Path:
    """Write a robot as Isaac lays assets out: shapes by reference, physics by payload."""
    (folder / "configuration").mkdir()
    start = ROBOT.index('    def Scope "Physics"')
    base, physics = ROBOT[:start] + "}\n", ROBOT[start:]
    header = ROBOT[: ROBOT.index("# A comment")]
    (folder / "configuration" / "robot_base.usda").write_text(base)
    over = f'{header}over "Robot"\n{{\n{physics}'
    (folder / "configuration" / "robot_physics.usda").write_text(over)
    path = folder / "robot.usda"
    path.write_text(ISAAC)
    return path


@pytest.mark.parametrize("layer", ["into", "above"])
def test_edits_of_physics_in_the_payload_of_a_variant(tmp_path: Path, layer: str) -> None:
    path = isaac_robot(tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.usda")}
    assert len(USD.read(Source(path=path))[0].scene.joints) == 2
    middle = np.radians(85.0)
    edited, written = write(
        path, lambda s: with_limit(s, max=np.radians(170.0) - middle), "edited.usda", layer
    )
    assert not written.losses
    assert {file: file.read_bytes() for file in before} == before
    assert opinions(edited)[f"{HINGE}.physics:upperLimit"] == pytest.approx(170.0, abs=1e-4)
    from pxr import Usd

    stage = Usd.Stage.Open(str(edited))
    limit = stage.GetPrimAtPath(HINGE).GetAttribute("physics:upperLimit")
    assert limit.Get() == pytest.approx(170.0, abs=1e-4)
    stage.GetPrimAtPath("/Robot").GetVariantSet("Physics").SetVariantSelection("None")
    assert not stage.GetPrimAtPath(HINGE).IsDefined()
    if layer == "into":
        assert "# Switches between" in edited.read_text()
        assert edited.read_text().startswith(ISAAC[: ISAAC.index("variantSet")])


@pytest.mark.parametrize("listed", ["prepend apiSchemas", "append apiSchemas", "apiSchemas"])
def test_a_mass_in_the_original_leaves_the_other_schemas_of_the_body(
    robot: Path, listed: str
) -> None:
    robot.write_text(ROBOT.replace("prepend apiSchemas", listed))

    def heavier(scene: PhysicsScene) -> PhysicsScene:
        tool = node(scene, "tool")
        return replace(scene, motions=dict(scene.motions) | {tool: Motion(mass=7.0)})

    path, _ = write(robot, heavier, "heavier.usda", "into")
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    tool = stage.GetPrimAtPath("/Robot/Geometry/tool")
    assert set(tool.GetAppliedSchemas()) == {"PhysicsRigidBodyAPI", "PhysicsMassAPI"}
    path, _ = write(
        robot, lambda s: replace(s, motions={node(s, "base"): Motion()}), "static.usda", "into"
    )
    stage = Usd.Stage.Open(str(path))
    arm = stage.GetPrimAtPath(ARM)
    assert "PhysicsRigidBodyAPI" not in arm.GetAppliedSchemas()


def changed_lines(path: Path) -> list[str]:
    """Return the lines that the robot does not have; those that are gone are marked."""
    lines = ndiff(ROBOT.splitlines(), path.read_text().splitlines())
    return [line[2:].strip() for line in lines if line[0] == "+"]


def test_into_the_original_in_each_way_of_editing(robot: Path) -> None:
    """What a layer says of a deleted joint and a renamed body goes into the text, too."""
    deleted, _ = write(robot, lambda s: replace(s, joints=s.joints[:1]), "a.usda", "into")
    assert changed_lines(deleted) == [
        'def PhysicsRevoluteJoint "animated" (',
        "active = false",
        ")",
    ]
    assert len(USD.read(Source(path=deleted))[0].scene.joints) == 1
    names = [*USD.read(Source(path=robot))[0].scene.names]
    names[names.index("tool")] = "Gripper"
    renamed, _ = write(robot, lambda s: replace(s, names=tuple(names)), "b.usda", "into")
    (line,) = changed_lines(renamed)
    assert line.endswith('"PhysicsRigidBodyAPI"]; displayName = "Gripper")')
    assert not validator_errors(renamed)


def test_unedited_is_the_same_file_with_those_that_it_refers_to(
    robot: Path, tmp_path: Path
) -> None:
    (robot.parent / "parts").mkdir()
    (robot.parent / "parts" / "look.usda").write_text('#usda 1.0\ndef "Look" {}\n# Kept.\n')
    (robot.parent / "parts" / "paint.png").write_bytes(b"paint")
    text = ROBOT.replace('custom string note = "keep"', "asset paint = @parts/paint.png@")
    text = text.replace(
        "(\n    default", "(\n    subLayers = [@./parts/look.usda@]\n    default", 1
    )
    robot.write_text(text)
    target = tmp_path / "elsewhere" / "again.usda"
    target.parent.mkdir()
    assert main(["convert", str(robot), str(target), "--strict", "--verify"]) == 0
    assert target.read_bytes() == robot.read_bytes()
    for name in ("look.usda", "paint.png"):
        copy = target.parent / "parts" / name
        assert copy.read_bytes() == (robot.parent / "parts" / name).read_bytes()
    binary, again = tmp_path / "robot.usdc", tmp_path / "again.usdc"
    assert main(["convert", str(robot), str(binary)]) == 0
    assert main(["convert", str(binary), str(again)]) == 0
    assert binary.read_bytes()[:8] == b"PXR-USDC"
    assert again.read_bytes() == binary.read_bytes()
    assert main(["convert", str(robot), str(tmp_path / "new.usda"), "-o", "source=new"]) == 0
    assert "# A comment." not in (tmp_path / "new.usda").read_text()


def test_a_package_is_the_same_file_and_written_anew_where_it_is_edited(tmp_path: Path) -> None:
    package, again = tmp_path / "robot.usdz", tmp_path / "again.usdz"
    source = tmp_path / "robot.usda"
    source.write_text(ROBOT)
    assert main(["convert", str(source), str(package)]) == 0
    assert main(["convert", str(package), str(again)]) == 0
    assert again.read_bytes() == package.read_bytes()
    path, _ = write(package, lambda scene: with_limit(scene, max=0.5), "edited.usdz", "into")
    assert parsed(path)


def test_layer_needs_a_file_and_a_name_of_its_own(robot: Path) -> None:
    scene = USD.read(Source(path=robot))[0].scene
    with pytest.raises(UnwritableError, match="read from a USD file"):
        USD.write(scene, Target(path=robot.parent / "x.usda", options={"layer": "above"}))
    with pytest.raises(UnwritableError, match="name of its own"):
        write(robot, lambda scene: scene, robot.name)
    with pytest.raises(UnwritableError, match="whole, above or into"):
        write(robot, lambda scene: scene, layer="below")


def test_layer_above_a_file_of_another_folder_is_read_where_that_is_named(robot: Path) -> None:
    (robot.parent / "config").mkdir()
    path, _ = write(robot, lambda scene: with_limit(scene, max=0.5), "config/physics.usda")
    unnamed = USD.read(Source(path=path))[0]
    assert not unnamed.scene.joints
    assert any("option folder" in str(finding) for finding in unnamed.findings)
    assert "OMI-U025" in [finding.code for finding in unnamed.findings]
    named = USD.read(Source(path=path, options={"folder": str(robot.parent)}))[0]
    assert len(named.scene.joints) == 2
    assert not [finding for finding in named.findings if finding.code == "OMI-U017"]


def with_cone(scene: PhysicsScene, size: float) -> PhysicsScene:
    return first_joint(scene, settings=ball_with_cone(cone=size))


def rewritten(path: Path, scene: PhysicsScene, read: Read) -> Written:
    assert read.document is not None
    kept = Kept(document=read.document, read=read)
    written = USD.write(scene, Target(path=path, kept=kept))
    path.write_bytes(bytes(written.files[path.name]))
    return written


@pytest.mark.parametrize("layer", ["above", "into"])
def test_a_cone_in_a_stage_of_others_is_named_and_carried(robot: Path, layer: str) -> None:
    path, written = write(robot, lambda scene: with_cone(scene, 0.5), "edited.usda", layer)
    assert ("limit", "converted") in [(loss.noun, loss.how) for loss in written.losses]
    (found,) = USD.read(Source(path=path))
    cone = ball_with_cone(cone=0.5)
    assert found.scene.joints[0].settings == cone
    assert "OMI-U003" not in [each.code for each in found.findings]


def test_what_is_carried_stays_true_through_edits_in_the_file(robot: Path) -> None:
    """UsdPhysics has pyramids only: a cone that is edited must not become one."""
    path, _ = write(robot, lambda scene: with_cone(scene, 0.5), "own.usda", "into")
    for size in (0.4, 0.7):
        (read,) = USD.read(Source(path=path))
        assert not rewritten(path, with_cone(read.scene, size), read).losses
        (found,) = USD.read(Source(path=path))
        expected = ball_with_cone(cone=size)
        assert found.scene.joints[0].settings == expected
        assert "OMI-U003" not in [each.code for each in found.findings]


def test_what_others_keep_with_a_prim_stays_beside_what_is_carried(robot: Path) -> None:
    path, _ = write(robot, lambda scene: with_cone(scene, 0.5), "own.usda", "into")
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    stage.GetPrimAtPath(HINGE).SetCustomDataByKey("studio", "checked")
    stage.GetRootLayer().Save()
    (read,) = USD.read(Source(path=path))
    rewritten(path, with_cone(read.scene, 0.4), read)
    stage = Usd.Stage.Open(str(path))
    assert stage.GetPrimAtPath(HINGE).GetCustomDataByKey("studio") == "checked"

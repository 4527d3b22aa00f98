"""Words of UsdPhysics, PhysX, Newton and MuJoCo in stages: understood, kept or reported."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.pose import pose_from_matrix
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Trimesh
from omi_joints_addon.io.formats.format import Read

from .usd_scenes import parsed, read_text, written
from .usd_scenes import read as read_file

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

HEAD = '(\n    defaultPrim = "W"\n    metersPerUnit = 1\n    upAxis = "Z"\n)\n'
BODIES = """
def Xform "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    def Cube "C" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double size = 0.3 }
}
def Xform "B" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{
    double3 xformOp:translate = (1, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Cube "C" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { double size = 0.3 }
}
"""
ENDS = """
    rel physics:body0 = </W/A>
    rel physics:body1 = </W/B>
    point3f physics:localPos0 = (0.5, 0, 0)
    point3f physics:localPos1 = (-0.5, 0, 0)
"""
MESH = """
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
"""


def stage(text: str, folder: Path) -> Read:
    """Read prims below one; text of USD wants each closing bracket on a line of its own."""
    body = text.replace("}", "\n}\n")
    return read_text(f'{HEAD}def Xform "W"\n{{\n{body}\n}}\n', folder)


def joint(kind: str, text: str, folder: Path, *schemas: str) -> Read:
    names = ", ".join(f'"{name}"' for name in schemas)
    applied = f"(prepend apiSchemas = [{names}])" if schemas else ""
    return stage(f'{BODIES} def {kind} "J" {applied} {{ {ENDS} {text} }}', folder)


@dataclass(frozen=True)
class Shown:
    """What OpenUSD reads of one prim of a written file."""

    kind: str
    schemas: list[str]
    values: dict[str, Any]
    relationships: list[str]


def shown(path: Path) -> list[Shown]:
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    return [
        Shown(
            str(prim.GetTypeName()),
            list(prim.GetPrimTypeInfo().GetAppliedAPISchemas()),
            {each.GetName(): each.Get() for each in prim.GetAuthoredAttributes()},
            [each.GetName() for each in prim.GetAuthoredRelationships()],
        )
        for prim in stage.Traverse()
    ]


def written_joint(scene: PhysicsScene, folder: Path, kind: str = "PhysicsRevoluteJoint") -> Shown:
    (found,) = [prim for prim in shown(written(scene, folder)) if prim.kind == kind]
    return found


def codes(read: Read) -> list[str]:
    return [finding.code for finding in read.findings]


def test_collider_that_is_turned_off_stays_off(tmp_path: Path) -> None:
    read = stage(
        'def Sphere "S" (prepend apiSchemas = ["PhysicsCollisionAPI"])'
        "{ double radius = 0.5\n bool physics:collisionEnabled = 0 }",
        tmp_path,
    )
    assert not read.scene.colliders
    assert codes(read) == ["OMI-U020"]
    found = [
        prim.values["physics:collisionEnabled"]
        for prim in shown(written(read.scene, tmp_path))
        if "PhysicsCollisionAPI" in prim.schemas
    ]
    assert found == [False]


@pytest.mark.parametrize("word", ["convexDecomposition", "meshSimplification", "sdf", "sphereFill"])
@pytest.mark.parametrize("is_body", [True, False])
def test_approximations_keep_their_words(word: str, is_body: bool, tmp_path: Path) -> None:
    body = '"PhysicsRigidBodyAPI", ' if is_body else ""
    read = stage(
        f'def Mesh "T" (prepend apiSchemas = [{body}"PhysicsCollisionAPI",'
        f'"PhysicsMeshCollisionAPI"]) {{ uniform token physics:approximation = "{word}" {MESH} }}',
        tmp_path,
    )
    (collider,) = read.scene.colliders.values()
    assert isinstance(collider.shape, Convex if is_body else Trimesh)
    words = [
        prim.values.get("physics:approximation") for prim in shown(written(read.scene, tmp_path))
    ]
    assert [found for found in words if found] == [word]


def test_end_on_a_scope_is_the_world_or_the_body_above(tmp_path: Path) -> None:
    read = stage(
        f'{BODIES} def Scope "S" {{}}'
        'def PhysicsRevoluteJoint "J" { rel physics:body0 = </W/S>\n rel physics:body1 = </W/B>\n'
        "point3f physics:localPos0 = (1, 2, 3) }",
        tmp_path,
    )
    assert not read.findings
    (found,) = read.scene.joints
    assert read.scene.names[int(read.scene.parents[found.node])] == "World Anchor"
    at = pose_from_matrix(read.scene.matrices[found.node])
    assert at.position.tolist() == [1.0, 2.0, 3.0]


def test_plane_is_a_wide_box(tmp_path: Path) -> None:
    read = stage(
        'def Plane "P" (prepend apiSchemas = ["PhysicsCollisionAPI"])'
        '{ uniform token axis = "Y"\n double3 xformOp:translate = (0, 2, 0)\n'
        'uniform token[] xformOpOrder = ["xformOp:translate"] }',
        tmp_path,
    )
    ((node, collider),) = read.scene.colliders.items()
    assert collider.shape == Box(size=(100.0, 1.0, 100.0))
    assert read.scene.matrices[node][:3, 3].tolist() == [0.0, 1.5, 0.0]
    assert codes(read) == ["OMI-U021"]
    assert not read.scene.visuals


def test_capsule_with_two_radii(tmp_path: Path) -> None:
    read = stage(
        'def Capsule_1 "P" (prepend apiSchemas = ["PhysicsCollisionAPI"])'
        "{ double radiusBottom = 0.2\n double radiusTop = 0.1\n double height = 0.7 }",
        tmp_path,
    )
    (collider,) = read.scene.colliders.values()
    assert collider.shape == Capsule(height=0.7, radius_bottom=0.2, radius_top=0.1)


def test_point_instancer_is_reported_and_its_prototypes_are_no_bodies(tmp_path: Path) -> None:
    read = stage(
        'def PointInstancer "PI" { int[] protoIndices = [0, 0]\n rel prototypes = [</W/PI/P>]\n'
        'point3f[] positions = [(0, 0, 0), (3, 0, 0)]\n def Xform "P" {'
        'def Cube "R" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {} } }',
        tmp_path,
    )
    assert not read.scene.motions
    assert not read.scene.colliders
    assert codes(read) == ["OMI-U022"]


def test_largest_single_is_endless(tmp_path: Path) -> None:
    text = "float physics:breakForce = 3.4028235e38\n float physics:breakTorque = 3.4028235e38"
    (found,) = joint("PhysicsRevoluteJoint", text, tmp_path).scene.joints
    assert (found.attributes.break_force, found.attributes.break_torque) == (math.inf, math.inf)


@pytest.mark.parametrize(
    ("schema", "text", "friction", "armature", "velocity"),
    [
        (
            "PhysxJointAxisAPI:angular",
            "float physxJointAxis:angular:armature = 0.1\n"
            "float physxJointAxis:angular:dynamicFrictionEffort = 0.5\n"
            "float physxJointAxis:angular:maxJointVelocity = 180",
            0.5,
            0.1,
            math.pi,
        ),
        (
            "NewtonJointAPI",
            "float newton:armature = 0.1\n float newton:friction = 0.5\n"
            "float newton:velocityLimit = 180",
            0.5,
            0.1,
            math.pi,
        ),
        (
            "MjcJointAPI",
            "uniform double mjc:armature = 0.1\n uniform double mjc:frictionloss = 0.5",
            0.5,
            0.1,
            math.inf,
        ),
    ],
)
def test_attributes_of_other_schemas_are_understood_and_go_back(
    schema: str, text: str, friction: float, armature: float, velocity: float, tmp_path: Path
) -> None:
    read = joint("PhysicsRevoluteJoint", text, tmp_path, schema)
    (found,) = read.scene.joints
    assert found.attributes.friction == pytest.approx(friction)
    assert found.attributes.armature == pytest.approx(armature)
    assert found.attributes.velocity == pytest.approx(velocity)
    prim = written_joint(read.scene, tmp_path)
    assert not any(name.startswith("physxJoint:") for name in prim.values)
    for line in text.split("\n"):
        name, value = line.split("=")[0].split()[-1], float(line.split("=")[1])
        assert prim.values[name] == pytest.approx(value)


def test_start_of_a_joint_state_is_reported(tmp_path: Path) -> None:
    text = "float state:angular:physics:position = 30"
    read = joint("PhysicsRevoluteJoint", text, tmp_path, "PhysicsJointStateAPI:angular")
    assert codes(read) == ["OMI-U024"]


@pytest.mark.parametrize(("low", "high"), [(31.2, 258.8), (-200.0, 100.0)])
def test_range_beyond_half_a_turn_is_written_as_it_was(
    low: float, high: float, tmp_path: Path
) -> None:
    text = (
        f"float physics:lowerLimit = {low}\n float physics:upperLimit = {high}\n"
        "float drive:angular:physics:stiffness = 2\n"
        "float drive:angular:physics:targetPosition = 100"
    )
    read = joint("PhysicsRevoluteJoint", text, tmp_path, "PhysicsDriveAPI:angular")
    for _ in range(2):
        values = written_joint(read.scene, tmp_path).values
        assert values["physics:lowerLimit"] == pytest.approx(low, abs=1e-4)
        assert values["physics:upperLimit"] == pytest.approx(high, abs=1e-4)
        assert values["drive:angular:physics:targetPosition"] == pytest.approx(100.0, abs=1e-4)
        assert values["physics:localRot1"].real == pytest.approx(1.0, abs=1e-6)
        path = written(read.scene, tmp_path)
        assert parsed(path)["RevoluteJoint"] == (1, 1)
        read = read_file(path)


def test_hinge_about_y_keeps_almost_half_a_turn(tmp_path: Path) -> None:
    text = (
        'uniform token physics:axis = "Y"\n float physics:lowerLimit = 0\n'
        "float physics:upperLimit = 179.91"
    )
    read = joint("PhysicsRevoluteJoint", text, tmp_path)
    prim = written_joint(read.scene, tmp_path)
    assert prim.values["physics:upperLimit"] == pytest.approx(179.91, abs=1e-4)


def test_soft_cone_is_spherical(tmp_path: Path) -> None:
    text = (
        "float physics:coneAngle0Limit = 20\n float physics:coneAngle1Limit = 20\n"
        "float physxLimit:cone:stiffness = 50\n float physxLimit:cone:damping = 2"
    )
    read = joint("PhysicsSphericalJoint", text, tmp_path, "PhysxLimitAPI:cone")
    (found,) = read.scene.joints
    (cone,) = [limit for limit in found.settings.limits if limit.angular_axes]
    assert (cone.stiffness, cone.damping) == (50.0, 2.0)
    prim = written_joint(read.scene, tmp_path, "PhysicsSphericalJoint")
    assert "PhysxLimitAPI:cone" in prim.schemas
    assert prim.values["physxLimit:cone:stiffness"] == 50.0


def test_effort_is_the_largest_force_of_the_drive(tmp_path: Path) -> None:
    text = "float drive:angular:physics:maxForce = 87"
    read = joint("PhysicsRevoluteJoint", text, tmp_path, "PhysicsDriveAPI:angular")
    (found,) = read.scene.joints
    assert (found.attributes.effort, found.settings.drives) == (87.0, ())
    prim = written_joint(read.scene, tmp_path)
    assert prim.values["drive:angular:physics:maxForce"] == 87.0


def test_drives_that_a_joint_does_not_have_are_reported_and_kept(tmp_path: Path) -> None:
    text = "float drive:rotX:physics:damping = 3\n float drive:rotX:physics:stiffness = 1"
    read = joint("PhysicsSphericalJoint", text, tmp_path, "PhysicsDriveAPI:rotX")
    assert codes(read) == ["OMI-U023"]
    prim = written_joint(read.scene, tmp_path, "PhysicsSphericalJoint")
    assert prim.values["drive:rotX:physics:damping"] == 3.0
    assert "PhysicsDriveAPI:rotX" in prim.schemas


def test_target_of_a_drive_without_stiffness_is_kept(tmp_path: Path) -> None:
    text = (
        "float drive:angular:physics:damping = 3\nfloat drive:angular:physics:targetPosition = 12"
    )
    read = joint("PhysicsRevoluteJoint", text, tmp_path, "PhysicsDriveAPI:angular")
    prim = written_joint(read.scene, tmp_path)
    assert prim.values["drive:angular:physics:targetPosition"] == 12.0


def test_kept_target_does_not_move_with_the_zero(tmp_path: Path) -> None:
    text = (
        "float physics:lowerLimit = 31\n float physics:upperLimit = 258\n"
        "float drive:angular:physics:damping = 3\n float drive:angular:physics:targetPosition = 12"
    )
    read = joint("PhysicsRevoluteJoint", text, tmp_path, "PhysicsDriveAPI:angular")
    prim = written_joint(read.scene, tmp_path)
    assert prim.values["drive:angular:physics:targetPosition"] == 12.0
    assert prim.values["physics:upperLimit"] == pytest.approx(258.0, abs=1e-4)


def test_joint_to_the_world_filters_no_pair(tmp_path: Path) -> None:
    read = stage(
        f'{BODIES} def PhysicsRevoluteJoint "J" {{ rel physics:body1 = </W/B> }}', tmp_path
    )
    prims = shown(written(read.scene, tmp_path))
    assert not any("physics:filteredPairs" in prim.relationships for prim in prims)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('def PhysxPhysicsGearJoint "G" { rel physics:hinge0 = </W/J> }', "PhysxPhysicsGearJoint"),
        ('def PhysxPhysicsRackAndPinionJoint "G" {}', "PhysxPhysicsRackAndPinionJoint"),
        ('def NewtonActuator "G" { float newton:kp = 2 }', "NewtonActuator"),
        ('def MjcActuator "G" { double mjc:gear = 2 }', "MjcActuator"),
        (
            'def Cube "G" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysxCollisionAPI"])'
            "{ float physxCollision:contactOffset = 0.1 }",
            "physxCollision:contactOffset",
        ),
        (
            'def Xform "G" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])'
            "{ rel physics:simulationOwner = </W/Scene> }",
            "physics:simulationOwner",
        ),
        (
            'def Xform "G" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])'
            "{ rel physxTendon:T:parentLink = </W/A> }",
            "physxTendon:T:parentLink",
        ),
        (
            'def PhysicsScene "S" (prepend apiSchemas = ["PhysxSceneAPI"])'
            "{ uint physxScene:timeStepsPerSecond = 120 }",
            "physxScene:timeStepsPerSecond",
        ),
        (
            'def Material "M" (prepend apiSchemas = ["PhysicsMaterialAPI", "PhysxMaterialAPI"])'
            "{ float physxMaterial:compliantContactStiffness = 5 }",
            "physxMaterial:compliantContactStiffness",
        ),
    ],
)
def test_words_that_nobody_reads_are_reported_once(text: str, word: str, tmp_path: Path) -> None:
    twice = text + text.replace('"G"', '"H"').replace('"S"', '"T"').replace('"M"', '"N"')
    unread = [f for f in stage(BODIES + twice, tmp_path).findings if f.code == "OMI-U026"]
    assert [str(f).count(f"{word} is not understood (2 in the file)") for f in unread] == [1]


def test_starts_asleep_is_kept(tmp_path: Path) -> None:
    text = (
        'def Xform "G" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])'
        "{ bool physics:startsAsleep = 1 }"
    )
    read = stage(text, tmp_path)
    assert not read.findings
    found = [
        prim.values.get("physics:startsAsleep") for prim in shown(written(read.scene, tmp_path))
    ]
    assert True in found


def test_what_no_scene_holds_is_lost_toward_other_files_and_stays_in_usd(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "gear.usda"
    text = BODIES + 'def PhysxPhysicsGearJoint "G" {}\ndef MjcActuator "M" {}\n'
    source.write_text("#usda 1.0\n" + HEAD + text.replace("}", "\n}\n"))
    for target, options in (("out.glb", []), ("out.urdf", []), ("new.usda", ["-o", "source=new"])):
        line = ["convert", str(source), str(tmp_path / target), "--strict", *options]
        assert main(line) == 1
        shown = capsys.readouterr().err
        assert "changed: PhysxPhysicsGearJoint: only USD files have this; first at /G" in shown
        assert "changed: MjcActuator: only USD files have this; first at /M" in shown
    assert main(["convert", str(source), str(tmp_path / "same.usda"), "--strict"]) == 0
    assert (tmp_path / "same.usda").read_bytes() == source.read_bytes()

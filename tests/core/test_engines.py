"""What engines make of joints: every rule has a bad example and a good twin."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.engines.bullet import BULLET
from omi_joints_addon.core.engines.engine import Engine
from omi_joints_addon.core.engines.engines import ANY, ENGINES
from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.core.engines.jolt import JOLT
from omi_joints_addon.core.engines.khr import KHR
from omi_joints_addon.core.engines.names import NAMES
from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.findings.finding import rules
from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.metric import limit_metrics
from omi_joints_addon.core.model.animation import Track
from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.core.model.body import Collider, CollisionFilter, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.pose import (
    Pose,
    matrix_from_pose,
    quaternion_conjugate,
    quaternion_product,
    rotate,
)
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.core.rewrite.portable import portable
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.container import read_gltf
from omi_joints_addon.io.formats.gltf.dialect import Dialect
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.gltf.rules import KHR_NOT_READ
from tests.core.physics_scenes import DOOR, FRAME, JOINT, WALL, door, motion, moved, placed
from tests.core.solver_scenes import turn
from tests.core.strategies import joint_settings, poses
from tests.limit_excess import limit_excess

PIN = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)
X, Y, Z = range(3)


def _limit(kind: str, *axes: int, **values: float) -> JointLimit:
    return JointLimit(**{f"{kind}_axes": axes}, **values)


def _hinge(axis: int, *drives: JointDrive, **bounds: float) -> JointSettings:
    others = tuple(other for other in range(3) if other != axis)
    fixed = _limit("angular", *others, min=0.0, max=0.0)
    own = (_limit("angular", axis, **bounds),) if bounds else ()
    return JointSettings(limits=(PIN, fixed, *own), drives=drives)


def _slider(axis: int, *, turns: bool = False, **bounds: float) -> JointSettings:
    others = tuple(other for other in range(3) if other != axis)
    angular = others if turns else (X, Y, Z)
    return JointSettings(
        limits=(
            _limit("linear", *others, min=0.0, max=0.0),
            _limit("angular", *angular, min=0.0, max=0.0),
            _limit("linear", axis, **bounds),
        )
    )


def _only(*limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> JointSettings:
    return JointSettings(limits=limits, drives=drives)


def _turn(axis: int = Z, **values: object) -> JointDrive:
    return JointDrive(type="angular", axis=axis, damping=1.0, **values)


SPRING = _turn(position_target=0.0, stiffness=5.0)
TWO = (
    _turn(position_target=0.3, stiffness=5.0),
    _turn(velocity_target=1.7),
)
EVEN = {"min": -1.0, "max": 1.0}
CONE = _limit("angular", Y, Z, max=0.5)
SOFT = JointLimit(linear_axes=(X,), min=0.0, max=0.0, stiffness=9.0, damping=1.0)
CASES: dict[str, tuple[Engine, JointSettings, JointSettings]] = {
    "OMI-E101": (GODOT, _hinge(Z, max=1.0), _hinge(Z, **EVEN)),
    "OMI-E102": (GODOT, _hinge(Z, SPRING), _hinge(Z, replace(SPRING, velocity_target=0.0))),
    "OMI-E103": (
        GODOT,
        _hinge(X, replace(SPRING, axis=X, velocity_target=0.0)),
        _hinge(X, replace(SPRING, axis=X)),
    ),
    "OMI-E104": (GODOT, _hinge(X, **EVEN), _hinge(Y, **EVEN)),
    "OMI-E105": (GODOT, _hinge(Y, **EVEN), _hinge(Z, **EVEN)),
    "OMI-E106": (GODOT, _slider(Y, **EVEN), _slider(X, **EVEN)),
    "OMI-E107": (GODOT, _only(SOFT), _only(replace(SOFT, stiffness=math.inf))),
    "OMI-E108": (GODOT, _only(PIN, CONE), _only(PIN, replace(CONE, min=0.0, max=0.0))),
    "OMI-E109": (GODOT, _only(PIN, _limit("linear", X, **EVEN)), _only(PIN)),
    "OMI-E110": (GODOT, _hinge(Z, replace(SPRING, velocity_target=0.0)), _hinge(Z, SPRING)),
    "OMI-E111": (
        GODOT,
        _hinge(Z, _turn(velocity_target=0.0, mode="acceleration")),
        _hinge(Z, _turn(velocity_target=0.0)),
    ),
    "OMI-E114": (GODOT, _hinge(Z, min=-0.2, max=1.0), _hinge(Z, **EVEN)),
    "OMI-E115": (GODOT, _slider(X, turns=True, **EVEN), _slider(X, **EVEN)),
    "OMI-E116": (GODOT, _only(PIN), _only(replace(PIN, stiffness=0.5, damping=1.0))),
    "OMI-E117": (
        GODOT,
        _only(_limit("linear", X, min=0.5, max=0.5)),
        _only(_limit("linear", X, min=0.0, max=0.0)),
    ),
    "OMI-E118": (GODOT, _hinge(Z, _turn(velocity_target=1.0)), _hinge(Z, SPRING)),
    "OMI-E136": (
        GODOT,
        _hinge(X, replace(SPRING, axis=X, max_force=2.3)),
        _hinge(X, replace(SPRING, axis=X)),
    ),
    "OMI-E137": (
        GODOT,
        _hinge(Z, _turn(velocity_target=1.7, max_force=2.3)),
        _hinge(X, _turn(X, velocity_target=1.7, max_force=2.3)),
    ),
    "OMI-E138": (GODOT, _hinge(Z, *TWO), _hinge(Z, TWO[0])),
    "OMI-E213": (KHR, _hinge(Z, *TWO), _hinge(Z, TWO[0], replace(TWO[1], axis=X))),
    "OMI-E214": (KHR, _hinge(Z, TWO[0], replace(TWO[1], max_force=2.3)), _hinge(Z, *TWO)),
    "OMI-E622": (NEWTON, _hinge(Z, SPRING, TWO[1]), _hinge(Z, SPRING, replace(TWO[1], axis=X))),
    "OMI-E126": (GODOT, _hinge(Z, min=0.3, max=1.0), _hinge(Z, min=0.0, max=1.0)),
    "OMI-E203": (KHR, _only(PIN, replace(CONE, angular_axes=(X, Y))), _only(PIN, CONE)),
    "OMI-E204": (
        KHR,
        _only(PIN, replace(CONE, min=0.1)),
        _only(_limit("linear", X, Y, Z, min=0.1, max=1.0)),
    ),
    "OMI-E205": (
        KHR,
        _only(PIN, replace(CONE, stiffness=9.0)),
        _only(PIN, replace(CONE, angular_axes=(X, Y), stiffness=9.0)),
    ),
    "OMI-E206": (KHR, _only(SOFT), _only(replace(SOFT, min=0.1, max=0.1))),
    "OMI-E207": (
        KHR,
        _only(_limit("linear", X, min=-0.4, max=0.4), _limit("linear", X, min=-0.1, max=1.0)),
        _only(_limit("linear", X, min=-0.4, max=1.0), _limit("linear", X, min=-0.1, max=0.4)),
    ),
    "OMI-E208": (
        KHR,
        _hinge(Z, _turn(velocity_target=1.0)),
        _hinge(Z, _turn(velocity_target=0.0)),
    ),
    "OMI-E209": (
        KHR,
        _hinge(Z, _turn(velocity_target=0.0, mode="acceleration")),
        _hinge(Z, _turn(velocity_target=0.0)),
    ),
    "OMI-E302": (PHYSX, _only(PIN, replace(CONE, angular_axes=(X, Y))), _only(PIN, CONE)),
    "OMI-E303": (PHYSX, _only(PIN, replace(CONE, angular_axes=(X, Y, Z))), _only(PIN, CONE)),
    "OMI-E304": (PHYSX, _only(PIN, replace(CONE, min=0.1)), _only(PIN, CONE)),
    "OMI-E305": (
        PHYSX,
        _hinge(X, replace(SPRING, axis=X)),
        _hinge(X, _turn(X, velocity_target=1.0)),
    ),
    "OMI-E306": (
        PHYSX,
        _hinge(X, _turn(X, velocity_target=1.0, mode="acceleration")),
        _hinge(X, _turn(X, velocity_target=1.0)),
    ),
    "OMI-E307": (PHYSX, _hinge(Y, max=1.0), _hinge(X, max=1.0)),
    "OMI-E308": (
        PHYSX,
        _only(PIN, _limit("angular", Y, **EVEN)),
        _only(PIN, _limit("angular", Y, **EVEN), _limit("angular", Z, min=0.0, max=0.0)),
    ),
    "OMI-E309": (
        PHYSX,
        _only(_limit("linear", X, Y, max=0.5)),
        _only(_limit("linear", X, Y, Z, max=1.0)),
    ),
    "OMI-E310": (
        PHYSX,
        _only(PIN, _limit("angular", Y, **EVEN), _limit("angular", Z, **EVEN)),
        _only(PIN, CONE),
    ),
    "OMI-E311": (PHYSX, _only(_limit("linear", X, Y, Z, max=0.5)), _only(PIN)),
    "OMI-E401": (BULLET, _only(PIN, replace(CONE, angular_axes=(X, Y))), _only(PIN, CONE)),
    "OMI-E402": (BULLET, _only(SOFT), _only(replace(SOFT, stiffness=math.inf))),
    "OMI-E403": (
        BULLET,
        _hinge(Z, _turn(velocity_target=0.0, mode="acceleration")),
        _hinge(Z, _turn(velocity_target=0.0)),
    ),
    "OMI-E404": (BULLET, _only(_limit("linear", X, **EVEN)), _hinge(Y, **EVEN)),
    "OMI-E501": (JOLT, _only(_limit("linear", X, Y, max=0.5)), _only(_limit("linear", X, max=0.5))),
    "OMI-E502": (JOLT, _only(PIN, replace(CONE, max=0.005)), _only(PIN, CONE)),
    "OMI-E503": (
        JOLT,
        _only(PIN, replace(CONE, min=0.1)),
        _only(_limit("linear", X, Y, Z, min=0.1, max=1.0)),
    ),
    "OMI-E504": (
        JOLT,
        _only(PIN, replace(CONE, stiffness=9.0)),
        _hinge(X, max=1.0, stiffness=9.0, damping=1.0),
    ),
    "OMI-E505": (JOLT, _only(PIN, replace(CONE, angular_axes=(X, Y, Z))), _only(PIN, CONE)),
    "OMI-E506": (JOLT, _only(PIN, drives=(SPRING,)), _hinge(Z, SPRING)),
    "OMI-E507": (
        JOLT,
        _hinge(X, _turn(X, velocity_target=1.0, mode="acceleration")),
        _hinge(X, _turn(X, velocity_target=1.0)),
    ),
    "OMI-E508": (JOLT, _hinge(Z, replace(SPRING, damping=0.0)), _hinge(Z, SPRING)),
    "OMI-E601": (NEWTON, _hinge(Z, max=1.0), _hinge(Z, SPRING)),
    "OMI-E602": (NEWTON, _only(SOFT), _only(replace(SOFT, stiffness=math.inf))),
    "OMI-E603": (NEWTON, _hinge(Z, min=0.5, max=0.5), _hinge(Z, min=0.0, max=0.0)),
    "OMI-E604": (NEWTON, _only(PIN, CONE), _only(PIN, CONE, _limit("angular", X, **EVEN))),
    "OMI-E605": (NEWTON, _only(PIN, CONE, _limit("angular", X, **EVEN)), _only(PIN, CONE)),
    "OMI-E606": (NEWTON, _only(_limit("linear", X, Y, Z, max=0.5)), _only(PIN)),
    "OMI-E607": (NEWTON, _hinge(Z, replace(SPRING, velocity_target=1.0)), _hinge(Z, SPRING)),
    "OMI-E608": (
        NEWTON,
        _hinge(Z, _turn(velocity_target=1.0, mode="acceleration")),
        _hinge(Z, _turn(velocity_target=1.0)),
    ),
    "OMI-E611": (NEWTON, _only(PIN, _limit("angular", X, min=0.0, max=0.0)), _only(PIN)),
    "OMI-E609": (NEWTON, _hinge(Z, replace(SPRING, max_force=2.0)), _hinge(Z, SPRING)),
}


def _shaped(shape: Shape) -> PhysicsScene:
    return door(colliders={DOOR: Collider(shape=shape)})


def _weighted(*moments: float) -> PhysicsScene:
    turned = motion("dynamic", inertia_diagonal=moments, inertia_orientation=(0.6, 0.0, 0.0, 0.8))
    return door(motions={DOOR: turned})


def _animated() -> PhysicsScene:
    seconds, values = np.array((0.0, 1.0)), np.array((0.0, 1.0))
    track = Track(joints=(0,), kind="limits", member="max", seconds=seconds, values=values)
    return door(tracks=(track,))


WEAK = JointAttributes(break_torque=9.0)
ROUGH = PhysicsMaterial(static_friction=0.7, dynamic_friction=0.3, restitution=0.4)
PLAIN = PhysicsMaterial(static_friction=0.3, dynamic_friction=0.3)
MESHES = (Mesh(name="Ground", read=lambda: MeshData(GROUND, np.array([(0, 1, 2)]))),)
FOLD = np.array([(0, 0, 1), (1, 0, 0), (0, 1, 0), (1, 1, 1)], float)


def _folded(*triangles: int) -> tuple[Mesh, ...]:
    """Return two triangles: a valley, or a ridge where they run the other way round."""
    return (Mesh(read=lambda: MeshData(FOLD, np.array(triangles).reshape(-1, 3))),)


GROUND = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
MOVING = {"linear_velocity": (0.2, 0.0, 0.1)}


def _surface(material: PhysicsMaterial, wall: PhysicsMaterial = PLAIN) -> PhysicsScene:
    return door(
        colliders={
            DOOR: Collider(shape=Sphere(), material=material),
            WALL: Collider(shape=Sphere(), material=wall),
        }
    )


def _moving(kind: str = "dynamic", *, angle: float = 0.5, **values: object) -> PhysicsScene:
    """Return the door with a motion, turned about a skew axis, on no joint."""
    matrices = door().matrices.copy()
    turned = turn((0.6, 0.0, 0.8), angle)
    matrices[DOOR] = matrix_from_pose(Pose(matrices[DOOR][:3, 3], turned))
    return door(motions={DOOR: motion(kind, **values)}, matrices=matrices, joints=())


def _fast(speed: float) -> PhysicsScene:
    motions = {DOOR: motion("dynamic", linear_velocity=(speed, 0.0, 0.0), gravity_factor=0.0)}
    ball, wall = Collider(shape=Sphere(radius=0.02)), Collider(shape=Box(size=(2.0, 0.03, 2.0)))
    return door(motions=motions, colliders={DOOR: ball, WALL: wall}, joints=())


def _large(size: float) -> PhysicsScene:
    floor = Collider(shape=Box(size=(size, 2.0, 0.2)))
    return door(colliders={DOOR: Collider(shape=Cylinder()), WALL: floor})


def _weighing(mass: float) -> PhysicsScene:
    ball = Collider(shape=Sphere())
    motions = {DOOR: motion("dynamic", mass=0.23), WALL: motion("dynamic", mass=mass)}
    return door(motions=motions, colliders={DOOR: ball, WALL: ball})


SCENES: dict[str, tuple[PhysicsScene, PhysicsScene]] = {
    "OMI-E112": (
        door(motions={WALL: motion("dynamic")}, parents=np.array([-1, WALL, DOOR, -1])),
        door(),
    ),
    "OMI-E113": (placed(FRAME, moved(0.5)), placed(FRAME, np.eye(4))),
    "OMI-E119": (_shaped(Capsule()), _shaped(Sphere())),
    "OMI-E120": (_shaped(Cylinder(radius_top=0.25)), _shaped(Cylinder())),
    "OMI-E121": (
        door(motions={DOOR: motion("dynamic", gravity_factor=0.5)}),
        door(motions={DOOR: motion("kinematic", gravity_factor=0.5)}),
    ),
    "OMI-E122": (_weighted(1.0, 2.0, 3.0), _weighted(2.0, 2.0, 2.0)),
    "OMI-E123": (door(motions={WALL: motion("static")}), door()),
    "OMI-E124": (door(carries={DOOR: frozenset(("mesh",))}), door(carries={})),
    "OMI-E201": (door(), door(joints=())),
    **dict.fromkeys(("OMI-E129", "OMI-E211", "OMI-E701"), (_animated(), door())),
    "OMI-E128": (
        door(names=("Wall", "Door_1", "Door.1", "Frame")),
        door(names=("Wall", "Door_2", "Door.1", "Frame")),
    ),
    "OMI-E127": (
        door(colliders={DOOR: Collider(shape=Sphere(), collision_filter=CollisionFilter())}),
        _shaped(Sphere()),
    ),
    "OMI-E131": (_surface(ROUGH), _shaped(Sphere())),
    **dict.fromkeys(("OMI-E132", "OMI-E313"), (_moving(**MOVING), _moving(angle=0.0, **MOVING))),
    **dict.fromkeys(
        ("OMI-E133", "OMI-E314", "OMI-E614"), (_moving("kinematic", **MOVING), _moving("kinematic"))
    ),
    **dict.fromkeys(("OMI-E134", "OMI-E620"), (_fast(47.0), _fast(0.3))),
    **dict.fromkeys(
        ("OMI-E135", "OMI-E215", "OMI-E625"), (door(), door(motions={DOOR: motion("static")}))
    ),
    "OMI-E212": (
        door(motions={DOOR: motion("dynamic", mass=5.3, inertia_diagonal=(0.1, 0.1, 0.1))}),
        door(motions={DOOR: motion("dynamic", mass=5.3)}),
    ),
    **dict.fromkeys(
        ("OMI-E315", "OMI-E613"), (_moving(gravity_factor=0.47), _moving(gravity_factor=1.0))
    ),
    "OMI-E316": (_large(40.0), _large(19.0)),
    "OMI-E612": (door(), door(articulations=(Articulation(root=WALL, is_fixed=True),))),
    "OMI-E615": (_surface(ROUGH), _surface(PLAIN)),
    "OMI-E616": (
        _surface(PLAIN, replace(PLAIN, dynamic_friction=0.5)),
        _surface(PLAIN, replace(PLAIN, name="Other")),
    ),
    **dict.fromkeys(("OMI-E617", "OMI-E802"), (_surface(ROUGH), _surface(PLAIN))),
    "OMI-E801": (_shaped(Sphere()), door()),
    "OMI-E804": (replace(door(), joints=()), door()),
    "OMI-E627": (_surface(PLAIN), _shaped(Sphere())),
    "OMI-E618": (
        door(colliders={WALL: Collider(shape=Trimesh(mesh=0))}, meshes=MESHES),
        door(colliders={WALL: Collider(shape=Convex(mesh=0))}, meshes=MESHES),
    ),
    **dict.fromkeys(
        ("OMI-E626", "OMI-E803"),
        (
            door(
                colliders={WALL: Collider(shape=Trimesh(mesh=0))}, meshes=_folded(0, 1, 2, 3, 2, 1)
            ),
            door(
                colliders={WALL: Collider(shape=Trimesh(mesh=0))}, meshes=_folded(0, 2, 1, 3, 1, 2)
            ),
        ),
    ),
    "OMI-E619": (_shaped(Convex(mesh=0)), _shaped(Box())),
    "OMI-E621": (_weighing(23.0), _weighing(1.7)),
    "OMI-E624": (
        replace(door(), joints=(replace(door().joints[0], attributes=WEAK),)),
        door(),
    ),
    "OMI-E623": (door(motions={DOOR: motion("dynamic", **MOVING)}), _moving(**MOVING)),
    "OMI-E130": (door(carries={DOOR: frozenset(("bone",))}), door(carries={})),
    "OMI-E610": (
        replace(placed(FRAME, moved(0.5)), articulations=(Articulation(root=DOOR),)),
        placed(FRAME, moved(0.5)),
    ),
    "OMI-E312": (
        door(presets.universal(), articulations=(Articulation(root=WALL),)),
        door(presets.universal()),
    ),
    "OMI-E210": (
        door(joints=(Joint(node=FRAME, connected=JOINT, settings=JointSettings()),)),
        door(
            joints=(Joint(node=FRAME, connected=JOINT, settings=JointSettings()),),
            colliders={WALL: Collider(shape=Sphere())},
        ),
    ),
}


def _codes(settings: JointSettings, engine: Engine) -> set[str]:
    return {found.code for found in engine.report(settings).findings}


@pytest.mark.parametrize("code", CASES)
def test_rule_finds_the_bad_joint_and_not_its_twin(code: str) -> None:
    engine, bad, good = CASES[code]
    assert code in _codes(bad, engine)
    assert code in _codes(bad, ANY)
    assert code not in _codes(good, engine)


@pytest.mark.parametrize("code", SCENES)
def test_rule_finds_the_bad_scene_and_not_its_twin(code: str) -> None:
    bad, good = SCENES[code]
    assert code in {found.code for found in ANY.check(bad)}
    assert code not in {found.code for found in ANY.check(good)}


def test_a_hull_of_which_nothing_is_known_is_not_called_thin() -> None:
    """As where the meshes of a file are not written yet."""

    def read() -> MeshData:
        raise ValueError("it is not there")

    bad = _fast(0.3)
    scene = replace(
        bad,
        colliders={node: Collider(shape=Convex(mesh=0)) for node in bad.colliders},
        meshes=(Mesh(read=read),),
    )
    assert not {"OMI-E134", "OMI-E620"} & {found.code for found in ANY.check(scene)}


@pytest.mark.parametrize("size", [-0.07, 0.0])
@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_sizes_that_are_no_sizes_end_in_findings(engine: Engine, size: float) -> None:
    ball = Collider(shape=Sphere(radius=size))
    list(engine.check(door(colliders={DOOR: ball, WALL: ball}, joints=())))
    list(
        engine.check(door(colliders={DOOR: Collider(shape=Box(size=(1.0, size, 1.0)))}, joints=()))
    )


@pytest.mark.parametrize("mass", [0.0, -1.0, 1e-320, math.inf, math.nan])
@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_masses_that_are_no_masses_end_in_findings(engine: Engine, mass: float) -> None:
    """Also of a body whose moments are given, which Havok multiplies with the mass."""
    scene = _weighted(0.1, 0.2, 0.3)
    motions = {node: replace(each, mass=mass) for node, each in scene.motions.items()}
    for found in engine.check(replace(scene, motions=motions)):
        assert str(found)


def test_godot_counts_names_as_its_importer_does() -> None:
    """The names are those of the steps of `_gen_unique_name`, done by hand."""
    found = GODOT.check(door(names=("A", "A", "A2", "A")))
    assert [each.message.partition(", since")[0] for each in found if each.code == "OMI-E128"] == [
        "Godot: the node 'A' becomes 'A2'",
        "Godot: the node 'A2' becomes 'A22'",
    ]


def test_menus_offer_every_engine() -> None:
    """Menus are made of names alone, so that Blender starts without the reports."""
    assert [engine.name for engine in NAMES] == list(ENGINES)


def test_every_rule_about_engines_has_a_case() -> None:
    cases = CASES.keys() | SCENES.keys() | {KHR_NOT_READ.code}
    assert {code for code in rules() if code.startswith("OMI-E")} == cases


@pytest.mark.parametrize("engine", ["godot", "any"])
@pytest.mark.parametrize(("dialects", "told"), [("khr", 1), ("omi", 0), ("omi,khr", 0)])
def test_a_file_that_godot_does_not_read_is_told(
    dialects: str, told: int, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "door.gltf"
    wanted = frozenset(map(Dialect, dialects.split(",")))
    written = GLTF.write(door(), Target(path=file, options={"dialect": wanted}))
    file.write_bytes(written.files[file.name])
    assert main(["check", str(file), "--engine", engine]) == 0
    assert capsys.readouterr().out.count(KHR_NOT_READ.code) == told


@pytest.mark.parametrize("code", [code for code in rules() if code.startswith("OMI-E")])
def test_every_rule_about_engines_has_a_source(code: str) -> None:
    """What an engine does was measured with a version or read somewhere."""
    assert re.search(r"(Measured with|Read in) .+\.$", rules()[code].reason)


def test_hinge_about_x_that_does_not_turn_in_godot_is_not_mirrored() -> None:
    drive = _turn(X, velocity_target=1.0)
    assert "OMI-E114" not in _codes(_hinge(X, min=-0.2, max=1.0), GODOT)
    assert "OMI-E114" in _codes(_hinge(X, drive, min=-0.2, max=1.0), GODOT)


def test_hinge_locked_off_zero_about_z_is_a_hinge_in_godot() -> None:
    settings = _hinge(Z, min=0.5, max=0.5)
    assert GODOT.report(settings).becomes == "HingeJoint3D"
    (found,) = (item for item in GODOT.report(settings).findings if item.code == "OMI-E117")
    assert "HingeJoint3D" in found.message


@pytest.mark.parametrize(
    ("file", "class_"),
    [
        ("simple_joint", "PinJoint3D"),
        ("hanging_rope", "PinJoint3D"),
        ("slider_ball", "SliderJoint3D"),
        ("weld_joint", "Generic6DOFJoint3D"),
    ],
)
def test_godot_classes_of_official_files_are_as_measured(
    corpus: Path, file: str, class_: str
) -> None:
    (path,) = corpus.rglob(f"{file}.gltf")
    scene = scene_from_document(read_gltf(path).document).scene
    assert scene.joints
    classes = {GODOT.report(joint.settings).becomes for joint in scene.joints}
    assert classes == {class_}


@pytest.mark.parametrize(
    ("settings", "class_"),
    [
        # pendulum_balls: angular X and Y fixed, Z absent.
        (_hinge(Z), "HingeJoint3D"),
        (_hinge(X, **EVEN), "SliderJoint3D"),
        (_hinge(Y, **EVEN), "Generic6DOFJoint3D"),
        (_slider(X, **EVEN), "SliderJoint3D"),
        (_slider(Z, **EVEN), "Generic6DOFJoint3D"),
        (_slider(X, turns=True, **EVEN), "SliderJoint3D"),
        # swing_and_slide: linear X has a range, angular Z is free.
        (
            _only(
                _limit("linear", Y, Z, min=0.0, max=0.0),
                _limit("angular", X, Y, min=0.0, max=0.0),
                _limit("linear", X, **EVEN),
            ),
            "Generic6DOFJoint3D",
        ),
        (_hinge(Z, _turn(velocity_target=1.0)), "HingeJoint3D"),
        (_hinge(X, _turn(X, velocity_target=1.0)), "Generic6DOFJoint3D"),
        (_only(PIN, drives=(_turn(velocity_target=1.0),)), "Generic6DOFJoint3D"),
    ],
)
def test_godot_classes_are_as_measured(settings: JointSettings, class_: str) -> None:
    assert GODOT.report(settings).becomes == class_


def test_different_stiffness_makes_no_hinge_in_godot() -> None:
    x = _limit("angular", X, min=0.0, max=0.0, stiffness=1.0)
    assert GODOT.report(_only(PIN, x, replace(x, angular_axes=(Y,)))).becomes == ("HingeJoint3D")
    y = replace(x, angular_axes=(Y,), stiffness=2.0)
    assert GODOT.report(_only(PIN, x, y)).becomes == "Generic6DOFJoint3D"


@pytest.mark.parametrize("axis", [X, Y, Z])
@pytest.mark.parametrize(
    ("engine", "make", "class_"),
    [
        (GODOT, _hinge, "HingeJoint3D"),
        (GODOT, _slider, "SliderJoint3D"),
        (PHYSX, _hinge, "PxRevoluteJoint"),
        (PHYSX, _slider, "PxPrismaticJoint"),
        (BULLET, _hinge, "btHingeConstraint"),
        (BULLET, _slider, "btSliderConstraint"),
    ],
)
def test_portable_joint_becomes_the_native_class(
    engine: Engine, make: type, class_: str, axis: int
) -> None:
    settings = portable(make(axis, min=-0.5, max=0.5), engine).settings
    assert engine.report(settings).becomes == class_


@pytest.mark.parametrize("axis", [X, Y, Z])
def test_portable_spring_avoids_the_traps_of_godot(axis: int) -> None:
    drive = _turn(axis, position_target=0.0, velocity_target=0.0, stiffness=5.0)
    result = portable(_hinge(axis, drive, max=1.0), GODOT).settings
    assert not _codes(result, GODOT) & {"OMI-E101", "OMI-E102", "OMI-E103", "OMI-E110"}


@given(joint_settings, poses)
def test_portable_settings_in_turned_frames_measure_the_same(
    settings: JointSettings, pose: Pose
) -> None:
    for engine in ENGINES.values():
        result = portable(settings, engine)
        turn = np.array(result.turn.rotation)
        back = quaternion_conjugate(turn)
        turned = Pose(
            rotate(back, pose.position),
            quaternion_product(quaternion_product(back, pose.rotation), turn),
        )
        # Half a turn is the same either way round.
        assume(_farthest_turn(settings, pose) < math.pi - 1e-6)
        before = max((float(limit_excess(limit, pose)) for limit in settings.limits), default=0.0)
        limits = result.settings.limits
        after = max((float(limit_excess(limit, turned)) for limit in limits), default=0.0)
        assert after == pytest.approx(before, abs=1e-6)


def _farthest_turn(settings: JointSettings, pose: Pose) -> float:
    turns = (replace(limit, linear_axes=()) for limit in settings.limits if limit.angular_axes)
    return max((abs(float(m)) for turn in turns for m in limit_metrics(turn, pose)), default=0.0)


def test_portable_changes_are_told_and_end() -> None:
    result = portable(_hinge(Y, max=1.0), GODOT)
    assert result.steps == (
        "turned both frames, so that Y of the joint became Z",
        "added the missing bound, out of reach",
    )
    assert portable(result.settings, GODOT).steps == ()


def test_missing_bounds_of_a_hinge_are_where_no_angle_comes() -> None:
    assert portable(_hinge(Z, max=1.0), GODOT).settings.limits[2].min == -math.pi

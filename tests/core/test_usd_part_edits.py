"""Colliders, groups, couplings and whole bodies edited in a stage, as UsdPhysics reads it then."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere, Trimesh
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.usd import USD

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

Edit = Callable[[PhysicsScene], PhysicsScene]
STAGE = """#usda 1.0
(
    defaultPrim = "W"
    metersPerUnit = 0.01
    upAxis = "Y"
)
# Made by hand.
def Xform "W"
{
    def PhysicsCollisionGroup "Hands" (apiSchemas = ["CollectionAPI:colliders"])
    {
        rel collection:colliders:includes = [</W/A>] # all of it
        rel physics:filteredGroups = [</W/Feet>]
    }
    def PhysicsCollisionGroup "Feet" (apiSchemas = ["CollectionAPI:colliders"])
    {
        rel collection:colliders:includes = [</W/B/ball>]
    }
    def Material "Ice" (apiSchemas = ["PhysicsMaterialAPI"])
    {
        float physics:dynamicFriction = 0.03
    }
    def Xform "A" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 2.5
        point3f physics:centerOfMass = (1, 2, 3)
        double3 xformOp:translate = (10, 20, 30)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Capsule "rod" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            uniform token axis = "X" # along the arm
            double height = 60
            double radius = 7
            uniform token purpose = "guide"
        }
        def Cube "block" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 10 # cm
            double3 xformOp:translate = (40, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
            uniform token purpose = "guide"
        }
    }
    def Xform "B" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsFilteredPairsAPI"])
    {
        rel physics:filteredPairs = [</W/A>]
        double3 xformOp:translate = (0, 90, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Sphere "ball" (apiSchemas = ["PhysicsCollisionAPI"])
        {
            rel material:binding:physics = </W/Ice>
            double radius = 12 # seen
        }
        def Mesh "hull" (apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"])
        {
            uniform token physics:approximation = "convexHull"
            int[] faceVertexCounts = [3, 3, 3, 3]
            int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
            point3f[] points = [(0, 0, 0), (9, 0, 0), (0, 9, 0), (0, 0, 9)]
        }
    }
    def Plane "ground" (apiSchemas = ["PhysicsCollisionAPI"])
    {
        uniform token axis = "Y"
    }
    def PhysicsRevoluteJoint "one"
    {
        rel physics:body1 = </W/A>
    }
    def PhysicsRevoluteJoint "two" (apiSchemas = ["PhysxMimicJointAPI:rotX"])
    {
        rel physics:body1 = </W/B>
        rel physxMimicJoint:rotX:referenceJoint = </W/one>
        uniform token physxMimicJoint:rotX:referenceJointAxis = "rotX"
        float physxMimicJoint:rotX:gearing = -2.5 # geared
    }
}
"""


def edited(folder: Path, edit: Edit, stage: str = STAGE, layer: str = "into") -> tuple[str, Any]:
    """Return the text of an edited stage, what OpenUSD reads of it, and what the report names."""
    from pxr import Sdf, Usd

    path = folder / "stage.usda"
    path.write_text(stage, encoding="utf-8")
    read = USD.read(Source(path=path))[0]
    assert read.document is not None
    kept = Kept(document=read.document, read=read)
    target = folder / "new.usda"
    options = {"layer": layer}
    written = USD.write(edit(read.scene), Target(path=target, kept=kept, options=options))
    target.write_bytes(bytes(written.files["new.usda"]))
    now = Usd.Stage.Open(Sdf.Layer.OpenAsAnonymous(str(target)))
    return target.read_text(), (now, [str(loss.noun) for loss in written.losses])


def node(scene: PhysicsScene, name: str) -> int:
    return scene.names.index(name)


def collider(scene: PhysicsScene, name: str, **changes: Any) -> PhysicsScene:
    at = node(scene, name)
    changed = replace(scene.colliders[at], **changes)
    return replace(scene, colliders={**scene.colliders, at: changed})


def without(scene: PhysicsScene, name: str) -> PhysicsScene:
    rest = {at: each for at, each in scene.colliders.items() if scene.names[at] != name}
    return replace(scene, colliders=rest)


def extra(scene: PhysicsScene, above: int, name: str = "extra") -> tuple[PhysicsScene, int]:
    """Return a scene with a turned node more, and its number."""
    turn = np.array((0.1, 0.2, 0.3, 0.9))
    place = matrix_from_pose(Pose(np.array((0.3, -0.4, 0.5)), turn / np.linalg.norm(turn)))
    scene = replace(
        scene,
        names=(*scene.names, name),
        parents=np.append(scene.parents, above),
        matrices=np.concatenate((scene.matrices, [place])),
    )
    return scene, len(scene.names) - 1


def test_sizes_are_the_values_of_the_prim(tmp_path: Path) -> None:
    """In centimeters; the capsule stays along the axis that its prim names."""
    rod = Capsule(height=0.45, radius_bottom=0.07, radius_top=0.07)
    text, (_, lost) = edited(tmp_path, lambda s: collider(s, "rod Collider", shape=rod))
    assert (text, lost) == (STAGE.replace("height = 60", "height = 45"), [])
    cube = Box(size=(0.13, 0.13, 0.13))
    text, (_, lost) = edited(tmp_path, lambda s: collider(s, "block", shape=cube))
    assert lost == []
    assert "double size = 13 # cm" in text


def test_a_cube_of_other_proportions_is_scaled(tmp_path: Path) -> None:
    from pxr import UsdGeom

    block = Box(size=(0.2, 0.1, 0.05))
    text, (stage, lost) = edited(tmp_path, lambda s: collider(s, "block", shape=block))
    assert lost == []
    prim = stage.GetPrimAtPath("/W/A/block")
    bound = UsdGeom.BBoxCache(0.0, ["guide"]).ComputeWorldBound(prim).ComputeAlignedRange()
    # Z of the scene is Y of the stage.
    assert tuple(bound.GetSize()) == pytest.approx((20.0, 10.0, 5.0))
    assert tuple(bound.GetMidpoint()) == pytest.approx((50.0, 20.0, 30.0))
    assert text.startswith(STAGE[: STAGE.index("double size = 10")])


def test_another_type_is_that_of_the_prim(tmp_path: Path) -> None:
    text, (stage, lost) = edited(
        tmp_path, lambda s: collider(s, "block", shape=Sphere(radius=0.037))
    )
    assert lost == []
    prim = stage.GetPrimAtPath("/W/A/block")
    assert prim.GetTypeName() == "Sphere"
    assert prim.GetAttribute("radius").Get() == pytest.approx(3.7)
    assert 'def Sphere "block" (apiSchemas = ["PhysicsCollisionAPI"])' in text
    assert "# Made by hand." in text


def test_what_is_seen_stays_and_its_collider_gets_a_prim(tmp_path: Path) -> None:
    from pxr import UsdPhysics

    text, (stage, lost) = edited(
        tmp_path, lambda s: collider(s, "ball", shape=Box(size=(0.1, 0.2, 0.3)))
    )
    assert lost == []
    ball, shape = stage.GetPrimAtPath("/W/B/ball"), stage.GetPrimAtPath("/W/B/Collider")
    assert ball.GetTypeName() == "Sphere"
    assert not ball.HasAPI(UsdPhysics.CollisionAPI)
    assert shape.HasAPI(UsdPhysics.CollisionAPI)
    (bound,) = shape.GetRelationship("material:binding:physics").GetTargets()
    assert str(bound) == "/W/Ice"
    assert "double radius = 12 # seen" in text
    text, (_, lost) = edited(tmp_path, both_larger)
    assert lost == []
    assert "double radius = 21 # seen" in text


def both_larger(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene with a larger ball that looks so."""
    ball = Sphere(radius=0.21)
    at = node(scene, "ball")
    seen = {**scene.visuals, at: replace(scene.visuals[at], shape=ball)}
    return replace(collider(scene, "ball", shape=ball), visuals=seen)


def test_an_approximation_is_one_value(tmp_path: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        shape = scene.colliders[node(scene, "hull")].shape
        assert isinstance(shape, Convex)
        changed = replace(shape, approximation="convexDecomposition")
        return collider(scene, "hull", shape=changed)

    text, (_, lost) = edited(tmp_path, edit)
    assert lost == []
    assert STAGE.replace('"convexHull"', '"convexDecomposition"').split() == [
        *text[: text.index("float physics:mass = ")].split(),
        *STAGE[STAGE.index("float physics:mass = ") :]
        .replace('"convexHull"', '"convexDecomposition"')
        .split(),
    ]


def test_a_body_stays_as_heavy_as_its_colliders_made_it(tmp_path: Path) -> None:
    """The mass of B is that of its colliders, which UsdPhysics would work out anew."""
    scene = {}

    def edit(found: PhysicsScene) -> PhysicsScene:
        scene["mass"] = found.motions[node(found, "B")].mass
        return without(found, "hull")

    _, (stage, lost) = edited(tmp_path, edit)
    assert lost == []
    mass = stage.GetPrimAtPath("/W/B").GetAttribute("physics:mass").Get()
    assert mass == pytest.approx(scene["mass"], rel=1e-6)
    assert stage.GetPrimAtPath("/W/A").GetAttribute("physics:mass").Get() == 2.5


def test_a_filter_moves_its_collider_to_a_group(tmp_path: Path) -> None:
    """The rod is in its group with all that is below its body, so that it is excluded there."""
    from pxr import UsdPhysics

    fresh = CollisionFilter(
        name="Fresh", collision_systems=("Fresh",), not_collide_with_systems=("Hands",)
    )
    text, (stage, lost) = edited(
        tmp_path, lambda s: collider(s, "rod Collider", collision_filter=fresh)
    )
    assert lost == []
    table = UsdPhysics.CollisionGroup.ComputeCollisionGroupTable(stage)
    groups = ["/W/Hands", "/W/Feet", "/W/CollisionGroups/Fresh"]
    met = [table.IsCollisionEnabled(groups[2], each) for each in groups]
    assert met == [False, True, True]
    members = [
        UsdPhysics.CollisionGroup.Get(stage, each)
        .GetCollidersCollectionAPI()
        .ComputeMembershipQuery()
        for each in groups
    ]
    assert [each.IsPathIncluded("/W/A/rod") for each in members] == [False, False, True]
    assert [each.IsPathIncluded("/W/A/block") for each in members] == [True, False, False]
    assert "[</W/A>] # all of it" in text


def test_a_coupling_is_edited_in_the_words_of_its_prim(tmp_path: Path) -> None:
    def edit(scene: PhysicsScene) -> PhysicsScene:
        (coupling,) = scene.couplings
        return replace(scene, couplings=(replace(coupling, coefficients=(0.0, 3.5)),))

    text, (_, lost) = edited(tmp_path, edit)
    assert (text, lost) == (STAGE.replace("= -2.5", "= -3.5"), [])
    text, (stage, lost) = edited(tmp_path, lambda s: replace(s, couplings=()))
    assert lost == []
    assert stage.GetPrimAtPath("/W/two").GetAppliedSchemas() == []
    both = (Coupling(joint=0, source=1, coefficients=(0.1, 2.0)),)
    text, (stage, lost) = edited(tmp_path, lambda s: replace(s, couplings=both))
    assert lost == []
    one = stage.GetPrimAtPath("/W/one")
    assert one.GetAttribute("newton:mimicCoef0").Get() == pytest.approx(np.degrees(0.1))
    assert [str(each) for each in one.GetRelationship("newton:mimicJoint").GetTargets()] == [
        "/W/two"
    ]


def test_a_new_body_stands_moves_and_is_joined(tmp_path: Path) -> None:
    from pxr import UsdGeom, UsdPhysics

    def edit(scene: PhysicsScene) -> PhysicsScene:
        scene, body = extra(scene, -1, "lump")
        scene, frame = extra(scene, body, "pivot")
        scene, other = extra(scene, node(scene, "A"), "pivot end")
        return replace(
            scene,
            motions={**scene.motions, body: Motion(mass=3.5)},
            colliders={**scene.colliders, body: Collider(shape=Box(size=(0.1, 0.2, 0.3)))},
            joints=(*scene.joints, Joint(node=frame, connected=other, settings=hinge())),
            excluded_pairs=(*scene.excluded_pairs, (body, node(scene, "B"))),
        )

    text, (stage, lost) = edited(tmp_path, edit)
    assert lost == []
    body = stage.GetPrimAtPath("/W/lump")
    assert body.HasAPI(UsdPhysics.RigidBodyAPI)
    assert body.GetAttribute("physics:mass").Get() == 3.5
    world = UsdGeom.XformCache().GetLocalToWorldTransform(body)
    assert tuple(world.ExtractTranslation()) == pytest.approx((30.0, 50.0, 40.0))
    joint = UsdPhysics.RevoluteJoint.Get(stage, "/W/Joints/pivot")
    assert [str(each) for each in joint.GetBody0Rel().GetTargets()] == ["/W/lump"]
    assert tuple(joint.GetLocalPos0Attr().Get()) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert tuple(joint.GetLocalPos1Attr().Get()) == pytest.approx((20.0, 30.0, 10.0), abs=1e-4)
    assert text.startswith(STAGE[: STAGE.rindex("}")].rstrip())


def test_a_shape_without_a_material_under_one_that_has_it_is_named(tmp_path: Path) -> None:
    stage = STAGE.replace(
        '"PhysicsFilteredPairsAPI"])\n    {',
        '"PhysicsFilteredPairsAPI"])\n    {\n        rel material:binding:physics = </W/Ice>',
    )

    def edit(scene: PhysicsScene) -> PhysicsScene:
        scene, at = extra(scene, node(scene, "B"))
        return replace(scene, colliders={**scene.colliders, at: Collider(shape=Sphere())})

    _, (_, lost) = edited(tmp_path, edit, stage)
    assert lost == [Noun.MATERIAL]


SHAPES = (
    Box(size=(0.31, 0.22, 0.13)),
    Sphere(radius=0.37),
    Capsule(height=0.41, radius_bottom=0.07, radius_top=0.07),
    Cylinder(height=0.33, radius_bottom=0.11, radius_top=0.11),
    Cylinder(height=0.33, radius_bottom=0.11, radius_top=0.0),
)
ROUGH = PhysicsMaterial(name="Rough", static_friction=0.71, dynamic_friction=0.52)
FRESH = CollisionFilter(
    name="Fresh", collision_systems=("Fresh",), not_collide_with_systems=("Fresh",)
)
PICKY = CollisionFilter(name="Picky", collision_systems=("Picky",), collide_with_systems=("Fresh",))


def edits_of_parts(scene: PhysicsScene) -> Iterator[PhysicsScene]:
    """Yield the scene with each collider in each other way."""
    for at, one in scene.colliders.items():
        for shape in SHAPES:
            yield collider(scene, scene.names[at], shape=shape)
        if isinstance(one.shape, Convex):
            yield collider(scene, scene.names[at], shape=Trimesh(mesh=one.shape.mesh))
        for changes in (
            {"material": ROUGH},
            {"material": None},
            {"collision_filter": FRESH},
            {"collision_filter": PICKY},
            {"collision_filter": None},
        ):
            yield collider(scene, scene.names[at], **changes)
        rest = without(scene, scene.names[at])
        yield rest
        yield replace(rest, disabled_colliders={at: one})
        yield replace(rest, triggers={at: Trigger(shape=one.shape)})
        matrices = scene.matrices.copy()
        matrices[at, :3, 3] += (0.1, 0.2, 0.3)
        yield replace(scene, matrices=matrices)


def edits_of_bodies(scene: PhysicsScene) -> Iterator[PhysicsScene]:
    """Yield the scene with bodies, shapes, roots, pairs and couplings more or fewer."""
    bodies = [at for at in scene.motions if scene.is_dynamic(at)]
    for at in (*bodies, -1):
        more, new = extra(scene, at)
        yield replace(more, colliders={**scene.colliders, new: Collider(shape=SHAPES[3])})
        yield replace(more, triggers={new: Trigger(shape=SHAPES[0], collision_filter=FRESH)})
        yield replace(
            more,
            motions={**scene.motions, new: Motion(mass=2.5)},
            colliders={**scene.colliders, new: Collider(shape=SHAPES[0], material=ROUGH)},
        )
    for at in bodies:
        fewer = {each: motion for each, motion in scene.motions.items() if each != at}
        yield replace(scene, motions=fewer, joints=(), couplings=(), excluded_pairs=())
        yield replace(scene, articulations=(Articulation(root=at),))
    yield replace(scene, excluded_pairs=())
    yield replace(scene, gravity=(1.0, -2.0, 0.5))
    for joint, source in itertools.permutations(range(len(scene.joints)), 2):
        yield replace(scene, couplings=(Coupling(joint=joint, source=source),))


def physics_of(scene: PhysicsScene) -> list[list[object]]:
    """Return what a scene says, whatever nodes it is on."""
    owner = [scene.names[body] if body >= 0 else "" for body in scene.bodies().tolist()]
    tables = (scene.colliders, scene.disabled_colliders, scene.triggers)
    return [
        *(
            sorted(repr(_part_of(scene, at, part, owner[at])) for at, part in table.items())
            for table in tables
        ),
        sorted(
            (scene.names[at], float(f"{motion.mass:.5g}"))
            for at, motion in scene.motions.items()
            if scene.is_dynamic(at)
        ),
        sorted(
            (scene.names[scene.joints[each.joint].node], _rounded(each.coefficients))
            for each in scene.couplings
        ),
        sorted(sorted(scene.names[at] for at in pair) for pair in scene.excluded_pairs),
        sorted(scene.names[each.root] for each in scene.articulations),
        [_rounded(scene.gravity)],
    ]


def _part_of(scene: PhysicsScene, at: int, part: Collider | Trigger, body: str) -> object:
    shape, place = part.shape, scene.rigid_matrices[at]
    sizes = [getattr(shape, name, 0.0) for name in ("size", "radius", "height", "radius_bottom")]
    turn: Any = np.abs(place[:3, 2]) if isinstance(shape, Capsule | Cylinder) else place[:3, :3]
    turn = () if isinstance(shape, Sphere | Convex | Trimesh) else _rounded(turn)
    where = () if isinstance(shape, Convex | Trimesh) else _rounded(place[:3, 3])
    material = getattr(part, "material", None)
    found = part.collision_filter
    meets = found and (found.collide_with_systems, found.not_collide_with_systems)
    friction = material and _rounded((material.static_friction, material.dynamic_friction))
    return type(shape).__name__, *map(_rounded, sizes), where, turn, body, friction, meets


def _rounded(value: Any) -> Any:
    return (np.round(np.asarray(value, float), 4) + 0.0).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("layer", ["into", "above"])
@pytest.mark.parametrize("edits", [edits_of_parts, edits_of_bodies])
def test_each_edit_is_read_again(
    tmp_path: Path, edits: Callable[[PhysicsScene], Iterator[PhysicsScene]], layer: str
) -> None:
    path, target = tmp_path / "stage.usda", tmp_path / "new.usda"
    path.write_text(STAGE, encoding="utf-8")
    read = USD.read(Source(path=path))[0]
    assert read.document is not None
    kept = Kept(document=read.document, read=read)
    for scene in edits(read.scene):
        written = USD.write(scene, Target(path=target, kept=kept, options={"layer": layer}))
        target.write_bytes(bytes(written.files["new.usda"]))
        assert written.losses == ()
        assert physics_of(USD.read(Source(path=target))[0].scene) == physics_of(scene)

"""Edits in place of what is neither body nor joint: gravity and materials, one value each."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.core.model.body import PhysicsMaterial
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Kept, Source, Target
from omi_joints_addon.io.formats.usd import USD

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

STAGE = """#usda 1.0
(
    defaultPrim = "W"
    metersPerUnit = 0.01
    upAxis = "Y"
)
def Xform "W"
{
    def PhysicsScene "Scene"
    {
        vector3f physics:gravityDirection = (0, -1, 0) # down
        float physics:gravityMagnitude = 981 # cm
    }
    def Material "Ice" (prepend apiSchemas = ["PhysicsMaterialAPI"])
    {
        float physics:dynamicFriction = 0.03 # slides
        float physics:staticFriction = 0.04
    }
    def Cube "A" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
        rel material:binding:physics = </W/Ice>
    }
    def Cube "B" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
    {
        rel material:binding:physics = </W/Ice>
    }
}
"""


def edited(
    folder: Path, edit: Callable[[PhysicsScene], PhysicsScene], stage: str = STAGE
) -> tuple[str, list[str]]:
    """Return the text of the edited stage, and what the report names."""
    path = folder / "stage.usda"
    path.write_text(stage, encoding="utf-8")
    read = USD.read(Source(path=path))[0]
    assert read.document is not None
    kept = Kept(document=read.document, read=read)
    written = USD.write(edit(read.scene), Target(path=folder / "new.usda", kept=kept))
    return bytes(written.files["new.usda"]).decode(), [loss.noun for loss in written.losses]


def with_material(
    scene: PhysicsScene,
    names: tuple[str, ...],
    change: Callable[[PhysicsMaterial], PhysicsMaterial],
) -> PhysicsScene:
    colliders = dict(scene.colliders)
    for name in names:
        node = scene.names.index(name)
        material = colliders[node].material
        assert material is not None
        colliders[node] = replace(colliders[node], material=change(material))
    return replace(scene, colliders=colliders)


def test_gravity_is_one_value_in_the_units_of_the_stage(tmp_path: Path) -> None:
    text, lost = edited(tmp_path, lambda scene: replace(scene, gravity=(0.0, 0.0, -1.62)))
    assert text == STAGE.replace("= 981", "= 162")
    assert lost == []


def test_gravity_turns_in_the_axes_of_the_stage(tmp_path: Path) -> None:
    text, lost = edited(tmp_path, lambda scene: replace(scene, gravity=(0.0, 9.81, 0.0)))
    # Y of the scene, whose Z is up, is against Z of a stage whose Y is up.
    assert text == STAGE.replace("(0, -1, 0)", "(0, 0, -1)")
    assert lost == []


def test_a_material_of_all_its_colliders_is_one_value(tmp_path: Path) -> None:
    text, lost = edited(
        tmp_path,
        lambda scene: with_material(
            scene, ("A", "B"), lambda each: replace(each, dynamic_friction=0.37)
        ),
    )
    assert text == STAGE.replace("= 0.03", "= 0.37")
    assert lost == []


def test_a_material_of_some_of_its_colliders_becomes_two(tmp_path: Path) -> None:
    from pxr import Usd, UsdShade

    text, lost = edited(
        tmp_path,
        lambda scene: with_material(scene, ("A",), lambda each: replace(each, restitution=0.37)),
    )
    assert lost == []
    assert "float physics:dynamicFriction = 0.03 # slides" in text
    stage = Usd.Stage.CreateInMemory()
    stage.GetRootLayer().ImportFromString(text)
    bounces = []
    for name in ("A", "B"):
        binding = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath(f"/W/{name}"))
        material = binding.ComputeBoundMaterial("physics")[0].GetPrim()
        bounces.append(material.GetAttribute("physics:restitution").Get())
    assert bounces == pytest.approx([0.37, 0.0])


def test_a_combine_mode_applies_the_schema_of_physx(tmp_path: Path) -> None:
    text, lost = edited(
        tmp_path,
        lambda scene: with_material(
            scene, ("A", "B"), lambda each: replace(each, friction_combine="minimum")
        ),
    )
    assert 'apiSchemas = ["PhysicsMaterialAPI", "PhysxMaterialAPI"]' in text
    assert 'uniform token physxMaterial:frictionCombineMode = "min"' in text
    assert lost == []


def test_a_combine_mode_that_goes_leaves_what_else_is_of_physx(tmp_path: Path) -> None:
    """PhysX reads its attributes only where their schema is applied."""
    own = '''["PhysicsMaterialAPI", "PhysxMaterialAPI"])
    {
        bool physxMaterial:improvePatchFriction = 1
        uniform token physxMaterial:frictionCombineMode = "min"'''
    stage = STAGE.replace('["PhysicsMaterialAPI"])\n    {', own)
    text, lost = edited(
        tmp_path,
        lambda scene: with_material(
            scene, ("A", "B"), lambda each: replace(each, friction_combine="average")
        ),
        stage,
    )
    assert text == stage.replace('= "min"', "= None")
    assert lost == []

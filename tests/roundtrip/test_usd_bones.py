"""Bodies on bones through Blender's own USD exporter, judged by OpenUSD."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.scene.reading import scene_to_core
from tests.rigs import activate, add_arm, add_frame, add_human

pytestmark = pytest.mark.skipif(bool(problem()), reason=problem() or "-")


def exported(path: Path, **options: Any) -> Any:
    from pxr import Usd

    assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
    return Usd.Stage.Open(str(path))


def prims(stage: Any, schema: Any) -> list[Any]:
    return [prim for prim in stage.TraverseAll() if prim.HasAPI(schema)]


def world(prim: Any) -> Any:
    from pxr import Usd, UsdGeom

    cache = UsdGeom.XformCache(Usd.TimeCode.Default())
    return np.array(cache.GetLocalToWorldTransform(prim)).T


def ends_of(stage: Any, joint: Any) -> list[Any]:
    """Return the world matrices of the frames of a joint, by OpenUSD."""
    found = []
    for number in (0, 1):
        (path,) = joint.GetRelationship(f"physics:body{number}").GetTargets()
        body = world(stage.GetPrimAtPath(path))
        place = np.array(joint.GetAttribute(f"physics:localPos{number}").Get(), float)
        found.append(body @ [*place, 1.0])
    return found


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_ragdoll_has_prims_beside_the_skeleton(tmp_path, beside, scale):
    from pxr import UsdPhysics, UsdSkel

    rig = add_human(location=(1, 2, 0), rotation_euler=(0, 0, 0.7), scale=(scale,) * 3)
    activate(rig)
    bpy.ops.omi.ragdoll_add(use_beside=beside)
    bpy.context.view_layer.update()
    core, _ = scene_to_core(bpy.context.scene)
    stage = exported(tmp_path / "human.usda")
    assert len([p for p in stage.TraverseAll() if p.IsA(UsdSkel.Skeleton)]) == 1
    bodies = {prim.GetName(): prim for prim in prims(stage, UsdPhysics.RigidBodyAPI)}
    assert len(bodies) == len(prims(stage, UsdPhysics.CollisionAPI)) == 16
    for node, motion in core.motions.items():
        name = core.names[node] + ("" if beside else " Body")
        prim = bodies[name.replace(":", "_").replace(" ", "_")]
        assert world(prim) == pytest.approx(core.matrices[node], abs=1e-6)
        assert UsdPhysics.MassAPI(prim).GetMassAttr().Get() == pytest.approx(motion.mass, rel=1e-6)
    found = [prim for prim in stage.TraverseAll() if prim.IsA(UsdPhysics.Joint)]
    assert len(found) == len(core.joints) == 15
    places = {core.names[j.node].replace(":", "_").replace(" ", "_"): j for j in core.joints}
    for prim in found:
        joint = places[prim.GetName()]
        frames = [core.matrices[node][:3, 3] for node in (joint.node, joint.connected)]
        for end, place in zip(ends_of(stage, prim), frames, strict=True):
            assert end[:3] == pytest.approx(place, abs=2e-6)
    lines = [each for each in texts() if "beside the skeleton" in each]
    assert len(lines) == (0 if beside else 16)


def texts() -> list[str]:
    return bpy.data.texts["Exchange Report"].as_string().splitlines()


@pytest.mark.parametrize("nesting", ["FLAT", "RESET", "NESTED"])
def test_what_hangs_from_a_bone_is_part_of_its_body(tmp_path, nesting):
    from pxr import UsdPhysics

    rig = add_arm(rotation_euler=(0, 0.4, 0), is_bent=True)
    at = rig.matrix_world @ rig.pose.bones["twist"].matrix @ Matrix.Translation((0.1, 0.2, 0))
    part = add_frame("Elbow", rig, "twist", at)
    part.omi_body.collider.source = "CUSTOM"
    part.omi_body.collider.shape.type = "BOX"
    part.omi_body.collider.shape.size = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    core, _ = scene_to_core(bpy.context.scene)
    bpy.context.scene.omi_usd.nesting = nesting
    stage = exported(tmp_path / "arm.usda")
    owners = {}
    for prim in prims(stage, UsdPhysics.CollisionAPI):
        above = prim
        while not above.HasAPI(UsdPhysics.RigidBodyAPI) and above.GetParent():
            above = above.GetParent()
        owners[str(prim.GetPath())] = above.GetName()
    elbow = next(path for path in owners if "Elbow" in path)
    assert owners[elbow] == "upper_Body"
    node = core.names.index("Elbow")
    place = stage.GetPrimAtPath(elbow).GetParent()
    assert world(place) == pytest.approx(core.matrices[node], abs=2e-6)

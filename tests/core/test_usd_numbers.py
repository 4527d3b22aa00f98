"""Numbers of USD files that no reader takes: reported, and never in what is written again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Target, UnwritableError

from .usd_scenes import read_text

pytestmark = pytest.mark.slow

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

STAGE = """
(
    upAxis = "Z"
    metersPerUnit = 1
)
def PhysicsScene "Scene" {{
    {scene}
}}
def Cube "Base" (prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsRigidBodyAPI"]) {{
}}
def Cube "Arm" (
    prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsRigidBodyAPI", "PhysicsMassAPI"]
) {{
    rel material:binding:physics = </Rubber>
    {body}
}}
def Material "Rubber" (prepend apiSchemas = ["PhysicsMaterialAPI"]) {{
    {material}
}}
def PhysicsRevoluteJoint "Lead" {{
    rel physics:body0 = </Base>
    rel physics:body1 = </Arm>
}}
def PhysicsRevoluteJoint "Joint" (
    prepend apiSchemas = ["PhysicsDriveAPI:angular", "NewtonMimicAPI", "PhysxLimitAPI:angular"]
) {{
    rel physics:body0 = </Base>
    rel physics:body1 = </Arm>
    rel newton:mimicJoint = </Lead>
    {joint}
}}
"""
WRONG = {
    "scene": (
        "float physics:gravityMagnitude = {}",
        "vector3f physics:gravityDirection = (0, {}, 0)",
    ),
    "body": (
        "float physics:mass = {}",
        "point3f physics:centerOfMass = ({}, 0, 0)",
        "float3 physics:diagonalInertia = (1, {}, 1)",
        "quatf physics:principalAxes = (1, {}, 0, 0)",
        "vector3f physics:velocity = (0, 0, {})",
        "vector3f physics:angularVelocity = (0, 0, {})",
    ),
    "material": (
        "float physics:staticFriction = {}",
        "float physics:restitution = {}",
        "float physics:density = {}",
    ),
    "joint": (
        "point3f physics:localPos0 = ({}, 0, 0)",
        "quatf physics:localRot1 = ({}, 0, 0, 0)",
        "float physics:lowerLimit = {}",
        "float physxLimit:angular:damping = {}\\n float physxLimit:angular:stiffness = 1",
        "float drive:angular:physics:stiffness = {}",
        "float drive:angular:physics:damping = {}",
        "float drive:angular:physics:targetPosition = {}",
        "float drive:angular:physics:maxForce = {}",
        "float newton:mimicCoef0 = {}",
        "float newton:mimicCoef1 = {}",
        "float physics:breakForce = {}",
    ),
}
CASES = [(place, text) for place, texts in WRONG.items() for text in texts]
MAY_BE_INFINITE = ("gravityMagnitude", "maxForce", "breakForce", "lowerLimit")


def written_files(scene, folder: Path) -> Iterator[bytes]:
    """Yield the files that each format writes of a scene."""
    for kind in (each for each in registry.FORMATS if each.name != "blend"):
        try:
            files = kind.write(scene, Target(path=folder / f"again{kind.suffixes[0]}")).files
        except UnwritableError:
            continue
        yield from (bytes(data) for name, data in files.items() if name.endswith(kind.suffixes))


@pytest.mark.parametrize("value", ["inf", "nan", "1e30"])
@pytest.mark.parametrize(("place", "text"), CASES, ids=[text.split()[1] for _, text in CASES])
def test_a_number_that_no_reader_takes_is_reported(tmp_path, place, text, value):
    texts = dict.fromkeys(WRONG, "") | {place: text.format(value).replace("\\n", "\n")}
    if "lowerLimit" in text or "physxLimit" in text:
        texts["joint"] += "\n    float physics:upperLimit = 10"
    read = read_text(STAGE.format(**texts), tmp_path)
    codes = [finding.code for finding in read.findings]
    is_infinity = value == "inf" and any(name in text for name in MAY_BE_INFINITE)
    assert ("OMI-U004" in codes) is not is_infinity
    assert len(read.scene.joints) == 2
    for data in written_files(read.scene, tmp_path):
        assert b"nan" not in data.lower()

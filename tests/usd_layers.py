"""A robot as others lay it out in USD, and what layers above it say."""

from pathlib import Path
from typing import Any

ROBOT = """#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 0.01
    upAxis = "Y"
)
# A comment.
def Xform "Robot" (
    variants = { string look = "red" }
    prepend variantSets = "look"
)
{
    variantSet "look" = {
        "red" {
            color3f tint = (1, 0, 0)
        }
    }
    def Scope "Geometry"
    {
        def Xform "base" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]
        )
        {
            double3 xformOp:translate = (0, 50, 0)
            quatf xformOp:orient = (1, 0, 0, 0)
            double3 xformOp:scale = (2, 1, 1)
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
            def Cube "geo" (prepend apiSchemas = ["PhysicsCollisionAPI"])
            {
                double size = 20
                custom string note = "keep"
            }
        }
        def Xform "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
        {
            float physics:mass = 3
            double3 xformOp:translate = (50, 50, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
            def Sphere "geo" (prepend apiSchemas = ["PhysicsCollisionAPI"])
            {
                double radius = 10
            }
        }
        def Xform "tool" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
        {
            double3 xformOp:translate = (90, 50, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }
    def Scope "Physics"
    {
        def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
        {
            rel physics:body0 = </Robot/Geometry/base>
            rel physics:body1 = </Robot/Geometry/arm>
            uniform token physics:axis = "Z"
            point3f physics:localPos0 = (12.5, 0, 0)
            point3f physics:localPos1 = (-25, 0, 0)
            float physics:lowerLimit = -30
            float physics:upperLimit = 200
            float drive:angular:physics:stiffness = 5
            float drive:angular:physics:maxForce = 3.4e38
            float newton:armature = 0.5
        }
        def PhysicsRevoluteJoint "animated"
        {
            rel physics:body0 = </Robot/Geometry/arm>
            rel physics:body1 = </Robot/Geometry/tool>
            point3f physics:localPos0 = (20, 0, 0)
            point3f physics:localPos1 = (-20, 0, 0)
            float physics:lowerLimit.timeSamples = { 0: -10, 24: -20 }
            float physics:upperLimit = 10
        }
    }
}
"""
HINGE, ARM = "/Robot/Physics/hinge", "/Robot/Geometry/arm"


def opinions(path: Path) -> dict[str, Any]:
    """Return what a layer says, by path."""
    from pxr import Sdf

    layer = Sdf.Layer.OpenAsAnonymous(str(path))
    found: dict[str, Any] = {}

    def note(at: Any) -> None:
        spec = layer.GetObjectAtPath(at)
        if at.IsPropertyPath():
            is_value = isinstance(spec, Sdf.AttributeSpec)
            found[str(at)] = spec.default if is_value else list(spec.targetPathList.explicitItems)
        elif at.IsPrimPath():
            keys = {"specifier", "primChildren", "properties"}
            found.update(
                {f"{at} {key}": spec.GetInfo(key) for key in set(spec.ListInfoKeys()) - keys}
            )

    layer.Traverse("/", note)
    return found

"""An arm with an actuator of MuJoCo's schema, as text of a stage."""

HEAD = """(
    metersPerUnit = 1
    kilogramsPerUnit = 1
    upAxis = "Z"
    defaultPrim = "W"
)
def Xform "W" {
"""
ARM = """
def Xform "Base" {}
def Xform "Link" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    float physics:mass = 2
    float3 physics:diagonalInertia = (0.1, 0.1, 0.1)
}
def Xform "Tool" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    float physics:mass = 1
    float3 physics:diagonalInertia = (0.1, 0.1, 0.1)
}
def PhysicsRevoluteJoint "Hinge" {
    uniform token physics:axis = "Y"
    rel physics:body0 = </W/Base>
    rel physics:body1 = </W/Link>
    float physics:lowerLimit = -60
    float physics:upperLimit = 60
}
def PhysicsPrismaticJoint "Slide" {
    uniform token physics:axis = "X"
    rel physics:body0 = </W/Link>
    rel physics:body1 = </W/Tool>
}
"""
SERVO = """
def MjcActuator "servo" {
    uniform double[] mjc:biasPrm = [0, -40, -2, 0, 0, 0, 0, 0, 0, 0]
    uniform token mjc:biasType = "affine"
    uniform double[] mjc:gainPrm = [40, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    uniform double[] mjc:gear = [2, 0, 0, 0, 0, 0]
    uniform double mjc:ctrlRange:min = -1
    uniform double mjc:ctrlRange:max = 1
    uniform double mjc:forceRange:min = -5
    uniform double mjc:forceRange:max = 5
    rel mjc:target = </W/Hinge>
}
"""

"""Small stages, each with one noun of UsdPhysics, PhysX, Newton or MuJoCo beside two bodies."""

from dataclasses import dataclass

_STAGE = """#usda 1.0
(
    defaultPrim = "W"
    metersPerUnit = 1
    kilogramsPerUnit = 1
    upAxis = "Z"
)
def Xform "W"
{{
    def PhysicsScene "PhysicsScene"
    {{
        vector3f physics:gravityDirection = (0, 0, -1)
        float physics:gravityMagnitude = 9.81
        {scene}
    }}
    def Xform "A" ({body_schemas})
    {{
        float physics:mass = 2
        {body}
        def {shape} "CA" ({collider_schemas})
        {{
            {collider}
        }}
    }}
    def Xform "B" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {{
        float physics:mass = 1
        double3 xformOp:translate = (1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cube "CB" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {{
            double size = 0.2
        }}
    }}
    def {joint_type} "J" ({joint_schemas})
    {{
        rel physics:body0 = </W/A>
        rel physics:body1 = </W/B>
        point3f physics:localPos0 = (0.5, 0, 0)
        point3f physics:localPos1 = (-0.5, 0, 0)
        {joint}
    }}
    {prims}
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """What a stage has beside two bodies and a joint; schemas are before a bar."""

    scene: str = ""
    body: str = ""
    collider: str = ""
    joint: str = ""
    prims: str = ""
    shape: str = "Cube"
    joint_type: str = "PhysicsRevoluteJoint"

    def stage(self) -> str:
        """Return the text of the stage."""
        parts = {
            "body": (self.body, ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]),
            "collider": (self.collider, ["PhysicsCollisionAPI"]),
            "joint": (self.joint, []),
        }
        values = {"scene": self.scene, "prims": self.prims}
        for name, (text, own) in parts.items():
            schemas, bar, body = text.rpartition("|")
            names = [*own, *(schemas.split() if bar else ())]
            listed = ", ".join(f'"{each}"' for each in names)
            values[f"{name}_schemas"] = f"prepend apiSchemas = [{listed}]" if names else ""
            values[name] = "\n".join(part.strip() for part in body.split(";"))
        return _STAGE.format(shape=self.shape, joint_type=self.joint_type, **values)


def _limit(dof: str, low: float, high: float) -> str:
    return f"float limit:{dof}:physics:low = {low}; float limit:{dof}:physics:high = {high}"


_D6 = "PhysicsJoint"
_RANGE = "float physics:lowerLimit = -30; float physics:upperLimit = 60"
_DRIVE = "PhysicsDriveAPI:angular | float drive:angular:physics:stiffness = 3"
_OTHER = """def Xform "C" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1
        double3 xformOp:translate = (2, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsRevoluteJoint "K" (%s)
    {
        rel physics:body0 = </W/B>
        rel physics:body1 = </W/C>
        point3f physics:localPos0 = (0.5, 0, 0)
        point3f physics:localPos1 = (-0.5, 0, 0)
        %s
    }"""


def _typed(kind: str, text: str) -> str:
    return f'def {kind} "X"\n{{\n{text}\n}}'


NOUNS = {
    "hinge about Y": Noun(joint='uniform token physics:axis = "Y"'),
    "hinge range": Noun(joint=_RANGE),
    "hinge range beyond 180°": Noun(
        joint="float physics:lowerLimit = -30; float physics:upperLimit = 250"
    ),
    "hinge range of turns": Noun(
        joint="float physics:lowerLimit = -500; float physics:upperLimit = 500"
    ),
    "prismatic joint": Noun(
        joint_type="PhysicsPrismaticJoint",
        joint="float physics:lowerLimit = -0.1; float physics:upperLimit = 0.2",
    ),
    "fixed joint": Noun(joint_type="PhysicsFixedJoint"),
    "spherical joint, cone": Noun(
        joint_type="PhysicsSphericalJoint",
        joint="float physics:coneAngle0Limit = 30; float physics:coneAngle1Limit = 30",
    ),
    "elliptic cone": Noun(
        joint_type="PhysicsSphericalJoint",
        joint="float physics:coneAngle0Limit = 30; float physics:coneAngle1Limit = 50",
    ),
    "distance joint": Noun(
        joint_type="PhysicsDistanceJoint",
        joint="float physics:minDistance = 0.1; float physics:maxDistance = 0.4",
    ),
    "spring of a distance joint": Noun(
        joint_type="PhysicsDistanceJoint",
        joint="PhysxPhysicsDistanceJointAPI | float physics:maxDistance = 0.4;"
        " bool physxPhysicsDistanceJoint:springEnabled = 1;"
        " float physxPhysicsDistanceJoint:springStiffness = 7",
    ),
    "limits of a D6": Noun(
        joint_type=_D6,
        joint="PhysicsLimitAPI:transX PhysicsLimitAPI:rotZ | "
        + _limit("transX", 1, -1)
        + "; "
        + _limit("rotZ", -30, 40),
    ),
    "limit of distance": Noun(
        joint_type=_D6, joint="PhysicsLimitAPI:distance | " + _limit("distance", 0, 0.3)
    ),
    "several joints between two bodies": Noun(
        joint='uniform token physics:axis = "Y"',
        prims="""def PhysicsRevoluteJoint "J2"
    {
        rel physics:body0 = </W/A>
        rel physics:body1 = </W/B>
        point3f physics:localPos0 = (0.5, 0, 0)
        point3f physics:localPos1 = (-0.5, 0, 0)
        uniform token physics:axis = "Z"
    }""",
    ),
    "drive: stiffness, damping, target, force": Noun(
        joint=_DRIVE
        + "; float drive:angular:physics:damping = 2;"
        + " float drive:angular:physics:targetPosition = 20;"
        + " float drive:angular:physics:maxForce = 9"
    ),
    "drive of acceleration": Noun(
        joint=_DRIVE + '; uniform token drive:angular:physics:type = "acceleration"'
    ),
    "velocity drive": Noun(
        joint="PhysicsDriveAPI:angular | float drive:angular:physics:damping = 2;"
        " float drive:angular:physics:targetVelocity = 20"
    ),
    "target without stiffness": Noun(
        joint="PhysicsDriveAPI:angular | float drive:angular:physics:damping = 2;"
        " float drive:angular:physics:targetPosition = 20"
    ),
    "drive of a fixed joint": Noun(joint_type="PhysicsFixedJoint", joint=_DRIVE),
    "drive over time": Noun(
        joint="PhysicsDriveAPI:angular | float drive:angular:physics:stiffness = 3;"
        " float drive:angular:physics:targetPosition.timeSamples = { 0: 10, 24: 20 }"
    ),
    "limit over time": Noun(
        joint="float physics:lowerLimit.timeSamples = { 0: -10, 24: -20 };"
        " float physics:upperLimit = 30"
    ),
    "jointEnabled": Noun(joint="bool physics:jointEnabled = 0"),
    "excludeFromArticulation": Noun(joint="uniform bool physics:excludeFromArticulation = 1"),
    "collisionEnabled of a joint": Noun(joint="bool physics:collisionEnabled = 1"),
    "breakForce, breakTorque": Noun(
        joint="float physics:breakForce = 5; float physics:breakTorque = 6"
    ),
    "body0 on a scope": Noun(joint="rel physics:body0 = </W/S>", prims='def Scope "S" {\n}'),
    "kinematicEnabled": Noun(body="bool physics:kinematicEnabled = 1"),
    "rigidBodyEnabled": Noun(body="bool physics:rigidBodyEnabled = 0"),
    "startsAsleep": Noun(body="bool physics:startsAsleep = 1"),
    "velocity, angularVelocity": Noun(
        body="vector3f physics:velocity = (1, 0, 0); vector3f physics:angularVelocity = (0, 90, 0)"
    ),
    "centerOfMass, diagonalInertia, principalAxes": Noun(
        body="point3f physics:centerOfMass = (0.1, 0, 0);"
        " float3 physics:diagonalInertia = (0.1, 0.2, 0.25);"
        " quatf physics:principalAxes = (0.7071068, 0, 0, 0.7071068)"
    ),
    "density of a collider": Noun(
        body="float physics:mass = 0", collider="PhysicsMassAPI | float physics:density = 300"
    ),
    "simulationOwner": Noun(body="rel physics:simulationOwner = </W/PhysicsScene>"),
    "second PhysicsScene": Noun(
        prims=_typed("PhysicsScene", "float physics:gravityMagnitude = 1.62")
    ),
    "gravity": Noun(scene="float physics:gravityMagnitude = 1.62"),
    **{
        f"collider {shape}": Noun(shape=shape, collider=text)
        for shape, text in (
            ("Cube", "double size = 0.4"),
            ("Sphere", "double radius = 0.3"),
            ("Capsule", 'uniform token axis = "Y"; double radius = 0.1; double height = 0.4'),
            ("Cylinder", 'uniform token axis = "X"; double radius = 0.1; double height = 0.4'),
            ("Cone", "double radius = 0.1; double height = 0.4"),
            ("Plane", 'uniform token axis = "Z"'),
            ("Capsule_1", "double radiusTop = 0.1; double radiusBottom = 0.2; double height = 1"),
            ("Points", "point3f[] points = [(0, 0, 0), (1, 0, 0)]"),
        )
    },
    "collisionEnabled of a collider": Noun(collider="bool physics:collisionEnabled = 0"),
    **{
        f"approximation {word}": Noun(
            shape="Mesh",
            collider="PhysicsMeshCollisionAPI |"
            f' uniform token physics:approximation = "{word}";'
            " point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)];"
            " int[] faceVertexCounts = [3, 3, 3, 3];"
            " int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]",
        )
        for word in (
            "none",
            "convexHull",
            "convexDecomposition",
            "meshSimplification",
            "sdf",
            "sphereFill",
            "boundingCube",
            "boundingSphere",
        )
    },
    "material: friction, restitution": Noun(
        collider="MaterialBindingAPI | rel material:binding:physics = </W/M>",
        prims="""def Material "M" (prepend apiSchemas = ["PhysicsMaterialAPI"])
    {
        float physics:staticFriction = 0.4
        float physics:dynamicFriction = 0.3
        float physics:restitution = 0.6
    }""",
    ),
    "compliant contact": Noun(
        collider="MaterialBindingAPI | rel material:binding:physics = </W/M>",
        prims="""def Material "M" (prepend apiSchemas = ["PhysicsMaterialAPI", "PhysxMaterialAPI"])
    {
        float physics:dynamicFriction = 0.3
        float physxMaterial:compliantContactStiffness = 8
    }""",
    ),
    "contact offset of a collider": Noun(
        collider="PhysxCollisionAPI | float physxCollision:contactOffset = 0.02"
    ),
    "collision groups": Noun(
        prims="""def PhysicsCollisionGroup "G" (prepend apiSchemas = ["CollectionAPI:colliders"])
    {
        rel collection:colliders:includes = </W/A>
        rel physics:filteredGroups = </W/H>
    }
    def PhysicsCollisionGroup "H" (prepend apiSchemas = ["CollectionAPI:colliders"])
    {
        rel collection:colliders:includes = </W/B>
    }"""
    ),
    "mergeGroup": Noun(
        prims="""def PhysicsCollisionGroup "G" (prepend apiSchemas = ["CollectionAPI:colliders"])
    {
        rel collection:colliders:includes = </W/A>
        string physics:mergeGroup = "m"
    }"""
    ),
    "filteredPairs of bodies": Noun(
        body="PhysicsFilteredPairsAPI | rel physics:filteredPairs = </W/C>",
        prims=_OTHER % ("", ""),
    ),
    "filteredPairs of a collider": Noun(
        collider="PhysicsFilteredPairsAPI | rel physics:filteredPairs = </W/C>",
        prims=_OTHER % ("", ""),
    ),
    "articulation root": Noun(body="PhysicsArticulationRootAPI |"),
    "settings of an articulation": Noun(
        body="PhysicsArticulationRootAPI PhysxArticulationAPI |"
        " bool physxArticulation:enabledSelfCollisions = 0;"
        " int physxArticulation:solverPositionIterationCount = 8"
    ),
    "PhysxJointAPI": Noun(
        joint="PhysxJointAPI | float physxJoint:jointFriction = 0.2;"
        " float physxJoint:armature = 0.3; float physxJoint:maxJointVelocity = 90"
    ),
    "PhysxJointAxisAPI": Noun(
        joint="PhysxJointAxisAPI:angular | float physxJointAxis:angular:armature = 0.3"
    ),
    "PhysxLimitAPI": Noun(
        joint=f"PhysxLimitAPI:angular | {_RANGE}; float physxLimit:angular:stiffness = 40;"
        " float physxLimit:angular:damping = 3"
    ),
    "damping of a rigid limit": Noun(
        joint=f"PhysxLimitAPI:angular | {_RANGE}; float physxLimit:angular:damping = 3"
    ),
    "restitution of a limit": Noun(
        joint=f"PhysxLimitAPI:angular | {_RANGE}; float physxLimit:angular:restitution = 0.3"
    ),
    "PhysicsJointStateAPI": Noun(
        joint="PhysicsJointStateAPI:angular | float state:angular:physics:position = 20"
    ),
    "drive envelope": Noun(
        joint="PhysxDrivePerformanceEnvelopeAPI:angular |"
        " float physxDrivePerformanceEnvelope:angular:maxActuatorVelocity = 50"
    ),
    "damping of a body": Noun(
        body="PhysxRigidBodyAPI | float physxRigidBody:linearDamping = 0.1;"
        " float physxRigidBody:angularDamping = 0.2"
    ),
    "disableGravity": Noun(body="PhysxRigidBodyAPI | bool physxRigidBody:disableGravity = 1"),
    "locked axes of a body": Noun(body="PhysxRigidBodyAPI | int physxRigidBody:lockedPosAxis = 3"),
    "trigger": Noun(collider="PhysxTriggerAPI |"),
    "mimic of PhysX": Noun(
        prims=_OTHER
        % (
            'prepend apiSchemas = ["PhysxMimicJointAPI:rotX"]',
            """rel physxMimicJoint:rotX:referenceJoint = </W/J>
        uniform token physxMimicJoint:rotX:referenceJointAxis = "rotX"
        float physxMimicJoint:rotX:gearing = -2
        float physxMimicJoint:rotX:naturalFrequency = 5""",
        )
    ),
    "mimic of Newton": Noun(
        prims=_OTHER
        % (
            'prepend apiSchemas = ["NewtonMimicAPI"]',
            "rel newton:mimicJoint = </W/J>\n float newton:mimicCoef1 = 2",
        )
    ),
    "gear joint": Noun(prims=_typed("PhysxPhysicsGearJoint", "float physics:gearRatio = 2")),
    "rack and pinion joint": Noun(
        prims=_typed("PhysxPhysicsRackAndPinionJoint", "float physics:ratio = 2")
    ),
    "fixed tendon": Noun(
        joint="PhysxTendonAxisRootAPI:t |"
        " float physxTendon:t:stiffness = 4; float[] physxTendon:t:gearing = [1]"
    ),
    "spatial tendon, relationship": Noun(
        body="PhysxTendonAttachmentAPI:t | rel physxTendon:t:parentLink = </W/B>"
    ),
    "NewtonJointAPI": Noun(
        joint="NewtonJointAPI | float newton:armature = 0.3; float newton:friction = 0.2"
    ),
    "MjcJointAPI": Noun(
        joint="MjcJointAPI | double mjc:armature = 0.3; double mjc:frictionloss = 0.2;"
        " double mjc:damping = 0.1"
    ),
    "NewtonActuator": Noun(
        prims='def NewtonActuator "X" (apiSchemas = ["NewtonPDControlAPI"])\n'
        "{\nrel newton:targets = </W/J>\nfloat newton:kp = 5\n}"
    ),
    "NewtonActuator of another law": Noun(
        prims=_typed("NewtonActuator", "rel newton:targets = </W/J>")
    ),
    "MjcActuator": Noun(
        prims=_typed("MjcActuator", "rel mjc:target = </W/J>\n double[] mjc:gainPrm = [5]")
    ),
    "Isaac's robot": Noun(body="IsaacRobotAPI | rel isaac:physics:robotJoints = </W/J>"),
    "PointInstancer": Noun(
        prims="""def PointInstancer "P"
    {
        point3f[] positions = [(0, 0, 0), (0, 1, 0)]
        int[] protoIndices = [0, 0]
        rel prototypes = </W/P/Ball>
        def Sphere "Ball" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
        {
            double radius = 0.1
        }
    }"""
    ),
    "attribute of another schema": Noun(body="custom float my:note = 4"),
    "attribute without a namespace": Noun(body='custom string note = "keep"'),
}

"""Examples for rules of USD, and of PhysX and Newton about what only USD files hold."""

from collections.abc import Callable, Iterator

from .pair import Pair, of_text

SOUND = """#usda 1.0
(
    defaultPrim = "World"
    kilogramsPerUnit = 1
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "World"
{
    def PhysicsScene "Scene"
    {
    }

    def Xform "Post" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
    )
    {
        bool physics:kinematicEnabled = 1
    }

    def Xform "Door" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
    )
    {
        double3 xformOp:translate = (0.5, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]

        def Cube "Panel" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            double size = 0.3
        }
    }

    def PhysicsRevoluteJoint "Hinge"
    {
        uniform token physics:axis = "Z"
        rel physics:body0 = </World/Door>
        rel physics:body1 = </World/Post>
        point3f physics:localPos0 = (-0.5, 0, 0)
        float physics:lowerLimit = -10
        float physics:upperLimit = 90
    }
}
"""
_HINGE = '    def PhysicsRevoluteJoint "Hinge"\n    {\n'
_ROOTED = (
    '"Post" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI"]',
    '"Post" (\n        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]',
)
_DOOR = "        double3 xformOp:translate = (0.5, 0, 0)\n"
_LIMITS = "        float physics:lowerLimit = -10\n        float physics:upperLimit = 90\n"
_SPHERICAL = (
    (_HINGE, '    def PhysicsSphericalJoint "Hinge"\n    {\n'),
    (
        _LIMITS,
        "        float physics:coneAngle0Limit = 30\n        float physics:coneAngle1Limit = 30\n",
    ),
)
_LOCK = "        float limit:{0}:physics:low = 1\n        float limit:{0}:physics:high = -1\n"
_LOCKED = ("transX", "transY", "transZ", "rotX")
_UNIVERSAL = (
    _ROOTED,
    (
        _HINGE,
        '    def PhysicsJoint "Hinge" (\n        prepend apiSchemas = ['
        + ", ".join(f'"PhysicsLimitAPI:{dof}"' for dof in _LOCKED)
        + "]\n    )\n    {\n",
    ),
    ('        uniform token physics:axis = "Z"\n', ""),
    (_LIMITS, "".join(map(_LOCK.format, _LOCKED))),
)
_PANEL = """        def Cube "Panel" (
            prepend apiSchemas = ["PhysicsCollisionAPI"]
        )
        {
            double size = 0.3
"""
_MESH = (
    _PANEL,
    """        def Mesh "Panel" (
            prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]
        )
        {
            uniform token physics:approximation = "convexHull"
            int[] faceVertexCounts = [3, 3, 3, 3]
            int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
            point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
""",
)


_BRACE = """    def PhysicsFixedJoint "Brace"
    {
        rel physics:body0 = </World/Door>
        rel physics:body1 = </World/Post>
        point3f physics:localPos0 = (-0.5, 0, 0)
    }

"""


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    pair = of_text(".usda", SOUND)
    yield from _stages(pair)
    yield from _joints(pair)
    yield from _bodies(pair)


def _applied(name: str) -> str:
    applied = f'(\n        prepend apiSchemas = ["{name}"]\n    )'
    return f'    def PhysicsRevoluteJoint "Hinge" {applied}\n    {{\n'


def _stages(pair: Callable[..., Pair]) -> Iterator[Pair]:
    yield pair(
        "U013",
        "gravity has two attributes, of other names",
        '"Scene"\n    {\n',
        '"Scene"\n    {\n        vector3f gravity = (0, 0, -5)\n',
    )
    yield pair(
        "U014",
        "two physics scenes",
        '    def PhysicsScene "Scene"\n',
        '    def PhysicsScene "Moon"\n    {\n        float physics:gravityMagnitude = 1.6\n    }\n'
        '\n    def PhysicsScene "Scene"\n',
    )
    yield pair(
        "U017",
        "the layer is not there",
        "    upAxis",
        "    subLayers = [@missing.usda@]\n    upAxis",
    )
    yield pair(
        "U025",
        "the file only changes the prims of another",
        'def Xform "World"',
        'over "World"',
    )


def _joints(pair: Callable[..., Pair]) -> Iterator[Pair]:
    axis = 'physics:axis = "Z"'
    yield pair(
        "U002", "the type is PhysicsRevoluteJoint", "PhysicsRevoluteJoint", "RevolutePhysicsJoint"
    )
    kept = "    (\n        customData = {\n            dictionary omi = {\n"
    kept += '                string digest = "old"\n                string joint = "{}"\n'
    kept += "            }\n        }\n    )\n"
    yield pair(
        "U003",
        "what this program kept with the joint is of an earlier form of it",
        _HINGE,
        _HINGE.replace("    {", f"{kept}    {{"),
    )
    yield pair("U004", "an axis is X, Y or Z", axis, 'physics:axis = "W"')
    yield pair("U005", "the range ends beyond half a turn", "upperLimit = 90", "upperLimit = 190")
    yield pair(
        "U006",
        "the range is two turns",
        _LIMITS,
        _LIMITS.replace("-10", "-360").replace("90", "360"),
    )
    yield pair(
        "U007",
        "the cone has two angles",
        "coneAngle1Limit = 30",
        "coneAngle1Limit = 60",
        base=_SPHERICAL,
    )
    yield pair("U008", "there is no such body", "</World/Post>", "</World/Pole>")
    yield pair("U009", "a joint needs two bodies", "</World/Post>", "</World/Door>")
    yield pair(
        "U019",
        "the leading joint does not exist",
        _HINGE,
        _applied("NewtonMimicAPI") + "        rel newton:mimicJoint = </World/Lever>\n",
    )
    yield pair(
        "U023",
        "a hinge has no linear drive",
        _HINGE,
        _applied("PhysicsDriveAPI:linear") + "        float drive:linear:physics:damping = 3\n",
    )
    yield pair(
        "U024",
        "the joint starts elsewhere",
        _HINGE,
        _applied("PhysicsJointStateAPI:angular")
        + "        float state:angular:physics:position = 30\n",
    )
    yield pair(
        "U026",
        "gears",
        _HINGE,
        f'    def PhysxPhysicsGearJoint "Gears"\n    {{\n    }}\n\n{_HINGE}',
    )
    yield pair(
        "U027",
        "a frame of the joint changes over time",
        "localPos0 = (-0.5, 0, 0)",
        "localPos0.timeSamples = {\n            0: (-0.5, 0, 0),\n"
        "            9: (0, 0, 0)\n        }",
    )
    yield pair(
        "U051",
        "friction of a joint that is not in an articulation",
        _HINGE,
        _applied("PhysxJointAPI") + "        float physxJoint:jointFriction = 0.1\n",
    )
    yield pair(
        "U062 U005",
        "a range beyond half a turn outside of an articulation",
        _LIMITS,
        _LIMITS.replace("-10", "-30").replace("90", "240"),
    )
    pushed = """    def NewtonActuator "Servo" (
        prepend apiSchemas = ["NewtonPDControlAPI"]
    )
    {
        float newton:kd = 3
        float newton:kp = 30
        rel newton:targets = </World/Hinge>
    }

"""
    yield pair(
        "U057",
        "a drive beside an actuator of Newton",
        _HINGE,
        _applied("PhysicsDriveAPI:angular") + "        float drive:angular:physics:stiffness = 1\n",
        base=((_HINGE, pushed + _HINGE),),
    )
    for codes in ("U052 J013", "U061 J013"):
        yield pair(
            codes, "a second joint closes a loop", _HINGE, f"{_BRACE}{_HINGE}", base=(_ROOTED,)
        )
    lock = _LOCK.format("transZ")
    yield pair("U058", "the joint slides and turns", lock, "", base=_UNIVERSAL)
    yield pair(
        "E312",
        "the joint turns about two axes",
        lock,
        lock + _LOCK.format("rotX"),
        base=(*_UNIVERSAL[:-1], (_LIMITS, "".join(map(_LOCK.format, _LOCKED[:-1])))),
    )
    place = "        point3f physics:localPos0 = (-0.5, 0, 0)\n"
    turned = "        quatf physics:localRot0 = (0.9659258, 0, 0.258819, 0)\n"
    yield pair("U059", "the joint is turned at the start", place, place + turned, base=_UNIVERSAL)
    yield pair(
        "U055",
        "no body is jointed to the articulation root",
        "rel physics:body1 = </World/Post>\n",
        "",
        base=(_ROOTED,),
    )


def _bodies(pair: Callable[..., Pair]) -> Iterator[Pair]:
    cube = 'def Cube "Panel"'
    yield pair("U010", "no shape for collision", cube, 'def BasisCurves "Panel"')
    yield pair(
        "U011",
        "a sphere is scaled unevenly",
        _DOOR,
        _DOOR.replace("0)", "0)\n        double3 xformOp:scale = (1, 2, 1)"),
        base=(
            ('"xformOp:translate"]', '"xformOp:translate", "xformOp:scale"]'),
            (_DOOR, f"{_DOOR}"),
            (cube, 'def Sphere "Panel"'),
            ("double size = 0.3", "double radius = 0.3"),
        ),
    )
    yield pair("U012", "an approximation that is kept", '"convexHull"', '"sdf"', base=(_MESH,))
    world = 'def Xform "World"\n'
    schema = '(\n    prepend apiSchemas = ["PhysicsArticulationRootAPI"]\n)\n'
    yield pair(
        "U015",
        "an articulation root below another",
        world,
        f"{world[:-1]} {schema}",
        base=(_ROOTED,),
    )
    yield pair(
        "U016",
        "an articulation root without a body",
        _HINGE,
        f'    def Scope "Robot" {schema}    {{\n    }}\n\n{_HINGE}',
    )
    yield pair(
        "U018 J007",
        "the body is turned off",
        _DOOR,
        f"{_DOOR}        bool physics:rigidBodyEnabled = 0\n",
    )
    yield pair(
        "U020 B016",
        "the collider is turned off",
        "double size = 0.3\n",
        "double size = 0.3\n            bool physics:collisionEnabled = 0\n",
    )
    yield pair(
        "U021",
        "a plane has no end",
        cube,
        'def Plane "Panel"',
        base=(("            double size = 0.3\n", ""),),
    )
    yield pair(
        "U022",
        "instances are not read",
        _HINGE,
        """    def PointInstancer "Bolts"
    {
        point3f[] positions = [(0, 0, 0), (3, 0, 0)]
        int[] protoIndices = [0, 0]
        rel prototypes = </World/Bolts/Bolt>

        def Cube "Bolt" (
            prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]
        )
        {
        }
    }

"""
        + _HINGE,
    )
